//! In one line, which words of a reply were read as what.

use std::fmt::Write as _;
use std::ops::Range;

use super::Reply;
use super::context::Context;

/// How many readings are told.
const MOST: usize = 4;

impl Reply {
    /// What the reply was read as: `claims "turned off"; names "Kitchen window"; number "7.4"`.
    pub(crate) fn read_as(&self, context: &Context<'_>) -> Option<String> {
        let mut readings: Vec<String> = Vec::new();
        let mut note = |what: &str, words: &str| {
            let reading = format!("{what} \"{}\"", words.trim());
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        };
        for clause in &self.clauses {
            if let Some(words) = self.claimed_act(clause) {
                note("claims", self.written(&words));
            } else if let Some(words) = self.promised_act(clause) {
                note("promises", self.written(&words));
            } else if self.asks(clause) {
                note("asks", self.quote(clause));
            } else if let Some(words) = self.refusing_words(clause) {
                note("refuses", self.written(&words));
            }
            for thing in self.things_named(clause, context) {
                note("names", &thing.names[0]);
            }
        }
        for said in self.numbers() {
            note("number", &self.plain[said.place]);
        }
        if readings.is_empty() && !self.words.is_empty() {
            readings.push(format!("says \"{}\"", self.plain.trim()));
        }
        let mut line = readings.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ");
        if readings.len() > MOST {
            // Writing to a string cannot fail.
            let _ = write!(line, "; and {} more", readings.len() - MOST);
        }
        (!line.is_empty()).then_some(line)
    }

    fn written(&self, words: &Range<usize>) -> &str {
        let last = words.end.max(words.start + 1) - 1;
        &self.plain[self.words[words.start].place.start..self.words[last].place.end]
    }
}
