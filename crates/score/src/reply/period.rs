//! The period that a figure is told for (`$1,450 per month`), and what contradicts it.

use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;

use super::Reply;
use super::context::Context;
use super::value::Given;
use super::words::word_texts;
use crate::reading::{NumberWithUnit, is_same};

/// Words for a period, each with its one name.
const PERIODS: [(&str, &[&str]); 5] = [
    ("year", &["year", "annually", "yearly", "annual", "annum", "yr"]),
    ("month", &["month", "monthly", "mo"]),
    ("week", &["week", "weekly", "wk"]),
    ("day", &["day", "daily"]),
    ("quarter", &["quarter", "quarterly"]),
];

/// Words in front of a period that make it a rate. `this year` and `two years` are none.
const BEFORE_RATES: [&str; 9] =
    ["a", "an", "per", "each", "every", "one", "whole", "entire", "full"];

/// The period that a word names.
pub(super) fn named(word: &str) -> Option<&'static str> {
    PERIODS.iter().find(|(_, words)| words.contains(&word)).map(|(name, _)| *name)
}

/// The periods that words speak of as rates: `per month`, `annual`, `a whole year`.
fn rates(words: &[String]) -> Vec<&'static str> {
    let rate = |(at, word): (usize, &String)| {
        let name = named(word)?;
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        (word != name || BEFORE_RATES.contains(&before)).then_some(name)
    };
    words.iter().enumerate().filter_map(rate).collect()
}

impl Reply {
    /// What a figure is told for: `a month`, `per unit`, `monthly`.
    pub(super) fn period(&self, place: &Range<usize>) -> Option<String> {
        let at = self.word_at(place.end);
        let says_once = self.words.iter().skip(at).take(2).any(|word| word.text == "once");
        let next = self.words.get(at).map_or(place.end, |word| word.place.start.max(place.end));
        let between = &self.plain[place.end..next];
        if between.contains(',') && !says_once {
            return None;
        }
        let text = |at: usize| self.text_at(at);
        let at = at + usize::from(text(at) == "for" && matches!(text(at + 1), "each" | "every"));
        match text(at) {
            "each" | "apiece" if !self.goes_on_with_a_word(at) => Some("each".to_owned()),
            "each" | "every" if named(text(at + 1)).is_none() && !text(at + 1).is_empty() => {
                Some(text(at + 1).to_owned())
            }
            "per" => Some(named(text(at + 1)).unwrap_or(text(at + 1)).to_owned()),
            "a" | "each" | "every" | "an" => named(text(at + 1)).map(str::to_owned),
            word if word.ends_with("ly") => named(word).map(str::to_owned),
            // What is paid once is not paid every year.
            "once" => Some("once".to_owned()),
            "paid" if text(at + 1) == "once" => Some("once".to_owned()),
            _ => None,
        }
    }

    /// Whether a word follows this one without a sign between them: `$60 each: $360` counts no
    /// 360.
    fn goes_on_with_a_word(&self, at: usize) -> bool {
        let next = self.words.get(at + 1);
        next.is_some_and(|next| {
            &self.plain[self.words[at].place.end..next.place.start] == " "
                && next.text.starts_with(char::is_alphabetic)
                && !matches!(next.text.as_str(), "for" | "and" | "or" | "in" | "on" | "of")
        })
    }

    /// A period that contradicts what was asked or looked up: `$1,800 a year` where it is paid by
    /// the month. One that nobody spoke of is a detail that need not be wrong.
    pub(super) fn wrong_period(
        &self,
        right: &[&Given<NumberWithUnit>],
        context: &Context<'_>,
    ) -> Option<String> {
        right.iter().find_map(|said| {
            let own = self.period(&said.place)?;
            let own = PERIODS.iter().map(|(name, _)| *name).find(|name| *name == own)?;
            context.contradicts_period(own, said.value.value).then(|| format!("per {own}"))
        })
    }
}

impl Context<'_> {
    /// Whether a figure belongs to another period than this.
    fn contradicts_period(&self, own: &str, figure: f64) -> bool {
        let mut returned = Returned { figure, with_figure: Vec::new(), alone: Vec::new() };
        for text in self.sources() {
            match serde_json::from_str::<Value>(text) {
                Ok(value) => returned.read_value(&value, ""),
                Err(_) => returned.read_words(text),
            }
        }
        // What stands with the figure itself decides.
        if !returned.with_figure.is_empty() {
            return !returned.with_figure.contains(&own);
        }
        // The rates of a reference with several figures may belong to the others.
        let reference = self.reference().filter(|reference| reference.numbers().len() == 1);
        let texts = |reference: &Reply| -> Rc<[String]> {
            reference.words.iter().map(|word| word.text.clone()).collect()
        };
        let asked = self.said().map(word_texts).chain(reference.map(texts));
        let mut others = returned.alone;
        others.extend(asked.flat_map(|words| rates(&words)));
        !others.is_empty() && !others.contains(&own) && !self.speaks_of(own)
    }
}

/// The periods that tools returned.
struct Returned {
    figure: f64,
    /// Those that stand with the figure: the `monthly` of `"monthly_rent": 1450`.
    with_figure: Vec<&'static str>,
    /// Those that are a value of their own: `"due": "monthly"`.
    alone: Vec<&'static str>,
}

impl Returned {
    fn read_value(&mut self, value: &Value, key: &str) {
        match value {
            Value::Number(number) => self.read_figure(number.as_f64(), key),
            Value::String(text) => {
                self.read_figure(text.parse().ok(), key);
                if let [word] | [_, word] = &word_texts(text)[..] {
                    self.alone.extend(named(word));
                }
                self.read_words(text);
            }
            Value::Array(items) => items.iter().for_each(|item| self.read_value(item, key)),
            Value::Object(object) => {
                // A table names its columns apart from its rows.
                let columns = object.get("columns").and_then(Value::as_array);
                let column = |at: usize| columns?.get(at)?.as_str();
                for (name, value) in object {
                    let rows = value.as_array().filter(|_| name == "rows");
                    for row in rows.into_iter().flatten().filter_map(Value::as_array) {
                        for (at, cell) in row.iter().enumerate() {
                            self.read_value(cell, column(at).unwrap_or_default());
                        }
                    }
                    if rows.is_none() || columns.is_none() {
                        self.read_value(value, name);
                    }
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn read_figure(&mut self, number: Option<f64>, key: &str) {
        if number.is_some_and(|number| is_same(number, self.figure)) {
            let words = key.split(|c: char| !c.is_alphanumeric());
            self.with_figure.extend(words.filter_map(|word| named(&word.to_lowercase())));
        }
    }

    /// Reads prose: `The rent is $1,450 per month.`
    fn read_words(&mut self, text: &str) {
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return;
        }
        let text = Reply::read(text);
        for said in text.numbers().iter().filter(|said| is_same(said.value.value, self.figure)) {
            let period = text.period(&said.place);
            self.with_figure.extend(period.as_deref().and_then(named));
        }
    }
}
