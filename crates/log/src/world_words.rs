//! The words of a run's world, in new logs and in old ones.

use std::borrow::Cow;

use toolgauge_core::{Run, RunEntry, WorldWords};

/// The words of the only world with a state that there was before heads held them. They stay as
/// they were then: old logs are read by them, whatever that world calls things now.
const OLD: &str = include_str!("world_words.json");

/// How many failure patterns of a log are looked for in every trial. A log may claim any number,
/// and each costs time in each trial.
const MOST_PATTERNS: usize = 100;

/// The words by which the measures of a run are read.
pub fn world_words(run: &Run) -> WorldWords {
    let old = || serde_json::from_str(OLD).unwrap_or_default();
    let mut words: WorldWords = RunEntry::WorldWords.read(run).unwrap_or_else(old);
    if words.failure_patterns.len() > MOST_PATTERNS {
        words.failure_patterns = Cow::Owned(words.failure_patterns[..MOST_PATTERNS].to_vec());
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::FailurePattern;

    use super::*;

    fn run(words: Option<WorldWords>) -> Run {
        let mut run: Run = serde_json::from_value(json!({
            "id": "r", "created": "2026-01-01T00:00:00Z", "cases": [], "trials": 1, "scorers": [],
            "suite": {"name": "s", "hash": "h", "size": 0},
            "subject": {"name": "m", "provider": "p"},
            "program": {"version": "1", "revision": "r"},
        }))
        .unwrap();
        if let Some(words) = words {
            RunEntry::WorldWords.put(&mut run.settings, json!(words));
        }
        run
    }

    #[test]
    fn the_words_of_a_log_are_those_of_its_world() {
        let pattern = FailurePattern::failure("P1", "wrong way round", "say which way");
        let own = WorldWords { things: "rooms".into(), failure_patterns: vec![pattern].into() };
        assert_eq!(world_words(&run(Some(own.clone()))), own);
        assert_eq!(world_words(&run(Some(WorldWords::PLAIN))), WorldWords::PLAIN);
    }

    #[test]
    fn a_log_from_before_worlds_had_words_is_read_by_those_of_then() {
        let old = world_words(&run(None));
        assert_eq!((&*old.things, old.failure_patterns.len()), ("entities", 13));
        assert_eq!(old.pattern("F2L").unwrap().words, "lock direction");
        let counted_when_right = old.failure_patterns.iter().filter(|pattern| !pattern.is_failure);
        assert_eq!(counted_when_right.map(|pattern| &*pattern.id).collect::<Vec<_>>(), ["FT"]);
    }

    #[test]
    fn a_log_cannot_name_patterns_without_end() {
        let pattern = FailurePattern::failure("P", "same", "none");
        let failure_patterns = vec![pattern; MOST_PATTERNS + 1].into();
        let many = WorldWords { failure_patterns, ..WorldWords::PLAIN };
        assert_eq!(world_words(&run(Some(many))).failure_patterns.len(), MOST_PATTERNS);
    }
}
