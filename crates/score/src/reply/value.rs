//! The numbers, dates and times of a reply, each with the part it plays.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use toolgauge_core::english;

use super::Reply;
use super::clause::Clause;
use super::lexicon::LEXICON;
use super::words::{Word, time_unit};
use crate::reading::{Date, Item, ItemContent, MeasureUnit, NumberWithUnit, TextReader};

/// A value that a reply gives.
#[derive(Clone, Debug)]
pub(super) struct Given<T> {
    pub(super) value: T,
    /// Its place in the plain text.
    pub(super) place: Range<usize>,
    /// The number of its clause.
    pub(super) clause: usize,
    /// Whether the reply says that it is not, or no longer, the value.
    pub(super) is_set_aside: bool,
    /// Whether it is called a rounded one.
    pub(super) is_rounded: bool,
    /// Whether it is told as less than nothing: a loss, or an amount in brackets.
    pub(super) is_loss: bool,
}

/// The values of a reply, each kind read when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplyValues {
    items: OnceCell<Vec<Item>>,
    numbers: OnceCell<Vec<Given<NumberWithUnit>>>,
    dates: OnceCell<Vec<Given<Date>>>,
    times: OnceCell<Vec<Given<TimeOfDay>>>,
}

/// A time of day in minutes; without `a.m.` or `p.m.` either half of the day is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeOfDay {
    pub(super) minutes: u32,
    pub(super) either_half: bool,
}

static DIGITS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?P<hour>\d{1,2})(?:(?P<colon>[:.h])(?P<minute>\d{2}))?",
        r"(?:\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?|o'clock|hours|(?:o'clock )?(?:in the|this|at) (?:morning|afternoon|evening|night)))?",
    ))
    .expect("the expression is valid")
});

/// How many values of one kind are looked at. Each of them is held against the words of its clause
/// and against the others, so that a reply that counts to ten thousand would take minutes.
const MOST_VALUES: usize = 400;

/// The first and the last of very many values, as [`Reply::read`] takes the beginning and the end of
/// a very long text.
fn first_and_last<T>(mut values: Vec<T>) -> Vec<T> {
    if values.len() > MOST_VALUES {
        let half = MOST_VALUES / 2;
        values.drain(half..values.len() - half);
    }
    values
}

const ROUNDED: [&str; 14] = [
    "about",
    "around",
    "roughly",
    "approximately",
    "nearly",
    "almost",
    "some",
    "circa",
    "approx",
    "just",
    "over",
    "under",
    "close",
    "slightly",
];

impl Reply {
    /// Everything the reader finds in the text.
    fn items(&self) -> impl Iterator<Item = Item> {
        let read = || TextReader::default().read(&self.plain);
        self.values.items.get_or_init(read).iter().cloned()
    }

    pub(super) fn given<T>(&self, value: T, place: Range<usize>) -> Option<Given<T>> {
        let clause = self
            .clauses
            .iter()
            .position(|clause| clause.place.start < place.end && place.start < clause.place.end)?;
        let own = &self.clauses[clause];
        if own.is_question {
            return None;
        }
        let (is_set_aside, is_rounded) =
            (self.is_set_aside(own, &place), self.is_rounded(own, &place));
        let is_loss = self.is_loss(own, &place);
        Some(Given { value, place, clause, is_set_aside, is_rounded, is_loss })
    }

    /// Whether words beside a value say that so much was lost, or brackets do, as in books.
    fn is_loss(&self, clause: &Clause, place: &Range<usize>) -> bool {
        let is_loss = |word: &Word| {
            matches!(
                word.text.as_str(),
                "loss" | "losses" | "lost" | "deficit" | "shortfall" | "negative" | "minus"
            )
        };
        let before = self.plain[..place.start].trim_end_matches(['$', '€', '£']);
        let in_brackets = before.ends_with('(') && self.plain[place.end..].starts_with(')');
        // A name or another figure in brackets explains; books write a loss in them without more.
        let is_bare =
            self.words.len() <= 3 || before.trim_end_matches('(').trim_end().ends_with("is");
        in_brackets && is_bare || self.words_of(clause).iter().any(is_loss)
    }

