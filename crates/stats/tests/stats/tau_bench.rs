//! The figures of a published run: gpt-4o on the airline tasks of tau-bench, 50 tasks of four
//! trials each, a success being a reward above 0.9.
//!
//! Fourteen tasks never passed, twelve passed once, ten twice, four three times and ten always;
//! no figure below depends on more than that.

use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Range, TrialCount, flip_share, mean_interval,
    reliability_curve,
};

const TASKS_BY_PASSES: [usize; 5] = [14, 12, 10, 4, 10];

fn passes_of_tasks() -> impl Iterator<Item = u8> {
    (0u8..).zip(TASKS_BY_PASSES).flat_map(|(passes, tasks)| std::iter::repeat_n(passes, tasks))
}

fn clusters() -> Vec<Cluster> {
    passes_of_tasks()
        .map(|passes| {
            let values: Vec<f64> =
                (0..4).map(|trial| f64::from(u8::from(trial < passes))).collect();
            Cluster::of(&values)
        })
        .collect()
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "found {found}, expected {expected}");
}

// x = np.repeat rows of the table above; g = task of each value
// sm.OLS(x, np.ones(200)).fit(cov_type="cluster", cov_kwds={"groups": g}).bse[0]
//   -> 0.052216191092848765 ; x.std() / 200**0.5 -> 0.0348998567332303
#[test]
fn standard_errors_are_the_published_ones() {
    let mean = ClusteredMean::of(&clusters()).unwrap();
    assert_eq!((mean.clusters, mean.n), (50, 200));
    assert_near(mean.mean, 0.42);
    assert_near(mean.naive_standard_error(), 0.034_899_856_733_230_3);
    assert_near(mean.standard_error().unwrap(), 0.052_216_191_092_848_765);
}

// scipy.stats.t.interval(0.95, 49, 0.42, 0.052216191092848765)
#[test]
fn the_interval_uses_the_clusters_for_its_degrees_of_freedom() {
    let interval = ClusteredMean::of(&clusters()).unwrap().interval(Confidence::P95).unwrap();
    assert_near(interval.low, 0.315_067_635_402_602_74);
    assert_near(interval.high, 0.524_932_364_597_397_2);
}

// k = 4; msb = k * means.var(ddof=1); msw = within.sum() / (200 - 50)
// (msb - msw) / (msb + (k - 1) * msw)
#[test]
fn trials_of_a_task_resemble_each_other() {
    let mean = ClusteredMean::of(&clusters()).unwrap();
    assert_near(mean.icc().unwrap(), 0.404_584_368_958_851_25);
}

// [np.mean([comb(c, k) / comb(4, k) for c in passes]) for k in range(1, 5)], and likewise
// 1 - comb(4 - c, k) / comb(4, k)
#[test]
fn pass_all_and_pass_any_are_the_published_ones() {
    let counts: Vec<TrialCount> =
        passes_of_tasks().map(|passes| TrialCount::new(passes.into(), 4).unwrap()).collect();
    let curve = reliability_curve(&counts, Confidence::P95);
    let all: Vec<f64> = curve.iter().map(|point| point.pass_all).collect();
    let any: Vec<f64> = curve.iter().map(|point| point.pass_any).collect();
    for (found, expected) in all.iter().zip([0.42, 0.273_333_333_333_333_4, 0.22, 0.2]) {
        assert_near(*found, expected);
    }
    for (found, expected) in any.iter().zip([0.42, 0.566_666_666_666_666_8, 0.66, 0.72]) {
        assert_near(*found, expected);
    }
    let flips = flip_share(&counts);
    assert_eq!((flips.flipped, flips.cases), (26, 50));
}

// With as many trials as k a task passes or not, and 10 of 50 do:
// scipy.stats.beta.ppf(0.025, 10, 41), scipy.stats.beta.ppf(0.975, 11, 40)
#[test]
fn pass_all_has_the_interval_of_a_score() {
    let counts: Vec<TrialCount> =
        passes_of_tasks().map(|passes| TrialCount::new(passes.into(), 4).unwrap()).collect();
    let interval = reliability_curve(&counts, Confidence::P95)[3].pass_all_interval;
    assert_near(interval.low, 0.100_302_237_472_571);
    assert_near(interval.high, 0.337_183_108_383_487_86);
}

#[test]
fn three_tasks_that_never_fail_do_not_prove_that_none_ever_will() {
    let counts = [TrialCount::new(5, 5).unwrap(); 3];
    let interval = reliability_curve(&counts, Confidence::P95)[4].pass_all_interval;
    assert_near(interval.low, 0.025_f64.powf(1.0 / 3.0));
    assert_near(interval.high, 1.0);
}

// statsmodels.stats.proportion.proportion_confint(84, 200, 0.05, "wilson" / "beta")
#[test]
fn an_interval_that_ignores_the_tasks_is_narrower() {
    let by_task = mean_interval(&clusters(), Range::SCORE, Confidence::P95).unwrap();
    let trials: Vec<Cluster> =
        (0..200).map(|trial| Cluster::of(&[f64::from(u8::from(trial < 84))])).collect();
    let naive = mean_interval(&trials, Range::SCORE, Confidence::P95).unwrap();
    assert_near(naive.low, 0.350_743_857_791_056);
    assert_near(naive.high, 0.491_663_825_122_619_75);
    assert!(by_task.low < naive.low && naive.high < by_task.high);
}
