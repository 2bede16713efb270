//! Runs of suites.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;
use toolgauge_engine::{Evaluated, Evaluation, Settings, Unobserved};
use toolgauge_report::{Summary, html};
use toolgauge_runner::{Ending, StopSignal};
use toolgauge_suite::{RandomDraw, Selection};

use crate::errors::failure;
use crate::plain_value::to_python;

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
    #[pyo3(item)]
    base_url: Option<String>,
    #[pyo3(item)]
    log_dir: PathBuf,
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
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        let ended = runtime.block_on(Box::pin(evaluation.run_watched(&signal, &Unobserved)));
        ended.map_err(|error| toolgauge_engine::with_source(&error))
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
    let Evaluated { log, ending, summary } = ended.map_err(failure)?;
    Ok(RunResult { log, complete: ending == Ending::Complete, summary })
}

fn evaluation(order: RunOrder) -> PyResult<Evaluation> {
    let mut settings = Settings::from_layers(&[]).map_err(failure)?;
    settings.run.trials = order.trials.unwrap_or(settings.run.trials);
    settings.run.concurrency = order.concurrency.unwrap_or(settings.run.concurrency);
    if let Some(base_url) = order.base_url {
        settings.server.base_url = base_url;
        // A function answers under any name.
        settings.server.any_model = true;
    }
    let draw = |size| RandomDraw { size, seed: order.seed };
    let selection = Selection {
        ids: order.cases,
        tags: order.tags,
        sample: order.sample.map(draw),
        limit: order.limit,
        ..Selection::default()
    };
    let evaluation = Evaluation::of_suite(&order.suite).map_err(failure)?;
    Ok(evaluation
        .on(&order.subject)
        .only(selection)
        .with_settings(settings)
        .logs_in(Path::new(&order.log_dir)))
}
