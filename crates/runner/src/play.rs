//! Playing calls in copies of a world, to see what they lead to.

use serde_json::{Map, Value};
use toolgauge_core::{Case, FailurePattern, ToolCall, Transcript};
use toolgauge_score::{
    EndStates, PatternSighting, Played, PlayedAnswer, Rehearsal, allowances, rehearsals,
};
use toolgauge_world::{World, WorldState};

/// What the calls of a transcript led to, beside what every accepted way of the case would have
/// led to. `None` in worlds without state.
///
/// The calls are played afresh and not taken from the trial, so that captured calls and imported
/// transcripts are judged like executed ones.
pub fn end_states(world: &dyn World, case: &Case, transcript: &Transcript) -> Option<EndStates> {
    // A call that stood in the text was never carried out, so that it is not played either.
    let made: Vec<&ToolCall> =
        transcript.calls().filter(|call| call.origin.is_structured()).collect();
    let mut state = world.rehearse(case);
    let actual = played(state.as_mut(), made)?;
    // Of the world after the calls: what is said is held against how things are then.
    let things = state.things();
    let ways = rehearsals(case, transcript);
    // Each way in a copy of its own, or one way would find what another has changed.
    let expected = ways.iter().map(|calls| play(world, case, calls)).collect::<Option<_>>()?;
    // A fresh copy, since what a case arranges beforehand counts as untouched.
    let untouched = world.rehearse(case).end_state()?;
    let allowed = |ways: &Vec<Rehearsal>| {
        // An end that cannot be known allows nothing.
        let ends = ways.iter().map(|calls| ended(world, case, calls));
        ends.filter(|state| state.broken().is_none()).map(|state| state.end_state()).collect()
    };
    let allowed = allowances(case).iter().map(allowed).collect::<Option<_>>()?;
    let guarded = touched(&untouched, &actual.end).filter(|thing| world.is_guarded(thing));
    let guarded = guarded.cloned().collect();
    let patterns = sightings(world, case, transcript);
    Some(EndStates { untouched, expected, actual, allowed, things, guarded, patterns })
}

/// What the queries find that prove the expected answer of a case. A query that fails proves
/// nothing; `toolgauge check` says why.
pub fn proved(world: &dyn World, case: &Case) -> Vec<String> {
    let proofs = case.expectation.answer.iter().flat_map(|answer| &answer.proof);
    let queries = proofs.filter(|proof| proof.sql.is_some());
    queries.filter_map(|proof| world.evidence(proof)?.ok()?.rows).collect()
}

/// The things that calls touched: those of each kind, and kinds that are one list.
fn touched<'v>(untouched: &'v Value, end: &'v Value) -> impl Iterator<Item = &'v String> {
    let kinds = [untouched, end].into_iter().filter_map(Value::as_object).flatten();
    kinds.flat_map(|(kind, things)| {
        std::iter::once(kind).chain(things.as_object().into_iter().flat_map(Map::keys))
    })
}

fn sightings(world: &dyn World, case: &Case, transcript: &Transcript) -> Vec<PatternSighting> {
    let shown = world.shown_patterns(case, transcript);
    let sighting = |pattern: &FailurePattern| PatternSighting {
        pattern: pattern.clone(),
        seen: shown.contains(&&*pattern.id),
    };
    world.words().failure_patterns.iter().map(sighting).collect()
}

/// What calls lead to in a fresh copy of the world; `None` if it has no state.
pub fn play<'c>(
    world: &dyn World,
    case: &Case,
    calls: impl IntoIterator<Item = &'c ToolCall>,
) -> Option<Played> {
    played(world.rehearse(case).as_mut(), calls)
}

/// A fresh copy of the world in which calls were made.
fn ended(world: &dyn World, case: &Case, calls: &[ToolCall]) -> Box<dyn WorldState> {
    let mut state = world.rehearse(case);
    for call in calls {
        state.call(call);
    }
    state
}

fn played<'c>(
    state: &mut dyn WorldState,
    calls: impl IntoIterator<Item = &'c ToolCall>,
) -> Option<Played> {
    let answers = calls.into_iter().map(|call| state.call(call));
    let answers = answers
        .map(|reply| PlayedAnswer { content: reply.content, failed: reply.failed })
        .collect();
    let changes = state.state_changes().unwrap_or_default();
    Some(Played { end: state.end_state()?, changes, answers, broken: state.broken() })
}
