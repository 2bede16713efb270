//! Whether a run meets a gate, and by how much it does not.

use toolgauge_stats::{
    ClusteredMean, Interval, Range, best_lower_end, clusters_to_show, mean_interval,
    percentile_interval, percentile_of_sorted, values_for_percentile,
};

use super::failed::{self, StandIn, is_bounded};
use super::regression::{better, no_regression};
use super::result::{GateMatter, GateResult};
use super::unit::FigureUnit;
use super::{Bound, GateCondition, GateError, GateFigure, GateSubject, JudgedBy, Rule};
use crate::compare::{
    CONFIDENCE, ComparedColumn, Flips, RunPairing, RunSide, as_f64, flips, own_clusters,
};
use crate::number::counted;

/// A figure with its interval, where it has one.
struct GateValue {
    value: f64,
    interval: Option<Interval>,
    /// Whether the figure is a plain fact about the run, which no interval could doubt.
    fact: bool,
    /// How many independent cases are behind a score; absent where it is none.
    scored: Option<usize>,
    /// How many trials its interval takes, where that is known beforehand.
    trials_needed: Option<u64>,
    /// What was counted, in words.
    words: Option<String>,
    flips: Flips,
}

impl GateValue {
    fn fact(value: f64) -> Self {
        let flips = Flips::default();
        Self {
            value,
            interval: None,
            fact: true,
            scored: None,
            trials_needed: None,
            words: None,
            flips,
        }
    }
}

/// Judges a gate. An error means that the gate makes no sense for the run.
///
/// It passes only if it would pass whatever the trials that failed had brought. So a trial that
/// fails in the place of any score never makes a gate pass.
pub fn judge(gate: &GateCondition, matter: &GateMatter<'_>) -> Result<GateResult, GateError> {
    let found = judge_with(gate, matter, false)?;
    let Some(failed) = failed::words(&gate.rule, matter) else { return Ok(found) };
    let worst = judge_with(gate, matter, true)?;
    Ok(match (found.passed, worst.passed) {
        (true, true) => found,
        // So few trials were scored that their interval alone is wider than with the others at
        // their worst.
        (false, true) => worst,
        (false, false) if found.found.is_some() => found,
        (_, false) => found.undecided_by(&failed),
    })
}

/// Judges a gate without the trials that failed, or as if they had gone as badly as they could.
fn judge_with(
    gate: &GateCondition,
    matter: &GateMatter<'_>,
    at_worst: bool,
) -> Result<GateResult, GateError> {
    let stand_in = |worst| if at_worst { worst } else { StandIn::None };
    match &gate.rule {
        Rule::Bound { subject, side, threshold, by } => {
            let found = figure(gate, subject, matter, stand_in(StandIn::worst_for(*side)))?;
            let point = matter.point || *by == JudgedBy::Point;
            Ok(bound(gate, matter, found, (*side, *threshold, point)))
        }
        Rule::NoRegression { subject, within } => {
            let against = other_run(gate, matter)?;
            let better = better(gate, subject, matter.run)?;
            let (worst_a, worst_b) = StandIn::worst_change(better);
            let a = column(gate, subject, against, stand_in(worst_a))?;
            let b = column(gate, subject, matter.run, stand_in(worst_b))?;
            Ok(no_regression(gate, matter, against, (&a, &b), (better, *within)))
        }
    }
}

fn other_run<'a>(gate: &GateCondition, matter: &GateMatter<'a>) -> Result<&'a RunSide, GateError> {
    matter.against.ok_or_else(|| GateError::NothingToCompareWith { gate: gate.to_string() })
}

fn bound(
    gate: &GateCondition,
    matter: &GateMatter<'_>,
    found: Option<GateValue>,
    (side, threshold, point): (Bound, f64, bool),
) -> GateResult {
    let end = |interval: Interval| match side {
        Bound::AtLeast => interval.low,
        Bound::AtMost => interval.high,
    };
    let judged = found.as_ref().and_then(|found| match found.interval {
        _ if point || found.fact => Some(found.value),
        interval => interval.map(end),
    });
    let over = judged.map(|judged| match side {
        Bound::AtLeast => threshold - judged,
        Bound::AtMost => judged - threshold,
    });
    // Arithmetic on shares leaves dust behind, which must not fail a build.
    let passed = over.is_some_and(|over| over <= 1e-12);
    let perfect = found.as_ref().and_then(|found| found.scored).map(|cases| {
        let share = best_lower_end(cases, Range::SCORE, CONFIDENCE);
        if side == Bound::AtLeast { share } else { 1.0 - share }
    });
    let message = found.as_ref().map_or_else(
        || "nothing to judge it by".to_owned(),
        |found| {
            let unit = FigureUnit::of(gate);
            bound_words(found, unit, (side, threshold, point), (over, perfect))
        },
    );
    let (value, interval) =
        found.as_ref().map_or((None, None), |found| (Some(found.value), found.interval));
    let flips = found.map(|found| found.flips).unwrap_or_default();
    GateResult {
        gate: gate.to_string(),
        suite: matter.run.run().suite.name.clone(),
        subject: matter.run.run().subject.name.clone(),
        run: matter.run.label().to_owned(),
        passed,
        undecided: false,
        found: value,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        judged,
        threshold,
        short_by: over.filter(|_| !passed).unwrap_or(0.0),
        perfect,
        message,
        broken: flips.broken,
        broken_cases: flips.broken_cases,
    }
}

