//! A log served over HTTP: the suite run against it comes to the same results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_core::{CallOrigin, Message};
use toolgauge_testkit::{self as testkit, Received, Response};

use crate::run::{Server, results, run, text, trials};

/// The only log of a folder.
fn log_in(folder: &Path) -> PathBuf {
    let mut logs = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let log = logs.next().unwrap();
    assert_eq!(logs.next(), None);
    log
}

/// Runs with these arguments against a served log, into a folder of its own; gives the results.
fn again(folder: &Path, log: &Path, arguments: &[&str]) -> BTreeMap<String, Value> {
    let served = Server::replaying(folder, log);
    let into = tempfile::tempdir().unwrap();
    let more =
        ["-m", "any", "--base-url", &served.base_url, "--log-dir", into.path().to_str().unwrap()];
    let output = run(folder, &[arguments, &more[..]].concat());
    assert!(output.status.code().is_some_and(|code| code != 2), "{}", text(&output.stderr));
    results(&log_in(into.path()))
}

/// Two homes in which the same is said, and a die that falls differently every time.
fn homes() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = "name: homes\nsystem: 'You are in the {{ case.tags.place }}.'\n\
                 solver: {kind: loop, max_turns: 4}\n\
                 tools:\n  - name: look\n    description: Looks\n    \
                 parameters: {type: object, properties: {at: {type: string}}}\n\
                 replies: {look: [{reply: nothing there}]}\n\
                 cases: cases.ndjson\n";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let case = |say: &str, place: &str| {
        let expect = json!({"calls": [{"tool": "look", "arguments": {"at": place}}]});
        let tags = json!({"place": place});
        let id = format!("{}-{place}", say.replace(' ', "-"));
        json!({"id": id, "say": say, "expect": expect, "tags": tags}).to_string()
    };
    let cases: Vec<String> = ["look around", "stumble", "write it down", "fail"]
        .iter()
        .flat_map(|say| [case(say, "attic"), case(say, "cellar")])
        .collect();
    std::fs::write(folder.path().join("cases.ndjson"), cases.join("\n")).unwrap();
    folder
}

/// A model that knows where it is and throws a die, in every way a server can put it.
fn model(request: &Received) -> Response {
    if request.method == "GET" {
        return Response::json(200, &json!({"data": []}));
    }
    let body = request.json();
    let messages = body["messages"].as_array().unwrap();
    let place =
        if messages[0]["content"].as_str().unwrap().contains("attic") { "attic" } else { "cellar" };
    let said = messages.iter().rev().find(|message| message["role"] == "user").unwrap();
    let die = body["seed"].as_u64().unwrap_or(request.number as u64) % 3;
    let call = |arguments: &str| {
        let function = json!({"name": "look", "arguments": arguments});
        json!({"content": null, "tool_calls": [{"id": "c", "type": "function", "function": function}]})
    };
    let sound = json!({"at": if die == 0 { "nowhere" } else { place }}).to_string();
    let begun = messages.iter().any(|message| message["role"] == "assistant");
    let message = match (said["content"].as_str().unwrap(), begun) {
        ("fail", _) => return Response::json(400, &json!({"error": {"message": "I will not"}})),
        (_, true) => json!({"content": format!("seen {die} times")}),
        ("stumble", _) => call("{oops"),
        ("write it down", _) => {
            let call = format!("{{\"name\": \"look\", \"arguments\": {sound}}}");
            json!({"content": format!("So: <tool_call>{call}</tool_call>")})
        }
        _ => call(&sound),
    };
    Response::json(200, &json!({"choices": [{"finish_reason": null, "message": message}]}))
}

/// Runs the homes three times each against that model; gives the folder and the log.
fn recorded(arguments: &[&str]) -> (TempDir, PathBuf) {
    let folder = homes();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(testkit::Server::start(model));
    let base = ["run", ".", "-m", "any", "--trials", "3", "--base-url", server.url()];
    let output = run(folder.path(), &[&base[..], arguments].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let log = log_in(&folder.path().join("logs"));
    (folder, log)
}

#[test]
fn a_served_log_gives_every_trial_its_answers_again() {
    let (folder, log) = recorded(&["--seed", "1"]);
    let wanted = results(&log);
    assert_eq!(wanted.len(), 24);
    let found = trials(&log);
    let said: Vec<String> =
        found.values().map(|trial| trial.transcript.final_text().to_owned()).collect();
    assert!(said.contains(&"seen 1 times".to_owned()) && said.contains(&"seen 2 times".to_owned()));
    let in_text = |message: &Message| match message {
        Message::Assistant(message) => {
            message.calls.iter().any(|call| call.origin == CallOrigin::Text)
        }
        _ => false,
    };
    let written = &found["write-it-down-attic#1"].transcript;
    assert!(written.messages.iter().any(in_text), "{written:?}");
    let arguments = ["run", ".", "--trials", "3", "--seed", "1", "-c"];
    for more in [&["1"][..], &["8"], &["8", "--stream"]] {
        let found = again(folder.path(), &log, &[&arguments[..], more].concat());
        for (id, wanted) in &wanted {
            assert_eq!(&found[id], wanted, "{id} with {more:?}");
        }
    }
}

#[test]
fn trials_without_a_seed_are_given_in_turn() {
    let (folder, log) = recorded(&[]);
    let wanted = results(&log);
    let found = again(folder.path(), &log, &["run", ".", "--trials", "3"]);
    assert_eq!(found, wanted);
}

#[test]
fn the_same_words_in_other_homes_get_their_own_answers_without_a_wire() {
    let sample = toolgauge_testkit::long_or("150", "60");
    // The baseline sends nothing over a wire, so that the log does not hold what it was told.
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["run", "home-assistant", "--sample", sample, "--tier", "small,medium", "-c", "4"];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = log_in(&folder.path().join("logs"));
    let found = again(folder.path(), &log, &arguments);
    let wanted = results(&log);
    let same = wanted.iter().filter(|(id, wanted)| found[*id]["outcomes"] == wanted["outcomes"]);
    assert_eq!(same.count(), sample.parse::<usize>().unwrap());
    assert_eq!(found.len(), wanted.len());
}
