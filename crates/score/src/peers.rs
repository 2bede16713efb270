//! The rules of other tools, followed to the letter, their known faults included.
//!
//! Who has results of another tool trusts a judge that first agrees with the one he knows. So each
//! rule here gives the verdict that its tool gives. Where toolgauge judges otherwise, and why, is
//! told in `docs/peers.md`. What only one of these rules needs to know of a case is under the
//! rule's name in [`Expectation::more`](toolgauge_core::Expectation::more).

mod agentevals;
mod bfcl;
mod called;
mod deepeval;
mod ha_datasets;
mod promptfoo;
mod python;
mod tau2;
mod tau_bench;

use indexmap::IndexMap;
use toolgauge_core::{Measure, Outcome, RecordedVerdict, Score, UnscoredReason};

use self::agentevals::{AgentevalsOptions, ArgumentMode, TrajectoryMode};
use self::deepeval::{DeepEvalMode, DeepEvalOptions};
use crate::Evidence;
use crate::tool_call::unscored;

/// A scorer that judges as another tool does.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerScorer {
    rule: PeerRule,
}

/// Whose rule it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PeerRule {
    /// The Berkeley Function Calling Leaderboard, version 4.
    Bfcl,
    /// The same as of 2024.
    BfclV1,
    /// τ²-bench.
    Tau2,
    /// τ-bench.
    TauBench,
    /// The datasets of home automation that `ha-datasets` imports.
    HaDatasets,
    /// `DeepEval`'s `ToolCorrectnessMetric`.
    DeepEval(DeepEvalOptions),
    /// agentevals' trajectory match.
    Agentevals(AgentevalsOptions),
    /// promptfoo's assertion `tool-call-f1`.
    PromptfooF1 {
        /// From which F1 on it passes, whatever the assertion says.
        threshold: Option<f64>,
    },
}

/// The mark a rule gives.
#[derive(Clone, Debug, Default, PartialEq)]
struct Mark {
    value: f64,
    /// Why it is not 1, in the tool's words.
    reason: String,
    measures: IndexMap<String, f64>,
}

impl Mark {
    fn right() -> Self {
        Self { value: 1.0, ..Self::default() }
    }

    fn measure(&mut self, name: &str, value: f64) {
        self.measures.insert(name.to_owned(), value);
    }
}

/// What a rule makes of a trial.
#[derive(Clone, Debug, PartialEq)]
enum PeerVerdict {
    /// A mark.
    Mark(Mark),
    /// The rule needs what only the tool itself has, and this is what.
    Elsewhere(&'static str),
    /// The case says nothing that this rule judges by.
    NothingExpected,
}

impl PeerVerdict {
    fn of(result: Result<(), &str>) -> Self {
        match result {
            Ok(()) => Self::Mark(Mark::right()),
            Err(reason) => Self::Mark(Mark { reason: reason.to_owned(), ..Mark::default() }),
        }
    }
}

impl PeerScorer {
    /// The scorer of τ-bench's reward.
    pub const TAU_BENCH: &str = "tau_bench";

