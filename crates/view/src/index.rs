//! The trials of a log in columns: what lists, filters and links need, in a few hundred bytes a
//! trial, so that a log of hundreds of megabytes is filtered in milliseconds.

mod build;
mod column;
mod filter;
mod texts;

pub(crate) use build::IndexBuilder;

use indexmap::IndexSet;
use toolgauge_core::{Cause, Verdict};
use toolgauge_report::{CaseStanding, StandingCounts};

use column::TrialColumn;
use texts::TextColumn;

/// A trial's place in the columns.
pub(crate) type TrialRow = u32;

/// The trials of a log in columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrialIndex {
    cases: TextColumn,
    sentences: TextColumn,
    /// Name and sentence in small letters, to search in.
    folded: TextColumn,
    trials: TrialColumn<u32>,
    marks: TrialColumn<CaseStanding>,
    values: TrialColumn<f32>,
    causes: TrialColumn<u64>,
    latencies: TrialColumn<f32>,
    tokens: TrialColumn<u32>,
    calls: TrialColumn<u16>,
    tags: Vec<TagColumn>,
    dimensions: Vec<DimensionColumn>,
    patterns: Vec<FailurePattern>,
    /// Which trial shows which failure pattern, by trial.
    shown: TrialColumn<(TrialRow, u16)>,
    /// The place of each trial's case in the plan; one too high for those that are not in it.
    places: TrialColumn<u32>,
    /// Rows in the order of the plan.
    order: Vec<TrialRow>,
}

/// The values of one tag.
#[derive(Clone, Debug)]
pub(crate) struct TagColumn {
    /// The tag.
    pub(crate) name: String,
    /// Its values.
    pub(crate) values: IndexSet<String>,
    /// Of each trial, the place of its value; one too high for those without.
    of: TrialColumn<u32>,
}

#[derive(Clone, Debug)]
struct DimensionColumn {
    name: String,
    of: TrialColumn<Option<Verdict>>,
}

/// One way to fail: a cause at a tool and an argument.
#[derive(Clone, Debug)]
pub(crate) struct FailurePattern {
    /// The cause.
    pub(crate) cause: Cause,
    /// The tool and the argument; empty where neither is known.
    pub(crate) place: String,
    /// In how many trials it was seen.
    pub(crate) trials: usize,
    /// What it cost over all of them.
    pub(crate) points: f64,
    /// The first trial that shows it.
    pub(crate) example: TrialRow,
}

impl FailurePattern {
    /// The name used in URLs.
    pub(crate) fn name(&self) -> String {
        format!("{}@{}", self.cause.name(), self.place)
    }
}

/// What a list shows of a trial.
#[derive(Clone, Debug)]
pub(crate) struct TrialOverview<'a> {
    pub(crate) case: &'a str,
    pub(crate) trial: u32,
    pub(crate) sentence: &'a str,
    pub(crate) mark: CaseStanding,
    /// `None` where there is no judgement.
    pub(crate) value: Option<f32>,
    pub(crate) causes: Vec<Cause>,
    /// In seconds; `None` for a trial without a turn.
    pub(crate) latency: Option<f32>,
    pub(crate) tokens: u32,
    pub(crate) calls: u16,
}

impl TrialIndex {
    /// How many trials there are.
    pub(crate) fn len(&self) -> usize {
        self.trials.len()
    }

    /// How many bytes the columns take, about.
    pub(crate) fn bytes(&self) -> usize {
        let texts = self.cases.bytes() + self.sentences.bytes() + self.folded.bytes();
        let fixed = self.len() * (4 + 1 + 4 + 8 + 4 + 4 + 2 + 4 + 4);
        let tags: usize =
            self.tags.iter().map(|tag| tag.of.len() * 4 + tag.values.len() * 64).sum();
        texts + fixed + tags + self.dimensions.len() * self.len() + self.shown.len() * 8
    }

    /// What a list shows of a trial.
    pub(crate) fn overview(&self, row: TrialRow) -> TrialOverview<'_> {
        let at = row as usize;
        let mark = self.marks[at];
        let latency = self.latencies[at];
        TrialOverview {
            case: self.cases.get(at),
            trial: self.trials[at],
            sentence: self.sentences.get(at),
            mark,
            value: (mark != CaseStanding::Unscored).then(|| self.values[at]),
            causes: causes(self.causes[at]),
            latency: (latency >= 0.0).then_some(latency),
            tokens: self.tokens[at],
            calls: self.calls[at],
        }
    }

    /// The name of a trial's case.
    pub(crate) fn case(&self, row: TrialRow) -> &str {
        self.cases.get(row as usize)
    }

    /// The number of a trial.
    pub(crate) fn trial(&self, row: TrialRow) -> u32 {
        self.trials[row as usize]
    }

    /// How many trials have which standing.
    pub(crate) fn counts(&self) -> StandingCounts {
        let mut counts = StandingCounts::default();
        self.marks.iter().for_each(|standing| counts.add(standing));
        counts
    }

    /// The value of a trial's tag.
    pub(crate) fn tag_of(&self, row: TrialRow, tag: &str) -> Option<&str> {
        let column = self.tags.iter().find(|column| column.name == tag)?;
        column.values.get_index(column.of[row as usize] as usize).map(String::as_str)
    }

    /// The trials of a case, in order.
    pub(crate) fn of_case(&self, case: &str) -> Vec<TrialRow> {
        let mut rows: Vec<TrialRow> = self.cases.find_all(case).collect();
        rows.sort_by_key(|row| self.trials[*row as usize]);
        rows
    }

    /// The tags.
    pub(crate) fn tags(&self) -> &[TagColumn] {
        &self.tags
    }

    /// The names of the dimensions.
    pub(crate) fn dimensions(&self) -> impl Iterator<Item = &str> {
        self.dimensions.iter().map(|column| column.name.as_str())
    }

    /// The ways to fail, the most frequent first.
    pub(crate) fn patterns(&self) -> Vec<&FailurePattern> {
        let mut patterns: Vec<&FailurePattern> = self.patterns.iter().collect();
        patterns.sort_by(|a, b| {
            b.trials.cmp(&a.trials).then(b.points.total_cmp(&a.points)).then(a.cause.cmp(&b.cause))
        });
        patterns
    }

    /// How long the trials took, in seconds, in no particular order.
    pub(crate) fn latencies(&self) -> Vec<f64> {
        self.latencies.iter().filter(|latency| *latency >= 0.0).map(f64::from).collect()
    }

    /// How long trials took by the value of a tag.
    pub(crate) fn latencies_by(&self, tag: &TagColumn) -> Vec<(String, Vec<f64>)> {
        let mut by: Vec<(String, Vec<f64>)> =
            tag.values.iter().map(|value| (value.clone(), Vec::new())).collect();
        for (value, latency) in tag.of.iter().zip(self.latencies.iter()) {
            if let Some((_, known)) = by.get_mut(value as usize).filter(|_| latency >= 0.0) {
                known.push(f64::from(latency));
            }
        }
        by
    }
}

/// The bit of a cause. There are fewer than 64.
fn bit(cause: Cause) -> u64 {
    let place = Cause::ALL.iter().position(|known| *known == cause).unwrap_or(63);
    1 << place.min(63)
}

fn causes(bits: u64) -> Vec<Cause> {
    Cause::ALL.iter().copied().filter(|cause| bits & bit(*cause) != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_a_bit_of_its_own() {
        assert!(Cause::ALL.len() <= 64);
        let all = Cause::ALL.iter().fold(0, |bits, cause| bits | bit(*cause));
        assert_eq!(causes(all), Cause::ALL);
    }
}
