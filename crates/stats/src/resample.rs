//! Drawing clusters anew, many times over, fast and always the same for the same seed.
//!
//! Clusters get random weights, and the total weight of each distinct (sum, count) is all the mean
//! depends on. So there are three ways to draw, chosen by cost alone:
//!
//! 1. **One by one**: n weights. Best for few clusters.
//! 2. **By value**: clusters with the same sum and count are one atom, and the total weight of each
//!    atom is drawn at once. The same distribution as one by one. Best for pass/fail scores, however
//!    many cases.
//! 3. **By stratum**: as 2, with up to [`MOST_STRATA`] strata of neighbouring values in place of
//!    atoms, and one normal deviate with the variance that the picks inside strata would have
//!    added. The mean and variance of a resampled sum are exact; approximated is the shape of a
//!    part that holds less than a thousandth of the variance, since strata are split where
//!    they spread most. For more than a hundred million picks of graded scores.

use std::num::NonZeroUsize;

use rand::distr::Distribution;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Exp1, Gamma, StandardNormal};

use crate::cluster::Cluster;
use crate::distribution::{as_f64, length};

/// Strata used in place of the values themselves when those are too many.
pub(crate) const MOST_STRATA: usize = 256;
/// Single picks beyond which strata take over: about half a second of picking.
const MOST_PICKS: usize = 120_000_000;
/// How many single picks cost as much as one binomial draw.
pub(crate) const PICKS_PER_BINOMIAL: usize = 50;

/// How often to draw anew, and from which seed.
///
/// The generator is `ChaCha8`, whose stream is the same on every machine and in every version;
/// each analysis draws from its own stream of the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// The number of resamples.
    pub resamples: NonZeroUsize,
    /// The seed. The same data and seed give the same result.
    pub seed: u64,
}

impl Default for Resampling {
    /// Ten thousand resamples, enough for the ends of a 95% interval to settle to within a few
    /// hundredths of a standard error; seed 0.
    fn default() -> Self {
        Self { resamples: NonZeroUsize::new(10_000).expect("10,000 is not zero"), seed: 0 }
    }
}

impl Resampling {
    /// The generator of one analysis, told apart from the others by its stream.
    pub(crate) fn generator(&self, stream: Stream) -> ChaCha8Rng {
        // A stream for each analysis: adding one must not change the draws of the others.
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(stream as u64);
        generator
    }
}

/// The analyses that draw random numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    SignFlip = 2,
    Posterior = 3,
    Ranking = 4,
}

/// Clusters that are picked together: all of one value, or of neighbouring values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PooledClusters {
    /// The mean of the clusters' sums.
    sum: f64,
    /// The number of values in each.
    count: f64,
    /// The clusters.
    copies: u64,
    /// The variance of their sums about the mean.
    spread: f64,
}

/// Clusters made ready for drawing.
pub(crate) struct ClusterSampler {
    atoms: Vec<PooledClusters>,
    way: DrawMethod,
}

enum DrawMethod {
    OneByOne(Vec<(f64, f64)>),
    ByAtom,
}

impl ClusterSampler {
    /// Makes `clusters` ready for `resamples` draws; empty ones are passed over.
    pub(crate) fn new(clusters: &[Cluster], resamples: NonZeroUsize) -> Self {
        let mut pairs: Vec<(f64, f64)> = clusters
            .iter()
            .filter(|cluster| cluster.count() > 0)
            .map(|cluster| (as_f64(cluster.count()), cluster.sum()))
            .collect();
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let n = pairs.len();
        let distinct = pairs.chunk_by(|one, other| one == other).count();
        if distinct.saturating_mul(PICKS_PER_BINOMIAL) <= n {
            return Self { atoms: atoms(&pairs), way: DrawMethod::ByAtom };
        }
        // Strata hold clusters of one size each. Where sizes are many, strata would hold few
        // clusters each and save nothing.
        let sizes = pairs.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()).count();
        if n.saturating_mul(resamples.get()) > MOST_PICKS && sizes <= MOST_STRATA / 2 {
            return Self { atoms: strata(&pairs), way: DrawMethod::ByAtom };
        }
        Self { atoms: atoms(&pairs), way: DrawMethod::OneByOne(pairs) }
    }

    /// The means under `resamples` draws of random weights for the clusters, exponential and
    /// normalised: the Bayesian bootstrap of Rubin (1981).
    pub(crate) fn posterior_means(
        &self,
        resamples: NonZeroUsize,
        generator: &mut ChaCha8Rng,
    ) -> Vec<f64> {
        (0..resamples.get())
            .map(|_| match &self.way {
                DrawMethod::OneByOne(pairs) => weighted_mean(pairs, generator),
                DrawMethod::ByAtom => self.gamma_mean(generator),
            })
            .collect()
    }

    fn gamma_mean(&self, generator: &mut ChaCha8Rng) -> f64 {
        let mut totals = Totals::default();
        for atom in &self.atoms {
            // The sum of so many exponential weights has a gamma distribution.
            let weight = Gamma::new(as_f64(atom.copies), 1.0).expect("an atom has copies");
            let weight = weight.sample(generator);
            totals.sum += weight * atom.sum;
            totals.count += weight * atom.count;
            // The weights spread about their sum by their own variance, one a copy, whatever
            // the sum came out as.
            totals.spread += as_f64(atom.copies) * atom.spread;
        }
        totals.mean(generator)
    }
}

