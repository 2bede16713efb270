//! The report as one page that needs nothing but itself.
//!
//! It opens from disk with scripts disabled; where they run, tables sort, lists filter and the
//! theme can be chosen. Its content-security policy allows exactly the style sheet and the
//! script it carries, by their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::table::{Cell, Column, Table};
use super::text::{badge, name, part};
use super::{NoLinks, SCRIPT, STYLE};
use crate::compare::Comparison;
use crate::document::{ReportDocument, ReportedRun};
use crate::harmless;
use crate::number::{count, counted, estimate, seconds};
use crate::render::chart::{self, ChartKind, Distribution, TierScore};
use crate::render::html as fragments;
use crate::render::tone::Tone;

/// How many cases that pass are listed.
const MOST_PASSING: usize = 500;

/// The whole page.
pub fn page(document: &ReportDocument) -> String {
    let runs = document.runs.iter().zip(1..);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (heading(document)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the figures" }
                (top(document))
                main id="main" {
                    (overview(document))
                    (compared(document))
                    @for (run, place) in runs { (run_section(run, place, document.runs.len() > 1)) }
                }
                footer.wide {
                    p.note {
                        "Made by toolgauge " (env!("CARGO_PKG_VERSION"))
                        ". Intervals are 95 % intervals, clustered by case."
                    }
                }
                (data(document))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A hash of embedded text as a content-security policy names it.
pub fn content_hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn policy() -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        content_hash(STYLE),
        content_hash(SCRIPT)
    )
}

fn heading(document: &ReportDocument) -> String {
    let run = document.runs.first().map(|run| &run.summary);
    let of = run.map_or_else(String::new, |run| {
        format!("{} · {}", harmless::line(&run.suite.name), harmless::line(&run.subject.name))
    });
    match document.runs.len() {
        0 | 1 => of,
        2 => format!("{of} and another run"),
        more => format!("{of} and {} more runs", more - 1),
    }
}

fn top(document: &ReportDocument) -> Markup {
    html! {
        header.wide {
            h1 { (heading(document)) }
            div.bar-of-controls.scripted {
                button.plain type="button" id="theme" { "Light or dark" }
                button.plain type="button" id="save-data" { "Save the figures as JSON" }
            }
            @if document.runs.len() > 1 {
                (contents(document))
            }
        }
    }
}

/// Where the parts of the page are.
fn contents(document: &ReportDocument) -> Markup {
    html! {
        nav.contents aria-label="On this page" {
            @if document.contest.is_some() { a href="#together" { "All together" } }
            @for (_, place) in document.compared() {
                a href={ "#compare-" (place) } { "Run " (place) " against run 1" }
            }
            @for (run, place) in document.runs.iter().zip(1..) {
                a href={ "#run-" (place) } { (place) ". " (fragments::title(&run.summary)) }
            }
        }
    }
}

/// All runs in one table, and the charts that show several.
fn overview(document: &ReportDocument) -> Markup {
    if document.runs.len() < 2 {
        return html! {};
    }
    let trend = (document.trend().len() > 2).then(|| document.chart(ChartKind::Trend)).flatten();
    let table = Table::new("All runs").sortable().stacked().lean().with([
        Column::numbers("run"),
        Column::words("suite").naming_rows(),
        Column::words("subject"),
        Column::words("variant"),
        Column::words("started"),
        Column::numbers("trials"),
        Column::words("score").of_class("nowrap"),
        Column::numbers("unscored"),
        Column::numbers("p50"),
        Column::numbers("tokens"),
    ]);
    html! {
        section {
            h2 { "Runs" }
            (table.rows(document.runs.iter().zip(1..).map(|(run, place)| run_cells(run, place))))
            @if let Some(chart) = document.chart(ChartKind::Scores) { (chart.figure("scores")) }
            @if let Some(chart) = trend { (chart.figure("trend")) }
            @if let Some(chart) = document.chart(ChartKind::Latency) { (chart.figure("latencies")) }
        }
    }
}

fn run_cells(run: &ReportedRun, place: usize) -> [Cell; 10] {
    let summary = &run.summary;
    let tokens = summary.usage.total();
    let suite = html! { a href={ "#run-" (place) } { (name(&summary.suite.name)) } };
    [
        Cell::of(place),
        Cell::of(suite),
        Cell::of(name(&summary.subject.name)),
        Cell::maybe(summary.variant.as_deref().map(name)),
        Cell::of(started(run)),
        Cell::of(count(summary.trials as u64)).sorted_by(&summary.trials),
        Cell::of(summary.score.map_or_else(|| "none".to_owned(), |score| estimate(&score))),
        Cell::of(summary.unscored.values().sum::<usize>()),
        Cell::maybe(summary.latency.total.map(|total| seconds(total.p50))),
        Cell::maybe((tokens > 0).then(|| count(tokens))).sorted_by(&tokens),
    ]
}

