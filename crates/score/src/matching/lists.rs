//! The credit of lists: best matches, or one to one.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;

use serde_json::Value;
use toolgauge_core::{ListRule, Pattern, TextRule};

use super::credit::mean;
use super::{MatchDegree, Matcher};
use crate::assignment;
use crate::scalar::ScalarKey;
use crate::text;

/// Lists longer than this are searched by a table; below it a scan is faster.
const SCANNED: usize = 16;

/// The scalars of a list by what they are equal to, made when first needed.
pub(super) type ScalarCounts<'v> = OnceCell<HashSet<ScalarKey<'v>>>;

/// The best match of an expected item in a list.
pub(super) struct BestMatch {
    /// Where it stands; of no meaning when the credit is 0 or 1.
    pub(super) at: usize,
    pub(super) credit: f64,
    /// Whether the value at the item's own place is equal to it.
    pub(super) equal_in_place: bool,
}

/// How many likenesses of a list are looked at, and remembered, while its items are paired. Of a
/// list so long that there would be more, only the first values are paired; each of those behind
/// would be one too many in any case.
const REMEMBERED: usize = 1 << 20;

impl Matcher<'_> {
    /// The mean over the expected items of each one's best credit.
    pub(super) fn best_matches(&self, items: &[Pattern], values: &[Value]) -> MatchDegree {
        if items.is_empty() {
            // Nothing is expected, so that nothing can be missing, just as with an empty object.
            return MatchDegree { equal: values.is_empty(), ..MatchDegree::FULL };
        }
        let table = ScalarCounts::new();
        let mut equal = items.len() == values.len();
        let mut full = true;
        let mut credit = 0.0;
        for (place, item) in items.iter().enumerate() {
            let best = self.best_match(item, values, place, &table);
            equal &= best.equal_in_place;
            full &= best.credit >= 1.0;
            credit += best.credit;
        }
        MatchDegree { credit: mean(credit, items.len()), full, equal }.of_container()
    }

    /// The best match of an expected item, at its own place if that is as good as any.
    pub(super) fn best_match<'v>(
        &self,
        item: &Pattern,
        values: &'v [Value],
        place: usize,
        table: &ScalarCounts<'v>,
    ) -> BestMatch {
        let here = values.get(place).map_or(MatchDegree::NONE, |value| self.value(item, value));
        let mut best = BestMatch { at: place, credit: here.credit, equal_in_place: here.equal };
        if here.full {
            return best;
        }
        if let Some(found) = self.look_up(item, values, table) {
            best.credit = if found { 1.0 } else { 0.0 };
            return best;
        }
        for (at, value) in values.iter().enumerate().filter(|(at, _)| *at != place) {
            let credit = self.value(item, value).credit;
            if credit > best.credit {
                (best.at, best.credit) = (at, credit);
            }
            if credit >= 1.0 {
                break;
            }
        }
        best
    }

    /// Whether a scalar is in a long list; `None` where only a scan can tell.
    fn look_up<'v>(
        &self,
        item: &Pattern,
        values: &'v [Value],
        table: &ScalarCounts<'v>,
    ) -> Option<bool> {
        let Pattern::Scalar(expected) = item else { return None };
        // With a tolerance equal is not an equivalence, so no table of keys can answer.
        if values.len() <= SCANNED || self.rules.tolerance > 0.0 {
            return None;
        }
        let table = table.get_or_init(|| values.iter().filter_map(|v| self.key(v)).collect());
        let key = self.key(expected)?;
        // NaN is equal to nothing, itself included.
        Some(key != ScalarKey::NaN && table.contains(&key))
    }

    /// The key of a scalar under the rules for text; `None` for lists and objects.
    fn key<'v>(&self, value: &'v Value) -> Option<ScalarKey<'v>> {
        match ScalarKey::of(value, self.equality)? {
            ScalarKey::Text(text) if self.rules.text == TextRule::Loose => {
                Some(ScalarKey::Text(text::fold(&text).into()))
            }
            key => Some(key),
        }
    }

    /// The credit of a list held one to one against its items.
    pub(super) fn items(&self, items: &[Pattern], values: &[Value], rule: ListRule) -> MatchDegree {
        let slots = items.len().max(values.len());
        let mut equal = items.len() == values.len();
        let mut full = equal;
        let mut credit = 0.0;
        for pair in self.pairs(items, values, rule) {
            let likeness = pair.map_or(MatchDegree::NONE, |(_, likeness)| likeness);
            credit += likeness.credit;
            full &= likeness.full;
            equal &= likeness.equal;
        }
        MatchDegree { credit: mean(credit, slots), full, equal }.of_container()
    }

    /// Which value each item is held against, and how like it is.
    pub(super) fn pairs(
        &self,
        items: &[Pattern],
        values: &[Value],
        rule: ListRule,
    ) -> Vec<Option<(usize, MatchDegree)>> {
        let most = match rule {
            ListRule::Set => items.len().max(REMEMBERED / items.len().max(1)),
            ListRule::Ordered => values.len(),
        };
        let values = &values[..values.len().min(most)];
        // Each pair must be compared once and no more: comparing twice at every level of nested
        // lists would take time exponential in their depth.
        let cells = items.len().saturating_mul(values.len());
        let remembered = match rule {
            ListRule::Set if cells <= REMEMBERED => vec![Cell::new(None); cells],
            _ => Vec::new(),
        };
        let likeness = |item: usize, at: usize| {
            let cell = remembered.get(item * values.len() + at);
            cell.and_then(Cell::get).unwrap_or_else(|| {
                let likeness = self.value(&items[item], &values[at]);
                cell.inspect(|cell| cell.set(Some(likeness)));
                likeness
            })
        };
        let in_place = |at: usize| (at < values.len()).then(|| (at, likeness(at, at)));
        let fits = |at: usize| at < values.len() && likeness(at, at).full;
        // Lists in the same order are common, and need no assignment.
        if rule == ListRule::Ordered || (0..items.len()).all(fits) {
            return (0..items.len()).map(in_place).collect();
        }
        let weight = |item: usize, at: usize| likeness(item, at).weight();
        let pairs = assignment::pair(items.len(), values.len(), weight).into_iter().enumerate();
        pairs
            .map(|(item, at)| at.map(|at| (at, likeness(item, at))))
            // The assignment pairs everything; a pair without credit is a missing item and a
            // further one.
            .map(|pair| pair.filter(|(_, likeness)| likeness.credit > 0.0))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::ArgumentRules;

    use super::*;

    #[test]
    fn a_very_long_list_is_held_against_a_set_in_time() {
        let start = std::time::Instant::now();
        let item = |n: usize| {
            let entry = ("n".to_owned(), Pattern::Scalar(json!(n)));
            Pattern::Object([entry].into_iter().collect())
        };
        let items: Vec<Pattern> = (0..300).map(item).collect();
        // All items are there, at the beginning and in another order, before 200,000 others.
        let values: Vec<Value> = (0..200_000).rev().map(|n| json!({"n": n + 300})).collect();
        let mut values: Vec<Value> =
            (0..300).rev().map(|n| json!({"n": n})).chain(values).collect();
        let rules = ArgumentRules::default();
        let likeness = Matcher::strict(&rules).items(&items, &values, ListRule::Set);
        assert!((likeness.credit - 300.0 / 200_300.0).abs() < 1e-9, "{likeness:?}");
        values.reverse();
        let late = Matcher::strict(&rules).items(&items, &values, ListRule::Set);
        assert!(late.credit < likeness.credit && !late.full, "{late:?}");
        // Comparing all with all took minutes.
        assert!(start.elapsed() < std::time::Duration::from_mins(1), "{:?}", start.elapsed());
    }
}
