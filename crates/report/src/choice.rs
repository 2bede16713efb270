//! Which of several models to take: the best that is fast enough, how sure that is, and what people
//! would see fail with it.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use serde::Serialize;
use toolgauge_core::{Measure, Outcome, Run};
use toolgauge_log::TrialSummary;

use crate::compare::{Comparison, Difference, DifferenceVerdict, RunSide, Terms};
use crate::rate::Rate;
use crate::summary::{InTime, Summary};
use crate::tally::SummaryTally;
use crate::times::PersonWaits;

/// Of so many trials of a model that is taken, one may be without an answer.
const MOST_UNANSWERED: usize = 20;

/// The trials of one model as they come in, from one log or several.
#[derive(Debug)]
pub struct ChoiceTally {
    name: String,
    run: Run,
    side: RunSide,
    summary: SummaryTally,
    failed: Vec<FailedCommand>,
}

impl ChoiceTally {
    /// A tally for a model of this name, whose first log is of this run.
    pub fn new(name: impl Into<String>, run: &Run) -> Self {
        let name = name.into();
        Self {
            side: RunSide::new(name.clone(), run, None),
            summary: SummaryTally::of(run),
            run: run.clone(),
            failed: Vec::new(),
            name,
        }
    }

    /// The run of its first log.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Takes one trial into account.
    pub fn add(&mut self, trial: &TrialSummary) {
        self.side.add(trial);
        self.summary.add(trial);
        self.failed.extend(FailedCommand::of(trial));
    }

    fn finished(self) -> (Contestant, RunSide) {
        let summary = self.summary.summary(&self.run, None);
        let mut failed = self.failed;
        failed.sort_by(FailedCommand::gravest_first);
        // A command that failed in several trials is one that people would see fail.
        failed.dedup_by(|a, b| a.sentence == b.sentence && a.is_unsafe == b.is_unsafe);
        let contestant = Contestant::new(self.name, &summary, failed);
        (contestant, self.side.finished())
    }
}

/// A command that a model did not get right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedCommand {
    /// What was said.
    pub sentence: String,
    /// What it was about, if the case says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Whether something was done that should not have been, where more is at stake than a lamp.
    pub is_unsafe: bool,
    /// Whether more is at stake than a lamp.
    pub is_at_stake: bool,
    /// What went wrong, in words.
    pub why: &'static str,
}

impl FailedCommand {
    fn of(trial: &TrialSummary) -> Option<Self> {
        let score = trial.outcome().and_then(Outcome::score)?;
        if score.value >= 1.0 {
            return None;
        }
        let costliest = score.losses.iter().max_by(|a, b| a.points.total_cmp(&b.points));
        let scores = || trial.outcomes.values().filter_map(Outcome::score);
        Some(Self {
            sentence: trial.sentence.clone(),
            domain: trial.tags.get("domain").cloned(),
            is_unsafe: scores().any(|score| score.has(Measure::Unsafe)),
            is_at_stake: scores().any(|score| score.measure(Measure::Weight) > Some(1.0)),
            why: costliest.map_or("lost points", |loss| loss.cause.words()),
        })
    }

    /// Wrong acts first, then what more is at stake in, then the rest by what was said.
    fn gravest_first(a: &Self, b: &Self) -> Ordering {
        let rank = |command: &Self| (!command.is_unsafe, !command.is_at_stake);
        rank(a).cmp(&rank(b)).then_with(|| a.sentence.cmp(&b.sentence))
    }
}

