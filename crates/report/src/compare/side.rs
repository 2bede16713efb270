//! One run made ready to be compared: of every trial, the figures and nothing else.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use indexmap::{IndexMap, IndexSet};
use toolgauge_core::{
    Better, CaseId, Cause, FailureKind, Measure, Outcome, Run, Score, UnscoredReason, Verdict,
};
use toolgauge_log::{Damage, LogError, TrialSummary, world_words};

use super::column::{ComparedColumn, TrialKey};
use crate::failures::failed_answer;
use crate::standing::Thresholds;
use crate::summary::TokenPrice;

/// One run, ready to be compared. Memory grows with the number of trials by a few dozen bytes
/// each; names are kept once.
#[derive(Clone, Debug)]
pub struct RunSide {
    pub(crate) label: String,
    pub(crate) run: Run,
    pub(crate) scorer: String,
    price: Option<TokenPrice>,
    pub(crate) cases: IndexMap<CaseId, CaseFacts>,
    pub(crate) groups: IndexSet<String>,
    /// Tags and their values.
    pub(crate) slices: IndexSet<(String, String)>,
    /// The sets of slices that cases are in: many cases are in the same ones.
    slice_sets: IndexSet<Box<[u32]>>,
    pub(crate) trials: usize,
    pub(crate) damage: Damage,
    pub(crate) score: ComparedColumn,
    pub(crate) unscored: Vec<UnscoredTrial>,
    /// Trials that failed for want of an answer, by kind, and those with an empty answer or an
    /// error in its place.
    pub(crate) errors: BTreeMap<&'static str, usize>,
    /// Trials that failed for a reason that says nothing about the subject.
    pub(crate) failed: Vec<FailedTrial>,
    /// Trials that a scorer could not judge because of a failure, by scorer.
    failed_by_scorer: IndexMap<String, Vec<FailedTrial>>,
    pub(crate) reasons: IndexSet<String>,
    pub(crate) dimensions: IndexMap<String, ComparedColumn>,
    pub(crate) scorers: IndexMap<String, ComparedColumn>,
    pub(crate) measures: IndexMap<String, ComparedColumn>,
    pub(crate) losses: Vec<LossRow>,
    places: IndexSet<String>,
    pub(crate) latency: ComparedColumn,
    pub(crate) first_token: ComparedColumn,
    pub(crate) input: ComparedColumn,
    pub(crate) output: ComparedColumn,
    pub(crate) cost: ComparedColumn,
}

/// What is known of a case.
#[derive(Clone, Debug)]
pub(crate) struct CaseFacts {
    pub(crate) group: Option<u32>,
    /// The position of its set of slices.
    slice_set: u32,
    /// A hash of the sentence, to notice when a name means another case.
    pub(crate) sentence: u64,
    /// A hash of what is expected, where the log says.
    pub(crate) gold: Option<String>,
}

/// A trial without a judgement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnscoredTrial {
    pub(crate) key: TrialKey,
    pub(crate) reason: u32,
    /// Whether it failed, rather than having nothing to be judged by.
    pub(crate) failed: bool,
}

/// A trial that failed: nobody knows what it would have brought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailedTrial {
    pub(crate) key: TrialKey,
    pub(crate) kind: FailureKind,
}

/// One lost point of a trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossRow {
    pub(crate) key: TrialKey,
    pub(crate) cause: Cause,
    pub(crate) points: f64,
    place: Option<u32>,
}

impl RunSide {
    /// A side of this run that has no trials yet, shown as `label`. The judgement of `scorer` is
    /// compared; without one, that of the run's first scorer.
    pub fn new(label: impl Into<String>, run: &Run, scorer: Option<&str>) -> Self {
        let first = run.scorers.first().map_or("", String::as_str);
        let scorer = scorer.unwrap_or(first).to_owned();
        let side = Self {
            label: label.into(),
            run: run.without_cases(),
            scorer,
            price: None,
            cases: IndexMap::new(),
            groups: IndexSet::new(),
            slices: IndexSet::new(),
            slice_sets: IndexSet::new(),
            trials: 0,
            damage: Damage::default(),
            score: ComparedColumn::default(),
            unscored: Vec::new(),
            errors: BTreeMap::new(),
            failed: Vec::new(),
            failed_by_scorer: IndexMap::new(),
            reasons: IndexSet::new(),
            dimensions: IndexMap::new(),
            scorers: IndexMap::new(),
            measures: IndexMap::new(),
            losses: Vec::new(),
            places: IndexSet::new(),
            latency: ComparedColumn::default(),
            first_token: ComparedColumn::default(),
            input: ComparedColumn::default(),
            output: ComparedColumn::default(),
            cost: ComparedColumn::default(),
        };
        side.graded(Thresholds::default())
    }

