//! How often arguments broke the schemas of tools.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_log::TrialSummary;

/// So many tools are told apart for a keyword. Cases may bring thousands.
const MOST: usize = 1000;

/// How often arguments broke one rule of JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeywordViolations {
    /// The keyword: `required`, `type`, `enum`.
    pub keyword: String,
    /// How often.
    pub count: u64,
    /// In how many trials.
    pub trials: usize,
    /// The same by tool, the most frequent first.
    pub tools: IndexMap<String, u64>,
}

/// Counts violations as trials come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViolationTally(BTreeMap<String, KeywordCount>);

#[derive(Clone, Debug, Default)]
struct KeywordCount {
    count: u64,
    trials: usize,
    tools: BTreeMap<String, u64>,
}

impl ViolationTally {
    /// Takes note of the violations of a trial.
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        for (place, one) in trial.violations.iter().enumerate() {
            let known = self.0.entry(one.keyword.clone()).or_default();
            let count = u64::from(one.count);
            known.count += count;
            let is_first = trial.violations[..place].iter().all(|it| it.keyword != one.keyword);
            known.trials += usize::from(is_first);
            if known.tools.len() < MOST || known.tools.contains_key(&one.tool) {
                *known.tools.entry(one.tool.clone()).or_default() += count;
            }
        }
    }

    /// The violations by keyword, the most frequent first.
    pub(crate) fn counted(&self) -> Vec<KeywordViolations> {
        let of = |(keyword, found): (&String, &KeywordCount)| {
            let mut tools: IndexMap<String, u64> = found.tools.clone().into_iter().collect();
            tools.sort_by(|a, x, b, y| y.cmp(x).then_with(|| a.cmp(b)));
            let (count, trials) = (found.count, found.trials);
            KeywordViolations { keyword: keyword.clone(), count, trials, tools }
        };
        let mut counts: Vec<KeywordViolations> = self.0.iter().map(of).collect();
        // Stable, so that those of the same count stay in the order of their names.
        counts.sort_by_key(|one| std::cmp::Reverse(one.count));
        counts
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{Case, SchemaViolation, Transcript, Trial};

    use super::*;

    fn trial(violations: &[(&str, &str, u32)]) -> TrialSummary {
        let violation = |(tool, keyword, count): &(&str, &str, u32)| SchemaViolation {
            tool: (*tool).to_owned(),
            keyword: (*keyword).to_owned(),
            count: *count,
        };
        let mut transcript = Transcript::default();
        transcript.background.violations = violations.iter().map(violation).collect();
        TrialSummary::of(&Trial {
            case: Case::new("c", "say").into(),
            number: 1,
            started: jiff::Timestamp::UNIX_EPOCH,
            ended: jiff::Timestamp::UNIX_EPOCH,
            transcript,
            outcomes: IndexMap::new(),
        })
    }

    #[test]
    fn violations_are_told_by_keyword_with_the_tools_that_broke_it() {
        let mut tally = ViolationTally::default();
        tally.add(&trial(&[
            ("write", "type", 1),
            ("read", "required", 1),
            ("write", "required", 3),
        ]));
        tally.add(&trial(&[("read", "required", 1)]));
        tally.add(&trial(&[]));
        let told = json!([
            {"keyword": "required", "count": 5, "trials": 2, "tools": {"write": 3, "read": 2}},
            {"keyword": "type", "count": 1, "trials": 1, "tools": {"write": 1}},
        ]);
        let counted = json!(tally.counted());
        assert_eq!(counted, told);
        let tools: Vec<&String> = counted[0]["tools"].as_object().unwrap().keys().collect();
        assert_eq!(tools, ["write", "read"], "the most frequent first");
    }
}
