//! Which tools were called in the place of which.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;
use toolgauge_core::{Cause, Loss, Outcome};
use toolgauge_log::TrialSummary;

/// So many pairs are told apart. A subject that invents a name in every trial makes more.
const MOST: usize = 1000;

/// How often one tool was called in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolConfusion {
    /// The tool that was expected.
    pub expected: String,
    /// The tool that was called.
    pub called: String,
    /// How often.
    pub count: usize,
}

/// Counts confusions as trials come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confusions(IndexMap<(String, String), usize>);

impl Confusions {
    /// Takes note of the wrong tools of a trial, as the first scorer sees them that looks at calls.
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        let scores = trial.outcomes.values().filter_map(Outcome::score);
        let mut found = scores.map(|score| score.losses.iter().filter_map(pair).collect());
        let pairs: Vec<(String, String)> =
            found.find(|pairs: &Vec<_>| !pairs.is_empty()).unwrap_or_default();
        for pair in pairs {
            if self.0.len() < MOST || self.0.contains_key(&pair) {
                *self.0.entry(pair).or_default() += 1;
            }
        }
    }

    /// The confusions, the most frequent first.
    pub(crate) fn counted(&self) -> Vec<ToolConfusion> {
        let count = |((expected, called), count): (&(String, String), &usize)| ToolConfusion {
            expected: expected.clone(),
            called: called.clone(),
            count: *count,
        };
        let mut counts: Vec<ToolConfusion> = self.0.iter().map(count).collect();
        // Trials end in any order; what is printed must not depend on it.
        counts.sort_by(|a, b| {
            let name = |one: &ToolConfusion| (one.expected.clone(), one.called.clone());
            b.count.cmp(&a.count).then_with(|| name(a).cmp(&name(b)))
        });
        counts
    }
}

/// The expected tool and the one in its place. Logs of before do not say which it was.
fn pair(loss: &Loss) -> Option<(String, String)> {
    let called =
        loss.actual.as_ref().and_then(Value::as_str).filter(|_| loss.cause == Cause::WrongTool);
    Some((loss.tool.clone()?, called?.to_owned()))
}
