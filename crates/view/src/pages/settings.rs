//! How a run was made: the settings, the prompt, the tools.

use axum::response::Response;
use maud::{Markup, html};
use toolgauge_report::harmless;
use toolgauge_report::html::{Cell, Table, block, name};
use toolgauge_report::json_text::indented;

use super::run::{RunTab, run_page};
use crate::layout::when;
use crate::library::OpenedLog;
use crate::site::NamedLog;

/// Answers with the settings of a run.
pub(crate) async fn page(NamedLog(opened): NamedLog) -> Response {
    run_page(&opened, RunTab::Settings, &content(&opened))
}

fn content(opened: &OpenedLog) -> Markup {
    let run = opened.run();
    let (text, cut) = indented(&run.settings, 20_000);
    html! {
        section { h2 { "How it was run" } (facts(opened)) }
        section {
            h2 #settings { "Settings" }
            @if run.settings.is_empty() { p { "The log holds no settings." } }
            @else { pre.text tabindex="0" role="group" aria-label="Settings" { (text) @if cut { "\n…" } } }
        }
        @if let Some(prompt) = &run.system_prompt {
            section {
                h2 { "System prompt" }
                p.note { (harmless::size(prompt.len())) }
                (block(prompt, 40_000))
            }
        }
        @if !run.tools.is_empty() {
            section {
                h2 { "Tools: " (run.tools.len()) }
                @for tool in run.tools.iter().take(MOST_TOOLS) {
                    @let (text, cut) = indented(&tool.parameters, 10_000);
                    details {
                        summary { code { (name(&tool.name)) } " " (name(&tool.description)) }
                        div.inside { (block(&tool.description, 4_000)) pre.text { (text) @if cut { "\n…" } } }
                    }
                }
                @if run.tools.len() > MOST_TOOLS { p.left-out { "and " (run.tools.len() - MOST_TOOLS) " more" } }
            }
        }
    }
}

/// As many tools as are listed.
const MOST_TOOLS: usize = 200;

fn facts(opened: &OpenedLog) -> Markup {
    let run = opened.run();
    let mut facts = vec![
        ("suite", name(&run.suite.name)),
        ("cases", html! { (run.cases.len()) " of " (run.suite.size) }),
        ("trials of each case", html! { (run.trials) }),
        ("scorers", name(&run.scorers.join(", "))),
        ("subject", html! { (name(&run.subject.name)) " (" (name(&run.subject.provider)) ")" }),
    ];
    if let Some(url) = &run.subject.base_url {
        facts.push(("server", name(url)));
    }
    if let Some(variant) = &run.variant {
        facts.push(("variant", name(variant)));
    }
    facts.push(("started", html! { (when(run.created)) }));
    facts.push((
        "toolgauge",
        html! { (name(&run.program.version)) " (" (name(&run.program.revision)) ")" },
    ));
    facts.push(("run", html! { code { (name(run.id.as_str())) } }));
    facts.push(("suite hash", html! { code { (name(&run.suite.hash)) } }));
    Table::facts("How it was run")
        .rows(facts.into_iter().map(|(fact, value)| [Cell::of(fact), Cell::of(value)]))
}
