//! What people read: summaries, errors, help.

use std::path::Path;

use toolgauge_testkit::long_or;

use crate::run::{only_log, run, suite, text};

/// What the program prints in an empty folder, with what differs from run to run taken out.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let status = output.status.code().unwrap();
    format!(
        "status: {status}\n--- stdout\n{}--- stderr\n{}",
        text(&output.stdout),
        text(&output.stderr)
    )
}

fn check(name: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"p50 .*, p90 .*, p95 .*, p99 .*", "[percentiles]");
    settings.add_filter(r"logs/\S+\.eval", "[log]");
    settings.add_filter(r"\d+\.\d+\.\d+ \([0-9a-z]+\)", "[version]");
    // Told when a run takes longer than it should, as it does on a busy machine.
    settings.add_filter(r"(?m)^\d+ s: \d+ of \d+ trials.*\n", "");
    settings.bind(|| insta::assert_snapshot!(name, said(folder.path(), arguments)));
}

#[test]
fn the_first_command_prints_a_summary() {
    check("the_first_command", &["run"]);
}

#[test]
fn a_missing_suite_is_named() {
    check("missing_suite", &["run", "nowhere"]);
}

#[test]
fn a_server_that_is_down_is_named_before_the_first_trial() {
    check("server_down", &["run", "-m", "any", "--base-url", "http://127.0.0.1:9/v1"]);
}

#[test]
fn a_bad_base_url_is_named() {
    check("bad_url", &["run", "-m", "any", "--base-url", "localhost:8080"]);
}

#[test]
fn an_unknown_variant_and_scorer_are_answered_with_those_there_are() {
    check("unknown_variant", &["run", "everyday", "--variant", "loud"]);
    check("unknown_scorer", &["run", "everyday", "--scorer", "luck"]);
}

#[test]
fn a_selection_that_leaves_nothing_says_what_is_near() {
    check("unknown_case", &["run", "everyday", "--case", "timer-ten-minuets"]);
    check("unknown_tag", &["run", "everyday", "--where", "domian=timer"]);
}

#[test]
fn a_missing_log_is_named() {
    check("missing_log", &["summary", "nowhere.eval"]);
    check("nothing_to_resume", &["run", "--resume", "last"]);
}

#[test]
fn the_help_teaches() {
    check("help", &["--help"]);
    check("help_run", &["run", "--help"]);
    check("help_score", &["score", "--help"]);
    check("help_check", &["check", "--help"]);
}

#[test]
fn the_suites_that_are_shipped_are_listed_and_check() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["list", "--format", "json"]);
    let listed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for suite in listed["suites"].as_array().unwrap() {
        // All policies on thousands of cases take half a minute.
        if suite["cases"].as_u64().unwrap() > long_or(u64::MAX, 1_000) {
            continue;
        }
        let output = run(folder.path(), &["check", suite["name"].as_str().unwrap()]);
        let said = text(&output.stdout);
        assert!(output.status.success() && said.contains("no problem"), "{said}");
    }
}

#[test]
fn a_suite_from_init_checks_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["init", "mine"]).status.success());
    for template in ["calls", "chatbot", "home", "table"] {
        let written = run(folder.path(), &["init", template, "--template", template]);
        // What it says to type next is what is typed here.
        let told = text(&written.stderr);
        let command = told.split('`').nth(1).unwrap().strip_prefix("toolgauge ").unwrap();
        let checked = run(folder.path(), &["check", template]);
        let shown = text(&checked.stdout);
        assert!(checked.status.success() && shown.contains("no problem"), "{template}: {shown}");
        let suite = std::fs::read_to_string(folder.path().join(template).join("suite.yaml"));
        assert!(suite.unwrap().contains(&format!("name: {template}\n")), "{template}");
        let ran = run(folder.path(), &command.split(' ').collect::<Vec<_>>());
        let shown = text(&ran.stdout);
        assert!(ran.status.success(), "{template}: {}", text(&ran.stderr));
        assert!(shown.contains(" cases pass"), "{template}: {shown}");
    }
    let again = run(folder.path(), &["init", "mine"]);
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten");
}

#[test]
fn settings_come_from_a_file_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("toolgauge.toml"), "[run]\nlog_dir = \"elsewhere\"\n")
        .unwrap();
    assert!(run(folder.path(), &["run", "everyday", "--case", "timer*"]).status.success());
    assert!(folder.path().join("elsewhere").exists());
    std::fs::write(folder.path().join("toolgauge.toml"), "[run]\nlog_dri = \"x\"\n").unwrap();
    let output = run(folder.path(), &["run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("log_dri"), "{}", text(&output.stderr));
}

/// The kernel tells how often the file was opened.
#[cfg(target_os = "linux")]
#[test]
fn a_command_reads_the_settings_once() {
    use rustix::fs::inotify;
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("toolgauge.toml");
    std::fs::write(&settings, "[grades]\npass = 0.8\n").unwrap();
    let watch = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
    inotify::add_watch(&watch, &settings, inotify::WatchFlags::OPEN).unwrap();
    let once = |arguments: &[&str]| {
        let output = run(folder.path(), arguments);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(&watch, &mut buffer);
        let opened = std::iter::from_fn(|| events.next().is_ok().then_some(())).count();
        assert_eq!(opened, 1, "{arguments:?} opens the settings {opened} times");
    };
    once(&["run", "everyday", "--case", "timer*", "--fail-under", "0"]);
    let log = only_log(folder.path()).display().to_string();
    once(&["run", "--resume", "last"]);
    once(&["summary", &log, "--fail-under", "0", "--against", &log]);
    once(&["compare", &log, &log, "--gate", "no-regression"]);
    once(&["history", "everyday"]);
    once(&["report", &log, "-o", "report.html"]);
    once(&["score", &log, "--log-dir", "scored"]);
}

#[test]
fn what_can_be_refused_at_once_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], words: &str| {
        let output = run(folder.path(), &[&["run", "everyday"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains(words), "{arguments:?}: {told}");
        assert!(!folder.path().join("logs").exists(), "{arguments:?} has run");
    };
    for flag in ["--limit", "--sample", "--trials", "--concurrency"] {
        refused(&[flag, "0"], "invalid value '0'");
    }
    refused(&["--against", "gone.eval"], "gone.eval");
    refused(&["-m", "http://127.0.0.1:9/chat"], "write `-m chatbot:ADDRESS`");
}

#[test]
fn a_negative_time_is_refused_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |output: &std::process::Output, setting: &str| {
        assert_eq!(output.status.code(), Some(2));
        let told = text(&output.stderr);
        assert!(told.contains(setting) && told.contains("0 seconds or more"), "{told}");
    };
    for flag in ["attempt", "idle", "trial"] {
        let setting = format!("{flag}_timeout");
        refused(&run(folder.path(), &["run", &format!("--{flag}-timeout=-1")]), &setting);
    }
    refused(&run(folder.path(), &["run", "--patience=-0.5"]), "patience");
    std::fs::write(folder.path().join("toolgauge.toml"), "[limits]\ngrace = -3\n").unwrap();
    refused(&run(folder.path(), &["run"]), "grace");
    assert!(!folder.path().join("logs").exists(), "nothing was begun");
}

