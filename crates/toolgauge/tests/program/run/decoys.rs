//! Tools of other servers among those of a case.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_core::Message;
use toolgauge_testkit::{Received, Response, Server};

use crate::run::{only_log, results, run, text, trials};

/// Two requests for one of two tools.
fn desk() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = "name: desk\nsolver: loop\nscorers: [tool_calls]\nsystem: Notes lie on the desk.\ntools:\n  \
                 - {name: open_note, description: Read a note from the desk}\n  \
                 - {name: burn_note, description: Burn a note}\n\
                 cases:\n  - {id: one, say: Read my note., expect: {call: open_note}}\n  \
                 - {id: two, say: And again., expect: {call: open_note}}\n";
    fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    folder
}

fn names(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["function"]["name"].as_str().unwrap()).collect()
}

/// A model that calls the first tool that is not of the desk, and the right one where it sees none.
fn confused(request: &Received) -> Response {
    if request.method != "POST" {
        return Response::json(200, &json!({"data": [{"id": "m"}]}));
    }
    let request = request.json();
    let names = names(&request);
    let decoy = names.iter().find(|name| !["open_note", "burn_note"].contains(name));
    let call = json!({"id": "c", "type": "function",
        "function": {"name": decoy.unwrap_or(&"open_note"), "arguments": "{}"}});
    let messages = request["messages"].as_array().unwrap();
    let message = match messages.last().unwrap()["role"].as_str() {
        Some("tool") => json!({"role": "assistant", "content": "Done."}),
        _ => json!({"role": "assistant", "content": null, "tool_calls": [call]}),
    };
    let usage = json!({"prompt_tokens": 100 * names.len(), "completion_tokens": 5});
    Response::json(
        200,
        &json!({"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}),
    )
}

fn summary(folder: &Path, log: &Path) -> Value {
    let output = run(folder, &["summary", log.to_str().unwrap(), "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// The entry of this name, wherever it stands.
fn found<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Object(entries) => {
            entries.get(name).or_else(|| entries.values().find_map(|value| found(value, name)))
        }
        Value::Array(items) => items.iter().find_map(|value| found(value, name)),
        _ => None,
    }
}

#[test]
fn each_case_is_asked_with_each_number_of_decoys_and_a_call_of_one_is_a_wrong_tool() {
    let folder = desk();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(confused));
    let url = format!("{}/v1", server.url());
    let arguments = ["run", ".", "-m", "m", "--base-url", &url, "--decoys", "40,0,10"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = only_log(folder.path());
    let all = trials(&log);
    let ids: Vec<&str> = all.values().map(|trial| trial.case.id.as_str()).collect();
    let counted = ["decoys-10/one", "decoys-10/two", "decoys-40/one", "decoys-40/two"];
    assert_eq!(ids, [&counted[..], &["one", "two"]].concat());
    for trial in all.values() {
        let is_right = trial.outcomes["tool_calls"].value() == Some(1.0);
        assert_eq!(is_right, trial.case.decoys() == 0, "{}", trial.case.id);
        let answered = trial.transcript.messages.iter().find_map(|message| match message {
            Message::Tool(reply) => Some(&*reply.content),
            _ => None,
        });
        assert_eq!(answered.unwrap().contains("is not connected"), !is_right);
    }
    let summary = summary(folder.path(), &log);
    let tiers = found(&summary, "tiers").unwrap();
    assert_eq!(tiers["tag"], "decoys");
    let of = |name: &str| -> Vec<&Value> {
        tiers["tiers"].as_array().unwrap().iter().map(|tier| &tier[name]).collect()
    };
    assert_eq!(of("name"), ["0", "10", "40"]);
    assert_eq!(of("size"), [2, 12, 42]);
    assert_eq!(found(&summary, "curve").unwrap()["points"].as_array().unwrap().len(), 3);
    let definitions: Vec<u64> =
        of("definition_tokens").iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(definitions[0] * 5 < definitions[1] && definitions[1] < definitions[2]);
    let confusions = found(&summary, "confusions").unwrap().as_array().unwrap();
    assert!(confusions.iter().all(|pair| pair["expected"] == "open_note"), "{confusions:?}");
    let times: u64 = confusions.iter().map(|pair| pair["count"].as_u64().unwrap()).sum();
    assert_eq!(times, 4, "{confusions:?}");
    // The likest decoy reads several notes, and was called without their names.
    let violations = found(&summary, "violations").unwrap();
    assert_eq!(violations[0]["keyword"], "required", "{violations}");
    assert_eq!(violations[0]["trials"], 4, "{violations}");
    assert!(found(&summary, "tool_tokens").unwrap()["results"].as_u64().unwrap() > 0);
    // The prompt is the same in all trials, though the tools are not.
    let head = toolgauge_log::Log::open(&log).unwrap().run().clone();
    assert_eq!(head.system_prompt.as_deref(), Some("Notes lie on the desk."));
    let shown = text(&run(folder.path(), &["summary", log.to_str().unwrap()]).stdout);
    assert!(shown.contains("broken rule"), "{shown}");
    assert!(shown.contains("decoys") && shown.contains("accuracy by number of tools"), "{shown}");

    // What was judged once is judged alike again, by the log and the suite.
    let again = run(folder.path(), &["score", log.to_str().unwrap(), "--log-dir", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let other = fs::read_dir(folder.path().join("again")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(results(&other), results(&log));
    let resumed = run(folder.path(), &["run", "--resume", log.to_str().unwrap()]);
    assert!(text(&resumed.stderr).contains("nothing was missing"), "{}", text(&resumed.stderr));
}

#[test]
fn decoys_that_cannot_be_are_refused_before_anything_is_asked() {
    let folder = desk();
    let suite = fs::read_to_string(folder.path().join("suite.yaml")).unwrap();
    let varied = suite + "variants:\n  more: {world: {decoys: 5}}\n";
    fs::write(folder.path().join("varied.yaml"), varied).unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let output = run(folder.path(), &[&["run"], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused(&[".", "--decoys", "many"], "invalid value 'many'");
    refused(&[".", "--decoys=-3"], "invalid value '-3'");
    refused(&[".", "--decoys", ""], "invalid value ''");
    refused(&[".", "--decoys", "0,1000"], "decoys for the case `one`, and 1000 are asked for");
    refused(&[".", "--world", "decoys=[]"], "`decoys` is a list of whole numbers");
    refused(&[".", "--decoys", "5", "-m", "command:true"], "calls tools of its own");
    refused(&["varied.yaml"], "`decoys` is no part of it");
    assert!(!folder.path().join("logs").exists());
}

#[test]
fn decoys_stand_in_every_kind_of_world() {
    for suite in ["home-assistant", "property-manager", "workbench"] {
        let folder = tempfile::tempdir().unwrap();
        let plain = ["run", suite, "--sample", "12", "--log-dir", "plain"];
        let plain = run(folder.path(), &plain);
        assert_eq!(plain.status.code(), Some(0), "{suite}: {}", text(&plain.stderr));
        let output = run(folder.path(), &["run", suite, "--sample", "12", "--decoys", "0,160"]);
        // What is called among decoys may not have been recorded.
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", text(&output.stderr));
        let log = only_log(folder.path());
        let found_tiers = summary(folder.path(), &log);
        let tiers = &found(&found_tiers, "tiers").unwrap()["tiers"];
        let size = |tier: usize| tiers[tier]["size"].as_u64().unwrap();
        assert_eq!(size(1) - size(0), 160, "{suite}");
        // Without decoys a case is what it is without the flag.
        let before = fs::read_dir(folder.path().join("plain")).unwrap().next().unwrap().unwrap();
        let with = results(&log);
        for (trial, came_to) in results(&before.path()) {
            assert_eq!(with[&trial], came_to, "{suite}: {trial}");
        }
    }
}
