//! Two or more runs compared.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::CaseId;
use toolgauge_report::html::{
    Cell, Column, Links, Table, comparison_figures, comparison_verdict, contest, name,
};
use toolgauge_report::number::counted;
use toolgauge_report::{Flip, Flips};

use super::judgement::mark;
use crate::background_cache::CacheAnswer;
use crate::compared::Compared;
use crate::conversation::inline_answer;
use crate::index::TrialRow;
use crate::layout::{PageFrame, Section, in_progress, sorry, when};
use crate::library::{Library, LoadProgress, OpenedLog, error_chain};
use crate::log_folder::LogFile;
use crate::parameters::{Link, Parameters};
use crate::site::{Site, missing};

/// The most runs that are compared at once.
const MOST: usize = 12;
/// As many broken and fixed cases as are shown with both answers.
const CHANGES: usize = 15;
/// As much of an answer as is shown there, in bytes.
const ANSWER: usize = 400;

/// Answers with a comparison, or with the choice of what to compare.
pub(crate) async fn page(State(site): State<Site>, parameters: Parameters) -> Response {
    let names: Vec<String> = parameters.all("run").map(str::to_owned).take(MOST).collect();
    if names.len() < 2 {
        return PageFrame::new(Section::Compare, "Compare")
            .with(&choice(&site, &names).await)
            .into_response();
    }
    let mut files = Vec::new();
    for log in &names {
        match site.library.logs().find(log) {
            Some(file) => files.push((log.clone(), file)),
            None => return missing("One of the logs is not in the folder."),
        }
    }
    match compare(&site, files).await {
        CacheAnswer::Ready(compared) => {
            let mut opened = Vec::new();
            // Of many runs only the figures are compared here.
            for log in names.iter().take(if names.len() == 2 { 2 } else { 0 }) {
                match site.open(log).await {
                    Ok(log) => opened.push(log),
                    Err(page) => return *page,
                }
            }
            let title = format!("Comparison of {}", compared.subjects().join(" and "));
            PageFrame::new(Section::Compare, title)
                .with(&content(&names, &compared, &opened))
                .into_response()
        }
        CacheAnswer::Making(progress) => {
            in_progress(Section::Compare, "Comparison", "The runs are being compared.", &progress)
        }
        CacheAnswer::Failed(why) => {
            sorry(StatusCode::UNPROCESSABLE_ENTITY, "These runs cannot be compared", &why)
        }
    }
}

async fn compare(site: &Site, files: Vec<(String, LogFile)>) -> CacheAnswer<Compared> {
    let stamped = files.iter().map(|(name, file)| format!("{name}\n{}", file.stamp.version()));
    let key = stamped.collect::<Vec<_>>().join("\n");
    let library: Arc<Library> = site.library.clone();
    let make = move |progress: &LoadProgress| {
        let _alone = library.one_at_a_time();
        let files = files.iter().map(|(_, file)| file);
        Compared::of(files, library.graded(), progress).map_err(|error| error_chain(&error))
    };
    site.comparisons.get(&key, make).await
}

fn content(names: &[String], compared: &Compared, opened: &[Arc<OpenedLog>]) -> Markup {
    html! {
        @match compared {
            Compared::Two(found) => {
                h1 { (against(&compared.subjects())) }
                p.act {
                    a href=(with_runs("/compare", names.iter().rev())) { "Swap A and B" } " · "
                    a href=(with_runs("/compare/cases", names)) { "Every case in both runs" }
                }
                (comparison_verdict(found, &ComparisonLinks { names }))
                @if let [a, b] = opened { (changes(names, &found.flips, [a, b])) }
                h2 #figures { "Figures" }
                (comparison_figures(found, "differences-chart"))
            }
            Compared::Several(Some(found)) => {
                h1 { "Comparison of " (names.len()) " runs" }
                p.act { a href=(with_runs("/compare/cases", names)) { "Every case in all runs" } }
                h2 { "Ranks" }
                (contest(found, &ComparisonLinks { names }))
            }
            Compared::Several(None) => {
                h1 { "Comparison" }
                p { "The runs share fewer than two scored cases." }
                (legend(names))
            }
        }
    }
}

/// Whom a comparison of two is about: the one that is judged first.
fn against(subjects: &[String]) -> Markup {
    html! {
        @for (place, subject) in subjects.iter().rev().enumerate() {
            @if place > 0 { " against " }
            (name(subject))
        }
    }
}

fn legend(names: &[String]) -> Markup {
    html! {
        ol.legend type="A" {
            @for log in names { li { a href=(Link::run(log, "")) { (name(log)) } } }
        }
    }
}

/// A page about these runs.
pub(super) fn with_runs<'a>(path: &str, names: impl IntoIterator<Item = &'a String>) -> Link {
    names.into_iter().fold(Link::to(path), |link, log| link.with("run", log))
}

