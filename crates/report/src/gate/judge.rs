//! Whether a run meets a gate, and by how much it does not.

use serde::Serialize;
use toolgauge_stats::{ClusteredMean, Interval, Margin, percentile_interval, percentile_of_sorted};

use super::{Bound, Figure, Gate, GateError, Rule, Subject};
use crate::compare::{
    CONFIDENCE, Column, Comparison, Difference, Flip, Flips, Pairing, Side, Terms, as_f64,
    own_clusters,
};
use crate::mean_interval::mean_interval;

/// What a gate is judged on.
#[derive(Clone, Copy, Debug)]
pub struct GateMatter<'a> {
    /// The run that must meet it.
    pub run: &'a Side,
    /// The run it is compared with, if there is one.
    pub against: Option<&'a Side>,
    /// Whether the point counts in place of the interval.
    pub point: bool,
    /// How unscored trials count, and how chance is simulated.
    pub terms: Terms,
}

/// What came of a gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateResult {
    /// The gate, as it was written.
    pub gate: String,
    /// The run it was judged on.
    pub run: String,
    /// Whether the run meets it.
    pub passed: bool,
    /// What was found: the figure, or the difference to the other run.
    pub found: Option<f64>,
    /// The lower end of its interval, where it has one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number that decided: an end of the interval, or the point.
    pub judged: Option<f64>,
    /// The number it had to keep to.
    pub threshold: f64,
    /// By how much it fell short; 0 when it passed.
    pub short_by: f64,
    /// What was found, in words.
    pub message: String,
    /// How many cases the run broke, where it was compared with another one and failed.
    pub broken: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_cases: Vec<Flip>,
}

/// A figure with its interval, where it has one.
struct Found {
    value: f64,
    interval: Option<Interval>,
    /// Whether the figure is a plain fact about the run, which no interval could doubt.
    fact: bool,
}

/// Judges a gate. An error means that the gate makes no sense for the run.
pub fn judge(gate: &Gate, matter: &GateMatter<'_>) -> Result<GateResult, GateError> {
    match &gate.rule {
        Rule::Bound { subject, side, threshold } => {
            let found = figure(gate, subject, matter.run)?;
            Ok(bound(gate, matter, found.as_ref(), (*side, *threshold)))
        }
        Rule::NoRegression { subject, within } => {
            let nothing = || GateError::NothingToCompareWith { gate: gate.to_string() };
            let against = matter.against.ok_or_else(nothing)?;
            let a = column(gate, subject, against)?;
            let b = column(gate, subject, matter.run)?;
            Ok(no_regression(gate, matter, (&a, &b), *within))
        }
    }
}

fn bound(
    gate: &Gate,
    matter: &GateMatter<'_>,
    found: Option<&Found>,
    (side, threshold): (Bound, f64),
) -> GateResult {
    let end = |interval: Interval| match side {
        Bound::AtLeast => interval.low,
        Bound::AtMost => interval.high,
    };
    let judged = found.and_then(|found| match found.interval {
        _ if matter.point || found.fact => Some(found.value),
        interval => interval.map(end),
    });
    let over = judged.map(|judged| match side {
        Bound::AtLeast => threshold - judged,
        Bound::AtMost => judged - threshold,
    });
    // Arithmetic on shares leaves dust behind, which must not fail a build.
    let passed = over.is_some_and(|over| over <= 1e-12);
    let message = match (found, judged, over) {
        (None, ..) => "nothing to judge it by".to_owned(),
        (Some(found), None, _) => {
            let value = found.value;
            format!("{value:.4}, but too few trials for an interval (--point judges without)")
        }
        (Some(found), Some(judged), Some(over)) if !passed => {
            let which = judged_end(found, matter.point, side);
            format!("{}; {which} {judged:.4} misses {threshold} by {over:.4}", shown(found))
        }
        (Some(found), ..) => shown(found),
    };
    GateResult {
        gate: gate.to_string(),
        run: matter.run.label().to_owned(),
        passed,
        found: found.map(|found| found.value),
        low: found.and_then(|found| Some(found.interval?.low)),
        high: found.and_then(|found| Some(found.interval?.high)),
        judged,
        threshold,
        short_by: over.filter(|_| !passed).unwrap_or(0.0),
        message,
        broken: 0,
        broken_cases: Vec::new(),
    }
}

