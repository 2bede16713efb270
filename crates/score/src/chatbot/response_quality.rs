//! Whether the answer says what it must: by the facts of a case, or by its keywords.

use toolgauge_core::{Case, Keyword, Loss, Transcript, TrialFailure};

use crate::evidence::Evidence;
use crate::keywords::{KeywordMatches, KeywordRule, keywords_of};
use crate::reply::{Context, Reply};

/// How much of what is demanded an answer says.
pub(super) struct ResponseQuality {
    pub(super) value: f64,
    pub(super) applies: bool,
    /// Whether the case demands words of the answer, and all of them are said.
    pub(super) is_right: bool,
    losses: Vec<Loss>,
    /// Why it cannot be judged, if it cannot.
    pub(super) failure: Option<TrialFailure>,
}

impl ResponseQuality {
    /// Where a case has facts, they are judged in place of its keywords.
    pub(super) fn of(case: &Case, transcript: &Transcript, rule: KeywordRule) -> Self {
        let facts = case.expectation.answer.as_deref().map_or(&[][..], |answer| &answer.facts);
        if facts.is_empty() {
            let keywords = keywords_of(case);
            let found = KeywordMatches::of(keywords, &case.expectation, transcript, rule);
            let losses = found.losses(1.0);
            let failure = found.unknown_likeness();
            let applies = !keywords.is_empty();
            // What must not be said is not said by an error either.
            let is_demand = |keyword: &Keyword| !matches!(keyword, Keyword::Not(_));
            let is_right = keywords.iter().any(is_demand) && losses.is_empty();
            return Self { value: found.share(), applies, is_right, losses, failure };
        }
        let context = Context::new(&Evidence::new(case, &[], transcript));
        let mut losses = Reply::read(transcript.final_text()).held_against(facts, &context);
        let value = share(facts.len(), &losses);
        #[expect(clippy::cast_precision_loss, reason = "a handful of facts")]
        // Several losses may belong to one fact, so each gets an equal part of what is lost in all.
        let each = (1.0 - value) / losses.len().max(1) as f64;
        for loss in &mut losses {
            loss.points = each;
        }
        let is_right = losses.is_empty();
        Self { value, applies: true, is_right, losses, failure: None }
    }

    /// The losses, where all that is demanded is worth so many points.
    pub(super) fn losses(self, points: f64) -> Vec<Loss> {
        let worth = |loss: Loss| Loss { points: loss.points * points, ..loss };
        self.losses.into_iter().map(worth).collect()
    }
}

/// The share of facts that are met. What is no answer at all meets none.
#[expect(clippy::cast_precision_loss, reason = "a handful of facts")]
fn share(facts: usize, losses: &[Loss]) -> f64 {
    let is_none = |loss: &Loss| {
        use toolgauge_core::Cause;
        matches!(loss.cause, Cause::NotAnAnswer | Cause::MissingText)
    };
    if losses.iter().any(is_none) {
        return 0.0;
    }
    facts.saturating_sub(losses.len()) as f64 / facts.max(1) as f64
}
