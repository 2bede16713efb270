//! Adds trials up to the summary of their run.

use indexmap::IndexMap;
use toolgauge_core::{
    CaseId, Cause, FailureKind, Outcome, Run, RunEntry, Score, StopReason, Usage,
};
use toolgauge_log::{Damage, LogError, Summaries, TrialSummary};
use toolgauge_stats::{
    Cluster, Confidence, Interval, ReliabilityPoint, TrialCount, comparable_trials, flip_share,
    reliability_curve,
};

use crate::case_places::CasePlaces;
use crate::case_stream::CaseNumber;
use crate::confusions::Confusions;
use crate::failures::Failures;
use crate::grades::GradeBook;
use crate::judged::{NamedValues, ScorerResults, named, rates};
use crate::rate::{CaseValues, Rate};
use crate::recorded_check::RecordedCheck;
use crate::recorded_figure::FigureTally;
use crate::repeats::RepeatCount;
use crate::second_opinion::SecondOpinion;
use crate::summary::{
    CutOff, Flipped, InTime, LossCount, Reliability, Summary, TokenPrice, ToolTokens,
};
use crate::tiers::TierTally;
use crate::times::TrialDurations;
use crate::violations::ViolationTally;

/// Points are added up in billionths, so that their sum does not depend on the order in which
/// trials ended.
const BILLION: f64 = 1e9;

/// Adds trials up to a [`Summary`]. Of each trial some hundred bytes are kept.
#[derive(Clone, Debug, Default)]
pub struct SummaryTally {
    cases: CasePlaces,
    trials: usize,
    damage: Damage,
    judged: ScorerResults,
    right: CaseValues,
    /// How long a trial may take, by its suite, and what was right within it.
    budget: Option<f64>,
    in_time: CaseValues,
    measures: NamedValues,
    tags: IndexMap<String, NamedValues>,
    losses: IndexMap<Cause, (usize, i128)>,
    confusions: Confusions,
    violations: ViolationTally,
    result_tokens: u64,
    times: TrialDurations,
    usage: Usage,
    repeats: RepeatCount,
    failures: Failures,
    cut_off: usize,
    oddities: IndexMap<String, usize>,
    tiers: TierTally,
    grades: GradeBook,
    second_opinion: SecondOpinion,
    recorded: IndexMap<String, RecordedCheck>,
    figures: FigureTally,
    /// Whether some score lies beyond 0 to 1, as marks of other programs may.
    open_scale: bool,
}

impl SummaryTally {
    /// A tally for the trials of a run, in whatever order they come.
    pub fn of(run: &Run) -> Self {
        let (tiers, budget) = (TierTally::of(run), RunEntry::LatencyBudget.read(run));
        let figures = FigureTally::of(run);
        Self { cases: CasePlaces::of(run), tiers, budget, figures, ..Self::default() }
    }

    /// The place of a case in the plan of the run, if it is planned.
    pub fn place(&self, case: &CaseId) -> Option<usize> {
        self.cases.planned(case)
    }

    /// How many trials were taken into account.
    pub fn trials(&self) -> usize {
        self.trials
    }

