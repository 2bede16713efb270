//! One run: its numbers, where its points went, and the list of its trials.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::{CaseId, Cause};
use toolgauge_report::chart::{self, Chart, TierScore};
use toolgauge_report::html::{
    Cell, Column, Links, Table, Tone, badge, dimensions, failure_patterns, grades, latency, losses,
    measures, name, oddities, reliability, score_cards, scorers, second_opinion, server, slices,
    tiers, title, tokens, unscored,
};
use toolgauge_report::{CaseStanding, harmless, number};

use super::cases::{self, case_link};
use crate::brief::Status;
use crate::layout::{PageFrame, Section, when};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::site::NamedLog;
use toolgauge_report::json_text::indented;

/// As many failure patterns as are listed.
const PATTERNS: usize = 20;

/// Answers with the page of a run.
pub(crate) async fn page(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let summary = &opened.summary;
    let mut page =
        PageFrame::new(Section::Runs, format!("{} · {}", summary.suite.name, summary.subject.name));
    if opened.brief.is_unfinished() {
        page = page.live(Link::run(&opened.name, "/live"), opened.stamp.version()).restless(true);
    }
    page.with(&content(&opened, &parameters)).into_response()
}

/// Says which state of the log would be shown now.
pub(crate) async fn live(NamedLog(opened): NamedLog) -> Response {
    let told = serde_json::json!({ "version": opened.stamp.version() });
    ([(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
}

fn content(opened: &OpenedLog, parameters: &Parameters) -> Markup {
    let summary = &opened.summary;
    let links = RunLinks { log: &opened.name };
    html! {
        nav.trail aria-label="Where you are" { a href="/" { "Runs" } " / " span { (name(&opened.name)) } }
        div #summary data-swap {
            h1 { (title(summary)) }
            (facts(opened))
            (server(summary))
            (score_cards(summary))
            (contents(opened))
            div.flow {
                section { h2 #dimensions { "Dimensions" } (dimensions(summary, &links)) }
                (scorers(summary))
                (measures(summary))
                section {
                    h2 #losses { "Where the points went" }
                    (losses(summary, &links))
                    @if summary.losses.is_empty() { p { "No point was lost." } }
                    (unscored(summary, &links))
                }
                (figures(opened))
            }
            @if let Some(found) = &summary.grades { section { h2 #grades { "Grades" } (grades(found, &links)) } }
            @if let Some(found) = &summary.tiers {
                section { h2 #tiers { "By tier" } (tiers(found)) (failure_patterns(found)) }
            }
            @if summary.second_opinion.is_some() {
                section { h2 #second-opinion { "Second opinion" } (second_opinion(summary, &links)) }
            }
            (patterns(opened))
            @if !summary.tags.is_empty() { section { h2 #tags { "By tag" } (slices(summary, &links)) } }
            div.columns {
                section { h2 #time { "Time" } (latency(summary)) (reliability(summary)) }
                section {
                    h2 { "Tokens" }
                    (tokens(summary))
                    @if summary.usage.input.or(summary.usage.output).is_none() { p { "The subject counts none." } }
                    (oddities(summary))
                }
            }
        }
        (cases::list(opened, parameters))
        (settings(opened))
    }
}

/// What is further down on a long page.
fn contents(opened: &OpenedLog) -> Markup {
    let summary = &opened.summary;
    let parts = [
        ("cases", "Cases", true),
        ("losses", "Where the points went", true),
        ("grades", "Grades", summary.grades.is_some()),
        ("tiers", "By tier", summary.tiers.is_some()),
        ("patterns", "Where it fails most", !opened.index.patterns().is_empty()),
        ("tags", "By tag", !summary.tags.is_empty()),
        ("time", "Time and tokens", true),
        ("settings", "How it was run", true),
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
fn figures(opened: &OpenedLog) -> Markup {
    let (all, by_tier) = &opened.times;
    let by_size = chart::latency(by_tier).map(|mut chart| {
        "Latency by the size of the world".clone_into(&mut chart.title);
        chart
    });
    let shown = |id: &str, chart: Option<Chart>| {
        html! { @if let Some(chart) = chart { (chart.figure(id)) } }
    };
    html! {
        (shown("tiers-chart", chart::tiers(&TierScore::of(&opened.summary))))
        (shown("latency-chart", all.as_ref().and_then(|all| chart::latency(std::slice::from_ref(all)))))
        (shown("latency-by-tier-chart", by_size))
    }
}

fn facts(opened: &OpenedLog) -> Markup {
    let (run, brief) = (opened.run(), &opened.brief);
    html! {
        p.facts-line {
            (status(&brief.status)) " "
            time datetime=(run.created) { (when(run.created)) }
            " · " (harmless::size(usize::try_from(opened.stamp.bytes).unwrap_or(usize::MAX)))
            @if let Some(url) = &run.subject.base_url { " · " (name(url)) }
            span.act { " · " a href=(Link::to("/compare").with("run", opened.name.as_str())) { "compare with …" } }
        }
        @if brief.is_unfinished() {
            p {
                label for="progress" { "Progress" } " "
                progress #progress value=(brief.trials) max=(brief.planned.max(1)) {}
                " " (number::count(brief.trials as u64)) " of " (number::count(brief.planned as u64)) " trials"
            }
        }
        @if let Status::Failed(why) = &brief.status { p { (badge(Tone::Bad, "stopped")) " " (name(why)) } }
        @if let Some(damage) = opened.summary.damage.describe(opened.summary.trials) {
            p { (badge(Tone::Bad, "damaged")) " " (harmless::line_within(&damage, 1000)) "; they are left out." }
        }
    }
}

/// How a run ended, as a badge.
pub(super) fn status(status: &Status) -> Markup {
    let tone = match status {
        Status::Finished => Tone::Good,
        Status::Cancelled | Status::Unfinished => Tone::Caution,
        Status::Failed(_) => Tone::Bad,
    };
    badge(tone, status.word())
}

fn patterns(opened: &OpenedLog) -> Markup {
    let patterns = opened.index.patterns();
    let table = Table::new("The most frequent ways to fail").stacked().with([
        Column::words("what").naming_rows(),
        Column::words("where"),
        Column::numbers("trials"),
        Column::numbers("points"),
        Column::words("for example").of_class("one-line"),
    ]);
    let rows = patterns.iter().take(PATTERNS).map(|pattern| {
        let query = CaseQuery { pattern: Some(pattern.name()), ..CaseQuery::default() };
        let all = Link::run(&opened.name, "").and(query.parameters());
        let example = opened.index.overview(pattern.example).sentence;
        [
            Cell::of(html! { a href={ (all) "#cases" } { (pattern.cause.words()) } }),
            Cell::of(html! { @if !pattern.place.is_empty() { code { (name(&pattern.place)) } } }),
            Cell::of(number::count(pattern.trials as u64)),
            Cell::of(format!("{:.2}", pattern.points)),
            Cell::of(html! {
                a href=(case_link(opened, pattern.example, &query)) { (name(example)) }
            }),
        ]
    });
    html! {
        @if !patterns.is_empty() {
            section {
                h2 #patterns { "Where it fails most" }
                (table.rows(rows))
                @if patterns.len() > PATTERNS { p.left-out { "and " (patterns.len() - PATTERNS) " more" } }
            }
        }
    }
}

fn settings(opened: &OpenedLog) -> Markup {
    let run = opened.run();
    let (text, cut) = indented(&run.settings, 20_000);
    html! {
        section {
            h2 #settings { "How it was run" }
            details { summary { "Settings" } div.inside { pre.text { (text) @if cut { "\n…" } } } }
            @if let Some(prompt) = &run.system_prompt {
                details {
                    summary { "System prompt, " (harmless::size(prompt.len())) }
                    div.inside { (toolgauge_report::html::block(prompt, 40_000)) }
                }
            }
            @if !run.tools.is_empty() {
                details {
                    summary { "Tools: " (run.tools.len()) }
                    @let (text, cut) = indented(&run.tools, 60_000);
                    div.inside { pre.text { (text) @if cut { "\n…" } } }
                }
            }
        }
    }
}

/// Where the tables of a run lead: to the list of its trials, filtered.
struct RunLinks<'a> {
    log: &'a str,
}

impl RunLinks<'_> {
    fn to(&self, query: &CaseQuery) -> String {
        Link::run(self.log, "").and(query.parameters()).href() + "#cases"
    }
}

impl Links for RunLinks<'_> {
    fn cause(&self, cause: Cause) -> Option<String> {
        Some(self.to(&CaseQuery { cause: Some(cause), ..CaseQuery::default() }))
    }

    fn slice(&self, tag: &str, value: &str) -> Option<String> {
        let tags = vec![(tag.to_owned(), value.to_owned())];
        Some(self.to(&CaseQuery { tags, ..CaseQuery::default() }))
    }

    fn dimension(&self, name: &str) -> Option<String> {
        Some(self.to(&CaseQuery { dimension: Some(name.to_owned()), ..CaseQuery::default() }))
    }

    fn unscored(&self, _: &str) -> Option<String> {
        Some(self.to(&CaseQuery { mark: Some(CaseStanding::Unscored), ..CaseQuery::default() }))
    }

    fn case(&self, case: &CaseId) -> Option<String> {
        Some(Link::run(self.log, "/case").with("id", case.as_str()).href())
    }
}
