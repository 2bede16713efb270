//! The table of all runs in the folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use indexmap::IndexMap;
use maud::{Markup, html};
use toolgauge_report::Rate;
use toolgauge_report::chart::{TrendPoint, trend};
use toolgauge_report::html::{Cell, Column, Table, Tone, badge, name, rate_bar};
use toolgauge_report::number::{count, counted, interval, seconds};

use super::run::status;
use crate::brief::{LogBrief, MeanWithInterval};
use crate::layout::{PageFrame, Section, when};
use crate::library::ListedLog;
use crate::parameters::{Link, Parameters};
use crate::site::Site;

/// The most runs on a page.
const PAGE: usize = 200;

/// What the table is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunOrder {
    When,
    Suite,
    Subject,
    Trials,
    Score,
    Unscored,
    Time,
    Tokens,
}

impl RunOrder {
    const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::When, "when", "when"),
        (Self::Suite, "suite", "suite"),
        (Self::Subject, "subject", "subject"),
        (Self::Score, "score", "score"),
        (Self::Trials, "trials", "trials"),
        (Self::Unscored, "unscored", "unscored"),
        (Self::Time, "time", "median time"),
        (Self::Tokens, "tokens", "tokens"),
    ];

    fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(order, ..)| *order == self);
        known.map_or("when", |(_, name, _)| name)
    }

    /// The heading of its column.
    fn words(self) -> &'static str {
        let known = Self::ALL.iter().find(|(order, ..)| *order == self);
        known.map_or("when", |(.., words)| words)
    }
}

/// The state of the table, as it stands in the URL.
#[derive(Clone, Debug)]
struct RunsQuery {
    text: String,
    suite: Option<String>,
    unfinished: bool,
    order: RunOrder,
    reversed: bool,
    grouped: bool,
    page: usize,
}

impl RunsQuery {
    fn read(parameters: &Parameters) -> Self {
        let given = |name: &str| parameters.given(name);
        let order =
            given("sort").and_then(|name| RunOrder::ALL.iter().find(|(_, n, _)| *n == name));
        Self {
            text: given("q").unwrap_or_default().to_owned(),
            suite: given("suite").map(str::to_owned),
            unfinished: given("unfinished").is_some(),
            order: order.map_or(RunOrder::When, |(order, ..)| *order),
            reversed: given("reversed").is_some(),
            grouped: given("group").is_some(),
            page: parameters.number("page").unwrap_or(0),
        }
    }

    fn link(&self) -> Link {
        let mut link = Link::to("/");
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                link = link.clone().with(name, value);
            }
        };
        add("q", &self.text);
        add("suite", self.suite.as_deref().unwrap_or_default());
        add("unfinished", if self.unfinished { "1" } else { "" });
        add("sort", if self.order == RunOrder::When { "" } else { self.order.name() });
        add("reversed", if self.reversed { "1" } else { "" });
        add("group", if self.grouped { "1" } else { "" });
        link
    }

    fn fits(&self, log: &ListedLog) -> bool {
        let brief = log.brief.as_ref().and_then(|brief| brief.as_ref().ok());
        let text = match brief {
            Some(brief) => format!(
                "{}\n{}\n{}\n{}\n{}",
                log.name,
                brief.suite,
                brief.subject,
                brief.variant.as_deref().unwrap_or_default(),
                brief.status.word(),
            ),
            None => log.name.clone(),
        };
        let text = text.to_lowercase();
        self.text.to_lowercase().split_whitespace().all(|word| text.contains(word))
            && self.suite.as_ref().is_none_or(|suite| brief.is_some_and(|b| b.suite == *suite))
            && (!self.unfinished || brief.is_some_and(|brief| brief.is_unfinished()))
    }

    fn sort(&self, logs: &mut [ListedLog]) {
        let brief = |log: &ListedLog| -> Option<Arc<LogBrief>> {
            log.brief.as_ref().and_then(|brief| brief.as_ref().ok().cloned())
        };
        logs.sort_by(|a, b| match (brief(a), brief(b)) {
            (None, None) => b.name.cmp(&a.name),
            (None, Some(_)) => std::cmp::Ordering::Less,
            (Some(_), None) => std::cmp::Ordering::Greater,
            (Some(a), Some(b)) => {
                let number = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
                let score = |brief: &LogBrief| number(brief.score.map(|score| score.mean));
                match self.order {
                    RunOrder::When => b.created.cmp(&a.created),
                    RunOrder::Suite => a.suite.cmp(&b.suite),
                    RunOrder::Subject => a.subject.cmp(&b.subject),
                    RunOrder::Trials => b.trials.cmp(&a.trials),
                    RunOrder::Score => score(&b).total_cmp(&score(&a)),
                    RunOrder::Unscored => b.unscored.cmp(&a.unscored),
                    RunOrder::Time => number(b.p50).total_cmp(&number(a.p50)),
                    RunOrder::Tokens => tokens(&b).cmp(&tokens(&a)),
                }
            }
        });
        if self.reversed {
            logs.reverse();
        }
    }
}

