//! A real server over stdio, with every fault that a server can have.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgauge_core::Case;
use toolgauge_mcp_world::{LiveBenches, LiveSuite, McpConfig, McpWorld, Recording, Setup, servers};
use toolgauge_world::World;

use super::{call, played};

fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mcp_world/desk_server.py")
}

/// A suite whose one server is the script beside this file. Python is asked for by name, so that
/// a machine without it fails loudly.
fn suite(more: &Value) -> LiveSuite {
    let desk = json!({
        "command": "python3",
        "args": [script(), "${WORK}/desk"],
        "env": {"DESK_TOKEN": "${CARGO_MANIFEST_DIR}"},
    });
    let mut config = json!({
        "servers": {"desk": desk},
        "state": {"files": ".", "sqlite": "shop.db", "lines": "log.jsonl"},
        "seconds": 2,
    });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let config = McpConfig::read(config.as_object().unwrap()).unwrap();
    let files = vec![
        ("desk/a.txt".to_owned(), b"one".to_vec()),
        ("log.jsonl".to_owned(), b"{\"n\": 1}\n".to_vec()),
    ];
    let sql = "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT);\
               INSERT INTO orders VALUES (1, 'open'), (2, 'paid');";
    let sql = vec![("shop.db".to_owned(), sql.to_owned())];
    let setups = vec![Setup { name: "desk".to_owned(), files, sql, run: Vec::new() }];
    let servers = servers(&config.servers).unwrap();
    LiveSuite { config, servers, setups, folder: None, recorded: None }
}

fn world(more: &Value) -> (McpWorld, Arc<LiveBenches>) {
    let suite = suite(more);
    let (config, setups) = (suite.config.clone(), suite.setups.clone());
    let benches = Arc::new(LiveBenches::start(suite).unwrap());
    let dyn_benches: Arc<dyn toolgauge_mcp_world::Benches> = benches.clone();
    (McpWorld::live(&config, setups, dyn_benches, None).unwrap(), benches)
}

fn case() -> Case {
    Case::new("any", "any")
}

fn asked(world: &McpWorld, tool: &str, arguments: &Value) -> String {
    world.enter(&case()).call(&call(&format!("desk__{tool}"), arguments)).content
}

#[test]
fn a_trial_works_in_a_folder_of_its_own_that_it_sees_under_one_name() {
    let (world, _) = world(&json!({}));
    let path = json!({"path": "/workspace/desk/a.txt", "text": "/workspace/two"});
    let mut trial = world.enter(&case());
    let wrote = trial.call(&call("desk__write", &path));
    assert_eq!(wrote.content, "wrote /workspace/desk/a.txt");
    let content = json!(["one", "/workspace/two"]);
    assert_eq!(*trial.state_changes().unwrap(), json!({"desk/a.txt": {"content": content}}));
    drop(trial);
    assert_eq!(asked(&world, "read", &json!({"path": "/workspace/desk/a.txt"})), "one");
}

