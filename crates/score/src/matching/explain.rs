//! What a value lacks: the losses behind a credit below 1.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{ArgumentPath, Cause, ListRule, Loss, PathStep, Pattern};

use super::credit::Table;
use super::{Matcher, PlainLists, may_be_absent};
use crate::scalar::Kind;

/// Walks a value beside its pattern and notes every lost point, so that the points of the
/// losses add up to what the credit lacks.
pub(crate) struct Explainer<'a> {
    matcher: Matcher<'a>,
    tool: &'a str,
    path: Vec<PathStep>,
    losses: Vec<Loss>,
}

impl<'a> Explainer<'a> {
    /// An explainer of calls to one tool.
    pub(crate) fn new(matcher: Matcher<'a>, tool: &'a str) -> Self {
        Self { matcher, tool, path: Vec::new(), losses: Vec::new() }
    }

    /// The losses of arguments that are worth so many points.
    pub(crate) fn arguments(
        mut self,
        expected: &IndexMap<String, Pattern>,
        actual: &Map<String, Value>,
        points: f64,
    ) -> Vec<Loss> {
        self.object(expected, actual, points);
        self.losses
    }

    /// Notes what `value` lacks of `pattern`, which is worth so many points, and says whether
    /// the two are equal.
    ///
    /// Python's equality of containers is known only after their parts have been seen, hence the
    /// losses of the parts are taken back when the whole turns out to be equal.
    fn value(&mut self, pattern: &Pattern, value: &Value, points: f64) -> bool {
        match (pattern, value) {
            (Pattern::Object(expected), Value::Object(actual)) => {
                self.object(expected, actual, points)
            }
            (Pattern::List(items), Value::Array(values)) => match self.matcher.plain_lists {
                PlainLists::BestMatch => self.best_matches(items, values, points),
                PlainLists::ByRule => self.items(items, values, self.matcher.rules.lists, points),
            },
            (Pattern::Items { items, rule }, Value::Array(values)) => {
                self.items(items, values, *rule, points)
            }
            (Pattern::AnyOf(patterns), _) => self.any_of(pattern, patterns, value, points),
            (Pattern::Optional(pattern), _) => self.value(pattern, value, points),
            _ => self.leaf(pattern, value, points),
        }
    }

    fn leaf(&mut self, pattern: &Pattern, value: &Value, points: f64) -> bool {
        let likeness = self.matcher.value(pattern, value);
        if !likeness.full {
            let cause = mismatch(pattern, value);
            self.note(cause, points, Some(pattern), Some(value));
        }
        likeness.equal
    }

    fn object(
        &mut self,
        expected: &IndexMap<String, Pattern>,
        actual: &Map<String, Value>,
        points: f64,
    ) -> bool {
        let matcher = self.matcher;
        let extra = matcher.extra_keys(expected, actual).count();
        let counted = |(key, pattern): &(&String, &Pattern)| {
            actual.contains_key(*key) || !may_be_absent(pattern)
        };
        let part = points / as_points(extra + expected.iter().filter(counted).count());
        let mark = self.losses.len();
        let mut equal = expected.len() == actual.len();
        for (key, pattern) in expected {
            self.path.push(PathStep::Key(key.clone()));
            equal &= match actual.get(key) {
                Some(value) => self.value(pattern, value, part),
                None if may_be_absent(pattern) => false,
                None => self.note(Cause::MissingArgument, part, Some(pattern), None),
            };
            self.path.pop();
        }
        for (key, value) in matcher.extra_keys(expected, actual) {
            self.path.push(PathStep::Key(key.clone()));
            self.note(Cause::ExtraArgument, part, None, Some(value));
            self.path.pop();
        }
        self.close(mark, equal)
    }

    fn best_matches(&mut self, items: &[Pattern], values: &[Value], points: f64) -> bool {
        let matcher = self.matcher;
        let mark = self.losses.len();
        if items.is_empty() && !values.is_empty() {
            let surplus = Value::Array(values.to_vec());
            self.note(Cause::ExtraItem, points, Some(&Pattern::List(Vec::new())), Some(&surplus));
            return false;
        }
        let part = points / as_points(items.len());
        let table = Table::new();
        let mut equal = items.len() == values.len();
        for (place, item) in items.iter().enumerate() {
            let best = matcher.best_match(item, values, place, &table);
            equal &= best.equal_in_place;
            self.path.push(PathStep::Index(place));
            if best.credit <= 0.0 {
                self.note(Cause::MissingItem, part, Some(item), None);
            } else if best.credit < 1.0 {
                self.value(item, &values[best.at], part);
            }
            self.path.pop();
        }
        self.close(mark, equal)
    }

