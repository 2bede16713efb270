//! Lengths of time in words and digits: `an hour and a half`, `7 minutes and 30 seconds`.

use std::ops::Range;

use toolgauge_core::{ToolCall, english};

use super::Reply;
use super::value::Given;
use super::words::{Word, time_unit, word_texts};
use crate::reading::{NumberWithUnit, is_same, unit_named};

/// A length of time, and where it stands in the plain text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Duration {
    pub(super) seconds: f64,
    pub(super) place: Range<usize>,
}

impl Reply {
    /// The numbers of the reply, with each length of time as a whole: `1 hour and 30 minutes`, `half
    /// an hour`.
    pub(super) fn numbers_with_lengths(&self) -> Vec<Given<NumberWithUnit>> {
        let mut numbers = self.numbers();
        for Duration { seconds, place } in self.durations() {
            // `Just a minute` is no length.
            let is_idiom = word_texts(&self.plain[place.clone()])
                .first()
                .is_some_and(|first| first == "a" && place.len() <= "a second".len());
            if is_idiom || numbers.iter().any(|said| said.place == place) {
                continue;
            }
            numbers.retain(|said| said.place.start < place.start || place.end < said.place.end);
            let unit = unit_named("seconds");
            let number = NumberWithUnit { unit, ..NumberWithUnit::plain(seconds) };
            numbers.extend(self.given(number, place));
        }
        numbers.sort_by_key(|said| said.place.start);
        numbers
    }

    /// Every length of time, each taken as a whole: `an hour and twenty minutes` is one.
    pub(super) fn durations(&self) -> Vec<Duration> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let Some((mut seconds, mut taken, mut last)) = part(&self.words[at..]) else {
                at += 1;
                continue;
            };
            // What follows belongs to it as long as its unit is smaller.
            loop {
                let rest = &self.words[at + taken..];
                let and = usize::from(rest.first().is_some_and(|word| word.text == "and"));
                let Some((more, length, unit)) = part(&rest[and..]) else {
                    // `One hour twenty`, `an hour and twenty`, `7 minutes 30`.
                    let less = quantity(&rest[and..]).filter(|(_, taken)| {
                        let next = rest.get(and + taken);
                        last > 1.0 && next.is_none_or(|next| unit_named(&next.text).is_none())
                    });
                    if let Some((number, length)) = less.filter(|(n, _)| *n > 1.0 && *n < 60.0)
                        && (is_same(last, 3600.0) || is_same(last, 60.0) && and == 0)
                    {
                        (seconds, taken) = (seconds + number * last / 60.0, taken + and + length);
                    }
                    break;
                };
                if unit >= last {
                    break;
                }
                (seconds, taken, last) = (seconds + more, taken + and + length, unit);
            }
            let place = self.words[at].place.start..self.words[at + taken - 1].place.end;
            // `Two minutes past eight` is a time of the day.
            let behind = self.text_at(at + taken);
            if is_same(last, 60.0)
                && matches!(behind, "past" | "to")
                && self.is_hour(at + taken + 1)
            {
                at += taken;
                continue;
            }
            found.push(Duration { seconds, place });
            at += taken;
        }
        found
    }

    /// Whether a word is an hour of the day.
    fn is_hour(&self, at: usize) -> bool {
        let word = self.text_at(at);
        matches!(word, "noon" | "midnight")
            || english::small_number(word).is_some_and(|hour| hour <= 12)
            || word.parse::<u32>().is_ok_and(|hour| hour <= 12)
    }
}

