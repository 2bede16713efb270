//! The first page of a run: the verdict, the cases that do not pass, and what cost the points.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use toolgauge_report::html::{Cell, Column, Row, Table, losses, name, unscored};
use toolgauge_report::{CaseResult, FailedCase, Rate, Summary, number};

use super::cases::case_link;
use super::judgement::mark;
use super::run::{RunLinks, RunTab, run_page};
use crate::glossary::explained;
use crate::index::TrialRow;
use crate::layout::when;
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::query::{CaseQuery, StandingFilter};
use crate::site::{NamedLog, Site};

/// As many cases that do not pass as are shown here; the list of cases has all.
const FAILING: usize = 12;
/// As many failure patterns as are listed.
const PATTERNS: usize = 10;

/// Answers with the first page of a run.
pub(crate) async fn page(
    State(site): State<Site>,
    NamedLog(opened): NamedLog,
    parameters: Parameters,
) -> Response {
    // The list of cases was on this page before it had an address of its own.
    if !parameters.is_empty() {
        let all = parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let list = Link::run(&opened.name, "/cases").and(all);
        return Redirect::permanent(&list.href()).into_response();
    }
    let links = RunLinks { log: &opened.name };
    let content = html! {
        div #run-body data-swap {
            (verdict(&opened))
            (before(&site, &opened))
            (failing(&opened))
            div.columns {
                section {
                    h2 #losses { "What cost the points, by " (explained("cause", "cause")) }
                    (losses(&opened.summary, &links))
                    @if opened.summary.losses.is_empty() { p { (without_causes(&opened)) } }
                }
                (not_scored(&opened.summary, &links))
            }
            (patterns(&opened))
        }
    };
    run_page(&opened, RunTab::Overview, &content)
}

/// What is said where no cause is known: nothing was lost, or the first scorer gives marks alone.
fn without_causes(opened: &OpenedLog) -> &'static str {
    let counts = opened.index.counts();
    if counts.partial + counts.fail == 0 {
        "No point was lost."
    } else {
        "The first scorer of this run names no causes."
    }
}

/// How the run went, in words.
fn verdict(opened: &OpenedLog) -> Markup {
    let summary = &opened.summary;
    let counts = opened.index.counts();
    let all = opened.index.len();
    let thing = if opened.run().trials > 1 { "trial" } else { "case" };
    html! {
        section.verdict-words aria-label="Verdict" {
            @if all == 0 {
                p.lead { "No trial has ended yet." }
                p { "This page shows trials as they end. If the run was stopped, " code { "toolgauge run --resume" } " goes on with it." }
            } @else {
                p.lead { (counts.words(thing)) "." }
                (shares([counts.pass, counts.partial, counts.fail, counts.unscored]))
                @match &summary.score {
                    Some(score) => p { (score_words(summary, score)) },
                    None => p { "Nothing could be scored; the reasons are below." },
                }
            }
        }
    }
}

/// A bar of all trials by their standing. The words above it say the same.
#[expect(clippy::cast_precision_loss, reason = "a share of a bar")]
fn shares(counts: [usize; 4]) -> Markup {
    let all = counts.iter().sum::<usize>().max(1) as f64;
    let classes = ["share-pass", "share-partial", "share-fail", "share-unscored"];
    let mut from = 0.0;
    html! {
        svg.shares viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            @for (count, class) in counts.into_iter().zip(classes) {
                @let width = count as f64 / all * 100.0;
                @if count > 0 { rect class=(class) x=(format!("{from:.2}")) y="0" width=(format!("{width:.2}")) height="4" {} }
                @let () = from += width;
            }
        }
    }
}

