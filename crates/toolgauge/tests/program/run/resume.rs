//! Nothing finished is lost, and nothing is run twice.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use toolgauge_core::Trial;
use toolgauge_log::{Log, LogWriter, RunStatus};
use toolgauge_testkit::wait_until;

use crate::run::{Server, finished, only_log, results, run, suite, text, toolgauge, trials};

/// How often the run is killed; the full number of the promise when asked for.
fn kills() -> u64 {
    std::env::var("TOOLGAUGE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Starts a run, kills it after a while, and says which trials its log holds then.
fn killed_after(folder: &Path, server: &Server, wait: Duration) -> Vec<String> {
    let logs = folder.join("logs");
    let mut command = if logs.exists() {
        toolgauge(folder, &["run", "--resume", "last", "-c", "4"])
    } else {
        toolgauge(folder, &["run", ".", "-m", "any", "-c", "4"])
    };
    command.args(["--base-url", &server.base_url]).stdout(Stdio::null()).stderr(Stdio::null());
    let before = log_size(folder);
    let mut child = command.spawn().unwrap();
    // Starting takes its time on a busy machine; the instant counts from the first new byte.
    wait_until(|| log_size(folder) != before || child.try_wait().unwrap().is_some());
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap();
    if !logs.exists() {
        return Vec::new();
    }
    if let Ok(log) = Log::open(&only_log(folder)) {
        return log.trials().map(|trial| trial.unwrap().id().to_string()).collect();
    }
    // Killed while the first entry was being written: there is nothing to lose yet.
    std::fs::remove_dir_all(logs).unwrap();
    Vec::new()
}

/// How large the log is, if there is one yet.
fn log_size(folder: &Path) -> u64 {
    let logs = std::fs::read_dir(folder.join("logs")).into_iter().flatten();
    logs.filter_map(|entry| entry.ok()?.metadata().ok()).map(|found| found.len()).sum()
}

#[test]
fn killing_and_resuming_loses_nothing_and_runs_nothing_twice() {
    let folder = suite(300);
    let server = Server::start(folder.path(), &["--latency", "4ms"]);
    let mut held: Vec<String> = Vec::new();
    // Instants that look random and are the same in every run of the test.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..kills() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let now = killed_after(folder.path(), &server, Duration::from_millis(state % 120));
        assert!(held.iter().all(|id| now.contains(id)), "what was finished is still there");
        let mut unique = now.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), now.len(), "no trial is there twice");
        held = now;
    }
    let log = only_log(folder.path()).display().to_string();
    let arguments = ["run", "--resume", &log, "--base-url", &server.base_url, "-c", "16"];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let resumed = results(&only_log(folder.path()));

    let whole = suite(300);
    let arguments = ["run", ".", "-m", "any", "-c", "16", "--base-url", &server.base_url];
    run(whole.path(), &arguments);
    let uninterrupted = results(&only_log(whole.path()));
    assert_eq!(resumed.len(), 300);
    for (id, result) in &uninterrupted {
        assert_eq!(resumed[id]["outcomes"], result["outcomes"], "{id}");
    }
}

