//! Tables of one run.

use toolgauge_core::Measure;

use crate::number::{count, estimate, interval};
use crate::rate::Rate;
use crate::render::html::Links;
use crate::render::table::{CellContent, FigureCell, FigureColumn, FigureTable, Forms};
use crate::summary::Summary;
use crate::tiers::Tiers;

/// Rates by name, each with its interval and a bar.
pub(crate) fn rates<'a>(
    heading: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
    href: impl Fn(&str) -> Option<String>,
) -> FigureTable {
    let columns = [
        FigureColumn::names(heading),
        FigureColumn::numbers("trials"),
        FigureColumn::numbers("rate"),
        FigureColumn::intervals("95 % interval"),
        FigureColumn::bars("as a bar"),
    ];
    let row = |(key, rate): (&String, &Rate)| {
        [
            FigureCell::name(key).linked(href(key)),
            FigureCell::words(count(rate.trials)).sorted_by(rate.trials),
            FigureCell::words(format!("{:.3}", rate.mean))
                .sorted_by(format!("{:.6}", rate.mean))
                .titled(estimate(rate)),
            FigureCell::words(interval(rate.low, rate.high)),
            // A mark beyond 0 to 1 is no share, and a full bar would say that it is one.
            if (0.0..=1.0).contains(&rate.mean) {
                FigureCell::of(CellContent::RateBar(*rate))
            } else {
                FigureCell::words("")
            },
        ]
    };
    let table = FigureTable::new(format!("Rates by {heading}"), columns).sortable();
    table.rows(rates.into_iter().map(row))
}

/// What was judged on its own. Where grades show the average of the same parts, the heading says
/// that this is another figure.
pub(crate) fn dimensions(summary: &Summary, links: &dyn Links) -> FigureTable {
    let heading = if summary.grades.is_some() { "full marks in" } else { "dimension" };
    rates(heading, &summary.dimensions, |name| links.dimension(name))
}

/// The means of numbers beside the score. What our own scorers count and never happened is not
/// worth a line, nor what the tables by tier show. A mark of another tool that is always 0 is.
pub(crate) fn measures(summary: &Summary) -> FigureTable {
    let tiers = summary.tiers.as_ref();
    let is_told = |name: &str| tiers.is_some_and(|tiers| is_told_by_tier(name, tiers));
    let measures = summary.measures.iter();
    let happened = |name: &str, rate: &Rate| rate.mean > 0.0 || Measure::named(name).is_none();
    let measures = measures.filter(|(name, rate)| happened(name, rate) && !is_told(name));
    rates("measure", measures, |_| None)
}

/// Whether the tables by tier show what a measure counts.
fn is_told_by_tier(measure: &str, tiers: &Tiers) -> bool {
    use Measure as M;
    let told = [M::RightByStateOnly, M::RightByCallsOnly, M::Unsafe, M::Weight];
    told.iter().any(|told| told.name() == measure) || tiers.words.pattern(measure).is_some()
}

/// The causes of lost points, the costliest first.
pub(crate) fn losses(summary: &Summary, links: &dyn Links) -> FigureTable {
    let all: f64 = summary.losses.iter().map(|loss| loss.points).sum();
    let share = |points: f64| if all > 0.0 { points / all } else { 0.0 };
    let columns = [
        FigureColumn::names("lost by"),
        FigureColumn::numbers("times"),
        FigureColumn::numbers("points"),
        FigureColumn::numbers("share").only_in(Forms::HTML),
        FigureColumn::bars("as a bar").only_in(Forms::HTML),
    ];
    let rows = summary.losses.iter().map(|loss| {
        [
            FigureCell::words(loss.cause.words()).linked(links.cause(loss.cause)),
            FigureCell::words(count(loss.count as u64)).sorted_by(loss.count),
            FigureCell::words(format!("{:.2}", loss.points))
                .sorted_by(format!("{:.6}", loss.points)),
            FigureCell::words(format!("{:.0} %", share(loss.points) * 100.0)),
            FigureCell::of(CellContent::ShareBar(share(loss.points))),
        ]
    });
    FigureTable::new("Lost points by cause", columns).sortable().rows(rows)
}

/// How many pairs of tools are shown.
const CONFUSIONS: usize = 20;

/// Which tools were called in the place of which, the most frequent first.
pub(crate) fn confusions(summary: &Summary) -> FigureTable {
    let columns = [
        FigureColumn::names("expected tool"),
        FigureColumn::words("called instead"),
        FigureColumn::numbers("times"),
    ];
    let rows = summary.confusions.iter().take(CONFUSIONS).map(|pair| {
        [
            FigureCell::name(&pair.expected),
            FigureCell::name(&pair.called),
            FigureCell::words(count(pair.count as u64)).sorted_by(pair.count),
        ]
    });
    FigureTable::new("Tools called in the place of others", columns).sortable().rows(rows)
}

/// How many tools are named beside a keyword.
const TOOLS: usize = 3;

/// How often arguments broke the schemas of tools, by keyword.
pub(crate) fn violations(summary: &Summary) -> FigureTable {
    let columns = [
        FigureColumn::names("broken rule"),
        FigureColumn::numbers("times"),
        FigureColumn::numbers("trials"),
        FigureColumn::words("most by"),
    ];
    let rows = summary.violations.iter().map(|one| {
        let tools = one.tools.iter().take(TOOLS).map(|(tool, times)| format!("{tool} {times}"));
        [
            FigureCell::name(&one.keyword),
            FigureCell::words(count(one.count)).sorted_by(one.count),
            FigureCell::words(count(one.trials as u64)).sorted_by(one.trials),
            FigureCell::name(&tools.collect::<Vec<_>>().join(", ")),
        ]
    });
    FigureTable::new("Arguments that break the schema of their tool", columns).sortable().rows(rows)
}

/// What repeated trials promise.
pub(crate) fn reliability(summary: &Summary) -> FigureTable {
    let columns = [
        FigureColumn::names("trials k"),
        FigureColumn::numbers("pass^k").explained("all k trials are right"),
        FigureColumn::intervals("95 % interval"),
        FigureColumn::numbers("pass@k").explained("at least one of k trials is right"),
        FigureColumn::intervals("95 % interval"),
    ];
    let rows = summary.reliability.iter().map(|point| {
        let share = |share: f64| FigureCell::words(format!("{share:.3}"));
        let ends = |[low, high]: [f64; 2]| FigureCell::words(interval(low, high));
        [
            FigureCell::words(point.k),
            share(point.all),
            ends(point.all_interval),
            share(point.any),
            ends(point.any_interval),
        ]
    });
    FigureTable::new("What k trials of a case promise", columns).rows(rows)
}
