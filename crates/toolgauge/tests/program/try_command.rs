//! `toolgauge try` through the real binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn fixture(name: &str) -> PathBuf {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    crates.join("home-assistant/tests/fixtures/home-assistant").join(name)
}

fn try_home(more: &[&str], input: &str) -> Output {
    let inventory = fixture("golden-inventory.json");
    let inventory = inventory.to_str().unwrap();
    let home = ["home-assistant", "--inventory", inventory];
    try_world(&[&home, more].concat(), input)
}

fn try_world(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .arg("try")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_recorded_call_gives_a_line_in_the_recorded_shape() {
    let text = std::fs::read_to_string(fixture("golden-calls.json")).unwrap();
    let calls: Vec<Value> = serde_json::from_str(&text).unwrap();
    let input = calls.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let output = try_home(&[], &input);
    assert!(output.status.success(), "{output:?}");
    let tried = lines(&output);
    assert_eq!(tried.len(), calls.len());
    for (got, wanted) in tried.iter().zip(&calls) {
        let keys: Vec<&String> = got.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["tool_message_content", "state_changes"]);
        assert_eq!(got["tool_message_content"]["error"], wanted["tool_message_content"]["error"]);
        let changed = |value: &Value| {
            let mut ids: Vec<String> =
                value["state_changes"].as_object().unwrap().keys().cloned().collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(changed(got), changed(wanted), "{wanted}");
    }
}

#[test]
fn calls_start_from_the_inventory_unless_they_go_on() {
    let on = r#"{"tool": "intent__HassTurnOn", "args": {"name": "big light"}}"#;
    let again = r#"{"tool": "intent__HassTurnOn", "args": {"name": "big light"}, "continues_previous_state": true}"#;
    let output = try_home(&["--satellite", "dev"], &format!("{on}\n{on}\n\n{again}\n"));
    let changes: Vec<Value> =
        lines(&output).into_iter().map(|line| line["state_changes"].clone()).collect();
    let lit = json!({"light.living_room_main_light": {
        "state": ["off", "on"], "color_mode": [null, "hs"], "brightness": [null, 255],
    }});
    assert_eq!(changes, [lit.clone(), lit, json!({})]);
}

#[test]
fn a_call_can_come_from_another_satellite() {
    let lamp = |satellite: &str| {
        format!(r#"{{"tool": "intent__HassTurnOn", "args": {{"name": "Lamp"}}{satellite}}}"#)
    };
    let input = format!("{}\n{}\n", lamp(""), lamp(r#", "satellite": null"#));
    let tried = lines(&try_home(&["--satellite", "dev"], &input));
    assert_eq!(tried[0]["tool_message_content"]["error"], json!(false));
    assert_eq!(tried[1]["tool_message_content"]["error"], json!(true));
}

#[test]
fn what_cannot_be_tried_is_told_with_its_line() {
    let output = try_home(&[], "{\"tool\": \"llm__GetDateTime\"}\nturn it on\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines(&output).len(), 1);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("line 2 is not a call"), "{told}");
    let output = try_home(&["--profile", "2020.1"], "");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("there is no profile `2020.1`"), "{told}");
}

#[test]
fn a_business_can_be_asked_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (script, papers) = (folder.path().join("books.sql"), folder.path().join("papers"));
    let books = "CREATE TABLE leases (unit, rent); INSERT INTO leases VALUES ('2A', 1450);";
    std::fs::write(&script, books).unwrap();
    std::fs::create_dir(&papers).unwrap();
    std::fs::write(papers.join("pets.md"), "One cat is allowed.").unwrap();
    let input = r#"{"tool": "query_database", "args": {"sql": "SELECT rent FROM leases"}}
        {"tool": "query_database", "args": {"sql": "DROP TABLE leases"}}
        {"tool": "search_document_content", "args": {"query": "cats"}}
        {"tool": "list_business_documents"}"#;
    let paths = [script.to_str().unwrap(), papers.to_str().unwrap()];
    let output = try_world(&["business", "--database", paths[0], "--documents", paths[1]], input);
    assert!(output.status.success(), "{output:?}");
    let tried = lines(&output);
    let rows = json!({"columns": ["rent"], "rows": [[1450]], "row_count": 1});
    assert_eq!(tried[0], json!({"tool_message_content": rows, "failed": false, "sources": []}));
    assert_eq!((&tried[1]["failed"], &tried[2]["sources"]), (&json!(true), &json!(["pets.md"])));
    assert_eq!(tried[3]["tool_message_content"]["count"], 1);
    let output = try_world(&["business"], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_call_that_ends_the_turn_says_so() {
    let input = r#"{"tool": "script__goodnight", "args": {"room": "Moon"}}"#;
    let tried = lines(&try_home(&["--satellite", "dev"], input));
    assert_eq!(tried[0]["ends_turn"], true);
    let input = r#"{"tool": "script__goodnight", "args": {"room": "Kitchen"}}"#;
    let tried = lines(&try_home(&["--satellite", "dev"], input));
    assert_eq!(tried[0].get("ends_turn"), None);
}

#[test]
fn an_answer_stays_on_its_line_whatever_is_in_it() {
    let input = r#"{"tool": "homeassistant__GetLiveContext", "args": {"name": "a\u2028b\u0085"}}"#;
    let output = try_home(&[], input);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!text.contains(['\u{2028}', '\u{85}']), "{text}");
    let error = "No exposed entities matched name 'a\u{2028}b\u{85}'";
    assert_eq!(lines(&output)[0]["tool_message_content"]["data"]["error"], error);
}