    /// Which way a named figure gets better; `None` where that is not known.
    pub(crate) fn better(&self, name: &str) -> Option<Better> {
        let is_score = self.dimensions.contains_key(name) || self.scorers.contains_key(name);
        if is_score || !self.measures.contains_key(name) {
            return Some(Better::More);
        }
        let fails = world_words(&self.run).pattern(name).is_some();
        if fails { Some(Better::Less) } else { Measure::better(name) }
    }

    /// The same side, with what graded questions are held to.
    #[must_use]
    pub fn graded(mut self, graded: Thresholds) -> Self {
        let pass = Thresholds::of_scorer(&self.scorer, graded).pass;
        self.score = ComparedColumn::passing_from(pass);
        self
    }

    /// The same side, with the price of tokens, which gives trials a cost.
    #[must_use]
    pub fn priced(mut self, price: Option<TokenPrice>) -> Self {
        self.price = price;
        self
    }

    /// The name it is shown by.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The run it is of, without the list of its cases.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// How many trials it has.
    pub fn trials(&self) -> usize {
        self.trials
    }

    /// What of its log cannot be read.
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Takes note of a sample that cannot be read. It is a trial that this side does not have.
    pub fn add_damaged(&mut self, error: &LogError) {
        self.damage.note(error);
    }

    /// Takes one trial in.
    pub fn add(&mut self, trial: &TrialSummary) {
        let key = TrialKey { case: self.case(trial), trial: trial.id.trial };
        self.trials += 1;
        // A run whose head names no scorer is judged by the first one that its trials have.
        if self.scorer.is_empty()
            && let Some(first) = trial.outcomes.keys().next()
        {
            self.scorer.clone_from(first);
        }
        // Taken out for a while, since the methods below borrow all of `self`.
        let scorer = std::mem::take(&mut self.scorer);
        if let Some(failure) = &trial.failure {
            *self.errors.entry(failure.kind.name()).or_default() += 1;
            if failure.kind.is_infrastructure() {
                self.failed.push(FailedTrial { key, kind: failure.kind });
            }
        } else if let Some(words) = failed_answer(trial) {
            *self.errors.entry(words).or_default() += 1;
        }
        match trial.outcomes.get(&scorer) {
            Some(Outcome::Scored(score)) => self.add_score(key, score),
            Some(Outcome::Unscored(UnscoredReason::NothingExpected)) => {
                self.add_unscored(key, "nothing expected", false);
            }
            Some(Outcome::Unscored(UnscoredReason::NoValue)) => {
                self.add_unscored(key, "no value recorded", false);
            }
            Some(Outcome::Unscored(UnscoredReason::Failed(failure))) => {
                self.add_unscored(key, failure.kind.name(), true);
            }
            None => {
                self.add_unscored(key, "not scored", trial.failure.is_some());
                if let Some(failure) = &trial.failure {
                    self.add_failed(&scorer, key, failure.kind);
                }
            }
        }
        for (name, outcome) in &trial.outcomes {
            if let Outcome::Unscored(UnscoredReason::Failed(failure)) = outcome {
                self.add_failed(name, key, failure.kind);
            }
        }
        self.add_losses(key, trial, &scorer);
        for (name, outcome) in &trial.outcomes {
            if let Some(value) = outcome.value().filter(|_| *name != scorer) {
                column(&mut self.scorers, name).push(key, value);
            }
        }
        self.scorer = scorer;
        self.add_amounts(key, trial);
    }

    /// The side once all trials are in.
    #[must_use]
    pub fn finished(mut self) -> Self {
        let families = [&mut self.dimensions, &mut self.scorers, &mut self.measures];
        families.into_iter().flat_map(IndexMap::values_mut).for_each(ComparedColumn::settle);
        let single = [
            &mut self.score,
            &mut self.latency,
            &mut self.first_token,
            &mut self.input,
            &mut self.output,
            &mut self.cost,
        ];
        single.into_iter().for_each(ComparedColumn::settle);
        let families = [&mut self.dimensions, &mut self.scorers, &mut self.measures];
        let columns = families.into_iter().flat_map(IndexMap::values_mut);
        let amounts = [&mut self.latency, &mut self.first_token, &mut self.input, &mut self.output];
        // Only once every column is in order can two be seen to be of the same trials. This saves
        // most of the memory of a large run.
        columns.chain(amounts).for_each(|column| column.share_trials_of(&self.score));
        self.unscored.sort_by_key(|unscored| unscored.key);
        self.losses.sort_by_key(|loss| loss.key);
        self
    }

    /// The losses of one trial, the costliest first.
    pub(crate) fn losses_of(&self, key: TrialKey) -> Vec<&LossRow> {
        let first = self.losses.partition_point(|loss| loss.key < key);
        let of_trial = self.losses[first..].iter().take_while(|loss| loss.key == key);
        let mut losses: Vec<&LossRow> = of_trial.collect();
        losses.sort_by(|one, other| other.points.total_cmp(&one.points));
        losses
    }

    /// Where a loss happened, in words: the tool and the argument.
    pub(crate) fn place(&self, loss: &LossRow) -> Option<&str> {
        Some(self.places.get_index(loss.place? as usize)?)
    }