/// The cases that changed, with both answers.
fn changes(names: &[String], flips: &Flips, opened: [&OpenedLog; 2]) -> Markup {
    html! {
        (changed_cases(names, ("broken", flips.broken), &flips.broken_cases, opened))
        (changed_cases(names, ("fixed", flips.fixed), &flips.fixed_cases, opened))
        @if flips.broken + flips.fixed == 0 { p { "No case passes in one run and fails in the other." } }
    }
}

fn changed_cases(
    names: &[String],
    (kind, all): (&str, usize),
    cases: &[Flip],
    opened: [&OpenedLog; 2],
) -> Markup {
    let headings = ["asked", "A", "B"].map(Column::words);
    let table = Table::new(&format!("Cases that are {kind}"))
        .of_class("changes")
        .stacked()
        .with([Column::words("case").naming_rows()])
        .with(headings);
    let rows = cases.iter().take(CHANGES).map(|flip| {
        let id = flip.case.as_str();
        let link = with_runs("/compare/case", names).with("id", id);
        let row = opened[0].index.of_case(id).first().copied();
        let asked = row.map(|row| name(opened[0].index.overview(row).sentence));
        let [a, b] = opened.map(|log| Cell::of(case_answer(log, id)));
        [Cell::of(html! { a href=(link) { (name(id)) } }), Cell::maybe(asked), a, b]
    });
    html! {
        @if !cases.is_empty() {
            section {
                h2 id=(kind) { (counted(all, "case")) " " (kind) }
                (table.rows(rows))
                @if all > CHANGES {
                    p { a href=(with_runs("/compare/cases", names).with("show", kind)) { "All " (all) " that are " (kind) } }
                }
            }
        }
    }
}

/// What a run answered in a case, by its worst trial.
fn case_answer(opened: &OpenedLog, id: &str) -> Markup {
    let rows = opened.index.of_case(id);
    let worst = rows.into_iter().min_by(|one, other| {
        let value = |row: &TrialRow| opened.index.overview(*row).value.unwrap_or(f32::INFINITY);
        value(one).total_cmp(&value(other))
    });
    let trial = worst.and_then(|row| opened.trial(row).ok());
    html! { @if let Some(trial) = trial { (mark(opened.graded.standing_of(&trial))) (inline_answer(&trial, ANSWER)) } }
}

/// The form to choose runs by.
async fn choice(site: &Site, chosen: &[String]) -> Markup {
    let mut logs = site.library.list().await;
    logs.reverse();
    html! {
        h1 { "Compare" }
        @if logs.len() < 2 {
            p { "There are fewer than two runs in the folder. Run the suite once more, with another model or after a change:" }
            p { code { "toolgauge run --log-dir " (name(&site.library.logs().path().display().to_string())) } }
        }
        p { "A is the run from before, B the new one. C and D are compared with A too." }
        form.choice method="get" action=(Link::to("/compare")) {
            @for (place, letter) in ["A", "B", "C", "D"].into_iter().enumerate() {
                label {
                    span {
                        (letter)
                        @match place { 0 => ": the run from before", 1 => ": the new run", _ => " (optional)" }
                    }
                    select name="run" required[place < 2] {
                        option value="" { "choose a run" }
                        @for log in &logs {
                            option value=(log.name) selected[chosen.get(place) == Some(&log.name)] {
                                @match &log.brief {
                                    Some(Ok(brief)) => {
                                        (toolgauge_report::harmless::line(&brief.suite)) " · "
                                        (toolgauge_report::harmless::line(&brief.subject))
                                        @if let Some(variant) = &brief.variant {
                                            " · " (toolgauge_report::harmless::line(variant))
                                        }
                                        " · " (when(brief.created))
                                    }
                                    _ => (toolgauge_report::harmless::line(&log.name)),
                                }
                            }
                        }
                    }
                }
            }
            p.actions {
                button.plain { "Compare" } " "
                button.plain formaction=(Link::to("/compare/cases")) { "Show their cases side by side" }
            }
        }
    }
}

/// Runs lead to their pages, pairs to their comparison, flipped cases to both transcripts.
struct ComparisonLinks<'a> {
    names: &'a [String],
}

impl ComparisonLinks<'_> {
    /// The log that goes by a letter.
    fn log(&self, letter: &str) -> Option<&String> {
        let place = letter.bytes().next()?.checked_sub(b'A')?;
        self.names.get(usize::from(place))
    }
}

impl Links for ComparisonLinks<'_> {
    fn run(&self, letter: &str) -> Option<String> {
        Some(Link::run(self.log(letter)?, "").href())
    }

    fn pair(&self, a: &str, b: &str) -> Option<String> {
        let link = Link::to("/compare").with("run", self.log(a)?).with("run", self.log(b)?);
        Some(link.href())
    }

    fn case(&self, case: &CaseId) -> Option<String> {
        Some(with_runs("/compare/case", self.names).with("id", case.as_str()).href())
    }
}
