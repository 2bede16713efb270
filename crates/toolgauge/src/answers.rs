//! Plays the answers of a suite in its world: a benchmark whose own answers fail measures nothing.

use serde_json::Value;
use toolgauge_core::{
    AssistantMessage, Case, CallOrigin, Message, ResponseKind, ToolCall, Transcript,
};
use toolgauge_runner::{end_states, play};
use toolgauge_score::{Evidence, Rehearsal, Scorer, rehearsals};
use toolgauge_suite::{Problems, Suite};
use toolgauge_world::World;

/// Every answer that does not do in the world what it should, or does not score 1.
pub(crate) fn check(suite: &Suite, world: &dyn World) -> Problems {
    let mut found = Vec::new();
    for (position, case) in suite.cases.iter().enumerate() {
        let mut complaints = world.complaints(case);
        let Some(untouched) = play(world, case, []) else { continue };
        for (number, calls) in rehearsals(case, &Transcript::default()).into_iter().enumerate() {
            let name = if number == 0 && case.expectation.calls.is_some() {
                "the answer".to_owned()
            } else {
                format!("alternative {}", number + usize::from(case.expectation.calls.is_none()))
            };
            let played = play(world, case, &calls).unwrap_or_default();
            let refused = played.answers.iter().zip(&calls).find(|(answer, _)| answer.failed);
            if let Some((answer, call)) = refused {
                complaints.push(format!("{name} fails at `{}`: {}", call.name, answer.content));
                continue;
            }
            let kind = kind_of(case, number);
            if kind == Some(ResponseKind::Action) && played.end == untouched.end {
                complaints.push(format!("{name} changes nothing"));
            }
            complaints.extend(unscored(case, world, calls, kind).map(|why| format!("{name} {why}")));
        }
        found.extend(complaints.into_iter().map(|complaint| (position, complaint)));
    }
    toolgauge_suite::complaints(suite, &found)
}

fn kind_of(case: &Case, way: usize) -> Option<ResponseKind> {
    let expectation = &case.expectation;
    let others = way.checked_sub(usize::from(expectation.calls.is_some()));
    let other = others.and_then(|at| expectation.alternatives.get(at));
    other.and_then(|other| other.response).or(expectation.response)
}

/// Why an answer does not score 1, if it does not.
fn unscored(
    case: &Case,
    world: &dyn World,
    calls: Rehearsal,
    kind: Option<ResponseKind>,
) -> Option<String> {
    let transcript = transcript(case, calls, kind);
    let states = end_states(world, case, &transcript);
    let tools = world.tools(case);
    let evidence = Evidence::new(case, &tools, &transcript).with_states(states.as_ref());
    ["tool_calls", "end_state"].into_iter().find_map(|name| {
        let score = Scorer::by_name(name)?.judge(&evidence);
        let score = score.score()?;
        (score.value < 1.0).then(|| {
            format!("is wrong by `{name}`: {}", score.explanation.lines().next().unwrap_or_default())
        })
    })
}

/// A trial in which just these calls are made and the right words said.
fn transcript(case: &Case, calls: Vec<ToolCall>, kind: Option<ResponseKind>) -> Transcript {
    let mut messages = Vec::new();
    if !calls.is_empty() {
        let calls = calls.into_iter().enumerate();
        let calls = calls.map(|(at, call)| ToolCall {
            id: Some(format!("call_{at}")),
            origin: CallOrigin::Structured,
            ..call
        });
        let message = AssistantMessage { calls: calls.collect(), ..AssistantMessage::default() };
        messages.push(Message::Assistant(message));
    }
    let content = words(case, kind);
    messages.push(Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() }));
    Transcript { messages, ..Transcript::default() }
}

fn words(case: &Case, kind: Option<ResponseKind>) -> String {
    match kind {
        Some(ResponseKind::Clarification) => return "Which one do you mean?".into(),
        Some(ResponseKind::Error) => return "Sorry, I cannot do that.".into(),
        _ => {}
    }
    let says = case.expectation.more.get("end_state").and_then(|more| more.get("says"));
    let first = |group: &Value| group.get(0).and_then(Value::as_str).map(str::to_owned);
    let says = says.and_then(Value::as_array).into_iter().flatten().filter_map(first);
    let said: Vec<String> = says.collect();
    if said.is_empty() { "It is so.".into() } else { said.join(" and ") }
}
