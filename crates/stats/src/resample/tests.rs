//! The three ways of drawing must draw from the same distribution.

use super::*;
use crate::mean::Mean;

fn resamples(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

fn generator() -> ChaCha8Rng {
    Resampling { resamples: resamples(1), seed: 5 }.generator(Stream::Posterior)
}

/// An uneven spread of values with an outlier, as sums of clusters of two sizes.
fn skewed(clusters: u32) -> Vec<Cluster> {
    (0..clusters)
        .map(|i| {
            let value = (f64::from(i * 7 % clusters + 1) / f64::from(clusters)).powi(-1).min(900.0);
            if i % 3 == 0 { Cluster::of(&[value, 1.0]) } else { Cluster::of(&[value]) }
        })
        .collect()
}

fn pairs(clusters: &[Cluster]) -> Vec<(f64, f64)> {
    let mut pairs: Vec<(f64, f64)> =
        clusters.iter().map(|cluster| (as_f64(cluster.count()), cluster.sum())).collect();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    pairs
}

/// The same clusters, made ready in each way.
fn urns(clusters: &[Cluster]) -> [ClusterSampler; 3] {
    let pairs = pairs(clusters);
    let sampler = |atoms, way| ClusterSampler { atoms, way };
    [
        sampler(atoms(&pairs), DrawMethod::OneByOne(pairs.clone())),
        sampler(atoms(&pairs), DrawMethod::ByAtom),
        sampler(strata(&pairs), DrawMethod::ByAtom),
    ]
}

/// The mean, standard deviation and skewness of draws.
fn moments(draws: &[f64]) -> [f64; 3] {
    let mean = Mean::of(draws).unwrap();
    let deviation = mean.variance.unwrap().sqrt();
    let cubes: f64 = draws.iter().map(|draw| ((draw - mean.mean) / deviation).powi(3)).sum();
    [mean.mean, deviation, cubes / length(draws.len())]
}

#[track_caller]
fn assert_alike(found: &[[f64; 3]]) {
    let [mean, deviation, skewness] = found[0];
    for other in &found[1..] {
        assert!((other[0] - mean).abs() < 0.05 * deviation, "{found:?}");
        assert!((other[1] / deviation - 1.0).abs() < 0.04, "{found:?}");
        assert!((other[2] - skewness).abs() < 0.15, "{found:?}");
    }
}

#[test]
fn posterior_means_are_alike_whichever_way_they_are_drawn() {
    let clusters = skewed(1_500);
    let found = urns(&clusters)
        .map(|sampler| moments(&sampler.posterior_means(resamples(10_000), &mut generator())));
    assert_alike(&found);
}

#[test]
fn strata_leave_less_than_a_thousandth_of_the_variance_to_the_normal() {
    let uniform: Vec<(f64, f64)> =
        (0..50_000_u32).map(|i| (1.0, f64::from(i) / 50_000.0)).collect();
    for pairs in [uniform, pairs(&skewed(50_000))] {
        let strata = strata(&pairs);
        assert!(strata.len() <= MOST_STRATA);
        assert_eq!(strata.iter().map(|atom| atom.copies).sum::<u64>(), 50_000);
        let inside: f64 = strata.iter().map(|atom| as_f64(atom.copies) * atom.spread).sum();
        let sums: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
        let total = Mean::of(&sums).unwrap().variance.unwrap() * length(sums.len());
        assert!(inside < total / 1_000.0, "{inside} of {total}");
    }
}

#[test]
fn the_way_is_chosen_by_what_the_data_are_like() {
    let one_by_one = |clusters: &[Cluster], count| {
        matches!(ClusterSampler::new(clusters, resamples(count)).way, DrawMethod::OneByOne(_))
    };
    let graded = skewed(2_000);
    let passed: Vec<Cluster> = (0..2_000).map(|i| Cluster::of(&[f64::from(i % 2)])).collect();
    assert!(one_by_one(&graded, 10_000));
    assert!(!one_by_one(&passed, 10_000));
    assert!(!one_by_one(&graded, 100_000));
}

#[test]
fn every_index_is_picked_as_often() {
    let mut generator = generator();
    let mut picker = Picker::new(7, &mut generator);
    let mut counts = [0_u32; 7];
    for _ in 0..10_000 {
        picker.pick(|index| counts[index] += 1);
    }
    for count in counts {
        // Ten thousand expected, with a standard deviation of 93.
        assert!((9_600..=10_400).contains(&count), "{counts:?}");
    }
}
