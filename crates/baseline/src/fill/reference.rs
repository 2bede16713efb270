//! Arguments that are copied as they stand: order numbers, addresses, dates and times of day.

use serde_json::Value;
use toolgauge_core::english::{MONTHS, WEEKDAYS};

use super::super::quantity::QuantityUnit;
use super::super::schema::ToolParameter;
use super::{Filler, Use, takes_text, text_value};

impl Filler<'_> {
    /// Fills parameters whose names ask for something with an unmistakable form.
    pub(super) fn fill_references(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        for (parameter, value) in parameters.iter().zip(values) {
            if value.is_some() || !takes_text(&parameter.kind) {
                continue;
            }
            let found = if parameter.is_named(&["email", "mail"]) {
                self.chunk(|chunk| chunk.contains('@'))
            } else if parameter.is_named(&["url", "link", "websit"]) {
                self.chunk(|chunk| chunk.contains("://") || chunk.starts_with("www."))
            } else if parameter.is_named(&["id", "number", "code", "sku", "refer", "phone", "zip"])
            {
                self.chunk(|chunk| chunk.contains(|c: char| c.is_ascii_digit()))
            } else if parameter.is_named(&["date", "day", "when", "datetim", "deadlin"]) {
                self.date()
            } else if parameter.is_named(&["time"]) {
                self.clock()
            } else {
                None
            };
            if let Some((text, words)) = found {
                *value = text_value(&parameter.kind, &text);
                self.use_words(words, Use::Value);
            }
        }
    }

    /// The first run without white space that has this form, its outer punctuation removed.
    fn chunk(&self, has_form: impl Fn(&str) -> bool) -> Option<(String, Vec<usize>)> {
        let outer = |c: char| c.is_ascii_punctuation() && !matches!(c, '#' | '@' | '+' | '/');
        let mut next = 0;
        for piece in self.part.text.split_inclusive(char::is_whitespace) {
            let start = next + (piece.len() - piece.trim_start_matches(outer).len());
            next += piece.len();
            let chunk = piece.trim_end().trim_matches(outer);
            if chunk.is_empty() || !has_form(chunk) {
                continue;
            }
            let inside = |at: &usize| {
                let word = &self.part.words[*at];
                word.start >= start && word.end <= start + chunk.len()
            };
            let words: Vec<usize> = (0..self.part.words.len()).filter(inside).collect();
            if !words.is_empty() && words.iter().all(|&at| !self.is_spoken_for(at)) {
                return Some((chunk.to_owned(), words));
            }
        }
        None
    }

    /// A day as it was said: `tomorrow`, `next friday`, `2026-03-01`, `march 5th`.
    fn date(&self) -> Option<(String, Vec<usize>)> {
        let iso = |chunk: &str| {
            chunk.len() == 10 && chunk.split('-').count() == 3 && chunk.starts_with(['1', '2'])
        };
        if let Some(found) = self.chunk(iso) {
            return Some(found);
        }
        let words = &self.part.words;
        let open = |at: &usize| !self.is_spoken_for(*at);
        for at in (0..words.len()).filter(open) {
            let word = words[at].text.as_str();
            let follows = at + 1 < words.len() && open(&(at + 1));
            let last = if MONTHS.contains(&word)
                && follows
                && starts_with_digit(words[at + 1].text.as_str())
            {
                at + 1
            } else if is_day(word) {
                at
            } else {
                continue;
            };
            let before =
                at.checked_sub(1).filter(|&b| matches!(words[b].text.as_str(), "next" | "this"));
            let first = before.filter(open).unwrap_or(at);
            return Some((self.part.span(first, last).to_owned(), (first..=last).collect()));
        }
        None
    }

    fn clock(&self) -> Option<(String, Vec<usize>)> {
        let clock =
            self.part.quantities.iter().find(|quantity| quantity.unit == QuantityUnit::Clock)?;
        let words: Vec<usize> = clock.words.clone().collect();
        let text = self.part.span(clock.words.start, clock.words.end - 1);
        words.iter().all(|&at| !self.is_spoken_for(at)).then(|| (text.to_owned(), words))
    }
}

fn is_day(word: &str) -> bool {
    matches!(word, "today" | "tomorrow" | "tonight" | "yesterday") || WEEKDAYS.contains(&word)
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}
