//! The numbers of one run: how well, where the points went, how fast, at what cost.

mod text;

pub(crate) use text::is_told_by_tier;

use std::time::Duration;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use toolgauge_core::{
    CaseId, Cause, Outcome, Run, Score, SubjectIdentity, SuiteIdentity, UnscoredReason, Usage,
    Verdict,
};
use toolgauge_log::{Damage, LogError, TrialSummary};
use toolgauge_stats::{
    Cluster, Confidence, ReliabilityPoint, TrialCount, flip_share, percentile_of_sorted,
    reliability_curve,
};

use crate::grades::{GradeBook, Grades};
use crate::rate::{CaseNumber, Rate, Values};
use crate::tiers::{TierTally, Tiers};

/// The numbers of one run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The suite.
    pub suite: SuiteIdentity,
    /// What was measured.
    pub subject: SubjectIdentity,
    /// The variant, if one was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The scorer whose judgement counts.
    pub scorer: String,
    /// How many trials the run should have.
    pub planned: usize,
    /// How many trials it has.
    pub trials: usize,
    /// How many of them could not be scored, by reason.
    pub unscored: IndexMap<String, usize>,
    /// Samples of the log that cannot be read; they are no trials, and count nowhere.
    #[serde(skip_serializing_if = "Damage::is_none")]
    pub damage: Damage,
    /// The mean score over all scored trials.
    pub score: Option<Rate>,
    /// The share of trials without any lost point.
    pub right: Option<Rate>,
    /// What a subject that never calls a tool would score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// What the answers are worth as a school would say it, where questions have answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grades: Option<Grades>,
    /// The share of correct verdicts among those that apply, by dimension.
    pub dimensions: IndexMap<String, Rate>,
    /// Further scorers' means, by name.
    pub scorers: IndexMap<String, Rate>,
    /// The means of numbers beside the score, such as precision and recall.
    pub measures: IndexMap<String, Rate>,
    /// The mean score by tag and value.
    pub tags: IndexMap<String, IndexMap<String, Rate>>,
    /// The same by tier, with failure patterns and what is at stake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiers: Option<Tiers>,
    /// Where the points went, the costliest cause first.
    pub losses: Vec<LossCount>,
    /// What repeated trials promise; empty when each case was run once.
    pub reliability: Vec<Reliability>,
    /// How many cases were right in some trials and wrong in others.
    pub flipped: Flipped,
    /// How long trials took.
    pub latency: Latencies,
    /// Tokens of all trials together.
    pub usage: Usage,
    /// Tokens a second as the server reports them, median over trials.
    pub speed: Speed,
    /// What it cost, where a price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// HTTP tries beyond the first of each turn.
    pub retries: u64,
    /// What was odd about the answers, and in how many trials.
    pub oddities: IndexMap<String, usize>,
}

/// How often points were lost for one cause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossCount {
    /// The cause.
    pub cause: Cause,
    /// How often.
    pub count: usize,
    /// How many points it cost over all trials.
    pub points: f64,
}

/// What `k` trials of a case promise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// How many trials.
    pub k: u64,
    /// pass^k: the chance that all of them are right.
    pub all: f64,
    /// pass@k: the chance that at least one of them is.
    pub any: f64,
}

/// Cases that were right in some trials and wrong in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Flipped {
    /// How many did.
    pub flipped: usize,
    /// How many could have: cases with several trials.
    pub cases: usize,
}

/// How long trials took, in seconds, the parts told apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Latencies {
    /// From sending a request to the end of its answer, all turns together.
    pub total: Option<Percentiles>,
    /// To the first token, where answers were streamed.
    pub first_token: Option<Percentiles>,
    /// Waiting for a free place or between attempts.
    pub queued: Option<Percentiles>,
    /// In each tool, all its calls of a trial together, where that is known.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub tools: IndexMap<String, Percentiles>,
    /// Neither waiting, nor in the subject, nor in a tool, where the time of tools is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Percentiles>,
}

/// Percentiles of a time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Percentiles {
    /// The median.
    pub p50: f64,
    /// Nine in ten are faster.
    pub p90: f64,
    /// Nineteen in twenty are faster.
    pub p95: f64,
    /// Ninety-nine in a hundred are faster.
    pub p99: f64,
}

