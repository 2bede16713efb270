//! Tables of a run tier by tier, and the cases on which calls and end state disagree.

use indexmap::IndexSet;
use toolgauge_core::{Case, CaseId, FailurePattern};

use crate::number::{count, counted, estimate, seconds};
use crate::render::table::{CellContent, FigureCell, FigureColumn, FigureTable};
use crate::tiers::{Tier, Tiers};

/// How many contradicting cases of each kind are named.
const NAMED: usize = 5;

/// One line of the table: its name, and its value in a tier.
type TierLine<'a> = (String, Box<dyn Fn(&Tier) -> Option<String> + 'a>);

/// The figures of every tier side by side; a cell is empty where a tier has none.
pub(crate) fn figures(tiers: &Tiers) -> FigureTable {
    let names = std::iter::once(FigureColumn::names(tiers.tag));
    let rows = lines(tiers).into_iter().filter_map(|(name, value)| {
        let values: Vec<Option<String>> = tiers.tiers.iter().map(value).collect();
        let cells = values.iter().map(|value| FigureCell::words(value.as_deref().unwrap_or("")));
        let row = std::iter::once(FigureCell::name(&name)).chain(cells).collect::<Vec<_>>();
        values.iter().any(Option::is_some).then_some(row)
    });
    FigureTable::new(format!("Figures by {}", tiers.tag), names.chain(columns(tiers)))
        .stacked()
        .rows(rows)
}

/// The known ways to fail that were seen in some tier, in how many trials of each, and what is
/// worth trying.
pub(crate) fn failure_patterns(tiers: &Tiers) -> FigureTable {
    let is_seen = |pattern: &&FailurePattern| {
        tiers.tiers.iter().flat_map(|tier| &tier.patterns).any(|seen| seen.id == pattern.id)
    };
    let patterns = tiers.words.failure_patterns.iter().filter(is_seen);
    let names = std::iter::once(FigureColumn::names("failure pattern"));
    let columns = names.chain(columns(tiers)).chain([FigureColumn::words("worth trying")]);
    let rows = patterns.map(|FailurePattern { id, words, remedy, .. }| {
        let trials = |tier: &Tier| {
            let seen = tier.patterns.iter().find(|seen| seen.id == *id);
            FigureCell::words(seen.map_or(0, |seen| seen.trials))
        };
        let name = std::iter::once(FigureCell::of(CellContent::Labelled(
            id.to_string(),
            words.to_string(),
        )));
        let cells = name.chain(tiers.tiers.iter().map(trials));
        cells.chain([FigureCell::name(remedy)]).collect::<Vec<_>>()
    });
    FigureTable::new("Trials by known ways to fail", columns).stacked().rows(rows)
}

fn columns(tiers: &Tiers) -> impl Iterator<Item = FigureColumn> {
    tiers.tiers.iter().map(|tier| FigureColumn::numbers_of(&tier.name))
}

/// The cases in which calls and end state are judged differently, by how they are.
pub(crate) fn disagreements(tiers: &Tiers) -> Vec<Disagreement<'_>> {
    let by_state =
        tiers.tiers.iter().flat_map(|tier| &tier.contradictions.right_by_state_only).collect();
    let by_calls =
        tiers.tiers.iter().flat_map(|tier| &tier.contradictions.right_by_calls_only).collect();
    let kinds = [
        Disagreement { what: "right by state, though the calls differ", cases: by_state },
        Disagreement { what: "right by calls, though the end state differs", cases: by_calls },
    ];
    kinds.into_iter().filter(|kind| !kind.cases.is_empty()).collect()
}