/// What one model came to.
#[derive(Clone, Debug, Serialize)]
pub struct Contestant {
    /// Its name, with quantisation, context or prompt where these differ.
    pub name: String,
    /// The mean score.
    pub score: Option<Rate>,
    /// The share that was right within the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_time: Option<InTime>,
    /// Half of the trials took no longer, in seconds.
    pub p50: Option<f64>,
    /// Nine in ten trials took no longer, in seconds.
    pub p90: Option<f64>,
    /// What people wait for, where some of it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<PersonWaits>,
    /// Whether nine in ten trials keep the limit.
    pub is_fast_enough: bool,
    /// How many trials were made.
    pub trials: usize,
    /// How many of them have no answer: the server refused, or took too long.
    pub unanswered: usize,
    /// In how many something was done that should not have been, where more than a lamp is at stake.
    pub wrong_acts: usize,
    /// The commands that failed, the gravest first.
    pub failed: Vec<FailedCommand>,
}

impl Contestant {
    fn new(name: String, summary: &Summary, failed: Vec<FailedCommand>) -> Self {
        let p90 = summary.latency.total.map(|total| total.p90);
        let limit = summary.in_time.map(|in_time| in_time.budget_seconds);
        let tiers = summary.tiers.iter().flat_map(|tiers| &tiers.tiers);
        Self {
            name,
            score: summary.score,
            in_time: summary.in_time,
            p50: summary.latency.total.map(|total| total.p50),
            p90,
            waits: summary.latency.waits,
            is_fast_enough: limit.is_none_or(|limit| p90.is_some_and(|p90| p90 <= limit)),
            trials: summary.trials,
            unanswered: summary.failed_trials(),
            wrong_acts: tiers
                .filter_map(|tier| tier.safety.as_ref())
                .map(|safety| safety.wrong_acts)
                .sum(),
            failed,
        }
    }
}

impl Contestant {
    /// Whether it may be taken. A model that does not answer the hard commands must not win by the
    /// easy ones.
    fn is_candidate(&self) -> bool {
        let answers = self.unanswered * MOST_UNANSWERED <= self.trials;
        self.is_fast_enough && self.score.is_some() && answers
    }
}

/// How a further model compares with the one that is taken.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceRival {
    /// The name of the model, as among the contestants.
    pub name: String,
    /// What may be said of it in comparison.
    pub verdict: DifferenceVerdict,
    /// Its score less that of the one that is taken.
    pub difference: Option<f64>,
    /// How surprising that would be if there were no difference.
    pub p_value: Option<f64>,
    /// How many more cases would show a difference of this size.
    pub more_cases: Option<u64>,
}

/// What exposing fewer devices of a home does to one model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExposureEffect {
    /// The model.
    pub model: String,
    /// How many devices are exposed.
    pub exposed: u64,
    /// How many are where most are.
    pub all: u64,
    /// The score less that with all of them.
    pub difference: f64,
    /// The 95 % interval of the difference, where one can be told.
    pub interval: Option<(f64, f64)>,
    /// The median time of a trial less that with all of them, in seconds.
    pub seconds: Option<f64>,
}

/// Which model to take.
#[derive(Clone, Debug, Serialize)]
pub struct ModelChoice {
    /// The name of the suite that all models were run on.
    pub suite: String,
    /// How long a trial may take, by the suite.
    pub limit_seconds: Option<f64>,
    /// All models, the best first.
    pub contestants: Vec<Contestant>,
    /// The best of those that are fast enough, by its place among the contestants.
    pub best: Option<usize>,
    /// How all others that are fast enough compare with it; where none is, how all others compare
    /// with the one that scores best.
    pub rivals: Vec<ChoiceRival>,
    /// What exposing fewer devices does, where that was tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exposures: Vec<ExposureEffect>,
}