fn tokens(brief: &LogBrief) -> u64 {
    brief.input.unwrap_or(0) + brief.output.unwrap_or(0)
}

/// Answers with the table of runs.
pub(crate) async fn page(State(site): State<Site>, parameters: Parameters) -> Response {
    let all = site.library.list().await;
    let mut page = PageFrame::new(Section::Runs, "Runs");
    let changing = |log: &ListedLog| match &log.brief {
        None => true,
        Some(brief) => brief.as_ref().is_ok_and(|brief| brief.is_unfinished()),
    };
    page = page.live(Link::to("/live"), version(&all)).restless(all.iter().any(changing));
    let folder = site.library.logs().path().display().to_string();
    page.with(&content(all, &RunsQuery::read(&parameters), &folder)).into_response()
}

/// Says which state of the folder would be shown now.
pub(crate) async fn live(State(site): State<Site>) -> Response {
    let told = serde_json::json!({ "version": version(&site.library.list_now()) });
    ([(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
}

/// A text that changes when the table does.
fn version(logs: &[ListedLog]) -> String {
    let mut hasher = DefaultHasher::new();
    for log in logs {
        log.name.hash(&mut hasher);
        match &log.brief {
            None => 0.hash(&mut hasher),
            Some(Err(why)) => why.hash(&mut hasher),
            Some(Ok(brief)) => (brief.trials, brief.status.word()).hash(&mut hasher),
        }
    }
    format!("{:016x}", hasher.finish())
}

fn content(all: Vec<ListedLog>, query: &RunsQuery, folder: &str) -> Markup {
    let suites = suites(&all);
    let total = all.len();
    let mut shown: Vec<ListedLog> = all.into_iter().filter(|log| query.fits(log)).collect();
    query.sort(&mut shown);
    html! {
        h1 { "Runs" }
        @if total == 0 {
            p { "There is no log in " code { (name(folder)) } " yet." }
            p { "Make one: " code { "toolgauge run --log-dir " (name(folder)) } }
        } @else {
            (filters(query, &suites))
            div #runs data-swap {
                p.found { output { (shown.len()) } " of " (counted(total, "run")) " in " code { (name(folder.rsplit(['/', '\\']).next().unwrap_or(folder))) } }
                @if shown.is_empty() { p.nothing { "No run matches. " a href=(Link::to("/")) { "Show all runs" } } }
                @else { (tables(&shown, query)) }
            }
        }
    }
}

fn tables(shown: &[ListedLog], query: &RunsQuery) -> Markup {
    let last = (shown.len() - 1) / PAGE;
    let page = query.page.min(last);
    let here = &shown[page * PAGE..shown.len().min((page + 1) * PAGE)];
    html! {
        form #choose method="get" action=(Link::to("/compare")) {
            @if query.grouped {
                @for (place, (suite, logs)) in grouped(here).into_iter().enumerate() {
                    section.suite {
                        h2 { (name(&suite)) }
                        (trend_of(place, &logs))
                        (table(&logs, query))
                    }
                }
            } @else {
                @if query.suite.is_some() { (trend_of(0, &here.iter().collect::<Vec<_>>())) }
                (table(&here.iter().collect::<Vec<_>>(), query))
            }
            p.actions {
                button.plain { "Compare the chosen runs" } " "
                button.plain formaction=(Link::to("/compare/cases")) { "Show their cases side by side" }
            }
        }
        @if last > 0 {
            nav.pages aria-label="Pages of runs" {
                @if page > 0 { a href=(query.link().with("page", (page - 1).to_string())) { "Previous" } }
                span { "Page " (page + 1) " of " (last + 1) }
                @if page < last { a href=(query.link().with("page", (page + 1).to_string())) { "Next" } }
            }
        }
    }
}

/// The score of a suite over time, where there are several runs of it.
fn trend_of(place: usize, logs: &[&ListedLog]) -> Markup {
    let briefs = logs.iter().filter_map(|log| log.brief.as_ref()?.as_ref().ok());
    let mut briefs: Vec<&Arc<LogBrief>> = briefs.filter(|brief| brief.score.is_some()).collect();
    briefs.sort_by(|a, b| a.created.cmp(&b.created).then_with(|| a.run.cmp(&b.run)));
    let mut points = Vec::new();
    for (at, brief) in briefs.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &briefs[before]);
        let Some(score) = brief.score else { continue };
        points.push(TrendPoint {
            at: brief.created,
            score: Rate::from(score),
            label: brief.subject.clone(),
            changed: before.map(|before| changes(before, brief)).unwrap_or_default(),
        });
    }
    let chart = if points.len() > 1 { trend(&points) } else { None };
    html! { @if let Some(chart) = chart { (chart.figure(&format!("trend-{place}"))) } }
}

