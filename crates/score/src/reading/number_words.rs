//! Numbers in words: `forty-two`, `one hundred and five`, `1.2 million`, `twenty-first`.

use toolgauge_core::english;

use super::item::{Item, ItemContent};
use super::number::NumberWithUnit;

const ORDINALS: [&str; 20] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TENTHS: [&str; 8] = [
    "twentieth",
    "thirtieth",
    "fortieth",
    "fiftieth",
    "sixtieth",
    "seventieth",
    "eightieth",
    "ninetieth",
];

fn small(word: &str) -> Option<u64> {
    english::small_number(word).map(u64::from)
}

fn tens(word: &str) -> Option<u64> {
    english::ten(word).map(u64::from)
}

fn ordinal(word: &str) -> Option<u64> {
    let below = (0..).zip(ORDINALS).find(|(_, name)| *name == word).map(|(value, _)| value);
    let tenth = || (2..).zip(TENTHS).find(|(_, name)| *name == word).map(|(value, _)| value * 10);
    below.or_else(tenth)
}

fn scale(word: &str) -> Option<f64> {
    match word {
        "dozen" => Some(12.0),
        "thousand" => Some(1e3),
        "million" => Some(1e6),
        "billion" => Some(1e9),
        "trillion" => Some(1e12),
        _ => None,
    }
}

/// The items, with words that make up a number put together.
pub(super) fn joined(items: &[Item]) -> Vec<Item> {
    let mut joined = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        let (item, taken) = number_at(&items[at..]).unwrap_or_else(|| (items[at].clone(), 1));
        joined.push(item);
        at += taken;
    }
    joined
}

fn word(items: &[Item], at: usize) -> Option<&str> {
    match &items.get(at)?.content {
        ItemContent::Word(word) => Some(word),
        _ => None,
    }
}

/// The number that begins here, and how many items it takes.
fn number_at(items: &[Item]) -> Option<(Item, usize)> {
    if let (Some("half"), Some("a"), Some("dozen")) =
        (word(items, 0), word(items, 1), word(items, 2))
    {
        return Some((spanning(items, 3, ItemContent::Number(NumberWithUnit::plain(6.0))), 3));
    }
    if let ItemContent::Number(number) = items.first()?.content {
        let behind = word(items, 1)?;
        let scale = if behind == "hundred" { 1e2 } else { scale(behind)? };
        let (value, step) = (number.value * scale, number.step * scale);
        let number = NumberWithUnit { value, step, whole: None, ..number };
        return Some((spanning(items, 2, ItemContent::Number(number)), 2));
    }
    let mut words = Words { items, at: 0, total: 0.0, below: 0.0, step: 1.0 };
    let content = words.take_all()?;
    let taken = words.at;
    Some((spanning(items, taken, content), taken))
}

fn spanning(items: &[Item], taken: usize, content: ItemContent) -> Item {
    Item { content, place: items[0].place.start..items[taken - 1].place.end }
}

/// A number in words, while it is read.
struct Words<'a> {
    items: &'a [Item],
    at: usize,
    /// What is complete: thousands, millions.
    total: f64,
    /// What is below the next scale.
    below: f64,
    step: f64,
}

impl Words<'_> {
    /// Takes all words of the number, or of the ordinal it ends as.
    fn take_all(&mut self) -> Option<ItemContent> {
        // `a hundred`, `a million`.
        let article = word(self.items, 0) == Some("a");
        if article
            && word(self.items, 1).is_some_and(|next| next == "hundred" || scale(next).is_some())
        {
            self.below = 1.0;
            self.at = 1;
        } else if let Some(value) = word(self.items, 0).and_then(ordinal) {
            self.at = 1;
            return Some(ItemContent::Ordinal(value));
        } else {
            self.take_below_hundred()?;
        }
        if let Some(last) = self.take_ordinal() {
            return Some(ItemContent::Ordinal(last));
        }
        loop {
            match word(self.items, self.at) {
                Some("hundred") if self.below < 100.0 => {
                    self.below *= 100.0;
                    self.step = 100.0;
                    self.at += 1;
                    self.take_rest();
                }
                Some(next) if scale(next).is_some() && self.below > 0.0 => {
                    let scale = scale(next).unwrap_or(1.0);
                    self.total += self.below * scale;
                    self.below = 0.0;
                    self.step = scale;
                    self.at += 1;
                    self.take_rest();
                }
                _ => break,
            }
        }
        let number = NumberWithUnit::plain(self.total + self.below);
        Some(ItemContent::Number(NumberWithUnit { step: self.step, ..number }))
    }

    /// Takes what stands behind a hundred or a scale, with an `and` before it or not.
    fn take_rest(&mut self) {
        let and = usize::from(word(self.items, self.at) == Some("and"));
        self.at += and;
        if self.take_below_hundred().is_none() {
            self.at -= and;
        }
    }

    fn take_below_hundred(&mut self) -> Option<()> {
        let first = word(self.items, self.at)?;
        if let Some(value) = small(first) {
            self.add(value);
            return Some(());
        }
        let value = tens(first)?;
        self.add(value);
        if let Some(unit) =
            word(self.items, self.at).and_then(small).filter(|unit| (1..10).contains(unit))
        {
            self.add(unit);
        }
        Some(())
    }

    #[expect(clippy::cast_precision_loss, reason = "below a hundred")]
    fn add(&mut self, value: u64) {
        self.below += value as f64;
        self.step = 1.0;
        self.at += 1;
    }

    /// `twenty-first`: tens, and an ordinal below ten.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a hundred")]
    fn take_ordinal(&mut self) -> Option<u64> {
        let tens = self.below as u64;
        let value = word(self.items, self.at).and_then(ordinal).filter(|value| *value < 10)?;
        if tens < 20 || !tens.is_multiple_of(10) {
            return None;
        }
        self.at += 1;
        Some(tens + value)
    }
}
