//! Where a judge and the rules disagree about the words of an answer.

use serde::Serialize;
use toolgauge_core::{Measure, Outcome, Score, TrialId};
use toolgauge_log::TrialSummary;

use crate::case_places::CasePlaces;

/// The scorer that reads the votes of judges.
const JUDGE: &str = "judge";

/// The scorers that hold words against what the case says of them. Others (retrieval, time, the rules
/// of other tools) find no word wrong because they look at none.
const READERS: [&str; 5] = ["chatbot", "keywords", "end_state", "tool_calls", "tool_calls_classic"];

/// Where a judge and the rules disagree about the words of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SecondOpinion {
    /// How many trials both have judged.
    pub compared: usize,
    /// Trials whose words are right by the judge and wrong by the rules.
    pub right_by_judge_only: Vec<TrialId>,
    /// Trials whose words are right by the rules and wrong by the judge.
    pub right_by_rules_only: Vec<TrialId>,
}

impl SecondOpinion {
    /// Takes one trial into account. Trials without votes, or with votes that are evenly split,
    /// say nothing.
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        let Some((rules, judge)) = verdicts(trial) else { return };
        self.compared += 1;
        match (rules, judge) {
            (false, true) => self.right_by_judge_only.push(trial.id.clone()),
            (true, false) => self.right_by_rules_only.push(trial.id.clone()),
            _ => {}
        }
    }

    /// The same in the order of the plan, if there is anything to tell. Trials end in any order.
    pub(crate) fn sorted(&self, cases: &CasePlaces) -> Option<Self> {
        let mut sorted = self.clone();
        for trials in [&mut sorted.right_by_judge_only, &mut sorted.right_by_rules_only] {
            trials.sort_by_key(|trial| (cases.place(&trial.case), trial.trial));
        }
        (sorted.compared > 0).then_some(sorted)
    }

    /// The trials that are right by one of the two alone, with the words for whom.
    pub fn lists(&self) -> [(&'static str, &[TrialId]); 2] {
        [
            ("by the judge only", &self.right_by_judge_only),
            ("by the rules only", &self.right_by_rules_only),
        ]
    }

    /// How many trials are judged differently.
    pub fn different(&self) -> usize {
        self.right_by_judge_only.len() + self.right_by_rules_only.len()
    }
}

/// Whether the words are right by the rules and by the judge. The rules are those of the first
/// scorer that reads words; what it says about calls does not count here.
fn verdicts(trial: &TrialSummary) -> Option<(bool, bool)> {
    let share = trial.outcomes.get(JUDGE)?.score()?.measure(Measure::JudgedRight)?;
    let mut rules = trial.outcomes.iter().filter(|(name, _)| READERS.contains(&name.as_str()));
    let rules: &Score = rules.next().and_then(|(_, outcome): (_, &Outcome)| outcome.score())?;
    let is_even = (share - 0.5).abs() < 1e-9;
    let wrong = rules.losses.iter().any(|loss| loss.cause.is_about_words());
    (!is_even).then_some((!wrong, share > 0.5))
}
