//! Two runs compared.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::json;
use toolgauge_engine::{last_log, sides};
use toolgauge_report::html::{self, NoLinks};
use toolgauge_report::{Comparison as CoreComparison, Terms};
use toolgauge_stats::Margin;

use crate::errors::{ToolgaugeError, engine_failure, hinted};
use crate::plain_value::to_python;
use crate::project;

/// Whether B is better than A, and how sure that is.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Comparison(CoreComparison);

#[pymethods]
impl Comparison {
    /// How much better B is than A; `None` if they share no scored trial.
    #[getter]
    fn difference(&self) -> Option<f64> {
        self.0.score.as_ref().map(|score| score.difference)
    }

    /// The 95 % interval of the difference.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.0.score.as_ref().and_then(|score| Some((score.low?, score.high?)))
    }

    /// The chance of such a difference if neither is better.
    #[getter]
    fn p_value(&self) -> Option<f64> {
        self.0.score.as_ref().map(|score| score.p_value)
    }

    /// What may be said, in a word or two: `better`, `worse`, `equivalent`, …
    #[getter]
    fn verdict(&self) -> String {
        self.0.verdict.word().to_owned()
    }

    /// Everything, as `toolgauge compare --format json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let difference = self.difference().map_or("None".to_owned(), |mean| format!("{mean:+.3}"));
        format!("Comparison(difference={difference}, verdict={:?})", self.verdict())
    }

    fn _repr_html_(&self) -> String {
        html::comparison(&self.0, &NoLinks, "differences").into_string()
    }
}

/// Compares two logs, trial by trial.
#[pyfunction]
#[pyo3(signature = (a, b, *, scorer=None, margin=None, seed=0))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a function in Python")]
pub(crate) fn compare_logs(
    py: Python<'_>,
    a: PathBuf,
    b: PathBuf,
    scorer: Option<&str>,
    margin: Option<f64>,
    seed: u64,
) -> PyResult<Comparison> {
    let margin = match margin {
        None => None,
        Some(points) => Some(Margin::new(points).ok_or_else(|| {
            let hint = "give a number above 0, such as 0.02";
            ToolgaugeError::new_err(hinted(format!("`{points}` is no margin"), hint))
        })?),
    };
    let mut terms = Terms { margin, ..Terms::default() };
    terms.resampling.seed = seed;
    py.detach(|| {
        let settings = project::settings(json!({}))?;
        let paths = last_log::named_logs(&[a, b], &settings).map_err(engine_failure)?;
        let sides = sides::read_all(&paths, scorer, &settings).map_err(engine_failure)?;
        Ok(Comparison(CoreComparison::of(&sides[0], &sides[1], &terms)))
    })
}
