//! The charts of a report.

use super::{Chart, ChartKind, RunScore, TierScore};
use crate::distribution::Distribution;
use crate::document::{ReportDocument, ReportedRun};
use crate::render::chart;

impl ReportDocument {
    /// A chart over all runs, or of the first one where a chart shows one run only; absent where
    /// there is nothing to draw.
    pub fn chart(&self, kind: ChartKind) -> Option<Chart> {
        let first = self.runs.first();
        match kind {
            ChartKind::Scores => {
                let score = |(place, run): (usize, &ReportedRun)| {
                    let mut score = RunScore::of(&run.summary)?;
                    score.label = self.numbered(place, score.label);
                    Some(score)
                };
                let scores: Vec<RunScore> =
                    self.runs.iter().enumerate().filter_map(score).collect();
                chart::scores(&scores, self.shared_floor())
            }
            ChartKind::Trend => chart::trend(&self.trend()),
            ChartKind::Dimensions => chart::dimensions(&first?.summary),
            ChartKind::Tiers => chart::tiers(&TierScore::of(&first?.summary)),
            ChartKind::Losses => chart::losses(&first?.summary),
            ChartKind::Latency => {
                let curve = |(place, run): (usize, &ReportedRun)| {
                    let mut times = run.times.clone()?;
                    times.label = self.numbered(place, times.label);
                    Some(times)
                };
                let curves: Vec<Distribution> =
                    self.runs.iter().enumerate().filter_map(curve).collect();
                chart::latency(&curves)
            }
            ChartKind::Differences => chart::differences(self.comparisons.first()?),
        }
    }

    /// A run's name with its number, where there are several.
    fn numbered(&self, place: usize, label: String) -> String {
        if self.runs.len() > 1 { format!("{} {label}", place + 1) } else { label }
    }

    /// What doing nothing scores, where that is the same for all.
    fn shared_floor(&self) -> Option<f64> {
        let floor = self.runs.first()?.summary.floor?;
        let same = |run: &ReportedRun| run.summary.floor.is_some_and(|f| (f - floor).abs() < 1e-9);
        self.runs.iter().all(same).then_some(floor)
    }
}