    /// Takes one trial into account.
    pub fn add(&mut self, trial: &TrialSummary) {
        self.trials += 1;
        let case = self.cases.number(&trial.id.case);
        self.tiers.add(case, trial);
        self.judged.add(case, trial);
        if let Some(score) = trial.outcome().and_then(Outcome::score) {
            self.add_score(case, trial, score);
        }
        self.add_in_time(case, trial);
        self.times.add(trial);
        self.confusions.add(trial);
        self.violations.add(trial);
        self.result_tokens = self.result_tokens.saturating_add(trial.result_tokens);
        self.grades.add(trial);
        self.second_opinion.add(trial);
        RecordedCheck::add_to(&mut self.recorded, trial);
        self.figures.add(trial);
        self.usage = self.usage.plus(trial.usage);
        self.repeats.add(trial);
        self.cut_off += usize::from(trial.stop == StopReason::MaxTokens);
        self.failures.add(trial);
        for oddity in &trial.oddities {
            let name = serde_json::to_value(oddity).ok();
            let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or("unknown");
            *self.oddities.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// Takes all of these trials into account, and note of those that cannot be read.
    pub fn add_all(&mut self, trials: Summaries<'_>) {
        trials.for_each_ahead(|trial| match trial {
            Ok(trial) => self.add(&trial),
            Err(error) => self.add_damaged(&error),
        });
    }

    /// Takes note of a sample that cannot be read.
    pub fn add_damaged(&mut self, error: &LogError) {
        self.damage.note(error);
    }

    fn add_score(&mut self, case: CaseNumber, trial: &TrialSummary, score: &Score) {
        self.open_scale |= !(0.0..=1.0).contains(&score.value);
        let is_right = score.value >= 1.0;
        self.right.add(case, f64::from(u8::from(is_right)));
        for (measure, value) in &score.measures {
            named(&mut self.measures, measure).add(case, *value);
        }
        for (tag, value) in &trial.tags {
            if !self.tags.contains_key(tag) {
                self.tags.insert(tag.clone(), IndexMap::new());
            }
            named(&mut self.tags[tag], value).add(case, score.value);
        }
        for loss in &score.losses {
            let (count, points) = self.losses.entry(loss.cause).or_default();
            *count += 1;
            *points += billionths(loss.points);
        }
    }

    /// Takes note of whether a trial was right in time. Of an unknown time nobody can say whether it
    /// was short enough, but what timed out was late.
    fn add_in_time(&mut self, case: CaseNumber, trial: &TrialSummary) {
        let Some(budget) = self.budget else { return };
        let failure = trial.failure.as_ref().map(|failure| failure.kind);
        let score = trial.outcome().and_then(Outcome::score);
        let is_in_time = match (failure, score, trial.wait()) {
            (Some(FailureKind::Timeout), ..) => false,
            (_, Some(score), Some(wait)) => score.value >= 1.0 && wait.as_secs_f64() <= budget,
            _ => return,
        };
        self.in_time.add(case, f64::from(u8::from(is_in_time)));
    }

    /// The numbers of all trials taken into account so far.
    pub fn summary(&self, run: &Run, price: Option<TokenPrice>) -> Summary {
        // Whether 7 is right depends on a scale that no log names.
        let nothing = CaseValues::default();
        let right = if self.open_scale { &nothing } else { &self.right };
        let (flips, reliability) = {
            let counts = trial_counts(right);
            (flip_share(&counts), reliability(&counts))
        };
        Summary {
            suite: run.suite.clone(),
            subject: run.subject.clone(),
            server: run.server.clone(),
            warnings: run.warnings.clone(),
            variant: run.variant.clone(),
            scorer: run.scorers.first().cloned().unwrap_or_default(),
            fixes: run.fixes(),
            planned: planned(run, self.trials),
            trials: self.trials,
            unscored: sorted(&self.judged.unscored),
            failures: self.failures.counted(),
            cut_off: (self.cut_off > 0)
                .then_some(CutOff { trials: self.cut_off, max_tokens: run.max_tokens }),
            damage: self.damage.clone(),
            score: self.judged.score.rate(),
            right: right.rate(),
            recorded_figures: self.figures.figures(),
            open_scale: self.open_scale,
            in_time: self
                .budget
                .zip(self.in_time.rate())
                .map(|(budget_seconds, rate)| InTime { budget_seconds, rate }),
            floor: run.floor,
            floors: run.floors(),
            grades: self.grades.grades(run.cases.iter()),
            second_opinion: self.second_opinion.sorted(&self.cases),
            recorded: RecordedCheck::sorted(&self.recorded, &self.cases),
            dimensions: rates(&self.judged.dimensions),
            scorers: rates(&self.judged.scorers),
            measures: rates(&self.measures),
            tags: slices(&self.tags),
            tiers: self.tiers.tiers(run, &self.cases),
            losses: costliest_first(&self.losses),
            confusions: self.confusions.counted(),
            violations: self.violations.counted(),
            reliability,
            flipped: Flipped { flipped: flips.flipped, cases: flips.cases },
            latency: self.times.latencies(),
            usage: self.usage,
            tool_tokens: ToolTokens::of(run, self.result_tokens),
            prompt_reads: RunEntry::PromptReads.read(run),
            speed: self.times.speed(),
            cost: price.and_then(|price| price.of(self.usage)),
            retries: self.repeats.all,
            repeats: self.repeats.clone(),
            oddities: sorted(&self.oddities),
        }
    }
}

/// Counts in the order of their names.
fn sorted(counts: &IndexMap<String, usize>) -> IndexMap<String, usize> {
    let mut counts = counts.clone();
    counts.sort_keys();
    counts
}

/// How many trials a run should have. An adaptive one ends when it has seen enough. Of shards that
/// are missing nobody knows the cases, but how many trials they would have.
fn planned(run: &Run, trials: usize) -> usize {
    if run.is_adaptive() {
        return trials;
    }
    let missing = run.merged().map_or(0, |merged| merged.missing_trials);
    (run.cases.len() * run.trials as usize).max(trials + missing)
}

/// Tags with a handful of values each; one value for all cases says nothing, and a value of its
/// own for nearly every case is a name rather than a slice.
fn slices(tags: &IndexMap<String, NamedValues>) -> IndexMap<String, IndexMap<String, Rate>> {
    let worth_a_table = |values: &NamedValues| (2..=60).contains(&values.len());
    let table = |values: &NamedValues| {
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

fn trial_counts(right: &CaseValues) -> Vec<TrialCount> {
    let count = |cluster: Cluster| {
        // Values are 0 or 1 here, so that the sum is a whole number.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let passes = cluster.sum().round() as u64;
        TrialCount::new(passes, cluster.count())
    };
    right.of_each_case(count)
}

fn reliability(counts: &[TrialCount]) -> Vec<Reliability> {
    if comparable_trials(counts) < 2 {
        return Vec::new();
    }
    let ends = |interval: Interval| [interval.low, interval.high];
    let point = |point: ReliabilityPoint| Reliability {
        k: point.k,
        cases: point.cases,
        all: point.pass_all,
        all_interval: ends(point.pass_all_interval),
        any: point.pass_any,
        any_interval: ends(point.pass_any_interval),
    };
    reliability_curve(counts, Confidence::P95).into_iter().map(point).collect()
}