/// What changed from one run of a suite to the next.
fn changes(before: &LogBrief, now: &LogBrief) -> Vec<&'static str> {
    let found = [
        ("suite", before.suite_hash != now.suite_hash),
        ("model", before.subject != now.subject),
        ("variant", before.variant != now.variant),
        ("prompt", before.prompt != now.prompt),
    ];
    found.into_iter().filter_map(|(what, changed)| changed.then_some(what)).collect()
}

fn suites(all: &[ListedLog]) -> Vec<String> {
    let briefs = all.iter().filter_map(|log| log.brief.as_ref()?.as_ref().ok());
    let mut suites: Vec<String> = briefs.map(|brief| brief.suite.clone()).collect();
    suites.sort();
    suites.dedup();
    suites
}

fn grouped(logs: &[ListedLog]) -> IndexMap<String, Vec<&ListedLog>> {
    let mut groups: IndexMap<String, Vec<&ListedLog>> = IndexMap::new();
    for log in logs {
        let suite = match &log.brief {
            Some(Ok(brief)) => brief.suite.clone(),
            Some(Err(_)) => "cannot be read".to_owned(),
            None => "being read".to_owned(),
        };
        groups.entry(suite).or_default().push(log);
    }
    groups
}

fn filters(query: &RunsQuery, suites: &[String]) -> Markup {
    html! {
        form #filters .filters method="get" action=(Link::to("/")) {
            label.search { "search" input #q type="search" name="q" value=(query.text) placeholder="suite, subject, variant, file"; }
            label {
                "suite"
                select name="suite" {
                    option value="" { "any" }
                    @for suite in suites {
                        option value=(suite) selected[query.suite.as_ref() == Some(suite)] {
                            (toolgauge_report::harmless::line(suite))
                        }
                    }
                }
            }
            label.check { input type="checkbox" name="unfinished" value="1" checked[query.unfinished]; "unfinished only" }
            label.check { input type="checkbox" name="group" value="1" checked[query.grouped]; "group by suite" }
            @if query.order != RunOrder::When { input type="hidden" name="sort" value=(query.order.name()); }
            @if query.reversed { input type="hidden" name="reversed" value="1"; }
            button.plain { "Filter" }
        }
    }
}

fn table(logs: &[&ListedLog], query: &RunsQuery) -> Markup {
    // The heading of a group names the suite already.
    let wanted = |order: &RunOrder| *order != RunOrder::Suite || !query.grouped;
    let mut columns = vec![Column::unseen("choose").of_class("choose")];
    for order in RunOrder::ALL.map(|(order, ..)| order).into_iter().filter(wanted) {
        columns.push(heading(order, query));
        if order == RunOrder::Score {
            columns.push(Column::words("dimensions"));
        }
    }
    columns.push(Column::words("status"));
    let width = columns.len();
    let table = Table::new("Runs").of_class("runs").stacked().with(columns);
    table.rows(logs.iter().map(|log| line(log, query.grouped, width)))
}

