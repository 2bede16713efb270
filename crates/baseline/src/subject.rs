//! The subject itself: a turn in, calls or a sentence out.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};
use toolgauge_core::{
    Answer, AssistantMessage, Briefing, Message, Reply, Request, StopReason, Subject,
    SubjectIdentity, Timings, Tool, ToolCall, ToolMessage, Turn,
};

use crate::findings;
use crate::index::ToolIndex;
use crate::inquiry;
use crate::memory::Memory;
use crate::names::Names;
use crate::request::{Decision, decide};

/// The name the baseline goes by.
const NAME: &str = "baseline";

/// How much of a tool's answer is repeated.
const MAX_REPEATED: usize = 240;

/// The embedded default subject.
#[derive(Debug, Default)]
pub struct BaselineSubject {
    tools: Memory<[Tool], ToolIndex>,
    prompts: Memory<str, Names>,
}

impl BaselineSubject {
    /// A baseline that has not seen any tools yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a conversation: with calls, or with text where it has no call to make.
    pub fn respond(&self, briefing: &Briefing, conversation: &[Message]) -> AssistantMessage {
        // Only the answers since the last turn; earlier ones have been told already.
        let answered = conversation.iter().rev().map_while(|message| match message {
            Message::Tool(message) => Some(message),
            _ => None,
        });
        let answered: Vec<&ToolMessage> = answered.collect();
        let said = conversation.iter().rev().find_map(|message| match message {
            Message::User { content } => Some(content.as_str()),
            _ => None,
        });
        let said = said.unwrap_or_default();
        if answered.is_empty() {
            return self.decide(briefing, said, calls_so_far(conversation));
        }
        let index = self.tools.recall(&briefing.tools, ToolIndex::new);
        let Some(inquiry) = &index.inquiry else { return text(repeat(&answered)) };
        if let Some(answer) = inquiry::answer(said, &answered) {
            return text(answer);
        }
        let used = used_since_asked(conversation);
        let planned = inquiry.plan_again(said, &used, &index.tools);
        if planned.is_empty() {
            return text(inquiry::NOTHING_FOUND);
        }
        calling(&index, planned, calls_so_far(conversation))
    }

    fn decide(&self, briefing: &Briefing, request: &str, so_far: usize) -> AssistantMessage {
        let index = self.tools.recall(&briefing.tools, ToolIndex::new);
        let names = match &briefing.system {
            Some(system) => self.prompts.recall(system, Names::new),
            None => Arc::default(),
        };
        match decide(&index, &names, request) {
            Decision::Call(calls) => calling(&index, calls, so_far),
            Decision::AskBack => text("What exactly would you like me to do?"),
            Decision::Greet => text("Hello, what can I do for you?"),
            Decision::Decline => text("Sorry, I cannot help with that."),
        }
    }
}

impl Subject for BaselineSubject {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity { name: NAME.into(), provider: NAME.into(), base_url: None }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(async move {
            let begun = Instant::now();
            let message = self.respond(request.briefing, request.conversation);
            let done = message.calls.is_empty();
            let stop = if done { StopReason::Stop } else { StopReason::ToolCalls };
            let timings = Timings { total: begun.elapsed(), ..Timings::default() };
            let turn =
                Turn { model: Some(NAME.into()), timings, stop, attempts: 1, ..Turn::default() };
            Ok(Reply::new(message, turn))
        })
    }
}

fn text(content: impl Into<String>) -> AssistantMessage {
    AssistantMessage { content: content.into(), ..AssistantMessage::default() }
}

/// A message that calls these tools, after so many calls before.
fn calling(
    index: &ToolIndex,
    calls: Vec<(usize, Map<String, Value>)>,
    so_far: usize,
) -> AssistantMessage {
    let calls = calls.into_iter().enumerate().map(|(at, (tool, arguments))| {
        let call = ToolCall::new(&index.tools[tool].name, arguments);
        ToolCall { id: Some(format!("call_{}", so_far + at + 1)), ..call }
    });
    AssistantMessage { calls: calls.collect(), ..AssistantMessage::default() }
}

/// The tools that were used since the last question.
fn used_since_asked(conversation: &[Message]) -> Vec<&str> {
    let since = conversation.iter().rev().take_while(|m| !matches!(m, Message::User { .. }));
    let calls = since.filter_map(|message| match message {
        Message::Assistant(message) => Some(&message.calls),
        _ => None,
    });
    calls.flatten().map(|call| call.name.as_str()).collect()
}

fn calls_so_far(conversation: &[Message]) -> usize {
    let calls = conversation.iter().map(|message| match message {
        Message::Assistant(message) => message.calls.len(),
        _ => 0,
    });
    calls.sum()
}

/// Repeats in brief what tools answered, the first one first. JSON is for programs: nobody wants
/// it read aloud, so that only its success is told.
fn repeat(answered: &[&ToolMessage]) -> String {
    let sentences = answered.iter().rev().map(|message| {
        let content = message.content.trim();
        let opening =
            if findings::reports_error(message) { "Sorry, that did not work" } else { "Done" };
        if content.is_empty() || content.starts_with(['{', '[']) {
            return format!("{opening}.");
        }
        let said: String = content.chars().take(MAX_REPEATED).collect();
        format!("{opening}: {said}")
    });
    sentences.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
