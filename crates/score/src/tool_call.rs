//! The tool-call scorer: right or wrong, in six dimensions.

mod classic;
mod judgement;
mod losses;
mod python_arguments;
mod response;
mod scorer;
mod way;

use toolgauge_core::{Case, Outcome, Quality, Score, Tool, Transcript, UnscoredReason};

use self::judgement::CallVerdicts;
use self::response::Response;
pub use self::scorer::{CallComparison, ToolCallScorer};
use self::way::{AnswerWay, ways};
use crate::explanation;

impl ToolCallScorer {
    /// Judges a transcript by what its case demands. With no tools given, none is held to be
    /// undeclared.
    pub fn score(&self, case: &Case, tools: &[Tool], transcript: &Transcript) -> Outcome {
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let response = Response::new(self, case, tools, transcript);
        let mut first = None;
        for way in ways(&case.expectation, self.alternative_kinds) {
            let judgement = CallVerdicts::new(self, &case.expectation, way, &response);
            if judgement.passes() {
                return Outcome::Scored(passed(way, &judgement));
            }
            // The expectation itself comes first, so a failure is explained by it and not by an
            // alternative.
            first.get_or_insert(judgement);
        }
        first.map_or(Outcome::Unscored(UnscoredReason::NothingExpected), |judgement| {
            Outcome::Scored(failed(&judgement))
        })
    }
}

/// Why a transcript cannot be judged, if it cannot.
pub(crate) fn unscored(transcript: &Transcript) -> Option<UnscoredReason> {
    let failure = transcript.failure.as_ref()?;
    failure.kind.is_infrastructure().then(|| UnscoredReason::Failed(failure.clone()))
}

fn passed(way: AnswerWay<'_>, judgement: &CallVerdicts<'_>) -> Score {
    let explanation = match (way.quality, way.reason) {
        (Quality::Optimal, None) => String::from("correct"),
        (quality, None) => format!("correct ({})", quality.name()),
        (quality, Some(reason)) => format!("correct ({}: {reason})", quality.name()),
    };
    let mut pairing = judgement.pairs.clone();
    judgement.response.made.number_among_all(&mut [], &mut pairing);
    Score {
        value: 1.0,
        dimensions: judgement.dimensions(),
        quality: Some(way.quality),
        way: way.name,
        pairing,
        explanation,
        ..Score::default()
    }
}

fn failed(judgement: &CallVerdicts<'_>) -> Score {
    let (losses, pairing) = losses::of(judgement);
    let explanation = explanation::of(&losses);
    let (dimensions, way) = (judgement.dimensions(), judgement.way.name);
    Score { dimensions, way, losses, pairing, explanation, ..Score::default() }
}
