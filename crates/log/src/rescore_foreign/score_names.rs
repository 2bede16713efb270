//! The names that scores of other programs have in a log.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Members, list_at, members_at};
use crate::archive::Unpacker;
use crate::inspect::plain_json;
use crate::source::{HEADER, HEADER_LIMIT, LogSource, SAMPLE_LIMIT};

/// The names of the scores in a log, by whose they are.
///
/// A name is looked up over the whole log, because a score has one name in all samples, in the
/// summaries and in the header, though some samples may lack it.
#[derive(Debug, Default)]
pub(super) struct ScoreNames {
    theirs: BTreeSet<String>,
    ours: BTreeSet<String>,
}

/// An entry of the header's list of figures.
#[derive(Deserialize)]
struct Figures {
    name: String,
    #[serde(default)]
    scorer: Option<String>,
}

impl ScoreNames {
    /// Reads every sample and the header. What cannot be read is left out here: whoever copies it
    /// reports it.
    pub(super) fn in_log(source: &LogSource, unpacker: &mut Unpacker) -> Self {
        let mut names = Self::default();
        for (name, entry) in &source.entries {
            if LogSource::is_sample(name)
                && let Ok(text) = source.unpack(unpacker, name, entry, SAMPLE_LIMIT)
            {
                names.add_sample(text);
            }
        }
        if let Some(entry) = source.entries.get(HEADER)
            && let Ok(text) = source.unpack(unpacker, HEADER, entry, HEADER_LIMIT)
        {
            names.add_header(text);
        }
        names
    }

    fn add_sample(&mut self, text: &[u8]) {
        let Ok(sample) = members(text) else { return };
        for (name, score) in members_at(&sample, "scores").unwrap_or_default() {
            let whose = if is_ours(&score) { &mut self.ours } else { &mut self.theirs };
            whose.insert(name);
        }
    }

    /// Adds the names of the header that no sample has: the figures of a scorer that gives several
    /// values have the names of these.
    fn add_header(&mut self, text: &[u8]) {
        let Ok(header) = members(text) else { return };
        let results = members_at(&header, "results").unwrap_or_default();
        for entry in list_at(&results, "scores").unwrap_or_default() {
            let Ok(figures) = serde_json::from_str::<Figures>(entry.get()) else { continue };
            let is_own_scorer = figures.scorer.as_ref().is_none_or(|it| *it == figures.name);
            if !is_own_scorer || !self.ours.contains(&figures.name) {
                self.theirs.insert(figures.name);
            }
        }
    }

    /// The name under which a score is added: another one where somebody else's score has it.
    pub(super) fn free(&self, scorer: &str) -> String {
        let mut name = scorer.to_owned();
        while self.theirs.contains(&name) {
            name.insert_str(0, "toolgauge_");
        }
        name
    }
}

fn members(text: &[u8]) -> serde_json::Result<Members> {
    serde_json::from_str(&plain_json(text)?)
}

/// Whether toolgauge gave a score.
fn is_ours(score: &RawValue) -> bool {
    let score: Result<Value, _> = serde_json::from_str(score.get());
    score.is_ok_and(|score| score.pointer("/metadata/toolgauge").is_some())
}
