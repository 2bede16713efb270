//! A set-up that is wrong is an error with status 2, never a score.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_testkit::{Received, Response, Server};

use crate::{only_log, run, text};

/// Seven questions with keywords, which the three-part score of chatbots judges.
fn questions() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize| {
        let question = format!("What is item {n}?");
        let row = json!({"id": format!("q-{n}"), "question": question,
            "expected_tools": ["search"], "expected_keywords": [format!("item {n}")]});
        row.to_string() + "\n"
    };
    fs::write(folder.path().join("golden.jsonl"), (0..7).map(row).collect::<String>()).unwrap();
    folder
}

/// A server that answers every POST so; to anything else it has nothing to say.
fn server(answer: impl Fn(&Received) -> Response + Send + Sync + 'static) -> (Server, impl Sized) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(move |request| match &*request.method {
        "POST" => answer(request),
        _ => Response::json(404, &json!({"detail": "Not Found"})),
    }));
    (server, runtime)
}

fn ask(folder: &Path, server: &Server, more: &[&str]) -> Output {
    let model = format!("chatbot:{}/chat", server.url());
    run(folder, &[&["run", "golden.jsonl", "-m", &model, "--retries", "0"], more].concat())
}

/// Runs the questions at several concurrencies; each time it ends with status 2, no score and
/// no log. Gives what was said.
fn refused(answer: &Response) -> String {
    let mut said = String::new();
    for concurrency in ["1", "4", "32"] {
        let folder = questions();
        let answer = answer.clone();
        let (server, _runtime) = server(move |_| answer.clone());
        let output = ask(folder.path(), &server, &["-c", concurrency]);
        said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(text(&output.stdout), "", "no score is printed");
        let logs = fs::read_dir(folder.path().join("logs")).unwrap().count();
        assert_eq!(logs, 0, "a run that measured nothing leaves no log");
    }
    said
}

#[test]
fn a_chatbot_that_is_not_at_the_address_is_an_error() {
    let said = refused(&Response::json(404, &json!({"detail": "Not Found"})));
    assert!(said.contains("trials failed in the same way"), "{said}");
    assert!(said.contains("HTTP status 404") && said.contains("URL"), "{said}");
}

#[test]
fn a_text_at_another_place_is_an_error_that_names_both_places() {
    let said = refused(&Response::json(200, &json!({"reply": "item 1", "tools_used": []})));
    assert!(said.contains("no text at `/answer`; it has `/reply`"), "{said}");
}

#[test]
fn answers_that_are_all_empty_or_null_are_an_error() {
    for empty in [json!(""), json!("  \n"), Value::Null] {
        let said = refused(&Response::json(200, &json!({"answer": empty, "tools_used": []})));
        assert!(said.contains("the answer is"), "{said}");
    }
}

#[test]
fn the_same_error_reported_to_every_question_is_an_error() {
    let report = json!({"answer": null, "error": "no database at `/data/x.db`"});
    let said = refused(&Response::json(200, &report));
    assert!(said.contains("no database at `/data/x.db`"), "{said}");
}

#[test]
fn questions_that_are_answered_with_an_error_in_the_midst_are_scored_and_named() {
    let folder = questions();
    let (server, _runtime) = server(|request| {
        let question = request.json()["question"].as_str().unwrap_or_default().to_owned();
        match question.contains("item 3") || question.contains("item 5") {
            true => Response::json(500, &json!({"detail": "no such table: items"})),
            false => Response::json(200, &json!({"answer": question, "tools_used": ["search"]})),
        }
    });
    let output = ask(folder.path(), &server, &["-c", "3"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let line = "failed     2 trials: server: HTTP status 500: no such table: items";
    assert!(said.contains(line), "{said}");
    let log = only_log(folder.path());
    let shown = run(folder.path(), &["summary", log.to_str().unwrap(), "--format", "json"]);
    let summary: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let failures = summary.pointer("/0/summary/failures").or(summary.pointer("/failures"));
    assert_eq!(failures.unwrap()[0]["trials"], 2, "{summary}");
}

#[test]
fn questions_that_are_all_meant_to_fail_can_be_scored() {
    let folder = questions();
    let report = json!({"answer": null, "error": "not allowed"});
    let (server, _runtime) = server(move |_| Response::json(200, &report));
    let output = ask(folder.path(), &server, &["--same-failures", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = ask(folder.path(), &server, &["--limit", "2", "--log-dir", "two"]);
    assert_eq!(output.status.code(), Some(0), "two errors are no set-up: {}", text(&output.stderr));
}

#[test]
fn a_model_server_that_refuses_tools_is_an_error() {
    let folder = crate::suite(9);
    let words = "tools param requires --jinja flag";
    let (server, _runtime) =
        server(move |_| Response::json(500, &json!({"error": {"code": 500, "message": words}})));
    let arguments = ["run", ".", "-m", "any", "-c", "4", "--retries", "0", "--base-url"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(words) && said.contains("hint: "), "{said}");
}
