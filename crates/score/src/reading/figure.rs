//! Words that stand for a figure: another one in their place says something else.

use toolgauge_core::english::WEEKDAYS;

use super::{ItemContent, TextReader, date};

/// Words for numbers that are not read as one.
const WORDS: [&str; 20] = [
    "half",
    "halves",
    "third",
    "thirds",
    "quarter",
    "quarters",
    "dozen",
    "dozens",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "twice",
    "thrice",
    "double",
    "triple",
];

/// Whether a phrase names a number, a place in a row, a month or a day of the week, in digits or in
/// English words: `three bedrooms`, `the first of May`.
pub(crate) fn names_figure(phrase: &str) -> bool {
    let items = TextReader::default().read(phrase);
    let is_word = |content: &ItemContent| matches!(content, ItemContent::Word(_));
    let words = phrase.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    phrase.contains(char::is_numeric)
        || items.iter().any(|item| !is_word(&item.content))
        || words.iter().any(|word| {
            let small = word.to_lowercase();
            let is_name = word.starts_with(char::is_uppercase) || words.len() == 1;
            // `may be sublet` and `they march` name no month.
            let is_month = date::month(word).is_some()
                && (is_name || !matches!(small.as_str(), "may" | "march"));
            let is_day = WEEKDAYS.contains(&small.trim_end_matches('s'));
            is_month || is_day || WORDS.contains(&small.as_str())
        })
}
