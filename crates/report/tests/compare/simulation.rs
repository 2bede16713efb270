//! Verdicts are right as often as they promise, where the truth is known.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use toolgauge_report::{Comparison, DifferenceVerdict, RunSide, Terms};

use super::{side, trial};

const REPETITIONS: usize = 200;

/// What a subject is like: how likely each case passes, and how often each is tried.
struct Truth {
    chances: Vec<f64>,
    trials: u32,
    graded: bool,
}

impl Truth {
    fn new(cases: usize, trials: u32, graded: bool, generator: &mut impl Rng) -> Self {
        let chances = (0..cases).map(|_| generator.random_range(0.1..0.9)).collect();
        Self { chances, trials, graded }
    }

    fn run(&self, subject: &str, shift: f64, generator: &mut impl Rng) -> RunSide {
        let mut trials = Vec::new();
        for (case, chance) in self.chances.iter().enumerate() {
            for number in 1..=self.trials {
                let passed = generator.random_bool((chance + shift).clamp(0.0, 1.0));
                let value = match (passed, self.graded) {
                    (true, _) => 1.0,
                    (false, false) => 0.0,
                    (false, true) => generator.random_range(0.0..0.75),
                };
                trials.push(trial(&format!("case-{case}"), number, value));
            }
        }
        side(subject, trials)
    }
}

fn alarms(cases: usize, trials: u32, graded: bool) -> usize {
    let mut generator = ChaCha8Rng::seed_from_u64(u64::from(trials) + u64::from(graded) * 10);
    let repeat = |_| {
        let truth = Truth::new(cases, trials, graded, &mut generator);
        let (a, b) = (truth.run("a", 0.0, &mut generator), truth.run("b", 0.0, &mut generator));
        Comparison::of(&a, &b, &Terms::default()).verdict != DifferenceVerdict::NoDifferenceShown
    };
    (0..REPETITIONS).map(repeat).filter(|alarm| *alarm).count()
}

#[test]
fn the_same_subject_twice_shows_no_difference_at_the_nominal_rate() {
    // Of 200 repetitions 10 false alarms are expected at 5 %; 18 or more have a chance of 1 %.
    // The exact test of single verdicts is cautious; with several trials the level is used up.
    for (cases, trials, graded, least) in [(80, 1, false, 0), (40, 3, false, 2), (40, 2, true, 0)] {
        let alarms = alarms(cases, trials, graded);
        assert!(
            (least..=17).contains(&alarms),
            "{alarms} alarms with {cases} cases of {trials}, graded {graded}"
        );
    }
}

#[test]
fn a_change_of_the_size_said_to_be_detectable_is_found_four_times_in_five() {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    let (mut found, mut detectable) = (0.0_f64, 0.0_f64);
    let shift = 0.105;
    for _ in 0..REPETITIONS {
        let truth = Truth::new(60, 4, false, &mut generator);
        let (a, b) = (truth.run("a", 0.0, &mut generator), truth.run("b", shift, &mut generator));
        let comparison = Comparison::of(&a, &b, &Terms::default());
        let score = comparison.score.unwrap();
        detectable += score.detectable.unwrap() / 200.0;
        found += f64::from(u8::from(comparison.verdict == DifferenceVerdict::Better)) / 200.0;
    }
    // Two hundred repetitions leave a standard error of 0.034.
    assert!((found - 0.8).abs() < 0.1, "found {found}");
    assert!((detectable - shift).abs() < 0.01, "{detectable}");
}