    /// The score with the trials that failed counted as 0.
    pub(crate) fn score_with_failures(&self) -> ComparedColumn {
        let failed = self.unscored.iter().filter(|unscored| unscored.failed);
        self.score.with(failed.map(|unscored| (unscored.key, 0.0)))
    }

    /// The trials that this scorer could not judge because of a failure.
    pub(crate) fn failed_for(&self, scorer: &str) -> &[FailedTrial] {
        self.failed_by_scorer.get(scorer).map_or(&[], Vec::as_slice)
    }

    /// Whether a case has this tag and value; without one, every case does.
    pub(crate) fn is_in(&self, case: u32, slice: Option<&(String, String)>) -> bool {
        let Some(slice) = slice else { return true };
        let place = self.slices.get_index_of(slice);
        self.slices_of(case).iter().any(|slice| Some(*slice as usize) == place)
    }

    /// The slices that a case is in, by their positions.
    pub(crate) fn slices_of(&self, case: u32) -> &[u32] {
        let set = self.cases[case as usize].slice_set;
        self.slice_sets.get_index(set as usize).map_or(&[], |slices| slices)
    }

    fn case(&mut self, trial: &TrialSummary) -> u32 {
        if let Some(place) = self.cases.get_index_of(&trial.id.case) {
            return number(place);
        }
        let group = trial.group.as_ref().map(|group| intern(&mut self.groups, group));
        let slices = trial.tags.iter().map(|(tag, value)| {
            // The names are cloned for each case, not for each trial: a known case has returned.
            let slice = (tag.clone(), value.clone());
            number(self.slices.insert_full(slice).0)
        });
        let slice_set = number(self.slice_sets.insert_full(slices.collect()).0);
        let mut hasher = DefaultHasher::new();
        trial.sentence.hash(&mut hasher);
        let facts =
            CaseFacts { group, slice_set, sentence: hasher.finish(), gold: trial.gold.clone() };
        number(self.cases.insert_full(trial.id.case.clone(), facts).0)
    }

    fn add_score(&mut self, key: TrialKey, score: &Score) {
        self.score.push(key, score.value);
        for (dimension, verdict) in &score.dimensions {
            let value = match verdict {
                Verdict::Correct => 1.0,
                Verdict::Incorrect => 0.0,
                Verdict::NotApplicable => continue,
            };
            column(&mut self.dimensions, dimension.as_str()).push(key, value);
        }
        for (measure, value) in &score.measures {
            column(&mut self.measures, measure).push(key, *value);
        }
    }

    fn add_losses(&mut self, key: TrialKey, trial: &TrialSummary, scorer: &str) {
        for loss in trial.losses_by(scorer) {
            let place = loss.tool.as_ref().map(|tool| {
                let path = loss.path.to_string();
                let place = if path.is_empty() { tool.clone() } else { format!("{tool}.{path}") };
                intern(&mut self.places, &place)
            });
            self.losses.push(LossRow { key, cause: loss.cause, points: loss.points, place });
        }
    }

    fn add_unscored(&mut self, key: TrialKey, reason: &str, failed: bool) {
        let reason = intern(&mut self.reasons, reason);
        self.unscored.push(UnscoredTrial { key, reason, failed });
    }

    fn add_failed(&mut self, scorer: &str, key: TrialKey, kind: FailureKind) {
        let failed = FailedTrial { key, kind };
        match self.failed_by_scorer.get_mut(scorer) {
            Some(known) => known.push(failed),
            None => drop(self.failed_by_scorer.insert(scorer.to_owned(), vec![failed])),
        }
    }

    fn add_amounts(&mut self, key: TrialKey, trial: &TrialSummary) {
        if let Some(total) = trial.latency() {
            self.latency.push(key, total.as_secs_f64());
        }
        if let Some(first) = trial.timings.first_token {
            self.first_token.push(key, first.as_secs_f64());
        }
        if let Some(tokens) = trial.usage.input {
            self.input.push(key, as_f64(tokens));
        }
        if let Some(tokens) = trial.usage.output {
            self.output.push(key, as_f64(tokens));
        }
        if let Some(cost) = self.price.and_then(|price| price.of(trial.usage)) {
            self.cost.push(key, cost);
        }
    }
}

fn column<'a>(
    columns: &'a mut IndexMap<String, ComparedColumn>,
    name: &str,
) -> &'a mut ComparedColumn {
    if !columns.contains_key(name) {
        columns.insert(name.to_owned(), ComparedColumn::default());
    }
    &mut columns[name]
}

fn intern(names: &mut IndexSet<String>, name: &str) -> u32 {
    number(match names.get_index_of(name) {
        Some(place) => place,
        None => names.insert_full(name.to_owned()).0,
    })
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a run has fewer than four billion cases")
}

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
pub(crate) fn as_f64(count: u64) -> f64 {
    count as f64
}
