//! Closed-form figures against SciPy 1.17 and statsmodels 0.15. The Python that made each expected
//! value stands beside it, with `st = scipy.stats` and `np = numpy`.

use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Estimate, Interval, Mean, PairTable, TestTarget,
    TrialCount, hedges_g, holm, noise_floor, percentile, percentile_interval,
    probability_pairs_better,
};

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert_within(found, expected, 1e-10);
}

#[track_caller]
fn assert_within(found: f64, expected: f64, relative: f64) {
    let allowed = relative * expected.abs().max(1e-12);
    assert!((found - expected).abs() <= allowed, "found {found}, expected {expected}");
}

#[track_caller]
fn assert_interval(found: Interval, low: f64, high: f64) {
    assert_near(found.low, low);
    assert_near(found.high, high);
}

fn unbalanced() -> Vec<Cluster> {
    [&[1.0, 0.0, 1.0][..], &[0.5, 0.25], &[1.0], &[0.0, 0.1, 0.0, 0.2]]
        .into_iter()
        .map(Cluster::of)
        .collect()
}

// x = [0.2, 0.5, 0.9, 0.4, 1.0, 0.75]; st.sem(x); st.t.interval(0.95, 5, np.mean(x), st.sem(x))
#[test]
fn the_t_interval_agrees() {
    let mean = Mean::of(&[0.2, 0.5, 0.9, 0.4, 1.0, 0.75]).unwrap();
    assert_near(mean.mean, 0.625);
    assert_near(mean.standard_error().unwrap(), 0.126_326_297_077_581_33);
    assert_interval(
        mean.interval(Confidence::P95).unwrap(),
        0.300_267_915_369_172_6,
        0.949_732_084_630_827_5,
    );
}

// st.t.ppf(0.975, df); 2 * st.t.sf(t, df)
#[test]
fn student_quantiles_and_tails_agree_for_few_and_many_degrees_of_freedom() {
    let estimate =
        |value, degrees_of_freedom| Estimate { value, standard_error: 1.0, degrees_of_freedom };
    let half = |freedom, confidence| estimate(0.0, freedom).interval(confidence).high;
    assert_near(half(99_999.0, Confidence::P95), 1.959_987_707_771_844_2);
    assert_near(half(1.0, Confidence::P95), 12.706_204_736_174_694);
    assert_near(half(4.0, Confidence::P99), 4.604_094_871_349_992);
    assert_near(estimate(3.3, 12.5).p_value(0.0).unwrap(), 0.006_028_814_767_414_802);
    assert_within(estimate(12.0, 99_999.0).p_value(0.0).unwrap(), 3.744_507_776_240_271e-33, 1e-6);
}

// g = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3]; y = [1, 0, 1, 0.5, 0.25, 1, 0, 0.1, 0, 0.2]
// r = sm.OLS(y, np.ones(10)).fit(cov_type="cluster", cov_kwds={"groups": g}, use_t=True)
// r.params[0], r.bse[0], r.pvalues[0], r.conf_int()
#[test]
fn clusters_of_unequal_size_agree() {
    let mean = ClusteredMean::of(&unbalanced()).unwrap();
    let estimate = mean.estimate().unwrap();
    assert_near(mean.mean, 0.405);
    assert_near(estimate.standard_error, 0.190_306_769_891_842_4);
    assert_near(estimate.p_value(0.0).unwrap(), 0.123_227_704_272_703_99);
    assert_interval(
        estimate.interval(Confidence::P95),
        -0.200_641_076_712_770_54,
        1.010_641_076_712_770_5,
    );
}

// msb, msw from the groups above (msb / msw = st.f_oneway(*groups).statistic);
// n0 = (10 - sum(len(v)**2 for v in groups) / 10) / 3
// (msb - msw) / (msb + (n0 - 1) * msw), (msb - msw) / n0, msw
#[test]
fn the_intraclass_correlation_of_unequal_clusters_agrees() {
    let mean = ClusteredMean::of(&unbalanced()).unwrap();
    assert_near(mean.icc().unwrap(), 0.428_334_208_946_262_23);
}

// st.norm.ppf(0.975) * np.sqrt(2 * 0.12090277777777779 / 10)
// st.norm.ppf(0.975) * np.sqrt(2) * 0.1903067698918424
#[test]
fn the_noise_floor_agrees() {
    let floor = noise_floor(&ClusteredMean::of(&unbalanced()).unwrap(), Confidence::P95).unwrap();
    assert_near(floor.same_cases.unwrap(), 0.304_776_325_242_255_7);
    assert_near(floor.fresh_cases, 0.527_493_760_385_477);
}

// np.percentile([3.1, 0.4, 9.9, 2.2, 5.0, 7.3, 1.0], [0, 10, 50, 95, 100])
#[test]
fn percentiles_agree() {
    let values = [3.1, 0.4, 9.9, 2.2, 5.0, 7.3, 1.0];
    let expected = [(0.0, 0.4), (0.1, 0.76), (0.5, 3.1), (0.95, 9.119_999_999_999_997), (1.0, 9.9)];
    for (share, value) in expected {
        assert_near(percentile(&values, share).unwrap(), value);
    }
    assert_eq!(percentile(&[], 0.5), None);
    assert_eq!(percentile(&values, 1.5), None);
}