    /// Whether the words around a value in its clause set it aside: `not`, `up from`, `instead
    /// of`, `the draft`.
    fn is_set_aside(&self, clause: &Clause, place: &Range<usize>) -> bool {
        self.is_set_aside_before(clause, place) || self.denial_behind(clause, place).is_some()
    }

    /// The denial behind a value that is denied of it: `the $2,100 are not in force`.
    pub(super) fn denial_behind(&self, clause: &Clause, place: &Range<usize>) -> Option<usize> {
        let at = self.word_at(place.start);
        (at.max(clause.words.start) + 1..clause.words.end).find(|number| {
            let verb = self.words[number - 1].text.as_str();
            self.negators[*number] && matches!(verb, "is" | "are" | "was" | "were" | "do" | "does")
        })
    }

    /// The same by words in front of the value, or by what is called a draft.
    pub(super) fn is_set_aside_before(&self, clause: &Clause, place: &Range<usize>) -> bool {
        const NOT_IN_FORCE: [&str; 8] = [
            "draft",
            "proposed",
            "proposal",
            "superseded",
            "formerly",
            "previously",
            "originally",
            "initially",
        ];
        const CHANGED: [&str; 16] = [
            "extended",
            "moved",
            "postponed",
            "pushed",
            "up",
            "down",
            "raised",
            "increased",
            "lowered",
            "reduced",
            "changed",
            "rose",
            "fell",
            "grew",
            "cut",
            "dropped",
        ];
        let at = self.word_at(place.start);
        let words = &self.words[clause.words.start..at.clamp(clause.words.start, clause.words.end)];
        let all = self.words_of(clause);
        let has_changed = all.iter().any(|word| CHANGED.contains(&word.text.as_str()));
        if has_changed && words.last().is_some_and(|word| word.text == "from")
            || self.is_nearest_to(clause, place, &NOT_IN_FORCE)
            || self.is_aside_of_draft(place)
        {
            return true;
        }
        let number = |at: usize| words[at].text.starts_with(|c: char| c.is_ascii_digit());
        let is_bound = |start: usize| {
            let bounds = ["below", "under", "above", "exceed", "over", "than", "before", "after"];
            let has = |names: &[&str], range: &[Word]| {
                range.iter().any(|word| names.contains(&word.text.as_str()))
            };
            // `no less than` and `must not fall below` give a bound, which is the value.
            has(&bounds, &words[start..]) && has(&["no", "not", "never"], words)
        };
        LEXICON.old_value.iter().any(|phrase| {
            phrase.find(words).is_some_and(|(start, end)| {
                // Another value between them takes the words for itself: `up from 10 to 12`.
                let denies = self.negators.get(clause.words.start + start).copied();
                // `not only` and the like are no denials; their flags were cleared when the reply
                // was read.
                let real = words[start].text != "not" || denies == Some(true);
                // `A bit more than a kilo, 1.13 kg`: a comma ends what is compared.
                let compares = matches!(words[end - 1].text.as_str(), "than" | "of" | "against");
                let gap = words[end - 1].place.end..place.start;
                let is_ended = compares && self.plain[gap].contains(',');
                real && !is_ended
                    && !(end..words.len()).any(number)
                    && words.len() - end <= 4
                    && !is_bound(start)
            })
        })
    }

    /// Whether one of the words stands in the clause, and no other figure stands nearer to it: in
    /// `$1,595 instead of the $1,650 in the draft` only the second is of the draft.
    fn is_nearest_to(&self, clause: &Clause, place: &Range<usize>, words: &[&str]) -> bool {
        let distance = |one: &Range<usize>, other: &Range<usize>| {
            one.start.saturating_sub(other.end).max(other.start.saturating_sub(one.end))
        };
        let all = self.words_of(clause);
        all.iter().filter(|word| words.contains(&word.text.as_str())).any(|mark| {
            let own = distance(place, &mark.place);
            let is_figure = |word: &&Word| {
                word.text.starts_with(|c: char| c.is_ascii_digit())
                    && (word.place.end <= place.start || place.end <= word.place.start)
            };
            !all.iter().filter(is_figure).any(|other| distance(&other.place, &mark.place) < own)
        })
    }

