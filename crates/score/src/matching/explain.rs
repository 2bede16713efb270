//! What a value lacks: the losses behind a credit below 1.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{ArgumentPath, Cause, ListRule, Loss, PathStep, Pattern};

use super::lists::ScalarCounts;
use super::{Matcher, PlainLists};
use crate::scalar::JsonType;
use crate::shown;

/// Walks values beside their patterns and notes every lost point, so that the points of the
/// losses add up to what the credit lacks.
///
/// Containers are opened only when they are known to lack something. What is still to be seen
/// waits in a list, not on the stack, so that depth costs no stack beyond what giving the
/// credit takes.
pub(crate) struct Explainer<'a> {
    matcher: Matcher<'a>,
    tool: &'a str,
    /// Every place that was entered: the place it lies in, and the step from there.
    places: Vec<(PlaceIndex, PathSegment<'a>)>,
    /// What is still to be seen, the next one last.
    open: Vec<Shortfall<'a>>,
    losses: Vec<Loss>,
}

/// An index into the places; `None` is the arguments as a whole.
type PlaceIndex = Option<usize>;

#[derive(Clone, Copy)]
enum PathSegment<'a> {
    Key(&'a str),
    Index(usize),
}

/// Something that lacks so many points, or less.
struct Shortfall<'a> {
    place: PlaceIndex,
    points: f64,
    what: ShortfallKind<'a>,
}

enum ShortfallKind<'a> {
    /// A value that does not get full credit.
    Lacking(&'a Pattern, &'a Value),
    /// A loss that needs no further look.
    Lost(Cause, Option<&'a Pattern>, Option<&'a Value>),
}

impl<'a> Explainer<'a> {
    /// An explainer of calls to one tool.
    pub(crate) fn new(matcher: Matcher<'a>, tool: &'a str) -> Self {
        Self { matcher, tool, places: Vec::new(), open: Vec::new(), losses: Vec::new() }
    }

    /// The losses of arguments that did not get full credit and are worth so many points.
    pub(crate) fn arguments(
        mut self,
        expected: &'a IndexMap<String, Pattern>,
        actual: &'a Map<String, Value>,
        points: f64,
    ) -> Vec<Loss> {
        self.object(expected, actual, None, points);
        while let Some(Shortfall { place, points, what }) = self.open.pop() {
            match what {
                ShortfallKind::Lacking(pattern, value) => self.look(pattern, value, place, points),
                ShortfallKind::Lost(cause, expected, actual) => {
                    let path = self.path(place);
                    self.losses.push(Loss {
                        path,
                        expected: expected.map(shown::pattern),
                        actual: actual.map(shown::value),
                        ..Loss::new(cause, points).at_tool(self.tool)
                    });
                }
            }
        }
        self.losses
    }

    /// Looks closer at a value that does not get full credit.
    fn look(&mut self, pattern: &'a Pattern, value: &'a Value, place: PlaceIndex, points: f64) {
        match (pattern, value) {
            (Pattern::Object(expected), Value::Object(actual)) => {
                self.object(expected, actual, place, points);
            }
            (Pattern::List(items), Value::Array(values)) => match self.matcher.plain_lists {
                PlainLists::BestMatch => self.best_matches(items, values, place, points),
                PlainLists::ByRule => {
                    self.items((items, self.matcher.rules.lists), values, place, points);
                }
            },
            (Pattern::Items { items, rule }, Value::Array(values)) => {
                self.items((items, *rule), values, place, points);
            }
            (Pattern::AnyOf(patterns), _) => {
                let (best, likeness) = self.matcher.any_of(patterns, value);
                // The pattern that came nearest is what the subject most likely meant.
                if likeness.credit > 0.0 {
                    self.look(&patterns[best], value, place, points);
                } else {
                    self.mismatch(pattern, value, place, points);
                }
            }
            (Pattern::Optional(pattern), _) => self.look(pattern, value, place, points),
            _ => self.mismatch(pattern, value, place, points),
        }
    }

    fn object(
        &mut self,
        expected: &'a IndexMap<String, Pattern>,
        actual: &'a Map<String, Value>,
        place: PlaceIndex,
        points: f64,
    ) {
        let matcher = self.matcher;
        let extra = matcher.extra_keys(expected, actual).count();
        let counted = |(key, pattern): &(&String, &Pattern)| {
            actual.contains_key(*key) || !pattern.may_be_absent()
        };
        // The same count as in `Matcher::object`, or the points would not add up to the lost
        // credit.
        let part = points / as_points(extra + expected.iter().filter(counted).count());
        let mark = self.open.len();
        for (key, pattern) in expected {
            if let Some(value) = actual.get(key) {
                if matcher.value(pattern, value).credit < 1.0 {
                    let place = self.enter(place, PathSegment::Key(key));
                    self.push(place, part, ShortfallKind::Lacking(pattern, value));
                }
            } else if !pattern.may_be_absent() {
                let place = self.enter(place, PathSegment::Key(key));
                self.lose(Cause::MissingArgument, place, part, (Some(pattern), None));
            }
        }
        for (key, value) in matcher.extra_keys(expected, actual) {
            let place = self.enter(place, PathSegment::Key(key));
            self.lose(Cause::ExtraArgument, place, part, (None, Some(value)));
        }
        // The list is worked off from its end, so what was pushed first must come last.
        self.open[mark..].reverse();
    }

