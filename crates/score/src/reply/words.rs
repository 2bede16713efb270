//! A reply in plain form: short forms written out, marks of layout gone, and its words.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use toolgauge_core::{ExpectedFact, WorldThing, english};

use crate::reading::{Date, stem};
use crate::recall::{ReadTexts, recall};

/// One word in small letters, and where it stands in the plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) place: Range<usize>,
    /// One bit of 64 by its letters: two words with different signs are different.
    pub(super) sign: u64,
}

impl Word {
    pub(super) fn new(text: String, place: Range<usize>) -> Self {
        let sign = sign(&text);
        Self { text, place, sign }
    }
}

/// The sign of a word: the top six bits of its FNV-1a hash choose one bit.
pub(super) fn sign(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    1 << (hash >> 58)
}

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the expression is valid")
}

/// Marks that are replaced, in order. Degrees become words, so that they are read as a unit.
static REPLACED: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    [
        (r"[’‘ʼ`´]", "'"),
        (r"[“”„«»]", "\""),
        (r"[\u{a0}\u{202f}\u{2009}]", " "),
        (r"[−]", "-"),
        (r"\s[–—]+\s|[—]+|\s-{1,2}\s", " : "),
        (r"(?m)^\s*(?:#{1,6}\s+|[-*•]\s+|\d{1,2}[.)]\s+)", "\n"),
        (r"\*+|__+", ""),
        (r"(?i)\s*(?:°|º)\s*c\b(?:elsius)?", " degrees celsius"),
        (r"(?i)\s*(?:°|º)\s*f\b(?:ahrenheit)?", " degrees fahrenheit"),
        (r"\s*[°º]", " degrees"),
        (r"(?i)\b(\d{1,3})\s?h\s?(\d{1,2})(?:\s?m(?:in(?:s|utes)?)?)?\b", "$1 hours $2 minutes"),
        (r"(?i)\b(\d+)\s?h\b", "$1 hours"),
        (r"(?i)(\d)\s*/\s*(year|yr|quarter|month|mo|week|wk|day)\b", "$1 per $2"),
        (r"(?i)\banything but\b", "not"),
        (r"(?i)\b(can)not\b", "$1 not"),
        (r"(?i)\bcan't\b", "can not"),
        (r"(?i)\bwon't\b", "will not"),
        (r"(?i)\bshan't\b", "shall not"),
        (r"(?i)\bain't\b", "is not"),
        (r"(?i)n't\b", " not"),
        (r"(?i)\b(i)'m\b", "$1 am"),
        (r"(?i)\b(\p{L}+)'re\b", "$1 are"),
        (r"(?i)\b(\p{L}+)'ve\b", "$1 have"),
        (r"(?i)\b(\p{L}+)'ll\b", "$1 will"),
        (r"(?i)\b(i|you|he|she|it|we|they|that|there)'d\b", "$1 would"),
        (r"(?i)\blet's\b", "let us"),
        (r"(?i)\b(it|that|there|what|he|she|here|where|who|so|everything|nothing|something|someone|somebody|which|how)'s\b", "$1 is"),
        (r"(?i)\b(\p{L}+)'s (on|off|open|closed|shut|locked|unlocked|now|not|already|still|been|set|running|playing|at|in|out|going|coming|muted|unmuted|paused|cancelled|canceled|closing|opening|charging|turned|switched|gone|lit|armed|docked|up|down)\b", "$1 is $2"),
    ]
    .map(|(pattern, by)| (expression(pattern), by))
    .into()
});

/// Digits behind a point in words: `seventeen point two`.
static POINT: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b([a-z]+(?:[- ][a-z]+)?|\d+) point ((?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b ?)+)",
    )
});

/// A half behind a number or its unit: `two and a half`, `an hour and a half`.
static HALF: LazyLock<Regex> = LazyLock::new(|| {
    let tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
    let small = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|\
                 fifteen|sixteen|seventeen|eighteen|nineteen";
    let number = format!(r"(an?|(?:(?:{tens})[- ])?(?:{small})|{tens}|\d+)");
    let unit = r"( hours?| minutes?| seconds?| days?| weeks?| months?| years?| miles?)?";
    expression(&format!(r"(?i)\b{number}{unit} and a half\b"))
});