/// Tokens a second, as the server reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Speed {
    /// While reading the prompt.
    pub prompt: Option<f64>,
    /// While writing the answer.
    pub generated: Option<f64>,
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenPrice {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the prompt that came from a cache.
    pub cached: f64,
    /// Tokens written.
    pub output: f64,
}

impl TokenPrice {
    #[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^52")]
    pub(crate) fn of(self, usage: Usage) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        let cached = usage.cached.unwrap_or(0).min(input);
        let parts = (input - cached) as f64 * self.input
            + cached as f64 * self.cached
            + output as f64 * self.output;
        Some(parts / 1e6)
    }
}

/// Points are added up in billionths, so that their sum does not depend on the order in which
/// trials ended.
const BILLION: f64 = 1e9;

/// Adds trials up to a [`Summary`].
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The cases of the plan, and behind them those that were met beside it.
    cases: IndexSet<CaseId>,
    planned: usize,
    trials: usize,
    unscored: IndexMap<String, usize>,
    damage: Damage,
    score: Values,
    right: Values,
    dimensions: IndexMap<String, Values>,
    scorers: IndexMap<String, Values>,
    measures: IndexMap<String, Values>,
    tags: IndexMap<String, IndexMap<String, Values>>,
    losses: IndexMap<Cause, (usize, i128)>,
    total: Vec<f64>,
    first_token: Vec<f64>,
    queued: Vec<f64>,
    prompt_speed: Vec<f64>,
    generated_speed: Vec<f64>,
    usage: Usage,
    retries: u64,
    oddities: IndexMap<String, usize>,
    /// The same by tier; a tally of one tier has none.
    tiers: Option<Box<TierTally>>,
    grades: GradeBook,
    tool_times: IndexMap<String, Vec<f64>>,
    rest: Vec<f64>,
}

impl Tally {
    /// A tally for the trials of a run, in whatever order they come.
    pub fn of(run: &Run) -> Self {
        let tiers = Some(Box::default());
        Self { tiers, ..Self::within(run.cases.iter().cloned().collect()) }
    }

    /// A tally for one tier among these cases.
    pub(crate) fn within(cases: IndexSet<CaseId>) -> Self {
        Self { planned: cases.len(), cases, ..Self::default() }
    }

    /// The case of that number.
    pub(crate) fn case(&self, number: CaseNumber) -> Option<CaseId> {
        self.cases.get_index(number.0 as usize).cloned()
    }

    /// The place of a case in the plan of the run, if it is planned.
    pub fn place(&self, case: &CaseId) -> Option<usize> {
        self.cases.get_index_of(case).filter(|place| *place < self.planned)
    }

    /// How many trials were taken into account.
    pub fn trials(&self) -> usize {
        self.trials
    }