/// What was compared with what, in a line.
fn bound_words(
    found: &GateValue,
    unit: FigureUnit,
    (side, threshold, point): (Bound, f64, bool),
    (over, perfect): (Option<f64>, Option<f64>),
) -> String {
    if let Some(words) = &found.words {
        return words.clone();
    }
    // As many digits as show that the value misses the threshold.
    let places = over.map_or(4, |over| unit.places(over));
    let value = match found.interval {
        Some(interval) => format!(
            "{} [{}, {}]",
            unit.write(found.value, places),
            unit.write(interval.low, places),
            unit.write(interval.high, places)
        ),
        None => unit.write(found.value, places),
    };
    let Some(over) = over else {
        let why = match found.trials_needed {
            Some(needed) => format!("an interval takes {needed} trials"),
            None => "too few trials for an interval".to_owned(),
        };
        return format!("{value}, but {why} (--point judges without)");
    };
    let which = match side {
        _ if found.fact || point => "the value",
        Bound::AtLeast => "the lower end",
        Bound::AtMost => "the upper end",
    };
    let (demanded, by) = (unit.with_threshold(threshold), unit.write(over, places));
    let relation = match (side, over <= 1e-12) {
        (Bound::AtLeast, true) => format!("is at least {demanded}"),
        (Bound::AtMost, true) => format!("is at most {demanded}"),
        (Bound::AtLeast, false) => format!("is below {demanded} by {by}"),
        (Bound::AtMost, false) => format!("is above {demanded} by {by}"),
    };
    let (Some(cases), Some(perfect)) = (found.scored, perfect) else {
        return format!("{value}; {which} {relation}");
    };
    let of = counted(cases, "case");
    if point {
        // What an interval could show has no say where the value itself is compared.
        return format!("{value} over {of}; {which} {relation}");
    }
    let perfect = match side {
        Bound::AtLeast => format!("a perfect run of {of} shows at least {perfect:.3}"),
        Bound::AtMost => format!("a run of {of} that all score 0 shows at most {perfect:.3}"),
    };
    let more = enough_cases((side, threshold), cases).filter(|_| over > 1e-12);
    format!("{value} over {of}; {which} {relation} ({perfect}{})", more.unwrap_or_default())
}

/// How many cases a perfect run needs to pass, where these are too few.
fn enough_cases((side, threshold): (Bound, f64), cases: usize) -> Option<String> {
    let least = if side == Bound::AtLeast { threshold } else { 1.0 - threshold };
    match clusters_to_show(least, Range::SCORE, CONFIDENCE) {
        Some(needed) if needed > cases as u64 => {
            Some(format!("; it takes {needed} cases to show {threshold}"))
        }
        Some(_) => None,
        None => Some(format!("; no number of cases shows {threshold}")),
    }
}

/// What a figure is in a run; absent where no trial has it.
fn figure(
    gate: &GateCondition,
    subject: &GateSubject,
    matter: &GateMatter<'_>,
    failed: StandIn,
) -> Result<Option<GateValue>, GateError> {
    let side = matter.run;
    match subject.figure {
        GateFigure::Unscored => {
            let share = as_f64(side.unscored.len() as u64) / as_f64(side.trials.max(1) as u64);
            return Ok(Some(GateValue::fact(share)));
        }
        GateFigure::Errors => return Ok(Some(errors(side))),
        GateFigure::Broken => return broken(gate, subject, matter, failed),
        _ => {}
    }
    let column = column(gate, subject, side, failed)?;
    Ok(match subject.figure {
        GateFigure::Percentile(share) => percentile(&column, share),
        // What was spent is spent: a sum is no estimate.
        GateFigure::Cost | GateFigure::Tokens => Some(GateValue::fact(column.values().sum())),
        _ => mean(side, &column, is_bounded(subject, side)),
    })
}

fn percentile(column: &ComparedColumn, share: f64) -> Option<GateValue> {
    let mut values: Vec<f64> = column.values().collect();
    values.sort_by(f64::total_cmp);
    let value = percentile_of_sorted(&values, share)?;
    let interval = percentile_interval(&values, share, CONFIDENCE);
    let trials_needed = values_for_percentile(share, CONFIDENCE);
    Some(GateValue { interval, fact: false, trials_needed, ..GateValue::fact(value) })
}

