//! Whether a run is worse than another one.

use std::collections::BTreeSet;

use toolgauge_core::Better;
use toolgauge_stats::{Cluster, Margin, Range, sign_flip};

use super::result::{GateMatter, GateResult};
use super::unit::FigureUnit;
use super::{GateCondition, GateError, GateFigure, GateSubject};
use crate::compare::{
    CONFIDENCE, CasePair, ComparedColumn, Difference, Flips, RunPairing, RunSide, differences,
    flips, p_value,
};
use crate::number::counted;

/// Which way the figure of a gate gets better.
pub(super) fn better(
    gate: &GateCondition,
    subject: &GateSubject,
    side: &RunSide,
) -> Result<Better, GateError> {
    match &subject.figure {
        GateFigure::Latency | GateFigure::Tokens | GateFigure::Cost => Ok(Better::Less),
        GateFigure::Named(name) => side
            .better(name)
            .ok_or_else(|| GateError::NoDirection { gate: gate.to_string(), name: name.clone() }),
        _ => Ok(Better::More),
    }
}

/// Judges `no-regression`.
///
/// Without a margin the test decides, not the interval: `p_worse` falls with no case that gets
/// better. With a margin the lower end decides, which is monotone too; of amounts, which have no
/// such interval, the test of the differences with the margin added.
pub(super) fn no_regression(
    gate: &GateCondition,
    matter: &GateMatter<'_>,
    against: &RunSide,
    (a, b): (&ComparedColumn, &ComparedColumn),
    (better, within): (Better, Option<f64>),
) -> GateResult {
    let pairing = RunPairing::of(against, matter.run);
    // Turned around where less is better, so that below zero means worse throughout.
    let sign = if better == Better::Less { -1.0 } else { 1.0 };
    let (a, b) = (a.map(|value| sign * value), b.map(|value| sign * value));
    let pairs = pairing.pairs(&a, &b);
    let difference = Difference::of(&pairs, &matter.terms.options());
    let decided = difference.as_ref().map(|found| decide(found, &pairs, matter, within));
    let passed = decided.as_ref().is_some_and(|decided| decided.passed);
    let flips = if passed { Flips::default() } else { flipped(&pairing, &pairs) };
    let threshold = decided.as_ref().map_or(0.0, |decided| decided.threshold);
    let judged = decided.as_ref().and_then(|decided| decided.judged);
    GateResult {
        gate: gate.to_string(),
        suite: matter.run.run().suite.name.clone(),
        subject: matter.run.run().subject.name.clone(),
        run: matter.run.label().to_owned(),
        passed,
        undecided: false,
        found: difference.as_ref().map(|found| found.difference),
        low: difference.as_ref().and_then(|found| found.low),
        high: difference.as_ref().and_then(|found| found.high),
        judged,
        threshold,
        short_by: judged.filter(|_| !passed).map_or(0.0, |judged| (threshold - judged).abs()),
        perfect: None,
        message: words(difference.as_ref(), FigureUnit::of(gate), (passed, within), sign),
        broken: flips.broken,
        broken_cases: flips.broken_cases,
    }
}

/// Of the cases that were judged, those whose verdict changed, the first ten by name.
fn flipped(pairing: &RunPairing<'_>, judged: &[CasePair]) -> Flips {
    let (a, b) = (&pairing.a.score, &pairing.b.score);
    // The verdict is that of the score, whichever figure the gate looks at, and in its slice alone.
    let judged: BTreeSet<u32> = judged.iter().map(|pair| pair.case).collect();
    let mut pairs = pairing.pairs(a, b);
    pairs.retain(|pair| judged.contains(&pair.case));
    flips(pairing, &pairs, (a, b), 10)
}

/// The number that decides, what it is held against, and what comes of it.
struct Decided {
    judged: Option<f64>,
    threshold: f64,
    passed: bool,
}

fn decide(
    found: &Difference,
    pairs: &[CasePair],
    matter: &GateMatter<'_>,
    within: Option<f64>,
) -> Decided {
    let tail = CONFIDENCE.alpha() / 2.0;
    let floor = -within.unwrap_or(0.0);
    let decided = |judged, threshold, passed| Decided { judged: Some(judged), threshold, passed };
    match within {
        // The dust of adding floats must not fail a build.
        _ if matter.point => decided(found.difference, floor, found.difference >= floor - 1e-12),
        None => decided(found.p_worse, tail, found.p_worse >= tail),
        Some(margin) if is_score(pairs) => {
            let shown = Margin::new(margin).zip(found.interval());
            let passed = shown.is_some_and(|(margin, found)| margin.rules_out_worse(found));
            Decided { judged: found.low, threshold: floor, passed }
        }
        Some(margin) => {
            // If a loss of the whole margin were true, the shifted differences would be spread
            // around zero.
            let shifted: Vec<Cluster> = differences(pairs)
                .iter()
                .map(|unit| Cluster::of(&[unit.averaged().sum() + margin]))
                .collect();
            let p = sign_flip(&shifted, &matter.terms.resampling).map_or(1.0, |p| p.p_above);
            decided(p, tail, p < tail)
        }
    }
}

fn is_score(pairs: &[CasePair]) -> bool {
    let bounded = |value: f64| Range::SCORE.contains(value);
    pairs.iter().all(|pair| bounded(pair.a.mean) && bounded(pair.b.mean))
}

fn words(
    found: Option<&Difference>,
    unit: FigureUnit,
    (passed, within): (bool, Option<f64>),
    sign: f64,
) -> String {
    let Some(found) = found else { return "no case is shared with the other run".to_owned() };
    let places = unit.places(found.difference);
    // As the figure itself changed: where less is better, the difference was turned around.
    let signed = |value: f64| unit.write_signed(sign * value, places);
    let interval = found.interval().map_or_else(String::new, |interval| {
        let (low, high) =
            if sign < 0.0 { (interval.high, interval.low) } else { (interval.low, interval.high) };
        format!(" [{}, {}]", signed(low), signed(high))
    });
    let change = format!(
        "{} → {}, by {}{interval}, {}, over {}",
        unit.write(sign * found.a.mean, places),
        unit.write(sign * found.b.mean, places),
        signed(found.difference),
        p_value(found.p_value),
        counted(found.cases, "case")
    );
    let margin = within.map(|margin| unit.with_threshold(margin));
    match (passed, margin) {
        (true, None) => format!("{change}: worse is not shown"),
        (true, Some(margin)) => format!("{change}: worse by {margin} or more is ruled out"),
        (false, None) => format!("{change}: worse"),
        (false, Some(margin)) => format!("{change}: worse by {margin} or more is not ruled out"),
    }
}
