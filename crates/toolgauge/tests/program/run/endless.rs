//! Files that have no end, and pipes nobody writes to: refused or bounded, never waited for.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::run::{run, suite, text, toolgauge};

/// Far more than any of these commands takes on a busy machine.
const LONG: Duration = Duration::from_mins(1);

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn endless(path: &Path) {
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
}

/// Runs a command, which must end by itself within a while.
fn ended(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = toolgauge(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LONG {
            child.kill().unwrap();
            panic!("{arguments:?} waits for ever");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// The command is refused with these words.
fn refused(folder: &Path, arguments: &[&str], why: &str) {
    let output = ended(folder, arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(why), "{arguments:?}: {said}");
}

fn business(database: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = format!(
        "name: s\nworld: {{kind: business, database: {database}}}\ncases:\n- {{id: a, say: hi, \
         expect: {{response: text}}}}\n"
    );
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    folder
}

#[test]
fn a_pipe_among_the_logs_is_refused_and_the_others_are_read() {
    let folder = suite(2);
    run(folder.path(), &["run", ".", "-m", "baseline"]);
    pipe(&folder.path().join("logs/pipe.eval"));
    for command in ["summary", "score", "cases"] {
        refused(folder.path(), &[command, "logs/pipe.eval"], "it is not a regular file");
    }
    // Commands that look into a file first, to see what it is.
    pipe(&folder.path().join("pipe.json"));
    let compare = ["compare", "pipe.json", "pipe.json"];
    refused(folder.path(), &compare, "it is not a regular file");
    let report = ["report", "pipe.json", "-o", "report.html"];
    refused(folder.path(), &report, "it is not a regular file");
    let output = ended(folder.path(), &["history", "numbers"]);
    assert!(text(&output.stdout).contains("numbers"), "{}", text(&output.stderr));
}

#[test]
fn a_database_without_an_end_is_refused() {
    for (name, make) in [
        ("pipe.sqlite", pipe as fn(&Path)),
        ("pipe.sql", pipe),
        ("zero.sqlite", endless),
        ("zero.sql", endless),
    ] {
        let folder = business(name);
        make(&folder.path().join(name));
        refused(folder.path(), &["check", "."], "it is not a regular file");
    }
}

#[test]
fn settings_keys_and_prompts_without_an_end_are_refused() {
    let folder = suite(1);
    let at = ["--base-url", "http://127.0.0.1:9/v1"];
    let keyed = ["run", ".", "-m", "q", at[0], at[1], "--key-file", "/dev/zero"];
    refused(folder.path(), &keyed, "it has more than 1 MB");
    let prompt = ["home", "import", "--prompt", "/dev/zero", "-o", "home"];
    refused(folder.path(), &prompt, "it has more than 64 MB");
    refused(folder.path(), &["home", "check", "/dev/zero"], "it is not a regular file");
    pipe(&folder.path().join("toolgauge.toml"));
    refused(folder.path(), &["config"], "it is not a regular file");
}
