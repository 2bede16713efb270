//! The grounding scorer: does what the answer says come from what the tools returned?
//!
//! Every number, date, name and quoted phrase of an answer is looked for in the answers of the
//! tools, in the question and in what proves the expected answer. What is found nowhere was likely
//! made up.

mod claim;
mod proved;
mod returned;

use serde_json::json;
use toolgauge_core::{
    Cause, Dimension, FailureKind, Loss, Measure, Message, Outcome, Score, TrialFailure,
    UnscoredReason, Verdict,
};

use self::claim::{Claim, ClaimKind, claims};
use self::proved::ProvedFigure;
use self::returned::Returned;
use crate::evidence::Evidence;
use crate::explanation;
use crate::keywords::reader;
use crate::reading::Item;
use crate::tool_call::unscored;

/// How much of an answer is judged, in bytes: a book of sixty pages.
const LONGEST_ANSWER: usize = 128 << 10;
/// How much of what tools returned is read, in bytes, before nothing can be said.
const MOST_RETURNED: usize = 4 << 20;
/// How many pairs of a claim and a value are compared. What is claimed behind that is not judged.
const MOST_LOOKS: usize = 20_000_000;

/// Judges how much of an answer is supported by what tools returned, or by what proves the expected
/// answer. The value is the share of claims that are; an answer that claims nothing is supported.
///
/// There is nothing to judge where nothing was said. Where it is not known what the tools returned,
/// only figures are judged that the proof confirms or contradicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroundingScorer;

impl GroundingScorer {
    /// Judges the last words of a transcript by all that was returned before them.
    pub fn score(&self, evidence: &Evidence<'_>) -> Outcome {
        let transcript = evidence.transcript;
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let text = transcript.final_text();
        let proved = &transcript.background.proved;
        let is_known = is_known(evidence);
        if text.trim().is_empty() || !is_known && proved.is_empty() {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        }
        let sources = sources(evidence);
        if sources.iter().map(|(text, _)| text.len()).sum::<usize>() > MOST_RETURNED {
            let message = format!("the tools returned more than {MOST_RETURNED} bytes");
            let failure = TrialFailure { kind: FailureKind::TooLarge, message };
            return Outcome::Unscored(UnscoredReason::Failed(failure));
        }
        let reader = reader(&evidence.case.expectation);
        let returned = Returned::new(sources, &reader);
        let judged = &text[..text.floor_char_boundary(LONGEST_ANSWER)];
        let mut claims = claims(judged, &reader);
        let mut looks = 0_usize;
        // Counted before anything is compared, so that a hostile answer costs no more than the
        // limit.
        let affordable = claims.iter().take_while(|claim| {
            looks = looks.saturating_add(returned.cost(claim));
            looks <= MOST_LOOKS
        });
        let affordable = affordable.count();
        let cut = judged.len() < text.len() || affordable < claims.len();
        claims.truncate(affordable);
        let asked: Vec<Item> = asked(evidence).flat_map(|text| reader.read(text)).collect();
        let figure = ProvedFigure::of(proved);
        let said = reader.read(judged);
        let other =
            figure.as_ref().and_then(|figure| figure.contradicted_by(&claims, &said, &asked));
        let other = other.cloned().zip(figure);
        if !is_known {
            // Anything else may come from tools that nobody saw.
            claims.retain(|claim| {
                is_figure(claim, &asked)
                    && (returned.supports(claim, &reader)
                        || returned.contradiction(claim).is_some()
                        || other.as_ref().is_some_and(|(other, _)| other == claim))
            });
            if claims.is_empty() {
                return Outcome::Unscored(UnscoredReason::NothingExpected);
            }
        }
        let unsupported: Vec<&Claim<'_>> =
            claims.iter().filter(|claim| !returned.supports(claim, &reader)).collect();
        let mut score = scored(&claims, &unsupported, &returned, other.as_ref());
        if cut {
            let note = format!("judged by its first {} claims, being very long", claims.len());
            score.explanation = format!("{note}: {}", score.explanation);
        }
        Outcome::Scored(score)
    }
}

