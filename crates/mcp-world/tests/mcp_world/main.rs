//! A world of servers, recorded and replayed; by servers that are a map in memory, and with the
//! feature `live` by a real one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[cfg(all(feature = "live", unix))]
mod live;
mod memory;

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Expectation, ExpectedCall, Message, Oddity, ToolCall, ToolMessage,
    Transcript,
};
use toolgauge_mcp_world::{McpConfig, McpWorld, Recording, RecordingFiles};
use toolgauge_world::{ToolReply, World, WorldState};

use memory::{Memory, setups};

fn config(more: &Value) -> McpConfig {
    let mut config = json!({
        "servers": {"desk": {"command": "desk"}},
        "state": {"files": "."},
        "recording": "recording",
    });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    McpConfig::read(config.as_object().unwrap()).unwrap()
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().unwrap().clone())
}

fn case() -> Case {
    Case::new("any", "any")
}

/// What some calls are answered, and where they lead.
fn played(state: &mut dyn WorldState, calls: &[ToolCall]) -> (Vec<ToolReply>, Value, Value) {
    let replies = calls.iter().map(|call| state.call(call)).collect();
    let unwrap = Arc::unwrap_or_clone;
    (replies, unwrap(state.end_state().unwrap()), unwrap(state.state_changes().unwrap()))
}

fn ways() -> Vec<Vec<ToolCall>> {
    let read = |name: &str| call("desk__read", &json!({ "name": name }));
    let write = |name: &str, text: &str| call("desk__write", &json!({"name": name, "text": text}));
    vec![
        vec![],
        vec![read("a")],
        vec![read("nothing")],
        vec![write("b", "2"), read("b"), write("c", "3")],
        vec![write("c", "3"), read("b"), write("b", "2"), read("c")],
        vec![write("a", "1"), read("a")],
    ]
}

/// A recording of these calls, as it is read from its files.
fn recorded(ways: &[Vec<ToolCall>]) -> Recording {
    let memory = Memory::start();
    let world = McpWorld::live(&config(&json!({})), setups(), memory.clone(), None).unwrap();
    for calls in ways {
        played(world.rehearse(&case()).as_mut(), calls);
    }
    let files: RecordingFiles = memory.recorded().write();
    Recording::read(&files).unwrap()
}

fn replayed(ways: &[Vec<ToolCall>], more: &Value) -> McpWorld {
    McpWorld::replayed(&config(more), setups(), recorded(ways)).unwrap()
}

#[test]
fn a_recording_answers_and_ends_as_the_servers_did() {
    let memory = Memory::start();
    let live = McpWorld::live(&config(&json!({})), setups(), memory, None).unwrap();
    let replay = replayed(&ways(), &json!({}));
    for calls in ways() {
        // A trial that calls nothing never asks the servers; what it ends in is rehearsed.
        let is_rehearsal = calls.is_empty();
        let mut trial = if is_rehearsal { live.rehearse(&case()) } else { live.enter(&case()) };
        let real = played(trial.as_mut(), &calls);
        assert_eq!(played(replay.enter(&case()).as_mut(), &calls), real, "{calls:?}");
    }
}

#[test]
fn what_changed_is_told_before_and_after() {
    let world = replayed(&ways(), &json!({}));
    let (_, end, changes) = played(world.enter(&case()).as_mut(), &ways()[3]);
    let files = json!({"b": {"content": [null, "2"]}, "c": {"content": [null, "3"]}});
    assert_eq!((end, changes), (json!({ "files": files }), files));
    let (_, end, _) = played(world.enter(&case()).as_mut(), &ways()[5]);
    assert_eq!(end, json!({"files": {}}), "writing what was there changes nothing");
}

#[test]
fn the_order_of_calls_does_not_matter_where_they_lead_to_the_same_state() {
    let world = replayed(&ways(), &json!({}));
    // Neither order of all three was recorded, but each step was, from the state it is made in.
    let [b, read, c] = <[ToolCall; 3]>::try_from(ways()[3].clone()).unwrap();
    let mut trial = world.enter(&case());
    for call in [&c, &b, &read] {
        trial.call(call);
    }
    assert_eq!(
        trial.broken().as_deref(),
        Some("a call was not recorded in this state: desk__read {\"name\":\"b\"}")
    );
    let mut trial = world.enter(&case());
    for call in [&b, &read, &c, &ways()[4][3]] {
        assert!(!trial.call(call).failed);
    }
    assert_eq!(trial.broken(), None);
}

#[test]
fn a_call_that_was_not_recorded_breaks_the_trial_and_is_named() {
    let world = replayed(&ways(), &json!({}));
    let mut trial = world.enter(&case());
    let reply = trial.call(&call("desk__read", &json!({"name": "z"})));
    assert!(reply.failed);
    let why = "a call was not recorded in this state: desk__read {\"name\":\"z\"}";
    assert_eq!(trial.broken().as_deref(), Some(why));
    assert!(trial.call(&ways()[1][0]).failed, "what comes after says nothing");
}

#[test]
fn the_nearest_call_answers_where_it_may_and_says_so() {
    let world = replayed(&ways(), &json!({"replay": "nearest"}));
    let mut trial = world.enter(&case());
    let near = trial.call(&call("desk__read", &json!({"name": "nothin"})));
    assert_eq!((near.failed, near.oddity), (true, Some(Oddity::NearestReply)));
    let exact = trial.call(&call("desk__read", &json!({"name": "a"})));
    assert_eq!((exact.content.as_str(), exact.oddity), ("1", None));
    assert_eq!(trial.broken(), None);
}

