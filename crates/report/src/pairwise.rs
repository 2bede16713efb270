//! Two runs held against each other by a judge, answer by answer, in both orders.

use std::fmt;

use serde::Serialize;
use toolgauge_stats::{Cluster, ClusteredMean, Confidence, PairTable, Range, mean_interval};

/// How often each side won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairwise {
    /// The first run was better, whichever answer was shown first.
    pub first: u64,
    /// The second run was better, whichever answer was shown first.
    pub second: u64,
    /// Neither was, in both orders.
    pub ties: u64,
    /// The judge changed its mind with the order.
    pub inconsistent: u64,
    /// The judge gave no judgement that can be read.
    pub unjudged: u64,
}

/// What a comparison by a judge comes to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairwiseReport {
    /// How often each side won.
    #[serde(rename = "counts")]
    pub pairwise: Pairwise,
    /// The share of the second run: its wins, and half of what neither won.
    pub share: Option<f64>,
    /// The 95 % interval of that share.
    pub interval: Option<[f64; 2]>,
    /// How likely a difference as large would be if the runs were equally good: a sign test on
    /// those answers of which one was better.
    pub p_value: Option<f64>,
}

impl Pairwise {
    /// What these counts come to. An answer on which the judge contradicts itself says nothing
    /// about either side and counts as a tie.
    pub fn report(self) -> PairwiseReport {
        let neither = self.ties + self.inconsistent;
        let mut answers: Vec<Cluster> = Vec::new();
        for (value, count) in [(1.0, self.second), (0.5, neither), (0.0, self.first)] {
            answers.extend((0..count).map(|_| Cluster::of(&[value])));
        }
        let mean = ClusteredMean::of(&answers);
        let interval = mean_interval(&answers, Range::SCORE, Confidence::default());
        let interval = interval.map(|interval| [interval.low, interval.high]);
        // A sign test is an exact McNemar test of the pairs that one side won.
        let table = PairTable { both: 0, only_a: self.first, only_b: self.second, neither };
        let p_value = (table.discordant() > 0).then(|| table.exact_p_value());
        PairwiseReport { pairwise: self, share: mean.map(|mean| mean.mean), interval, p_value }
    }
}

impl fmt::Display for PairwiseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pairwise { first, second, ties, inconsistent, unjudged } = self.pairwise;
        writeln!(f, "  A better      {first}")?;
        writeln!(f, "  B better      {second}")?;
        writeln!(f, "  ties          {ties}")?;
        writeln!(f, "  inconsistent  {inconsistent}  (changed with the order of the answers)")?;
        if unjudged > 0 {
            writeln!(f, "  unjudged      {unjudged}")?;
        }
        if let Some(share) = self.share {
            write!(f, "  share of B    {:.1} %", share * 100.0)?;
            if let Some([low, high]) = self.interval {
                write!(f, "  [{:.1}, {:.1}]", low * 100.0, high * 100.0)?;
            }
            if let Some(p) = self.p_value {
                write!(f, "  p = {p:.3}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_contradictions_are_shared() {
        let counts = Pairwise { first: 1, second: 6, ties: 2, inconsistent: 1, unjudged: 3 };
        let report = counts.report();
        assert!((report.share.unwrap() - 0.75).abs() < 1e-12);
        // Two-sided sign test on 1 of 7: 2·(1 + 7) / 2^7.
        assert!((report.p_value.unwrap() - 0.125).abs() < 1e-12);
        let [low, high] = report.interval.unwrap();
        assert!(low > 0.35 && low < 0.75 && (0.75..=1.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn eight_ties_are_no_certainty() {
        let [low, high] = Pairwise { ties: 8, ..Pairwise::default() }.report().interval.unwrap();
        assert!(low < 0.35 && high > 0.65, "{low} {high}");
    }

    #[test]
    fn nothing_judged_comes_to_nothing() {
        let report = Pairwise { unjudged: 2, ..Pairwise::default() }.report();
        assert_eq!((report.share, report.interval, report.p_value), (None, None, None));
    }
}
