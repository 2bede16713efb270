//! The tables of phrases, read once.

use std::sync::LazyLock;

use super::pattern::{self, Phrase};

/// The phrases by which a clause is known to do something.
pub(super) struct Lexicon {
    pub(super) done: Vec<Phrase>,
    pub(super) promise: Vec<Phrase>,
    pub(super) refusal: Vec<Phrase>,
    pub(super) ignorance: Vec<Phrase>,
    pub(super) unknown: Vec<Phrase>,
    pub(super) not_negation: Vec<Phrase>,
    pub(super) failures: Vec<Phrase>,
    pub(super) old_value: Vec<Phrase>,
    pub(super) hedge: Vec<Phrase>,
    pub(super) closers: Vec<Phrase>,
    pub(super) asking: Vec<Phrase>,
    pub(super) offers: Vec<Phrase>,
    pub(super) idle: Vec<Phrase>,
    pub(super) rooms: Vec<Phrase>,
    pub(super) yes: Vec<Phrase>,
    pub(super) assents: Vec<Phrase>,
    pub(super) no: Vec<Phrase>,
    /// What is said of a day that is over, and of one that is still to come.
    pub(super) past: Vec<Phrase>,
    pub(super) to_come: Vec<Phrase>,
    /// Words of opposite meaning: both sides of each pair.
    pub(super) opposites: Vec<[Vec<Phrase>; 2]>,
}

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon {
    done: pattern::table(include_str!("tables/done.txt")),
    promise: pattern::table(include_str!("tables/promise.txt")),
    refusal: pattern::table(include_str!("tables/refusal.txt")),
    ignorance: pattern::table(include_str!("tables/ignorance.txt")),
    unknown: pattern::table(include_str!("tables/unknown.txt")),
    not_negation: pattern::table(include_str!("tables/not_negation.txt")),
    failures: pattern::table(include_str!("tables/failures.txt")),
    old_value: pattern::table(include_str!("tables/old_value.txt")),
    hedge: pattern::table(include_str!("tables/hedge.txt")),
    closers: pattern::table(include_str!("tables/closers.txt")),
    asking: pattern::table(include_str!("tables/asking.txt")),
    offers: pattern::table(include_str!("tables/offers.txt")),
    idle: pattern::table(include_str!("tables/idle.txt")),
    rooms: pattern::table(include_str!("tables/rooms.txt")),
    yes: pattern::table(include_str!("tables/yes.txt")),
    assents: pattern::table(include_str!("tables/assents.txt")),
    no: pattern::table(include_str!("tables/no.txt")),
    past: pattern::table(include_str!("tables/past.txt")),
    to_come: pattern::table(include_str!("tables/to_come.txt")),
    opposites: pattern::lines(include_str!("tables/opposites.txt")).filter_map(opposites).collect(),
});

/// The two sides of a line of the table of opposites.
pub(super) fn opposites(line: &str) -> Option<[Vec<Phrase>; 2]> {
    let (one, other) = line.split_once('|')?;
    let side = |side: &str| side.split(',').map(|words| Phrase::new(words.trim())).collect();
    Some([side(one), side(other)])
}
