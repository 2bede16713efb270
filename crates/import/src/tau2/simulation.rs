//! One simulation: a dialogue of an agent with a simulated user.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Case, FailureKind, Message, RecordedVerdict, Tags, Timings, ToolMessage, Transcript,
    TrialFailure, Turn,
};

use super::criteria::expectation;
use crate::ImportedTrial;
use crate::field::{list, name as text, seconds, usage};

/// The trial that a simulation is.
pub(super) fn trial(simulation: &Value, task: &Value) -> ImportedTrial {
    let mut dialogue = Dialogue::default();
    let messages = simulation.get("messages").and_then(Value::as_array);
    messages.into_iter().flatten().for_each(|message| dialogue.add(message));
    let Dialogue { mut messages, mut turns, user_calls, failed, .. } = dialogue;
    // The agent greets, and what the user says first is what it has to answer.
    let asked = messages.iter().position(|message| matches!(message, Message::User { .. }));
    let said = messages.split_off(asked.map_or(0, |asked| asked + 1));
    let timed = turns.iter().any(|turn| !turn.timings.total.is_zero());
    if let (false, Some(turn)) = (timed, turns.last_mut()) {
        turn.timings.total = seconds(simulation.get("duration").and_then(Value::as_f64));
    }
    let id = text(simulation.get("task_id"));
    let own = |key: &str| simulation.get(key).cloned().unwrap_or_default();
    let termination = text(simulation.get("termination_reason"));
    let mut metadata = Map::new();
    let reward = simulation.get("reward_info").unwrap_or(&Value::Null);
    metadata.insert(
        "tau2".into(),
        json!({
            "simulation": own("id"),
            "termination_reason": termination,
            "user_calls": user_calls,
            "failed_calls": {"agent": failed.agent, "user": failed.user},
            "review": review(simulation),
            "checks": {
                "actions": checks(reward, "action_checks", "action_match"),
                "communicate": checks(reward, "communicate_checks", "met"),
            },
            "agent_cost": own("agent_cost"),
            "user_cost": own("user_cost"),
        }),
    );
    let case = Case {
        input: messages,
        expectation: expectation(task),
        tags: tags(task),
        metadata: metadata.into(),
        ..Case::new(id.as_str(), "")
    };
    let mut transcript = Transcript {
        messages: said,
        turns,
        failure: failure(&termination),
        ..Transcript::default()
    };
    transcript.background.recorded.push(verdict(reward, &termination));
    let number = simulation.get("trial").and_then(Value::as_u64).unwrap_or(0);
    let number = u32::try_from(number).unwrap_or(0).saturating_add(1);
    ImportedTrial { case: Arc::new(case), number, transcript }
}

fn tags(task: &Value) -> Tags {
    let mut tags = Tags::new();
    let basis = task.pointer("/evaluation_criteria/reward_basis").and_then(Value::as_array);
    let basis: Vec<&str> = basis.into_iter().flatten().filter_map(Value::as_str).collect();
    if !basis.is_empty() {
        tags.insert("reward_basis".into(), basis.join("+"));
    }
    tags
}

fn checks(reward: &Value, list: &str, key: &str) -> Vec<bool> {
    let checks = reward.get(list).and_then(Value::as_array).into_iter().flatten();
    checks.filter_map(|check| check.get(key)?.as_bool()).collect()
}

/// The reward as τ² recorded it, with its components.
fn verdict(reward: &Value, termination: &str) -> RecordedVerdict {
    let breakdown = reward.get("reward_breakdown").and_then(Value::as_object);
    let mut measures = IndexMap::new();
    for (component, value) in breakdown.into_iter().flatten() {
        if let Some(value) = value.as_f64() {
            measures.insert(component.clone(), value);
        }
    }
    let reason = match termination {
        "user_stop" | "agent_stop" => {
            let lost = measures.iter().filter(|(_, value)| **value < 1.0);
            let lost: Vec<&str> = lost.map(|(component, _)| component.as_str()).collect();
            lost.join(", ")
        }
        other => format!("ended by {other}"),
    };
    let value = reward.get("reward").and_then(Value::as_f64).map(|value| value.clamp(0.0, 1.0));
    RecordedVerdict { scorer: "tau2".into(), value, reason, measures, ..RecordedVerdict::default() }
}

