//! Ctrl-C in commands that have nothing to end in order: status 130, and nothing half-written.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use toolgauge_testkit::{self as testkit, Response, wait_until};

use crate::run::{only_log, run, suite, text, toolgauge};

/// Longer than stopping may take on a busy machine, and far shorter than what is waited for.
const SOON: Duration = Duration::from_secs(10);
/// What no test waits for.
const LONG: Duration = Duration::from_mins(10);

fn started(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = toolgauge(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Every file in a folder and below it.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path().display().to_string());
        }
    }
    found
}

/// Interrupts a command, which must end soon with status 130.
fn interrupt(child: Child, signal: &str) -> Output {
    let process = child.id().to_string();
    assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    output
}

#[test]
fn scoring_that_is_interrupted_leaves_no_log() {
    let folder = suite(2);
    run(folder.path(), &["run", ".", "-m", "baseline"]);
    let log = only_log(folder.path()).display().to_string();
    let runtime = Runtime::new().unwrap();
    // It offers a model and then never answers, so that the new log is begun and never ended.
    let server = runtime.block_on(testkit::Server::start(|request| match &*request.path {
        "/v1/models" => Response::json(200, &serde_json::json!({"data": [{"id": "j"}]})),
        _ => Response::silence(LONG),
    }));
    for signal in ["-INT", "-TERM"] {
        let before = files(folder.path());
        let judge = ["score", &log, "--judge", "j", "--judge-url", server.url()];
        let asked = server.received().iter().filter(|request| request.method == "POST").count();
        let child = started(folder.path(), &judge);
        wait_until(|| {
            let posts = server.received().into_iter().filter(|request| request.method == "POST");
            posts.count() > asked
        });
        interrupt(child, signal);
        assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn a_command_that_only_reads_ends_with_130() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("lines");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = started(folder.path(), &["feedback", "import", "lines", "--log-dir", "."]);
    // Opening the other end waits until the command has opened its own, which it then reads from.
    let writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let output = interrupt(child, "-INT");
    drop(writer);
    assert_eq!(text(&output.stdout), "");
    assert_eq!(files(folder.path()).len(), 1);
}

#[test]
fn a_report_that_is_interrupted_leaves_no_temporary_file() {
    let folder = suite(300);
    run(folder.path(), &["run", ".", "-m", "baseline"]);
    let log = only_log(folder.path()).display().to_string();
    let before = files(folder.path());
    // Whether the signal meets the writing of the file is chance, so it comes ever later.
    for delay in 0..12 {
        let mut child = started(folder.path(), &["report", &log, "-o", "out.html"]);
        std::thread::sleep(Duration::from_millis(40 * delay));
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        let status = child.wait().unwrap();
        assert!(matches!(status.code(), Some(0 | 130) | None), "{status}");
        let mut after = files(folder.path());
        let whole = after.remove(&folder.path().join("out.html").display().to_string());
        assert!(whole || status.code() != Some(0));
        assert_eq!(after, before, "after {delay}");
        let _ = std::fs::remove_file(folder.path().join("out.html"));
    }
}