    /// A value in brackets behind which its subject is called a draft.
    fn is_aside_of_draft(&self, place: &Range<usize>) -> bool {
        let behind = &self.plain[place.end..];
        let Some(rest) = behind.find(')').filter(|at| *at < 4).map(|at| &behind[at..]) else {
            return false;
        };
        let rest = rest.split(['.', ',', ';', ':']).next().unwrap_or_default().to_lowercase();
        ["draft", "proposed", "proposal", "superseded"].iter().any(|word| rest.contains(word))
    }

    fn is_rounded(&self, clause: &Clause, place: &Range<usize>) -> bool {
        let before = self.word_at(place.start);
        let from = before.saturating_sub(3).max(clause.words.start);
        self.words[from..before].iter().any(|word| ROUNDED.contains(&word.text.as_str()))
            || self
                .words
                .iter()
                .skip(before)
                .take(6)
                .any(|word| matches!(word.text.as_str(), "ish" | "roughly" | "approximately"))
    }

    /// Every number with its unit; those of dates and times are none. Shares in words are
    /// numbers of percent.
    pub(super) fn numbers(&self) -> Vec<Given<NumberWithUnit>> {
        self.values.numbers.get_or_init(|| self.read_numbers()).clone()
    }

    /// The numbers with units in a clause.
    pub(super) fn numbers_in(
        &self,
        clause: &Clause,
    ) -> impl Iterator<Item = Given<NumberWithUnit>> {
        let numbers = self.numbers().into_iter();
        numbers.filter(|said| clause.place.contains(&said.place.start))
    }

    fn read_numbers(&self) -> Vec<Given<NumberWithUnit>> {
        let times = self.times();
        let in_time = |place: &Range<usize>| {
            times.iter().any(|time| time.place.start <= place.start && place.end <= time.place.end)
        };
        let mut numbers: Vec<Given<NumberWithUnit>> = Vec::new();
        let is_number = |item: &Item| matches!(item.content, ItemContent::Number(_));
        for item in first_and_last(self.items().filter(is_number).collect()) {
            let ItemContent::Number(mut number) = item.content else { continue };
            if in_time(&item.place) || self.is_no_amount(&item.place, number.unit.is_some()) {
                continue;
            }
            if self.has_a_half(&item.place) {
                number.value += 0.5;
                number.step = 0.1;
                number.whole = None;
            }
            if self.is_half_of(&item.place) {
                number.value /= 2.0;
                number.whole = None;
            }
            if self.is_below_zero(&item.place) {
                number.value = -number.value.abs();
            }
            numbers.extend(self.given(number, item.place));
        }
        numbers.extend(self.shares());
        // Rules that look at pairs of numbers rely on the order of the text.
        numbers.sort_by_key(|number| number.place.start);
        numbers
    }

    /// Whether a word for a number counts nothing here: `the bedroom one`, `three fifths`.
    fn is_no_amount(&self, place: &Range<usize>, has_unit: bool) -> bool {
        let text = self.plain[place.clone()].to_lowercase();
        let end = self.word_at(place.end);
        let behind = self.text_at(end);
        let is_share = ["fifths", "thirds", "quarters", "tenths", "fifth", "third", "quarter"]
            .contains(&behind);
        // `1099-NEC` is a name.
        let mut rest = self.plain[place.end..].chars();
        let is_name = rest.next() == Some('-') && rest.next().is_some_and(char::is_uppercase);
        is_share || is_name || text == "one" && !has_unit
    }