    /// Takes one trial into account.
    pub fn add(&mut self, trial: &TrialSummary) {
        self.trials += 1;
        let case = self.number(&trial.id.case);
        if let Some(tiers) = &mut self.tiers {
            tiers.add(&self.cases, case, trial);
        }
        let mut outcomes = trial.outcomes.iter();
        match outcomes.next() {
            Some((_, Outcome::Scored(score))) => self.add_score(case, trial, score),
            Some((_, Outcome::Unscored(reason))) => self.add_unscored(reason),
            None => *self.unscored.entry("not scored".into()).or_default() += 1,
        }
        for (scorer, outcome) in outcomes {
            if let Outcome::Scored(score) = outcome {
                entry(&mut self.scorers, scorer).add(case, score.value);
                self.add_dimensions(case, score);
            }
        }
        self.add_times(trial);
        self.grades.add(trial);
        self.usage = self.usage.plus(trial.usage);
        self.retries += u64::from(trial.attempts.saturating_sub(trial.turns));
        for oddity in &trial.oddities {
            let name = serde_json::to_value(oddity).ok();
            let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or("unknown");
            *self.oddities.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// Takes note of a sample that cannot be read.
    pub fn add_damaged(&mut self, error: &LogError) {
        self.damage.note(error);
    }

    fn add_score(&mut self, case: CaseNumber, trial: &TrialSummary, score: &Score) {
        self.score.add(case, score.value);
        self.right.add(case, f64::from(u8::from(score.value >= 1.0)));
        self.add_dimensions(case, score);
        for (measure, value) in &score.measures {
            entry(&mut self.measures, measure).add(case, *value);
        }
        for (tag, value) in &trial.tags {
            if !self.tags.contains_key(tag) {
                self.tags.insert(tag.clone(), IndexMap::new());
            }
            entry(&mut self.tags[tag], value).add(case, score.value);
        }
        for loss in &score.losses {
            let (count, points) = self.losses.entry(loss.cause).or_default();
            *count += 1;
            *points += billionths(loss.points);
        }
    }

    fn add_dimensions(&mut self, case: CaseNumber, score: &Score) {
        for (dimension, verdict) in &score.dimensions {
            let value = match verdict {
                Verdict::Correct => 1.0,
                Verdict::Incorrect => 0.0,
                Verdict::NotApplicable => continue,
            };
            entry(&mut self.dimensions, dimension.as_str()).add(case, value);
        }
    }

    fn number(&mut self, case: &CaseId) -> CaseNumber {
        let number = match self.cases.get_index_of(case) {
            Some(number) => number,
            None => self.cases.insert_full(case.clone()).0,
        };
        CaseNumber(u32::try_from(number).expect("a run has fewer than four billion cases"))
    }

    fn add_unscored(&mut self, reason: &UnscoredReason) {
        let name = match reason {
            UnscoredReason::Failed(failure) => failure.kind.name(),
            UnscoredReason::NothingExpected => "nothing expected",
        };
        *self.unscored.entry(name.to_owned()).or_default() += 1;
    }

    fn add_times(&mut self, trial: &TrialSummary) {
        if trial.turns > 0 {
            self.total.push(trial.timings.total.as_secs_f64());
            self.queued.push(trial.timings.queued.as_secs_f64());
        }
        self.first_token
            .extend(trial.timings.first_token.map(|first: Duration| first.as_secs_f64()));
        self.add_tool_times(trial);
        if let Some(server) = trial.server {
            self.prompt_speed.extend(server.prompt_per_second);
            self.generated_speed.extend(server.generated_per_second);
        }
    }

    fn add_tool_times(&mut self, trial: &TrialSummary) {
        if trial.tool_times.is_empty() {
            return;
        }
        let mut known = trial.timings.total.saturating_add(trial.timings.queued);
        for tool in &trial.tool_times {
            known = known.saturating_add(tool.time);
            self.tool_times.entry(tool.tool.clone()).or_default().push(tool.time.as_secs_f64());
        }
        let all = Duration::try_from(trial.ended.duration_since(trial.started));
        let rest = all.unwrap_or_default().saturating_sub(known);
        self.rest.push(rest.as_secs_f64());
    }

    /// The numbers of all trials taken into account.
    pub fn summary(mut self, run: &Run, price: Option<TokenPrice>) -> Summary {
        self.unscored.sort_keys();
        self.tool_times.sort_keys();
        self.oddities.sort_keys();
        let counts = trial_counts(&self.right);
        let flips = flip_share(&counts);
        Summary {
            suite: run.suite.clone(),
            subject: run.subject.clone(),
            variant: run.variant.clone(),
            scorer: run.scorers.first().cloned().unwrap_or_default(),
            planned: planned(run, self.trials),
            trials: self.trials,
            score: self.score.rate(),
            right: self.right.rate(),
            floor: run.floor,
            grades: self.grades.grades(run.cases.iter()),
            dimensions: rates(&self.dimensions),
            scorers: rates(&self.scorers),
            measures: rates(&self.measures),
            tags: slices(&self.tags),
            tiers: self.tiers.and_then(|tiers| tiers.tiers(run)),
            losses: costliest_first(&self.losses),
            reliability: reliability(&counts),
            flipped: Flipped { flipped: flips.flipped, cases: flips.cases },
            latency: Latencies {
                total: percentiles(self.total),
                first_token: percentiles(self.first_token),
                queued: percentiles(self.queued).filter(|queued| queued.p99 >= 0.001),
                tools: self
                    .tool_times
                    .into_iter()
                    .filter_map(|(tool, times)| Some((tool, percentiles(times)?)))
                    .collect(),
                rest: percentiles(self.rest),
            },
            usage: self.usage,
            speed: Speed {
                prompt: percentiles(self.prompt_speed).map(|speed| speed.p50),
                generated: percentiles(self.generated_speed).map(|speed| speed.p50),
            },
            cost: price.and_then(|price| price.of(self.usage)),
            retries: self.retries,
            unscored: self.unscored,
            damage: self.damage,
            oddities: self.oddities,
        }
    }
}

/// How many trials a run should have. An adaptive one ends when it has seen enough.
fn planned(run: &Run, trials: usize) -> usize {
    let settings = run.settings.get("settings").and_then(|settings| settings.get("run"));
    let adaptive = settings.is_some_and(|settings| settings.get("until").is_some());
    if adaptive { trials } else { run.cases.len() * run.trials as usize }
}

fn entry<'a>(map: &'a mut IndexMap<String, Values>, key: &str) -> &'a mut Values {
    let place = match map.get_index_of(key) {
        Some(place) => place,
        None => map.insert_full(key.to_owned(), Values::default()).0,
    };
    &mut map[place]
}

