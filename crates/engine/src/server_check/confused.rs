//! Which tool a model took for which.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;
use toolgauge_log::Log;

use crate::error::EngineError;

/// How often one tool was called where another was asked for, of all trials that asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct ToolMixUp {
    asked: String,
    /// What was called first; nothing where no call was made.
    called: Option<String>,
    trials: usize,
    of: usize,
}

/// Which tools a model took for which, in one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolMixUps {
    trials: usize,
    right: usize,
    pairs: Vec<ToolMixUp>,
}

/// Which tools were taken for which in a log. Trials that failed, and cases that expect no call, say nothing.
pub fn mix_ups(log: &Path) -> Result<ToolMixUps, EngineError> {
    let mut pairs: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
    for trial in Log::open(log)?.trials() {
        let trial = trial?;
        let expected = trial.case.expectation.calls.iter().flatten().next();
        let Some(expected) = expected.filter(|_| trial.transcript.failure.is_none()) else {
            continue;
        };
        let called = trial.transcript.calls().next().map(|call| call.name.clone());
        *pairs.entry((expected.name.clone(), called)).or_default() += 1;
    }
    Ok(ToolMixUps::of(&pairs))
}

impl ToolMixUps {
    fn of(counts: &BTreeMap<(String, Option<String>), usize>) -> Self {
        let mut of: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut right, mut pairs) = (0, Vec::new());
        for ((asked, _), trials) in counts {
            *of.entry(asked).or_default() += trials;
        }
        for ((asked, called), trials) in counts {
            if called.as_ref() == Some(asked) {
                right += trials;
                continue;
            }
            let (asked, called, of) = (asked.clone(), called.clone(), of[asked.as_str()]);
            pairs.push(ToolMixUp { asked, called, trials: *trials, of });
        }
        // A stable sort: pairs that happened as often stay in the order of their names.
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.trials));
        Self { trials: of.values().sum(), right, pairs }
    }
}

impl fmt::Display for ToolMixUps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  right tool {} of {}", self.right, self.trials)?;
        for ToolMixUp { asked, called, trials, of } in &self.pairs {
            let called = called.as_ref().map_or("none".to_owned(), |called| format!("`{called}`"));
            writeln!(f, "  {trials} of {of}     `{asked}` was asked for, {called} called")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_told_by_how_often_they_were_confused() {
        let count = |asked: &str, called: Option<&str>, trials: usize| {
            ((asked.to_owned(), called.map(str::to_owned)), trials)
        };
        let counts = BTreeMap::from([
            count("read", Some("read"), 3),
            count("read", Some("list"), 1),
            count("write", None, 2),
            count("write", Some("edit"), 2),
        ]);
        let told = ToolMixUps::of(&counts).to_string();
        let lines = [
            "  right tool 3 of 8",
            "  2 of 4     `write` was asked for, none called",
            "  2 of 4     `write` was asked for, `edit` called",
            "  1 of 4     `read` was asked for, `list` called",
        ];
        assert_eq!(told.lines().collect::<Vec<_>>(), lines);
    }
}
