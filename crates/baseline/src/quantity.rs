//! Numbers in a request, in digits or in English words, with the unit that follows them.

use std::ops::Range;

use toolgauge_core::english;

use super::words::RequestWord;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantityUnit {
    /// Nothing that was said.
    None,
    /// Hundredths.
    Percent,
    /// Degrees of temperature or angle.
    Degrees,
    Time(TimeUnit),
    /// The time of day: `7 am`, `7:30`.
    Clock,
}

/// A unit of time, as tools have parameters for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TimeUnit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

impl TimeUnit {
    /// All of them, the largest first.
    pub(super) const ALL: [Self; 5] =
        [Self::Week, Self::Day, Self::Hour, Self::Minute, Self::Second];

    /// How many seconds it has.
    pub(super) fn seconds(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3_600.0,
            Self::Day => 86_400.0,
            Self::Week => 604_800.0,
        }
    }

    /// The unit a word names, given by its stem or an abbreviation.
    pub(super) fn of(stem: &str) -> Option<Self> {
        match stem {
            "second" | "sec" | "secs" => Some(Self::Second),
            "minut" | "min" | "mins" => Some(Self::Minute),
            "hour" | "hr" | "hrs" => Some(Self::Hour),
            "day" => Some(Self::Day),
            "week" => Some(Self::Week),
            _ => None,
        }
    }
}

/// A number that was said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// Which words say it, the unit included.
    pub(super) words: Range<usize>,
    /// The number.
    pub(super) value: f64,
    /// What it counts.
    pub(super) unit: QuantityUnit,
}