/// Why the simulation ended before it was over, if it did.
fn failure(termination: &str) -> Option<TrialFailure> {
    let (kind, message) = match termination {
        "user_stop" | "agent_stop" | "" => return None,
        "max_steps" => (FailureKind::LimitReached, "the limit on steps was reached"),
        "too_many_errors" => (FailureKind::LimitReached, "the limit on errors was reached"),
        "timeout" => (FailureKind::LimitReached, "the limit on time was reached"),
        "context_window_exceeded" => {
            (FailureKind::LimitReached, "the limit on the context was reached")
        }
        "agent_error" => (FailureKind::Reported, "the agent failed"),
        "user_error" => (FailureKind::Server, "the simulated user failed"),
        other => (FailureKind::Server, other),
    };
    Some(TrialFailure { kind, message: message.to_owned() })
}

/// Whether the user or the agent erred, where τ² had the dialogue reviewed.
fn review(simulation: &Value) -> Value {
    let of = |kind: &str| simulation.get(kind).filter(|review| !has_failed(review));
    let said = |kind: &str, key: &str| of(kind)?.get(key)?.as_bool();
    // One review looks at both sides, the other at the user alone.
    let either = |key: &str| match (said("review", key), said("user_only_review", key)) {
        (None, None) => None,
        (both, user) => Some(both == Some(true) || user == Some(true)),
    };
    let invented = said("hallucination_check", "hallucination_found");
    let user = match (either("user_error"), invented) {
        (None, None) => None,
        (reviewed, invented) => Some(reviewed == Some(true) || invented == Some(true)),
    };
    json!({
        "user": user,
        "critical_user": either("critical_user_error"),
        "agent": said("review", "agent_error"),
    })
}

/// Whether a review could not be read by τ² itself. Then it says that nothing was found, and lists
/// what the reviewing model answered as an error all the same.
fn has_failed(review: &Value) -> bool {
    let found = ["has_errors", "hallucination_found"].iter().find_map(|key| review.get(key));
    found.and_then(Value::as_bool) == Some(false) && !list(review, "errors").is_empty()
}

/// How many calls failed, by who made them.
#[derive(Default)]
struct FailedCalls {
    agent: u32,
    user: u32,
}

/// The messages of a simulation as far as they were read.
#[derive(Default)]
struct Dialogue {
    messages: Vec<Message>,
    turns: Vec<Turn>,
    /// The calls of the simulated user, who has tools as well.
    user_calls: Vec<Value>,
    /// The names of the tools that were called, by the identifiers of the calls.
    called: HashMap<String, String>,
    failed: FailedCalls,
}

impl Dialogue {
    fn add(&mut self, message: &Value) {
        let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        for call in calls {
            self.called.insert(text(call.get("id")), text(call.get("name")));
        }
        match message.get("role").and_then(Value::as_str) {
            Some("tool") => {
                // Several answers may come in one message.
                match message.get("tool_messages").and_then(Value::as_array) {
                    Some(several) => several.iter().for_each(|one| self.answer(one)),
                    None => self.answer(message),
                }
            }
            Some("user") => {
                let calls = message.get("tool_calls").and_then(Value::as_array);
                self.user_calls.extend(calls.into_iter().flatten().map(|call| {
                    let arguments = call.get("arguments").filter(|given| given.is_object());
                    let arguments = arguments.cloned().unwrap_or_else(|| json!({}));
                    json!({"name": text(call.get("name")), "arguments": arguments})
                }));
                self.messages.extend(Message::from_openai(message));
            }
            Some("assistant") => {
                self.messages.extend(Message::from_openai(message));
                self.turns.push(turn(message));
            }
            _ => self.messages.extend(Message::from_openai(message)),
        }
    }

    fn answer(&mut self, message: &Value) {
        let call_id = text(message.get("id"));
        let failed = message.get("error").and_then(Value::as_bool).unwrap_or(false);
        let is_users = message.get("requestor").and_then(Value::as_str) == Some("user");
        let count = if is_users { &mut self.failed.user } else { &mut self.failed.agent };
        *count += u32::from(failed);
        self.messages.push(Message::Tool(ToolMessage {
            name: self.called.get(&call_id).cloned().unwrap_or_default(),
            call_id,
            content: text(message.get("content").filter(|content| !content.is_null())),
            failed,
        }));
    }
}

fn turn(message: &Value) -> Turn {
    Turn {
        timings: Timings {
            total: seconds(message.get("generation_time_seconds").and_then(Value::as_f64)),
            ..Timings::default()
        },
        usage: usage(message.get("usage")),
        attempts: 1,
        ..Turn::default()
    }
}