    /// Whether `and a half` follows.
    fn has_a_half(&self, place: &Range<usize>) -> bool {
        let end = self.word_at(place.end);
        let words: Vec<&str> =
            self.words.iter().skip(end).take(3).map(|word| word.text.as_str()).collect();
        words == ["and", "a", "half"]
    }

    /// `half a million`.
    fn is_half_of(&self, place: &Range<usize>) -> bool {
        let at = self.word_at(place.start);
        let before = |back: usize| self.text_before(at, back);
        (before(2), before(1)) == ("half", "a")
    }

    fn is_below_zero(&self, place: &Range<usize>) -> bool {
        let at = self.word_at(place.start);
        let before = at.checked_sub(1).map(|at| self.words[at].text.as_str());
        let end = self.word_at(place.end);
        let behind = |n: usize| self.words.get(end + n).map(|word| word.text.as_str());
        matches!(before, Some("minus" | "negative"))
            || (behind(0) == Some("below")
                && behind(1).is_none_or(|word| matches!(word, "zero" | "freezing")))
    }

    /// Shares in words: `half`, `a third`, `three fifths`.
    fn shares(&self) -> Vec<Given<NumberWithUnit>> {
        let mut found = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let next = self.words.get(at + 1).map(|next| next.text.as_str());
            let before = at.checked_sub(1).map(|at| self.words[at].text.as_str());
            // `Half a million` and `half a dozen` are read with their number.
            let of_time = matches!(next, Some("past" | "to" | "an" | "hour" | "hours" | "a"));
            // `A fifth of it`, `A fifth.`; `a fifth lamp` counts lamps.
            let goes_on = self.plain[word.place.end..].starts_with(' ');
            let stands_for_share = next == Some("of") || !goes_on;
            // Behind a number it is a part of that: `a hundred and a half`.
            let is_added = before == Some("a") && at > 1 && self.words[at - 2].text == "and";
            // `A quarter of an hour` is a length of time.
            let text = |at: usize| self.text_at(at);
            if matches!((text(at + 1), text(at + 2)), ("of", "a" | "an"))
                && time_unit(text(at + 3)).is_some()
            {
                continue;
            }
            let whole = match word.text.as_str() {
                "half" | "halfway"
                    if !of_time
                        && !is_added
                        && !matches!(before, Some("first" | "second" | "other" | "latter")) =>
                {
                    50.0
                }
                "third" if matches!(before, Some("a" | "one")) => 100.0 / 3.0,
                "quarter" if matches!(before, Some("a" | "one")) && !of_time => 25.0,
                "fifth" if matches!(before, Some("a" | "one")) && stands_for_share => 20.0,
                "tenth" if matches!(before, Some("a" | "one")) && stands_for_share => 10.0,
                "thirds" => 100.0 / 3.0,
                "quarters" => 25.0,
                "fifths" => 20.0,
                "tenths" => 10.0,
                _ => continue,
            };
            let count = match before.and_then(english::small_number) {
                Some(count) if word.text.ends_with('s') => f64::from(count),
                None if word.text.ends_with('s') => continue,
                _ => 1.0,
            };
            let number = NumberWithUnit {
                value: whole * count,
                step: 1.0,
                whole: None,
                unit: Some(MeasureUnit::PERCENT),
                in_parentheses: false,
            };
            found.push((number, word.place.clone()));
        }
        let given = |(number, place)| self.given(number, place);
        first_and_last(found).into_iter().filter_map(given).collect()
    }

    /// Every date.
    pub(super) fn dates(&self) -> Vec<Given<Date>> {
        self.values.dates.get_or_init(|| self.read_dates()).clone()
    }

    fn read_dates(&self) -> Vec<Given<Date>> {
        let is_date = |item: &Item| matches!(item.content, ItemContent::Date(_));
        first_and_last(self.items().filter(is_date).collect())
            .into_iter()
            .filter_map(|item| match item.content {
                ItemContent::Date(date) => self.given(date, item.place),
                _ => None,
            })
            .collect()
    }

    /// Every time of day.
    pub(super) fn times(&self) -> Vec<Given<TimeOfDay>> {
        self.values.times.get_or_init(|| self.read_times()).clone()
    }

    fn read_times(&self) -> Vec<Given<TimeOfDay>> {
        let mut times = Vec::new();
        let is_time = |found: &Captures<'_>| {
            // `7.42` is a decimal number unless it is called a time.
            found.name("half").is_some()
                || found.name("colon").is_some_and(|sign| sign.as_str() == ":")
        };
        for found in first_and_last(DIGITS.captures_iter(&self.plain).filter(is_time).collect()) {
            let Some(whole) = found.get(0) else { continue };
            let half = found.name("half").map(|half| half.as_str().to_lowercase());
            let colon = found.name("colon").map(|colon| colon.as_str());
            let number = |name| found.name(name).and_then(|part| part.as_str().parse::<u32>().ok());
            let (Some(hour), minute) = (number("hour"), number("minute").unwrap_or(0)) else {
                continue;
            };
            if half.as_deref() == Some("hours") && colon.is_none() {
                continue;
            }
            if let Some(time) = time_of(hour, minute, half.as_deref()) {
                times.extend(self.given(time, whole.range()));
            }
        }
        let in_words = |at: usize| {
            let (time, taken) = time_in_words(&self.words[at..])?;
            Some((time, self.words[at].place.start..self.words[at + taken - 1].place.end))
        };
        for (time, place) in first_and_last((0..self.words.len()).filter_map(in_words).collect()) {
            let known = |time: &Given<TimeOfDay>| {
                time.place.start < place.end && place.start < time.place.end
            };
            // Digits were read before, and `7 in the evening` would be found a second time here.
            if !times.iter().any(known) {
                times.extend(self.given(time, place));
            }
        }
        times
    }
}

