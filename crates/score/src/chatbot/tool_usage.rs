//! Whether the expected tools were used.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use toolgauge_core::{Case, Cause, Loss, Transcript};

use crate::made_calls::MadeCalls;
use crate::partial::PartialScorer;

/// How the use of tools is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRule {
    /// 1 if every expected tool was used, else 0; further ones are free.
    #[default]
    All,
    /// 1 if one of the expected tools was used, else 0: where a question can be answered by either.
    Any,
    /// The share of expected tools that were used, times the share of used tools that were
    /// expected; where calls are expected, their partial credit stands in place of the former.
    Graded,
}

/// Which tools were used, against those that should have been.
pub(super) struct ToolUsage<'a> {
    /// From 0 to 1.
    pub(super) value: f64,
    /// Whether any tool was expected.
    pub(super) applies: bool,
    missing: Vec<&'a str>,
    extra: Vec<&'a str>,
    /// Where arguments lost points.
    arguments: Vec<Loss>,
    /// Which call was held against each expected one, where calls are compared.
    pub(super) pairing: Vec<Option<usize>>,
}

impl<'a> ToolUsage<'a> {
    pub(super) fn of(case: &'a Case, transcript: &'a Transcript, rule: ToolRule) -> Self {
        let expectation = &case.expectation;
        let named = expectation.answer.as_deref().and_then(|answer| answer.tools.as_deref());
        let calls = expectation.calls.as_deref().unwrap_or_default();
        let expected: BTreeSet<&str> = match named {
            Some(tools) => tools.iter().map(String::as_str).collect(),
            // A case that lists whole calls names its tools by them.
            None => calls.iter().map(|call| call.name.as_str()).collect(),
        };
        let made = MadeCalls::of(transcript, false);
        let used: BTreeSet<&str> = made.counted.iter().map(|call| call.name.as_str()).collect();
        let missing: Vec<&str> = expected.difference(&used).copied().collect();
        let extra: Vec<&str> = used.difference(&expected).copied().collect();
        let applies = !expected.is_empty();
        let (arguments, pairing) = (Vec::new(), Vec::new());
        let mut usage = Self { value: 1.0, applies, missing, extra, arguments, pairing };
        if !usage.applies {
            usage.extra.clear();
            return usage;
        }
        match rule {
            ToolRule::All => {
                usage.value = if usage.missing.is_empty() { 1.0 } else { 0.0 };
                usage.extra.clear();
            }
            ToolRule::Any => {
                if usage.missing.len() < expected.len() {
                    usage.missing.clear();
                } else {
                    usage.value = 0.0;
                }
                usage.extra.clear();
            }
            ToolRule::Graded => {
                let hits = expected.len() - usage.missing.len();
                usage.value = ratio(hits, expected.len());
                if !calls.is_empty() {
                    let scorer = PartialScorer::assignment();
                    let mut score = scorer.score_calls(calls, &expectation.rules, &made.counted);
                    // Places were counted among the judged calls; readers count all calls of the
                    // transcript.
                    made.number_among_all(&mut score.losses, &mut score.pairing);
                    usage.value = score.value;
                    usage.arguments = score.losses;
                    usage.pairing = score.pairing;
                    usage.missing.clear();
                }
                // Without a call there is nothing unexpected to take a share of.
                if !used.is_empty() {
                    usage.value *= ratio(used.len() - usage.extra.len(), used.len());
                }
            }
        }
        usage
    }

    /// What was lost, where the use of tools is worth so many points.
    pub(super) fn losses(&self, points: f64) -> Vec<Loss> {
        let missing =
            self.missing.iter().map(|tool| Loss::new(Cause::MissingCall, 0.0).at_tool(*tool));
        let extra = self.extra.iter().map(|tool| Loss::new(Cause::ExtraCall, 0.0).at_tool(*tool));
        let counted = self.arguments.iter().filter(|loss| loss.points > 0.0).cloned();
        let mut losses: Vec<Loss> = missing.chain(extra).chain(counted).collect();
        // The value is a product of shares, so no loss has points of its own. They share what is
        // lost.
        let each = points * (1.0 - self.value) * ratio(1, losses.len().max(1));
        for loss in &mut losses {
            loss.points = each;
        }
        losses
    }
}

#[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
