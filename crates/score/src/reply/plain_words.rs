//! Words that say nothing about what a text is about, and words that tell of no thing.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::english;

use super::pattern;

static FUNCTION_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("tables/function_words.txt").split_whitespace().collect());

static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/common_words.txt")));

/// Whether a word says nothing about what a text is about.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(word)
}

/// Whether a word tells of no thing.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.contains(word)
}

/// Whether a word is a number from nought to nineteen, or tens: `seven`, `forty`.
pub(super) fn is_number_word(word: &str) -> bool {
    english::small_number(word).is_some() || english::ten(word).is_some()
}

/// Whether a word is a day of the week or a month.
pub(super) fn is_in_calendar(word: &str) -> bool {
    english::WEEKDAYS.contains(&word) || english::MONTHS.contains(&word)
}