/// A time by its hour, its minute and the half of the day.
fn time_of(hour: u32, minute: u32, half: Option<&str>) -> Option<TimeOfDay> {
    if hour > 24 || minute > 59 {
        return None;
    }
    let half = half.unwrap_or_default();
    let second = half.starts_with('p')
        || half.contains("evening")
        || half.contains("afternoon")
        || half.contains("night");
    let first = half.starts_with('a') && !half.starts_with("at") || half.contains("morning");
    let hour = match hour {
        12 if first => 0,
        hour if second && hour < 12 => hour + 12,
        hour => hour % 24,
    };
    let either_half = !first && !second && (1..=12).contains(&hour);
    Some(TimeOfDay { minutes: hour * 60 + minute, either_half })
}

/// A number below a hundred that these words begin with, and how many words it takes.
fn small(words: &[Word]) -> Option<(u32, usize)> {
    let first = words.first()?.text.as_str();
    if let Some(value) = english::small_number(first) {
        return Some((u32::from(value), 1));
    }
    let tens = u32::from(english::ten(first)?);
    let unit = words
        .get(1)
        .and_then(|word| english::small_number(&word.text))
        .filter(|unit| (1..10).contains(unit));
    match unit {
        Some(unit) => Some((tens + u32::from(unit), 2)),
        None => Some((tens, 1)),
    }
}

/// The half of the day that these words begin with, and how many words it takes: `in the morning`.
fn half_of_day(words: &[Word]) -> Option<(String, usize)> {
    let text = |at: usize| words.get(at).map(|word| word.text.as_str());
    match (text(0), text(1), text(2)) {
        (Some(half @ ("am" | "pm")), ..) => Some((half.to_owned(), 1)),
        (Some("in" | "this"), Some("the"), Some(half @ ("morning" | "evening" | "afternoon")))
        | (Some("the"), Some("next" | "following"), Some(half @ ("morning" | "evening"))) => {
            Some((format!("in the {half}"), 3))
        }
        (Some("this" | "at"), Some(half @ ("morning" | "evening" | "afternoon" | "night")), _) => {
            Some((format!("in the {half}"), 2))
        }
        (Some("p"), Some("m"), _) => Some(("pm".into(), 2)),
        (Some("a"), Some("m"), _) => Some(("am".into(), 2)),
        _ => None,
    }
}

