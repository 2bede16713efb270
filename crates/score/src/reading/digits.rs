//! Numbers in digits: `$442,300`, `442.3k`, `(12.50)`, `9th`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::item::{Item, ItemContent};
use super::number::NumberWithUnit;
use super::unit::{self, MeasureUnit};
use super::word;

/// A number with its sign, currency and digits.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let grouped = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:['’\u{a0}\u{202f}]\d{3})+(?:[.,]\d+)?";
    let continental = r"\d{1,3}(?:\.\d{3})+,\d{1,2}\b|\d+,\d{2}\b";
    let plain = r"\d+(?:\.\d+)?|\.\d+";
    let pattern = format!(
        r"^(?P<open>\()?(?P<minus>[-−–])?(?:(?P<currency>US\$|[$€£¥])\s?)?(?P<minus_behind>[-−–])?(?P<digits>{grouped}|{continental}|{plain})"
    );
    Regex::new(&pattern).expect("the expression is valid")
});

/// The number, the ordinal or the word that begins at `start`.
pub(super) fn at(text: &str, start: usize) -> Option<Item> {
    let found = NUMBER.captures(&text[start..])?;
    let digits = found.name("digits")?;
    if let Some(dotted) = dotted(text, start + digits.start(), digits.len()) {
        return Some(dotted);
    }
    let behind = start + digits.end();
    let tail = letters(&text[behind..]);
    let alone = start + digits.start()..behind + tail.len();
    if matches!(tail.to_lowercase().as_str(), "st" | "nd" | "rd" | "th")
        && let Ok(value) = digits.as_str().parse()
    {
        return Some(Item { content: ItemContent::Ordinal(value), place: alone });
    }
    let currency = found.name("currency");
    let name = || {
        let content = ItemContent::Word(word::lower(&text[alone.clone()]));
        Some(Item { content, place: alone.clone() })
    };
    // More digits than any number has are one word. Were they left out, reading would go on from
    // the second of them, and take the square of their number.
    let Some(Digits { value, decimals, whole }) = Digits::parse(digits.as_str()) else {
        return name();
    };
    let mut number = NumberWithUnit {
        value,
        step: 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0)),
        whole,
        unit: currency.and_then(|sign| unit::currency_sign(sign.as_str())),
        in_parentheses: false,
    };
    let is_money = number.unit.is_some();
    if !take_tail(&mut number, tail, decimals > 0) {
        // Digits that letters hang on are a name: `4B`, `2x4`.
        return name();
    }
    let mut end = alone.end;
    if let Some(length) = percent_sign(&text[end..]) {
        number.unit = Some(MeasureUnit::PERCENT);
        end += length;
    }
    if let Some((unit, length)) = degree_sign(&text[end..]) {
        number.unit = Some(unit);
        end += length;
    }
    if is_negative(&found, text[..start].chars().next_back()) {
        number.value = -number.value;
    }
    // `(3)` is a note or the mark of a list; only written as an amount do parentheses mean a loss.
    let written = is_money || digits.as_str().contains([',', '.']);
    number.in_parentheses = found.name("open").is_some() && written && text[end..].starts_with(')');
    // The sign is left out of the place, so that a dash before a number is no part of it.
    let from = start + currency.unwrap_or(digits).start();
    Some(Item { content: ItemContent::Number(number), place: from..end })
}

/// Digits with two points or more among them, which are the name of something: an address such as
/// `192.168.1.10`, a version, a paragraph. `None` where the number that begins here is longer, as
/// `1.234.567,50` is.
fn dotted(text: &str, start: usize, number_length: usize) -> Option<Item> {
    static DOTTED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\d+(?:\.\d+){2,}").expect("the expression is valid"));
    let length = DOTTED.find(&text[start..])?.len();
    let end = start + length + letters(&text[start + length..]).len();
    let content = ItemContent::Word(word::lower(&text[start..end]));
    (length > number_length).then_some(Item { content, place: start..end })
}

/// The letters and digits that a text begins with.
fn letters(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
}

/// Lets letters that hang on a number multiply it, or name its unit; tells if they do neither.
fn take_tail(number: &mut NumberWithUnit, tail: &str, has_decimals: bool) -> bool {
    if tail.is_empty() {
        return true;
    }
    if let Some(scale) = scale(tail, number.unit.is_some(), has_decimals) {
        number.value *= scale;
        number.step *= scale;
        number.whole = None;
        return true;
    }
    let unit = unit::attached(tail);
    number.unit = unit.or(number.unit);
    unit.is_some()
}

/// How long a sign for hundredths is, with the spaces before it, where a text begins with one.
fn percent_sign(text: &str) -> Option<usize> {
    let sign = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    sign.starts_with('%').then(|| text.len() - sign.len() + 1)
}

/// The unit of a sign for degrees with its letter, and how long it is: `°C`, ` °F`, `°`.
fn degree_sign(text: &str) -> Option<(MeasureUnit, usize)> {
    static DEGREES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[ \u{a0}\u{202f}]?[°º](?: ?([CcFf])\b)?").expect("the expression is valid")
    });
    let found = DEGREES.captures(text)?;
    let letter = found.get(1).map_or("c", |letter| letter.as_str());
    let unit = unit::named(if letter.eq_ignore_ascii_case("f") { "°f" } else { "°c" })?;
    Some((unit, found[0].len()))
}

/// Whether a number is below nothing, given what stands before it: a digit that belongs to a code
/// goes on from where the last token ended, as in `2024-001`.
fn is_negative(found: &Captures<'_>, before: Option<char>) -> bool {
    let joined = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
    (found.name("minus").is_some() && !joined) || found.name("minus_behind").is_some()
}

/// What digits with their separators say.
struct Digits {
    value: f64,
    /// How many digits stand behind the point.
    decimals: usize,
    /// The value, where there is no point.
    whole: Option<u128>,
}

impl Digits {
    /// Reads digits; `None` for a number too large for its type.
    fn parse(digits: &str) -> Option<Self> {
        // A comma with one or two digits behind it is a decimal comma; with three it groups.
        let decimal_comma = digits
            .rsplit_once(',')
            .is_some_and(|(_, behind)| behind.len() < 3 && !behind.contains('.'));
        let plain: String = digits
            .chars()
            .filter_map(|c| match c {
                ',' if decimal_comma => Some('.'),
                '.' if decimal_comma => None,
                '0'..='9' | '.' => Some(c),
                _ => None,
            })
            .collect();
        let value = plain.parse().ok().filter(|value: &f64| value.is_finite())?;
        Some(match plain.split_once('.') {
            Some((_, behind)) => Self { value, decimals: behind.len(), whole: None },
            None => Self { value, decimals: 0, whole: Some(plain.parse().ok()?) },
        })
    }
}

/// What letters behind a number multiply it by. Single ones but for `k` count only where money or
/// a decimal point rules out a flat, a street number or a length.
fn scale(tail: &str, is_money: bool, has_decimals: bool) -> Option<f64> {
    match tail {
        "k" | "K" => Some(1e3),
        "mn" | "mio" => Some(1e6),
        "bn" => Some(1e9),
        "tn" => Some(1e12),
        "M" | "MM" if is_money || has_decimals => Some(1e6),
        "m" if is_money => Some(1e6),
        "B" if is_money || has_decimals => Some(1e9),
        "b" if is_money => Some(1e9),
        "T" | "t" if is_money => Some(1e12),
        _ => None,
    }
}
