//! What makes the figures of a run doubtful, in words: a line each, with its name.

use crate::failures::Failures;
use crate::harmless::line_within;
use crate::number::counted;
use crate::summary::Summary;
use crate::unscored::{advice, oddity_advice};

/// How many ways to fail are named.
const FAILURES: usize = 2;

impl Summary {
    /// What was wrong before the first trial, and trials that say nothing, or less than they
    /// should. A line without a name belongs to the one before.
    pub(crate) fn doubts(&self) -> Vec<(&'static str, String)> {
        let mut doubts: Vec<(&'static str, String)> = Vec::new();
        doubts.extend(self.warnings.iter().map(|it| ("warning", line_within(it, 400).into())));
        let count: usize = self.unscored.values().sum();
        if count > 0 {
            let reasons = self.unscored.iter().map(|(reason, count)| format!("{count} {reason}"));
            let reasons: Vec<String> = reasons.collect();
            doubts
                .push(("unscored", format!("{}: {}", counted(count, "trial"), reasons.join(", "))));
        }
        let advice = self.unscored.keys().filter_map(|reason| advice(reason));
        doubts.extend(advice.map(|advice| ("", advice.to_owned())));
        for (number, line) in Failures::lines(&self.failures, FAILURES).into_iter().enumerate() {
            doubts.push((if number == 0 { "errors" } else { "" }, line));
        }
        // An odd form of answers with a known remedy may explain the whole score.
        for (name, count) in &self.oddities {
            if let Some(advice) = oddity_advice(name) {
                doubts.push(("oddities", format!("{count} {name}: {advice}")));
            }
        }
        doubts.extend(self.repeats.words().map(|words| ("repeated", words)));
        doubts.extend(self.cut_off.map(|cut_off| ("cut off", cut_off.words())));
        let damage = self.damage.describe(self.trials);
        doubts.extend(damage.map(|damage| ("damaged", line_within(&damage, 400).into_owned())));
        doubts
    }
}
