//! Closed-form figures against SciPy 1.17 and statsmodels 0.15. The Python that made each expected
//! value stands beside it, with `st = scipy.stats` and `np = numpy`.

use toolgauge_stats::{
    Cluster, ClusteredMean, Confidence, Demand, Estimate, Interval, Margin, Mean, PairTable,
    Proportion, TrialCount, VarianceComponents, benjamini_hochberg, cohen_d, cohen_h,
    equivalence_p_value, hedges_g, holm, noise_floor, non_inferiority_p_value, percentile,
    percentile_interval, probability_pairs_better, probability_rate_higher,
};

const DIFFERENCES: [f64; 12] =
    [0.5, 0.25, -0.25, 1.0, 0.0, 0.75, -0.5, 0.25, 0.5, 1.0, -0.25, 0.75];

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

// statsmodels.stats.proportion.proportion_confint(k, n, 0.05, "wilson")
#[test]
fn wilson_intervals_agree() {
    let wilson = |k, n| Proportion::new(k, n).unwrap().wilson(Confidence::P95);
    assert_interval(wilson(0, 10), 0.0, 0.277_532_799_862_889_26);
    assert_interval(wilson(10, 10), 0.722_467_200_137_110_6, 1.0);
    assert_interval(wilson(1, 3), 0.061_491_944_720_396_26, 0.792_340_399_197_952_3);
    assert_interval(wilson(81_263, 100_000), 0.810_199_516_157_087_1, 0.815_036_465_660_139_3);
}

// statsmodels.stats.proportion.proportion_confint(k, n, alpha, "beta")
#[test]
fn clopper_pearson_intervals_agree_up_to_a_hundred_thousand() {
    let exact = |k, n, confidence| Proportion::new(k, n).unwrap().clopper_pearson(confidence);
    assert_interval(exact(0, 10, Confidence::P95), 0.0, 0.308_497_107_818_760_83);
    assert_interval(exact(10, 10, Confidence::P99), 0.588_704_018_652_474_6, 1.0);
    assert_interval(
        exact(1, 3, Confidence::P95),
        0.008_403_758_659_612_636,
        0.905_700_675_949_753_9,
    );
    assert_interval(
        exact(81_263, 100_000, Confidence::P95),
        0.810_197_454_815_343_3,
        0.815_044_398_906_274,
    );
    assert_interval(
        exact(81_263, 100_000, Confidence::P99),
        0.809_431_702_094_307_7,
        0.815_798_492_349_305_6,
    );
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
    let components = mean.variance_components().unwrap();
    assert_near(components.between, 0.090_589_285_714_285_68);
    assert_near(components.within, 0.120_902_777_777_777_79);
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
    for (only_a, only_b, exact, mid) in [
        (12, 3, 0.035_156_25, 0.021_270_751_953_125_01),
        (3, 12, 0.035_156_25, 0.021_270_751_953_125_01),
        (5, 5, 1.0, 1.0),
        (0, 6, 0.031_25, 0.015_625),
        (40, 61, 0.046_044_066_929_342_785, 0.037_066_767_438_560_5),
        (5100, 4900, 0.046_585_527_704_946_45, 0.045_505_663_375_513_08),
    ] {
        let table = PairTable { both: 7, only_a, only_b, neither: 2 };
        assert_near(table.exact_p_value(), exact);
        assert_near(table.mid_p_value(), mid);
    }
    assert_near(PairTable::default().exact_p_value(), 1.0);
}

// a, b = 13 / 52, 4 / 52; se = np.sqrt((a + b - (a - b)**2) / 52); a - b ± st.norm.ppf(0.975) * se
// ci = st.binomtest(12, 15).proportion_ci(0.95); ci[0] / (1 - ci[0]), ci[1] / (1 - ci[1])
#[test]
fn the_difference_and_odds_of_pairs_agree() {
    let table = PairTable { both: 20, only_a: 3, only_b: 12, neither: 15 };
    assert_near(table.difference().unwrap(), 0.18);
    let interval = table.difference_interval(Confidence::P95).unwrap();
    assert_interval(interval, 0.024_961_307_382_268_65, 0.321_192_538_771_577_5);
    assert_near(table.odds_ratio().unwrap(), 4.0);
    let (low, high) = table.odds_ratio_interval(Confidence::P95).unwrap();
    assert_near(low, 1.079_472_732_391_118_8);
    assert_near(high.unwrap(), 22.088_286_897_741_82);
    assert_near(table.cohen_g().unwrap(), 0.3);
}

// np.mean(d) / np.std(d, ddof=1); statsmodels.stats.proportion.proportion_effectsize(0.99, 0.95)
#[test]
fn effect_sizes_agree() {
    assert_near(cohen_d(&DIFFERENCES).unwrap(), 0.661_672_838_549_106_4);
    assert_near(cohen_h(0.95, 0.99).unwrap(), 0.250_691_969_473_143_76);
    // d = [0.2, 0, -0.1, 0.4, 0.3, 0.1, 0, 0.25]; J = 1 - 3/(4*7 - 1)
    // statistics.mean(d) / statistics.stdev(d) * J
    let few = [0.2, 0.0, -0.1, 0.4, 0.3, 0.1, 0.0, 0.25];
    assert_near(hedges_g(&few).unwrap(), 0.742_715_651_211_581_1);
    assert_eq!(cohen_d(&[0.5, 0.5]), None);
}