/// A word, a number with its separators, or a time.
static WORD: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\d+(?:[.,:]\d+)*|[\p{L}\p{M}\p{N}_]+(?:'\p{L}+)*"));

/// The text with short forms written out and without marks of layout.
pub(super) fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for (pattern, by) in REPLACED.iter() {
        if let std::borrow::Cow::Owned(changed) = pattern.replace_all(&plain, *by) {
            plain = changed;
        }
    }
    let plain = POINT.replace_all(&plain, |found: &Captures<'_>| decimal(found));
    HALF.replace_all(&plain, |found: &Captures<'_>| with_half(found)).into_owned()
}

/// The number with its half, or the words themselves where they are none: `a and a half`.
fn with_half(found: &Captures<'_>) -> String {
    let unit = found.get(2).map_or("", |unit| unit.as_str());
    let number = found[1].to_lowercase();
    let whole = match number.as_str() {
        "a" | "an" => (!unit.is_empty()).then_some(1),
        number => whole_number(number).map(|(_, whole)| whole),
    };
    match whole {
        Some(whole) => format!("{whole}.5{unit}"),
        None => found[0].to_owned(),
    }
}

/// The decimal number of words, or the words themselves where they are none.
fn decimal(found: &Captures<'_>) -> String {
    let digits: Option<String> = found[2]
        .split_whitespace()
        .map(|word| match word.to_lowercase().as_str() {
            "oh" => Some(0),
            word => english::small_number(word).filter(|digit| *digit < 10),
        })
        .map(|digit| digit.map(|digit| char::from(b'0' + digit)))
        .collect();
    let whole = whole_number(&found[1].to_lowercase());
    let space = if found[2].ends_with(' ') { " " } else { "" };
    match (whole, digits) {
        (Some((before, whole)), Some(digits)) => format!("{before}{whole}.{digits}{space}"),
        _ => found[0].to_owned(),
    }
}

/// The number in front of a point, and a word before it that is none.
fn whole_number(words: &str) -> Option<(String, u64)> {
    if let Ok(number) = words.parse() {
        return Some((String::new(), number));
    }
    let single = |word: &str| {
        let value = english::small_number(word).or_else(|| english::ten(word));
        value.map(u64::from)
    };
    match words.split_once(['-', ' ']) {
        None => single(words).map(|value| (String::new(), value)),
        Some((tens, unit)) => match (english::ten(tens), english::small_number(unit)) {
            (Some(tens), Some(unit)) if unit < 10 => Some((String::new(), u64::from(tens + unit))),
            _ => single(unit).map(|value| (format!("{tens} "), value)),
        },
    }
}

/// The words of a plain text.
pub(super) fn words(plain: &str) -> Vec<Word> {
    let word = |found: regex::Match<'_>| Word::new(found.as_str().to_lowercase(), found.range());
    WORD.find_iter(plain).map(word).collect()
}

thread_local! {
    static TEXTS: RefCell<ReadTexts<[String]>> = RefCell::default();
}

/// The words of any text, in plain form and without their places.
pub(super) fn word_texts(text: &str) -> Rc<[String]> {
    recall(&TEXTS, text, |text| words(&plain(text)).into_iter().map(|word| word.text).collect())
}

/// Where words of a table stand among others.
pub(super) fn phrase_at(words: &[&str], phrase: &[&str]) -> Option<usize> {
    words.windows(phrase.len()).position(|window| window == phrase)
}

/// The seconds of a unit of time that clocks and timers show.
pub(super) fn time_unit(word: &str) -> Option<f64> {
    match word {
        "hour" | "hours" | "hr" | "hrs" => Some(3600.0),
        "minute" | "minutes" | "min" | "mins" => Some(60.0),
        "second" | "seconds" | "sec" | "secs" => Some(1.0),
        _ => None,
    }
}

/// The words of a tool's name: `HassTurnOn`, `pause_music`.
pub(super) fn tool_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether two words are the same but for number and owner: `windows`, `window`, `ella's`.
pub(super) fn same_word(said: &str, name: &str) -> bool {
    // Most words differ in their first letter.
    if said.as_bytes().first() != name.as_bytes().first() {
        return false;
    }
    let bare = |word: &str| {
        let word = word.strip_suffix("'s").unwrap_or(word);
        word.strip_suffix('s').filter(|short| short.len() > 3).unwrap_or(word).to_owned()
    };
    said == name || bare(said) == bare(name)
}

/// The stems of all words that an answer may take for granted: those of some texts, and those of the
/// facts, which hold every accepted word, whatever their kind.
pub(super) fn known_stems<'t>(
    facts: &[ExpectedFact],
    texts: impl Iterator<Item = &'t str>,
    stem: impl Fn(&str) -> String,
) -> HashSet<String> {
    let facts = serde_json::to_string(facts).unwrap_or_default();
    let mut known = HashSet::new();
    let mut add =
        |text: &str| known.extend(WorldThing::words_of(text).iter().map(|word| stem(word)));
    texts.for_each(&mut add);
    add(&facts);
    known
}

/// A word as it is looked for: without what makes it somebody's, and by its stem.
pub(super) fn book_stem(word: &str) -> String {
    stem(word.trim_end_matches("'s").trim_matches('\''))
}

/// The date of a text as suites write it.
pub(super) fn date(text: &str) -> Option<Date> {
    let mut parts = text.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next().flatten(), parts.next().flatten());
    // A suite's dates are checked when it is read; those of a log may be anything.
    let is_date = year <= 9999
        && month.is_none_or(|month| (1..=12).contains(&month))
        && day.is_none_or(|day| (1..=31).contains(&day));
    is_date.then_some(Date { year: Some(year), month, day })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_written_out() {
        let said = |text: &str| word_texts(text).join(" ");
        assert_eq!(said("I can't, it isn’t on."), "i can not it is not on");
        assert_eq!(said("I've done it; you're welcome"), "i have done it you are welcome");
        assert_eq!(said("Ella's lamp"), "ella's lamp");
    }

    #[test]
    fn decimals_and_degrees_are_read() {
        assert_eq!(plain("It is 7.4°C"), "It is 7.4 degrees celsius");
        assert_eq!(plain("about seventeen point two degrees"), "about 17.2 degrees");
        assert_eq!(plain("twenty-one point oh five"), "21.05");
        assert_eq!(plain("at that point two lamps"), "at that point two lamps");
    }
}