/// The length that these words begin with: its seconds, how many words it takes, and its unit.
fn part(words: &[Word]) -> Option<(f64, usize, f64)> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let article = |at: usize| usize::from(matches!(text(at), "a" | "an"));
    // `half an hour`, `a quarter of an hour`, `three quarters of an hour`.
    let start = article(0);
    let share = match (text(start), text(start + 1)) {
        ("half", _) => Some((0.5, start + 1)),
        ("quarter", "of") => Some((0.25, start + 2)),
        ("three", "quarters") => Some((0.75, start + 2 + usize::from(text(start + 2) == "of"))),
        _ => None,
    };
    if let Some((share, at)) = share {
        let at = at + article(at);
        return time_unit(text(at)).map(|unit| (share * unit, at + 1, unit));
    }
    let (number, at) = quantity(words)?;
    // `one and a half hours`.
    if (text(at), text(at + 1), text(at + 2)) == ("and", "a", "half")
        && let Some(unit) = time_unit(text(at + 3))
    {
        return Some(((number + 0.5) * unit, at + 4, unit));
    }
    let unit = time_unit(text(at))?;
    // `an hour and a half`.
    match (text(at + 1), text(at + 2), text(at + 3)) {
        ("and", "a", "half") => Some(((number + 0.5) * unit, at + 4, unit)),
        ("and", "a", "quarter") => Some(((number + 0.25) * unit, at + 4, unit)),
        _ => Some((number * unit, at + 1, unit)),
    }
}

/// The number that these words begin with, and how many words it takes: `four hundred and twenty`.
fn quantity(words: &[Word]) -> Option<(f64, usize)> {
    let (number, taken) = below_a_hundred(words)?;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    if text(taken) != "hundred" {
        return Some((number, taken));
    }
    let and = usize::from(text(taken + 1) == "and");
    // `A hundred and a half` is another matter.
    let rest = words.get(taken + 1 + and..).filter(|_| text(taken + 1 + and) != "a");
    match rest.and_then(below_a_hundred) {
        Some((more, length)) => Some((number * 100.0 + more, taken + 1 + and + length)),
        None => Some((number * 100.0, taken + 1)),
    }
}

fn below_a_hundred(words: &[Word]) -> Option<(f64, usize)> {
    let first = words.first()?.text.as_str();
    if matches!(first, "a" | "an") {
        return Some((1.0, 1));
    }
    if let Ok(number) = first.parse::<f64>() {
        return Some((number, 1));
    }
    if let Some(number) = english::small_number(first) {
        return Some((number.into(), 1));
    }
    let tens = f64::from(english::ten(first)?);
    let next = words.get(1).and_then(|word| english::small_number(&word.text));
    match next.filter(|unit| (1..10).contains(unit)) {
        Some(unit) => Some((tens + f64::from(unit), 2)),
        None => Some((tens, 1)),
    }
}

/// The length that a call gives in hours, minutes and seconds, in seconds.
pub(super) fn length_of(call: &ToolCall) -> Option<f64> {
    let arguments = call.arguments.as_object()?;
    let part = |(name, value): (&String, &serde_json::Value)| {
        let factor = unit_of_argument(name)?;
        value.as_f64().map(|number| number * factor)
    };
    let total: f64 = arguments.iter().filter_map(part).sum();
    (total > 0.0).then_some(total)
}

/// The seconds of the unit that the name of an argument ends with: `duration_minutes`.
pub(super) fn unit_of_argument(name: &str) -> Option<f64> {
    let word = name.rsplit('_').next()?;
    matches!(word, "hours" | "minutes" | "seconds").then(|| time_unit(word)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_taken_as_a_whole() {
        let said = |text: &str| -> Vec<f64> {
            Reply::read(text).durations().iter().map(|length| length.seconds).collect()
        };
        assert_eq!(said("7 minutes and 30 seconds"), [450.0]);
        assert_eq!(said("an hour and twenty minutes"), [4800.0]);
        assert_eq!(said("in an hour and a half"), [5400.0]);
        assert_eq!(said("half an hour, then two minutes"), [1800.0, 120.0]);
        assert_eq!(said("three quarters of an hour"), [2700.0]);
        assert_eq!(said("one hour twenty on the clock"), [4800.0]);
        assert_eq!(said("an hour and twenty it is"), [4800.0]);
        assert_eq!(said("counting down from 7 minutes 30"), [450.0]);
        assert_eq!(said("at two minutes past eight"), [0.0; 0]);
        assert_eq!(said("one hour at 20 degrees"), [3600.0]);
        assert_eq!(said("seven and a half minutes"), [450.0]);
        assert_eq!(said("twenty-five minutes"), [1500.0]);
        assert_eq!(said("a lamp and a half"), [0.0; 0]);
    }
}
