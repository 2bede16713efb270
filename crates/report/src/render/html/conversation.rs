//! What was said and called, as a conversation.

use maud::{Markup, html};
use serde::Serialize;
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Message, ToolCall, ToolMessage};

use super::text::{badge, block, name};
use super::tool_answer::tool_answer;
use crate::json_text::indented;
use crate::render::tone::Tone;

/// How many bytes of one text are shown at most.
const MOST_OF_ONE: usize = 4_000;

/// How many messages and calls of one message are shown at most.
const MOST_MESSAGES: usize = 60;
const MOST_CALLS: usize = 30;

/// A conversation, at most about so many bytes of it.
pub fn conversation(messages: &[Message], most: usize) -> Markup {
    let mut left = most;
    let mut shown = 0;
    let mut parts = Vec::new();
    for said in messages.iter().take(MOST_MESSAGES) {
        if left == 0 {
            break;
        }
        let part = message(said, left.min(MOST_OF_ONE));
        left = left.saturating_sub(part.0.len());
        parts.push(part);
        shown += 1;
    }
    html! {
        div.conversation {
            @for part in &parts { (part) }
            @if messages.len() > shown {
                p.left-out { "… and " (messages.len() - shown) " more messages" }
            }
        }
    }
}

fn message(message: &Message, most: usize) -> Markup {
    match message {
        Message::System { content } => said("system", "instructions", &block(content, most)),
        Message::User { content } => said("user", "user", &block(content, most)),
        Message::Assistant(message) => said("assistant", "assistant", &answer(message, most)),
        Message::Tool(message) => tool_said(message, most),
    }
}

fn said(class: &str, who: &str, what: &Markup) -> Markup {
    html! { div class={ "said " (class) } { div.who { (who) } (what) } }
}

fn answer(message: &AssistantMessage, most: usize) -> Markup {
    html! {
        @if let Some(reasoning) = &message.reasoning {
            details { summary { "reasoning" } div.inside { (block(reasoning, most)) } }
        }
        @if !message.content.is_empty() { (block(&message.content, most)) }
        @for made in message.calls.iter().take(MOST_CALLS) { (call(made, most)) }
        @if message.calls.len() > MOST_CALLS {
            p.left-out { "… and " (message.calls.len() - MOST_CALLS) " more calls" }
        }
        @if message.content.is_empty() && message.calls.is_empty() { p.note { "nothing" } }
    }
}

fn call(call: &ToolCall, most: usize) -> Markup {
    html! {
        div.call {
            code { (name(&call.name)) }
            @if call.origin == CallOrigin::Text { " " (badge(Tone::Caution, "written as text")) }
            @match &call.arguments {
                Arguments::Object(arguments) => (json_block(arguments, most)),
                Arguments::Malformed { raw, why } => {
                    " " (badge(Tone::Bad, "malformed")) " " (name(&why.to_string()))
                    (block(raw, most))
                },
            }
        }
    }
}

fn tool_said(message: &ToolMessage, most: usize) -> Markup {
    html! {
        div class=(if message.failed { "said tool failed" } else { "said tool" }) {
            div.who {
                "tool " code { (name(&message.name)) }
                @if message.failed { " " (badge(Tone::Bad, "failed")) }
            }
            (tool_answer(&message.content, most))
        }
    }
}

/// A value as indented JSON, at most so many bytes of it.
pub fn json_block(value: &impl Serialize, most: usize) -> Markup {
    let (text, cut) = indented(value, most);
    html! {
        (block(&text, usize::MAX))
        @if cut { p.left-out { "… and more" } }
    }
}
