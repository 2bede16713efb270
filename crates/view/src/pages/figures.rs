//! The figures of a run: rates, charts, grades, slices, times, tokens.

use axum::response::Response;
use maud::{Markup, html};
use toolgauge_report::chart::{self, Chart, Distribution, TierScore};
use toolgauge_report::html::{
    confusions, dimensions, failure_patterns, grades, latency, measures, oddities, reliability,
    score_cards, scorers, second_opinion, slices, tiers, tokens, violations,
};

use super::run::{RunLinks, RunTab, run_page};
use crate::glossary::explained;
use crate::library::OpenedLog;
use crate::site::NamedLog;

/// From this ratio of slow to usual trials on, a curve of times says more than its table.
const SPREAD: f64 = 1.5;

/// Answers with the figures of a run.
pub(crate) async fn page(NamedLog(opened): NamedLog) -> Response {
    run_page(&opened, RunTab::Figures, &content(&opened))
}

fn content(opened: &OpenedLog) -> Markup {
    let summary = &opened.summary;
    let links = RunLinks { log: &opened.name };
    html! {
        div #run-body data-swap {
            (score_cards(summary))
            (contents(opened))
            div.flow {
                section { h2 #dimensions { (explained("dimension", "Dimensions")) } (dimensions(summary, &links)) }
                (scorers(summary))
                (measures(summary))
                (charts(opened))
            }
            @if let Some(found) = &summary.grades { section { h2 #grades { "Grades" } (grades(found, &links)) } }
            @if let Some(found) = &summary.tiers {
                section { h2 #tiers { "By " (explained(found.tag, found.tag)) } (tiers(found)) (failure_patterns(found)) }
            }
            @if summary.second_opinion.is_some() {
                section { h2 #second-opinion { "Second opinion" } (second_opinion(summary, &links)) }
            }
            @if !summary.confusions.is_empty() {
                section { h2 #confusions { "Tools called in the place of others" } (confusions(summary)) }
            }
            @if !summary.violations.is_empty() {
                section { h2 #violations { "Arguments that break a schema" } (violations(summary)) }
            }
            @if !summary.tags.is_empty() { section { h2 #tags { "By tag" } (slices(summary, &links)) } }
            div.columns {
                section { h2 #time { "Time" } (latency(summary)) (reliability(summary)) }
                section {
                    h2 { "Tokens" }
                    (tokens(summary))
                    @if summary.usage.input.or(summary.usage.output).is_none() { p { "The subject reports no tokens." } }
                    (oddities(summary))
                }
            }
        }
    }
}

/// What is further down on a long page.
fn contents(opened: &OpenedLog) -> Markup {
    let summary = &opened.summary;
    let by_tier =
        summary.tiers.as_ref().map_or("By tier".into(), |tiers| format!("By {}", tiers.tag));
    let parts = [
        ("dimensions", "Dimensions", true),
        ("grades", "Grades", summary.grades.is_some()),
        ("tiers", &*by_tier, summary.tiers.is_some()),
        ("second-opinion", "Second opinion", summary.second_opinion.is_some()),
        ("confusions", "Tools in the place of others", !summary.confusions.is_empty()),
        ("violations", "Arguments that break a schema", !summary.violations.is_empty()),
        ("tags", "By tag", !summary.tags.is_empty()),
        ("time", "Time and tokens", true),
    ];
    html! {
        nav.contents aria-label="On this page" {
            @for (id, words, _) in parts.iter().filter(|(.., there)| *there) {
                a href={ "#" (id) } { (words) }
            }
        }
    }
}

/// Pictures: the score by the size of the world, and how times are spread.
fn charts(opened: &OpenedLog) -> Markup {
    let (all, by_tier) = &opened.times;
    let by_size = chart::latency(by_tier).map(|mut chart| {
        chart.title = chart.title.replacen("Latency", "Latency by the size of the world", 1);
        chart
    });
    let shown = |id: &str, chart: Option<Chart>| {
        html! { @if let Some(chart) = chart { (chart.figure(id)) } }
    };
    // Times that are all alike are said in the table; a curve of them shows nothing.
    let spread = |times: &&Distribution| times.percentile(95) > SPREAD * times.percentile(50);
    let all = all.as_ref().filter(spread);
    html! {
        (shown("tiers-chart", chart::tiers(&TierScore::of(&opened.summary))))
        (shown("latency-chart", all.and_then(|all| chart::latency(std::slice::from_ref(all)))))
        (shown("latency-by-tier-chart", by_size))
    }
}
