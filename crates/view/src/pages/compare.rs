//! Two or more runs compared.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::CaseId;
use toolgauge_report::html::{Links, comparison, contest, name};

use crate::background_cache::CacheAnswer;
use crate::compared::Compared;
use crate::layout::{PageFrame, Section, in_progress, sorry, when};
use crate::library::{Library, LoadProgress, error_chain};
use crate::log_folder::LogFile;
use crate::parameters::{Link, Parameters};
use crate::site::{Site, missing};

/// The most runs that are compared at once.
const MOST: usize = 12;

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
            let title = format!("Comparison of {}", compared.subjects().join(" and "));
            PageFrame::new(Section::Compare, title)
                .with(&content(&names, &compared))
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
        Compared::of(files, progress).map_err(|error| error_chain(&error))
    };
    site.comparisons.get(&key, make).await
}

fn content(names: &[String], compared: &Compared) -> Markup {
    html! {
        h1 { "Comparison" }
        @match compared {
            Compared::Two(found) => {
                h2 { (against(&compared.subjects())) }
                (swapped(names))
                (comparison(found, &ComparisonLinks { names }, "differences-chart"))
            }
            Compared::Several(Some(found)) => { h2 { "Ranks" } (contest(found, &ComparisonLinks { names })) }
            Compared::Several(None) => {
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

fn swapped(names: &[String]) -> Markup {
    let link = names.iter().rev().fold(Link::to("/compare"), |link, log| link.with("run", log));
    html! { p.act { a href=(link) { "Swap A and B" } } }
}

/// The form to choose runs by.
async fn choice(site: &Site, chosen: &[String]) -> Markup {
    let mut logs = site.library.list().await;
    logs.reverse();
    html! {
        h1 { "Compare" }
        p { "Choose the run to compare with (A), and then one or more to judge by it." }
        form.choice method="get" action="/compare" {
            @for (place, letter) in ["A", "B", "C", "D"].into_iter().enumerate() {
                label {
                    span {
                        (letter)
                        @match place { 0 => ", to compare with", 1 => ", to judge", _ => ", if you like" }
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
            button.plain { "Compare" }
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
        let link = Link::to("/compare/case");
        let link = self.names.iter().fold(link, |link, log| link.with("run", log));
        Some(link.with("id", case.as_str()).href())
    }
}
