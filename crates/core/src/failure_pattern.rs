//! Known ways in which subjects fail in a world, each with a change to the prompt worth trying.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Score;

/// A known way to fail. Which ones there are is up to the world; the head of a log holds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailurePattern {
    /// The short name used in measures and tables.
    pub id: Cow<'static, str>,
    /// The words shown to people.
    pub words: Cow<'static, str>,
    /// One line of a prompt, or a setting, worth trying against it.
    pub remedy: Cow<'static, str>,
    /// Whether only a wrong trial shows it. Some, such as a subject that thinks for long, are
    /// counted in right trials too.
    pub is_failure: bool,
}

impl FailurePattern {
    /// A pattern that only a wrong trial shows.
    pub const fn failure(id: &'static str, words: &'static str, remedy: &'static str) -> Self {
        Self {
            id: Cow::Borrowed(id),
            words: Cow::Borrowed(words),
            remedy: Cow::Borrowed(remedy),
            is_failure: true,
        }
    }
}

/// The words of a world that reports use: adding a world adds its words, and no report changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldWords {
    /// What its things are called, several of them, where its size is shown.
    pub things: Cow<'static, str>,
    /// The known ways to fail, in the order of tables.
    #[serde(default)]
    pub failure_patterns: Cow<'static, [FailurePattern]>,
}

impl WorldWords {
    /// The words of a world that has none of its own.
    pub const PLAIN: Self =
        Self { things: Cow::Borrowed("things"), failure_patterns: Cow::Borrowed(&[]) };

    /// The pattern with this short name.
    pub fn pattern(&self, id: &str) -> Option<&FailurePattern> {
        self.failure_patterns.iter().find(|pattern| pattern.id == id)
    }
}

impl Default for WorldWords {
    fn default() -> Self {
        Self::PLAIN
    }
}

impl Score {
    /// Whether the trial shows a known way to fail.
    pub fn shows(&self, pattern: &FailurePattern) -> bool {
        self.measures.get(&*pattern.id).is_some_and(|value| *value > 0.0)
    }

    /// Notes whether the trial shows a known way to fail.
    pub fn set_shows(&mut self, pattern: &FailurePattern, is_shown: bool) {
        self.measures.insert(pattern.id.clone().into_owned(), f64::from(u8::from(is_shown)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_measure_under_its_short_name() {
        let pattern = FailurePattern::failure("P1", "wrong way round", "say which way");
        let mut score = Score::default();
        assert!(!score.shows(&pattern));
        score.set_shows(&pattern, false);
        assert!(!score.shows(&pattern));
        score.set_shows(&pattern, true);
        assert!(score.shows(&pattern));
        assert_eq!(score.measures.keys().collect::<Vec<_>>(), ["P1"]);
    }
}
