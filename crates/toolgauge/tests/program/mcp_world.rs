//! Suites of MCP servers through the real binary: recorded, replayed, and run.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn desk() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/program/mcp_world/desk")
}

/// A copy of the suite that a test may change.
fn copied(to: &Path) -> PathBuf {
    let suite = to.join("desk");
    for folder in ["notes", "recording"] {
        fs::create_dir_all(suite.join(folder)).unwrap();
        for file in fs::read_dir(desk().join(folder)).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), suite.join(folder).join(file.file_name())).unwrap();
        }
    }
    fs::copy(desk().join("suite.yaml"), suite.join("suite.yaml")).unwrap();
    suite
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    let server = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let server = server.join("../mcp-world/tests/mcp_world/desk_server.py");
    command.env("DESK_SERVER", server.canonicalize().unwrap());
    command
}

fn toolgauge(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A subject that answers so.
fn script(folder: &Path, cases: &Value) -> String {
    let path = folder.join("script.json");
    fs::write(&path, cases.to_string()).unwrap();
    format!("script:{}", path.display())
}

fn perfect(folder: &Path) -> String {
    let call =
        |tool: &str, arguments: Value| json!({"calls": [{"name": tool, "arguments": arguments}]});
    let write = json!({"path": "/workspace/shopping.txt", "text": "milk"});
    let today = json!({"path": "/workspace/today.txt"});
    let dentist = "You are at the dentist at nine.";
    script(
        folder,
        &json!([
            {"id": "write", "turns": [call("desk__write", write), {"text": "Done."}]},
            {"id": "read", "turns": [call("desk__read", today), {"text": dentist}]},
            {"id": "leave", "text": "You are welcome."},
        ]),
    )
}

fn scores(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(output)))
}

#[test]
fn a_recorded_suite_is_checked_and_run_without_its_servers() {
    let folder = tempfile::tempdir().unwrap();
    let suite = copied(folder.path());
    let checked = toolgauge(folder.path(), &["check", "desk"]);
    assert!(checked.status.success(), "{checked:?}");
    let model = perfect(folder.path());
    let run = toolgauge(folder.path(), &["run", "desk", "-m", &model, "--format", "json"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert!(scores(&run).to_string().contains("\"desk\""));
    assert!(suite.join("recording/calls.ndjson").exists());
}

#[test]
fn a_call_that_was_not_recorded_leaves_its_trial_unscored_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let other = json!({"calls": [{"name": "desk__read", "arguments": {"path": "/etc/x"}}]});
    let model =
        script(folder.path(), &json!([{"id": "read", "turns": [other, {"text": "Nothing."}]}]));
    let run = |mode: &str| {
        let only = ["--case", "read", "--same-failures", "0", "--replay", mode];
        toolgauge(folder.path(), &[&["run", "desk", "-m", &model][..], &only].concat())
    };
    let strict = run("strict");
    assert_eq!(strict.status.code(), Some(3), "{strict:?}");
    let told = String::from_utf8_lossy(&strict.stdout).into_owned() + &stderr(&strict);
    assert!(told.contains("a call was not recorded in this state: desk__read"), "{told}");
    let nearest = run("nearest");
    assert_eq!(nearest.status.code(), Some(0), "{nearest:?}");
    let told = String::from_utf8_lossy(&nearest.stdout).into_owned() + &stderr(&nearest);
    assert!(told.contains("nearest_reply"), "{told}");
}

#[test]
fn commands_are_shown_and_not_started_unless_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let run = toolgauge(folder.path(), &["run", "desk", "-m", "baseline", "--replay", "live"]);
    assert_eq!(run.status.code(), Some(2));
    let told = stderr(&run);
    let shown = "`desk` starts commands, which was not allowed: python3 ${DESK_SERVER} ${WORK}";
    assert!(told.contains(shown) && told.contains("--allow-commands"), "{told}");
}

