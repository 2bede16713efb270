//! The tool-call scorer: right or wrong, in six dimensions.

mod classic;
mod fix;
mod judgement;
mod losses;

use serde::{Deserialize, Serialize};
use toolgauge_core::{
    AcceptedWay, Alternative, Case, Expectation, ExpectedCall, Outcome, Quality, ResponseKind,
    Score, Tool, Transcript, UnscoredReason,
};

pub use self::fix::Fix;
use self::judgement::{Judgement, Response};
use crate::explanation;

/// Judges a response as right or wrong, in six dimensions, each correct, incorrect or not
/// applicable. The value is 1 when all that apply are correct and 0 otherwise.
///
/// When the expectation itself is not met, its alternatives are tried in turn; the first that is
/// met gives the value 1 and its quality. A lost point is shared out evenly among its causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolCallScorer {
    /// Whether a call written into the text counts as a call. Default: it does not, and makes
    /// the format invalid.
    pub count_calls_in_text: bool,
    /// Whether a response without calls must hold text where one is expected. Default: it must.
    /// The classic comparison asks for text where the kind is `text` and nowhere else.
    pub require_text: bool,
    /// Whether an alternative may have a response kind of its own. Default: it may.
    pub alternative_kinds: bool,
    /// The tools one of which a query must call; none named (the default) means any tool.
    pub query_tools: Vec<String>,
    /// How calls are compared. Default: by the expectation's own rules.
    pub comparison: Comparison,
}

/// How calls are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// By the expectation's rules and order, pairing calls as well as can be.
    #[default]
    ByRules,
    /// As ha-voice-bench does, whatever the expectation says of rules and order.
    Classic,
}

impl Default for ToolCallScorer {
    fn default() -> Self {
        Self {
            count_calls_in_text: false,
            require_text: true,
            alternative_kinds: true,
            query_tools: Vec::new(),
            comparison: Comparison::ByRules,
        }
    }
}

/// One way to answer a case.
#[derive(Clone, Copy)]
struct Way<'a> {
    name: Option<AcceptedWay>,
    calls: Option<&'a [ExpectedCall]>,
    kind: Option<ResponseKind>,
    quality: Quality,
    reason: Option<&'a str>,
}

impl ToolCallScorer {
    /// The scorer that judges as ha-voice-bench does, for results that are to be held against
    /// its published ones.
    pub fn classic() -> Self {
        let query_tools = [
            "HassGetState",
            "HassClimateGetTemperature",
            "HassGetWeather",
            "HassGetCurrentTime",
            "HassGetCurrentDate",
        ];
        Self {
            require_text: false,
            alternative_kinds: false,
            query_tools: query_tools.map(String::from).into(),
            comparison: Comparison::Classic,
            ..Self::default()
        }
    }

    /// The same scorer with known faults of its model put right.
    #[must_use]
    pub fn fixed(mut self, fixes: &[Fix]) -> Self {
        self.require_text |= fixes.contains(&Fix::Text);
        self.alternative_kinds |= fixes.contains(&Fix::AlternativeKinds);
        self
    }

    /// Judges a transcript by what its case demands. With no tools given, none is held to be
    /// undeclared.
    pub fn score(&self, case: &Case, tools: &[Tool], transcript: &Transcript) -> Outcome {
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let response = Response::new(self, tools, transcript);
        let mut first = None;
        for way in self.ways(&case.expectation) {
            let judgement = Judgement::new(self, &case.expectation, way, &response);
            if judgement.passes() {
                return Outcome::Scored(passed(way, &judgement));
            }
            first.get_or_insert(judgement);
        }
        first.map_or(Outcome::Unscored(UnscoredReason::NothingExpected), |judgement| {
            Outcome::Scored(failed(&judgement))
        })
    }

    /// The ways to answer, the expectation itself first.
    fn ways<'a>(&self, expectation: &'a Expectation) -> impl Iterator<Item = Way<'a>> {
        let own = Way {
            name: expectation.told_way(AcceptedWay::AsWritten),
            calls: expectation.calls.as_deref(),
            kind: expectation.response,
            quality: Quality::Optimal,
            reason: None,
        };
        let own_kinds = self.alternative_kinds;
        let other = move |(place, alternative): (usize, &'a Alternative)| Way {
            name: Some(AcceptedWay::Alternative(place)),
            calls: Some(&alternative.calls),
            kind: alternative.response.filter(|_| own_kinds).or(expectation.response),
            quality: alternative.quality,
            reason: alternative.reason.as_deref(),
        };
        let demands_something = own.calls.is_some() || own.kind.is_some();
        let own = demands_something.then_some(own);
        own.into_iter().chain(expectation.alternatives.iter().enumerate().map(other))
    }
}

/// Why a transcript cannot be judged, if it cannot.
pub(crate) fn unscored(transcript: &Transcript) -> Option<UnscoredReason> {
    let failure = transcript.failure.as_ref()?;
    failure.kind.is_infrastructure().then(|| UnscoredReason::Failed(failure.clone()))
}

fn passed(way: Way<'_>, judgement: &Judgement<'_>) -> Score {
    let explanation = match (way.quality, way.reason) {
        (Quality::Optimal, None) => String::from("correct"),
        (quality, None) => format!("correct ({})", quality.name()),
        (quality, Some(reason)) => format!("correct ({}: {reason})", quality.name()),
    };
    Score {
        value: 1.0,
        dimensions: judgement.dimensions(),
        quality: Some(way.quality),
        way: way.name,
        explanation,
        ..Score::default()
    }
}

fn failed(judgement: &Judgement<'_>) -> Score {
    let losses = losses::of(judgement);
    let explanation = explanation::of(&losses);
    let (dimensions, way) = (judgement.dimensions(), judgement.way.name);
    Score { dimensions, way, losses, explanation, ..Score::default() }
}