    /// All of them, with the options that their tools have by default.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let rules = [
            PeerRule::Bfcl,
            PeerRule::BfclV1,
            PeerRule::Tau2,
            PeerRule::TauBench,
            PeerRule::HaDatasets,
            PeerRule::DeepEval(DeepEvalOptions::default()),
            PeerRule::Agentevals(AgentevalsOptions::default()),
            PeerRule::PromptfooF1 { threshold: None },
        ];
        rules.into_iter().map(|rule| Self { rule })
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        match self.rule {
            PeerRule::Bfcl => "bfcl",
            PeerRule::BfclV1 => "bfcl_v1",
            PeerRule::Tau2 => "tau2",
            PeerRule::TauBench => Self::TAU_BENCH,
            PeerRule::HaDatasets => "ha_datasets",
            PeerRule::DeepEval(_) => "deepeval",
            PeerRule::Agentevals(_) => "agentevals",
            PeerRule::PromptfooF1 { .. } => "promptfoo_tool_call_f1",
        }
    }

    /// The same scorer with an option that the users of its tool set; the error says what can be.
    pub fn with_option(mut self, name: &str, value: &str) -> Result<Self, String> {
        let choices = |choices: &str| format!("`{name}` is one of: {choices}");
        let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
        match (&mut self.rule, name) {
            (PeerRule::DeepEval(options), "mode") => {
                options.mode = match value {
                    "any" => DeepEvalMode::Any,
                    "ordered" => DeepEvalMode::Ordered,
                    "exact" => DeepEvalMode::Exact,
                    _ => return Err(choices("any, ordered, exact")),
                };
            }
            (PeerRule::DeepEval(options), "arguments") => {
                options.arguments = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(choices("yes, no")),
                };
            }
            (PeerRule::DeepEval(DeepEvalOptions { threshold, .. }), "threshold") => {
                *threshold = number().ok_or_else(|| format!("`{name}` is a number"))?;
            }
            (PeerRule::PromptfooF1 { threshold }, "threshold") => {
                *threshold = Some(number().ok_or_else(|| format!("`{name}` is a number"))?);
            }
            (PeerRule::Agentevals(options), "mode") => {
                options.mode = TrajectoryMode::by_name(value)
                    .ok_or_else(|| choices("strict, unordered, subset, superset"))?;
            }
            (PeerRule::Agentevals(options), "arguments") => {
                options.arguments = ArgumentMode::by_name(value)
                    .ok_or_else(|| choices("exact, ignore, subset, superset"))?;
            }
            _ => return Err(format!("`{}` has no option `{name}`", self.name())),
        }
        Ok(self)
    }

    /// Judges by the rule. Where it needs what only the tool itself has, the verdict that the
    /// tool recorded stands.
    pub fn score(&self, evidence: &Evidence<'_>) -> Outcome {
        let recorded = evidence.transcript.recorded(self.name());
        // Some tools count a failed request as wrong. That is theirs to say of their own trials;
        // a failure in a run of ours tells nothing about the subject.
        if recorded.is_none()
            && let Some(reason) = unscored(evidence.transcript)
        {
            return Outcome::Unscored(reason);
        }
        let verdict = match recorded.and_then(|recorded| recorded.only.as_deref()) {
            // The words say why, and are told below.
            Some(_) => PeerVerdict::Elsewhere(""),
            None => match self.rule {
                PeerRule::Bfcl => bfcl::judge(evidence, bfcl::Edition::V4),
                PeerRule::BfclV1 => bfcl::judge(evidence, bfcl::Edition::V1),
                PeerRule::Tau2 => tau2::judge(evidence),
                PeerRule::TauBench => tau_bench::judge(evidence),
                PeerRule::HaDatasets => ha_datasets::judge(evidence),
                PeerRule::DeepEval(options) => deepeval::judge(evidence, options),
                PeerRule::Agentevals(options) => agentevals::judge(evidence, options),
                PeerRule::PromptfooF1 { threshold } => promptfoo::judge(evidence, threshold),
            },
        };
        match verdict {
            PeerVerdict::Mark(mark) => computed(mark, recorded),
            PeerVerdict::Elsewhere(why) => recorded_only(recorded, why),
            PeerVerdict::NothingExpected => recorded_only(recorded, "the case says too little"),
        }
    }

    /// The outcome that the tool recorded, with what the rule makes of the same trial beside it;
    /// what the rule makes of it where nothing was recorded.
    pub fn recorded(&self, evidence: &Evidence<'_>) -> Outcome {
        let computed = self.score(evidence);
        let recorded = evidence.transcript.recorded(self.name());
        let Some((recorded, value)) = recorded.and_then(|found| Some((found, found.value?))) else {
            return computed;
        };
        let mut score = computed.score().cloned().unwrap_or_default();
        score.value = value;
        score.explanation = told(recorded, value);
        score.set_measure(Measure::Recorded, value);
        Outcome::Scored(score)
    }
}

/// A verdict that another tool recorded under a name of which no rule is known.
pub fn recorded_outcome(recorded: &RecordedVerdict) -> Outcome {
    let Some(value) = recorded.value else {
        return Outcome::Unscored(UnscoredReason::NothingExpected);
    };
    let measures = recorded.measures.clone();
    Outcome::Scored(Score {
        value,
        explanation: told(recorded, value),
        measures,
        ..Score::default()
    })
}

fn computed(mark: Mark, recorded: Option<&RecordedVerdict>) -> Outcome {
    let Mark { value, reason, measures } = mark;
    let explanation = if reason.is_empty() { String::from("correct") } else { reason };
    let mut score = Score { value, explanation, ..Score::default() };
    if let Some(recorded) = recorded {
        score.measures.clone_from(&recorded.measures);
    }
    score.measures.extend(measures);
    if let Some(was) = recorded.and_then(|recorded| recorded.value) {
        score.set_measure(Measure::Recorded, was);
        score.set_measure(Measure::Recomputed, value);
    }
    Outcome::Scored(score)
}

/// The verdict as it was recorded, because nobody but the tool can compute it.
fn recorded_only(recorded: Option<&RecordedVerdict>, why: &str) -> Outcome {
    let Some((recorded, value)) = recorded.and_then(|found| Some((found, found.value?))) else {
        return Outcome::Unscored(UnscoredReason::NothingExpected);
    };
    let why = recorded.only.as_deref().unwrap_or(why);
    let mut score = Score {
        value,
        explanation: format!("{}; not computed anew: {why}", told(recorded, value)),
        measures: recorded.measures.clone(),
        ..Score::default()
    };
    score.set_measure(Measure::Recorded, value);
    Outcome::Scored(score)
}

/// A recorded verdict in words.
fn told(recorded: &RecordedVerdict, value: f64) -> String {
    let verdict = match value {
        value if value >= 1.0 => String::from("recorded as right"),
        value if value <= 0.0 => String::from("recorded as wrong"),
        value => format!("recorded as {value}"),
    };
    match recorded.reason.as_str() {
        "" => verdict,
        reason => format!("{verdict}: {reason}"),
    }
}