#[test]
fn a_server_gets_the_variables_that_are_named_and_the_path_alone() {
    let (world, _) = world(&json!({"env": {"LANG": "C"}}));
    let told: Value = serde_json::from_str(&asked(&world, "where", &json!({}))).unwrap();
    assert_eq!((&told["cwd"], &told["folder"]), (&json!("/workspace"), &json!("/workspace/desk")));
    let names: Vec<&str> =
        told["variables"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    // What starts Python may add variables of its own, but knows none of ours.
    assert!(["DESK_TOKEN", "LANG", "PATH"].iter().all(|name| names.contains(name)), "{names:?}");
    assert!(!["HOME", "CARGO_PKG_NAME"].iter().any(|name| names.contains(name)), "{names:?}");
}

#[test]
fn values_of_the_environment_are_not_shown_and_not_recorded() {
    let (world, benches) = world(&json!({}));
    assert_eq!(asked(&world, "token", &json!({})), "the token is [CARGO_MANIFEST_DIR]");
    let recording = toolgauge_mcp_world::Benches::recording(benches.as_ref());
    let files = recording.read().unwrap().write();
    assert!(!files.calls.contains(env!("CARGO_MANIFEST_DIR")), "{}", files.calls);
}

#[test]
fn a_mask_hides_what_differs_from_run_to_run() {
    let (world, _) = world(&json!({"mask": [{"pattern": "o(n)e", "with": "<$1>"}]}));
    assert_eq!(asked(&world, "read", &json!({"path": "/workspace/desk/a.txt"})), "<n>");
}

#[test]
fn memory_lasts_from_trial_to_trial_unless_the_server_is_started_anew() {
    let count = |world: &McpWorld| asked(world, "count", &json!({}));
    let (lasting, _) = world(&json!({}));
    assert_eq!((count(&lasting), count(&lasting)), ("1".to_owned(), "2".to_owned()));
    let (fresh, _) = world(&json!({"fresh": ["desk"]}));
    assert_eq!((count(&fresh), count(&fresh)), ("1".to_owned(), "1".to_owned()));
}

#[test]
fn every_fault_of_a_server_breaks_its_trial_with_the_true_reason_and_no_other() {
    let (world, _) = world(&json!({"seconds": 1}));
    let faults = [
        ("crash", "`desk` ended in the middle of a call: the desk fell over"),
        ("hang", "`desk` did not answer `fault` within 1 s"),
        ("flood", "`desk` wrote more than 4 MB"),
        ("chatter", "`desk` wrote more than 32 MB"),
        ("garble", "`desk` wrote what is no message: {\"jsonrpc\": \"2.0\", \"id\""),
    ];
    for (kind, why) in faults {
        let mut trial = world.enter(&case());
        trial.call(&call("desk__fault", &json!({ "kind": kind })));
        // A machine that is slow to write so much may run into the time instead.
        let broken = trial.broken().unwrap();
        assert!(
            broken == why || (kind == "chatter" && broken.contains("within 1 s")),
            "{kind}: {broken}"
        );
        assert_eq!(asked(&world, "read", &json!({"path": "/workspace/desk/a.txt"})), "one");
    }
    let mut trial = world.enter(&case());
    trial.call(&call("desk__fault", &json!({"kind": "change"})));
    trial.call(&call("desk__count", &json!({})));
    let why = "`desk` changed its tools while running: write, count, where, token, fault, before \
               read, write, count, where, token, fault";
    assert_eq!(trial.broken().as_deref(), Some(why));
    assert_eq!(asked(&world, "read", &json!({"path": "/workspace/desk/a.txt"})), "one");
}

/// The server at an address, ended with the test.
struct AtAddress(std::process::Child);

impl Drop for AtAddress {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_at_an_address_is_asked_with_the_headers_that_are_named() {
    let mut command = std::process::Command::new("python3");
    command.arg(script()).args(["/nowhere", "http"]).stdout(std::process::Stdio::piped());
    let mut server = AtAddress(command.spawn().unwrap());
    let mut port = String::new();
    let mut written = std::io::BufReader::new(server.0.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut written, &mut port).unwrap();
    let url = format!("http://127.0.0.1:{}/mcp", port.trim());
    let suite = |word: &str| {
        let desk = json!({"type": "http", "url": url, "headers": {"X-Desk": word}});
        let mut suite = suite(&json!({"state": {}}));
        suite.servers = servers(&json!({ "desk": desk })).unwrap();
        suite
    };
    let refused = LiveBenches::start(suite("knock knock")).err().unwrap().to_string();
    assert!(refused.starts_with("`desk` does not start: "), "{refused}");
    let (away, suite) = (suite("open sesame"), suite("open sesame"));
    let (config, setups) = (suite.config.clone(), suite.setups.clone());
    let benches = Arc::new(LiveBenches::start(suite).unwrap());
    let world = McpWorld::live(&config, setups, benches, None).unwrap();
    assert_eq!(asked(&world, "count", &json!({})), "1");
    drop(server);
    let mut trial = world.enter(&case());
    trial.call(&call("desk__count", &json!({})));
    let broken = trial.broken().unwrap();
    assert!(broken.starts_with("`desk` cannot be asked any more: "), "{broken}");
    // Nobody listens there now. Names of types in the SDK say nothing to a reader.
    let gone = LiveBenches::start(away).err().unwrap().to_string();
    assert!(gone.starts_with("`desk` does not start: "), "{gone}");
    assert!(
        gone.contains("error sending request for url")
            && !format!("{refused}{broken}{gone}").contains("::"),
        "{gone}"
    );
}

#[test]
fn a_server_that_does_not_start_is_named_with_its_last_words() {
    let why = |desk: Value| {
        let mut suite = suite(&json!({}));
        suite.servers = servers(&json!({ "desk": desk })).unwrap();
        LiveBenches::start(suite).err().unwrap().to_string()
    };
    let missing = why(json!({"command": "no-such-program-here"}));
    assert!(missing.starts_with("`desk` cannot be started: `no-such-program-here`"), "{missing}");
    let ends = why(json!({"command": "sh", "args": ["-c", "echo no licence >&2; exit 3"]}));
    assert_eq!(ends, "`desk` does not start: no licence");
    let unset = why(json!({"command": "sh", "env": {"A": "${NO_SUCH_VARIABLE_HERE}"}}));
    assert_eq!(unset, "a server wants the variable `NO_SUCH_VARIABLE_HERE`, which is not set");
}

#[test]
fn a_replayed_recording_of_a_real_server_gives_the_same() {
    let (live, benches) = world(&json!({}));
    let write = |path: &str, text: &str| {
        call("desk__write", &json!({"path": format!("/workspace/{path}"), "text": text}))
    };
    let read = |path: &str| call("desk__read", &json!({"path": format!("/workspace/{path}")}));
    let ways = [
        vec![read("desk/a.txt")],
        vec![read("desk/none.txt"), write("desk/b.txt", "two"), read("desk/b.txt")],
        vec![write("log.jsonl", "{\"n\": 2}\n{\"n\": 1}\n")],
        vec![write("desk/b.txt", "two"), write("desk/a.txt", "three"), read("desk/a.txt")],
    ];
    let real: Vec<_> =
        ways.iter().map(|calls| played(live.enter(&case()).as_mut(), calls)).collect();
    let recording = toolgauge_mcp_world::Benches::recording(benches.as_ref());
    let files = recording.read().unwrap().write();
    let suite = suite(&json!({}));
    let recording = Recording::read(&files).unwrap();
    let replay = McpWorld::replayed(&suite.config, suite.setups, recording).unwrap();
    for (calls, real) in ways.iter().zip(real) {
        assert_eq!(played(replay.enter(&case()).as_mut(), calls), real);
    }
}

#[test]
fn a_call_costs_little_beside_the_servers_own_time() {
    let (world, _) = world(&json!({"state": {}}));
    let mut trial = world.enter(&case());
    let where_is = call("desk__where", &json!({}));
    trial.call(&where_is);
    let started = Instant::now();
    for _ in 0..200 {
        trial.call(&where_is);
    }
    // The server's own time is part of it; the bar of a release is in docs/mcp-world.md.
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}
