//! Whether a reply is in English, which the tables of phrases are written for.

use super::Reply;
use super::context::is_function_word;

/// Small words of the languages that suites are asked in.
const OTHER_LANGUAGES: &str = include_str!("tables/other_languages.txt");

impl Reply {
    /// Whether the reply has several small words of English.
    pub(crate) fn is_surely_english(&self) -> bool {
        self.words.iter().filter(|word| is_function_word(&word.text)).count() > 2
    }

    /// Whether the reply reads as English: not if it has more small words of other languages.
    pub(crate) fn is_english(&self) -> bool {
        let count =
            |is: &dyn Fn(&str) -> bool| self.words.iter().filter(|word| is(&word.text)).count();
        let other = count(&|word| OTHER_LANGUAGES.split_whitespace().any(|other| other == word));
        let foreign_letters =
            self.plain.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
        other + foreign_letters <= count(&is_function_word).max(1)
    }
}
