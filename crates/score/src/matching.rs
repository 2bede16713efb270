//! How much of a pattern a value fulfils, and what is missing.
//!
//! One recursion serves every scorer. The partial scorer asks for the credit; the tool-call
//! scorer asks whether the credit is full. What differs between them is data in [`Matcher`].

mod credit;
mod explain;
mod lists;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{ArgumentRules, Pattern};

pub(crate) use self::explain::Explainer;
use crate::scalar::Equality;

/// How values are held against patterns.
#[derive(Clone, Copy, Debug)]
pub struct Matcher<'r> {
    /// How plain values are compared.
    pub(crate) rules: &'r ArgumentRules,
    /// Which scalars are the same.
    pub(crate) equality: Equality,
    /// What a plain list is credited for.
    pub(crate) plain_lists: PlainLists,
}

/// What a plain list is credited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainLists {
    /// Each expected item takes its best match, wherever it stands and however often.
    BestMatch,
    /// The items are held against each other one to one, by the expectation's rule for lists.
    ByRule,
}

/// How much of a pattern a value fulfils.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MatchDegree {
    /// From 0 to 1.
    pub(crate) credit: f64,
    /// Whether nothing is missing. A credit can be rounded up to 1 (a flaw sixty levels deep is
    /// worth less than the last bit); this cannot.
    pub(crate) full: bool,
    /// Whether a container that holds the two may call them equal. It says more than full
    /// credit (no key and no item is left over) except for `NaN`, which gets no credit and yet
    /// makes no container unequal.
    pub(crate) equal: bool,
}

impl MatchDegree {
    pub(crate) const NONE: Self = Self { credit: 0.0, full: false, equal: false };
    pub(crate) const FULL: Self = Self { credit: 1.0, full: true, equal: true };

    pub(crate) fn of(matches: bool) -> Self {
        if matches { Self::FULL } else { Self::NONE }
    }
}

impl MatchDegree {
    /// What a pair weighs when pairs are chosen: more if it is full than if it is not, however
    /// the credit is rounded.
    pub(crate) fn weight(self) -> f64 {
        if self.full { 1.0 } else { self.credit.min(1.0 - 1e-6) }
    }
}

impl<'r> Matcher<'r> {
    /// The matcher of partial credit: Python's equality, best matches in lists.
    pub(crate) fn graded(rules: &'r ArgumentRules) -> Self {
        Self { rules, equality: Equality::Python, plain_lists: PlainLists::BestMatch }
    }

    /// The matcher of right and wrong: JSON's equality, lists by the rules.
    pub fn strict(rules: &'r ArgumentRules) -> Self {
        Self { rules, equality: Equality::Json, plain_lists: PlainLists::ByRule }
    }

    /// Whether a value is all that is expected of it.
    pub fn fits(&self, expected: &Pattern, value: &Value) -> bool {
        self.value(expected, value).full
    }

    /// Whether arguments are all that is expected of them, and no more than the rules allow.
    pub fn fits_all(
        &self,
        expected: &IndexMap<String, Pattern>,
        arguments: &Map<String, Value>,
    ) -> bool {
        self.object(expected, arguments).full
    }
}
