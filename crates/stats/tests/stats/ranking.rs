//! Several models at once: ranks, pairs and groups on contests whose answer is known.

use std::num::NonZeroUsize;

use toolgauge_stats::{Confidence, Contest, Ranking, Resampling, rank};

fn ranked(scores: &[Vec<f64>], groups: Option<&[usize]>) -> Option<Ranking> {
    let plan = Resampling { resamples: NonZeroUsize::new(2_000)?, seed: 3 };
    rank(&Contest { scores, groups }, &plan, Confidence::P95)
}

/// Two models that differ by chance only, and a third that is far better.
fn contest(cases: u32) -> Vec<Vec<f64>> {
    (0..cases)
        .map(|i| {
            let noise = |k: u32| f64::from((i * k + 3) % 17) / 17.0;
            vec![noise(5), noise(11), 2.0 + noise(7)]
        })
        .collect()
}

#[test]
fn a_far_better_model_is_first_for_sure() {
    let ranking = ranked(&contest(68), None).unwrap();
    let best = ranking.standings[0];
    assert_eq!((best.model, best.rank, best.rank_interval), (2, 1, (1, 1)));
    assert!((best.probability_best - 1.0).abs() < 1e-12);
    assert!(best.interval.contains(best.mean));
}

#[test]
fn models_that_differ_by_chance_share_ranks_and_a_group() {
    let ranking = ranked(&contest(68), None).unwrap();
    for standing in &ranking.standings[1..] {
        assert_eq!(standing.rank_interval, (2, 3));
    }
    let mut second = ranking.groups[1].clone();
    second.sort_unstable();
    assert_eq!((ranking.groups[0].clone(), second), (vec![2], vec![0, 1]));
}

#[test]
fn every_pair_is_compared_once_with_b_minus_a() {
    let ranking = ranked(&contest(68), None).unwrap();
    let pairs: Vec<(usize, usize)> = ranking.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    assert!(ranking.pairs[1].difference > 1.5);
    assert!(ranking.pairs.iter().all(|pair| pair.adjusted_p_value >= pair.p_value));
}

#[test]
fn models_that_are_the_same_tie() {
    let scores: Vec<Vec<f64>> = contest(30).into_iter().map(|row| vec![row[0]; 3]).collect();
    let ranking = ranked(&scores, None).unwrap();
    assert_eq!(ranking.groups, [vec![0, 1, 2]]);
    for standing in ranking.standings {
        assert_eq!((standing.rank, standing.rank_interval), (1, (1, 1)));
        assert!((standing.probability_best - 1.0 / 3.0).abs() < 1e-9);
    }
}

#[test]
fn cases_that_share_a_group_count_as_one() {
    let scores = contest(60);
    let groups: Vec<usize> = (0..60).map(|case| case / 10).collect();
    let (alone, together) =
        (ranked(&scores, None).unwrap(), ranked(&scores, Some(&groups)).unwrap());
    let width = |ranking: &Ranking| ranking.pairs[0].interval.half_width();
    assert!(width(&together) > width(&alone));
    assert!((alone.standings[0].mean - together.standings[0].mean).abs() < 1e-12);
}

/// With two contenders, how probable it is that the first is best follows from the z value of
/// their difference, whichever way the cases are drawn: one by one for two thousand cases, from
/// the joint normal limit for a hundred thousand.
#[test]
fn the_probability_of_being_best_fits_the_difference() {
    for (cases, gain) in [(2_000_u32, 0.01), (100_000, 0.002)] {
        let scores: Vec<Vec<f64>> = (0..cases)
            .map(|i| {
                let noise = |k: u32| f64::from(i.wrapping_mul(k).wrapping_mul(2_654_435_761) >> 8);
                let [one, two, three] = [3, 5, 7].map(|k| noise(k) / f64::from(1 << 24));
                vec![one, two + gain, three - 1.0]
            })
            .collect();
        let ranking = ranked(&scores, None).unwrap();
        // The share of patterns of signs, which for so many cases is that of the normal limit.
        let ahead = ranking.pairs[0].p_value / 2.0;
        let second = ranking.standings.iter().find(|standing| standing.model == 1).unwrap();
        let found = second.probability_best;
        assert!((found - (1.0 - ahead)).abs() < 0.04, "{found} against {}", 1.0 - ahead);
        assert!((0.6..0.99).contains(&found), "{found} says little");
        assert_eq!(ranking.standings[2].rank_interval, (3, 3));
    }
}

#[test]
fn contests_that_cannot_be_judged_have_no_ranking() {
    assert_eq!(ranked(&[], None), None);
    assert_eq!(ranked(&[vec![1.0], vec![2.0]], None), None);
    assert_eq!(ranked(&[vec![1.0, 2.0], vec![2.0]], None), None);
    assert_eq!(ranked(&[vec![1.0, 2.0]], None), None);
    assert_eq!(ranked(&contest(10), Some(&[0, 1])), None);
}
