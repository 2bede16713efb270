//! Runs that decide themselves when they have seen enough.
//!
//! All trials that the budget allows are planned, each pass over the cases in an order of its
//! own, drawn from a seed. An [`StoppingRule`] watches the results in the order of the plan, whatever
//! order they come in, and stops the run once its confidence sequence allows it. Such a sequence
//! may be looked at after every trial without losing its promise (Waudby-Smith & Ramdas 2023).

use std::collections::HashMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use toolgauge_core::{CaseId, Outcome, TrialId};
use toolgauge_report::number::counted;
use toolgauge_runner::{EventSink, Plan, RunEvent, SinkError, StopSignal};
use toolgauge_stats::{Confidence, ConfidenceSequence, Interval};

use crate::journal::Journal;

/// Passes over the cases that an adaptive run may take when no budget is given.
const USUAL_PASSES: usize = 20;

/// When an adaptive run has seen enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Until {
    /// The half-width of the interval to reach.
    pub half_width: f64,
    /// The trials that each variant may take at most.
    pub budget: usize,
}

impl Until {
    /// With the usual budget for so many cases where none is given.
    pub fn new(half_width: f64, budget: Option<usize>, cases: usize) -> Self {
        Self { half_width, budget: budget.unwrap_or(USUAL_PASSES * cases).max(1) }
    }

    /// How often each case is planned.
    pub fn passes(&self, cases: usize) -> u32 {
        u32::try_from(self.budget.div_ceil(cases.max(1))).unwrap_or(u32::MAX)
    }

    /// The trials in the order in which they are judged, as many as the budget allows. Every pass
    /// over the cases has a random order of its own, drawn from the seed, so that cases come as
    /// if drawn from a pool.
    pub fn order(&self, cases: &[CaseId], seed: u64) -> Vec<TrialId> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut order = Vec::with_capacity(self.budget);
        for trial in 1..=self.passes(cases.len()) {
            let mut pass = cases.to_vec();
            pass.shuffle(&mut generator);
            order.extend(pass.into_iter().map(|case| TrialId { case, trial }));
        }
        // The last pass may be cut short; its order is random, so that no case is favoured.
        order.truncate(self.budget);
        order
    }
}

/// Puts the plan's trials in this order, the arms side by side, and drops the others.
pub fn arrange(plan: &mut Plan, order: &[TrialId]) {
    let places: HashMap<&TrialId, usize> =
        order.iter().enumerate().map(|(place, id)| (id, place)).collect();
    plan.jobs.retain(|job| places.contains_key(&job.id()));
    // Arms side by side, so that all have seen the same cases whenever the run stops.
    plan.jobs.sort_by_cached_key(|job| (places.get(&job.id()).copied(), job.arm));
}

/// What came of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TrialResult {
    NotYet,
    Unscored,
    Scored(f64),
}

/// What an adaptive run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopping {
    /// Why it stopped, and what is known, in a sentence.
    pub words: String,
}

/// Judges whether a run has seen enough.
pub struct StoppingRule {
    until: Until,
    arms: usize,
    /// The place of each trial in the order of judgement.
    places: HashMap<TrialId, usize>,
    /// The results of each place, an entry an arm.
    results: Vec<Vec<TrialResult>>,
    /// The first place that is not judged yet.
    next: usize,
    /// One for the difference of two arms, else one an arm.
    sequences: Vec<ConfidenceSequence>,
}

impl StoppingRule {
    /// A rule for trials that come in this order, on each of `arms` arms.
    pub fn new(until: Until, order: Vec<TrialId>, arms: usize) -> Self {
        let results = vec![vec![TrialResult::NotYet; arms]; order.len()];
        let places = order.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
        let sequences = match arms {
            2 => vec![ConfidenceSequence::of_difference(Confidence::P95)],
            _ => vec![ConfidenceSequence::of_score(Confidence::P95); arms],
        };
        Self { until, arms, places, results, next: 0, sequences }
    }