fn heading(order: RunOrder, query: &RunsQuery) -> Column {
    let words = order.words();
    let current = query.order == order;
    let words_first = matches!(order, RunOrder::Suite | RunOrder::Subject);
    let sorted =
        current.then_some(if words_first == query.reversed { "descending" } else { "ascending" });
    let turned =
        RunsQuery { order, reversed: current && !query.reversed, page: 0, ..query.clone() };
    let column = match order {
        RunOrder::When => Column::words(words).naming_rows().of_class("nowrap"),
        RunOrder::Suite | RunOrder::Subject => Column::words(words),
        RunOrder::Score => Column::words(words).of_class("score-cell"),
        RunOrder::Trials | RunOrder::Unscored | RunOrder::Time | RunOrder::Tokens => {
            Column::numbers(words)
        }
    };
    column.in_order(sorted).shown_as(html! { a.sort href=(turned.link()) { (words) } })
}

fn line(log: &ListedLog, grouped: bool, width: usize) -> Vec<Cell> {
    let page = Link::run(&log.name, "");
    let label = format!("choose {}", toolgauge_report::harmless::line(&log.name));
    let choose = html! { input type="checkbox" name="run" value=(log.name) aria-label=(label); };
    let mut cells = vec![Cell::of(choose)];
    let file = html! { a href=(page) { (name(&log.name)) } };
    match &log.brief {
        None => cells.extend([Cell::of(file).across(width - 2), Cell::of("being read …")]),
        Some(Err(why)) => cells.extend([
            Cell::of(html! { (file) " " (name(why)) }).across(width - 2),
            Cell::of(badge(Tone::Bad, "cannot be read")),
        ]),
        Some(Ok(brief)) => cells.extend(known(brief, &page, grouped)),
    }
    cells
}

fn known(brief: &LogBrief, page: &Link, grouped: bool) -> Vec<Cell> {
    let moment =
        html! { a href=(page) { time datetime=(brief.created) { (when(brief.created)) } } };
    let mut cells = vec![Cell::of(moment)];
    if !grouped {
        cells.push(Cell::of(name(&brief.suite)));
    }
    let status = html! {
        (status(&brief.status))
        @if brief.damaged > 0 { " " (badge(Tone::Bad, &format!("{} damaged", count(brief.damaged as u64)))) }
        @if brief.is_unfinished() {
            " " progress value=(brief.trials) max=(brief.planned.max(1)) aria-label="progress" {}
        }
    };
    cells.extend([
        Cell::of(html! {
            (name(&brief.subject)) @if let Some(variant) = &brief.variant { " · " (name(variant)) }
        }),
        Cell::of(html! {
            @match &brief.score { Some(score) => (score_cell(score)), None => "none" }
        }),
        Cell::of(small_multiples(brief)),
        Cell::of(html! {
            (count(brief.trials as u64))
            @if brief.trials != brief.planned { " of " (count(brief.planned as u64)) }
        }),
        Cell::of(count(brief.unscored as u64)),
        Cell::maybe(brief.p50.map(seconds)),
        Cell::maybe(Some(tokens(brief)).filter(|tokens| *tokens > 0).map(count)),
        Cell::of(status),
    ]);
    cells
}

fn score_cell(score: &MeanWithInterval) -> Markup {
    let rate = Rate::from(*score);
    html! {
        span.figure { (format!("{:.3}", score.mean)) } " "
        span.interval { (interval(score.low, score.high)) }
        (rate_bar(&rate))
    }
}

/// The dimensions as a row of small bars, told in words to who rests on it or listens.
fn small_multiples(brief: &LogBrief) -> Markup {
    let told: Vec<String> = brief
        .dimensions
        .iter()
        .take(12)
        .map(|(dimension, mean)| {
            format!("{} {mean:.2}", toolgauge_report::harmless::line(dimension))
        })
        .collect();
    let told = told.join(", ");
    html! {
        @if !brief.dimensions.is_empty() {
            svg.multiples viewBox="0 0 72 20" role="img" aria-label=(told) {
                title { (told) }
                @for (place, (_, mean)) in brief.dimensions.iter().take(12).enumerate() {
                    @let x = place * 6;
                    @let height = mean.clamp(0.0, 1.0) * 18.0;
                    rect.bar-track x=(x) y="1" width="4" height="18" {}
                    rect.bar-fill x=(x) y=(format!("{:.1}", 19.0 - height)) width="4" height=(format!("{height:.1}")) {}
                }
            }
        }
    }
}
