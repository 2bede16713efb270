//! The head of a log, written as Inspect expects it.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;
use toolgauge_core::{CaseId, Run, RunId};

use super::record::FORMAT;
use super::results::{HeaderTally, Nothing, Results, Stats};
use super::sample::EvalError;
use super::spec::GenerateConfig;
use super::wording::{Iso, model_name};
use crate::RunStatus;
use crate::archive::PackedText;

/// The text of `_journal/start.json`.
pub(crate) fn write_start(run: &Run) -> PackedText {
    let model = model_name(&run.subject);
    let start = HeaderStart { version: 2, eval: EvalSpec::of(run, &model, &[]), plan: plan() };
    PackedText::json(&start)
}

/// The text of `header.json`.
pub(crate) fn write_header(run: &Run, status: &RunStatus, tally: &HeaderTally) -> PackedText {
    let model = model_name(&run.subject);
    let dimensions: Vec<&str> = tally.dimensions(run).collect();
    let (status, error) = match status {
        RunStatus::Success => ("success", None),
        RunStatus::Cancelled => ("cancelled", None),
        RunStatus::Error { message } => ("error", Some(EvalError::new(message))),
    };
    let header = HeaderOut {
        version: 2,
        status,
        eval: EvalSpec::of(run, &model, &dimensions),
        plan: plan(),
        results: tally.results(run),
        stats: tally.stats(run, &model),
        error,
        invalidated: false,
        tags: [],
        metadata: Nothing {},
    };
    PackedText::json(&header)
}

fn plan() -> Value {
    serde_json::json!({
        "name": "plan",
        "steps": [{"solver": "generate", "params": {}, "params_passed": {}}],
        "config": {},
    })
}

#[derive(Serialize)]
struct HeaderStart<'a> {
    version: u32,
    eval: EvalSpec<'a>,
    plan: Value,
}

#[derive(Serialize)]
struct HeaderOut<'a> {
    version: u32,
    status: &'static str,
    eval: EvalSpec<'a>,
    plan: Value,
    results: Results<'a>,
    stats: Stats<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<EvalError<'a>>,
    invalidated: bool,
    tags: [&'a str; 0],
    metadata: Nothing,
}

#[derive(Serialize)]
struct EvalSpec<'a> {
    eval_id: &'a RunId,
    run_id: &'a RunId,
    created: Iso,
    task: &'a str,
    task_id: &'a RunId,
    task_version: &'a str,
    task_attribs: Nothing,
    task_args: Nothing,
    task_args_passed: Nothing,
    dataset: Dataset<'a>,
    model: &'a str,
    model_generate_config: GenerateConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_base_url: Option<&'a str>,
    model_args: Nothing,
    config: EvalConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<Revision<'a>>,
    packages: IndexMap<&'static str, &'a str>,
    metadata: EvalMetadata,
    scorers: Vec<HeaderScorer<'a>>,
}

#[derive(Serialize)]
struct Dataset<'a> {
    name: &'a str,
    samples: usize,
    sample_ids: &'a [CaseId],
    shuffled: bool,
}

#[derive(Serialize)]
struct EvalConfig {
    epochs: u32,
    fail_on_error: bool,
    log_samples: bool,
}

#[derive(Serialize)]
struct Revision<'a> {
    r#type: &'static str,
    origin: &'static str,
    commit: &'a str,
}

#[derive(Serialize)]
struct EvalMetadata {
    toolgauge: RunExtras,
}

/// The run itself, without the cases: those are the dataset's samples.
#[derive(Serialize)]
struct RunExtras {
    format: u32,
    run: Run,
}

#[derive(Serialize)]
struct HeaderScorer<'a> {
    name: &'a str,
    options: Nothing,
    metrics: [MetricName; 2],
    metadata: Nothing,
}

#[derive(Serialize)]
struct MetricName {
    name: &'static str,
    options: Nothing,
}

impl<'a> EvalSpec<'a> {
    fn of(run: &'a Run, model: &'a str, dimensions: &[&'a str]) -> Self {
        let scorer = |name, centre| HeaderScorer {
            name,
            options: Nothing {},
            metrics: [centre, "inspect_ai/stderr"]
                .map(|name| MetricName { name, options: Nothing {} }),
            metadata: Nothing {},
        };
        let scorers = run.scorers.iter().map(|name| scorer(name.as_str(), "inspect_ai/mean"));
        // A dimension is right or wrong, so Inspect's metric for letters fits it; a score is a
        // number.
        let dimensions = dimensions.iter().map(|name| scorer(name, "inspect_ai/accuracy"));
        let revision = &run.program.revision;
        Self {
            eval_id: &run.id,
            run_id: &run.id,
            created: Iso(run.created),
            task: &run.suite.name,
            task_id: &run.id,
            task_version: run.suite.version.as_deref().unwrap_or("0"),
            task_attribs: Nothing {},
            task_args: Nothing {},
            task_args_passed: Nothing {},
            dataset: Dataset {
                name: &run.suite.name,
                samples: run.cases.len(),
                sample_ids: &run.cases,
                shuffled: false,
            },
            model,
            model_generate_config: GenerateConfig::of(run),
            model_base_url: run.subject.base_url.as_deref(),
            model_args: Nothing {},
            // `fail_on_error` is off because toolgauge records a failed trial and goes on.
            config: EvalConfig { epochs: run.trials, fail_on_error: false, log_samples: true },
            revision: (!revision.is_empty()).then_some(Revision {
                r#type: "git",
                origin: "",
                commit: revision,
            }),
            packages: IndexMap::from([("toolgauge", run.program.version.as_str())]),
            metadata: EvalMetadata { toolgauge: RunExtras::of(run) },
            scorers: scorers.chain(dimensions).collect(),
        }
    }
}

impl RunExtras {
    fn of(run: &Run) -> Self {
        Self { format: FORMAT, run: run.without_cases() }
    }
}