/// All quantities of a request, in order.
pub(super) fn quantities(words: &[RequestWord]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match quantity_at(words, at) {
            Some(quantity) => {
                at = quantity.words.end;
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

fn quantity_at(words: &[RequestWord], at: usize) -> Option<Quantity> {
    // Before plain numbers: in `half an hour` the article is no number of its own.
    if let Some(quantity) = article_and_unit(words, at) {
        return Some(quantity);
    }
    if clock_digits(&words[at].text) {
        let end = at + 1 + usize::from(text(words, at + 1).is_some_and(is_half_of_day));
        return Some(Quantity { words: at..end, value: 0.0, unit: QuantityUnit::Clock });
    }
    let (value, mut end) = number(words, at)?;
    if text(words, end).is_some_and(is_half_of_day) {
        return Some(Quantity { words: at..end + 1, value, unit: QuantityUnit::Clock });
    }
    let unit = words.get(end).map_or(QuantityUnit::None, unit_of);
    end += usize::from(unit != QuantityUnit::None);
    let (half, end) = and_a_half(words, end);
    let value = if is_negative(words, at) { -value } else { value };
    Some(Quantity { words: at..end, value: value + half, unit })
}

/// `an hour`, `a minute`, `half an hour`; a bare `a` is no number.
fn article_and_unit(words: &[RequestWord], at: usize) -> Option<Quantity> {
    let half = words[at].text == "half";
    let article = at + usize::from(half);
    if !matches!(text(words, article), Some("a" | "an")) {
        return None;
    }
    let unit = TimeUnit::of(&words.get(article + 1)?.stem)?;
    let (more, end) = and_a_half(words, article + 2);
    let value = if half { 0.5 } else { 1.0 } + more;
    Some(Quantity { words: at..end, value, unit: QuantityUnit::Time(unit) })
}

fn and_a_half(words: &[RequestWord], at: usize) -> (f64, usize) {
    let says = |offset: usize, word: &str| text(words, at + offset) == Some(word);
    if says(0, "and") && says(1, "a") && says(2, "half") { (0.5, at + 3) } else { (0.0, at) }
}

fn text(words: &[RequestWord], at: usize) -> Option<&str> {
    words.get(at).map(|word| word.text.as_str())
}

fn is_half_of_day(word: &str) -> bool {
    matches!(word, "am" | "pm" | "oclock")
}

fn clock_digits(word: &str) -> bool {
    word.contains(':') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

fn is_negative(words: &[RequestWord], at: usize) -> bool {
    at > 0 && matches!(words[at - 1].text.as_str(), "minus" | "negative")
}

fn unit_of(word: &RequestWord) -> QuantityUnit {
    match word.stem.as_str() {
        "percent" | "percentag" => QuantityUnit::Percent,
        "degre" | "celsius" | "fahrenheit" => QuantityUnit::Degrees,
        stem => TimeUnit::of(stem).map_or(QuantityUnit::None, QuantityUnit::Time),
    }
}

/// A number in digits or words from here on, and where it ends.
fn number(words: &[RequestWord], at: usize) -> Option<(f64, usize)> {
    if let Some(value) = digits(&words[at].text) {
        return Some((value * magnitude(words, at + 1), at + 1 + magnitude_words(words, at + 1)));
    }
    let (mut total, mut group, mut end) = (0.0, 0.0, at);
    let mut said = false;
    while let Some(word) = text(words, end) {
        if let Some(value) = small_number(word) {
            if said && !continues(group, value) {
                break;
            }
            group += value;
        } else if word == "hundred" && said {
            group *= 100.0;
        } else if matches!(word, "thousand" | "million") && said {
            total += group * magnitude(words, end);
            group = 0.0;
        } else {
            break;
        }
        said = true;
        end += 1;
    }
    let (tenths, end) = point(words, end, said);
    said.then_some((total + group + tenths, end))
}

/// Whether a number word can follow the ones before it: `twenty five`, `two hundred ten`, but
/// not `five three`.
fn continues(group: f64, value: f64) -> bool {
    let last = group % 100.0;
    (last == 0.0 && group > 0.0) || (last >= 20.0 && last % 10.0 == 0.0 && value < 10.0)
}

/// `point five` after a number.
fn point(words: &[RequestWord], at: usize, said: bool) -> (f64, usize) {
    if !said || text(words, at) != Some("point") {
        return (0.0, at);
    }
    match text(words, at + 1).and_then(small_number) {
        Some(digit) if digit < 10.0 => (digit / 10.0, at + 2),
        _ => (0.0, at),
    }
}

fn magnitude(words: &[RequestWord], at: usize) -> f64 {
    match text(words, at) {
        Some("hundred") => 100.0,
        Some("thousand") => 1_000.0,
        Some("million") => 1_000_000.0,
        _ => 1.0,
    }
}

fn magnitude_words(words: &[RequestWord], at: usize) -> usize {
    usize::from(magnitude(words, at) > 1.0)
}

fn digits(word: &str) -> Option<f64> {
    if !word.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    if !plain || word.len() > 18 {
        return None;
    }
    word.replace(',', "").parse().ok()
}

fn small_number(word: &str) -> Option<f64> {
    english::small_number(word).or_else(|| english::ten(word)).map(f64::from)
}

/// Levels that people say in place of a percentage: `half`, `full`.
pub(super) fn level(word: &str) -> Option<f64> {
    match word {
        "half" | "halfway" | "medium" => Some(50.0),
        "full" | "fully" | "max" | "maximum" => Some(100.0),
        "minimum" => Some(1.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn said(text: &str) -> Vec<(f64, QuantityUnit)> {
        quantities(&words(text)).into_iter().map(|q| (q.value, q.unit)).collect()
    }

    #[test]
    fn number_words_add_up() {
        assert_eq!(said("twenty-five"), [(25.0, QuantityUnit::None)]);
        assert_eq!(said("two hundred ten"), [(210.0, QuantityUnit::None)]);
        assert_eq!(said("three thousand and"), [(3000.0, QuantityUnit::None)]);
        assert_eq!(said("twenty one point five degrees"), [(21.5, QuantityUnit::Degrees)]);
        assert_eq!(said("five three"), [(5.0, QuantityUnit::None), (3.0, QuantityUnit::None)]);
    }

    #[test]
    fn digits_keep_their_unit() {
        assert_eq!(said("to 30 percent"), [(30.0, QuantityUnit::Percent)]);
        assert_eq!(said("30%"), [(30.0, QuantityUnit::Percent)]);
        assert_eq!(said("21.5°C"), [(21.5, QuantityUnit::Degrees)]);
        assert_eq!(said("1,500"), [(1500.0, QuantityUnit::None)]);
        assert_eq!(said("minus 5 degrees"), [(-5.0, QuantityUnit::Degrees)]);
    }

    #[test]
    fn durations_are_read() {
        let minutes = QuantityUnit::Time(TimeUnit::Minute);
        let hours = QuantityUnit::Time(TimeUnit::Hour);
        assert_eq!(said("for ten minutes"), [(10.0, minutes)]);
        assert_eq!(said("half an hour"), [(0.5, hours)]);
        assert_eq!(said("an hour and a half"), [(1.5, hours)]);
        assert_eq!(said("1 hour 20 mins"), [(1.0, hours), (20.0, minutes)]);
    }

    #[test]
    fn a_time_of_day_is_not_a_number() {
        assert_eq!(said("at 7 am"), [(7.0, QuantityUnit::Clock)]);
        assert_eq!(said("at 7:30 pm"), [(0.0, QuantityUnit::Clock)]);
    }

    #[test]
    fn words_that_hold_digits_are_no_numbers() {
        assert_eq!(said("the 3D printer e7a2 #W12"), []);
    }
}
