//! What trials took: time, tokens, money. Less is better, and a few trials outweigh the rest.

use serde::Serialize;
use toolgauge_stats::{Cluster, ClusteredMean, holm, percentile, signed_rank};

use super::difference::CONFIDENCE;
use super::pairing::{CasePair, RunPairing, differences};

/// One amount on both sides, over the cases that both have; a case's trials are averaged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AmountChange {
    /// What it is: `latency`, `first token`, `input tokens`, `output tokens`, `cost`.
    pub name: &'static str,
    /// In what it is counted.
    pub unit: AmountUnit,
    /// How many cases are compared.
    pub cases: usize,
    /// The median and the mean on side A.
    pub a: Typical,
    /// The median and the mean on side B.
    pub b: Typical,
    /// The mean of B − A.
    pub difference: f64,
    /// The lower end of its 95 % interval; absent for fewer than two cases.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The p-value of the signed-rank test over cases.
    pub p_value: f64,
    /// The same, corrected for all the amounts.
    pub adjusted_p_value: f64,
}

/// What is typical on one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Typical {
    /// Half of the cases have less.
    pub median: f64,
    /// Nineteen in twenty have less.
    pub p95: f64,
    /// The mean over cases.
    pub mean: f64,
}

/// In what an amount is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AmountUnit {
    /// Seconds.
    Seconds,
    /// Tokens.
    Tokens,
    /// Whatever currency the price is in.
    Money,
}

impl AmountChange {
    /// Whether B takes more or less than A, shown beyond chance.
    pub fn is_shown(&self) -> bool {
        self.adjusted_p_value < CONFIDENCE.alpha()
    }
}

/// Every amount that both sides know.
pub(crate) fn amounts(pairing: &RunPairing<'_>) -> Vec<AmountChange> {
    let (a, b) = (pairing.a, pairing.b);
    let columns = [
        ("latency", AmountUnit::Seconds, &a.latency, &b.latency),
        ("first token", AmountUnit::Seconds, &a.first_token, &b.first_token),
        ("input tokens", AmountUnit::Tokens, &a.input, &b.input),
        ("output tokens", AmountUnit::Tokens, &a.output, &b.output),
        ("cost", AmountUnit::Money, &a.cost, &b.cost),
    ];
    let mut found: Vec<AmountChange> = Vec::new();
    for (name, unit, a, b) in columns {
        found.extend(change(name, unit, &pairing.pairs(a, b)));
    }
    let p_values: Vec<f64> = found.iter().map(|change| change.p_value).collect();
    for (change, adjusted) in found.iter_mut().zip(holm(&p_values)) {
        change.adjusted_p_value = adjusted;
    }
    found
}

fn change(name: &'static str, unit: AmountUnit, pairs: &[CasePair]) -> Option<AmountChange> {
    let clusters = differences(pairs);
    let mean = ClusteredMean::of(&clusters)?;
    let interval = mean.interval(CONFIDENCE);
    let of_units: Vec<f64> = clusters.iter().filter_map(Cluster::mean).collect();
    let p_value = signed_rank(&of_units).map_or(1.0, |found| found.p_value);
    Some(AmountChange {
        name,
        unit,
        cases: pairs.len(),
        a: typical(pairs, |pair| pair.a.mean)?,
        b: typical(pairs, |pair| pair.b.mean)?,
        difference: mean.mean,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        p_value,
        adjusted_p_value: p_value,
    })
}

fn typical(pairs: &[CasePair], value: impl Fn(&CasePair) -> f64) -> Option<Typical> {
    let values: Vec<f64> = pairs.iter().map(value).collect();
    let mean = ClusteredMean::of(&[Cluster::of(&values)])?.mean;
    Some(Typical { median: percentile(&values, 0.5)?, p95: percentile(&values, 0.95)?, mean })
}
