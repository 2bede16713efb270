//! Tiers for people: one column each.

use std::fmt::{self, Display};

use comfy_table::Cell;
use indexmap::IndexSet;
use toolgauge_core::{CaseId, FailurePattern};

use super::{Tier, Tiers};
use crate::number::{count, counted, estimate, seconds};
use crate::table::{self, number};

/// How many contradicting cases of each kind are named.
const NAMED: usize = 5;

impl Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figures(f)?;
        self.patterns(f)?;
        self.contradictions(f)?;
        match &self.curve {
            None => Ok(()),
            Some(curve) => write!(f, "\n{curve}"),
        }
    }
}

/// One line of the table: its name, and what a tier has to say to it.
type Line<'a> = (String, Box<dyn Fn(&Tier) -> Option<String> + 'a>);

impl Tiers {
    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = table::plain();
        let names = self.tiers.iter().map(|tier| number(&tier.name));
        table.set_header(std::iter::once(Cell::new("  tier")).chain(names));
        for (name, tell) in self.lines() {
            let told: Vec<Option<String>> = self.tiers.iter().map(tell).collect();
            if told.iter().any(Option::is_some) {
                let told = told.into_iter().map(|told| number(told.unwrap_or_default()));
                table.add_row(std::iter::once(Cell::new(format!("  {name}"))).chain(told));
            }
        }
        table::write(f, &table)
    }

    /// What is told of each tier. Of a single one the summary has told the most.
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> =
            vec![("entities".into(), Box::new(|tier| tier.size.map(count)))];
        if self.tiers.len() > 1 {
            lines.push(("trials".into(), Box::new(|tier| Some(tier.trials.to_string()))));
            lines.push(("unscored".into(), Box::new(|tier| some_count(tier.unscored))));
            lines.extend(self.score_lines());
        }
        lines.extend(safety_lines());
        if self.tiers.len() > 1 {
            lines.extend(speed_lines());
        }
        lines
    }

    fn score_lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for scorer in self.each(|tier| tier.accuracy.keys()) {
            let name = match scorer.as_str() {
                "end_state" => "right by state".to_owned(),
                "tool_calls" | "tool_calls_classic" => "right by calls".to_owned(),
                other => other.to_owned(),
            };
            lines.push((name, Box::new(move |tier| tier.accuracy.get(scorer).map(estimate))));
        }
        let floor = |tier: &Tier| tier.floor.map(|floor| format!("{floor:.3}"));
        lines.push(("floor".into(), Box::new(floor)));
        for dimension in self.each(|tier| tier.dimensions.keys()) {
            let tell = move |tier: &Tier| {
                tier.dimensions.get(dimension).map(|rate| format!("{:.3}", rate.mean))
            };
            lines.push((format!("  {dimension}"), Box::new(tell)));
        }
        lines
    }

    /// Every key that some tier has, in the order in which they are met.
    fn each<'a, I>(&'a self, keys: impl Fn(&'a Tier) -> I) -> IndexSet<&'a String>
    where
        I: Iterator<Item = &'a String>,
    {
        self.tiers.iter().flat_map(keys).collect()
    }

    fn patterns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut patterns: Vec<_> = self.tiers.iter().flat_map(|tier| &tier.patterns).collect();
        patterns.sort_by_key(|pattern| FailurePattern::by_id(pattern.id));
        patterns.dedup_by_key(|pattern| pattern.id);
        if patterns.is_empty() {
            return Ok(());
        }
        let mut table = table::plain();
        let names = self.tiers.iter().map(|tier| number(&tier.name));
        let title = std::iter::once(Cell::new("  failure pattern"));
        table.set_header(title.chain(names).chain([Cell::new("worth trying")]));
        for pattern in patterns {
            let count = |tier: &Tier| {
                let seen = tier.patterns.iter().find(|seen| seen.id == pattern.id);
                number(seen.map_or(0, |seen| seen.trials))
            };
            let name = Cell::new(format!("  {:<3} {}", pattern.id, pattern.words));
            let counts = self.tiers.iter().map(count);
            table.add_row(std::iter::once(name).chain(counts).chain([Cell::new(pattern.remedy)]));
        }
        table::write(f, &table)
    }

    fn contradictions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_state: Vec<&CaseId> =
            self.tiers.iter().flat_map(|tier| &tier.contradictions.right_by_state_only).collect();
        let by_calls: Vec<&CaseId> =
            self.tiers.iter().flat_map(|tier| &tier.contradictions.right_by_calls_only).collect();
        if by_state.is_empty() && by_calls.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        listed(f, "right by state, though the calls differ", &by_state)?;
        listed(f, "right by calls, though the end state differs", &by_calls)
    }
}

fn listed(f: &mut fmt::Formatter<'_>, what: &str, cases: &[&CaseId]) -> fmt::Result {
    if cases.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = cases.iter().take(NAMED).map(|case| case.as_str()).collect();
    let more = match cases.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let counted = counted(cases.len(), "case");
    writeln!(f, "  {what}: {counted}: {}{more}", shown.join(", "))
}

fn safety_lines() -> Vec<Line<'static>> {
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
fn speed_lines() -> Vec<Line<'static>> {
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