    /// Takes note of a trial and judges what can be judged in order.
    pub fn note(&mut self, arm: usize, id: &TrialId, outcome: Option<&Outcome>) {
        let Some(place) = self.places.get(id) else { return };
        self.results[*place][arm] =
            outcome.and_then(Outcome::value).map_or(TrialResult::Unscored, TrialResult::Scored);
        while let Some(results) = self.results.get(self.next)
            && !results.contains(&TrialResult::NotYet)
        {
            self.next += 1;
            let value = |seen: &TrialResult| match seen {
                TrialResult::Scored(value) => Some(*value),
                TrialResult::Unscored | TrialResult::NotYet => None,
            };
            // What could not be scored says nothing, and neither does its partner.
            if let Some(values) = results.iter().map(value).collect::<Option<Vec<f64>>>()
                // What is judged after the decision would change the interval that the run was
                // stopped by.
                && !self.is_decided()
            {
                self.judge(&values);
            }
        }
    }

    fn judge(&mut self, values: &[f64]) {
        if let [a, b] = values {
            return self.sequences[0].add(b - a);
        }
        for (sequence, value) in self.sequences.iter_mut().zip(values) {
            sequence.add(*value);
        }
    }

    /// Whether enough is known.
    pub fn is_decided(&self) -> bool {
        self.is_narrow() || self.is_apart()
    }

    fn is_narrow(&self) -> bool {
        let narrow = |sequence: &ConfidenceSequence| {
            sequence.interval().half_width() <= self.until.half_width
        };
        self.sequences.iter().all(narrow)
    }

    /// Whether two arms are told apart.
    fn is_apart(&self) -> bool {
        self.arms == 2 && !self.sequences[0].interval().contains(0.0)
    }

    /// What the run came to.
    pub fn stopping(&self) -> Stopping {
        let judged = self.sequences.first().map_or(0, ConfidenceSequence::count);
        let judged = usize::try_from(judged).unwrap_or(usize::MAX);
        let interval = |interval: Interval| format!("[{:.3}, {:.3}]", interval.low, interval.high);
        let known: Vec<String> =
            self.sequences.iter().map(|sequence| interval(sequence.interval())).collect();
        let known = known.join(", ");
        let target = self.until.half_width;
        let pairs = || counted(judged, "pair");
        let budget = || counted(self.until.budget, "trial");
        let words = match (self.arms, self.is_apart(), self.is_narrow()) {
            (2, true, _) => {
                let ahead = if self.sequences[0].mean() > Some(0.0) { "second" } else { "first" };
                format!(
                    "decided after {}: the {ahead} variant is better, B − A in {known}",
                    pairs()
                )
            }
            (2, false, true) => {
                format!("enough after {}: B − A in {known}, half-width {target} reached", pairs())
            }
            (2, false, false) => {
                format!("the budget of {} per variant ended undecided: B − A in {known}", budget())
            }
            (_, _, true) => {
                format!(
                    "enough after {}: score in {known}, half-width {target} reached",
                    counted(judged, "trial")
                )
            }
            (_, _, false) => format!(
                "the budget of {} ended before the half-width {target} was reached: score in {known}",
                budget()
            ),
        };
        Stopping { words: format!("{words} (valid at any look)") }
    }
}

/// A journal that stops the run when its rule has seen enough.
pub(crate) struct AdaptiveJournal<'a, 'j> {
    pub(crate) journal: &'a mut Journal<'j>,
    pub(crate) rule: &'a mut StoppingRule,
    pub(crate) stop: &'a StopSignal,
}