#[test]
fn a_finished_run_has_nothing_left_to_resume() {
    let folder = suite(5);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let before = results(&only_log(folder.path()));
    let output = run(folder.path(), &["run", "--resume", "last"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(results(&only_log(folder.path())), before);
}

#[test]
fn a_changed_suite_is_not_resumed() {
    let folder = suite(5);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let cases = folder.path().join("cases.ndjson");
    let text_of_cases = std::fs::read_to_string(&cases).unwrap();
    std::fs::write(&cases, text_of_cases.replace("say the number 0", "say zero")).unwrap();
    let output = run(folder.path(), &["run", "--resume", "last"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the suite has changed"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn ctrl_c_closes_the_log_and_says_how_to_go_on() {
    let folder = suite(300);
    let server = Server::start(folder.path(), &["--latency", "20ms"]);
    let mut command = toolgauge(folder.path(), &["run", ".", "-m", "any", "-c", "2"]);
    command.args(["--base-url", &server.base_url]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // Under way once a trial is in the log, however busy the machine is.
    wait_until(|| finished(folder.path()) > 0);
    let process = child.id().to_string();
    let signalled = std::process::Command::new("kill").args(["-INT", &process]).status().unwrap();
    assert!(signalled.success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("--resume"), "{said}");
    let log = Log::open(&only_log(folder.path())).unwrap();
    assert!(log.is_finished(), "the log is closed properly");
    let finished = trials(&only_log(folder.path())).len();
    assert!((1..300).contains(&finished), "{finished}");
}

/// Writes the only log of a folder anew, with two of its trials and another head.
fn with_head(folder: &Path, edit: impl FnOnce(&mut Value)) -> String {
    let path = only_log(folder);
    let log = Log::open(&path).unwrap();
    let mut run = log.run().clone();
    let kept: Vec<Trial> = log.trials().take(2).map(Result::unwrap).collect();
    drop(log);
    let mut settings = Value::Object(run.settings.clone());
    edit(&mut settings);
    run.settings.clone_from(settings.as_object().unwrap());
    "9.8.7".clone_into(&mut run.program.version);
    std::fs::remove_file(&path).unwrap();
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in &kept {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Cancelled).unwrap();
    path.display().to_string()
}

#[test]
fn a_log_of_another_version_is_resumed_and_what_is_passed_over_is_named() {
    let folder = suite(5);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let log = with_head(folder.path(), |head| {
        let limits = head["settings"]["limits"].as_object_mut().unwrap();
        limits.remove("idle_timeout");
        limits.insert("burst".to_owned(), json!(9));
        limits.insert("patience".to_owned(), json!("long"));
        head["horoscope"] = json!("good");
    });
    let output = run(folder.path(), &["run", "--resume", &log]);
    let stderr = text(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(results(&only_log(folder.path())).len(), 5);
    for told in ["9.8.7", "`limits.burst`", "`limits.patience` (invalid type", "`horoscope`"] {
        assert!(stderr.contains(told), "{told}: {stderr}");
    }
    assert!(!stderr.contains("idle_timeout"), "{stderr}");
}

#[test]
fn a_setting_without_which_trials_would_not_compare_stops_a_resumed_run() {
    let folder = suite(5);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let log = with_head(folder.path(), |head| {
        head["settings"]["sampling"]["min_p"] = json!(0.1);
        head["settings"]["server"]["protocol"] = json!("carrier pigeon");
    });
    let output = run(folder.path(), &["run", "--resume", &log]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot be resumed"), "{stderr}");
    assert!(stderr.contains("`sampling.min_p` (this version does not know it)"), "{stderr}");
    assert!(stderr.contains("`server.protocol` (unknown variant `carrier pigeon`"), "{stderr}");
    assert_eq!(results(&only_log(folder.path())).len(), 2, "the log is as it was");

    let log = with_head(folder.path(), |head| head["scorers"] = json!("all of them"));
    let output = run(folder.path(), &["run", "--resume", &log]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("`scorers` in its head cannot be read: invalid type"), "{stderr}");
}

#[test]
fn a_resumed_run_goes_on_as_it_began_and_refuses_flags_for_another_one() {
    let folder = suite(5);
    run(folder.path(), &["run", ".", "-m", "baseline", "--trials", "2"]);
    let flags: [&[&str]; 5] = [
        &["--trials", "3"],
        &["--scorer", "wire"],
        &["--temperature", "0.9"],
        &["--limit", "1"],
        &["--until", "0.1"],
    ];
    for flags in flags {
        let output = run(folder.path(), &[&["run", "--resume", "last"], flags].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
        assert!(stderr.contains("it goes on as it began"), "{flags:?}: {stderr}");
    }
    // What the log has anyway may be said again.
    let output = run(folder.path(), &["run", "--resume", "last", "--trials", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn an_unfinished_run_passes_no_gate() {
    let folder = suite(5);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let log = with_head(folder.path(), |_| {});
    for gate in ["errors<=0", "score<=1", "unscored<=100%"] {
        let output = run(folder.path(), &["summary", &log, "--gate", gate]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{gate}: {stderr}");
        assert!(stderr.contains("the run is unfinished; so far "), "{gate}: {stderr}");
    }
}
