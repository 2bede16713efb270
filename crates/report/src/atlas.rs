//! Results of other tools side by side: which recorded verdicts their own rule does not give, and
//! which expected answers contradict the tools they are about.

use serde::Serialize;
use toolgauge_core::{CaseId, TrialId};

/// All runs that were found in a folder of results.
#[derive(Clone, Debug, Serialize)]
pub struct Atlas {
    /// The version of this form.
    pub version: u32,
    /// The runs, in the order of their files.
    pub runs: Vec<AtlasRun>,
    /// Cases whose expected answer contradicts their own tools, each once over all runs.
    pub contradictions: Vec<GoldContradiction>,
    /// How many different cases were looked at for that.
    pub cases_checked: usize,
    /// Files that are no results that can be read.
    pub passed_over: usize,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct AtlasRun {
    /// The suite, such as `bfcl-v4`.
    pub suite: String,
    /// The run, where its folder names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The model.
    pub model: String,
    /// The rule that judges as the tool does.
    pub scorer: String,
    /// How many trials it has.
    pub trials: usize,
    /// How many of them have a recorded verdict that was computed again.
    pub compared: usize,
    /// The trials in which the rule gives another verdict than was recorded.
    pub wrong: Vec<WrongVerdict>,
    /// How many verdicts only the tool itself can compute.
    pub recorded_only: usize,
}

/// A recorded verdict that the tool's own rule does not give.
#[derive(Clone, Debug, Serialize)]
pub struct WrongVerdict {
    /// The trial.
    pub trial: TrialId,
    /// The recorded mark.
    pub recorded: f64,
    /// The mark by the rule.
    pub recomputed: f64,
}

/// An expected answer that contradicts the tools it is about.
#[derive(Clone, Debug, Serialize)]
pub struct GoldContradiction {
    /// The suite of the case.
    pub suite: String,
    /// The case.
    pub case: CaseId,
    /// What is wrong with it.
    pub messages: Vec<String>,
}
