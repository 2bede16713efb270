//! Several processes share a run, and together leave what one would have left.

use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use toolgauge_log::{Log, RunStatus};

use crate::run::inspect::inspect_python;
use crate::run::{Server, run, suite, text, toolgauge};

const CASES: usize = 60;

/// The arguments of a shard of the suite in the folder.
fn arguments<'a>(server: &'a Server, shard: &'a str) -> Vec<&'a str> {
    let mut all = vec!["run", ".", "-m", "any", "-c", "4", "-q", "--trials", "2"];
    all.extend(["--base-url", &server.base_url, "--log-dir", "shards", "--shard", shard]);
    all
}

fn shard(folder: &Path, server: &Server, shard: &str) -> Output {
    run(folder, &arguments(server, shard))
}

/// A folder in which all shards of a run are finished.
fn sharded(server: &Server, of: u32) -> TempDir {
    let folder = suite(CASES);
    for index in 1..=of {
        let output = shard(folder.path(), server, &format!("{index}/{of}"));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    folder
}

fn shards(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder.join("shards")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// The figures of logs, timings and places apart.
fn summary(folder: &Path, logs: &[&str]) -> Value {
    let output = run(folder, &[&["summary", "--format", "json"], logs].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut summary = serde_json::from_slice(&output.stdout).unwrap();
    forget_times(&mut summary);
    summary
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let timed = ["log", "latency", "seconds", "time", "speed", "created", "timings"];
            fields.retain(|name, _| !timed.iter().any(|timed| name.contains(timed)));
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// What one process leaves of the same run.
fn whole(server: &Server) -> Value {
    let folder = suite(CASES);
    let all = ["run", ".", "-m", "any", "-c", "4", "-q", "--trials", "2", "--base-url"];
    let output = run(folder.path(), &[&all[..], &[&server.base_url]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    summary(folder.path(), &["last"])
}

fn answering() -> (TempDir, Server) {
    let folder = suite(CASES);
    let server = Server::start(folder.path(), &[]);
    (folder, server)
}

#[test]
fn merged_shards_are_what_one_process_leaves() {
    let (_scripts, server) = answering();
    let folder = sharded(&server, 7);
    let one = whole(&server);
    let merged = run(folder.path(), &["merge", "shards", "-o", "run.eval"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert_eq!(text(&merged.stdout), "120 trials of 7 shards merged into run.eval\n");
    assert_eq!(summary(folder.path(), &["run.eval"]), one);
    // Every command takes the shards themselves as one run, however they are named.
    assert_eq!(summary(folder.path(), &["shards"]), one);
    assert_eq!(summary(folder.path(), &["shards/shard-*.eval"]), one);
    let names: Vec<String> =
        shards(folder.path()).iter().map(|path| path.display().to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(summary(folder.path(), &names), one);
    let compared = run(folder.path(), &["compare", "shards", "run.eval"]);
    assert!(text(&compared.stdout).contains("120 trials of 60 shared cases"), "{compared:?}");
    let log = Log::open(&folder.path().join("run.eval")).unwrap();
    assert_eq!(log.status(), Some(&RunStatus::Success));
    assert_eq!((log.len(), log.run().cases.len(), log.run().shard()), (120, CASES, None));
}

#[test]
fn the_same_command_goes_on_and_a_finished_shard_asks_nobody() {
    let folder = suite(CASES);
    let slow = Server::start(folder.path(), &["--latency", "20ms"]);
    let mut first = toolgauge(folder.path(), &arguments(&slow, "1/2"));
    let mut child = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let trials = || {
        let log = folder.path().join("shards").read_dir().ok()?.next()?.ok()?.path();
        Some(Log::open(&log).ok()?.len())
    };
    toolgauge_testkit::wait_until(|| trials().is_some_and(|trials| trials > 5));
    child.kill().unwrap();
    child.wait().unwrap();
    let held = trials().unwrap();
    assert!(held < CASES, "{held}");
    let output = shard(folder.path(), &slow, "1/2");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(trials(), Some(CASES));
    drop(slow);
    // Its address answers no more, and need not.
    let gone = ["run", ".", "-m", "any", "--trials", "2", "--log-dir", "shards", "--shard", "1/2"];
    let output =
        run(folder.path(), &[&gone[..], &["--base-url", "http://127.0.0.1:9/v1"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("nothing was missing"), "{}", text(&output.stderr));
    assert_eq!(shards(folder.path()).len(), 1);
    let last = run(folder.path(), &["run", "--resume", "last", "--log-dir", "shards"]);
    assert_eq!(last.status.code(), Some(2));
    assert!(text(&last.stderr).contains("goes on by its own command"), "{}", text(&last.stderr));
}

/// Kills processes at instants that look random, and starts each again by the same command.
#[test]
fn shards_that_are_killed_at_any_instant_lose_nothing() {
    let kills: u64 = std::env::var("TOOLGAUGE_KILLS").ok().map_or(12, |n| n.parse().unwrap());
    let folder = suite(CASES);
    let server = Server::start(folder.path(), &["--latency", "5ms..15ms"]);
    let start = |index: usize| -> Child {
        let name = format!("{}/4", index + 1);
        let mut command = toolgauge(folder.path(), &arguments(&server, &name));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut children: Vec<Child> = (0..4).map(start).collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..kills {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::thread::sleep(Duration::from_millis(state % 60));
        let index = usize::try_from(state >> 20).unwrap() % 4;
        let _ = children[index].kill();
        children[index].wait().unwrap();
        children[index] = start(index);
    }
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(summary(folder.path(), &["shards"]), whole(&server));
}

#[test]
fn a_process_killed_before_its_first_byte_is_no_obstacle() {
    let (_scripts, server) = answering();
    let folder = sharded(&server, 2);
    let first = shards(folder.path())[0].clone();
    let whole = std::fs::read(&first).unwrap();
    for length in [0, 3, 40] {
        std::fs::write(&first, &whole[..length]).unwrap();
        let output = shard(folder.path(), &server, "1/2");
        assert!(output.status.success(), "{length}: {}", text(&output.stderr));
        assert_eq!(Log::open(&first).unwrap().len(), CASES);
    }
    std::fs::write(&first, "somebody's notes").unwrap();
    let output = shard(folder.path(), &server, "1/2");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(&first).unwrap(), b"somebody's notes");
}

#[test]
fn what_does_not_belong_together_is_refused_and_nothing_is_written() {
    let (_scripts, server) = answering();
    let folder = sharded(&server, 3);
    let here = folder.path();
    let refused = |arguments: &[&str], says: &str| {
        let output = run(here, arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(says), "{says}: {}", text(&output.stderr));
        assert!(!here.join("run.eval").exists());
    };
    let first = shards(here)[0].display().to_string();
    let rest = [shards(here)[1].display().to_string(), shards(here)[2].display().to_string()];
    let merge = ["merge", "-o", "run.eval"];
    refused(&[&merge[..], &[&first]].concat(), "shards 2, 3 of 3 are missing");
    refused(&[&merge[..], &["nowhere.eval"]].concat(), "nowhere.eval");
    refused(&["merge", "-o", "run.json", "shards"], "cannot be the name of a log");
    refused(&arguments(&server, "17/16"), "there is no shard 17 of 16");
    refused(&arguments(&server, "1/61"), "61 shards are more than the 60 cases");
    refused(&arguments(&server, "auto"), "no variable of a scheduler");

    // Another plan: one trial for each case.
    let mut other = arguments(&server, "1/3");
    other[8] = "1";
    other[12] = "others";
    assert!(run(here, &other).status.success());
    let other = here.join("others").read_dir().unwrap().next().unwrap().unwrap().path();
    let other = other.display().to_string();
    let mixed = [&merge[..], &[&other, &rest[0], &rest[1]]].concat();
    refused(&mixed, "they differ in the number of trials");

    // The same shard again, somewhere else: the same trials, run twice.
    let mut again = arguments(&server, "1/3");
    again[12] = "again";
    assert!(run(here, &again).status.success());
    let twice = here.join("again").read_dir().unwrap().next().unwrap().unwrap().path();
    let twice = twice.display().to_string();
    refused(&[&merge[..], &["shards", &twice]].concat(), "different records of the trial");

    // A copy says nothing new, and is no obstacle.
    std::fs::copy(&first, here.join("copy.eval")).unwrap();
    let output = run(here, &[&merge[..], &["shards", "copy.eval"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let before = std::fs::read(here.join("run.eval")).unwrap();
    let output = run(here, &[&merge[..], &["shards"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("run.eval") && said.contains("no log is replaced"), "{said}");
    assert_eq!(std::fs::read(here.join("run.eval")).unwrap(), before);
}

#[test]
fn a_folder_with_one_of_two_shards_is_an_unfinished_run() {
    let (_scripts, server) = answering();
    let folder = sharded(&server, 2);
    std::fs::remove_file(&shards(folder.path())[1]).unwrap();
    let output = run(folder.path(), &["summary", "shards", "--fail-under", "0"]);
    let (said, warned) = (text(&output.stdout), text(&output.stderr));
    assert!(said.contains("shard 2 of 2 is missing"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}{warned}");
}

#[test]
fn a_partial_merge_says_what_is_missing() {
    let (_scripts, server) = answering();
    let folder = sharded(&server, 3);
    std::fs::remove_file(&shards(folder.path())[1]).unwrap();
    let merge = ["merge", "shards", "-o", "part.eval", "--partial"];
    let output = run(folder.path(), &merge);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let says = "shard 2 of 3 is missing; 40 planned trials are not there";
    assert!(text(&output.stderr).contains(says), "{}", text(&output.stderr));
    let log = Log::open(&folder.path().join("part.eval")).unwrap();
    assert_eq!(log.status(), Some(&RunStatus::Cancelled));
    assert_eq!(log.run().merged().unwrap().missing, [2]);
    let shown = run(folder.path(), &["summary", "part.eval"]);
    assert!(text(&shown.stdout).contains(says), "{}", text(&shown.stdout));
}

#[test]
fn the_served_baseline_scores_as_the_built_in_one() {
    let folder = suite(1);
    let served = Server::serving(folder.path(), &[]);
    // Cases in which a call fails, which is told by the words of the tool alone.
    let cases = ["home-assistant", "--case", "small/too-hot", "--case", "small/dim-*"];
    let scores = |model: &[&str], logs: &str| {
        let more = ["--log-dir", logs, "-q", "--format", "json"];
        let output = run(folder.path(), &[&["run"], &cases[..], model, &more].concat());
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        (printed[0]["summary"]["score"].clone(), text(&output.stderr))
    };
    let asked = ["-m", "served", "--any-model", "--base-url", &served.base_url];
    let (built_in, _) = scores(&["-m", "baseline"], "built-in");
    assert_eq!(scores(&asked, "served").0, built_in);
    assert!(built_in["mean"].as_f64().unwrap() > 0.0, "{built_in}");
    let (_, told) = scores(&["-m", "baseline", "--base-url", &served.base_url], "neither");
    assert!(told.contains("`baseline` is built in"), "{told}");
}

#[test]
fn the_real_inspect_opens_shards_and_the_merged_log() {
    let Some(python) = inspect_python() else { return };
    let (_scripts, server) = answering();
    let folder = sharded(&server, 3);
    assert!(run(folder.path(), &["merge", "shards", "-o", "shards/run.eval"]).status.success());
    let script = "import sys\nfrom inspect_ai.log import list_eval_logs, read_eval_log, \
                  read_eval_log_sample_summaries\nfound = {}\n\
                  for info in list_eval_logs(sys.argv[1]):\n    log = read_eval_log(info)\n    \
                  assert log.status == 'success' and log.eval.dataset.samples * 2 == \
                  len(log.samples) == len(read_eval_log_sample_summaries(info))\n    \
                  assert log.results.completed_samples == len(log.samples)\n    \
                  found[log.eval.task_id] = len(log.samples)\nprint(sorted(found.values()))\n";
    let opened = std::process::Command::new(python)
        .args(["-c", script])
        .arg(folder.path().join("shards"))
        .output()
        .unwrap();
    assert_eq!(text(&opened.stdout), "[40, 40, 40, 120]\n", "{}", text(&opened.stderr));
}

#[test]
fn workers_claim_chunks_in_a_folder_until_none_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", "everyday", "--claim", "claims", "--chunks", "4", "--log-dir", "chunks"];
    let worker = || {
        let mut command = toolgauge(folder.path(), &words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let workers: Vec<_> = (0..3).map(|_| worker()).collect();
    let mut taken = 0;
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        taken += text(&output.stderr).lines().filter(|line| line.ends_with("of 4")).count();
    }
    assert_eq!(taken, 4);
    let log = folder.path().join("chunks");
    assert_eq!(log.read_dir().unwrap().count(), 4);
    let merged = run(folder.path(), &["merge", "chunks", "-o", "run.eval"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert_eq!(Log::open(&folder.path().join("run.eval")).unwrap().len(), 46);
}

#[cfg(not(feature = "stores"))]
#[test]
fn a_build_without_object_stores_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        ["summary", "s3://bucket/a.eval"].as_slice(),
        &["compare", "s3://bucket/a.eval", "s3://bucket/b.eval"],
        &["view", "gs://bucket/runs", "--port", "0"],
        &["run", "everyday", "--log-dir", "az://container/runs"],
        &["run", "everyday", "--claim", "s3://bucket/claims"],
        &["merge", "s3://bucket/shards", "-o", "run.eval"],
    ] {
        let output = run(folder.path(), words);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("this build has no object stores"), "{words:?}: {said}");
        assert!(said.contains("--features stores"), "{words:?}: {said}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{words:?}");
    }
    // A local file may be named by an address, too.
    let place = folder.path().display();
    let logs = format!("file://{place}/logs");
    let output = run(folder.path(), &["run", "everyday", "--quiet", "--log-dir", &logs]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(folder.path().join("logs").read_dir().unwrap().count(), 1);
}
