//! Reads a text as a person would: numbers as numbers, dates as dates, words by their stems.
//!
//! `$442,300`, `442.3k` and `442300` read the same; so do `900 S 9th St` and
//! `900 South Ninth Street`. What is read is a list of [`Item`]s, each with the place it stands
//! at, so that two texts can be held against each other.

mod date;
mod digits;
mod figure;
mod item;
mod number;
mod number_words;
mod synonyms;
mod unit;
mod unit_words;
mod word;

use std::cell::OnceCell;
use std::sync::LazyLock;

use regex::Regex;

pub(crate) use date::Date;
pub(crate) use figure::names_figure;
pub(crate) use item::{Item, ItemContent};
pub(crate) use number::{NumberWithUnit, is_same};
pub(crate) use synonyms::Synonyms;
pub(crate) use unit::{MeasureUnit, named as unit_named};
pub(crate) use word::stem;

/// How texts are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextReader {
    /// Whether `03/04/2025` is the third of April. It is the fourth of March otherwise, unless
    /// no such month exists.
    pub(crate) day_first: bool,
    /// Words that mean the same.
    pub(crate) synonyms: Synonyms,
}

/// The beginning of a word or a number.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"\(?[-−–]?(?:(?:US\$|[$€£¥])\s?)?[-−–]?(?:\d|\.\d)";
    // The points of `v1.2.10` belong to it: `.10` would be read as a number equal to `.1`.
    let version = r"\p{L}+\d+(?:\.\d+)+";
    let plain = r"[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’]\p{L}+)*";
    let word = format!("{version}|{plain}");
    let pattern = format!("(?P<number>{number})|(?P<word>{word})|(?P<and>&)");
    Regex::new(&pattern).expect("the expression is valid")
});

impl TextReader {
    /// Everything a text says, in order.
    pub(crate) fn read(&self, text: &str) -> Vec<Item> {
        // Numbers before units: a unit belongs to the whole of `two hundred`, not to its last word.
        let items = unit_words::joined(&self.numbers_and_words(text));
        items.into_iter().filter_map(|item| self.settled(item)).collect()
    }

    /// The same before units are joined to their numbers, and words as they are written.
    fn numbers_and_words(&self, text: &str) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = 0;
        while let Some(token) = TOKEN.captures_at(text, at) {
            let whole = token.get(0).expect("a match has a whole");
            let item = self.item(text, &token);
            // Every token takes at least one character, so that reading ends.
            at = item.as_ref().map_or(whole.end(), |item| item.place.end).max(at + 1);
            while !text.is_char_boundary(at) {
                at += 1;
            }
            items.extend(item);
        }
        number_words::joined(&items)
    }

    /// What was read with the words of units apart from their numbers: `5`, `minutes`.
    fn with_units_apart(&self, said: &[Item], text: &str) -> Vec<Item> {
        let mut apart = Vec::with_capacity(said.len());
        for item in said {
            let own = &text[item.place.clone()];
            let has_unit =
                matches!(item.content, ItemContent::Number(number) if number.unit.is_some());
            // Without a letter there is no word in it.
            if has_unit && own.contains(char::is_alphabetic) {
                let parts = self.numbers_and_words(own).into_iter();
                apart.extend(parts.filter_map(|part| self.settled(part)));
            } else {
                apart.push(item.clone());
            }
        }
        apart
    }

    fn item(&self, text: &str, token: &regex::Captures<'_>) -> Option<Item> {
        let whole = token.get(0)?;
        let begins_anew = |at: usize| {
            text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric())
        };
        if let Some(start) = token.name("number") {
            // A date has no sign or currency, so it is looked for from the first digit on.
            let digits = start.start() + start.as_str().find(|c: char| c.is_ascii_digit())?;
            if begins_anew(digits)
                && let Some((date, length)) = date::at_digits(&text[digits..], self.day_first)
            {
                return Some(Item {
                    content: ItemContent::Date(date),
                    place: digits..digits + length,
                });
            }
            return digits::at(text, whole.start());
        }
        if token.name("and").is_some() {
            return Some(Item { content: ItemContent::Word("and".into()), place: whole.range() });
        }
        if let Some((date, length)) = date::at_month(&text[whole.start()..]) {
            let place = whole.start()..whole.start() + length;
            return Some(Item { content: ItemContent::Date(date), place });
        }
        let content = ItemContent::Word(word::lower(whole.as_str()));
        Some(Item { content, place: whole.range() })
    }

    /// The item in the form in which it is compared; words that say nothing are left out.
    fn settled(&self, item: Item) -> Option<Item> {
        let ItemContent::Word(word) = item.content else { return Some(item) };
        if matches!(word.as_str(), "a" | "an" | "the") {
            return None;
        }
        let stem = word::stem(&word);
        let content = ItemContent::Word(self.synonyms.standing_for(stem));
        Some(Item { content, place: item.place })
    }

    /// Whether a text that was read says what a phrase says, in these or in other words.
    ///
    /// A phrase in a script without spaces between words is looked for letter by letter.
    pub(crate) fn is_said(&self, said: &[Item], text: &str, phrase: &str) -> bool {
        let ways = self.synonyms.ways_to_say(phrase);
        let apart = OnceCell::new();
        ways.iter().any(|way| {
            let wanted = self.read(way);
            if wanted.is_empty() || way.chars().any(has_no_spaces) {
                return text.to_lowercase().contains(&way.to_lowercase());
            }
            if is_among(&wanted, said) {
                return true;
            }
            // A phrase may name a unit and leave the number open. One that has both wants them
            // together.
            let has_unit = |item: &Item| {
                matches!(item.content, ItemContent::Number(number) if number.unit.is_some())
            };
            let has_word = wanted.iter().any(|it| matches!(it.content, ItemContent::Word(_)));
            has_word
                && !wanted.iter().any(has_unit)
                && is_among(&wanted, apart.get_or_init(|| self.with_units_apart(said, text)))
        })
    }
}

/// Whether these items are said one after another.
fn is_among(wanted: &[Item], said: &[Item]) -> bool {
    said.windows(wanted.len()).any(|window| {
        window.iter().zip(wanted).all(|(said, wanted)| wanted.content.is_met_by(&said.content))
    })
}

/// Whether a character belongs to a script that is written without spaces.
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests;
