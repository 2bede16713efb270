//! Plays the answers of a suite in its world: a benchmark whose own answers fail measures nothing.

use std::sync::Arc;

use indexmap::IndexSet;
use serde_json::Value;
use toolgauge_core::{
    AssistantMessage, CallOrigin, Case, Message, PolicyScore, ResponseKind, ToolCall, Transcript,
    WorldThing,
};
use toolgauge_runner::{end_states, play};
use toolgauge_score::{Evidence, Rehearsal, Scorer, example_answer, rehearsals};
use toolgauge_suite::{Problems, Suite};
use toolgauge_world::World;

use crate::floors::BestPolicies;
use crate::{proofs, tier_differences};

/// A tier in which this much is right without a call tells too little about calling.
const HIGHEST_FLOOR: f64 = 0.2;

/// Every answer that does not do in the world what it should, or does not score 1.
pub fn check(suite: &Suite, world: &dyn World) -> Problems {
    // Answers of another benchmark are not ours to mend.
    let own = suite.cases.iter().enumerate().filter(|(_, case)| !toolgauge_suite::is_foreign(case));
    let own: Vec<(usize, &Case)> = own.map(|(position, case)| (position, &**case)).collect();
    let mut found = played_in_parallel(&own, world);
    let differences = tier_differences::complaints(own, world);
    found.extend(differences.into_iter().map(|(position, why)| (Some(position), why)));
    found.extend(floors(suite, world).into_iter().map(|complaint| (None, complaint)));
    toolgauge_suite::complaints(suite, &found)
}

/// What is wrong with the answers of these cases, in their order, on as many threads as help.
fn played_in_parallel(cases: &[(usize, &Case)], world: &dyn World) -> Vec<(Option<usize>, String)> {
    let complaints = |(position, case): &(usize, &Case)| {
        let mut complaints = world.complaints(case);
        complaints.extend(proofs::check(case, world));
        complaints.extend(ways(case, world));
        let position = *position;
        complaints.into_iter().map(move |complaint| (Some(position), complaint))
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = cases.len().div_ceil(threads).max(1);
    let all = |cases: &[(usize, &Case)]| cases.iter().flat_map(complaints).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let shares: Vec<_> =
            cases.chunks(share).map(|cases| scope.spawn(move || all(cases))).collect();
        let joined = shares
            .into_iter()
            .map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    })
}

/// The ways to answer a case that do not do what they should.
fn ways(case: &Case, world: &dyn World) -> Vec<String> {
    let mut complaints = Vec::new();
    // A world without a state cannot show what an answer does.
    let Some(untouched) = play(world, case, []) else { return complaints };
    if let Some(why) = untouched.broken {
        return vec![format!("it cannot be played: {why}")];
    }
    for (number, calls) in rehearsals(case, &Transcript::default()).into_iter().enumerate() {
        let name = if number == 0 && case.expectation.calls.is_some() {
            "the answer".to_owned()
        } else {
            format!("alternative {}", number + usize::from(case.expectation.calls.is_none()))
        };
        let played = play(world, case, &calls).unwrap_or_default();
        if let Some(why) = &played.broken {
            complaints.push(format!("{name} cannot be played: {why}"));
            continue;
        }
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
    complaints
}

/// Tiers in which too much is right without a single call, by any of the suite's own scorers.
fn floors(suite: &Suite, world: &dyn World) -> Vec<String> {
    let own = suite.cases.iter().filter(|case| !toolgauge_suite::is_foreign(case));
    let own: Vec<&Case> = own.map(|case| &**case).collect();
    let tiers: IndexSet<&String> = own.iter().filter_map(|case| case.tags.get("tier")).collect();
    if tiers.is_empty() {
        return Vec::new();
    }
    let scorers = ["end_state", "tool_calls"].into_iter();
    let scorers = scorers
        .filter(|name| suite.scorers.iter().any(|own| own == name))
        .filter_map(Scorer::by_name);
    let mut complaints = Vec::new();
    for scorer in scorers {
        let Some(best) = BestPolicies::search_without_calls(&own, world, &scorer) else {
            continue;
        };
        for tier in &tiers {
            let floors = best.floors(|case| case.tags.get("tier") == Some(*tier));
            let Some(PolicyScore { policy, score }) = floors.map(|floors| floors.without_calls)
            else {
                continue;
            };
            if score >= HIGHEST_FLOOR {
                let (name, percent) = (scorer.name(), score * 100.0);
                complaints.push(format!(
                    "{percent:.0} % of `{tier}` is right by `{name}` for a subject that {policy}"
                ));
            }
        }
    }
    complaints
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
    let things = world.rehearse(case).things();
    // The words must be right as well, or an answer would fail by what is said beside its calls.
    let transcript = transcript(calls, example_reply(case, kind, &things));
    let states = end_states(world, case, &transcript);
    let tools = world.tools(case);
    let evidence = Evidence::new(case, &tools, &transcript).with_states(states.as_ref());
    ["tool_calls", "end_state"].into_iter().find_map(|name| {
        let score = Scorer::by_name(name)?.judge(&evidence);
        let score = score.score()?;
        (score.value < 1.0).then(|| {
            format!(
                "is wrong by `{name}`: {}",
                score.explanation.lines().next().unwrap_or_default()
            )
        })
    })
}

/// A trial in which just these calls are made and the right words said.
fn transcript(calls: Vec<ToolCall>, content: String) -> Transcript {
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
    messages.push(Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() }));
    Transcript { messages, ..Transcript::default() }
}

fn example_reply(case: &Case, kind: Option<ResponseKind>, things: &[Arc<WorldThing>]) -> String {
    let facts = case.expectation.answer.as_deref().map_or(&[][..], |answer| &answer.facts);
    if !facts.is_empty() && kind == case.expectation.response {
        return example_answer(facts, things);
    }
    match kind {
        Some(ResponseKind::Action) => return "Done.".into(),
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