#[test]
fn a_log_that_is_none_is_answered_with_where_logs_are() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("logs")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a log").unwrap();
    for command in ["summary", "report", "compare", "score", "cases"] {
        let arguments = |log: &'static str| match command {
            "report" => vec![command, log, "-o", "report.html"],
            "summary" | "score" => vec![command, log],
            _ => vec![command, log, log],
        };
        let gone = run(folder.path(), &arguments("gone.eval"));
        assert_eq!(gone.status.code(), Some(2), "{command}: {gone:?}");
        let told = text(&gone.stderr);
        assert!(told.contains("gone.eval") && told.contains("`--log-dir`"), "{command}: {told}");
        let place = run(folder.path(), &arguments("logs"));
        assert_eq!(place.status.code(), Some(2), "{command}: {place:?}");
        let told = text(&place.stderr);
        let named = told.contains("there is no log in `logs`");
        assert!(named && told.contains("toolgauge view"), "{command}: {told}");
    }
    let other = run(folder.path(), &["view", "notes.txt"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("notes.txt"), "{other:?}");
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["completions", "bash"]);
    assert!(text(&output.stdout).contains("complete -F _toolgauge"));
    assert!(run(folder.path(), &["man", "-o", "man"]).status.success());
    assert!(folder.path().join("man/toolgauge-run.1").exists());
}

#[test]
fn a_judge_must_be_named_and_be_there_before_a_run() {
    let folder = suite(3);
    let unnamed = run(folder.path(), &["run", ".", "--scorer", "judge"]);
    assert_eq!(unnamed.status.code(), Some(2));
    assert!(text(&unnamed.stderr).contains("no judge is named"), "{unnamed:?}");
    let gone = ["run", ".", "--judge", "m", "--judge-base-url", "http://127.0.0.1:9/v1"];
    let gone = run(folder.path(), &gone);
    assert_eq!(gone.status.code(), Some(2));
    assert!(text(&gone.stderr).contains("nothing answers at `http://127.0.0.1:9/v1`"), "{gone:?}");
    assert!(!folder.path().join("logs").exists(), "nothing was begun");
}

#[test]
fn a_judge_that_is_gone_is_told_once_and_holds_nobody_up() {
    let folder = suite(3);
    assert!(run(folder.path(), &["run", ".", "--quiet"]).status.success());
    let log = std::fs::read_dir(folder.path().join("logs")).unwrap().next().unwrap().unwrap();
    let log = log.path().display().to_string();
    let judged = ["score", &log, "--judge", "m", "--judge-base-url", "http://127.0.0.1:9/v1"];
    let judged = run(folder.path(), &judged);
    let told = text(&judged.stderr);
    assert_eq!(told.matches("nothing answers").count(), 1, "{told}");
    assert!(told.contains("only what the judge said before counts"), "{told}");
}

#[test]
fn the_version_names_commit_features_and_platform() {
    let folder = tempfile::tempdir().unwrap();
    let short = said(folder.path(), &["-V"]);
    let long = said(folder.path(), &["--version"]);
    let expected = concat!("toolgauge ", env!("CARGO_PKG_VERSION"), " (");
    assert!(short.contains(expected) && long.contains(expected), "{short}{long}");
    assert!(!short.contains("features") && long.contains("\nfeatures: "), "{short}{long}");
    assert!(long.contains(&format!("\nbuilt for: {}-", std::env::consts::ARCH)), "{long}");
}

/// Whoever reads the list of changes finds the version they have at its top.
#[test]
fn the_changelog_begins_with_this_version() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CHANGELOG.md");
    let text = std::fs::read_to_string(file).unwrap();
    let newest = text.lines().find_map(|line| line.strip_prefix("## "));
    assert_eq!(newest, Some(env!("CARGO_PKG_VERSION")));
}

/// The tests are built without the optional server; with it, `crates/mcp-server` tests it.
#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_the_mcp_server_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let printed = said(folder.path(), &["mcp"]);
    assert!(printed.starts_with("status: 2\n"), "{printed}");
    assert!(printed.contains("built without the MCP server"), "{printed}");
    assert!(printed.contains("--features mcp"), "{printed}");
}