/// The score with its interval, and whether it is more than what no skill scores.
fn score_words(summary: &Summary, score: &Rate) -> Markup {
    let floor = summary.floor_policy();
    let relation = floor.map(|(floor, _)| match () {
        () if score.low > floor => "That is above the ",
        () if score.high < floor => "That is below the ",
        () => "That is not shown to be above the ",
    });
    html! {
        "The score is " b { (format!("{:.3}", score.mean)) } ", with a 95 % " (explained("interval", "interval")) " of "
        span.nowrap { (number::interval(score.low, score.high)) }
        @if !summary.scorer.is_empty() { ", by the scorer " code { (name(&summary.scorer)) } }
        ". "
        @if let Some((value, policy)) = floor {
            (relation.unwrap_or_default()) (explained("floor", "floor")) " of " (format!("{value:.3}"))
            ", the score of a subject that " (name(policy))
            // What it says may end with a full stop of its own.
            @if !policy.ends_with(".\"") { "." }
        }
    }
}

/// The run of the same suite and subject before this one, if the folder has it.
fn before(site: &Site, opened: &OpenedLog) -> Markup {
    let own = &opened.brief;
    let logs = site.library.list_now();
    let same = logs.iter().filter_map(|log| Some((log, log.brief.as_ref()?.as_ref().ok()?)));
    let same = same.filter(|(_, brief)| {
        (&brief.suite, &brief.subject, &brief.variant) == (&own.suite, &own.subject, &own.variant)
            && brief.created < own.created
    });
    let last = same.max_by_key(|(_, brief)| brief.created);
    html! {
        @if let Some((log, brief)) = last {
            p {
                "The run before, of " (when(brief.created))
                @if let Some(score) = brief.score { ", scored " (format!("{:.3}", score.mean)) }
                ". " a href=(Link::to("/compare").with("run", log.name.as_str()).with("run", opened.name.as_str())) { "See what changed" }
            }
        }
    }
}

/// The cases that do not pass, the worst first.
fn failing(opened: &OpenedLog) -> Markup {
    let query =
        CaseQuery { mark: Some(StandingFilter::NotPass), ..CaseQuery::default() }.worst_first();
    let rows = opened.select(&query);
    let table = Table::new("Cases that do not pass, the worst first")
        .of_class("failing")
        .stacked()
        .with([Column::words("verdict"), Column::numbers("score")])
        .with([Column::words("case").naming_rows()])
        .with(["asked", "expected", "came instead"].map(Column::words));
    html! {
        @if opened.index.len() > 0 {
            section #cases {
                h2 { "Cases that do not pass" }
                @if rows.is_empty() { p { "Every case that was scored passes." } }
                @else {
                    (table.rows(rows.iter().take(FAILING).map(|row| failing_case(opened, *row, &query))))
                    p {
                        a href=(Link::run(&opened.name, "/cases").and(query.parameters())) {
                            @if rows.len() > FAILING { "All " (number::count(rows.len() as u64)) " that do not pass" }
                            @else { "These in the list of cases" }
                        }
                    }
                }
            }
        }
    }
}

fn failing_case(opened: &OpenedLog, row: TrialRow, query: &CaseQuery) -> Row {
    let overview = opened.index.overview(row);
    let trial = opened.trial(row).ok();
    let result = CaseResult {
        case: overview.case.into(),
        sentence: overview.sentence.to_owned(),
        score: overview.value.map(f64::from),
        standing: overview.mark,
        worst: opened.trial_id(row),
    };
    let found = FailedCase::new(result, trial.as_ref());
    let score = overview.value.map(|value| format!("{value:.3}"));
    Row::of([
        Cell::of(mark(overview.mark)),
        Cell::maybe(score),
        Cell::of(html! { a href=(case_link(opened, row, query)) { (name(overview.case)) } }),
        Cell::of(name(overview.sentence)),
        Cell::of(name(&found.expected)),
        Cell::of(name(&found.got)),
    ])
}

fn not_scored(summary: &Summary, links: &RunLinks<'_>) -> Markup {
    let found = unscored(summary, links);
    html! { @if !found.0.is_empty() { section { h2 #unscored { "Why trials are unscored" } (found) } } }
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
        let all = Link::run(&opened.name, "/cases").and(query.parameters());
        let example = opened.index.overview(pattern.example).sentence;
        [
            Cell::of(html! { a href=(all) { (pattern.cause.words()) } }),
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