/// The mean over cases, with the interval that a summary would show.
///
/// Without a highest possible value no interval is monotone, so that of times and counts the mean
/// itself is judged, as a fact of the run.
fn mean(side: &RunSide, column: &ComparedColumn, is_bounded: bool) -> Option<GateValue> {
    let units = own_clusters(side, column);
    let mean = ClusteredMean::of(&units)?;
    // Another tool's scorer may give marks beyond 1, whatever it is called.
    if !is_bounded || !column.values().all(|value| Range::SCORE.contains(value)) {
        return Some(GateValue::fact(mean.mean));
    }
    Some(GateValue {
        interval: mean_interval(&units, Range::SCORE, CONFIDENCE),
        fact: false,
        scored: Some(mean.clusters),
        ..GateValue::fact(mean.mean)
    })
}

/// Trials without an answer: the server, the network or a time limit kept them from one, or it is
/// empty or an error.
fn errors(side: &RunSide) -> GateValue {
    let count: usize = side.errors.values().sum();
    let kinds: Vec<String> =
        side.errors.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let words = format!("{} in {}{kinds}", counted(count, "error"), counted(side.trials, "trial"));
    GateValue { words: Some(words), ..GateValue::fact(as_f64(count as u64)) }
}

/// Cases that always passed in the other run and mostly fail in this one; absent where no case
/// is shared. A trial of this run that has no score because it failed counts as one that does not
/// pass: what broke is the question, whatever broke it. `failed` is what counts in the other run.
fn broken(
    gate: &GateCondition,
    subject: &GateSubject,
    matter: &GateMatter<'_>,
    failed: StandIn,
) -> Result<Option<GateValue>, GateError> {
    let against = other_run(gate, matter)?;
    let score = GateSubject { figure: GateFigure::Score, slice: subject.slice.clone() };
    let best = if failed == StandIn::None { failed } else { StandIn::Highest };
    let a = column(gate, &score, against, best)?;
    let b = column(gate, &score, matter.run, StandIn::Lowest)?;
    let pairing = RunPairing::of(against, matter.run);
    let pairs = pairing.pairs(&a, &b);
    if pairs.is_empty() {
        return Ok(None);
    }
    let flips = flips(&pairing, &pairs, (&a, &b), 10);
    let words = format!(
        "{} broken, {} fixed, of {}",
        flips.broken,
        flips.fixed,
        counted(pairs.len(), "shared case")
    );
    let value = as_f64(flips.broken as u64);
    Ok(Some(GateValue { words: Some(words), flips, ..GateValue::fact(value) }))
}

/// The column that a gate looks at, cut to its slice, with what stands in for failed trials.
fn column(
    gate: &GateCondition,
    subject: &GateSubject,
    side: &RunSide,
    failed: StandIn,
) -> Result<ComparedColumn, GateError> {
    let one_if = |is: bool| f64::from(u8::from(is));
    let column = match &subject.figure {
        GateFigure::Score | GateFigure::Unscored | GateFigure::Errors | GateFigure::Broken => {
            side.score.clone()
        }
        GateFigure::Right => side.score.map(|value| one_if(value >= 1.0)),
        GateFigure::Pass => side.score.map(|value| one_if(side.score.passes(value))),
        GateFigure::Percentile(_) | GateFigure::Latency => side.latency.clone(),
        GateFigure::Tokens => {
            let mut tokens = ComparedColumn::default();
            for (key, input) in side.input.iter() {
                tokens.push(key, input + side.output.get(key).unwrap_or(0.0));
            }
            tokens
        }
        GateFigure::Cost => side.cost.clone(),
        GateFigure::Named(name) => named(gate, name, side)?,
    };
    let amount = match subject.figure {
        GateFigure::Cost => Some("cost"),
        GateFigure::Tokens => Some("tokens"),
        GateFigure::Latency | GateFigure::Percentile(_) => Some("latency"),
        _ => None,
    };
    if let Some(name) = amount.filter(|_| column.is_empty()) {
        let (gate, name) = (gate.to_string(), name.to_owned());
        return Err(GateError::NoSuchFigure { gate, name, known: known(side) });
    }
    let column = failed.fill(subject, side, column);
    match &subject.slice {
        None => Ok(column),
        Some(slice) => cut(gate, slice, side, &column),
    }
}

fn named(gate: &GateCondition, name: &str, side: &RunSide) -> Result<ComparedColumn, GateError> {
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
fn known(side: &RunSide) -> Vec<String> {
    let always = ["score", "pass", "right", "unscored", "errors", "broken"];
    let mut known: Vec<String> = always.map(str::to_owned).to_vec();
    let families = [&side.dimensions, &side.scorers, &side.measures];
    // A scorer may have the name of another figure, such as `latency`, which a gate reads first.
    let is_read_as_named = |name: &&String| {
        super::subject(name).is_ok_and(|subject| matches!(subject.figure, GateFigure::Named(_)))
    };
    let names = families.into_iter().flat_map(|family| family.keys());
    known.extend(names.filter(is_read_as_named).cloned());
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
    gate: &GateCondition,
    slice: &(String, String),
    side: &RunSide,
    column: &ComparedColumn,
) -> Result<ComparedColumn, GateError> {
    if !side.slices.contains(slice) {
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
    }
    let mut cut = column.emptied();
    for (key, value) in column.iter() {
        if side.is_in(key.case, Some(slice)) {
            cut.push(key, value);
        }
    }
    Ok(cut)
}
