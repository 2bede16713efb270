//! Numbers in digits: `$442,300`, `442.3k`, `(12.50)`, `9th`.

use std::sync::LazyLock;

use regex::Regex;

use super::item::{Content, Item};
use super::number::Number;
use super::unit::{self, Unit};
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
    let group = |name: &str| found.name(name);
    let digits = group("digits")?;
    let mut end = start + digits.end();
    let tail_length = text[end..].find(|c: char| !c.is_alphanumeric()).unwrap_or(text[end..].len());
    let tail = &text[end..end + tail_length];
    let currency = group("currency").and_then(|sign| unit::currency_sign(sign.as_str()));
    // A digit that belongs to a code goes on from where the last token ended: `2024-001`.
    let before = text[..start].chars().next_back();
    let joined = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
    let negative = (group("minus").is_some() && !joined) || group("minus_behind").is_some();
    let place_from = start + group("currency").unwrap_or(digits).start();
    if matches!(tail.to_lowercase().as_str(), "st" | "nd" | "rd" | "th")
        && let Ok(value) = digits.as_str().parse()
    {
        let place = start + digits.start()..end + tail_length;
        return Some(Item { content: Content::Ordinal(value), place });
    }
    let (value, decimals) = parsed(digits.as_str())?;
    let mut number = Number {
        value,
        step: 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0)),
        unit: currency,
        in_parentheses: false,
    };
    if !tail.is_empty() {
        if let Some(scale) = scale(tail, currency.is_some(), decimals > 0) {
            number.value *= scale;
            number.step *= scale;
        } else if let Some(unit) = unit::attached(tail) {
            number.unit = Some(unit);
        } else {
            // Digits that letters hang on are a name: `4B`, `2x4`.
            let place = start + digits.start()..end + tail_length;
            let content = Content::Word(word::lower(&text[place.clone()]));
            return Some(Item { content, place });
        }
        end += tail_length;
    }
    let rest = &text[end..];
    let spaces = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
    if rest[spaces..].starts_with('%') {
        number.unit = Some(Unit::PERCENT);
        end += spaces + 1;
    }
    if negative {
        number.value = -number.value;
    }
    let written = currency.is_some() || digits.as_str().contains([',', '.']);
    if group("open").is_some() && written && text[end..].starts_with(')') {
        number.in_parentheses = true;
    }
    Some(Item { content: Content::Number(number), place: place_from..end })
}

/// The value of digits with their separators, and how many digits stand behind the point.
fn parsed(digits: &str) -> Option<(f64, usize)> {
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
    let decimals = plain.split_once('.').map_or(0, |(_, behind)| behind.len());
    Some((plain.parse().ok().filter(|value: &f64| value.is_finite())?, decimals))
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
