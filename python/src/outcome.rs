//! Outcomes and losses as Python sees them.

use maud::html;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use toolgauge_core::{Outcome as CoreOutcome, Verdict};
use toolgauge_report::{CaseStanding, Thresholds};
use toolgauge_score::shown_value;

use crate::plain_value::to_python;

/// What a scorer says of a conversation.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Outcome {
    scorer: String,
    outcome: CoreOutcome,
}

impl Outcome {
    pub(crate) fn new(scorer: &str, outcome: CoreOutcome) -> Self {
        Self { scorer: scorer.to_owned(), outcome }
    }

    fn losses_in_core(&self) -> &[toolgauge_core::Loss] {
        self.outcome.score().map(|score| score.losses.as_slice()).unwrap_or_default()
    }
}

#[pymethods]
impl Outcome {
    /// The name of the scorer.
    #[getter]
    pub(crate) fn scorer(&self) -> &str {
        &self.scorer
    }

    /// From 0 (nothing right) to 1 (everything right); `None` if there is nothing to judge.
    #[getter]
    pub(crate) fn value(&self) -> Option<f64> {
        self.outcome.value()
    }

    /// Whether it is good enough, by the rule that reports use.
    #[getter]
    fn passed(&self) -> bool {
        let thresholds = Thresholds::of_scorer(&self.scorer, Thresholds::default());
        thresholds.standing(self.outcome.value()) == CaseStanding::Pass
    }

    /// Each dimension that was judged on its own; `None` where there is nothing to judge.
    #[getter]
    fn dimensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (dimension, verdict) in
            self.outcome.score().into_iter().flat_map(|score| &score.dimensions)
        {
            let correct = match verdict {
                Verdict::Correct => Some(true),
                Verdict::Incorrect => Some(false),
                Verdict::NotApplicable => None,
            };
            dict.set_item(dimension.as_str(), correct)?;
        }
        Ok(dict)
    }

    /// Numbers beside the value, such as precision and recall.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.outcome.score().into_iter().flat_map(|score| &score.measures) {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Every lost point.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        self.losses_in_core().iter().cloned().map(Loss).collect()
    }

    /// One or a few sentences for a person; why there is no value, if there is none.
    #[getter]
    pub(crate) fn explanation(&self) -> String {
        match &self.outcome {
            CoreOutcome::Scored(score) => score.explanation.clone(),
            CoreOutcome::Unscored(reason) => reason.to_string(),
        }
    }

    /// The outcome as logs hold it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.outcome))
    }

    fn __repr__(&self) -> String {
        let value = self.value().map_or("None".to_owned(), |value| format!("{value:.3}"));
        let passed = if self.passed() { "True" } else { "False" };
        format!("Outcome(value={value}, passed={passed}, explanation={:?})", self.explanation())
    }

    fn _repr_html_(&self) -> String {
        let value = self.value().map_or("not scored".to_owned(), |value| format!("{value:.3}"));
        let standing = if self.passed() { "passed" } else { "not passed" };
        let score = self.outcome.score();
        html! {
            p { b { (self.scorer) ": " (value) } ", " (standing) ". " (self.explanation()) }
            @if let Some(score) = score.filter(|score| !score.dimensions.is_empty()) {
                table {
                    tr { @for dimension in score.dimensions.keys() { th { (dimension) } } }
                    tr { @for verdict in score.dimensions.values() { td { (verdict.letter()) } } }
                }
            }
            @if !self.losses_in_core().is_empty() {
                table {
                    tr { th { "lost" } th { "cause" } th { "tool" } th { "where" } th { "expected" } th { "actual" } }
                    @for loss in self.losses_in_core() {
                        tr {
                            td { (format!("{:.3}", loss.points)) }
                            td { (loss.cause.words()) }
                            td { (loss.tool.as_deref().unwrap_or_default()) }
                            td { (loss.path.to_string()) }
                            td { @if let Some(value) = &loss.expected { (shown_value(value)) } }
                            td { @if let Some(value) = &loss.actual { (shown_value(value)) } }
                        }
                    }
                }
            }
        }
        .into_string()
    }
}

/// One lost point, or part of one.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Loss(toolgauge_core::Loss);

#[pymethods]
impl Loss {
    /// The name of the cause, such as `wrong_value`.
    #[getter]
    fn cause(&self) -> &'static str {
        self.0.cause.name()
    }

    /// The cause in words.
    #[getter]
    fn words(&self) -> &'static str {
        self.0.cause.words()
    }

    /// How much of the score it cost; 0 for what is reported but not counted.
    #[getter]
    fn points(&self) -> f64 {
        self.0.points
    }

    /// The tool it happened at.
    #[getter]
    fn tool(&self) -> Option<&str> {
        self.0.tool.as_deref()
    }

    /// Where in the arguments it happened: `passengers[0].name`; empty for the call as a whole.
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    /// The expected call it is about, counted from 0.
    #[getter]
    fn expected_call(&self) -> Option<usize> {
        self.0.expected_call
    }

    /// The call it is about, counted from 0 among all calls of the conversation.
    #[getter]
    fn made_call(&self) -> Option<usize> {
        self.0.made_call
    }

    /// What should have been there.
    #[getter]
    fn expected<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.expected.as_ref().map(|value| to_python(py, value)).transpose()
    }

    /// What was there.
    #[getter]
    fn actual<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.actual.as_ref().map(|value| to_python(py, value)).transpose()
    }

    fn __str__(&self) -> String {
        let mut text = self.0.cause.words().to_owned();
        if let Some(tool) = &self.0.tool {
            text = format!("{text} at `{tool}`");
        }
        if !self.0.path.is_root() {
            text = format!("{text}, `{}`", self.0.path);
        }
        if let Some(expected) = &self.0.expected {
            text = format!("{text}, expected {}", shown_value(expected));
        }
        if let Some(actual) = &self.0.actual {
            text = format!("{text}, got {}", shown_value(actual));
        }
        text
    }

    fn __repr__(&self) -> String {
        format!(
            "Loss(cause={:?}, points={}, words={:?})",
            self.0.cause.name(),
            self.0.points,
            self.__str__()
        )
    }
}
