//! What of a log cannot be read, while the rest of it can.

use serde::Serialize;

use crate::LogError;
use crate::source::LogSource;

/// As many damaged samples as are named; all are counted.
const NAMED: usize = 10;

/// The samples of a log that cannot be read, while the rest of it can. They are no trials: they
/// have no score, and are not counted as wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// How many there are.
    pub samples: usize,
    /// The first of them.
    pub first: Vec<DamagedSample>,
}

/// A sample that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedSample {
    /// Its name, or where it must have been.
    pub name: String,
    /// What is wrong with it.
    pub why: String,
}

impl Damage {
    /// Whether everything can be read.
    pub fn is_none(&self) -> bool {
        self.samples == 0
    }

    /// Takes note of a sample that could not be read. One that is known already is not counted
    /// again.
    pub fn note(&mut self, error: &LogError) {
        let (name, why) = match error {
            LogError::Damaged { member, why, .. } => (member.clone(), why.clone()),
            LogError::Misnamed { member, trial, .. } => {
                (member.clone(), format!("it holds the trial `{trial}`"))
            }
            LogError::Json { member, source, .. } => (member.clone(), source.to_string()),
            LogError::Io { path, source, .. } => (path.display().to_string(), source.to_string()),
            other => (String::new(), other.to_string()),
        };
        let name = LogSource::sample_name(&name).unwrap_or(&name).to_owned();
        // An error of reading names the log and not the sample, so two of them may be two samples.
        let named = !matches!(error, LogError::Io { .. });
        if named && self.first.iter().any(|known| known.name == name) {
            return;
        }
        self.samples += 1;
        if self.first.len() < NAMED {
            self.first.push(DamagedSample { name, why });
        }
    }

    /// The damage in words, beside as many trials as could be read. `None` if there is none.
    pub fn describe(&self, readable: usize) -> Option<String> {
        if self.is_none() {
            return None;
        }
        let named = self.first.iter().map(|sample| format!("`{}` ({})", sample.name, sample.why));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = match self.samples - self.first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (samples, all) = (self.samples, readable + self.samples);
        let plural = if all == 1 { "" } else { "s" };
        Some(format!("{samples} of {all} sample{plural} cannot be read: {named}{more}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damaged(name: &str) -> LogError {
        LogError::Damaged { path: "a.eval".into(), member: name.into(), why: "torn".into() }
    }

    #[test]
    fn damage_is_counted_and_named() {
        let mut damage = Damage::default();
        assert_eq!(damage.describe(5), None);
        damage.note(&damaged("samples/a_epoch_1.json"));
        damage.note(&damaged("samples/a_epoch_1.json"));
        assert_eq!(
            damage.describe(5).unwrap(),
            "1 of 6 samples cannot be read: `a_epoch_1` (torn)"
        );
        (0..20).for_each(|number| damage.note(&damaged(&format!("samples/b_epoch_{number}.json"))));
        assert_eq!((damage.samples, damage.first.len()), (21, NAMED));
        assert!(damage.describe(0).unwrap().ends_with(" and 11 more"));
    }
}
