//! What a gate is judged on, and what came of it.

use serde::Serialize;

use crate::compare::{Flip, RunSide, Terms};

/// What a gate is judged on.
#[derive(Clone, Copy, Debug)]
pub struct GateMatter<'a> {
    /// The run that must meet it.
    pub run: &'a RunSide,
    /// The run it is compared with, if there is one.
    pub against: Option<&'a RunSide>,
    /// Whether the point counts in place of the interval.
    pub point: bool,
    /// How unscored trials count, and how chance is simulated.
    pub terms: Terms,
}

/// What came of a gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateResult {
    /// The gate, as it was written.
    pub gate: String,
    /// The suite of the run.
    pub suite: String,
    /// Who was measured.
    pub subject: String,
    /// The run it was judged on.
    pub run: String,
    /// Whether the run meets it.
    pub passed: bool,
    /// What was found: the figure, or the difference to the other run.
    pub found: Option<f64>,
    /// The lower end of its interval, where it has one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number that decided: an end of the interval, the point, or for `no-regression` without
    /// a margin the one-sided p-value.
    pub judged: Option<f64>,
    /// The number it had to keep to.
    pub threshold: f64,
    /// By how much it fell short; 0 when it passed.
    pub short_by: f64,
    /// What a perfect run of this size shows: the end of its interval that would be held against
    /// the threshold. Only of scores by their interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perfect: Option<f64>,
    /// What was found, in words.
    pub message: String,
    /// How many cases the run broke, where it was compared with another one.
    pub broken: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_cases: Vec<Flip>,
}

impl GateResult {
    /// The same of a run that was interrupted: the trials that it lacks might have failed it.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.passed = false;
        self.message = format!("the run is unfinished; so far {}", self.message);
        self
    }
}