// statsmodels.stats.multitest.multipletests(p, method="holm")[1], and method="fdr_bh"
#[test]
fn corrections_agree() {
    let p_values = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03];
    for (found, expected) in holm(&p_values).iter().zip([0.05, 0.12, 0.12, 0.03, 0.2, 0.12]) {
        assert_near(*found, expected);
    }
    let expected = [0.03, 0.048, 0.045, 0.03, 0.2, 0.045];
    for (found, expected) in benjamini_hochberg(&p_values).iter().zip(expected) {
        assert_near(*found, expected);
    }
}

// D = statsmodels.stats.weightstats.DescrStatsW(d); D.ttost_mean(-0.6, 0.6)[0]
// D.ttest_mean(-0.1, alternative="larger")[1]; D.ttest_mean(0)[1]; D.tconfint_mean()
#[test]
fn equivalence_and_non_inferiority_agree() {
    let estimate = Mean::of(&DIFFERENCES).unwrap().estimate().unwrap();
    let margin = |value| Margin::new(value).unwrap();
    assert_near(equivalence_p_value(&estimate, margin(0.6)).unwrap(), 0.046_937_389_661_712_42);
    assert_near(
        non_inferiority_p_value(&estimate, margin(0.1)).unwrap(),
        0.006_262_749_345_390_742,
    );
    assert_near(estimate.p_value(0.0).unwrap(), 0.042_619_876_940_258_39);
    assert_interval(
        estimate.interval(Confidence::P95),
        0.013_250_834_191_785_521,
        0.653_415_832_474_881_1,
    );
}

// statsmodels.stats.weightstats.ttest_ind(b, a, usevar="unequal")
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

// statsmodels.stats.power.TTestPower().power(0.4, n, 0.05); the noncentral t, to which ours is an
// approximation, so the tolerance is a point and a half of power.
#[test]
fn power_is_near_the_noncentral_one() {
    for (n, expected) in [(20.0, 0.396_993_825), (50.0, 0.791_787_189), (200.0, 0.999_878_446)] {
        let estimate = Estimate {
            value: 0.0,
            standard_error: 1.0 / f64::sqrt(n),
            degrees_of_freedom: n - 1.0,
        };
        let power = Demand::default().power_against(0.4, &estimate).unwrap();
        assert!((power - expected).abs() < 0.015, "n {n}: {power} against {expected}");
    }
}

// TTestPower().solve_power(0.4, power=0.8, alpha=0.05) -> 51.009 (52 cases)
// TTestPower().solve_power(0.1, power=0.9, alpha=0.05) -> 1052.66 (1053 cases)
// TTestPower().solve_power(nobs=50, power=0.8, alpha=0.05) -> 0.4041829997
// (z(.975) * psi**.5 + z(.8) * (psi - d*d)**.5)**2 / d**2 for psi = 0.3, d = 0.1 -> 233.09
#[test]
fn sizes_needed_are_near_the_noncentral_ones() {
    let demand = Demand::default();
    let cases = demand.cases_needed(1.0, 0.4).unwrap();
    assert!((51..=53).contains(&cases), "{cases}");
    let strict = Demand::new(Confidence::P95, 0.9).unwrap();
    let cases = strict.cases_needed(1.0, 0.1).unwrap();
    assert!((1052..=1055).contains(&cases), "{cases}");
    let fifty =
        Estimate { value: 0.0, standard_error: 1.0 / f64::sqrt(50.0), degrees_of_freedom: 49.0 };
    assert_within(demand.minimum_detectable(&fifty), 0.404_182_999_7, 0.01);
    assert_eq!(demand.pairs_needed(0.3, 0.1), Some(234));
    assert_eq!(demand.pairs_needed(0.05, 0.1), None);
    assert_eq!(demand.cases_needed(1.0, 0.0), None);
}

#[test]
fn trials_help_only_as_far_as_the_cases_let_them() {
    let components = VarianceComponents { between: 0.01, within: 0.16 };
    let demand = Demand::default();
    let trials = demand.trials_needed(&components, 100, 0.05).unwrap();
    let reach = |trials| {
        let standard_error = components.standard_error(100, trials).unwrap();
        let estimate = Estimate { value: 0.0, standard_error, degrees_of_freedom: 99.0 };
        demand.minimum_detectable(&estimate)
    };
    assert!(reach(trials) <= 0.05 && reach(trials - 1) > 0.05, "{trials}");
    assert_eq!(demand.trials_needed(&components, 100, 0.02), None);
}

// quad(lambda x: st.beta.pdf(x, b + 1, nb - b + 1) * st.beta.cdf(x, a + 1, na - a + 1), 0, 1)
// for the last: np.trapezoid of the same over np.linspace(0, 1, 2000001)
#[test]
fn the_probability_of_a_higher_rate_agrees() {
    for ((a, of_a), (b, of_b), expected) in [
        ((84, 200), (95, 200), 0.865_061_525_934_747_4),
        ((3, 5), (5, 5), 0.909_090_909_090_908_8),
        ((0, 4), (0, 4), 0.5),
        ((50_500, 100_000), (50_800, 100_000), 0.910_161_125_897_537_4),
    ] {
        let (a, b) = (Proportion::new(a, of_a).unwrap(), Proportion::new(b, of_b).unwrap());
        assert_within(probability_rate_higher(a, b), expected, 1e-7);
    }
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
