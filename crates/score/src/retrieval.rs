//! The retrieval scorer: were the right documents found, and found early?

use serde_json::{Value, json};
use toolgauge_core::{
    Case, Cause, Dimension, ExpectedAnswer, Loss, Outcome, Score, Transcript, UnscoredReason,
    Verdict,
};

use crate::explanation;
use crate::tool_call::unscored;

/// Judges the documents behind an answer by those that are relevant. The value is the F1 of
/// precision and recall, or NDCG where the suite says `more: {retrieval: {value: ndcg}}`.
///
/// Only the first `k` documents found are looked at: 10 unless the suite says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetrievalScorer {
    /// How many documents are looked at.
    pub k: usize,
}

impl Default for RetrievalScorer {
    fn default() -> Self {
        Self { k: 10 }
    }
}

impl RetrievalScorer {
    /// Judges the sources of a transcript by the documents of its case.
    pub fn score(&self, case: &Case, transcript: &Transcript) -> Outcome {
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let Some(answer) = case.expectation.answer.as_deref() else {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        };
        let relevant: Vec<(&str, f64)> = answer
            .documents
            .iter()
            .filter(|(_, grade)| **grade > 0.0 && grade.is_finite())
            .map(|(name, grade)| (name.as_str(), *grade))
            .collect();
        if relevant.is_empty() {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        }
        let settings = case.expectation.more.get("retrieval");
        let setting = |name: &str| settings.and_then(|settings| settings.get(name));
        let k = setting("k").and_then(Value::as_u64).filter(|k| *k > 0);
        let k = k.and_then(|k| usize::try_from(k).ok()).unwrap_or(self.k);
        let by_rank = setting("value").and_then(Value::as_str) == Some("ndcg");
        let ranking = RankedDocuments::new(&transcript.background.sources, &relevant, k);
        Outcome::Scored(scored(&ranking, &relevant, by_rank))
    }
}

/// The measures of a ranked list of documents against graded relevance.
///
/// The discounted gain of a document is its grade over log₂(rank + 1), and NDCG is the sum of
/// gains over that of the best possible order (Järvelin and Kekäläinen 2002, with linear gain).
struct RankedDocuments<'a> {
    /// What was found, each with the number of the relevant document that it is.
    found: Vec<(&'a str, Option<usize>)>,
    precision: f64,
    recall: f64,
    f1: f64,
    reciprocal_rank: f64,
    ndcg: f64,
    hit: f64,
}

impl<'a> RankedDocuments<'a> {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    fn new(sources: &'a [String], relevant: &[(&str, f64)], k: usize) -> Self {
        let mut taken = vec![false; relevant.len()];
        let mut found: Vec<(&str, Option<usize>)> = Vec::new();
        for source in sources {
            let which = relevant
                .iter()
                .position(|(name, _)| ExpectedAnswer::is_same_document(name, source));
            // Passages of one document count once, or a long document would fill all ranks.
            let again = which.is_some_and(|which| taken[which])
                || found.iter().any(|(other, _)| ExpectedAnswer::is_same_document(other, source));
            if again {
                continue;
            }
            if found.len() == k {
                break;
            }
            if let Some(which) = which {
                taken[which] = true;
            }
            found.push((source, which));
        }
        let hits = taken.iter().filter(|taken| **taken).count() as f64;
        let ratio = |part: f64, whole: usize| if whole == 0 { 0.0 } else { part / whole as f64 };
        let precision = ratio(hits, found.len());
        let recall = ratio(hits, relevant.len());
        let f1 = if hits > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
        let first = found.iter().position(|(_, which)| which.is_some());
        let gain = |rank: usize, grade: f64| grade / (rank as f64 + 2.0).log2();
        let gains = found.iter().enumerate();
        let gained: f64 = gains
            .map(|(rank, (_, which))| which.map_or(0.0, |which| gain(rank, relevant[which].1)))
            .sum();
        let mut grades: Vec<f64> = relevant.iter().map(|(_, grade)| *grade).collect();
        grades.sort_by(|a, b| b.total_cmp(a));
        let best: f64 =
            grades.iter().take(k).enumerate().map(|(rank, grade)| gain(rank, *grade)).sum();
        Self {
            found,
            precision,
            recall,
            f1,
            reciprocal_rank: first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)),
            // The best order and the found one are summed in different order; rounding may exceed
            // 1.
            ndcg: if best > 0.0 { (gained / best).min(1.0) } else { 0.0 },
            hit: if hits > 0.0 { 1.0 } else { 0.0 },
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of losses")]
fn scored(ranking: &RankedDocuments<'_>, relevant: &[(&str, f64)], by_rank: bool) -> Score {
    let value = if by_rank { ranking.ndcg } else { ranking.f1 };
    let was_found = |at: usize| ranking.found.iter().any(|(_, which)| *which == Some(at));
    let missed = relevant.iter().enumerate().filter(|(at, _)| !was_found(*at));
    let missed = missed.map(|(_, (name, _))| Loss {
        expected: Some(json!(name)),
        ..Loss::new(Cause::MissedDocument, 0.0)
    });
    let beside = ranking.found.iter().filter(|(_, which)| which.is_none());
    let beside = beside.map(|(name, _)| Loss {
        actual: Some(json!(name)),
        ..Loss::new(Cause::IrrelevantDocument, 0.0)
    });
    let mut losses: Vec<Loss> = missed.chain(beside).collect();
    if losses.is_empty() && value < 1.0 {
        losses.push(Loss::new(Cause::WrongOrder, 0.0));
    }
    let each = (1.0 - value) / losses.len().max(1) as f64;
    for loss in &mut losses {
        loss.points = each;
    }
    let explanation =
        if losses.is_empty() { String::from("correct") } else { explanation::of(&losses) };
    let mut score = Score { value, losses, explanation, ..Score::default() };
    score.dimensions.insert(Dimension::named("found"), Verdict::of(ranking.recall >= 1.0));
    for (name, measure) in [
        ("precision", ranking.precision),
        ("recall", ranking.recall),
        ("f1", ranking.f1),
        ("reciprocal_rank", ranking.reciprocal_rank),
        ("ndcg", ranking.ndcg),
        ("hit_rate", ranking.hit),
    ] {
        score.measures.insert(name.into(), measure);
    }
    score
}

#[cfg(test)]
mod tests;
