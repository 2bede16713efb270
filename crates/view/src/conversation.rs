//! A conversation as a conversation: who said what, who called what, what came back.

use maud::{Markup, html};
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Message, Run, ToolCall, Trial};
use toolgauge_report::harmless;
use toolgauge_report::html::{Tone, badge, block, name, tool_answer};

use toolgauge_report::json_text::indented;

/// As much of one message as is shown.
const MESSAGE: usize = 20_000;
/// As much of one call's arguments as is shown.
const ARGUMENTS: usize = 8_000;
/// As many messages as are shown.
const MESSAGES: usize = 400;

/// Everything said in a trial, from the system prompt on.
pub(crate) fn conversation(run: &Run, trial: &Trial) -> Markup {
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
            @for message in all.take(MESSAGES) { (message_item(message)) }
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

/// One message.
fn message_item(message: &Message) -> Markup {
    match message {
        Message::System { content } => spoken("system", "system", content),
        Message::User { content } => spoken("user", "user", content),
        Message::Assistant(message) => answered(message),
        Message::Tool(message) => html! {
            li class={ "said tool" @if message.failed { " failed" } } {
                p.who {
                    "answer of " (name(&message.name))
                    @if message.failed { " " (badge(Tone::Bad, "failed")) }
                }
                (tool_answer(&message.content, MESSAGE))
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

fn answered(message: &AssistantMessage) -> Markup {
    html! {
        li.said.assistant {
            p.who { "subject" }
            @if let Some(reasoning) = message.reasoning.as_ref().filter(|text| !text.is_empty()) {
                details {
                    summary { "reasoning, " (harmless::size(reasoning.len())) }
                    div.inside { (block(reasoning, MESSAGE)) }
                }
            }
            @if !message.content.is_empty() { (block(&message.content, MESSAGE)) }
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
