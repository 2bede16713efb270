//! The head of a log, read: what is known of a run before its first trial and after its last.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, json};
use toolgauge_core::{CaseId, Program, Run, RunEntry, RunId, SubjectIdentity, SuiteIdentity};

use super::lenient::{LenientNumber, Text};
use crate::{HeaderFigure, RunStatus};

/// The head of a log as read, of whatever origin.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) run: Arc<Run>,
    /// Whether toolgauge wrote the log.
    pub(crate) own: bool,
    /// How the run ended; `None` while it has not.
    pub(crate) status: Option<RunStatus>,
    /// What the header says of scores, if anything.
    pub(crate) figures: Vec<HeaderFigure>,
    /// How many trials are in the log, so far as the header says.
    pub(crate) completed: Option<usize>,
}

/// Reads `header.json` or `_journal/start.json`.
pub(crate) fn read_header(text: &str) -> serde_json::Result<Header> {
    let record: HeaderRecord = serde_json::from_str(text)?;
    let status = match record.status.as_deref() {
        Some("success") => Some(RunStatus::Success),
        Some("cancelled") => Some(RunStatus::Cancelled),
        Some("error") => {
            let message = record.error.map(|error| error.message).unwrap_or_default();
            Some(RunStatus::Error { message })
        }
        // `started` is what a log says while its run goes on.
        _ => None,
    };
    let results = record.results.unwrap_or_default();
    let figures: Vec<HeaderFigure> =
        results.scores.into_iter().flat_map(ScoreFigures::into_figures).collect();
    let own = record.eval.metadata.as_ref().is_some_and(|metadata| metadata.toolgauge.is_some());
    let mut run = record.eval.into_run();
    if !own {
        add_recorded(&mut run, &figures);
    }
    Ok(Header { own, figures, completed: results.completed_samples, run: Arc::new(run), status })
}

/// Adds what the figures of another program tell about its run.
fn add_recorded(run: &mut Run, figures: &[HeaderFigure]) {
    // Before version 0.3.58 Inspect named its scorers nowhere else.
    if run.scorers.is_empty() {
        let names: IndexSet<&String> = figures.iter().map(|figure| &figure.scorer).collect();
        run.scorers = names.into_iter().cloned().collect();
    }
    // Those that are means of the samples can be computed again and compared.
    let means: Vec<&HeaderFigure> =
        figures.iter().filter(|figure| matches!(&*figure.metric, "mean" | "accuracy")).collect();
    if !means.is_empty() {
        RunEntry::RecordedFigures.put(&mut run.settings, json!(means));
    }
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

/// Why a run or a sample failed, as Inspect records it.
#[derive(Debug, Deserialize)]
pub(super) struct ErrorRecord {
    #[serde(default)]
    pub(super) message: String,
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
    scorer: String,
    #[serde(default)]
    reducer: Option<String>,
    #[serde(default)]
    metrics: IndexMap<String, FigureRecord>,
}

impl ScoreFigures {
    fn into_figures(self) -> impl Iterator<Item = HeaderFigure> {
        let Self { name, scorer, reducer, metrics } = self;
        metrics.into_iter().filter_map(move |(metric, figure)| {
            Some(HeaderFigure {
                score: name.clone(),
                scorer: if scorer.is_empty() { name.clone() } else { scorer.clone() },
                reducer: reducer.clone(),
                metric,
                value: figure.value.0?,
            })
        })
    }
}

#[derive(Debug, Deserialize)]
struct FigureRecord {
    #[serde(default)]
    value: LenientNumber,
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
        let cases: Arc<[CaseId]> = ids.into_iter().map(|id| CaseId::new(id.0)).collect();
        // Several evaluations may share a run; only where no run is named does the evaluation's own
        // identifier serve.
        let id = self.run_id.filter(|id| !id.is_empty()).or(self.eval_id).unwrap_or_default();
        let id = RunId::new(id);
        let trials = self.config.epochs.unwrap_or(1);
        // The run as toolgauge wrote it, but for its cases, which stand where Inspect looks for
        // them and are not written twice.
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
            server: None,
            warnings: Vec::new(),
            max_tokens: None,
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
