//! A matrix of runs through the real binary.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::{run, suite, text};

/// A suite of numbers with two tiers, and a matrix of it on its script and the baseline.
fn matrix(extra: &str) -> TempDir {
    let folder = suite(6);
    let cases = fs::read_to_string(folder.path().join("cases.ndjson")).unwrap();
    let tiered: Vec<String> = cases
        .lines()
        .map(|line| {
            let mut case: Value = serde_json::from_str(line).unwrap();
            let tier = if case["tags"]["parity"] == "even" { "small" } else { "large" };
            case["tags"]["tier"] = tier.into();
            case.to_string()
        })
        .collect();
    fs::write(folder.path().join("cases.ndjson"), tiered.join("\n")).unwrap();
    let text = format!(
        "name: two\nsuite: .\ntiers: [small, large]\ntrials: 2\nmodels:\n  - {{name: script, model: 'script:script.ndjson'}}\n  - baseline\n{extra}"
    );
    fs::write(folder.path().join("matrix.yaml"), text).unwrap();
    folder
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut logs: Vec<PathBuf> =
        fs::read_dir(folder.join("logs/two")).unwrap().map(|entry| entry.unwrap().path()).collect();
    logs.sort();
    logs
}

#[test]
fn every_cell_leaves_a_log_and_a_place_on_the_leaderboard() {
    let folder = matrix("");
    let done = run(folder.path(), &["run", "--matrix", "matrix.yaml", "-o", "board.md", "-q"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_eq!(logs(folder.path()).len(), 4);
    let board = fs::read_to_string(folder.path().join("board.md")).unwrap();
    assert!(board.contains("| 2 ≈ | script |"), "{board}");
    assert_eq!(board.lines().filter(|line| line.contains("| baseline |")).count(), 2, "{board}");
    let printed = text(&done.stdout);
    assert!(printed.contains("rank  cell"), "{printed}");
    assert!(printed.contains("toolgauge view logs/two (browser)"), "{printed}");
    assert!(!printed.contains(".eval"), "the logs are listed by --full alone: {printed}");
    for log in logs(folder.path()) {
        let head = toolgauge_log::Log::open(&log).unwrap().run().clone();
        assert_eq!(head.settings["matrix"]["name"], "two");
        assert_eq!((head.cases.len(), head.trials), (3, 2));
        assert_eq!(head.settings["settings"]["limits"]["attempt_timeout"], 15.0);
        assert_eq!(head.settings["settings"]["limits"]["retries"], 1);
    }
}

#[test]
fn the_full_result_of_a_matrix_lists_the_log_of_every_cell() {
    let folder = matrix("");
    let done = run(folder.path(), &["run", "--matrix", "matrix.yaml", "-q", "--full"]);
    let printed = text(&done.stdout);
    for log in logs(folder.path()) {
        let name = log.file_name().unwrap().to_string_lossy().into_owned();
        assert!(printed.contains(&name), "{name} in\n{printed}");
    }
}

#[test]
fn a_resumed_matrix_runs_only_what_is_missing() {
    let folder = matrix("");
    let command = ["run", "--matrix", "matrix.yaml", "-q", "--format", "json"];
    let first: Value = serde_json::from_slice(&run(folder.path(), &command).stdout).unwrap();
    let before = logs(folder.path());
    let bytes = |log: &PathBuf| fs::read(log).unwrap();
    let contents: Vec<Vec<u8>> = before.iter().map(bytes).collect();
    let again = [&command[..], &["--resume"]].concat();
    let second: Value = serde_json::from_slice(&run(folder.path(), &again).stdout).unwrap();
    assert_eq!(logs(folder.path()), before, "nothing was missing");
    assert_eq!(before.iter().map(bytes).collect::<Vec<_>>(), contents);
    assert_eq!(first["leaderboard"], second["leaderboard"]);

    fs::remove_file(&before[1]).unwrap();
    let third: Value = serde_json::from_slice(&run(folder.path(), &again).stdout).unwrap();
    let after = logs(folder.path());
    assert_eq!(after.len(), 4);
    assert_eq!(after.iter().filter(|log| before.contains(log)).count(), 3, "one cell was run");
    let ranks = |board: &Value| {
        let places = board["leaderboard"]["places"].as_array().unwrap().clone();
        places
            .iter()
            .map(|place| (place["cell"].clone(), place["rank"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ranks(&third), ranks(&first));

    // Another number of trials is another matrix of runs.
    let more = [&again[..], &["--trials", "1"]].concat();
    assert!(run(folder.path(), &more).status.success());
    assert_eq!(logs(folder.path()).len(), 8);
}

#[test]
fn a_cell_that_was_cut_off_is_completed_in_its_own_log() {
    let folder = matrix("");
    let command = ["run", "--matrix", "matrix.yaml", "-q"];
    assert!(run(folder.path(), &command).status.success());
    let log = &logs(folder.path())[0];
    // What is left after the process was killed: the beginning of the file.
    let bytes = fs::read(log).unwrap();
    fs::write(log, &bytes[..bytes.len() / 2]).unwrap();
    let kept = toolgauge_log::Log::open(log).unwrap().summaries().count();
    assert!(kept < 6, "{kept} trials are left");
    let done = run(folder.path(), &[&command[..], &["--resume"]].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_eq!(logs(folder.path()).len(), 4);
    assert_eq!(toolgauge_log::Log::open(log).unwrap().summaries().count(), 6);
}

#[test]
fn what_is_wrong_with_a_matrix_is_told_at_its_line() {
    let folder = matrix(
        "  - {name: gone, quantisations: {Q4: gone.gguf}, contexts: [-1]}\n  - {name: nowhere}\n\
         prompts: {short: {varaint: no-think}}\nscorers: [tool_cals]\n",
    );
    let file = folder.path().join("matrix.yaml");
    let broken = fs::read_to_string(&file).unwrap().replace("[small, large]", "[smal, large]");
    fs::write(&file, broken).unwrap();
    let done = run(folder.path(), &["run", "--matrix", "matrix.yaml"]);
    assert_eq!(done.status.code(), Some(2));
    insta::assert_snapshot!(text(&done.stderr));
}

#[test]
fn a_server_that_is_gone_leaves_the_other_cells_alone() {
    let folder = matrix("");
    let file = folder.path().join("matrix.yaml");
    let away = "  - {name: away, model: m, base_url: 'http://127.0.0.1:9/v1'}\n";
    fs::write(&file, fs::read_to_string(&file).unwrap() + away).unwrap();
    let done = run(folder.path(), &["run", "--matrix", "matrix.yaml", "--patience", "0"]);
    assert_eq!(done.status.code(), Some(3), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("2 of 6 cells have no result"), "{}", text(&done.stderr));
    assert_eq!(logs(folder.path()).len(), 4);
}

/// A program that stands in for llama-server: it notes its arguments and serves the script.
#[cfg(unix)]
fn llama_server(folder: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let program = env!("CARGO_BIN_EXE_toolgauge");
    let text = format!(
        "#!/bin/sh\necho \"$@\" >> starts.txt\n\
         exec '{program}' serve --script script.ndjson --port \"$4\"\n"
    );
    let file = folder.join("llama-server");
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file.display().to_string()
}

#[cfg(unix)]
#[test]
fn one_server_is_started_for_each_file_and_context_and_kept_for_its_tiers() {
    let folder = matrix(
        "  - {name: own, quantisations: {Q4: q4.gguf, Q8: q8.gguf}, contexts: [1024, 2048]}\n\
         flags: [-ngl, '7']\n",
    );
    for file in ["q4.gguf", "q8.gguf"] {
        fs::write(folder.path().join(file), "").unwrap();
    }
    let program = llama_server(folder.path());
    let command = ["run", "--matrix", "matrix.yaml", "-q", "--llama-server", &program];
    let done = run(folder.path(), &command);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_eq!(logs(folder.path()).len(), 4 + 8);
    let starts = fs::read_to_string(folder.path().join("starts.txt")).unwrap();
    let ends: Vec<&str> =
        starts.lines().map(|line| line.split("--model ").nth(1).unwrap()).collect();
    assert_eq!(
        ends,
        [
            "q4.gguf --jinja -ngl 7 --ctx-size 1024",
            "q4.gguf --jinja -ngl 7 --ctx-size 2048",
            "q8.gguf --jinja -ngl 7 --ctx-size 1024",
            "q8.gguf --jinja -ngl 7 --ctx-size 2048",
        ]
    );
    let board = text(&done.stdout);
    assert!(board.contains("own · Q8 · 2048"), "{board}");
    // Nothing is missing, so that nothing is started.
    let again = run(folder.path(), &[&command[..], &["--resume"]].concat());
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("starts.txt")).unwrap(), starts);
}

#[test]
fn a_resumed_matrix_runs_anew_what_is_asked_of_another_model_or_in_another_way() {
    let folder = matrix("");
    let command = ["run", "--matrix", "matrix.yaml", "-q"];
    assert!(run(folder.path(), &command).status.success());
    assert_eq!(logs(folder.path()).len(), 4);
    let again = [&command[..], &["--resume"]].concat();
    let rewrite = |from: &str, to: &str| {
        let text = fs::read_to_string(folder.path().join("matrix.yaml")).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(folder.path().join("matrix.yaml"), text.replace(from, to)).unwrap();
    };
    fs::copy(folder.path().join("script.ndjson"), folder.path().join("other.ndjson")).unwrap();
    rewrite("script:script.ndjson", "script:other.ndjson");
    assert!(run(folder.path(), &again).status.success());
    assert_eq!(logs(folder.path()).len(), 6, "both tiers of the other model");
    assert!(run(folder.path(), &again).status.success());
    assert_eq!(logs(folder.path()).len(), 6, "nothing was missing");
}
