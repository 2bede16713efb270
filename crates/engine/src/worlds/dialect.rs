//! One suite for every Home Assistant: its answers are written in the tools of one version and
//! put into the words of the version that is played.

use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{Alternative, Case, Expectation, ExpectedCall, Message, Tool, Transcript};
use toolgauge_runner::play;
use toolgauge_score::{Rehearsal, rehearsals};
use toolgauge_world::World;

/// Puts the answers of cases into the words of the tools that are offered, and tells whether
/// there was anything to be put. Cases whose answer those tools cannot give are left out.
pub fn translate(cases: &mut Vec<Arc<Case>>, world: &dyn World) -> bool {
    let is_any_foreign = reword(cases, world);
    if is_any_foreign {
        cases.retain_mut(|case| keep_what_works(Arc::make_mut(case), world));
    }
    is_any_foreign
}

/// The same for a variant, which must have the cases of its siblings: one whose answer its tools
/// cannot give expects nothing, and is not scored.
pub fn reworded(cases: &[Arc<Case>], world: &dyn World) -> Vec<Arc<Case>> {
    let mut cases = cases.to_vec();
    if reword(&mut cases, world) {
        for case in cases.iter_mut().map(Arc::make_mut) {
            if !keep_what_works(case, world) {
                let rules = case.expectation.rules;
                case.expectation = Expectation { rules, ..Expectation::default() };
            }
        }
    }
    cases
}

fn reword(cases: &mut [Arc<Case>], world: &dyn World) -> bool {
    let mut is_any_foreign = false;
    for case in cases {
        let tools = world.tools(case);
        if !is_foreign(case, &tools) {
            continue;
        }
        is_any_foreign = true;
        let case = Arc::make_mut(case);
        case.expectation = expectation(&case.expectation, &tools);
        for message in &mut case.input {
            retell(message, &tools);
        }
    }
    is_any_foreign
}

/// Leaves out the ways that fail in this world; tells whether the case's own way is left. An
/// older Home Assistant may refuse what a newer one takes.
fn keep_what_works(case: &mut Case, world: &dyn World) -> bool {
    if case.expectation == (Expectation { rules: case.expectation.rules, ..Default::default() }) {
        return false;
    }
    let ways = rehearsals(case, &Transcript::default());
    let works = |calls: &Rehearsal| {
        let played = play(world, case, calls).unwrap_or_default();
        !played.answers.iter().any(|answer| answer.failed)
    };
    let mut works: Vec<bool> = ways.iter().map(works).collect();
    // The first way is the case's own, if it has one; the others are the alternatives in order.
    let own = case.expectation.calls.is_none() || works.remove(0);
    let mut works = works.into_iter();
    case.expectation.alternatives.retain(|_| works.next().unwrap_or(false));
    own
}

fn is_foreign(case: &Case, tools: &[Tool]) -> bool {
    let expectation = &case.expectation;
    let own = expectation.calls.iter().flatten();
    let mut calls = own.chain(expectation.alternatives.iter().flat_map(|other| &other.calls));
    let made = |message: &Message| match message {
        Message::Assistant(message) => {
            message.calls.iter().any(|call| named(&call.name, tools).is_none())
        }
        _ => false,
    };
    calls.any(|call| named(&call.name, tools).is_none()) || case.input.iter().any(made)
}

fn expectation(foreign: &Expectation, tools: &[Tool]) -> Expectation {
    let calls = foreign.calls.as_ref().map(|calls| translated(calls, tools));
    // The case's own answer cannot be given with these tools, and alternatives alone would be
    // another case.
    if matches!(calls, Some(None)) {
        return Expectation { rules: foreign.rules, ..Expectation::default() };
    }
    let mut known: Vec<Vec<ExpectedCall>> = calls.iter().flatten().cloned().collect();
    let mut alternatives = Vec::new();
    for other in &foreign.alternatives {
        let Some(calls) = translated(&other.calls, tools) else { continue };
        // Without prefixes and filters, what were two ways may be one.
        if !known.contains(&calls) || other.response.is_some() {
            known.push(calls.clone());
            alternatives.push(Alternative { calls, ..other.clone() });
        }
    }
    Expectation { calls: calls.flatten(), alternatives, ..foreign.clone() }
}

fn translated(calls: &[ExpectedCall], tools: &[Tool]) -> Option<Vec<ExpectedCall>> {
    if let Some(calls) = search_and_play(calls, tools) {
        return Some(calls);
    }
    calls.iter().map(|call| translated_call(call, tools)).collect()
}

fn translated_call(call: &ExpectedCall, tools: &[Tool]) -> Option<ExpectedCall> {
    let tool = equivalent(&call.name, tools)?;
    let takes = |name: &String| tool.parameters.pointer("/properties").and_then(|p| p.get(name));
    let arguments = call.arguments.iter().filter(|(name, _)| takes(name).is_some());
    let arguments = arguments.map(|(name, pattern)| (name.clone(), pattern.clone())).collect();
    Some(ExpectedCall { name: tool.name.clone(), arguments })
}

/// Searching and playing were one tool once.
fn search_and_play(calls: &[ExpectedCall], tools: &[Tool]) -> Option<Vec<ExpectedCall>> {
    let tool = named("HassMediaSearchAndPlay", tools)?;
    let [search, play] = calls else { return None };
    if bare(&search.name) != "search_media" || bare(&play.name) != "play_media" {
        return None;
    }
    let arguments = search.arguments.iter().map(|(name, pattern)| {
        let name = name.strip_prefix("player_").unwrap_or(name);
        (name.to_owned(), pattern.clone())
    });
    Some(vec![ExpectedCall { name: tool.name.clone(), arguments: arguments.collect() }])
}

/// The offered tool that does what a tool of another version does.
fn equivalent<'t>(name: &str, tools: &'t [Tool]) -> Option<&'t Tool> {
    let bare = bare(name);
    // The prefix of a tool may be divided by one underscore there.
    let joined = name.replacen("__", "_", 1);
    let others: &[&str] = match bare {
        "GetLiveContext" => &["HassGetState"],
        "GetDateTime" => &["HassGetCurrentTime"],
        _ => &[],
    };
    let names = [name, bare, joined.as_str()].into_iter().chain(others.iter().copied());
    let known = names.into_iter().find_map(|name| named(name, tools));
    known.or_else(|| tools.iter().find(|tool| self::bare(&tool.name) == bare))
}

fn bare(name: &str) -> &str {
    name.split_once("__").map_or(name, |(_, bare)| bare)
}

fn named<'t>(name: &str, tools: &'t [Tool]) -> Option<&'t Tool> {
    tools.iter().find(|tool| tool.name == name)
}

/// Puts calls that were made, and what came of them, into the same words.
fn retell(message: &mut Message, tools: &[Tool]) {
    match message {
        Message::Assistant(message) => {
            for call in &mut message.calls {
                if let Some(tool) = equivalent(&call.name, tools) {
                    call.name.clone_from(&tool.name);
                }
            }
        }
        Message::Tool(answer) => {
            if let Some(tool) = equivalent(&answer.name, tools) {
                answer.name.clone_from(&tool.name);
            }
            // Results came without an envelope.
            let content = serde_json::from_str::<Value>(&answer.content).ok();
            if let Some(data) = content.as_ref().and_then(|content| content.get("data")) {
                answer.content = data.to_string();
            }
        }
        Message::System { .. } | Message::User { .. } => {}
    }
}
