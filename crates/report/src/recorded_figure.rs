//! The figures in the head of another program's log, beside those that its samples give.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{CaseId, Run, RunEntry};
use toolgauge_log::{HeaderFigure, TrialSummary};

/// How far apart two figures may be and still be the same, relative to their size.
const SAME: f64 = 1e-9;

/// From which value on a trial counts as right for a reducer, unless its task says otherwise.
const RIGHT: f64 = 1.0;

/// A figure that another program recorded, and the same computed again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedFigure {
    /// What was recorded.
    pub recorded: HeaderFigure,
    /// What the trials in the log give; absent where the way to it is not known.
    pub recomputed: Option<f64>,
}

impl RecordedFigure {
    /// Whether the recorded figure is the one that the trials give.
    pub fn is_same(&self) -> bool {
        let recorded = self.recorded.value;
        let near = |found: f64| (found - recorded).abs() <= SAME * recorded.abs().max(1.0);
        self.recomputed.is_some_and(near)
    }

    /// What a reader cannot see in the score: a figure by another way than the mean of trials, or
    /// one that the trials do not give.
    pub fn words(&self) -> Option<String> {
        let HeaderFigure { score, reducer, metric, value, .. } = &self.recorded;
        let reducer = reducer.as_deref().filter(|reducer| *reducer != "mean");
        if reducer.is_none() && self.is_same() {
            return None;
        }
        let by = reducer.map(|reducer| format!(" by `{reducer}` of epochs")).unwrap_or_default();
        let found = match self.recomputed {
            _ if self.is_same() => "; recomputed: the same".to_owned(),
            Some(found) => format!("; recomputed: {found:.3}"),
            None => String::new(),
        };
        Some(format!("{metric} of `{score}`{by} {value:.3}{found}"))
    }
}

/// The values that recorded figures are means of.
#[derive(Clone, Debug, Default)]
pub(crate) struct FigureTally {
    figures: Vec<HeaderFigure>,
    /// By score and case: the epochs with their values.
    values: IndexMap<String, IndexMap<CaseId, Vec<(u32, f64)>>>,
}

impl FigureTally {
    pub(crate) fn of(run: &Run) -> Self {
        let figures = RunEntry::RecordedFigures.read(run).unwrap_or_default();
        Self { figures, values: IndexMap::new() }
    }

    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        if self.figures.is_empty() {
            return;
        }
        for (score, outcome) in &trial.outcomes {
            let Some(value) = outcome.value() else { continue };
            let cases = self.values.entry(score.clone()).or_default();
            cases.entry(trial.id.case.clone()).or_default().push((trial.id.trial, value));
        }
    }

    /// Every figure that was recorded, computed again.
    pub(crate) fn figures(&self) -> Vec<RecordedFigure> {
        let check = |recorded: &HeaderFigure| RecordedFigure {
            recomputed: self.recomputed(recorded),
            recorded: recorded.clone(),
        };
        self.figures.iter().map(check).collect()
    }

    fn recomputed(&self, figure: &HeaderFigure) -> Option<f64> {
        // A scorer of several values has a figure for each, under the name of the value.
        let part = || self.values.get(&format!("{}.{}", figure.scorer, figure.score));
        let cases = self.values.get(&figure.score).or_else(part)?;
        let reducer = EpochReducer::named(figure.reducer.as_deref().unwrap_or("mean"))?;
        let reduced = cases.values().filter_map(|epochs| {
            // Which of two values is the more frequent one depends on their order.
            let mut epochs = epochs.clone();
            epochs.sort_by_key(|(epoch, _)| *epoch);
            let values: Vec<f64> = epochs.into_iter().map(|(_, value)| value).collect();
            reducer.reduce(&values)
        });
        let reduced: Vec<f64> = reduced.collect();
        mean(&reduced)
    }
}

/// How Inspect AI makes one value of the epochs of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
enum EpochReducer {
    Mean,
    Median,
    Mode,
    Majority,
    Max,
    /// 1 if so many are right, else 0.
    AtLeast(usize),
    /// The chance that one of so many is right (Chen et al. 2021).
    PassAt(usize),
    /// The chance that so many are all right (Yao et al. 2024).
    PassAll(usize),
}

impl EpochReducer {
    /// The reducer of this name in a log, if it is one that is known.
    fn named(name: &str) -> Option<Self> {
        match name {
            "mean" => return Some(Self::Mean),
            "median" => return Some(Self::Median),
            "mode" => return Some(Self::Mode),
            "majority" => return Some(Self::Majority),
            "max" => return Some(Self::Max),
            _ => {}
        }
        let (name, k) = name.rsplit_once('_')?;
        let k = k.parse().ok().filter(|k| *k > 0)?;
        match name {
            "at_least" => Some(Self::AtLeast(k)),
            "pass_at" => Some(Self::PassAt(k)),
            "pass_k" => Some(Self::PassAll(k)),
            _ => None,
        }
    }

    /// The one value; absent where the reducer leaves the sample unscored.
    fn reduce(self, values: &[f64]) -> Option<f64> {
        let right = values.iter().filter(|value| **value >= RIGHT).count();
        let all = values.len();
        match self {
            Self::Mean => mean(values),
            Self::Median => median(values),
            Self::Mode => most_common(values).map(|(value, _)| value),
            Self::Majority => {
                most_common(values).filter(|(_, count)| count * 2 > all).map(|(value, _)| value)
            }
            Self::Max => values.iter().copied().reduce(f64::max),
            Self::AtLeast(k) => (all > 0).then(|| f64::from(u8::from(right >= k))),
            Self::PassAt(k) => chance(all - right, all, k).map(|none| 1.0 - none),
            Self::PassAll(k) => chance(right, all, k),
        }
    }
}

/// The chance that `k` drawn from `all` without putting back are all among `some` of them.
#[expect(clippy::cast_precision_loss, reason = "a handful of epochs")]
fn chance(some: usize, all: usize, k: usize) -> Option<f64> {
    let share = |drawn: usize| some.saturating_sub(drawn) as f64 / (all - drawn) as f64;
    (all >= k).then(|| (0..k).map(share).product())
}

/// The value that comes most often with how often it comes; of several the first.
fn most_common(values: &[f64]) -> Option<(f64, usize)> {
    let count = |value: f64| values.iter().filter(|other| other.total_cmp(&value).is_eq()).count();
    let mut best: Option<(f64, usize)> = None;
    for value in values {
        let count = count(*value);
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((*value, count));
        }
    }
    best
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from `inspect_ai` 0.3.285, `create_reducers(name)[0]([Score(value=v) for v in …])`.
    #[test]
    fn epochs_become_one_value_as_in_inspect() {
        let epochs = [1.0, 0.0, 0.5, 1.0, 0.0];
        for (name, want) in [
            ("mean", 0.5),
            ("median", 0.5),
            ("mode", 1.0),
            ("max", 1.0),
            ("at_least_2", 1.0),
            ("at_least_3", 0.0),
            ("pass_at_2", 0.7),
            ("pass_k_2", 0.1),
        ] {
            let found = EpochReducer::named(name).unwrap().reduce(&epochs).unwrap();
            assert!((found - want).abs() < 1e-12, "{name}: {found}");
        }
        assert_eq!(EpochReducer::Majority.reduce(&epochs), None);
        assert_eq!(EpochReducer::Majority.reduce(&[1.0, 1.0, 0.0]), Some(1.0));
        assert_eq!(EpochReducer::PassAt(6).reduce(&epochs), None);
        assert_eq!(EpochReducer::named("collect"), None);
    }
}