    fn items(&mut self, items: &[Pattern], values: &[Value], rule: ListRule, points: f64) -> bool {
        let mark = self.losses.len();
        let part = points / as_points(items.len().max(values.len()));
        let pairs = self.matcher.pairs(items, values, rule);
        let mut equal = items.len() == values.len();
        let mut unused = vec![true; values.len()];
        for (place, (item, at)) in items.iter().zip(&pairs).enumerate() {
            self.path.push(PathStep::Index(place));
            equal &= match *at {
                Some(at) => {
                    unused[at] = false;
                    self.value(item, &values[at], part)
                }
                None => self.note(Cause::MissingItem, part, Some(item), None),
            };
            self.path.pop();
        }
        self.extra_items(values, &unused, (items.len(), part));
        self.close(mark, equal)
    }

    /// Notes the items nobody asked for. Only those beyond the number of expected items cost:
    /// each of the others stands in the place of an item that is missing, which has cost.
    fn extra_items(&mut self, values: &[Value], unused: &[bool], (wanted, part): (usize, f64)) {
        let surplus = values.len().saturating_sub(wanted);
        let extra = unused.iter().filter(|unused| **unused).count();
        let unused = unused.iter().enumerate().filter(|(_, unused)| **unused);
        for (nth, (at, _)) in unused.enumerate() {
            let points = if nth + surplus < extra { 0.0 } else { part };
            self.path.push(PathStep::Index(at));
            self.note(Cause::ExtraItem, points, None, Some(&values[at]));
            self.path.pop();
        }
    }

    fn any_of(
        &mut self,
        pattern: &Pattern,
        patterns: &[Pattern],
        value: &Value,
        points: f64,
    ) -> bool {
        let (best, likeness) = self.matcher.any_of(patterns, value);
        if likeness.credit > 0.0 {
            self.value(&patterns[best], value, points);
        } else {
            self.note(mismatch(pattern, value), points, Some(pattern), Some(value));
        }
        likeness.equal
    }

    /// Notes a loss at the present place. Always false: what is lost is not equal.
    fn note(
        &mut self,
        cause: Cause,
        points: f64,
        expected: Option<&Pattern>,
        actual: Option<&Value>,
    ) -> bool {
        self.losses.push(Loss {
            cause,
            points,
            tool: Some(self.tool.to_owned()),
            path: ArgumentPath(self.path.clone()),
            expected: expected.map(|pattern| Value::from(pattern.clone())),
            actual: actual.cloned(),
        });
        false
    }

    /// Takes the losses of the parts back if the whole is equal.
    fn close(&mut self, mark: usize, equal: bool) -> bool {
        if equal {
            self.losses.truncate(mark);
        }
        equal
    }
}

/// What is wrong with a value that a pattern does not match at all.
fn mismatch(pattern: &Pattern, value: &Value) -> Cause {
    if matches!(pattern, Pattern::Forbidden) {
        Cause::ForbiddenArgument
    } else if takes_kind(pattern, Kind::of(value)) {
        Cause::WrongValue
    } else {
        Cause::WrongType
    }
}

/// Whether a pattern could match some value of this type.
fn takes_kind(pattern: &Pattern, kind: Kind) -> bool {
    match pattern {
        Pattern::Scalar(value) | Pattern::Exact(value) => Kind::of(value) == kind,
        Pattern::Object(_) => kind == Kind::Object,
        Pattern::List(_) | Pattern::Items { .. } => kind == Kind::List,
        Pattern::Text(_) | Pattern::Regex(_) => kind == Kind::Text,
        Pattern::Number { .. } => kind == Kind::Number,
        Pattern::AnyOf(patterns) => patterns.iter().any(|pattern| takes_kind(pattern, kind)),
        Pattern::Optional(pattern) => takes_kind(pattern, kind),
        Pattern::Forbidden | Pattern::Anything => true,
    }
}

fn as_points(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let count = count.max(1) as f64;
    count
}