fn rates(values: &IndexMap<String, Values>) -> IndexMap<String, Rate> {
    values.iter().filter_map(|(name, values)| Some((name.clone(), values.rate()?))).collect()
}

/// Tags with a handful of values each; one value for all cases says nothing, and a value of its
/// own for nearly every case is a name rather than a slice.
fn slices(
    tags: &IndexMap<String, IndexMap<String, Values>>,
) -> IndexMap<String, IndexMap<String, Rate>> {
    let worth_a_table = |values: &IndexMap<String, Values>| (2..=60).contains(&values.len());
    let table = |values: &IndexMap<String, Values>| {
        let mut rates = rates(values);
        rates.sort_keys();
        rates
    };
    let tags = tags.iter().filter(|(_, values)| worth_a_table(values));
    let mut slices: IndexMap<_, _> =
        tags.map(|(tag, values)| (tag.clone(), table(values))).collect();
    slices.sort_keys();
    slices
}

#[expect(clippy::cast_possible_truncation, reason = "a share of a point, scaled")]
fn billionths(points: f64) -> i128 {
    (points * BILLION).round() as i128
}

#[expect(clippy::cast_precision_loss, reason = "sums of points stay far below 2^52 billionths")]
fn costliest_first(losses: &IndexMap<Cause, (usize, i128)>) -> Vec<LossCount> {
    let mut losses: Vec<LossCount> = losses
        .iter()
        .map(|(cause, (count, points))| LossCount {
            cause: *cause,
            count: *count,
            points: *points as f64 / BILLION,
        })
        .collect();
    losses.sort_by(|a, b| {
        b.points.total_cmp(&a.points).then(b.count.cmp(&a.count)).then(a.cause.cmp(&b.cause))
    });
    losses
}

fn trial_counts(right: &Values) -> Vec<TrialCount> {
    let count = |cluster: &Cluster| {
        // Values are 0 or 1 here, so that the sum is a whole number.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let passes = cluster.sum().round() as u64;
        TrialCount::new(passes, cluster.count())
    };
    right.clusters().iter().filter_map(count).collect()
}

fn reliability(counts: &[TrialCount]) -> Vec<Reliability> {
    let most = counts.iter().map(|count| count.trials()).max().unwrap_or(0);
    if most < 2 {
        return Vec::new();
    }
    let point = |point: ReliabilityPoint| Reliability {
        k: point.k,
        all: point.pass_all,
        any: point.pass_any,
    };
    reliability_curve(counts, Confidence::P95).into_iter().map(point).collect()
}

pub(crate) fn percentiles(mut values: Vec<f64>) -> Option<Percentiles> {
    values.sort_by(f64::total_cmp);
    let at = |share| percentile_of_sorted(&values, share);
    Some(Percentiles { p50: at(0.50)?, p90: at(0.90)?, p95: at(0.95)?, p99: at(0.99)? })
}
