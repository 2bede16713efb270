//! The pages of one run: what they share, and where their tables lead.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::{CaseId, Cause};
use toolgauge_report::html::{Links, Tone, badge, name, server, title};
use toolgauge_report::{CaseStanding, harmless, number};

use crate::brief::Status;
use crate::layout::{PageFrame, Section, when};
use crate::library::OpenedLog;
use crate::parameters::Link;
use crate::query::{CaseQuery, StandingFilter};
use crate::site::NamedLog;

/// One of the pages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunTab {
    Overview,
    Cases,
    Figures,
    Settings,
}

impl RunTab {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Overview, "", "Overview"),
        (Self::Cases, "/cases", "Cases"),
        (Self::Figures, "/figures", "Figures"),
        (Self::Settings, "/settings", "Settings"),
    ];
}

/// A page of a run, which is kept up to date while the run goes on.
pub(super) fn run_page(opened: &OpenedLog, tab: RunTab, content: &Markup) -> Response {
    let summary = &opened.summary;
    let mut page =
        PageFrame::new(Section::Runs, format!("{} · {}", summary.suite.name, summary.subject.name));
    if opened.brief.is_unfinished() {
        page = page.live(Link::run(&opened.name, "/live"), opened.stamp.version()).restless(true);
    }
    let whole = html! {
        nav.trail aria-label="Where you are" { a href=(Link::to("/")) { "Runs" } " / " span.file { (name(&opened.name)) } }
        div #run-head data-swap {
            h1 { (title(summary)) }
            (facts(opened))
            (server(summary))
        }
        (tabs(opened, tab))
        (content)
    };
    page.with(&whole).into_response()
}

fn tabs(opened: &OpenedLog, current: RunTab) -> Markup {
    html! {
        nav.tabs aria-label="Pages of this run" {
            @for (tab, path, words) in RunTab::ALL {
                a href=(Link::run(&opened.name, path)) aria-current=[(tab == current).then_some("page")] { (words) }
            }
        }
    }
}

/// Says which state of the log would be shown now.
pub(crate) async fn live(NamedLog(opened): NamedLog) -> Response {
    let told = serde_json::json!({ "version": opened.stamp.version() });
    ([(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
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
            span.act { " · " a href=(Link::run(&opened.name, "/file")) { "download the log" } }
        }
        @if brief.is_unfinished() {
            p {
                label for="progress" { "Progress" } " "
                progress #progress value=(brief.trials) max=(brief.planned.max(1)) {}
                " " (number::count(brief.trials as u64)) " of " (number::count(brief.planned as u64)) " " (number::plural(brief.planned, "trial"))
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

/// Where the tables of a run lead: to the list of its trials, filtered.
pub(super) struct RunLinks<'a> {
    pub(super) log: &'a str,
}

impl RunLinks<'_> {
    fn to(&self, query: &CaseQuery) -> String {
        Link::run(self.log, "/cases").and(query.parameters()).href()
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
        Some(self.to(&CaseQuery {
            mark: Some(StandingFilter::Only(CaseStanding::Unscored)),
            ..CaseQuery::default()
        }))
    }

    fn case(&self, case: &CaseId) -> Option<String> {
        Some(Link::run(self.log, "/case").with("id", case.as_str()).href())
    }
}
