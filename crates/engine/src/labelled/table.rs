//! How often scorers and people disagree, in a table.

use std::collections::BTreeMap;

use serde::Serialize;
use toolgauge_report::TextTable;

use super::{JudgedReply, Split};

/// How often one scorer is wrong about replies of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorRates {
    /// The suite of the cases.
    pub suite: String,
    /// The scorer that judged.
    pub scorer: String,
    /// What the cases expect; `all` for all of them.
    pub kind: String,
    /// Whether who changes rules may look at them.
    pub split: Split,
    /// How many replies are wrong by the judgement of people.
    pub wrong: u64,
    /// How many of these pass.
    pub false_passes: u64,
    /// How many replies are right.
    pub right: u64,
    /// How many of these fail.
    pub false_failures: u64,
}

impl ErrorRates {
    /// The rates by suite, scorer, kind and split, each scorer followed by its sum.
    pub fn of(judged: &[JudgedReply]) -> Vec<Self> {
        let mut rows: BTreeMap<(String, &str, bool, String, Split), Self> = BTreeMap::new();
        for reply in judged {
            for (is_sum, kind) in [(false, reply.kind.as_str()), (true, "all")] {
                let (suite, split) = (&reply.reply.suite, reply.reply.split);
                let key = (suite.clone(), reply.scorer, is_sum, kind.to_owned(), split);
                let row = rows.entry(key).or_insert_with(|| Self {
                    suite: suite.clone(),
                    scorer: reply.scorer.to_owned(),
                    kind: kind.to_owned(),
                    split,
                    wrong: 0,
                    false_passes: 0,
                    right: 0,
                    false_failures: 0,
                });
                if reply.reply.right {
                    row.right += 1;
                    row.false_failures += u64::from(!reply.passes);
                } else {
                    row.wrong += 1;
                    row.false_passes += u64::from(reply.passes);
                }
            }
        }
        rows.into_values().collect()
    }

    /// The table in text, each rate with its 95 % interval.
    pub fn table(rows: &[Self]) -> TextTable {
        let figures = ["wrong replies that pass", "right replies that fail"];
        let mut table = TextTable::new(&["suite", "scorer", "kind", "split"], &figures);
        for row in rows {
            let split = match row.split {
                Split::Dev => "dev",
                Split::Unseen => "unseen",
            };
            let passes = rate(row.false_passes, row.wrong);
            let failures = rate(row.false_failures, row.right);
            let Self { suite, scorer, kind, .. } = row;
            table = table.row([suite.as_str(), scorer, kind, split, &passes, &failures]);
        }
        table
    }
}

/// `3 of 120: 2.5 % [0.9, 7.1]`, with the Wilson score interval at 95 %, which keeps its coverage
/// near 0 where good judges are.
#[expect(clippy::cast_precision_loss, reason = "labelled replies stay far below 2^52")]
fn rate(count: u64, of: u64) -> String {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return "–".to_owned();
    }
    let (n, share) = (of as f64, count as f64 / of as f64);
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let spread = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let percent = |share: f64| share.clamp(0.0, 1.0) * 100.0;
    let (low, high) = (percent(middle - spread), percent(middle + spread));
    format!("{count} of {of}: {:.1} % [{low:.1}, {high:.1}]", percent(share))
}
