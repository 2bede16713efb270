//! Whether the answer says what it must: by the facts of a case, by its keywords, or by both.

use serde::{Deserialize, Serialize};
use toolgauge_core::{Case, ExpectedFact, Keyword, Loss, TrialFailure};

use super::ChatbotScorer;
use crate::evidence::Evidence;
use crate::keywords::{KeywordMatches, keywords_of};
use crate::reply::{Context, Reply};

/// What counts where a case has both facts and keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityRule {
    /// The facts alone.
    #[default]
    Facts,
    /// Both must hold: the share of facts that are met times the share of keywords.
    Both,
}

/// The keywords that the quality of an answer depends on: none where facts replace them.
pub fn demanded_keywords(case: &Case) -> &[Keyword] {
    let rule = case.expectation.more.get("chatbot").and_then(|own| own.get("quality"));
    keywords_by(case, rule.cloned().and_then(super::read).unwrap_or_default())
}

fn keywords_by(case: &Case, rule: QualityRule) -> &[Keyword] {
    if rule == QualityRule::Both || facts_of(case).is_empty() { keywords_of(case) } else { &[] }
}

fn facts_of(case: &Case) -> &[ExpectedFact] {
    case.expectation.answer.as_deref().map_or(&[], |answer| &answer.facts)
}

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
    /// Holds an answer against the facts and keywords that count.
    pub(super) fn of(evidence: &Evidence<'_>, scorer: &ChatbotScorer) -> Self {
        let Evidence { case, transcript, .. } = *evidence;
        let facts = facts_of(case);
        let keywords = keywords_by(case, scorer.quality);
        let found = KeywordMatches::of(keywords, &case.expectation, transcript, scorer.keywords);
        let (by_facts, mut losses) = facts_told(evidence, facts);
        // Keywords beside a wrong figure are worth nothing, so that losses add up to what is lost.
        losses.extend(found.losses(by_facts));
        // What must not be said is not said by an error either.
        let is_demand = |keyword: &Keyword| !matches!(keyword, Keyword::Not(_));
        let has_demand = !facts.is_empty() || keywords.iter().any(is_demand);
        Self {
            value: by_facts * found.share(),
            applies: !facts.is_empty() || !keywords.is_empty(),
            is_right: has_demand && losses.is_empty(),
            losses,
            failure: found.unknown_likeness(),
        }
    }

    /// The losses, where all that is demanded is worth so many points.
    pub(super) fn losses(self, points: f64) -> Vec<Loss> {
        let worth = |loss: Loss| Loss { points: loss.points * points, ..loss };
        self.losses.into_iter().map(worth).collect()
    }
}

/// The share of facts that an answer meets, and the losses of the others, which add up to the rest.
fn facts_told(evidence: &Evidence<'_>, facts: &[ExpectedFact]) -> (f64, Vec<Loss>) {
    if facts.is_empty() {
        return (1.0, Vec::new());
    }
    // Which tools were offered says nothing about words.
    let context = Context::new(&Evidence { tools: &[], ..*evidence });
    let mut losses = Reply::read(evidence.transcript.final_text()).held_against(facts, &context);
    let value = share(facts.len(), &losses);
    #[expect(clippy::cast_precision_loss, reason = "a handful of facts")]
    // Several losses may belong to one fact, so each gets an equal part of what is lost in all.
    let each = (1.0 - value) / losses.len().max(1) as f64;
    for loss in &mut losses {
        loss.points = each;
    }
    (value, losses)
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