/// What of a figure is held against a bound.
fn judged_end(found: &Found, point: bool, side: Bound) -> &'static str {
    match side {
        _ if found.fact || point => "the value",
        Bound::AtLeast => "the lower end",
        Bound::AtMost => "the upper end",
    }
}

fn shown(found: &Found) -> String {
    match found.interval {
        Some(interval) => format!("{:.4} [{:.4}, {:.4}]", found.value, interval.low, interval.high),
        None => format!("{:.4}", found.value),
    }
}

/// What a figure is in a run; absent where no trial has it.
fn figure(gate: &Gate, subject: &Subject, side: &Side) -> Result<Option<Found>, GateError> {
    if subject.figure == Figure::Unscored {
        let share = as_f64(side.unscored.len() as u64) / as_f64(side.trials.max(1) as u64);
        return Ok(Some(Found { value: share, interval: None, fact: true }));
    }
    let column = column(gate, subject, side)?;
    Ok(match subject.figure {
        Figure::Percentile(share) => percentile(&column, share),
        // What was spent is spent: a sum is no estimate.
        Figure::Cost | Figure::Tokens => {
            let sum = column.values().sum();
            Some(Found { value: sum, interval: None, fact: true })
        }
        _ => mean(side, &column),
    })
}

fn percentile(column: &Column, share: f64) -> Option<Found> {
    let mut values: Vec<f64> = column.values().collect();
    values.sort_by(f64::total_cmp);
    let value = percentile_of_sorted(&values, share)?;
    let interval = percentile_interval(&values, share, CONFIDENCE);
    Some(Found { value, interval, fact: false })
}

/// The mean, with the interval that a summary would show.
fn mean(side: &Side, column: &Column) -> Option<Found> {
    let mean = ClusteredMean::of(&own_clusters(side, column))?;
    let interval = mean_interval(&mean, column.values(), CONFIDENCE);
    Some(Found { value: mean.mean, interval, fact: false })
}

/// The column that a gate looks at, cut to its slice.
fn column(gate: &Gate, subject: &Subject, side: &Side) -> Result<Column, GateError> {
    let whole = |value: f64| f64::from(u8::from(value >= 1.0));
    let column = match &subject.figure {
        Figure::Score => side.score.clone(),
        Figure::Right => side.score.map(whole),
        Figure::Percentile(_) | Figure::Latency | Figure::Unscored => side.latency.clone(),
        Figure::Tokens => {
            let mut tokens = Column::default();
            for (key, input) in side.input.iter() {
                tokens.push(key, input + side.output.get(key).unwrap_or(0.0));
            }
            tokens
        }
        Figure::Cost => side.cost.clone(),
        Figure::Named(name) => named(gate, name, side)?,
    };
    let amount = match subject.figure {
        Figure::Cost => Some("cost"),
        Figure::Tokens => Some("tokens"),
        Figure::Latency | Figure::Percentile(_) => Some("latency"),
        _ => None,
    };
    if let Some(name) = amount.filter(|_| column.is_empty()) {
        let (gate, name) = (gate.to_string(), name.to_owned());
        return Err(GateError::NoSuchFigure { gate, name, known: known(side) });
    }
    match &subject.slice {
        None => Ok(column),
        Some(slice) => cut(gate, slice, side, &column),
    }
}

fn named(gate: &Gate, name: &str, side: &Side) -> Result<Column, GateError> {
    let families = [&side.dimensions, &side.scorers, &side.measures];
    if let Some(column) = families.into_iter().find_map(|family| family.get(name)) {
        return Ok(column.clone());
    }
    if name == side.scorer {
        return Ok(side.score.clone());
    }
    let (gate, name) = (gate.to_string(), name.to_owned());
    Err(GateError::NoSuchFigure { gate, name, known: known(side) })
}

/// What gates may ask of a run.
fn known(side: &Side) -> Vec<String> {
    let mut known = vec!["score".to_owned(), "right".to_owned(), "unscored".to_owned()];
    let families = [&side.dimensions, &side.scorers, &side.measures];
    known.extend(families.into_iter().flat_map(|family| family.keys().cloned()));
    if !side.latency.is_empty() {
        known.extend(["latency".to_owned(), "p50 to p99".to_owned()]);
    }
    if !side.input.is_empty() {
        known.push("tokens".to_owned());
    }
    if !side.cost.is_empty() {
        known.push("cost".to_owned());
    }
    known
}