impl EventSink for AdaptiveJournal<'_, '_> {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        // Into the log first: a trial that stops the run must not be missing there.
        self.journal.on_event(event)?;
        if let RunEvent::TrialFinished { arm, trial } = event {
            self.rule.note(*arm, &trial.id(), trial.outcome());
            if self.rule.is_decided() {
                self.stop.gently.cancel();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use toolgauge_core::Score;

    use super::*;

    const REPETITIONS: u64 = 200;

    fn cases(count: usize) -> Vec<CaseId> {
        (0..count).map(|n| CaseId::new(format!("case-{n}"))).collect()
    }

    fn scored(value: f64) -> Outcome {
        Outcome::Scored(Score { value, ..Score::default() })
    }

    /// The rule after a run on cases with these chances on each arm, and whether the truth was
    /// outside its interval at any time.
    fn judged_run(chances: &[Vec<f64>], until: Until, seed: u64) -> (StoppingRule, bool) {
        let cases = cases(chances[0].len());
        let order = until.order(&cases, seed);
        let mut rule = StoppingRule::new(until, order.clone(), chances.len());
        let mut generator = ChaCha8Rng::seed_from_u64(seed + 1_000_000);
        let mean =
            |arm: &Vec<f64>| arm.iter().sum::<f64>() / f64::from(u16::try_from(arm.len()).unwrap());
        let truth = match chances {
            [one] => mean(one),
            [a, b] => mean(b) - mean(a),
            _ => unreachable!("one arm or two"),
        };
        let mut missed = false;
        for id in order {
            let place = cases.iter().position(|case| *case == id.case).unwrap();
            for (arm, chances) in chances.iter().enumerate() {
                let passed = generator.random_bool(chances[place]);
                rule.note(arm, &id, Some(&scored(f64::from(u8::from(passed)))));
            }
            missed |= !rule.sequences[0].interval().contains(truth);
        }
        (rule, missed)
    }

    fn spread(count: u16, from: f64, to: f64) -> Vec<f64> {
        (0..count).map(|n| from + (to - from) * f64::from(n) / f64::from(count)).collect()
    }

    #[test]
    fn the_truth_stays_inside_at_every_look() {
        let until = Until { half_width: 0.05, budget: 900 };
        let chances = [spread(30, 0.0, 1.0)];
        let missed = (0..REPETITIONS).filter(|seed| judged_run(&chances, until, *seed).1).count();
        // At 5 % ten misses may be expected at most; passes over all cases make it fewer.
        assert!(missed <= 10, "{missed} of {REPETITIONS} missed");
    }

    #[test]
    fn variants_that_do_not_differ_are_seldom_told_apart() {
        let until = Until { half_width: 0.02, budget: 600 };
        let chances = [spread(30, 0.2, 0.9), spread(30, 0.2, 0.9)];
        let apart = (0..REPETITIONS).filter(|seed| judged_run(&chances, until, *seed).0.is_apart());
        let apart = apart.count();
        assert!(apart <= 10, "{apart} of {REPETITIONS} told apart");
    }

    #[test]
    fn a_better_variant_is_found_and_named() {
        let until = Until { half_width: 0.02, budget: 600 };
        let (rule, _) = judged_run(&[spread(30, 0.1, 0.5), spread(30, 0.5, 0.9)], until, 5);
        let words = rule.stopping().words;
        assert!(words.contains("the second variant is better"), "{words}");
        let judged = rule.sequences[0].count();
        assert!(judged < 300, "decided after {judged} pairs");
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        let until = Until { half_width: 0.01, budget: 60 };
        let order = until.order(&cases(20), 3);
        let values = |place: usize| scored(if place.is_multiple_of(3) { 0.0 } else { 1.0 });
        let mut forwards = StoppingRule::new(until, order.clone(), 1);
        let mut backwards = StoppingRule::new(until, order.clone(), 1);
        for (place, id) in order.iter().enumerate() {
            forwards.note(0, id, Some(&values(place)));
        }
        for (place, id) in order.iter().enumerate().rev() {
            backwards.note(0, id, Some(&values(place)));
        }
        assert_eq!(forwards.sequences, backwards.sequences);
        assert_eq!(forwards.sequences[0].count(), 60);
    }

    #[test]
    fn every_pass_has_all_cases_in_an_order_of_its_own() {
        let until = Until { half_width: 0.01, budget: 50 };
        let order = until.order(&cases(20), 3);
        assert_eq!(order.len(), 50);
        let pass = |number: u32| -> Vec<&CaseId> {
            order.iter().filter(|id| id.trial == number).map(|id| &id.case).collect()
        };
        let mut sorted = pass(1);
        sorted.sort();
        let mut all = cases(20);
        all.sort();
        assert_eq!(sorted, all.iter().collect::<Vec<_>>());
        assert_ne!(pass(1), pass(2));
    }
}