/// What a resample adds up to.
#[derive(Default)]
struct Totals {
    sum: f64,
    count: f64,
    spread: f64,
}

impl Totals {
    fn mean(self, generator: &mut ChaCha8Rng) -> f64 {
        let mut sum = self.sum;
        if self.spread > 0.0 {
            let deviate: f64 = StandardNormal.sample(generator);
            sum += deviate * self.spread.sqrt();
        }
        sum / self.count
    }
}

/// How many of `picks` go to an atom of `copies` among `unseen` clusters.
pub(crate) fn binomial(picks: u64, copies: u64, unseen: u64, generator: &mut ChaCha8Rng) -> u64 {
    if picks == 0 || copies == unseen {
        return picks;
    }
    Binomial::new(picks, as_f64(copies) / as_f64(unseen))
        .expect("the share lies between 0 and 1")
        .sample(generator)
}

/// Picks indices evenly, many at a time: random bytes in bulk cost a fraction of single numbers.
pub(crate) struct Picker<'a> {
    generator: &'a mut ChaCha8Rng,
    bytes: Vec<u8>,
    n: u32,
}

impl<'a> Picker<'a> {
    /// A picker among `n` items.
    pub(crate) fn new(n: usize, generator: &'a mut ChaCha8Rng) -> Self {
        let n = u32::try_from(n).expect("items to pick one by one are fewer than 2^32");
        Self { generator, bytes: vec![0; n as usize * 4], n }
    }

    /// Shows `see` as many picked indices as there are items.
    ///
    /// Lemire's (2019) multiplication, with its rejection step, so every index is exactly as
    /// likely as any other.
    pub(crate) fn pick(&mut self, mut see: impl FnMut(usize)) {
        let n = u64::from(self.n);
        // 2³² is no multiple of n. Products below this bound are the excess, and are drawn again.
        let uneven = u64::from(self.n.wrapping_neg() % self.n);
        self.generator.fill_bytes(&mut self.bytes);
        for bytes in self.bytes.as_chunks::<4>().0 {
            let mut product = u64::from(u32::from_le_bytes(*bytes)) * n;
            while product & u64::from(u32::MAX) < uneven {
                product = u64::from(self.generator.next_u32()) * n;
            }
            see(usize::try_from(product >> 32).expect("an index is smaller than n"));
        }
    }
}

fn weighted_mean(pairs: &[(f64, f64)], generator: &mut ChaCha8Rng) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (values, total) in pairs {
        let weight: f64 = Exp1.sample(generator);
        sum += weight * total;
        count += weight * values;
    }
    sum / count
}

/// One atom for each distinct value, the commonest first so that later draws run dry early.
fn atoms(sorted: &[(f64, f64)]) -> Vec<PooledClusters> {
    let mut atoms: Vec<PooledClusters> = sorted
        .chunk_by(|one, other| one == other)
        .map(|same| PooledClusters {
            sum: same[0].1,
            count: same[0].0,
            copies: same.len() as u64,
            spread: 0.0,
        })
        .collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.copies));
    atoms
}

/// Strata of neighbouring sums of equal count: the one that spreads most is halved until there
/// are enough, so that outliers end up alone.
fn strata(sorted: &[(f64, f64)]) -> Vec<PooledClusters> {
    let mut strata: Vec<(&[(f64, f64)], PooledClusters)> = sorted
        .chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq())
        .map(|chunk| (chunk, stratum(chunk)))
        .collect();
    while strata.len() < MOST_STRATA {
        let widest = (0..strata.len())
            .max_by(|one, other| {
                let spread = |index: usize| strata[index].1.spread * as_f64(strata[index].1.copies);
                spread(*one).total_cmp(&spread(*other))
            })
            .expect("there is a stratum");
        let (chunk, atom) = strata[widest];
        if atom.spread <= 0.0 {
            break;
        }
        // Rounding may put the mean outside of its values; neither half may be empty.
        let split = chunk.partition_point(|(_, sum)| *sum <= atom.sum).clamp(1, chunk.len() - 1);
        let (low, high) = chunk.split_at(split);
        strata[widest] = (low, stratum(low));
        strata.push((high, stratum(high)));
    }
    strata.into_iter().map(|(_, atom)| atom).collect()
}

fn stratum(chunk: &[(f64, f64)]) -> PooledClusters {
    let n = length(chunk.len());
    let sum = chunk.iter().map(|(_, sum)| sum).sum::<f64>() / n;
    let spread = chunk.iter().map(|(_, found)| (found - sum).powi(2)).sum::<f64>() / n;
    // The values are sorted, so equal ends mean equal values. Rounding would leave a spread above
    // zero, and the halving would never end.
    let same = chunk.first().map(|pair| pair.1) == chunk.last().map(|pair| pair.1);
    PooledClusters {
        sum,
        count: chunk[0].0,
        copies: chunk.len() as u64,
        spread: if same { 0.0 } else { spread },
    }
}

#[cfg(test)]
mod tests;
