//! One part of a request: its words, numbers and the names it mentions.

use std::ops::Range;

use super::names::{MentionedName, Names};
use super::quantity::{Quantity, QuantityUnit, quantities};
use super::words::{RequestWord, words};

/// A part of a request that asks for one thing, taken apart.
#[derive(Debug)]
pub(super) struct RequestPart<'a> {
    /// The part as it was written.
    pub(super) text: &'a str,
    pub(super) words: Vec<RequestWord>,
    /// The numbers it says.
    pub(super) quantities: Vec<Quantity>,
    /// The names it mentions, the surest first.
    pub(super) mentions: Vec<MentionedName<'a>>,
    /// Whether it asks something rather than ordering something.
    pub(super) asks: bool,
    /// Whether it has no verb of its own and goes with the part before it.
    pub(super) follows: bool,
}

impl<'a> RequestPart<'a> {
    /// Takes a part of a request apart.
    pub(super) fn new(text: &'a str, names: &'a Names) -> Self {
        Self::of_words(text, words(text), names)
    }

    /// The part of a request that is this one, from the start of a word to the end of another. Its
    /// words are not read again.
    pub(super) fn within(&self, span: Range<usize>, names: &'a Names) -> Self {
        let own = |word: &&RequestWord| span.start <= word.start && word.end <= span.end;
        let moved = |word: &RequestWord| RequestWord {
            start: word.start - span.start,
            end: word.end - span.start,
            ..word.clone()
        };
        let words = self.words.iter().filter(own).map(moved).collect();
        Self::of_words(&self.text[span], words, names)
    }

    fn of_words(text: &'a str, words: Vec<RequestWord>, names: &'a Names) -> Self {
        let quantities = quantities(&words);
        let mentions = names.mentions(&words);
        let asks = asks(text, &words);
        Self { text, words, quantities, mentions, asks, follows: false }
    }

    /// The text from the start of one word to the end of another.
    pub(super) fn span(&self, first: usize, last: usize) -> &'a str {
        &self.text[self.words[first].start..self.words[last].end]
    }

    /// Which words belong to a name or a number, so that they say less about the tool. The verb
    /// of an order never does: `lock` in `lock the front door`, though there is a front door
    /// lock.
    pub(super) fn belongs_to_value(&self) -> Vec<bool> {
        let mut belongs = vec![false; self.words.len()];
        let names = self.mentions.iter().filter(|mention| mention.whole || mention.key == "name");
        for mention in names {
            mention.words.iter().for_each(|&at| belongs[at] = true);
        }
        for quantity in self.quantities.iter().filter(|q| matches!(q.unit, QuantityUnit::Time(_))) {
            quantity.words.clone().for_each(|at| belongs[at] = true);
        }
        if let Some(verb) = self.verb() {
            belongs[verb] = false;
        }
        belongs
    }

    /// The word an order opens with.
    pub(super) fn verb(&self) -> Option<usize> {
        if self.asks || self.follows {
            return None;
        }
        self.words.iter().position(|word| !word.stop)
    }

    /// Whether it states something rather than asking or ordering: `the kitchen is too hot`.
    pub(super) fn states(&self) -> bool {
        let said = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        let about = matches!(said(0), "the" | "my" | "this");
        let is = |at: usize| matches!(said(at), "is" | "are" | "feels" | "looks");
        !self.asks && (matches!(said(0), "it" | "there") || (about && (1..5).any(is)))
    }
}

fn asks(text: &str, words: &[RequestWord]) -> bool {
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let polite = matches!(said(0), "can" | "could" | "would" | "will") && said(1) == "you";
    let opens = matches!(
        said(0),
        "what"
            | "which"
            | "who"
            | "where"
            | "when"
            | "why"
            | "how"
            | "is"
            | "are"
            | "was"
            | "were"
            | "do"
            | "does"
            | "did"
            | "has"
            | "have"
            | "am"
            | "any"
    );
    !polite && (opens || text.trim_end().ends_with('?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_within_a_request_is_read_like_one_that_stands_alone() {
        let names = Names::new("- names: Ceiling fan\n  areas: Bedroom\n");
        let text = "Today's 21.5 °C isn't bad: set the Bedroom's ceiling fan to 1,000.5 % at 7:30";
        let whole = RequestPart::new(text, &names);
        for (first, start) in whole.words.iter().enumerate() {
            for end in &whole.words[first..] {
                let span = start.start..end.end;
                let alone = RequestPart::new(&text[span.clone()], &names);
                assert_eq!(format!("{:?}", whole.within(span, &names)), format!("{alone:?}"));
            }
        }
    }

    #[test]
    fn questions_are_told_from_orders() {
        let names = Names::default();
        let asks = |text: &str| RequestPart::new(text, &names).asks;
        assert!(asks("what's playing"));
        assert!(asks("Is the door open"));
        assert!(asks("the lamp, on?"));
        assert!(!asks("turn on the lamp"));
        assert!(!asks("could you turn on the lamp?"));
    }
}
