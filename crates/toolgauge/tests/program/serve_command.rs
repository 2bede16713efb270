//! `toolgauge serve` as a process: its flags, its address, its end.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

fn toolgauge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(["serve", "--port", "0"]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Running {
    child: Child,
    address: String,
}

fn start(arguments: &[&str]) -> Running {
    let mut child = toolgauge(arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().trim_end().to_owned();
    Running { child, address }
}

impl Running {
    fn ask(&self, text: &str) -> Value {
        let body = json!({"messages": [{"role": "user", "content": text}]}).to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: \
             {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn refused(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = toolgauge(arguments).output().unwrap();
    assert_eq!(status.code(), Some(2));
    String::from_utf8(stderr).unwrap()
}

#[test]
fn a_script_is_served_until_interrupted_and_then_counted() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.ndjson");
    std::fs::write(&script, "{\"request\": \"hi\", \"text\": \"hello\"}\n").unwrap();
    let mut served = start(&["--script", script.to_str().unwrap()]);
    assert!(served.address.starts_with("127.0.0.1:"), "{}", served.address);
    assert_eq!(served.ask("hi")["choices"][0]["message"]["content"], "hello");
    assert!(served.ask("what?")["error"]["message"].as_str().unwrap().contains("no answer"));
    if cfg!(unix) {
        let id = served.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        assert_eq!(served.child.wait().unwrap().code(), Some(0));
        let mut told = String::new();
        served.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!(told, "2 requests, 1 answered, 1 refused\n");
    }
}

#[test]
fn a_log_is_served_and_what_it_never_heard_is_refused_by_its_words() {
    let log =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/demo/everyday-qwen2.5-coder-0.5b.eval");
    let served = start(&["--replay", log]);
    let answer = served.ask("what's the weather like today");
    let message = &answer["choices"][0]["message"];
    assert!(message["tool_calls"][0]["function"]["name"].is_string(), "{answer}");
    let unknown = served.ask("what is the meaning of life?");
    assert_eq!(
        unknown["error"],
        json!({
            "message": "the replayed run was never asked `what is the meaning of life?`",
            "type": "invalid_request_error",
            "code": null,
        })
    );
}

#[test]
fn a_plan_with_a_mistake_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.yaml");
    std::fs::write(&plan, "faults:\n- kind: reset\n  rate: lots\n").unwrap();
    let told = refused(&["--faults", plan.to_str().unwrap()]);
    assert!(told.contains("plan.yaml`: line 3:") || told.contains("plan.yaml`: line 2:"), "{told}");
}

#[test]
fn an_unknown_plan_is_answered_with_the_known_ones() {
    let told = refused(&["--faults", "flakey"]);
    assert_eq!(
        told,
        "error: there is no fault plan `flakey`, neither a file nor a preset\n  hint: name a file, \
         or one of: none, flaky, busy, slow\n"
    );
}

#[test]
fn a_script_with_a_mistake_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.ndjson");
    std::fs::write(&script, "{\"text\": \"a\"}\n{\"text\": 3}\n").unwrap();
    let told = refused(&["--script", script.to_str().unwrap()]);
    assert!(told.contains("script.ndjson`: line 2: invalid type"), "{told}");
}

#[test]
fn the_viewer_shows_a_folder_until_it_is_told_to_stop() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/demo");
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .args(["view", logs, "--port", "0", "--no-cache"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(viewer.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().trim_end();
    let address = address.trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("home-baseline.eval"), "{answer}");
    if cfg!(unix) {
        let id = viewer.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    } else {
        viewer.kill().unwrap();
    }
    let ended = viewer.wait().unwrap();
    assert!(ended.success() || !cfg!(unix), "{ended}");
}

#[test]
fn the_viewer_says_that_a_folder_is_not_there() {
    let viewer = Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .args(["view", "no/such/folder", "--port", "0"])
        .output()
        .unwrap();
    assert_eq!(viewer.status.code(), Some(2));
    let said = String::from_utf8(viewer.stderr).unwrap();
    assert!(said.contains("there is no log in `no/such/folder`"), "{said}");
}