// st.quantile_test(np.arange(1, 101.0), p=p).confidence_interval(level)
#[test]
fn percentile_intervals_agree() {
    let values: Vec<f64> = (1..=100).map(f64::from).collect();
    let found = |share, confidence| percentile_interval(&values, share, confidence).unwrap();
    assert_interval(found(0.5, Confidence::P95), 40.0, 61.0);
    assert_interval(found(0.9, Confidence::P95), 84.0, 96.0);
    assert_interval(found(0.9, Confidence::P99), 82.0, 98.0);
    assert_eq!(percentile_interval(&values[..20], 0.99, Confidence::P95), None);
}

// statsmodels.stats.contingency_tables.mcnemar([[0, b], [c, 0]], exact=True).pvalue
// 2 * st.binom.cdf(k, b + c, 0.5) - st.binom.pmf(k, b + c, 0.5), k = min(b, c)
#[test]
fn mcnemar_agrees() {
    for (only_a, only_b, exact) in [
        (12, 3, 0.035_156_25),
        (3, 12, 0.035_156_25),
        (5, 5, 1.0),
        (0, 6, 0.031_25),
        (40, 61, 0.046_044_066_929_342_785),
        (5100, 4900, 0.046_585_527_704_946_45),
    ] {
        let table = PairTable { both: 7, only_a, only_b, neither: 2 };
        assert_near(table.exact_p_value(), exact);
    }
    assert_near(PairTable::default().exact_p_value(), 1.0);
}

// statsmodels.stats.multitest.multipletests(p, method="holm")[1], and method="fdr_bh"
#[test]
fn corrections_agree() {
    let p_values = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03];
    for (found, expected) in holm(&p_values).iter().zip([0.05, 0.12, 0.12, 0.03, 0.2, 0.12]) {
        assert_near(*found, expected);
    }
}

// TTestPower().solve_power(0.4, power=0.8, alpha=0.05) -> 51.009 (52 cases)
// TTestPower().solve_power(0.1, power=0.9, alpha=0.05) -> 1052.66 (1053 cases)
// TTestPower().solve_power(nobs=50, power=0.8, alpha=0.05) -> 0.4041829997
// (z(.975) * psi**.5 + z(.8) * (psi - d*d)**.5)**2 / d**2 for psi = 0.3, d = 0.1 -> 233.09
#[test]
fn sizes_needed_are_near_the_noncentral_ones() {
    let demand = TestTarget::default();
    let cases = demand.cases_needed(1.0, 0.4).unwrap();
    assert!((51..=53).contains(&cases), "{cases}");
    let strict = TestTarget::new(Confidence::P95, 0.9).unwrap();
    let cases = strict.cases_needed(1.0, 0.1).unwrap();
    assert!((1052..=1055).contains(&cases), "{cases}");
    let fifty =
        Estimate { value: 0.0, standard_error: 1.0 / f64::sqrt(50.0), degrees_of_freedom: 49.0 };
    assert_within(demand.minimum_detectable(&fifty), 0.404_182_999_7, 0.01);
    assert_eq!(demand.cases_needed(1.0, 0.0), None);
}

// st.beta.sf(0.5, 12 + 1, 3 + 1)
#[test]
fn the_probability_that_pairs_favour_b_agrees() {
    let table = PairTable { both: 20, only_a: 3, only_b: 12, neither: 15 };
    assert_near(probability_pairs_better(&table), 0.989_364_624_023_437_5);
}

// comb(c, k) / comb(n, k) and 1 - comb(n - c, k) / comb(n, k), with math.comb and Fraction
#[test]
fn pass_all_and_pass_any_survive_large_counts() {
    let many = TrialCount::new(99_990, 100_000).unwrap();
    assert_near(many.pass_all(1000).unwrap(), 0.904_377_963_928_848_7);
    let few = TrialCount::new(10, 100_000).unwrap();
    assert_near(few.pass_any(1000).unwrap(), 0.095_622_036_071_151_23);
    assert_eq!(TrialCount::new(2, 5).unwrap().pass_all(3), Some(0.0));
    assert_eq!(TrialCount::new(2, 5).unwrap().pass_all(6), None);
    assert_eq!(TrialCount::new(2, 5).unwrap().pass_any(0), None);
    assert_eq!(TrialCount::new(6, 5), None);
}

// d = [0.2, 0, -0.1, 0.4, 0.3, 0.1, 0, 0.25]; J = 1 - 3/(4*7 - 1)
// statistics.mean(d) / statistics.stdev(d) * J
#[test]
fn effect_sizes_agree() {
    let few = [0.2, 0.0, -0.1, 0.4, 0.3, 0.1, 0.0, 0.25];
    assert_near(hedges_g(&few).unwrap(), 0.742_715_651_211_581_1);
    assert_eq!(hedges_g(&[0.5, 0.5]), None);
    assert_eq!(hedges_g(&[0.5]), None);
}

// st.ttest_ind(b, a, equal_var=False)
#[test]
fn the_unpaired_difference_agrees() {
    let side = |values: &[f64]| {
        let clusters: Vec<Cluster> = values.iter().map(|value| Cluster::of(&[*value])).collect();
        ClusteredMean::of(&clusters).unwrap()
    };
    let a = side(&[0.1, 0.4, 0.35, 0.8, 0.6]);
    let b = side(&[0.7, 0.9, 0.5, 1.0, 0.85, 0.65, 0.3]);
    let difference = ClusteredMean::unpaired_difference(&a, &b).unwrap();
    assert_near(difference.value / difference.standard_error, 1.668_433_139_517_205_2);
    assert_near(difference.p_value(0.0).unwrap(), 0.132_519_557_458_697_7);
    assert_near(difference.degrees_of_freedom, 8.276_690_437_002_921);
}
