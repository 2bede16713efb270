//! Ctrl-C and polite kills, whatever a run is waiting for; and servers that are not ready.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::runtime::Runtime;
use toolgauge_testkit::{self as testkit, Received, Response, wait_until};

use crate::run::{only_log, run, suite, text, toolgauge, trials};

/// Longer than stopping may take on a busy machine, and far shorter than what is waited for.
const SOON: Duration = Duration::from_secs(10);
/// What no test waits for.
const LONG: Duration = Duration::from_mins(10);

fn start(
    plan: impl Fn(&Received) -> Response + Send + Sync + 'static,
) -> (Runtime, testkit::Server) {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(testkit::Server::start(plan));
    (runtime, server)
}

/// Answers what is asked about the server as llama.cpp does.
fn llama(request: &Received) -> Option<Response> {
    let body = match &*request.path {
        "/v1/models" => json!({"data": [{"id": "q", "owned_by": "llamacpp"}]}),
        "/props" => json!({"total_slots": 1, "chat_template_caps": {"supports_tools": true}}),
        _ => return None,
    };
    Some(Response::json(200, &body))
}

fn loading() -> Response {
    Response::json(503, &json!({"error": {"message": "Loading model", "code": 503}}))
}

fn answer() -> Response {
    Response::json(
        200,
        &json!({"choices": [{"message": {"content": "no"}, "finish_reason": "stop"}]}),
    )
}

fn spawned(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = toolgauge(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let process = child.id().to_string();
    assert!(Command::new("kill").args([name, &process]).status().unwrap().success());
}

/// What came of a process, and how long it took from now on.
fn ended(child: Child) -> (Output, Duration) {
    let start = Instant::now();
    (child.wait_with_output().unwrap(), start.elapsed())
}

fn logs(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("logs")).map_or(0, Iterator::count)
}

#[test]
fn one_signal_ends_the_reading_of_the_prompt_in_advance() {
    for name in ["-INT", "-TERM"] {
        let folder = suite(3);
        let hanging = |request: &Received| llama(request).unwrap_or(Response::silence(LONG));
        let (_runtime, server) = start(hanging);
        let child = spawned(folder.path(), &["run", ".", "-m", "q", "--base-url", server.url()]);
        wait_until(|| server.received().iter().any(|request| request.method == "POST"));
        // Long enough for a word on what is waited for.
        std::thread::sleep(Duration::from_millis(1500));
        signal(&child, name);
        let (output, took) = ended(child);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(took < SOON, "{took:?}");
        assert!(said.contains("reading the prompt (about "), "{said}");
        assert_eq!(said.matches("reading the prompt").count(), 1, "{said}");
        assert!(said.contains("interrupted before the first trial"), "{said}");
        assert_eq!(logs(folder.path()), 0);
    }
}