/// A time with the half of the day behind the words that tell it, as far as one is told.
fn finished(words: &[Word], hour: u32, minute: u32, at: usize) -> Option<(TimeOfDay, usize)> {
    let half = half_of_day(words.get(at..).unwrap_or_default());
    let (half, taken) = half.map_or((None, 0), |(half, taken)| (Some(half), taken));
    time_of(hour, minute, half.as_deref()).map(|time| (time, at + taken))
}

/// The minutes of a time of day that has a name.
fn named_time(word: &Word) -> Option<u32> {
    match word.text.as_str() {
        "noon" | "midday" => Some(720),
        "midnight" => Some(0),
        _ => None,
    }
}

/// The minutes past or to an hour that these words begin with, and how many words they take.
fn minutes_beside_hour(words: &[Word]) -> Option<(u32, usize)> {
    let (minutes, taken) = match words.first()?.text.as_str() {
        "quarter" => (15, 1),
        "half" => (30, 1),
        // An hour has sixty: `ninety to one` are odds.
        _ => small(words).filter(|(minutes, _)| *minutes < 60)?,
    };
    let unit = words.get(taken).is_some_and(|word| matches!(&*word.text, "minutes" | "minute"));
    Some((minutes, taken + usize::from(unit)))
}

/// A time that these words begin with: `six forty two`, `quarter to seven`, `half past ten`.
fn time_in_words(words: &[Word]) -> Option<(TimeOfDay, usize)> {
    let named = |minutes: u32| TimeOfDay { minutes: minutes % 1440, either_half: false };
    if let Some(minutes) = words.first().and_then(named_time) {
        return Some((named(minutes), 1));
    }
    if let Some((minutes, at)) = minutes_beside_hour(words) {
        let beside = |middle: u32| match words.get(at)?.text.as_str() {
            "past" | "after" => Some(middle + minutes),
            "to" | "before" => Some(middle - minutes),
            _ => None,
        };
        let behind = words.get(at + 1..).unwrap_or_default();
        // `Five to midnight`.
        if let Some(middle) = behind.first().and_then(named_time) {
            return beside(middle + 1440).map(|total| (named(total), at + 2));
        }
        let digits = || Some((behind.first()?.text.parse().ok()?, 1));
        if let Some((hour, taken)) = small(behind).or_else(digits)
            && (1..=12).contains(&hour)
            && let Some(total) = beside(hour * 60)
        {
            return finished(words, total / 60, total % 60, at + 1 + taken);
        }
    }
    hour_and_minute(words)
}

/// A time that these words begin with by its hour: `six forty two`, `seven o'clock`, `ten pm`.
fn hour_and_minute(words: &[Word]) -> Option<(TimeOfDay, usize)> {
    let text = |at: usize| words.get(at).map(|word| word.text.as_str());
    let (hour, at) = small(words).filter(|(hour, _)| *hour < 24)?;
    if text(at) == Some("o'clock") {
        return finished(words, hour, 0, at + 1);
    }
    // Twenty-three forty-two: the hour may itself be tens and a unit, or the tens alone.
    let at = if at == 2 && small(&words[2..]).is_none() { 1 } else { at };
    let hour = if at == 1 { small(&words[..1])?.0 } else { hour };
    let oh = usize::from(matches!(text(at), Some("oh" | "o")));
    match small(&words[at + oh..]) {
        Some((minute, taken)) if minute < 60 && (minute >= 10 || oh == 1) => {
            finished(words, hour, minute, at + oh + taken)
        }
        _ => {
            let (half, taken) = half_of_day(&words[at..])?;
            time_of(hour, 0, Some(&half)).map(|time| (time, at + taken))
        }
    }
}
