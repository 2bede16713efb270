//! Golden questions over a database and documents, with answers that the data themselves prove.
//!
//! Templates look at the tables and documents for what can be asked: counts, sums, look-ups by a
//! name, the highest and lowest, what belongs to what, what a document says under a label. The
//! answer of each is what its query finds, or what its passage says. The same seed and the same
//! data give the same questions.

mod candidate;
mod document_questions;
mod table;
mod table_questions;
mod wording;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use self::candidate::Candidate;
use super::world::BusinessWorld;

/// At most so many questions, as cases in the form of a suite's file. There are fewer where the data
/// give no more.
pub fn questions(world: &BusinessWorld, seed: u64, count: usize) -> Vec<Value> {
    let mut candidates = Vec::new();
    if let Some(database) = world.database() {
        candidates.extend(table_questions::candidates(&table::read(database)));
    }
    if let Some(documents) = world.documents() {
        candidates.extend(document_questions::candidates(documents));
    }
    let mut kinds: IndexMap<&'static str, Vec<Candidate>> = IndexMap::new();
    for candidate in candidates {
        kinds.entry(candidate.kind).or_default().push(candidate);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for candidates in kinds.values_mut() {
        candidates.shuffle(&mut random);
    }
    let mut made = Vec::new();
    let (mut asked, mut ids) = (BTreeSet::new(), BTreeSet::new());
    // One of each kind in turn, so that a table of many rows does not crowd out the rest.
    while made.len() < count && kinds.values().any(|left| !left.is_empty()) {
        for left in kinds.values_mut() {
            let new = std::iter::from_fn(|| left.pop())
                .filter(|candidate| !asked.contains(&candidate.say))
                .find_map(|candidate| Some((candidate.answer(world)?, candidate)));
            let Some((answer, candidate)) = new.filter(|_| made.len() < count) else { continue };
            made.push(candidate.case(&id(&candidate, &mut ids), answer));
            asked.insert(candidate.say);
        }
    }
    made
}

/// A name for a question that stays the same with other seeds, as long as no two share it.
fn id(candidate: &Candidate, taken: &mut BTreeSet<String>) -> String {
    let slug = wording::slug(&candidate.name);
    let mut id = slug.clone();
    let mut number = 2;
    while !taken.insert(id.clone()) {
        id = format!("{slug}-{number}");
        number += 1;
    }
    id
}