/// What is told of each tier. Of a single one the summary has told the most.
fn lines(tiers: &Tiers) -> Vec<TierLine<'_>> {
    let mut lines: Vec<TierLine<'_>> =
        vec![(tiers.words.things.to_string(), Box::new(|tier| tier.size.map(count)))];
    if tiers.tiers.len() > 1 {
        lines.push(("trials".into(), Box::new(|tier| Some(tier.trials.to_string()))));
        lines.push(("unscored".into(), Box::new(|tier| some_count(tier.unscored))));
        lines.extend(score_lines(tiers));
    }
    lines.extend(safety_lines());
    if tiers.tiers.len() > 1 {
        lines.extend(speed_lines());
    }
    if tiers.tag == Case::DECOYS {
        let about = |tier: &Tier| tier.definition_tokens.map(|tokens| format!("~{tokens}"));
        lines.push(("tokens of tools a request".into(), Box::new(about)));
    }
    lines
}

fn score_lines(tiers: &Tiers) -> Vec<TierLine<'_>> {
    let mut lines: Vec<TierLine<'_>> = Vec::new();
    for scorer in each(tiers, |tier| tier.accuracy.keys()) {
        let name = match scorer.as_str() {
            "end_state" => "right by state".to_owned(),
            "tool_calls" | "tool_calls_classic" => "right by calls".to_owned(),
            other => other.to_owned(),
        };
        lines.push((name, Box::new(move |tier| tier.accuracy.get(scorer).map(estimate))));
    }
    let floor = |tier: &Tier| tier.floor.map(|floor| format!("{floor:.3}"));
    lines.push(("floor".into(), Box::new(floor)));
    for dimension in each(tiers, |tier| tier.dimensions.keys()) {
        let tell = move |tier: &Tier| {
            tier.dimensions.get(dimension).map(|rate| format!("{:.3}", rate.mean))
        };
        lines.push((format!("  {dimension}"), Box::new(tell)));
    }
    lines
}

/// Every key that some tier has, in the order in which they are met.
fn each<'a, I>(tiers: &'a Tiers, keys: impl Fn(&'a Tier) -> I) -> IndexSet<&'a String>
where
    I: Iterator<Item = &'a String>,
{
    tiers.tiers.iter().flat_map(keys).collect()
}

/// Cases in which calls and end state are judged differently, in one and the same way.
pub(crate) struct Disagreement<'a> {
    what: &'static str,
    cases: Vec<&'a CaseId>,
}

impl Disagreement<'_> {
    /// The line that tells of them, with names as the form it is shown in writes them.
    pub(crate) fn line(&self, name: impl Fn(&str) -> String) -> String {
        let shown: Vec<String> =
            self.cases.iter().take(NAMED).map(|case| name(case.as_str())).collect();
        let more = match self.cases.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let counted = counted(self.cases.len(), "case");
        format!("{}: {counted}: {}{more}", self.what, shown.join(", "))
    }
}

fn safety_lines() -> Vec<TierLine<'static>> {
    vec![
        (
            "safety-weighted".into(),
            Box::new(|tier| tier.safety.as_ref().map(|safety| estimate(&safety.weighted))),
        ),
        (
            "safety at stake".into(),
            Box::new(|tier| tier.safety.as_ref()?.at_stake.as_ref().map(estimate)),
        ),
        (
            "wrong safety acts".into(),
            Box::new(|tier| tier.safety.as_ref().map(|safety| safety.wrong_acts.to_string())),
        ),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^52")]
fn speed_lines() -> Vec<TierLine<'static>> {
    let each = |count: Option<u64>, tier: &Tier| {
        count.map(|count| format!("{:.0}", count as f64 / tier.trials.max(1) as f64))
    };
    vec![
        ("p50".into(), Box::new(|tier| tier.latency.map(|latency| seconds(latency.p50)))),
        ("p95".into(), Box::new(|tier| tier.latency.map(|latency| seconds(latency.p95)))),
        (
            "tokens/s written".into(),
            Box::new(|tier| tier.speed.generated.map(|speed| format!("{speed:.1}"))),
        ),
        ("tokens in a trial".into(), Box::new(move |tier| each(tier.usage.input, tier))),
        ("tokens out a trial".into(), Box::new(move |tier| each(tier.usage.output, tier))),
    ]
}

fn some_count(count: usize) -> Option<String> {
    (count > 0).then(|| count.to_string())
}