/// Whether it is known what the tools returned: they answered, or none was called though some
/// were offered, or the subject says itself that it called none.
fn is_known(evidence: &Evidence<'_>) -> bool {
    let transcript = evidence.transcript;
    let answered = |message: &Message| matches!(message, Message::Tool(_));
    let said = transcript.messages.iter().chain(&evidence.case.input);
    let called = transcript.calls().next().is_some();
    said.clone().any(answered)
        || (!called && (!evidence.tools.is_empty() || transcript.background.says_no_tools))
}

/// What an answer may rest on: the answers of tools, what the person said, and what proves the
/// expected answer.
fn sources<'a>(evidence: &Evidence<'a>) -> Vec<(&'a str, bool)> {
    let messages = evidence.case.input.iter().chain(&evidence.transcript.messages);
    let said = messages.filter_map(|message| match message {
        Message::Tool(answer) => Some((answer.content.as_str(), true)),
        Message::User { content } => Some((content.as_str(), false)),
        _ => None,
    });
    let answer = evidence.case.expectation.answer.as_deref();
    let passages = answer.into_iter().flat_map(|answer| &answer.proof);
    let passages = passages.filter_map(|proof| Some((proof.passage.as_deref()?, true)));
    let rows = evidence.transcript.background.proved.iter().map(|rows| (rows.as_str(), true));
    said.chain(passages).chain(rows).collect()
}

/// What the person said.
fn asked<'a>(evidence: &Evidence<'a>) -> impl Iterator<Item = &'a str> {
    evidence.case.input.iter().filter_map(|message| match message {
        Message::User { content } => Some(content.as_str()),
        _ => None,
    })
}

/// Whether a claim is a number or date that the person has not said.
fn is_figure(claim: &Claim<'_>, asked: &[Item]) -> bool {
    match &claim.kind {
        ClaimKind::Value(content) => !asked.iter().any(|item| content.is_met_by(&item.content)),
        ClaimKind::Name | ClaimKind::Quote => false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "no text in memory has 2^53 claims")]
fn scored(
    claims: &[Claim<'_>],
    unsupported: &[&Claim<'_>],
    returned: &Returned,
    other: Option<&(Claim<'_>, ProvedFigure)>,
) -> Score {
    let share = unsupported.len() as f64 / claims.len().max(1) as f64;
    let each = share / unsupported.len().max(1) as f64;
    let mut contradictions = 0_u32;
    let mut losses = Vec::new();
    for claim in unsupported {
        let mut loss = Loss::new(Cause::UnsupportedClaim, each);
        if let Some((label, values)) = returned.contradiction(claim) {
            contradictions += 1;
            loss.cause = Cause::ContradictedValue;
            loss.expected = Some(json!({label: values}));
        } else if let Some((_, figure)) = other.filter(|(other, _)| other == *claim) {
            contradictions += 1;
            loss.cause = Cause::ContradictedValue;
            loss.expected = Some(figure.shown());
        }
        loss.actual = Some(json!(claim.text));
        losses.push(loss);
    }
    // A figure that a tool returned is no invention, but the database has another one there: the
    // look was a wrong one. It is told and costs nothing here, where only inventions count.
    if let Some((claim, figure)) = other.filter(|(other, _)| !unsupported.contains(&other)) {
        contradictions += 1;
        let loss = Loss::new(Cause::ContradictedValue, 0.0);
        losses.push(Loss {
            expected: Some(figure.shown()),
            actual: Some(json!(claim.text)),
            ..loss
        });
    }
    let explanation = match losses.len() {
        0 => format!("all {} claims are supported", claims.len()),
        _ => explanation::of(&losses),
    };
    let mut score = Score { value: 1.0 - share, losses, explanation, ..Score::default() };
    let verdict = match claims.len() {
        // An answer that claims nothing has its full value, but says nothing about being grounded.
        0 => Verdict::NotApplicable,
        _ => Verdict::of(unsupported.is_empty()),
    };
    score.dimensions.insert(Dimension::named("grounded"), verdict);
    for (name, measure) in [
        (Measure::Claims, claims.len() as f64),
        (Measure::UnsupportedClaims, unsupported.len() as f64),
        (Measure::UnsupportedShare, share),
        (Measure::Contradictions, f64::from(contradictions)),
    ] {
        score.set_measure(name, measure);
    }
    score
}

#[cfg(test)]
mod tests;
