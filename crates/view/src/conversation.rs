//! A conversation as a conversation: who said what, who called what, what came back.

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Message, Run, ToolCall, Trial};
use toolgauge_report::html::{Tone, badge, block, laid_out, name};
use toolgauge_report::{call_in_words, harmless};

use toolgauge_report::json_text::indented;

use crate::json_tree::json_tree;
use crate::markdown::markdown;

/// As much of one message as is shown.
const MESSAGE: usize = 20_000;
/// As much of one call's arguments as is shown.
const ARGUMENTS: usize = 8_000;
/// Longer answers of tools are text: to read them as JSON takes too long.
const JSON: usize = 200_000;
/// Shorter ones are read at a glance.
const SHORT_JSON: usize = 90;
/// As many messages as are shown.
const MESSAGES: usize = 400;

/// How words are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordForm {
    /// As they were written.
    Plain,
    /// With their Markdown laid out.
    Markdown,
}

/// Everything said in a trial, from the system prompt on.
pub(crate) fn conversation(run: &Run, trial: &Trial, form: WordForm) -> Markup {
    let all = trial.case.input.iter().chain(&trial.transcript.messages);
    let count = trial.case.input.len() + trial.transcript.messages.len();
    html! {
        @if let Some(prompt) = &run.system_prompt {
            details.said.system {
                summary.who { "system, the same for every case" }
                div.inside { (block(prompt, MESSAGE)) }
            }
        }
        ol.conversation {
            @for message in all.take(MESSAGES) { (message_item(message, form)) }
        }
        @if count > MESSAGES {
            p.left-out { "… and " (count - MESSAGES) " more messages" }
        }
        @if trial.transcript.messages.is_empty() {
            p.note { "The subject said nothing." }
        }
        @if let Some(failure) = &trial.transcript.failure {
            p { (badge(Tone::Caution, failure.kind.name())) " " (name(&failure.message)) }
        }
    }
}

/// As many calls as are shown where an answer stands among others.
const CALLS_IN_LINE: usize = 4;

/// What a trial came to, to stand beside others: its calls and its last words, at most so many
/// bytes of each.
pub(crate) fn inline_answer(trial: &Trial, most: usize) -> Markup {
    let text = trial.transcript.final_text().trim();
    let (shown, left_out) = harmless::beginning(text, most);
    let calls = trial.transcript.calls().count();
    html! {
        div.answer {
            @for call in trial.transcript.calls().take(CALLS_IN_LINE) {
                // As the list of cases writes calls; JSON without spaces would break within words.
                code.call-line dir="auto" { (harmless::line_within(&call_in_words(call), most)) }
            }
            @if calls > CALLS_IN_LINE { span.note { "and " (calls - CALLS_IN_LINE) " more calls" } }
            @if !shown.is_empty() {
                span.words dir="auto" { (harmless::block(shown)) @if left_out > 0 { "…" } }
            }
            @if shown.is_empty() && calls == 0 {
                @match &trial.transcript.failure {
                    Some(failure) => span.words { (failure.kind.name()) ": " (name(&failure.message)) },
                    None => span.note { "nothing" },
                }
            }
        }
    }
}

/// One message.
fn message_item(message: &Message, form: WordForm) -> Markup {
    match message {
        Message::System { content } => spoken("system", "system", content),
        Message::User { content } => spoken("user", "user", content),
        Message::Assistant(message) => answered(message, form),
        Message::Tool(message) => html! {
            li class={ "said tool" @if message.failed { " failed" } } {
                p.who {
                    "answer of " (name(&message.name))
                    @if message.failed { " " (badge(Tone::Bad, "failed")) }
                }
                (returned(&message.content))
            }
        },
    }
}

fn spoken(class: &str, who: &str, content: &str) -> Markup {
    html! {
        li class={ "said " (class) } {
            p.who { (who) }
            (block(content, MESSAGE))
        }
    }
}

/// What a tool answered: a table or passages, JSON as a tree, or else its text.
fn returned(content: &str) -> Markup {
    if let Some(answer) = laid_out(content, MESSAGE) {
        return answer;
    }
    let is_json = content.len() <= JSON && content.trim_start().starts_with(['{', '[']);
    let value = is_json.then(|| serde_json::from_str::<Value>(content).ok()).flatten();
    html! {
        @match value {
            Some(value) if content.len() > SHORT_JSON => {
                (json_tree(&value, 1))
                details.as-text { summary { "as text" } div.inside { (block(content, MESSAGE)) } }
            }
            _ => (block(content, MESSAGE)),
        }
    }
}

fn answered(message: &AssistantMessage, form: WordForm) -> Markup {
    html! {
        li.said.assistant {
            p.who { "subject" }
            @if let Some(reasoning) = message.reasoning.as_ref().filter(|text| !text.is_empty()) {
                details {
                    summary { "reasoning, " (harmless::size(reasoning.len())) }
                    div.inside { (block(reasoning, MESSAGE)) }
                }
            }
            @if !message.content.is_empty() {
                @match form {
                    WordForm::Plain => (block(&message.content, MESSAGE)),
                    WordForm::Markdown => (markdown(&message.content)),
                }
            }
            @if message.content.is_empty() && message.calls.is_empty() {
                p.note { "(nothing)" }
            }
            @for call in message.calls.iter().take(MESSAGES) { (called(call)) }
        }
    }
}

/// A call as it was made.
fn called(call: &ToolCall) -> Markup {
    html! {
        div.call {
            p.who {
                "calls " code { (name(&call.name)) }
                @if call.origin == CallOrigin::Text { " " (badge(Tone::Caution, "written as text")) }
            }
            @match &call.arguments {
                Arguments::Object(object) => {
                    @let (text, cut) = indented(object, ARGUMENTS);
                    pre.text { (text) @if cut { "\n…" } }
                }
                Arguments::Malformed { raw, why } => {
                    p { (badge(Tone::Bad, "malformed")) " " (name(&why.to_string())) }
                    (block(raw, ARGUMENTS))
                }
            }
        }
    }
}