#[test]
fn what_a_client_refuses_never_reaches_a_server() {
    let world = replayed(&ways()[..1], &json!({}));
    let mut trial = world.enter(&case());
    let unknown = trial.call(&call("desk__shred", &json!({})));
    assert_eq!(unknown, ToolReply::failed("{\"error\":\"unknown tool `desk__shred`\"}"));
    assert_eq!(trial.broken(), None);
}

#[test]
fn a_setup_that_changed_since_is_not_answered_for() {
    let mut changed = setups();
    changed[0].files[0].1 = b"other".to_vec();
    let world = McpWorld::replayed(&config(&json!({})), changed, recorded(&ways())).unwrap();
    let why = "the setup `desk` has changed since it was recorded";
    assert_eq!(world.cautions(), [why]);
    assert_eq!(world.enter(&case()).broken().as_deref(), Some(why));
}

#[test]
fn a_case_names_its_setup() {
    let world = replayed(&ways(), &json!({}));
    let named = |setup: &str| {
        let metadata = serde_json::from_value(json!({ "setup": setup })).unwrap();
        Case { metadata, ..case() }
    };
    assert_eq!(world.complaints(&named("desk")), Vec::<String>::new());
    assert_eq!(world.complaints(&named("dusk")), ["there is no setup `dusk` (known: desk)"]);
}

#[test]
fn a_rehearsal_asks_the_servers_only_for_what_this_run_has_not_seen() {
    let memory = Memory::start();
    let world = McpWorld::live(&config(&json!({})), setups(), memory.clone(), None).unwrap();
    played(world.enter(&case()).as_mut(), &ways()[3]);
    assert_eq!(memory.asked(), 3);
    played(world.rehearse(&case()).as_mut(), &ways()[3]);
    assert_eq!(memory.asked(), 3, "seen in the trial");
    // The first two steps are known; for the third they are made again, on a bench.
    let mut other = ways()[3].clone();
    other[2] = call("desk__write", &json!({"name": "d", "text": "4"}));
    played(world.rehearse(&case()).as_mut(), &other);
    assert_eq!(memory.asked(), 6);
    played(world.enter(&case()).as_mut(), &ways()[3]);
    assert_eq!(memory.asked(), 9, "a trial always asks");
}

#[test]
fn servers_that_lack_what_was_recorded_stop_the_run() {
    let mut before = recorded(&ways());
    let tools = &mut before.servers.servers["desk"].tools;
    tools[0].name = "peruse".to_owned();
    tools[1].input_schema = json!({"type": "object"});
    let world = McpWorld::live(&config(&json!({})), setups(), Memory::start(), Some(&before));
    let why = world.err().unwrap().to_string();
    assert!(why.contains("`peruse` of `desk` is gone"), "{why}");
    assert!(why.contains("`write` of `desk` takes other arguments"), "{why}");
}

#[test]
fn a_broken_server_breaks_its_trial_alone() {
    let memory = Memory::start();
    let world = McpWorld::live(&config(&json!({})), setups(), memory, None).unwrap();
    let mut trial = world.enter(&case());
    trial.call(&call("desk__write", &json!({"name": "crash", "text": ""})));
    assert_eq!(trial.broken().as_deref(), Some("`desk` ended in the middle of a call"));
    let (replies, _, _) = played(world.enter(&case()).as_mut(), &ways()[1]);
    assert_eq!(replies[0].content, "1");
}

/// A trial in which these calls were made one by one, each with its answer and whether it failed.
fn transcript(calls: &[(ToolCall, &str, bool)]) -> Transcript {
    let mut messages = Vec::new();
    for (call, reply, failed) in calls {
        let calls = vec![call.clone()];
        messages
            .push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        messages.push(Message::Tool(ToolMessage {
            call_id: "call_0".to_owned(),
            name: call.name.clone(),
            content: (*reply).to_owned(),
            failed: *failed,
        }));
    }
    Transcript { messages, ..Transcript::default() }
}

#[test]
fn errors_repeated_calls_and_needless_destruction_are_told() {
    let world = replayed(&ways(), &json!({}));
    let read = |name: &str| call("desk__read", &json!({ "name": name }));
    let write = || call("desk__write", &json!({"name": "a", "text": "2"}));
    let shown = |case: &Case, calls: &[(ToolCall, &str, bool)]| {
        world.shown_patterns(case, &transcript(calls))
    };
    let expected = ExpectedCall { name: "desk__read".to_owned(), arguments: IndexMap::default() };
    let expectation = Expectation { calls: Some(vec![expected]), ..Expectation::default() };
    let asks_to_read = Case { expectation, ..case() };
    let lost = [(read("x"), "no", true)];
    let saved = [(read("x"), "no", true), (read("a"), "1", false)];
    let again = [(read("a"), "1", false), (read("a"), "1", false)];
    assert_eq!(shown(&case(), &lost), ["M1"]);
    assert_eq!(shown(&case(), &saved), ["M4"]);
    assert_eq!(shown(&case(), &again), ["M2"]);
    assert_eq!(shown(&asks_to_read, &[(write(), "written", false)]), ["M3"]);
    assert_eq!(shown(&asks_to_read, &[(read("a"), "1", false)]), Vec::<&str>::new());
}

#[test]
fn thousands_of_trials_are_replayed_in_a_second() {
    let world = replayed(&ways(), &json!({}));
    let started = std::time::Instant::now();
    for _ in 0..5_000 {
        played(world.enter(&case()).as_mut(), &ways()[4]);
    }
    // Unoptimised, and beside other tests; the figure of a release is in docs/mcp-world.md.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