#[test]
fn a_folder_that_its_user_trusts_starts_commands_and_no_agent_does() {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let config = folder.path().join("config");
    let run = |arguments: &[&str], agent: bool| {
        let mut command = command(folder.path(), arguments);
        command.env("XDG_CONFIG_HOME", &config).env_remove("TOOLGAUGE_FOR_AGENT");
        if agent {
            command.env("TOOLGAUGE_FOR_AGENT", "1");
        }
        command.output().unwrap()
    };
    let live = ["run", "desk", "-m", "baseline", "--limit", "1", "--replay", "live"];
    let is_refused = |agent: bool| {
        let told = stderr(&run(&live, agent));
        assert!(told.contains("which was not allowed") || told.contains(ALLOWED), "{told}");
        told.contains("which was not allowed")
    };
    assert!(is_refused(false));
    // What lies in the project has no say.
    let here = folder.path().canonicalize().unwrap();
    let trusted = format!("folders = [{:?}]\n", here.display().to_string());
    fs::create_dir(folder.path().join("toolgauge")).unwrap();
    for place in ["trusted.toml", "desk/trusted.toml", "toolgauge/trusted.toml"] {
        fs::write(folder.path().join(place), &trusted).unwrap();
    }
    assert!(is_refused(false));
    let told = run(&["config", "--trust", "desk/notes/.."], false);
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let listed = run(&["config"], false).stdout;
    let listed = String::from_utf8(listed).unwrap();
    let desk = here.join("desk").display().to_string();
    assert!(listed.contains(&format!("# trusted: {desk:?}")), "{listed}");
    assert!(!is_refused(false));
    assert!(is_refused(true));
    // A suite whose servers are named elsewhere is as trusted as that place.
    let suite = folder.path().join("desk/suite.yaml");
    let text = fs::read_to_string(&suite).unwrap();
    let own = "servers:\n    desk: {command: python3, args: [\"${DESK_SERVER}\", \"${WORK}\"]}";
    assert!(text.contains(own), "{text}");
    fs::write(&suite, text.replace(own, "servers: ../servers.json")).unwrap();
    let desk = json!({"command": "python3", "args": ["${DESK_SERVER}", "${WORK}"]});
    let map = json!({"mcpServers": {"desk": desk}});
    fs::write(folder.path().join("servers.json"), map.to_string()).unwrap();
    assert!(is_refused(false));
    fs::write(&suite, text).unwrap();
    assert!(!is_refused(false));
    run(&["config", "--untrust", "desk"], false);
    assert!(is_refused(false));
}

/// What tells that commands were allowed: they are shown before they start, or cannot be started.
const ALLOWED: &str = if cfg!(feature = "mcp") {
    "`desk` starts: python3 ${DESK_SERVER} ${WORK}"
} else {
    "built without the feature `mcp`"
};

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_servers_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let flags = ["--replay", "live", "--allow-commands"];
    let run = toolgauge(folder.path(), &[&["run", "desk", "-m", "baseline"][..], &flags].concat());
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("built without the feature `mcp`"), "{}", stderr(&run));
}

#[test]
fn a_suite_without_a_recording_says_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    let suite = copied(folder.path());
    fs::remove_dir_all(suite.join("recording")).unwrap();
    let run = toolgauge(folder.path(), &["run", "desk", "-m", "baseline"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("the servers of `desk` were not recorded"), "{}", stderr(&run));
}

#[test]
fn a_changed_fixture_makes_its_recording_worth_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let suite = copied(folder.path());
    fs::write(suite.join("notes/today.txt"), "Free.").unwrap();
    let checked = toolgauge(folder.path(), &["check", "desk"]);
    assert_eq!(checked.status.code(), Some(2));
    let told = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(told.contains("the setup `notes` has changed since it was recorded"), "{told}");
}

#[test]
fn the_tools_of_a_recording_are_checked_and_confused_ones_counted() {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let check = ["mcp", "check", "desk/recording"];
    let checked = toolgauge(folder.path(), &check);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    let told = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(
        told.contains("desk__read: warning: arguments without a description: `path`"),
        "{told}"
    );
    assert!(told.contains("desk: 6 tools, 0 errors"), "{told}");

    // A subject that takes `count` for `read`.
    let turn = |tool: &str| {
        let called = if tool == "read" { "count" } else { tool };
        json!({"id": tool, "calls": [{"name": called, "arguments": {}}]})
    };
    let tools = ["read", "write", "count", "where", "token", "fault"];
    let turns: Vec<Value> = tools.into_iter().map(turn).collect();
    let model = script(folder.path(), &json!(turns));
    let other = json!({"read": "Reads one file, by its path."});
    fs::write(folder.path().join("other.json"), other.to_string()).unwrap();
    let more = ["-m", &model, "--describe", "other.json", "-o", "asked"];
    let asked = toolgauge(folder.path(), &[&check[..], &more].concat());
    assert_eq!(asked.status.code(), Some(0), "{asked:?}");
    let told = String::from_utf8_lossy(&asked.stdout).into_owned();
    let pair = "1 of 1     `read` was asked for, `count` called";
    assert_eq!(told.matches(pair).count(), 2, "in both wordings: {told}");
    assert!(folder.path().join("asked/suite.json").exists());
}

