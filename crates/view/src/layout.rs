//! What every page has around its content: head, navigation, help.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use toolgauge_report::harmless;

use crate::assets::address;
use crate::library::LoadProgress;
use crate::parameters::Link;

/// How long a page waits before it asks again, without scripts, in seconds.
const PAUSE: u32 = 2;

/// A part of the viewer, as the navigation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Runs,
    Compare,
    Feedback,
    Glossary,
}

/// What stands around the content of a page.
#[derive(Clone, Debug)]
pub(crate) struct PageFrame {
    /// The title, of which a part may have been written by others.
    pub(crate) title: String,
    /// Where in the navigation it is.
    pub(crate) part: Section,
    /// Where scripts ask whether something has changed, and what they know now.
    pub(crate) live: Option<(Link, String)>,
    /// Whether it is loaded again by itself where no script asks.
    restless: bool,
}

impl PageFrame {
    /// A page that does not change by itself.
    pub(crate) fn new(part: Section, title: impl Into<String>) -> Self {
        Self { title: title.into(), part, live: None, restless: false }
    }

    /// The same page, which scripts keep up to date.
    #[must_use]
    pub(crate) fn live(mut self, ask: Link, version: String) -> Self {
        self.live = Some((ask, version));
        self
    }

    /// The same page, loaded again by itself without scripts if it is about to change.
    #[must_use]
    pub(crate) fn restless(mut self, restless: bool) -> Self {
        self.restless = restless;
        self
    }

    /// The page with its content.
    pub(crate) fn with(&self, content: &Markup) -> Markup {
        let live = self.live.as_ref();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (harmless::line(&self.title)) " · toolgauge" }
                    link rel="icon" href=(address("icon.svg")) type="image/svg+xml";
                    link rel="stylesheet" href=(address("view.css"));
                    script src=(address("theme.js")) {}
                    script src=(address("view.js")) defer {}
                    @if self.restless {
                        noscript { meta http-equiv="refresh" content=(PAUSE); }
                    }
                }
                body data-live=[live.map(|(ask, _)| ask.href())] data-version=[live.map(|(_, version)| version)] {
                    a.skip href="#main" { "Skip to the content" }
                    header.top { (self.navigation()) }
                    main #main tabindex="-1" { (content) }
                    (help())
                    div #status .unseen role="status" aria-live="polite" {}
                }
            }
        }
    }

    fn navigation(&self) -> Markup {
        let parts = [
            (Section::Runs, "/", "Runs", "r"),
            (Section::Compare, "/compare", "Compare", "c"),
            (Section::Feedback, "/feedback", "Feedback", "f"),
            (Section::Glossary, "/glossary", "Glossary", "w"),
        ];
        html! {
            nav aria-label="Main" {
                strong.brand { "toolgauge" }
                @for (part, path, words, key) in parts {
                    a href=(Link::to(path)) data-key=(key) aria-current=[(part == self.part).then_some("page")] { (words) }
                }
                span.gap {}
                button #help-button .plain .scripted type="button" { "Keys" }
                button #theme-button .plain .scripted type="button" { "Theme" }
            }
        }
    }
}

/// The keys, in a box that scripts open.
fn help() -> Markup {
    let keys = [
        ("j / k", "next and previous: row, case"),
        ("Enter", "open the marked row"),
        ("x", "choose the marked run to compare"),
        ("/", "search"),
        ("u / d", "feedback: thumb up, thumb down"),
        ("c", "feedback: comment"),
        ("Esc", "leave a field; from a case back to its run"),
        ("g r, g c, g f, g w", "go to runs, compare, feedback, glossary"),
        ("t", "light, dark, or as the system has it"),
        ("?", "this list"),
    ];
    html! {
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            table.facts {
                caption.unseen { "Keys and what they do" }
                tbody {
                    @for (key, meaning) in keys {
                        tr { th scope="row" { kbd { (key) } } td { (meaning) } }
                    }
                }
            }
            form method="dialog" { button.plain { "Close" } }
        }
    }
}

/// A page that says that something is not there or cannot be shown.
pub(crate) fn sorry(status: StatusCode, title: &str, why: &str) -> Response {
    let content = html! {
        h1 { (title) }
        // What a program said may have several lines; a sentence of ours is one.
        @if why.contains('\n') { (toolgauge_report::html::block(why, 4000)) } @else { p.why { (harmless::line_within(why, 4000)) } }
        p { a href=(Link::to("/")) { "All runs" } }
    };
    (status, PageFrame::new(Section::Runs, title).with(&content)).into_response()
}

/// A page that is shown while something large is read.
pub(crate) fn in_progress(
    part: Section,
    title: &str,
    doing: &str,
    progress: &LoadProgress,
) -> Response {
    let progress = progress.read();
    let content = html! {
        h1 { (harmless::line(title)) }
        p { (doing) " This page shows it as soon as that is done; it is done once." }
        @match progress {
            Some((done, total)) => {
                label for="progress" { "Trials read" }
                " "
                progress #progress value=(done) max=(total) { (done) " of " (total) }
                " " (toolgauge_report::number::count(done as u64)) " of "
                (toolgauge_report::number::count(total as u64))
            }
            None => p { "Opening the file …" }
        }
    };
    let page =
        PageFrame::new(part, title).live(Link::to("#"), "building".to_owned()).restless(true);
    page.with(&content).into_response()
}

/// A moment, to the minute, in universal time.
pub(crate) fn when(moment: jiff::Timestamp) -> String {
    moment.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