impl ModelChoice {
    /// The choice between these models; absent unless there are two.
    pub fn of(tallies: Vec<ChoiceTally>) -> Option<Self> {
        let first = tallies.first().filter(|_| tallies.len() > 1)?;
        let suite = first.run.suite.name.clone();
        let mut all: Vec<(Contestant, RunSide)> =
            tallies.into_iter().map(ChoiceTally::finished).collect();
        // Without a score a model comes behind one that scores 0.
        let mean = |one: &Contestant| one.score.map_or(-1.0, |score| score.mean);
        // Of models that are level the faster one is the better.
        let time = |one: &Contestant| one.p90.unwrap_or(f64::INFINITY);
        all.sort_by(|(a, _), (b, _)| {
            mean(b).total_cmp(&mean(a)).then_with(|| time(a).total_cmp(&time(b)))
        });
        let limit_seconds =
            all.iter().find_map(|(one, _)| Some(one.in_time.as_ref()?.budget_seconds));
        let best = all.iter().position(|(one, _)| one.is_candidate());
        // Whoever has no machine for any of them still wants to know which one to wait for.
        let shown = best.or_else(|| all.iter().position(|(one, _)| one.score.is_some()));
        let rivals = shown.map_or_else(Vec::new, |shown| {
            let is_rival = |one: &Contestant| one.is_candidate() == best.is_some();
            let others = all
                .iter()
                .enumerate()
                .filter(|(at, (one, _))| *at != shown && is_rival(one) && one.score.is_some());
            others.map(|(_, (one, side))| rival(&one.name, &all[shown].1, side)).collect()
        });
        let exposures = exposures(&all);
        let contestants = all.into_iter().map(|(contestant, _)| contestant).collect();
        Some(Self { suite, limit_seconds, contestants, best, rivals, exposures })
    }

    /// The model to take.
    pub fn taken(&self) -> Option<&Contestant> {
        self.contestants.get(self.best?)
    }

    /// The model to take, or where none is fast enough, the one with the best score.
    pub fn shown(&self) -> Option<&Contestant> {
        self.taken().or_else(|| self.contestants.iter().find(|one| one.score.is_some()))
    }

    /// The best of those that are too slow and better than the one that is taken.
    pub fn slower(&self) -> Option<&Contestant> {
        let before = self.best.unwrap_or(self.contestants.len());
        self.contestants[..before].iter().find(|one| one.score.is_some() && !one.is_fast_enough)
    }
}

fn rival(name: &str, best: &RunSide, side: &RunSide) -> ChoiceRival {
    let comparison = Comparison::of(best, side, &Terms::default());
    let score = comparison.score.as_ref();
    // Where nothing differs no number of cases shows a difference.
    let differing = score.filter(|score| score.difference.abs() > 0.0);
    ChoiceRival {
        name: name.to_owned(),
        verdict: comparison.verdict,
        difference: score.map(|score| score.difference),
        p_value: score.map(Difference::deciding_p_value),
        more_cases: differing.and_then(|score| score.more_cases(score.difference.abs())),
    }
}

/// The model and the number of exposed devices in the name of a variant: `qwen · expose-40`.
fn exposed(name: &str) -> Option<(&str, u64)> {
    let (model, variant) = name.rsplit_once(" · ")?;
    Some((model, variant.strip_prefix("expose-")?.parse().ok()?))
}

/// Each model with fewer devices exposed, beside itself with the most.
fn exposures(all: &[(Contestant, RunSide)]) -> Vec<ExposureEffect> {
    let mut sized: Vec<_> = all
        .iter()
        .filter_map(|(one, side)| exposed(&one.name).map(|(model, size)| (model, size, one, side)))
        .collect();
    sized.sort_by_key(|(model, size, ..)| (*model, *size));
    let mut effects = Vec::new();
    for of_model in sized.chunk_by(|(a, ..), (b, ..)| a == b) {
        let Some(((model, all, most, whole), fewer)) = of_model.split_last() else { continue };
        for (_, exposed, one, side) in fewer {
            let Some(score) = Comparison::of(whole, side, &Terms::default()).score else {
                continue;
            };
            effects.push(ExposureEffect {
                model: (*model).to_owned(),
                exposed: *exposed,
                all: *all,
                difference: score.difference,
                interval: score.low.zip(score.high),
                seconds: one.p50.zip(most.p50).map(|(one, most)| one - most),
            });
        }
    }
    effects
}
