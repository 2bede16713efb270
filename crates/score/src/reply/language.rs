//! Whether a reply is in English, which the tables of phrases are written for.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Reply;
use super::plain_words::is_function_word;

/// Small words of the languages that suites are asked in.
static OTHER_LANGUAGES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("tables/other_languages.txt").split_whitespace().collect());

impl Reply {
    /// Whether the reply has several small words of English.
    pub(crate) fn is_surely_english(&self) -> bool {
        self.words.iter().filter(|word| is_function_word(&word.text)).count() > 2
    }

    /// Whether the reply reads as English: not if it has more small words of other languages.
    pub(crate) fn is_english(&self) -> bool {
        *self.is_english.get_or_init(|| {
            let count =
                |is: &dyn Fn(&str) -> bool| self.words.iter().filter(|word| is(&word.text)).count();
            let other = count(&|word| OTHER_LANGUAGES.contains(word));
            let foreign_letters =
                self.plain.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count();
            other + foreign_letters <= count(&is_function_word).max(1)
        })
    }
}
