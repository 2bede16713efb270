//! Gates that are judged trial by trial.

use pyo3::prelude::*;
use toolgauge_report::GateCondition;
use toolgauge_stats::{Confidence, ThresholdDecision, ThresholdTest};

use crate::errors::{ToolgaugeError, hinted};

/// A gate such as `score>=0.8`, and what the trials so far say of it.
#[pyclass(module = "toolgauge")]
pub(crate) struct Gate {
    text: String,
    figure: String,
    threshold: f64,
    confidence: Confidence,
    test: ThresholdTest,
}

#[pymethods]
impl Gate {
    #[new]
    #[pyo3(signature = (condition, *, confidence=0.95))]
    fn new(condition: &str, confidence: f64) -> PyResult<Self> {
        let gate: GateCondition =
            condition.parse().map_err(|error: toolgauge_report::GateError| {
                ToolgaugeError::new_err(hinted(&error, error.hint()))
            })?;
        let refused = |why: &str, hint: &str| {
            ToolgaugeError::new_err(hinted(format!("the gate `{condition}` {why}"), hint))
        };
        let confidence = Confidence::new(confidence)
            .ok_or_else(|| refused("needs a confidence between 0 and 1", "0.95 is usual"))?;
        let (figure, threshold) = gate.least_share().ok_or_else(|| {
            refused(
                "cannot be judged trial by trial",
                "write `score>=0.8`, `right>=0.8` or a dimension such as `arguments>=0.9`",
            )
        })?;
        let test = ThresholdTest::new(threshold, confidence).ok_or_else(|| {
            refused(
                "can never be shown by trials",
                "choose a threshold between 0 and 1, such as 0.9",
            )
        })?;
        let figure = figure.to_owned();
        Ok(Self { text: condition.to_owned(), figure, threshold, confidence, test })
    }

    /// Takes in the value of the next trial.
    fn add(&mut self, value: f64) {
        self.test.add(value);
    }

    /// `passed`, `failed` or `undecided`.
    #[getter]
    fn decision(&self) -> &'static str {
        match self.test.decision() {
            ThresholdDecision::Above => "passed",
            ThresholdDecision::Below => "failed",
            ThresholdDecision::Undecided => "undecided",
        }
    }

    /// What it looks at: `score`, `pass`, `right` or a dimension.
    #[getter]
    fn figure(&self) -> &str {
        &self.figure
    }

    #[getter]
    fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The mean of the values so far.
    #[getter]
    fn mean(&self) -> Option<f64> {
        self.test.mean()
    }

    /// How many values were taken in.
    #[getter]
    fn count(&self) -> u64 {
        self.test.count()
    }

    /// How many trials it takes to pass if all of them are perfect.
    #[getter]
    fn fewest_to_pass(&self) -> Option<u64> {
        ThresholdTest::fewest_to_pass(self.threshold, self.confidence)
    }

    fn __repr__(&self) -> String {
        format!(
            "Gate({:?}, count={}, decision={:?})",
            self.text,
            self.test.count(),
            self.decision()
        )
    }
}
