//! Units in words beside numbers: `900 square feet`, `USD 12`.

use super::item::{Item, ItemContent};
use super::unit::{MeasureUnit, named};

/// The items, with every number taking the unit behind it, and the code of a currency before it.
pub(super) fn joined(items: &[Item]) -> Vec<Item> {
    let mut joined: Vec<Item> = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        let mut item = items[at].clone();
        at += 1;
        if let ItemContent::Number(number) = &mut item.content {
            // `$1,450 monthly` and `$1,450/month` stay money.
            let fits = |unit: MeasureUnit| number.unit.is_none_or(|own| own.is_alike(unit));
            if let Some((unit, taken)) = behind(&items[at..]).filter(|(unit, _)| fits(*unit)) {
                number.unit = Some(unit);
                item.place.end = items[at + taken - 1].place.end;
                at += taken;
            } else if number.unit.is_none()
                && let Some(ItemContent::Word(code)) = joined.last().map(|item| &item.content)
                && matches!(code.as_str(), "usd" | "eur" | "gbp" | "chf" | "jpy")
            {
                number.unit = named(code);
                item.place.start = joined.pop().map_or(item.place.start, |code| code.place.start);
            }
        }
        joined.push(item);
    }
    joined
}

/// The unit that the next words name, and how many they are: the longest name counts.
fn behind(items: &[Item]) -> Option<(MeasureUnit, usize)> {
    let mut words = Vec::new();
    for item in items.iter().take(2) {
        match &item.content {
            ItemContent::Word(word) => words.push(word.as_str()),
            // The second that a minute has sixty of is read as the one behind the first.
            ItemContent::Ordinal(2) => words.push("second"),
            _ => break,
        }
    }
    // `square feet` before `square`.
    (1..=words.len()).rev().find_map(|count| {
        let name = words[..count].join(" ");
        // Letters that stand alone are initials or the points of a list more often than units.
        (name.chars().count() > 1 || name == "%")
            .then(|| named(&name))
            .flatten()
            .map(|unit| (unit, count))
    })
}
