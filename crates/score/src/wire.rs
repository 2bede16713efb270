//! The wire scorer: can a program that offers tools use this reply, whatever it says?

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{
    AssistantMessage, Cause, Dimension, Loss, Message, Outcome, Score, StopReason, ToolCall,
    Verdict,
};

use crate::call_loss::at_made;
use crate::evidence::Evidence;
use crate::explanation;
use crate::tool_call::unscored;

/// Judges whether replies can be used as they came: every call has an identifier and arguments
/// that parse, the tool is offered under that very name, the server says why it stopped, and the
/// text holds neither calls nor thoughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireScorer;

/// Marks that servers leave in the text when they do not understand a model's own notation.
const LEFT_OVERS: [&str; 5] = ["<think>", "</think>", "<tool_call>", "<|", "[TOOL_CALLS]"];

impl WireScorer {
    /// Judges every reply of a transcript.
    pub fn score(&self, evidence: &Evidence<'_>) -> Outcome {
        if let Some(reason) = unscored(evidence.transcript) {
            return Outcome::Unscored(reason);
        }
        let calls: Vec<&ToolCall> =
            // Calls in the text have neither identifier nor arguments of their own; `content`
            // judges them.
            evidence.transcript.calls().filter(|call| call.origin.is_structured()).collect();
        let checks = [
            ("call_ids", ids(&calls)),
            ("arguments_json", arguments(&calls)),
            ("tool_names", names(evidence, &calls)),
            ("finish_reason", finish(evidence)),
            ("content", Some(content(evidence))),
        ];
        let mut dimensions = IndexMap::new();
        let mut losses = Vec::new();
        for (name, check) in checks {
            let verdict = match &check {
                None => Verdict::NotApplicable,
                Some(found) => Verdict::of(found.is_empty()),
            };
            dimensions.insert(Dimension::named(name), verdict);
            losses.extend(check.into_iter().flatten());
        }
        Outcome::Scored(scored(dimensions, losses))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of losses")]
fn scored(dimensions: IndexMap<Dimension, Verdict>, mut losses: Vec<Loss>) -> Score {
    let value = if losses.is_empty() { 1.0 } else { 0.0 };
    let share = 1.0 / losses.len().max(1) as f64;
    for loss in &mut losses {
        loss.points = share;
    }
    let explanation =
        if losses.is_empty() { String::from("correct") } else { explanation::of(&losses) };
    Score { value, dimensions, losses, explanation, ..Score::default() }
}

/// Losses of one check; `None` when there is nothing to check.
type Check = Option<Vec<Loss>>;

fn ids(calls: &[&ToolCall]) -> Check {
    let missing = |call: &&&ToolCall| call.id.as_deref().is_none_or(str::is_empty);
    (!calls.is_empty()).then(|| {
        let missing = calls.iter().filter(missing);
        missing.map(|call| wanted(at_made(Cause::MalformedCall, call, 0.0), "an id")).collect()
    })
}

fn arguments(calls: &[&ToolCall]) -> Check {
    let broken = |call: &&&ToolCall| call.arguments.as_object().is_none();
    (!calls.is_empty()).then(|| {
        let broken = calls.iter().filter(broken);
        broken.map(|call| wanted(at_made(Cause::MalformedCall, call, 0.0), "JSON")).collect()
    })
}

/// A tool that lost its prefix is not found, however right the rest is.
fn names(evidence: &Evidence<'_>, calls: &[&ToolCall]) -> Check {
    if calls.is_empty() || evidence.tools.is_empty() {
        return None;
    }
    let offered = |name: &str| evidence.tools.iter().any(|tool| tool.name == name);
    let mut losses = Vec::new();
    for call in calls.iter().filter(|call| !offered(&call.name)) {
        let mut loss = at_made(Cause::UndeclaredTool, call, 0.0);
        // Clients put the name of a server before that of its tool, divided by two underscores.
        let end = format!("__{}", call.name);
        let meant = evidence.tools.iter().find(|tool| tool.name.ends_with(&end));
        loss.expected = meant.map(|tool| Value::from(tool.name.as_str()));
        losses.push(loss);
    }
    Some(losses)
}

/// The finish reason of each turn must fit its message, where a server tells one.
fn finish(evidence: &Evidence<'_>) -> Check {
    let said: Vec<&AssistantMessage> = assistant_messages(evidence).collect();
    let turns = evidence.transcript.turns.iter().zip(said);
    let told: Vec<_> = turns.filter(|(turn, _)| turn.stop != StopReason::Unknown).collect();
    if told.is_empty() {
        return None;
    }
    let wrong = told.into_iter().filter_map(|(turn, message)| {
        let called = message.calls.iter().any(|call| call.origin.is_structured());
        let (fits, words) = match (called, turn.stop) {
            // Several servers say `stop` with calls, and callers look at the calls alone.
            (true, StopReason::ToolCalls) | (_, StopReason::Stop) => (true, ""),
            (true, _) => (false, "tool_calls"),
            (false, _) => (false, "stop"),
        };
        let loss = || wanted(Loss::new(Cause::WrongResponseKind, 0.0), words);
        (!fits).then(loss)
    });
    Some(wrong.collect())
}

/// Text that would be read aloud though it was meant for the server.
fn content(evidence: &Evidence<'_>) -> Vec<Loss> {
    let mut losses = Vec::new();
    for message in assistant_messages(evidence) {
        let in_text = message.calls.iter().filter(|call| !call.origin.is_structured());
        losses.extend(in_text.map(|call| at_made(Cause::CallInText, call, 0.0)));
        if let Some(mark) = LEFT_OVERS.iter().find(|mark| message.content.contains(**mark)) {
            let mut loss = Loss::new(Cause::CallInText, 0.0);
            loss.actual = Some(Value::from(*mark));
            losses.push(loss);
        }
    }
    losses
}

fn assistant_messages<'a>(evidence: &Evidence<'a>) -> impl Iterator<Item = &'a AssistantMessage> {
    evidence.transcript.messages.iter().filter_map(|message| match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    })
}

fn wanted(mut loss: Loss, what: &str) -> Loss {
    loss.expected = Some(Value::from(what));
    loss
}
