//! Tests find a planted change as often as the formula says.

use std::num::NonZeroUsize;

use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Estimate, Resampling, TestTarget, VarianceComponents,
    sign_flip,
};

use super::share_of;
use super::subject::{generator, normal, singles};

fn p_value(clusters: &[Cluster]) -> f64 {
    ClusteredMean::of(clusters).unwrap().estimate().unwrap().p_value(0.0).unwrap()
}

#[test]
fn the_cases_needed_give_the_demanded_power() {
    let cases = TestTarget::default().cases_needed(1.0, 0.4).unwrap();
    share_of(1, |repetition| {
        let mut generator = generator(40, repetition);
        p_value(&singles((0..cases).map(|_| 0.4 + normal(&mut generator)))) < 0.05
    })
    .is_near(0.8, 0.015);
}

#[test]
fn the_trials_needed_give_the_demanded_power() {
    let components = VarianceComponents { between: 0.25, within: 1.0 };
    let trials = TestTarget::default().trials_needed(&components, 60, 0.25).unwrap();
    assert!(trials > 1);
    share_of(1, |repetition| {
        let mut generator = generator(42, repetition);
        let clusters: Vec<Cluster> = (0..60)
            .map(|_| {
                let case = 0.25 + 0.5 * normal(&mut generator);
                let values: Vec<f64> = (0..trials).map(|_| case + normal(&mut generator)).collect();
                Cluster::of(&values)
            })
            .collect();
        p_value(&clusters) < 0.05
    })
    // The number of trials is rounded up, so the power may be a little above.
    .is_near(0.8, 0.05);
}

#[test]
fn a_change_of_the_minimum_detectable_size_is_found_with_that_power() {
    let estimate =
        Estimate { value: 0.0, standard_error: 1.0 / f64::sqrt(30.0), degrees_of_freedom: 29.0 };
    let demand = TestTarget::new(Confidence::P95, 0.9).unwrap();
    let change = demand.minimum_detectable(&estimate);
    share_of(1, |repetition| {
        let mut generator = generator(41, repetition);
        p_value(&singles((0..30).map(|_| change + normal(&mut generator)))) < 0.05
    })
    .is_near(0.9, 0.015);
}

#[test]
fn sign_flips_are_as_sharp_as_the_t_test_where_that_is_at_home() {
    let cases = TestTarget::default().cases_needed(1.0, 0.5).unwrap();
    share_of(1, |repetition| {
        let mut generator = generator(44, repetition);
        let clusters = singles((0..cases).map(|_| 0.5 + normal(&mut generator)));
        let plan = Resampling { resamples: NonZeroUsize::new(499).unwrap(), seed: repetition };
        sign_flip(&clusters, &plan).unwrap().p_value() < 0.05
    })
    .is_near(0.8, 0.03);
}
