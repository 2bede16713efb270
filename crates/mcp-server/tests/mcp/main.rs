//! JSON-RPC lines to the real server, which runs the real program.
//!
//! The program is named by `TOOLGAUGE_PROGRAM`, or is that of the last build of this workspace.
//! `.ci/run` also lets the Python client of the protocol talk to the server.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server and a client that has said hello.
struct Session {
    server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Session {
    fn start(folder: &Path, models: &[&str]) -> Self {
        Self::start_with_limit(folder, models, 900)
    }

    /// The same, whose commands may take so many seconds.
    fn start_with_limit(folder: &Path, models: &[&str], seconds: u32) -> Self {
        let mut server = Command::new(built("examples/mcp_server"))
            .arg(program())
            .arg(folder)
            .args(models)
            .env("COMMAND_SECONDS", seconds.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = server.stdin.take();
        let stdout = BufReader::new(server.stdout.take().unwrap());
        let mut session = Self { server, stdin, stdout, next: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let answer = session.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "toolgauge", "{answer}");
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the server hung up");
            // Every line on stdout is a message: nothing of the commands may come between.
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// The text a tool gives, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["isError"] == true)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.server.wait();
    }
}

/// A file beside the folder of this test, such as `examples/mcp_server`.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

fn program() -> PathBuf {
    std::env::var_os("TOOLGAUGE_PROGRAM").map_or_else(|| built("toolgauge"), PathBuf::from)
}

#[test]
fn an_agent_runs_a_suite_reads_what_failed_and_compares() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let tools = session.ask("tools/list", &json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["run", "summary", "failing_cases", "compare", "check", "prompt"]);
    for _ in 0..2 {
        let (text, is_error) = session.call("run", &json!({"suite": "everyday", "cases": 10}));
        assert!(!is_error && text.contains("verdict") && text.contains("logs/"), "{text}");
    }
    let (text, is_error) = session.call("failing_cases", &json!({}));
    assert!(!is_error && text.contains("(fail)") && !text.contains("(pass)"), "{text}");
    let (text, is_error) = session.call("summary", &json!({"log": "last"}));
    assert!(!is_error && text.contains("tool_name"), "{text}");
    let first = std::fs::read_dir(folder.path().join("logs")).unwrap().next().unwrap().unwrap();
    let first = format!("logs/{}", first.file_name().to_str().unwrap());
    let (text, is_error) = session.call("compare", &json!({"before": first}));
    assert!(!is_error && text.contains("0.000"), "{text}");
    let (text, is_error) = session.call("check", &json!({"suite": "everyday"}));
    assert!(!is_error, "{text}");
    let (text, is_error) = session.call("prompt", &json!({"suite": "everyday", "case": "timer-*"}));
    assert!(!is_error && text.contains("\"tools\""), "{text}");
}

#[test]
fn an_agent_cannot_start_a_program_or_reach_outside_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let touched = folder.path().join("touched");
    let mut session = Session::start(folder.path(), &["qwen"]);
    let command = format!("command:touch {}", touched.display());
    for model in [command.as_str(), "baseline,qwen", "./x.gguf", "chatbot:http://127.0.0.1:9/", ""]
    {
        let (text, is_error) = session.call("run", &json!({"suite": "everyday", "model": model}));
        assert!(is_error && text.contains("started for: qwen, baseline"), "{model}: {text}");
    }
    for suite in ["/etc/passwd", "../x.yaml", "--help", "-h", "a b", ""] {
        let (text, is_error) = session.call("run", &json!({"suite": suite, "model": "baseline"}));
        assert!(is_error, "{suite}: {text}");
    }
    for log in ["/etc/passwd", "../x.eval", "--help", "nowhere.eval"] {
        let (text, is_error) = session.call("summary", &json!({"log": log}));
        assert!(is_error, "{log}: {text}");
    }
    let pattern = json!({"suite": "everyday", "model": "baseline", "case": "--help"});
    let (text, is_error) = session.call("run", &pattern);
    assert!(is_error && text.contains("--help"), "{text}");
    assert!(!touched.exists());
}

#[test]
#[cfg(unix)]
fn a_run_whose_time_is_over_gives_what_it_has_and_keeps_its_log() {
    let folder = tempfile::tempdir().unwrap();
    // A chatbot that needs a second for each answer cannot answer 40 questions in three.
    let slow = "command:sh -c 'sleep 1; echo hello'";
    let mut session = Session::start_with_limit(folder.path(), &[slow], 3);
    let (text, is_error) = session.call("run", &json!({"suite": "everyday", "cases": 40}));
    assert!(is_error && text.contains("stopped after 3 s: ask for fewer cases"), "{text}");
    let (text, is_error) = session.call("summary", &json!({"log": "last"}));
    assert!(!is_error && text.contains("everyday"), "{text}");
}

#[test]
fn wrong_arguments_are_named_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let wrong = [
        ("run", json!({}), "suite"),
        ("run", json!({"suite": "everyday", "cases": 0}), "from 1 to 500"),
        ("run", json!({"suite": "everyday", "flags": "--x"}), "flags"),
        ("fly", json!({}), "fly"),
        ("check", json!({"suite": "nowhere"}), "nowhere"),
    ];
    for (tool, arguments, named) in wrong {
        let (text, is_error) = session.call(tool, &arguments);
        assert!(is_error && text.contains(named), "{tool}: {text}");
    }
}