#[test]
fn one_signal_ends_the_first_look_at_a_server() {
    let folder = suite(3);
    let (_runtime, server) = start(|_| Response::silence(LONG));
    let child = spawned(folder.path(), &["run", ".", "-m", "q", "--base-url", server.url()]);
    wait_until(|| !server.received().is_empty());
    signal(&child, "-INT");
    let (output, took) = ended(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn one_signal_ends_the_start_of_a_llama_server_and_the_server() {
    let folder = suite(3);
    std::fs::write(folder.path().join("m.gguf"), "GGUF").unwrap();
    let program = folder.path().join("llama-server");
    std::fs::write(&program, "#!/bin/sh\necho $$ > pid\nexec sleep 600\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let program = program.to_str().unwrap();
    let child = spawned(folder.path(), &["run", ".", "-m", "m.gguf", "--llama-server", program]);
    let pid = folder.path().join("pid");
    wait_until(|| std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
    signal(&child, "-INT");
    let (output, took) = ended(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(took < SOON, "{took:?}");
    let pid = std::fs::read_to_string(&pid).unwrap();
    wait_until(|| !Path::new("/proc").join(pid.trim()).exists());
}

#[test]
fn a_server_that_loads_its_model_is_waited_for_before_the_first_trial() {
    let folder = suite(3);
    let (_runtime, server) = start(|request| match &*request.method {
        "GET" if request.number < 2 => loading(),
        "GET" => llama(request).unwrap(),
        _ => answer(),
    });
    let output = run(folder.path(), &["run", ".", "-m", "q", "--base-url", server.url()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(trials(&only_log(folder.path())).len(), 3);
    let arguments = ["run", ".", "-m", "q", "--patience", "1", "--base-url"];
    let (_runtime, server) = start(|_| loading());
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is not ready: HTTP status 503: Loading model"), "{said}");
}

#[test]
fn a_server_that_loads_its_model_again_costs_no_trial() {
    let folder = suite(6);
    let (_runtime, server) = start(|request| match &*request.method {
        "GET" => Response::json(200, &json!({"data": []})),
        _ if (4..7).contains(&request.number) => loading(),
        _ => answer(),
    });
    let arguments = ["run", ".", "-m", "q", "-c", "1", "--retries", "0", "--base-url"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = trials(&only_log(folder.path()));
    assert_eq!(found.len(), 6);
    assert!(found.values().all(|trial| trial.transcript.failure.is_none()));
}

/// Answers one request for each connection.
fn serve_once(stream: &mut std::net::TcpStream) {
    use std::io::{Read, Write};
    let (mut read, mut piece) = (Vec::new(), [0; 4096]);
    let end = |read: &[u8]| read.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
    let length = |read: &[u8]| {
        let head = String::from_utf8_lossy(read).to_ascii_lowercase();
        head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()
    };
    while end(&read).is_none_or(|end| read.len() < end + length(&read).unwrap_or(0)) {
        match stream.read(&mut piece) {
            Ok(count @ 1..) => read.extend(&piece[..count]),
            _ => return,
        }
    }
    let body = if read.starts_with(b"GET") {
        json!({"data": []})
    } else {
        json!({"choices": [{"message": {"content": "no"}, "finish_reason": "stop"}]})
    };
    let body = body.to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
}

#[test]
fn a_server_that_is_restarted_in_the_midst_of_a_run_costs_no_trial() {
    let folder = suite(12);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answered = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&answered);
    std::thread::spawn(move || {
        let serve = |mut stream: std::net::TcpStream| {
            serve_once(&mut stream);
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        (0..6).for_each(|_| serve(listener.accept().unwrap().0));
        // Gone before the answer, so that no connection is waiting to be accepted and breaks.
        let (last, _) = listener.accept().unwrap();
        drop(listener);
        serve(last);
        std::thread::sleep(Duration::from_secs(4));
        let again = std::net::TcpListener::bind(address).unwrap();
        again.incoming().for_each(|stream| serve(stream.unwrap()));
    });
    let url = format!("http://{address}/v1");
    let arguments = ["run", ".", "-m", "q", "-c", "1", "--retries", "0", "--base-url", &url];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = trials(&only_log(folder.path()));
    assert_eq!(found.len(), 12);
    assert!(found.values().all(|trial| trial.transcript.failure.is_none()));
    assert!(answered.load(std::sync::atomic::Ordering::Relaxed) > 6);
}

#[test]
fn two_signals_end_a_run_whose_thread_is_blocked() {
    let folder = suite(3);
    let pipe = folder.path().join("report.xml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Nobody reads the pipe, so that to open it blocks for ever, and the whole process with it.
    let arguments = ["run", ".", "-m", "baseline", "--junit", "report.xml"];
    let mut child = spawned(folder.path(), &arguments);
    wait_until(|| logs(folder.path()) == 1);
    std::thread::sleep(Duration::from_secs(3));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it is blocked");
    signal(&child, "-INT");
    let (output, took) = ended(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn a_run_with_unscored_trials_names_the_command_that_goes_on() {
    let folder = suite(4);
    let (_runtime, server) = start(|request| match request.number {
        2 => Response::json(500, &json!({"error": {"message": "out of memory"}})),
        _ if request.method == "GET" => Response::json(200, &json!({"data": []})),
        _ => answer(),
    });
    let arguments = ["run", ".", "-m", "q", "-c", "1", "--retries", "0", "--base-url"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let log = only_log(folder.path());
    let log = log.file_name().unwrap().to_str().unwrap();
    assert!(said.contains(&format!("`toolgauge run --resume logs/{log}`")), "{said}");
    let output = run(folder.path(), &["run", "--resume", "last", "--base-url", server.url()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("--resume"));
}

#[test]
fn more_trials_than_memory_holds_are_refused() {
    let folder = suite(3);
    let output = run(folder.path(), &["run", ".", "-m", "baseline", "--trials", "4294967295"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("are more than the 2000000 that a run may have"), "{said}");
}

#[test]
fn two_signals_end_a_viewer_that_a_connection_holds_up() {
    let folder = suite(1);
    run(folder.path(), &["run", ".", "-m", "baseline"]);
    let mut child = spawned(folder.path(), &["view", "--port", "0", "--no-cache"]);
    let mut line = String::new();
    let stdout = child.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
    let address = line.trim().trim_start_matches("listening on http://").trim_end_matches('/');
    let mut stuck = std::net::TcpStream::connect(address).unwrap();
    std::io::Write::write_all(&mut stuck, b"GET / HTTP/1.1\r\nHost: ").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    let (_, took) = ended(child);
    assert!(took < SOON, "{took:?}");
    drop(stuck);
}

#[test]
fn an_answer_with_thousands_of_calls_holds_nobody_up() {
    let folder = suite(20);
    let calls = |count: usize| -> Vec<_> {
        let call = |n: usize| json!({"id": format!("c{n}"), "type": "function", "function": {"name": "say", "arguments": "{\"n\": 1}"}});
        (0..count).map(call).collect()
    };
    let body = |count: usize| json!({"choices": [{"message": {"tool_calls": calls(count)}, "finish_reason": "tool_calls"}]});
    let (most, too_many) = (Response::json(200, &body(10_000)), Response::json(200, &body(60_000)));
    let (_runtime, server) = start(move |request| match request.number {
        _ if request.method == "GET" => Response::json(200, &json!({"data": []})),
        3 => most.clone(),
        5 => too_many.clone(),
        _ => answer(),
    });
    let start = Instant::now();
    let arguments = ["run", ".", "-m", "q", "-c", "4", "--base-url", server.url()];
    let output = run(folder.path(), &arguments);
    let took = start.elapsed();
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    // Not so long ago, this took minutes in a build without optimisation.
    assert!(took < Duration::from_secs(45), "{took:?}");
    let found = trials(&only_log(folder.path()));
    let failures: Vec<_> = found.values().filter_map(|t| t.transcript.failure.as_ref()).collect();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].message, "the answer holds more than 10000 calls");
    assert!(found.values().any(|trial| trial.transcript.calls().count() == 10_000));
}
