//! The head of a log: what is known of a run before its first trial and after its last.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgauge_core::{CaseId, Program, Run, RunId, SubjectIdentity, SuiteIdentity};

use super::lenient::{Number, Text};
use super::record::FORMAT;
use super::results::{Nothing, Results, Stats, Tally};
use super::sample::EvalError;
use super::spec::GenerateConfig;
use super::wording::{Iso, model_name};
use crate::{Figure, RunStatus};

/// Appends `_journal/start.json`.
pub(crate) fn write_start(run: &Run) -> Vec<u8> {
    let model = model_name(&run.subject);
    let start = Start { version: 2, eval: EvalSpec::of(run, &model, &[]), plan: plan() };
    serde_json::to_vec(&start).expect("plain data")
}

/// Appends `header.json`.
pub(crate) fn write_header(run: &Run, status: &RunStatus, tally: &Tally) -> Vec<u8> {
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
    serde_json::to_vec(&header).expect("plain data")
}

fn plan() -> Value {
    serde_json::json!({
        "name": "plan",
        "steps": [{"solver": "generate", "params": {}, "params_passed": {}}],
        "config": {},
    })
}

#[derive(Serialize)]
struct Start<'a> {
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
    config: Config,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<Revision<'a>>,
    packages: IndexMap<&'static str, &'a str>,
    metadata: EvalMetadata,
    scorers: Vec<Scorer<'a>>,
}

#[derive(Serialize)]
struct Dataset<'a> {
    name: &'a str,
    samples: usize,
    sample_ids: &'a [CaseId],
    shuffled: bool,
}

#[derive(Serialize)]
struct Config {
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
struct Scorer<'a> {
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
        let scorer = |name, centre| Scorer {
            name,
            options: Nothing {},
            metrics: [centre, "inspect_ai/stderr"]
                .map(|name| MetricName { name, options: Nothing {} }),
            metadata: Nothing {},
        };
        let scorers = run.scorers.iter().map(|name| scorer(name.as_str(), "inspect_ai/mean"));
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
            config: Config { epochs: run.trials, fail_on_error: false, log_samples: true },
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
        Self { format: FORMAT, run: Run { cases: Vec::new(), ..run.clone() } }
    }
}

/// The head of a log as read, of whatever origin.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) run: Arc<Run>,
    /// Whether toolgauge wrote the log.
    pub(crate) own: bool,
    /// How the run ended; `None` while it has not.
    pub(crate) status: Option<RunStatus>,
    /// The figures.
    pub(crate) figures: Vec<Figure>,
    /// How many trials are in the log, so far as the header says.
    pub(crate) completed: Option<usize>,
}

/// Reads `header.json` or `_journal/start.json`.
pub(crate) fn read_header(text: &[u8]) -> serde_json::Result<Header> {
    let record: HeaderRecord = serde_json::from_slice(text)?;
    let status = match record.status.as_deref() {
        Some("success") => Some(RunStatus::Success),
        Some("cancelled") => Some(RunStatus::Cancelled),
        Some("error") => {
            let message = record.error.map(|error| error.message).unwrap_or_default();
            Some(RunStatus::Error { message })
        }
        _ => None,
    };
    let results = record.results.unwrap_or_default();
    let figures = results.scores.into_iter().flat_map(|score| {
        let metrics = score.metrics.into_iter();
        metrics.filter_map(move |(metric, figure)| {
            Some(Figure { score: score.name.clone(), metric, value: figure.value.0? })
        })
    });
    Ok(Header {
        own: record.eval.metadata.as_ref().is_some_and(|metadata| metadata.toolgauge.is_some()),
        figures: figures.collect(),
        completed: results.completed_samples,
        run: Arc::new(record.eval.into_run()),
        status,
    })
}

#[derive(Debug, Deserialize)]
struct HeaderRecord {
    #[serde(default)]
    status: Option<String>,
    eval: EvalRecord,
    #[serde(default)]
    results: Option<ResultsRecord>,
    #[serde(default)]
    error: Option<ErrorRecord>,
}

#[derive(Debug, Deserialize)]
struct ErrorRecord {
    #[serde(default)]
    message: String,
}

#[derive(Debug, Default, Deserialize)]
struct ResultsRecord {
    #[serde(default)]
    completed_samples: Option<usize>,
    #[serde(default)]
    scores: Vec<ScoreFigures>,
}

#[derive(Debug, Deserialize)]
struct ScoreFigures {
    #[serde(default)]
    name: String,
    #[serde(default)]
    metrics: IndexMap<String, FigureRecord>,
}

#[derive(Debug, Deserialize)]
struct FigureRecord {
    #[serde(default)]
    value: Number,
}

#[derive(Debug, Deserialize)]
struct EvalRecord {
    #[serde(default)]
    eval_id: Option<String>,
    #[serde(default)]
    run_id: Option<String>,
    #[serde(default)]
    created: Option<Text>,
    #[serde(default)]
    task: String,
    #[serde(default)]
    task_version: Option<Text>,
    #[serde(default)]
    dataset: DatasetRecord,
    #[serde(default)]
    model: String,
    #[serde(default)]
    model_base_url: Option<String>,
    #[serde(default)]
    config: ConfigRecord,
    #[serde(default)]
    metadata: Option<EvalMetadataRecord>,
    #[serde(default)]
    scorers: Option<Vec<ScorerRecord>>,
}

#[derive(Debug, Default, Deserialize)]
struct DatasetRecord {
    #[serde(default)]
    samples: Option<usize>,
    #[serde(default)]
    sample_ids: Option<Vec<Text>>,
}

#[derive(Debug, Default, Deserialize)]
struct ConfigRecord {
    #[serde(default)]
    epochs: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct ScorerRecord {
    #[serde(default)]
    name: String,
}

#[derive(Debug, Deserialize)]
struct EvalMetadataRecord {
    #[serde(default)]
    toolgauge: Option<RunExtrasRecord>,
}

#[derive(Debug, Deserialize)]
struct RunExtrasRecord {
    run: Run,
}

impl EvalRecord {
    fn into_run(self) -> Run {
        let ids = self.dataset.sample_ids.unwrap_or_default();
        let cases: Vec<_> = ids.into_iter().map(|id| CaseId::new(id.0)).collect();
        let id = self.run_id.filter(|id| !id.is_empty()).or(self.eval_id).unwrap_or_default();
        let id = RunId::new(id);
        let trials = self.config.epochs.unwrap_or(1);
        if let Some(own) = self.metadata.and_then(|metadata| metadata.toolgauge) {
            return Run { cases, ..own.run };
        }
        let created = self.created.and_then(|created| created.0.parse().ok());
        let scorers = self.scorers.unwrap_or_default();
        Run {
            id,
            created: created.unwrap_or(Timestamp::UNIX_EPOCH),
            suite: SuiteIdentity {
                name: self.task,
                version: self.task_version.map(|version| version.0),
                hash: String::new(),
                size: self.dataset.samples.unwrap_or(cases.len()),
            },
            subject: SubjectIdentity {
                name: self.model,
                provider: "inspect".into(),
                base_url: self.model_base_url,
            },
            variant: None,
            cases,
            trials,
            scorers: scorers.into_iter().map(|scorer| scorer.name).collect(),
            system_prompt: None,
            tools: Vec::new(),
            settings: Map::new(),
            floor: None,
            program: Program::default(),
        }
    }
}
