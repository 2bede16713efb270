//! The judge scorer: what judges said of a trial, as one number with its doubt.

use indexmap::IndexMap;
use serde_json::json;
use toolgauge_core::{
    Cause, FailureKind, Judgement, Loss, Measure, Outcome, Score, Transcript, TrialFailure,
    UnscoredReason,
};

use crate::tool_call::unscored;

/// Judges a trial by the votes that judges cast on it: the value is their mean. Votes that could
/// not be read do not count, and a trial of which none could is unscored.
///
/// No judge is asked here: votes are part of the transcript, so that scoring again is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgeScorer;

impl JudgeScorer {
    /// The mean of the votes, and how far they are apart.
    pub fn score(&self, transcript: &Transcript) -> Outcome {
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let votes = &transcript.background.judgements;
        if votes.is_empty() {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        }
        let read: Vec<(f64, &Judgement)> = votes
            .iter()
            .filter_map(|vote| Some((vote.value.filter(|value| value.is_finite())?, vote)))
            .map(|(value, vote)| (value.clamp(0.0, 1.0), vote))
            .collect();
        if read.is_empty() {
            let message = match votes.len() {
                1 => "the vote of the judge could not be read".to_owned(),
                votes => format!("none of {votes} votes of the judge could be read"),
            };
            let failure = TrialFailure { kind: FailureKind::UnreadableAnswer, message };
            return Outcome::Unscored(UnscoredReason::Failed(failure));
        }
        Outcome::Scored(scored(&read, votes.len()))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of votes")]
fn scored(read: &[(f64, &Judgement)], cast: usize) -> Score {
    let values: Vec<f64> = read.iter().map(|(value, _)| *value).collect();
    let value = mean(&values);
    let lowest = values.iter().copied().fold(1.0, f64::min);
    let highest = values.iter().copied().fold(0.0, f64::max);
    // The standard deviation of the votes themselves: they are all there are.
    let squares: Vec<f64> = values.iter().map(|vote| (vote - value).powi(2)).collect();
    let disagreement = mean(&squares).sqrt();
    let mut score = Score { value, ..Score::default() };
    for (name, measure) in [
        ("votes", read.len() as f64),
        ("unreadable_votes", (cast - read.len()) as f64),
        ("vote_spread", highest - lowest),
        ("vote_deviation", disagreement),
    ] {
        score.measures.insert(name.into(), measure);
    }
    let verdicts = read.iter().filter_map(|(_, vote)| vote.right);
    let verdicts: Vec<f64> = verdicts.map(|right| f64::from(u8::from(right))).collect();
    if !verdicts.is_empty() {
        score.set_measure(Measure::JudgedRight, mean(&verdicts));
    }
    let mut criteria: IndexMap<&str, Vec<f64>> = IndexMap::new();
    for (name, value) in read.iter().flat_map(|(_, vote)| &vote.criteria) {
        if value.is_finite() {
            criteria.entry(name).or_default().push(value.clamp(0.0, 1.0));
        }
    }
    for (name, values) in &criteria {
        score.measures.insert(format!("judged_{name}"), mean(values));
    }
    // The lowest vote explains best what was lost.
    let harshest = read.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vote)| vote);
    score.explanation = harshest.map(|vote| vote.reasoning.clone()).unwrap_or_default();
    if value < 1.0 {
        let mut loss = Loss::new(Cause::JudgedLower, 1.0 - value);
        // For people: a mean of votes has digits that nobody gave.
        loss.actual = Some(json!((value * 1000.0).round() / 1000.0));
        score.losses.push(loss);
    }
    score
}

#[expect(clippy::cast_precision_loss, reason = "a handful of votes")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(values: &[Option<f64>]) -> Outcome {
        let vote = |value: &Option<f64>| Judgement {
            judge: "j".into(),
            value: *value,
            right: value.map(|value| value > 0.5),
            reasoning: format!("{value:?}"),
            criteria: value.iter().map(|value| ("accuracy".to_owned(), *value)).collect(),
        };
        let mut transcript = Transcript::default();
        transcript.background.judgements = values.iter().map(vote).collect();
        JudgeScorer.score(&transcript)
    }

    #[test]
    fn the_mean_of_the_votes_counts_with_their_disagreement() {
        let Outcome::Scored(score) = judged(&[Some(0.8), None, Some(0.4)]) else {
            panic!("scored")
        };
        let near = |name: &str, value: f64| (score.measures[name] - value).abs() < 1e-12;
        assert!((score.value - 0.6).abs() < 1e-12);
        assert!(near("votes", 2.0) && near("unreadable_votes", 1.0));
        assert!(near("vote_spread", 0.4) && near("vote_deviation", 0.2));
        assert!(near("judged_accuracy", 0.6) && near("judged_right", 0.5));
        assert_eq!(score.explanation, "Some(0.4)");
        assert_eq!(score.losses[0].actual, Some(json!(0.6)));
    }

    #[test]
    fn without_a_vote_that_can_be_read_there_is_no_score() {
        assert_eq!(judged(&[]), Outcome::Unscored(UnscoredReason::NothingExpected));
        let Outcome::Unscored(UnscoredReason::Failed(failure)) = judged(&[None, Some(f64::NAN)])
        else {
            panic!("unscored")
        };
        assert_eq!(failure.kind, FailureKind::UnreadableAnswer);
    }
}