#[test]
fn a_server_that_no_model_can_use_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let schema = json!({"type": "object", "properties": {"a": {"enum": []}}});
    let tools = json!([{"name": "look up", "description": "Looks.", "inputSchema": schema}]);
    let servers = json!({"servers": {"odd": {"tools": tools}}});
    fs::write(folder.path().join("tools.json"), servers.to_string()).unwrap();
    let checked = toolgauge(folder.path(), &["mcp", "check", ".", "--format", "json"]);
    assert_eq!(checked.status.code(), Some(2), "{checked:?}");
    let problems = &scores(&checked)["problems"];
    let errors = problems.as_array().unwrap().iter().filter(|it| it["severity"] == "error");
    assert_eq!(errors.count(), 2, "{problems}");
}

#[cfg(all(feature = "mcp", unix))]
#[test]
fn the_servers_of_a_file_are_measured_without_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let servers = json!({"desk": {"command": "python3", "args": ["${DESK_SERVER}", "notes"]}});
    fs::write(folder.path().join(".mcp.json"), json!({"mcpServers": servers}).to_string()).unwrap();
    fs::write(folder.path().join("note.txt"), "milk").unwrap();
    let cases = "- {id: read, say: What is in note.txt?, expect: {call: {tool: read, arguments: {path: note.txt}}}}";
    fs::write(folder.path().join("cases.yaml"), cases).unwrap();
    let read = json!({"calls": [{"name": "desk__read", "arguments": {"path": "note.txt"}}]});
    let model = script(folder.path(), &json!([{"id": "read", "turns": [read, {"text": "Milk."}]}]));
    let files = ["run", "--mcp", ".mcp.json", "--cases", "cases.yaml", "--fail-under", "0"];
    let run = toolgauge(folder.path(), &[&files[..], &["-m", &model]].concat());
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(told.contains("1.000"), "{told}");
}

#[cfg(all(feature = "mcp", unix))]
#[test]
fn what_is_recorded_anew_is_what_was_recorded_and_replay_gives_the_outcomes_of_live() {
    let folder = tempfile::tempdir().unwrap();
    let suite = copied(folder.path());
    fs::remove_dir_all(suite.join("recording")).unwrap();
    let live = ["--replay", "live", "--allow-commands"];
    let checked = toolgauge(folder.path(), &[&["check", "desk"][..], &live].concat());
    assert!(checked.status.success(), "{checked:?}");
    for name in ["tools.json", "states.ndjson", "calls.ndjson"] {
        let recorded = fs::read_to_string(suite.join("recording").join(name)).unwrap();
        let kept = desk().join("recording").join(name);
        if std::env::var_os("TOOLGAUGE_UPDATE_RECORDING").is_some() {
            fs::create_dir_all(desk().join("recording")).unwrap();
            fs::write(&kept, &recorded).unwrap();
        }
        assert_eq!(recorded, fs::read_to_string(&kept).unwrap(), "{name}");
    }
    let model = perfect(folder.path());
    let run = |more: &[&str]| {
        let all = [&["run", "desk", "-m", &model, "--format", "json"][..], more].concat();
        let run = toolgauge(folder.path(), &all);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        scores(&run)
    };
    let (real, replayed) = (run(&live), run(&[]));
    let score = |value: &Value| value.pointer("/0/scores").or(value.get("scores")).cloned();
    assert_eq!(score(&real), score(&replayed));
}

#[cfg(all(feature = "mcp", unix))]
#[test]
fn a_killed_run_keeps_every_call_that_was_answered() {
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let suite = copied(folder.path());
    fs::remove_dir_all(suite.join("recording")).unwrap();
    let call =
        |tool: &str, arguments: Value| json!({"calls": [{"name": tool, "arguments": arguments}]});
    let read = || call("desk__read", json!({"path": "/workspace/lost.txt"}));
    let run = ["run", "desk", "--case", "read", "--same-failures", "0"];
    // Nobody expects the first call; the second is never answered.
    let wait = call("desk__fault", json!({"kind": "wait"}));
    let model = script(folder.path(), &json!([{"id": "read", "turns": [read(), wait]}]));
    let live = ["-m", &model, "--replay", "live", "--allow-commands"];
    let mut child = command(folder.path(), &[&run[..], &live].concat()).spawn().unwrap();
    let calls = suite.join("recording/calls.ndjson");
    let started = Instant::now();
    while !fs::read_to_string(&calls).is_ok_and(|calls| calls.contains("lost.txt")) {
        assert!(started.elapsed() < Duration::from_mins(1), "the call was not written down");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill may also cut the last line off, even within a character.
    let mut cut = fs::read(&calls).unwrap();
    cut.extend(b"{\"in\": \"\xc3");
    fs::write(&calls, cut).unwrap();

    let model = script(
        folder.path(),
        &json!([{"id": "read", "turns": [read(), {"text": "There is no such file."}]}]),
    );
    let replayed = toolgauge(folder.path(), &[&run[..], &["-m", &model]].concat());
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
}
