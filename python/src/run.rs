//! Runs of suites.

use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;
use toolgauge_engine::settings::Protocol;
use toolgauge_engine::{EngineError, Evaluated, Evaluation, Unobserved};
use toolgauge_report::{Summary, html};
use toolgauge_runner::{Ending, StopSignal};
use toolgauge_suite::{RandomDraw, Selection};

use crate::errors::{engine_failure, failure};
use crate::plain_value::to_python;
use crate::project;

/// What a run came to.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct RunResult {
    /// The log of the run.
    #[pyo3(get)]
    log: PathBuf,
    /// Whether every trial was run.
    #[pyo3(get)]
    complete: bool,
    summary: Summary,
}

#[pymethods]
impl RunResult {
    /// The mean score; `None` if nothing was scored.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.summary.score.map(|score| score.mean)
    }

    /// The 95 % interval of the score.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.summary.score.map(|score| (score.low, score.high))
    }

    /// Every figure, as `toolgauge summary --format json` prints them.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.summary))
    }

    fn __str__(&self) -> String {
        self.summary.to_string()
    }

    fn __repr__(&self) -> String {
        let score = self.score().map_or("None".to_owned(), |score| format!("{score:.3}"));
        format!("RunResult(score={score}, trials={}, log={:?})", self.summary.trials, self.log)
    }

    fn _repr_html_(&self) -> String {
        let figures = html::score_cards(&self.summary).into_string();
        format!("{figures}{}", html::dimensions(&self.summary, &html::NoLinks).into_string())
    }
}

/// What is run, as `toolgauge.run` puts it together.
#[derive(FromPyObject)]
pub(crate) struct RunOrder {
    #[pyo3(item)]
    suite: String,
    #[pyo3(item)]
    subject: String,
    /// Where the model is.
    #[pyo3(item)]
    base_url: Option<String>,
    /// Whether a Python function answers.
    #[pyo3(item)]
    is_function: bool,
    /// Settings in the form of `toolgauge.toml`, as JSON.
    #[pyo3(item)]
    settings: String,
    #[pyo3(item)]
    log_dir: Option<PathBuf>,
    #[pyo3(item)]
    cases: Vec<String>,
    #[pyo3(item)]
    tags: Vec<(String, String)>,
    #[pyo3(item)]
    sample: Option<usize>,
    #[pyo3(item)]
    limit: Option<usize>,
    #[pyo3(item)]
    trials: Option<u32>,
    #[pyo3(item)]
    concurrency: Option<usize>,
    #[pyo3(item)]
    seed: u64,
}

/// Runs a suite on a subject.
#[pyfunction]
pub(crate) fn run_suite(py: Python<'_>, order: RunOrder) -> PyResult<RunResult> {
    let evaluation = py.detach(|| evaluation(order))?;
    let stop = StopSignal::default();
    let signal = stop.clone();
    // On a thread of its own: this one must be free to notice Ctrl-C, and to let the Python function
    // answer that is being measured.
    let running = std::thread::spawn(move || {
        let runtime = Runtime::new().map_err(|error| EngineError::run_stopped(&error))?;
        runtime.block_on(Box::pin(evaluation.run_watched(&signal, &Unobserved)))
    });
    let mut interrupted = None;
    while !running.is_finished() {
        py.detach(|| std::thread::sleep(Duration::from_millis(20)));
        if let Err(signal) = py.check_signals() {
            stop.gently.cancel();
            stop.now.cancel();
            interrupted = Some(signal);
        }
    }
    let ended = py.detach(|| running.join()).map_err(|_| failure("the run panicked"))?;
    if let Some(signal) = interrupted {
        return Err(signal);
    }
    let Evaluated { log, ending, summary } = ended.map_err(engine_failure)?;
    Ok(RunResult { log, complete: ending == Ending::Complete, summary })
}

fn evaluation(order: RunOrder) -> PyResult<Evaluation> {
    let evaluation = Evaluation::of_suite(&order.suite).map_err(engine_failure)?;
    let mut settings = project::settings(serde_json::from_str(&order.settings).map_err(failure)?)?;
    let usual = evaluation.suite().trials.max(settings.run.trials);
    settings.run.trials = order.trials.unwrap_or(usual);
    settings.run.concurrency = order.concurrency.unwrap_or(settings.run.concurrency);
    if let Some(folder) = order.log_dir {
        settings.run.log_dir = folder.display().to_string();
    }
    if let Some(base_url) = order.base_url {
        settings.server.base_url = base_url.into();
    }
    if order.is_function {
        // It answers under any name. What it does may not be repeated: it would do it twice, and its
        // failures would vanish from the figures.
        settings.server.protocol = Protocol::OpenAi;
        settings.server.any_model = true;
        settings.limits.retries = 0;
    }
    let draw = |size| RandomDraw { size, seed: order.seed };
    let selection = Selection {
        ids: order.cases,
        tags: order.tags,
        sample: order.sample.map(draw),
        limit: order.limit,
        ..Selection::default()
    };
    Ok(evaluation.on(&order.subject).only(selection).with_settings(settings))
}
