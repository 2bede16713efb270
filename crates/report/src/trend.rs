//! The runs of a suite over time, and what changed between them.

use jiff::Timestamp;
use toolgauge_core::Run;

use crate::rate::Rate;

/// One run of a suite at its time.
#[derive(Clone, Debug)]
pub struct TrendPoint {
    /// When the run was started.
    pub at: Timestamp,
    /// Its mean score with the interval.
    pub score: Rate,
    /// The name it is shown by.
    pub label: String,
    /// What changed since the run before: `suite`, `model`, `server`, `variant`, `prompt`.
    pub changed: Vec<&'static str>,
}

impl TrendPoint {
    /// The runs of a suite in the order of their time, each with what changed since the one
    /// before.
    pub fn series<'a>(runs: impl IntoIterator<Item = (&'a Run, Rate)>) -> Vec<Self> {
        let mut runs: Vec<(&Run, Rate)> = runs.into_iter().collect();
        runs.sort_by(|(one, _), (other, _)| {
            one.created.cmp(&other.created).then_with(|| one.id.cmp(&other.id))
        });
        let mut before: Option<&Run> = None;
        let mut points = Vec::with_capacity(runs.len());
        for (run, score) in runs {
            let changed = before.map(|before| changes(before, run)).unwrap_or_default();
            let label = run.subject.name.clone();
            points.push(Self { at: run.created, score, label, changed });
            before = Some(run);
        }
        points
    }
}

/// What is measured. Where it was reached is no part of it: a server that is started for each run
/// has another port every time.
fn model(run: &Run) -> (&str, &str) {
    (&run.subject.name, &run.subject.provider)
}

fn changes(before: &Run, now: &Run) -> Vec<&'static str> {
    let found = [
        ("suite", before.suite != now.suite),
        ("model", model(before) != model(now)),
        ("server", before.server != now.server),
        ("variant", before.variant != now.variant),
        ("prompt", before.system_prompt != now.system_prompt),
    ];
    found.into_iter().filter_map(|(what, changed)| changed.then_some(what)).collect()
}