fn cut(
    gate: &Gate,
    slice: &(String, String),
    side: &Side,
    column: &Column,
) -> Result<Column, GateError> {
    let Some(place) = side.slices.get_index_of(slice) else {
        let same_tag = side.slices.iter().filter(|(tag, _)| *tag == slice.0);
        let mut known: Vec<String> =
            same_tag.map(|(tag, value)| format!("{tag}={value}")).collect();
        if known.is_empty() {
            known = side.slices.iter().map(|(tag, _)| tag.clone()).collect();
            known.sort();
            known.dedup();
        }
        let slice = format!("{}={}", slice.0, slice.1);
        return Err(GateError::NoSuchSlice { gate: gate.to_string(), slice, known });
    };
    let mut cut = Column::default();
    for (key, value) in column.iter() {
        if side.slices_of(key.case).iter().any(|slice| *slice as usize == place) {
            cut.push(key, value);
        }
    }
    Ok(cut)
}

/// Of time, tokens and money less is better; the difference is then A − B.
fn less_is_better(gate: &Gate) -> bool {
    let (Rule::Bound { subject, .. } | Rule::NoRegression { subject, .. }) = &gate.rule;
    matches!(subject.figure, Figure::Latency | Figure::Tokens | Figure::Cost)
}

fn no_regression(
    gate: &Gate,
    matter: &GateMatter<'_>,
    (a, b): (&Column, &Column),
    within: Option<f64>,
) -> GateResult {
    let against = matter.against.unwrap_or(matter.run);
    let pairing = Pairing::of(against, matter.run);
    let sign = if less_is_better(gate) { -1.0 } else { 1.0 };
    let (a, b) = (a.map(|value| sign * value), b.map(|value| sign * value));
    let difference = Difference::of(&pairing.pairs(&a, &b), &matter.terms.yardstick());
    let threshold = -within.unwrap_or(0.0);
    let judged = difference.as_ref().and_then(|found| match within {
        _ if matter.point => Some(found.difference),
        Some(_) => found.low,
        // Without a margin only a shown regression counts, so that the upper end decides.
        None if found.is_shown() => found.high,
        None => Some(found.difference.max(0.0)),
    });
    let passed = judged.is_some_and(|judged| match within.and_then(Margin::new) {
        Some(margin) if !matter.point => judged > -margin.get(),
        _ => judged >= threshold - 1e-12,
    });
    let terms = Terms { flips_shown: Some(10), ..matter.terms };
    let flips =
        if passed { Flips::default() } else { Comparison::of(against, matter.run, &terms).flips };
    GateResult {
        gate: gate.to_string(),
        run: matter.run.label().to_owned(),
        passed,
        found: difference.as_ref().map(|found| found.difference),
        low: difference.as_ref().and_then(|found| found.low),
        high: difference.as_ref().and_then(|found| found.high),
        judged,
        threshold,
        short_by: judged.filter(|_| !passed).map_or(0.0, |judged| threshold - judged),
        message: regression_words(difference.as_ref(), passed, within, sign),
        broken: flips.broken,
        broken_cases: flips.broken_cases,
    }
}

fn regression_words(
    found: Option<&Difference>,
    passed: bool,
    within: Option<f64>,
    sign: f64,
) -> String {
    let Some(found) = found else { return "no trial is shared with the other run".to_owned() };
    let (a, b) = (sign * found.a.mean, sign * found.b.mean);
    let interval = found.interval().map_or_else(String::new, |interval| {
        format!(" [{:+.4}, {:+.4}]", interval.low, interval.high)
    });
    let p = crate::compare::p_value(found.p_value);
    let pairs = found.pairs;
    let change =
        format!("{a:.4} → {b:.4}, by {:+.4}{interval}, {p}, over {pairs} trials", found.difference);
    match (passed, within) {
        (true, _) => change,
        (false, None) => format!("{change}: worse"),
        (false, Some(margin)) => format!("{change}: worse by {margin} or more is not ruled out"),
    }
}
