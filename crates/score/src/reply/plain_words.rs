//! Words that say nothing about what a text is about, and words that tell of no thing.

use std::collections::HashSet;
use std::sync::LazyLock;

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
