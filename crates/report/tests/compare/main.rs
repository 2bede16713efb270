//! Comparisons hold what they promise: on runs made up in memory, where the truth is known.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod charts;
mod facts;
mod gates;
mod pages;
mod simulation;
mod symmetry;

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{
    CaseId, Cause, FailureKind, Loss, Outcome, Program, Run, RunId, Score, StopReason,
    SubjectIdentity, SuiteIdentity, Tags, Timings, TrialFailure, TrialId, UnscoredReason, Usage,
};
use toolgauge_log::TrialSummary;
use toolgauge_report::RunSide;

/// The head of a run that measured this subject.
fn run(subject: &str) -> Run {
    Run {
        id: RunId::new(subject),
        created: Timestamp::UNIX_EPOCH,
        suite: SuiteIdentity { name: "made-up".into(), hash: "h".into(), ..Default::default() },
        subject: SubjectIdentity { name: subject.into(), ..Default::default() },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        cases: std::sync::Arc::default(),
        trials: 1,
        scorers: vec!["calls".into()],
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings: serde_json::Map::new(),
        program: Program::default(),
    }
}

/// A trial that scored this much.
fn trial(case: &str, number: u32, value: f64) -> TrialSummary {
    let losses = if value < 1.0 {
        vec![Loss::new(Cause::WrongValue, 1.0 - value).at_tool("set_light")]
    } else {
        Vec::new()
    };
    let score = Score { value, losses, ..Score::default() };
    TrialSummary {
        id: TrialId { case: CaseId::new(case), trial: number },
        sentence: format!("do {case}"),
        tags: Tags::new(),
        group: None,
        gold: None,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        outcomes: IndexMap::from([("calls".to_owned(), Outcome::Scored(score))]),
        failure: None,
        timings: Timings::default(),
        server: None,
        usage: Usage::default(),
        stop: StopReason::default(),
        turns: 1,
        attempts: 1,
        repeated: Vec::new(),
        calls: 1,
        oddities: Vec::new(),
        tool_times: Vec::new(),
        result_tokens: 0,
        violations: Vec::new(),
    }
}

/// A trial that could not be scored.
fn unscored(case: &str, number: u32) -> TrialSummary {
    let failure = TrialFailure { kind: FailureKind::Timeout, message: "too slow".into() };
    let outcome = Outcome::Unscored(UnscoredReason::Failed(failure.clone()));
    let mut trial = trial(case, number, 0.0);
    trial.outcomes = IndexMap::from([("calls".to_owned(), outcome)]);
    trial.failure = Some(failure);
    trial
}

/// A side of these trials.
fn side(subject: &str, trials: impl IntoIterator<Item = TrialSummary>) -> RunSide {
    let mut side = RunSide::new(subject, &run(subject), None);
    for trial in trials {
        side.add(&trial);
    }
    side.finished()
}
