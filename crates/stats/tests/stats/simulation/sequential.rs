//! Confidence sequences hold however often one looks; ordinary intervals do not.

use rand::RngExt;
use toolgauge_stats::{Cluster, Confidence, ConfidenceSequence, Range, mean_interval};

use super::share_of;
use super::subject::{GRADED_MEAN, generator, graded};

const LOOKS: usize = 200;

#[test]
fn a_confidence_sequence_seldom_misses_at_any_of_many_looks() {
    for rate in [0.1, 0.5] {
        share_of(4, |repetition| {
            let mut generator = generator(60, repetition);
            let mut sequence = ConfidenceSequence::of_score(Confidence::P95);
            (0..LOOKS).any(|_| {
                sequence.add(f64::from(u8::from(generator.random_bool(rate))));
                !sequence.interval().contains(rate)
            })
        })
        .is_at_most(0.05);
    }
}

#[test]
fn a_confidence_sequence_of_graded_scores_holds_too() {
    share_of(4, |repetition| {
        let mut generator = generator(61, repetition);
        let mut sequence = ConfidenceSequence::of_score(Confidence::P95);
        (0..LOOKS).any(|_| {
            sequence.add(graded(&mut generator));
            !sequence.interval().contains(GRADED_MEAN)
        })
    })
    .is_at_most(0.05);
}

#[test]
fn equal_sides_are_seldom_told_apart_however_often_one_looks() {
    share_of(4, |repetition| {
        let mut generator = generator(62, repetition);
        let mut sequence = ConfidenceSequence::of_difference(Confidence::P95);
        (0..LOOKS).any(|_| {
            sequence.add(graded(&mut generator) - graded(&mut generator));
            !sequence.interval().contains(0.0)
        })
    })
    .is_at_most(0.05);
}

#[test]
fn an_ordinary_interval_looked_at_all_the_time_misses_often() {
    let missed = share_of(5, |repetition| {
        let mut generator = generator(63, repetition);
        let mut clusters = Vec::new();
        (0..LOOKS).any(|look| {
            clusters.push(Cluster::of(&[f64::from(u8::from(generator.random_bool(0.5)))]));
            // Looking at every tenth case is often enough to be misled, and quicker.
            if look < 20 || look % 10 != 0 {
                return false;
            }
            let interval = mean_interval(&clusters, Range::SCORE, Confidence::P95).unwrap();
            !interval.contains(0.5)
        })
    });
    assert!(missed.rate() > 0.15, "{}", missed.rate());
}

#[test]
fn a_planted_difference_is_found_before_the_run_ends() {
    share_of(4, |repetition| {
        let mut generator = generator(64, repetition);
        let mut sequence = ConfidenceSequence::of_difference(Confidence::P95);
        (0..LOOKS).any(|_| {
            let (a, b) = (generator.random_bool(0.4), generator.random_bool(0.75));
            sequence.add(f64::from(u8::from(b)) - f64::from(u8::from(a)));
            sequence.interval().low > 0.0
        })
    })
    .is_at_least(0.9);
}