fn started(run: &ReportedRun) -> String {
    run.created.strftime("%F %H:%M").to_string()
}

fn compared(document: &ReportDocument) -> Markup {
    html! {
        @if let Some(contest) = &document.contest {
            section id="together" { h2 { "All together" } (fragments::contest(contest, &NoLinks)) }
        }
        @for (comparison, place) in document.compared() {
            (comparison_section(comparison, place))
        }
    }
}

fn comparison_section(comparison: &Comparison, place: usize) -> Markup {
    html! {
        section id={ "compare-" (place) } {
            h2 {
                "Run " (place) " against run 1: " (name(&comparison.b.named())) " against "
                (name(&comparison.a.named()))
            }
            (fragments::comparison(comparison, &NoLinks, &format!("differences-{place}")))
        }
    }
}

fn run_section(run: &ReportedRun, place: usize, one_of_several: bool) -> Markup {
    let summary = &run.summary;
    let times: Vec<Distribution> = run.times.clone().into_iter().collect();
    let charts = [
        chart::dimensions(summary),
        chart::tiers(&TierScore::of(summary)),
        chart::losses(summary),
        chart::latency(&times),
    ];
    html! {
        section id={ "run-" (place) } {
            // A page about one run has its name at the top already.
            h2 .unseen[!one_of_several] { @if one_of_several { (place) ". " } (fragments::title(summary)) }
            p.lead { (run.counts().words("case")) "." }
            p.note {
                (name(&run.label)) " · started " (started(run))
                @if !run.finished { " " (badge(Tone::Caution, "was not closed")) }
            }
            @if let Some(damage) = summary.damage.describe(summary.trials) {
                p { (badge(Tone::Bad, "damaged")) " " (harmless::line_within(&damage, 1000)) }
            }
            (fragments::server(summary))
            (fragments::score_cards(summary))
            div.flow {
                @for chart in charts.iter().flatten() {
                    (chart.figure(&format!("{}-{place}", chart.kind.name())))
                }
            }
            @if let Some(grades) = &summary.grades {
                (part("Grades", &fragments::grades(grades, &NoLinks)))
            }
            @if let Some(tiers) = &summary.tiers {
                (part(&format!("By {}", tiers.tag), &fragments::tiers(tiers)))
                (part("Failure patterns", &fragments::failure_patterns(tiers)))
            }
            (part("Dimensions", &fragments::dimensions(summary, &NoLinks)))
            (part("Further scorers", &fragments::scorers(summary)))
            (part("Measures", &fragments::measures(summary)))
            @if !summary.tags.is_empty() {
                (part("By tag", &fragments::slices(summary, &NoLinks)))
            }
            (part("Where points were lost", &fragments::losses(summary, &NoLinks)))
            (part("Tools called in the place of others", &fragments::confusions(summary)))
            (part("Arguments that break a schema", &fragments::violations(summary)))
            (part("Second opinion", &fragments::second_opinion(summary, &NoLinks)))
            (part("Unscored", &fragments::unscored(summary, &NoLinks)))
            (part("Repeated trials", &fragments::reliability(summary)))
            div.columns {
                div { (part("Time", &fragments::latency(summary))) }
                div { (part("Tokens", &fragments::tokens(summary))) }
                div { (part("Oddities", &fragments::oddities(summary))) }
            }
            (exhibits(run, place))
        }
    }
}

fn exhibits(run: &ReportedRun, place: usize) -> Markup {
    let shown = run.exhibits.len();
    html! {
        @if shown > 0 {
            h3 { "Trials that lost points" }
            p.note {
                (count(run.lost as u64)) " of " (counted(run.summary.trials, "trial")) " lost points"
                @if run.lost > shown { "; the worst " (shown) " are here, "
                    (count((run.lost - shown) as u64)) " are left out" }
                "."
            }
            div.bar-of-controls.scripted {
                label {
                    "Filter "
                    input type="search" data-filters={ "exhibits-" (place) };
                }
            }
            div.exhibits id={ "exhibits-" (place) } { @for trial in &run.exhibits { (trial) } }
        }
        (passing(run))
    }
}

/// The cases that pass, a line each.
fn passing(run: &ReportedRun) -> Markup {
    let all = run.counts().pass;
    html! {
        @if all > 0 {
            details.others {
                summary { "Cases that pass: " (count(all as u64)) }
                div.inside {
                    ul { @for case in run.passing().take(MOST_PASSING) { li { (name(case.as_str())) } } }
                    @if all > MOST_PASSING { p.left-out { "and " (count((all - MOST_PASSING) as u64)) " more" } }
                }
            }
        }
    }
}

/// The figures for programs, and for the button that saves them.
fn data(document: &ReportDocument) -> Markup {
    let json = serde_json::to_string(document).expect("a report is plain data");
    // Nothing in a string may end the element it stands in.
    let json = harmless::json(&json).replace('<', "\\u003c");
    html! { script type="application/json" id="data" { (PreEscaped(json)) } }
}