    fn best_matches(
        &mut self,
        items: &'a [Pattern],
        values: &'a [Value],
        place: PlaceIndex,
        points: f64,
    ) {
        let part = points / as_points(items.len());
        let table = ScalarCounts::new();
        let mark = self.open.len();
        for (index, item) in items.iter().enumerate() {
            let best = self.matcher.best_match(item, values, index, &table);
            if best.credit >= 1.0 {
                continue;
            }
            let place = self.enter(place, PathSegment::Index(index));
            if best.credit > 0.0 {
                self.push(place, part, ShortfallKind::Lacking(item, &values[best.at]));
            } else {
                self.lose(Cause::MissingItem, place, part, (Some(item), None));
            }
        }
        self.open[mark..].reverse();
    }

    /// A list held one to one against its items.
    fn items(
        &mut self,
        (items, rule): (&'a [Pattern], ListRule),
        values: &'a [Value],
        place: PlaceIndex,
        points: f64,
    ) {
        let part = points / as_points(items.len().max(values.len()));
        let mark = self.open.len();
        let mut unused = vec![true; values.len()];
        for (index, pair) in self.matcher.pairs(items, values, rule).into_iter().enumerate() {
            let item = &items[index];
            let Some((at, likeness)) = pair else {
                let place = self.enter(place, PathSegment::Index(index));
                self.lose(Cause::MissingItem, place, part, (Some(item), None));
                continue;
            };
            unused[at] = false;
            if likeness.credit < 1.0 {
                let place = self.enter(place, PathSegment::Index(index));
                self.push(place, part, ShortfallKind::Lacking(item, &values[at]));
            }
        }
        // Only items beyond the number of expected ones cost: each of the others stands in the
        // place of an item that is missing, which has cost already.
        let surplus = values.len().saturating_sub(items.len());
        let extra = unused.iter().filter(|unused| **unused).count();
        let unused = unused.iter().enumerate().filter(|(_, unused)| **unused);
        for (nth, (at, _)) in unused.enumerate() {
            let points = if nth + surplus < extra { 0.0 } else { part };
            let place = self.enter(place, PathSegment::Index(at));
            self.lose(Cause::ExtraItem, place, points, (None, Some(&values[at])));
        }
        self.open[mark..].reverse();
    }

    /// A value that a pattern does not match at all.
    fn mismatch(&mut self, pattern: &'a Pattern, value: &'a Value, place: PlaceIndex, points: f64) {
        let cause = if matches!(pattern, Pattern::Forbidden) {
            Cause::ForbiddenArgument
        } else if takes_kind(pattern, JsonType::of(value)) {
            Cause::WrongValue
        } else {
            Cause::WrongType
        };
        self.lose(cause, place, points, (Some(pattern), Some(value)));
    }

    fn lose(
        &mut self,
        cause: Cause,
        place: PlaceIndex,
        points: f64,
        (expected, actual): (Option<&'a Pattern>, Option<&'a Value>),
    ) {
        self.push(place, points, ShortfallKind::Lost(cause, expected, actual));
    }

    fn push(&mut self, place: PlaceIndex, points: f64, what: ShortfallKind<'a>) {
        self.open.push(Shortfall { place, points, what });
    }

    fn enter(&mut self, place: PlaceIndex, step: PathSegment<'a>) -> PlaceIndex {
        let entered = Some(self.places.len());
        self.places.push((place, step));
        entered
    }

    fn path(&self, place: PlaceIndex) -> ArgumentPath {
        let upwards = std::iter::successors(place, |at| self.places[*at].0);
        let mut steps: Vec<PathStep> = upwards
            .map(|at| match self.places[at].1 {
                PathSegment::Key(key) => PathStep::Key(key.to_owned()),
                PathSegment::Index(index) => PathStep::Index(index),
            })
            .collect();
        steps.reverse();
        ArgumentPath(steps)
    }
}

/// Whether a pattern could match some value of this type.
fn takes_kind(pattern: &Pattern, kind: JsonType) -> bool {
    match pattern {
        Pattern::Scalar(value) | Pattern::Exact(value) => JsonType::of(value) == kind,
        Pattern::Object(_) => kind == JsonType::Object,
        Pattern::List(_) | Pattern::Items { .. } => kind == JsonType::List,
        Pattern::Text(_) | Pattern::Regex { .. } => kind == JsonType::Text,
        Pattern::Number { .. } => kind == JsonType::Number,
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
