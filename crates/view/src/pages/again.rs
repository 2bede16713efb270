//! A case run again: the command on its page, and the run that a visitor starts.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use toolgauge_core::{CaseId, Trial};
use toolgauge_report::html::{Tone, badge, block, name};

use crate::layout::{PageFrame, Section, sorry, when};
use crate::library::OpenedLog;
use crate::parameters::{Link, Parameters};
use crate::rerun::{Rerun, RerunCommand};
use crate::site::{Site, find_trial, missing};

/// The command that runs a case again, and a button where visitors may.
pub(super) fn command(site: &Site, opened: &OpenedLog, trial: &Trial) -> Markup {
    let case = &trial.case.id;
    html! {
        section.again {
            h2 { "Run it again" }
            @match site.rerun_command(opened.run(), case) {
                Some(RerunCommand { arguments, refusal }) => {
                    pre.text.command tabindex="0" role="group" aria-label="Command" { (as_shell_reads(&arguments)) }
                    @if let (Some(why), true) = (&refusal, site.reruns.is_some()) {
                        p.note { "The viewer does not start this: " (name(why)) ". Run it yourself if you trust the log." }
                    } @else if site.reruns.is_some() {
                        form method="post" action=(Link::to("/again")) {
                            input type="hidden" name="token" value=(site.token.as_str());
                            input type="hidden" name="log" value=(opened.name);
                            input type="hidden" name="id" value=(case.as_str());
                            button.plain { "Try again now" }
                        }
                    }
                }
                None => p { "The log does not say how it was run, so that no command can be given." },
            }
        }
    }
}

/// A command as a shell reads it.
pub(super) fn as_shell_reads(arguments: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+".contains(c);
    let quoted = arguments.iter().map(|argument| {
        if !argument.is_empty() && argument.chars().all(plain) {
            argument.clone()
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    });
    let words: Vec<String> = std::iter::once("toolgauge".to_owned()).chain(quoted).collect();
    toolgauge_report::harmless::line_within(&words.join(" "), 4_000).into_owned()
}

/// Runs a case again.
pub(crate) async fn start(State(site): State<Site>, body: Bytes) -> Response {
    let form = Parameters::read(&body);
    let Some(reruns) = site.reruns.clone() else {
        let why = "The viewer was not started with `--allow-run`.";
        return sorry(StatusCode::FORBIDDEN, "Not run", why);
    };
    if !form.get("token").is_some_and(|token| site.token.is(token)) {
        let why = "The form is of an earlier start of the viewer, or of another site. Load the \
                   page again.";
        return sorry(StatusCode::FORBIDDEN, "Not run", why);
    }
    let opened = match site.open(form.get("log").unwrap_or_default()).await {
        Ok(opened) => opened,
        Err(page) => return *page,
    };
    // Only a case that the log has: its id goes into a command.
    let Some(row) = find_trial(&opened, &form) else {
        return missing("The log has no such trial.");
    };
    let case = CaseId::new(opened.index.case(row));
    let Some(RerunCommand { mut arguments, refusal }) = site.rerun_command(opened.run(), &case)
    else {
        return missing("The log does not say how it was run.");
    };
    if let Some(why) = refusal {
        return sorry(StatusCode::FORBIDDEN, "Not run", &why);
    }
    let folder = site.library.logs().path().to_string_lossy().into_owned();
    arguments.extend(["--log-dir".to_owned(), folder]);
    if !reruns.begin(&opened.name, case.as_str()) {
        let why = "Another case is being run. Its page shows when it is done.";
        return sorry(StatusCode::CONFLICT, "Not run", why);
    }
    tokio::spawn(async move { reruns.run(arguments).await });
    Redirect::to(&Link::to("/again").href()).into_response()
}

/// Answers with the run that was started last.
pub(crate) async fn page(State(site): State<Site>) -> Response {
    let Some(run) = site.reruns.as_ref().and_then(|reruns| reruns.last()) else {
        return missing("No case was run again since the viewer was started.");
    };
    let content = html! {
        nav.trail aria-label="Where you are" {
            a href=(Link::to("/")) { "Runs" } " / "
            a #up href=(Link::run(&run.log, "/case").with("id", run.case.as_str())) { (name(&run.case)) } " / " span { "run again" }
        }
        h1 { "Run again: " (name(&run.case)) }
        div #again data-swap { (state(&site, &run).await) }
    };
    let version = format!("{}-{:?}", run.output.len(), run.ended);
    let mut page = PageFrame::new(Section::Runs, "Run again");
    if run.ended.is_none() {
        page = page.live(Link::to("/again/live"), version).restless(true);
    }
    page.with(&content).into_response()
}

async fn state(site: &Site, run: &Rerun) -> Markup {
    html! {
        p {
            @match &run.ended {
                None => (badge(Tone::Caution, "running")),
                Some(Ok(0 | 1 | 3)) => (badge(Tone::Good, "done")),
                Some(Ok(status)) => (badge(Tone::Bad, &format!("ended with status {status}"))),
                Some(Err(why)) => { (badge(Tone::Bad, "not started")) " " (name(why)) }
            }
            " started " (when(run.started))
        }
        @if run.ended.is_some() { (results(site, run).await) }
        h2 { "What it prints" }
        @if run.output.is_empty() { p.note { "nothing yet" } } @else { (block(&run.output, 20_000)) }
    }
}

/// The logs that were begun since, with the case.
async fn results(site: &Site, run: &Rerun) -> Markup {
    let mut found = Vec::new();
    for log in site.library.list().await {
        let brief = log.brief.as_ref().and_then(|brief| brief.as_ref().ok());
        if brief.is_some_and(|brief| brief.created >= run.started) {
            found.push(log.name);
        }
    }
    html! {
        @for log in &found {
            p {
                a href=(Link::run(log, "/case").with("id", run.case.as_str())) { "The new answer" } " · "
                a href=(Link::to("/compare/case").with("run", run.log.as_str()).with("run", log).with("id", run.case.as_str())) { "Both answers side by side" }
            }
        }
        @if found.is_empty() { p { "It left no log. What it printed says why." } }
    }
}

/// Says which state would be shown now.
pub(crate) async fn live(State(site): State<Site>) -> Response {
    let run = site.reruns.as_ref().and_then(|reruns| reruns.last());
    let version = run.map(|run| format!("{}-{:?}", run.output.len(), run.ended));
    let told = serde_json::json!({ "version": version });
    ([(axum::http::header::CONTENT_TYPE, "application/json")], told.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_pasted_into_a_shell() {
        let arguments = ["run", "my suite.yaml", "--case", "it's [*]"].map(str::to_owned);
        assert_eq!(
            as_shell_reads(&arguments),
            r"toolgauge run 'my suite.yaml' --case 'it'\''s [*]'"
        );
    }
}
