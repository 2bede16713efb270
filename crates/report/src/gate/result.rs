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
    /// Whether the run meets it, whatever the trials that failed would have brought.
    pub passed: bool,
    /// Whether it is open: the run meets it by the trials that were scored, or has none, and would
    /// not if those that failed had gone badly.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undecided: bool,
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
    /// By how much it fell short; 0 when it passed or is not decided.
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
        self.undecided = false;
        self.message = format!("the run is unfinished; so far {}", self.message);
        self
    }

    /// The same of a run that meets the gate only without the trials that failed.
    #[must_use]
    pub(super) fn undecided_by(mut self, failed: &str) -> Self {
        self.passed = false;
        self.undecided = true;
        // What a perfect run shows is no help here.
        let found = self.message.split(" (").next().unwrap_or_default();
        self.message = format!("{failed}, and at their worst the gate fails; without them {found}");
        self
    }

    /// How it came out, in a word or two.
    pub(crate) fn word(&self) -> &'static str {
        match (self.passed, self.undecided) {
            (true, _) => "pass",
            (false, true) => "not decided",
            (false, false) => "fail",
        }
    }

    /// How several came out, in words for the head of a report; `None` without gates.
    pub(crate) fn verdict(gates: &[Self]) -> Option<String> {
        let count = |is: fn(&Self) -> bool| gates.iter().filter(|gate| is(gate)).count();
        let failed = count(|gate| !gate.passed && !gate.undecided);
        let undecided = count(|gate| gate.undecided);
        Some(match (failed, undecided, gates.len()) {
            (_, _, 0) => return None,
            (0, 0, 1) => "passes its gate".to_owned(),
            (0, 0, _) => "passes its gates".to_owned(),
            (0, _, 1) => "its gate is not decided".to_owned(),
            (0, undecided, all) => format!("{undecided} of {all} gates not decided"),
            (_, _, 1) => "fails its gate".to_owned(),
            (failed, _, all) => format!("fails {failed} of {all} gates"),
        })
    }
}
