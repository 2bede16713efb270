//! How large a difference is, and how many cases or trials it takes to see a small one.

use serde::Serialize;
use toolgauge_stats::{ClusteredMean, TestTarget, VarianceComponents, hedges_g};

use super::difference::Difference;
use super::pairing::{CasePair, RunPairing};
use super::side::{RunSide, as_f64};
use super::{own_clusters, trial_clusters};
use crate::rate::Rate;

/// A difference that is small and matters: three points of a hundred.
const SMALL: f64 = 0.03;

/// What it takes to see a small difference four times in five.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Needed {
    /// The difference to be seen.
    pub difference: f64,
    /// How many cases (or groups of cases), with as many trials of each as now.
    pub cases: u64,
    /// How many trials of each of these cases; absent where each has one trial, and where no
    /// number of trials would do because the cases themselves differ too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<u64>,
}

/// The scores of two runs that share no case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Unpaired {
    /// The score of side A.
    pub a: Rate,
    /// The score of side B.
    pub b: Rate,
    /// B − A.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How surprising such a difference would be if there were none; absent where nothing varies.
    pub p_value: Option<f64>,
}

impl Needed {
    pub(super) fn of(pairing: &RunPairing<'_>, score: &Difference) -> Option<Self> {
        let cases = score.cases_needed(SMALL)?;
        Some(Self { difference: SMALL, cases, trials: trials_needed(pairing, score) })
    }

    /// What it takes, in words.
    pub(crate) fn words(&self, units: usize) -> String {
        let Self { difference, cases, trials } = self;
        if *cases <= units as u64 {
            return format!("these cases are enough for a difference of {difference:.2}");
        }
        let trials = trials.map(|trials| format!(", or {trials} trials of each of these"));
        let trials = trials.unwrap_or_default();
        format!("a difference of {difference:.2} takes about {cases} cases{trials}")
    }
}

impl Unpaired {
    /// Compares all cases of A with all cases of B.
    pub(super) fn of(a: &RunSide, b: &RunSide) -> Option<Self> {
        let (units_a, units_b) = (own_clusters(a, &a.score), own_clusters(b, &b.score));
        let (mean_a, mean_b) = (ClusteredMean::of(&units_a)?, ClusteredMean::of(&units_b)?);
        let estimate = ClusteredMean::unpaired_difference(&mean_a, &mean_b)?;
        let (a, b) = (Rate::of_units(&units_a, &mean_a), Rate::of_units(&units_b, &mean_b));
        // Newcombe's way (1998) from the interval of each side, which has a width even where all
        // cases of a side agree; the t interval would have none.
        let below = (b.mean - b.low).hypot(a.high - a.mean);
        let above = (b.high - b.mean).hypot(a.mean - a.low);
        Some(Self {
            a,
            b,
            difference: estimate.value,
            low: estimate.value - below,
            high: estimate.value + above,
            p_value: estimate.p_value(0.0),
        })
    }
}

/// How large the difference is against how much it varies from case to case.
pub(super) fn effect_size(pairs: &[CasePair]) -> Option<f64> {
    let differences: Vec<f64> = pairs.iter().map(CasePair::difference).collect();
    hedges_g(&differences)
}

/// Cohen's words for an effect size.
pub(crate) fn effect_words(effect: f64) -> &'static str {
    match effect.abs() {
        size if size < 0.2 => "very small",
        size if size < 0.5 => "small",
        size if size < 0.8 => "medium",
        _ => "large",
    }
}

/// How many trials of each case would show a small difference. What trials of one case differ by
/// becomes less with more trials; what cases differ by does not.
fn trials_needed(pairing: &RunPairing<'_>, score: &Difference) -> Option<u64> {
    // Trials of a group differ by their cases as well.
    if pairing.grouped {
        return None;
    }
    let (a, b) = (TrialNoise::of(pairing.a)?, TrialNoise::of(pairing.b)?);
    let units = score.units as u64;
    let variance = score.standard_error?.powi(2) * as_f64(units);
    // The differences of cases vary by what trials differ by as well; without it, what is left is
    // between cases. An estimate may fall below zero.
    let between = (variance - a.variance / a.trials - b.variance / b.trials).max(0.0);
    let components = VarianceComponents { between, within: a.variance + b.variance };
    TestTarget::default().trials_needed(&components, units, SMALL)
}

/// How much trials of the same case differ on one side.
struct TrialNoise {
    variance: f64,
    /// How many trials a case has.
    trials: f64,
}

impl TrialNoise {
    fn of(side: &RunSide) -> Option<Self> {
        let mean = ClusteredMean::of(&trial_clusters(side))?;
        let variance = mean.variance_components()?.within;
        Some(Self { variance, trials: as_f64(mean.n) / as_f64(mean.clusters as u64) })
    }
}
