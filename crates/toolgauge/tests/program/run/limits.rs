//! Runs that meet the limits of the machine: open files, a full disk, names that are too long.

use std::path::Path;
use std::process::{Child, Output};
use std::time::Duration;

use serde_json::json;
use toolgauge_testkit::Response;

use crate::run::{Server, only_log, results, run, suite, text, toolgauge};

/// Runs the program under a limit of the shell.
fn limited(folder: &Path, limit: &str, arguments: &[&str]) -> Output {
    let program = toolgauge(folder, &[]);
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &script]).arg(program.get_program()).args(arguments);
    command.current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

#[test]
fn a_run_takes_no_more_files_than_it_may_open() {
    let folder = suite(300);
    let server = Server::start(folder.path(), &["--latency", "20ms"]);
    let model = ["run", ".", "-m", "any", "--base-url", &server.base_url];
    let output = limited(folder.path(), "-n 128", &[&model[..], &["-c", "400"]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("64 trials run at once rather than 400"), "{said}");
    assert!(said.contains("may have 128 files"), "{said}");
    assert_eq!(results(&only_log(folder.path())).len(), 300);
    // Where the limit may be raised, it is.
    std::fs::remove_dir_all(folder.path().join("logs")).unwrap();
    let output = limited(folder.path(), "-S -n 128", &[&model[..], &["-c", "200"]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains("at once rather than"), "{said}");
    assert_eq!(results(&only_log(folder.path())).len(), 300);
}

#[test]
fn a_disk_that_is_full_is_named_and_the_run_goes_on_later() {
    let folder = suite(40);
    let model = ["run", ".", "-m", "script:script.ndjson"];
    assert_eq!(run(folder.path(), &model).status.code(), Some(0));
    let whole = only_log(folder.path());
    let (expected, length) = (results(&whole), std::fs::metadata(&whole).unwrap().len());
    // In the middle of the trials, and only when all of them are written. Two runs differ by a few
    // bytes, as their times do; the list of 40 entries at the end is longer than two blocks.
    for blocks in [length / 2 / 1024, length / 1024 - 1] {
        std::fs::remove_dir_all(folder.path().join("logs")).unwrap();
        let output = limited(folder.path(), &format!("-f {blocks}"), &model);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("the run was stopped: cannot write log"), "{said}");
        assert!(said.contains("File too large"), "{said}");
        assert!(said.contains("`--resume last` goes on"), "{said}");
        let output = run(folder.path(), &["run", "--resume", "last"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(results(&only_log(folder.path())), expected);
    }
}

#[test]
fn a_file_that_may_not_become_as_large_is_named_and_leaves_nothing() {
    let folder = suite(40);
    run(folder.path(), &["run", ".", "-m", "script:script.ndjson"]);
    let log = only_log(folder.path()).display().to_string();
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    for command in [&["report", &log, "-o", "report.html"][..], &["score", &log]] {
        let output = limited(folder.path(), "-f 8", command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        assert!(said.contains("File too large"), "{command:?}: {said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before, "{command:?}");
        assert_eq!(only_log(folder.path()).display().to_string(), log);
    }
}

#[test]
fn a_report_that_cannot_be_written_does_not_undo_the_run() {
    let folder = suite(3);
    let model = ["run", ".", "-m", "script:script.ndjson", "--markdown", "/dev/full"];
    let output = run(folder.path(), &model);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("cannot write `/dev/full`: No space left"), "{said}");
    assert_eq!(results(&only_log(folder.path())).len(), 3);
}

#[test]
fn an_id_that_no_log_can_hold_is_refused_with_its_place() {
    let folder = suite(1);
    let lines = |length: usize| {
        let first = json!({"id": "short", "say": "x", "expect": {"calls": []}});
        let second = json!({"id": "i".repeat(length), "say": "x", "expect": {"calls": []}});
        std::fs::write(folder.path().join("cases.ndjson"), format!("{first}\n{second}\n")).unwrap();
    };
    lines(70_000);
    for command in ["check", "run"] {
        let output = run(folder.path(), &[command, "."]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("cases.ndjson:2"), "{said}");
        assert!(said.contains("is longer than 1000 bytes") && said.len() < 5_000, "{said}");
    }
    lines(1_000);
    let output = run(folder.path(), &["run", ".", "-m", "baseline"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(results(&only_log(folder.path())).len(), 2);
}

#[test]
fn a_wrong_bit_in_a_name_is_told_and_resuming_mends_it() {
    let folder = suite(6);
    let model = ["run", ".", "-m", "script:script.ndjson"];
    assert_eq!(run(folder.path(), &model).status.code(), Some(0));
    let log = only_log(folder.path());
    let expected = results(&log);
    let whole = std::fs::read(&log).unwrap();
    let name = b"samples/n-1_epoch_1.json";
    let places: Vec<usize> =
        (0..whole.len() - name.len()).filter(|place| whole[*place..].starts_with(name)).collect();
    let [local, directory] = places[..] else { panic!("{places:?}") };
    let cut = whole.len() - 22;
    let summary = ["summary", log.to_str().unwrap()];
    for (place, bytes) in [(directory, &whole[..]), (local, &whole[..cut])] {
        // `n-1` becomes `n-0`, which there is already.
        let mut bytes = bytes.to_vec();
        bytes[place + 10] ^= 1;
        std::fs::write(&log, &bytes).unwrap();
        let output = run(folder.path(), &summary);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("n-"), "{said}");
        let output = run(folder.path(), &["run", "--resume", "last"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(results(&log), expected);
        assert_eq!(run(folder.path(), &summary).status.code(), Some(0));
    }
}

/// The most memory that a process takes until it ends, in megabytes.
#[cfg(target_os = "linux")]
fn peak(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0) >> 10);
        std::thread::sleep(Duration::from_millis(5));
    }
    most
}

#[test]
#[cfg(target_os = "linux")]
fn hundreds_of_long_calls_in_every_turn_take_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = json!({"a": "x".repeat(4_000)}).to_string();
    let call = |n: usize| json!({"id": format!("c{n}"), "type": "function", "function": {"name": "f", "arguments": arguments}});
    let calls: Vec<_> = (0..200).map(call).collect();
    let body = json!({"choices": [{"message": {"content": "ok", "tool_calls": calls}}]});
    let models = Response::json(200, &json!({"data": []}));
    let said = Response::json(200, &body);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(toolgauge_testkit::Server::start(move |request| {
        if request.method == "GET" { models.clone() } else { said.clone() }
    }));
    let arguments = ["run", "home-assistant", "--limit", "2", "-c", "2", "-m", "any"];
    let mut command =
        toolgauge(folder.path(), &[&arguments[..], &["--base-url", server.url()]].concat());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    // Half a gigabyte, when every turn kept a request that repeats all turns before it.
    let most = peak(&mut child);
    assert!(most > 0 && most < 300, "{most} MB");
    assert_eq!(results(&only_log(folder.path())).len(), 2);
}
