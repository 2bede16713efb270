//! The results themselves.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Server, only_log, results, run, suite, text};

fn results_at(concurrency: &str, stream: bool) -> BTreeMap<String, Value> {
    let folder = suite(60);
    let server = Server::start(folder.path(), &["--latency", "1ms..15ms"]);
    let mut arguments = vec!["run", ".", "-m", "any", "--base-url", &server.base_url];
    arguments.extend(["-c", concurrency]);
    if stream {
        arguments.push("--stream");
    }
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    results(&only_log(folder.path()))
}

/// Call identifiers are the server's to choose, so they are left out of the comparison.
fn without_ids(mut results: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.shift_remove("id");
                object.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    results.values_mut().for_each(strip);
    results
}

#[test]
fn the_same_replies_give_the_same_results_at_any_concurrency_streamed_or_not() {
    let alone = without_ids(results_at("1", false));
    assert_eq!(alone.len(), 60);
    assert_eq!(without_ids(results_at("32", false)), alone);
    assert_eq!(without_ids(results_at("8", true)), alone);
}

#[test]
fn a_summary_counts_what_was_right_and_where_points_were_lost() {
    let folder = suite(30);
    let server = Server::start(folder.path(), &[]);
    let arguments = ["run", ".", "-m", "any", "--base-url", &server.base_url, "--format", "json"];
    let output = run(folder.path(), &arguments);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = &printed[0]["summary"];
    assert_eq!(summary["trials"], 30);
    assert_eq!(summary["score"]["mean"], 20.0 / 30.0);
    assert_eq!(summary["floor"], 0.0);
    assert_eq!(summary["dimensions"]["tool_name"]["mean"], 1.0);
    assert_eq!(summary["dimensions"]["arguments"]["mean"], 20.0 / 30.0);
    assert_eq!(summary["losses"][0]["cause"], "wrong_value");
    assert_eq!(summary["losses"][0]["count"], 10);
    assert_eq!(summary["tags"]["parity"]["even"]["trials"], 15);
}

#[test]
fn several_models_make_a_matrix_with_one_log_each() {
    let folder = suite(6);
    let output = run(folder.path(), &["run", ".", "-m", "baseline,script:by-id.ndjson"]);
    assert_eq!(output.status.code(), Some(2), "the script does not exist");
    let script = (0..6).map(|n| {
        format!(
            "{{\"id\":\"n-{n}\",\"calls\":[{{\"name\":\"say\",\"arguments\":{{\"n\":{n}}}}}]}}\n"
        )
    });
    std::fs::write(folder.path().join("by-id.ndjson"), script.collect::<String>()).unwrap();
    assert!(!folder.path().join("logs").exists(), "it is known before the first model is run");
    let output = run(folder.path(), &["run", ".", "-m", "baseline,script:by-id.ndjson"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(folder.path().join("logs")).unwrap().count(), 2);
    let table = text(&output.stdout);
    let last = table.lines().last().unwrap();
    assert!(last.contains("script:by-id.ndjson") || last.contains("1.000"), "{table}");
}

#[test]
fn a_replayed_log_gives_the_results_again() {
    let folder = suite(12);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let first = only_log(folder.path());
    let replay = format!("replay:{}", first.display());
    let output = run(folder.path(), &["run", ".", "-m", &replay, "--log-dir", "again"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let again = std::fs::read_dir(folder.path().join("again")).unwrap().next().unwrap();
    assert_eq!(results(&again.unwrap().path()), results(&first));
}

#[test]
fn judging_a_log_again_changes_nothing_but_the_judgement() {
    let folder = suite(12);
    let server = Server::start(folder.path(), &[]);
    run(folder.path(), &["run", ".", "-m", "any", "--base-url", &server.base_url]);
    let first = only_log(folder.path());
    let arguments = ["score", &first.display().to_string(), "--log-dir", "."];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let again = files.filter(|path| path.extension().is_some_and(|end| end == "eval"));
    assert_eq!(results(&again.last().unwrap()), results(&first));
}

/// The members of a log that hold trials, and all their bytes.
fn samples(log: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(log).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let names =
        names.into_iter().filter(|name| name.contains("samples/") || name.contains("summar"));
    let mut read = |name: String| {
        let mut bytes = Vec::new();
        archive.by_name(&name).unwrap().read_to_end(&mut bytes).unwrap();
        (name, bytes)
    };
    names.map(&mut read).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn judging_again_gives_the_same_bytes_on_one_processor_as_on_all() {
    // More than two of the lists that threads take in turns.
    let folder = suite(2300);
    run(folder.path(), &["run", ".", "-m", "script:script.ndjson", "-c", "8", "--quiet"]);
    let log = only_log(folder.path()).display().to_string();
    let arguments = |into| {
        ["score", log.as_str(), "--scorer", "tool_calls_classic,tool_calls", "--log-dir", into]
    };
    for into in ["one", "all", "again"] {
        std::fs::create_dir(folder.path().join(into)).unwrap();
    }
    // As many threads judge as there are processors to run on, and `taskset` leaves one.
    let cpus = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = cpus.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let first = allowed.trim().split(['-', ',']).next().unwrap();
    let program = crate::run::toolgauge(folder.path(), &arguments("one"));
    let mut alone = std::process::Command::new("taskset");
    alone.args(["-c", first]).arg(program.get_program()).args(program.get_args());
    let output = alone.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    for into in ["all", "again"] {
        let output = run(folder.path(), &arguments(into));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let judged = |into: &str| {
        let mut logs = std::fs::read_dir(folder.path().join(into)).unwrap();
        samples(&logs.next().unwrap().unwrap().path())
    };
    let one = judged("one");
    assert!(one.len() > 2300, "{}", one.len());
    for into in ["all", "again"] {
        let other = judged(into);
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        let differ: Vec<&String> = one.keys().filter(|name| one[*name] != other[*name]).collect();
        assert_eq!(differ, Vec::<&String>::new());
    }
}

#[test]
fn only_what_failed_in_a_log_can_be_run_again() {
    let folder = suite(12);
    let server = Server::start(folder.path(), &[]);
    let base = ["run", ".", "-m", "any", "--base-url", &server.base_url];
    run(folder.path(), &base);
    let first = only_log(folder.path()).display().to_string();
    let more = ["--failed-in", &first, "--log-dir", "again", "--format", "json"];
    let output = run(folder.path(), &[&base[..], &more[..]].concat());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed[0]["summary"]["trials"], 4);
    assert_eq!(printed[0]["summary"]["score"]["mean"], 0.0);
}

#[test]
fn a_log_tells_inspect_how_answers_were_sampled() {
    let folder = suite(2);
    let sampled = ["--temperature", "0.3", "--seed", "7"];
    let output = run(folder.path(), &[&["run", ".", "-m", "baseline"], &sampled[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = std::fs::File::open(only_log(folder.path())).unwrap();
    let mut archive = zip::ZipArchive::new(log).unwrap();
    let mut header = String::new();
    archive.by_name("header.json").unwrap().read_to_string(&mut header).unwrap();
    let header: Value = serde_json::from_str(&header).unwrap();
    let config = &header["eval"]["model_generate_config"];
    assert_eq!((&config["temperature"], &config["seed"]), (&0.3.into(), &7.into()), "{config}");
}

#[test]
fn the_floor_names_the_best_constant_policy_and_counts_for_one_scorer_alone() {
    let folder = suite(2);
    let cases = folder.path().join("cases.ndjson");
    let mut lines = std::fs::read_to_string(&cases).unwrap();
    for say in ["order a pizza", "call my mother", "unlock the door"] {
        let expect = json!({"response": "error", "answer": {"facts": [{"refusal": true}]}});
        lines = lines + &json!({"id": say, "say": say, "expect": expect}).to_string() + "\n";
    }
    std::fs::write(cases, lines).unwrap();
    let manifest = folder.path().join("suite.yaml");
    let named = std::fs::read_to_string(&manifest).unwrap() + "scorers: [tool_calls]\n";
    std::fs::write(manifest, named).unwrap();
    let output = run(folder.path(), &["run", ".", "--format", "json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = &printed[0]["summary"];
    let refusal = "says \"Sorry, I can't do that.\"";
    assert_eq!(summary["floor"], 0.6, "three of five are refused by saying so");
    let floors = &summary["floors"];
    assert_eq!(floors["without_calls"]["policy"], format!("calls nothing and {refusal}"));
    assert_eq!(floors["with_calls"]["policy"], format!("makes the expected calls and {refusal}"));
    assert_eq!(floors["with_calls"]["score"], 1.0);

    let log = only_log(folder.path());
    let told = text(&run(folder.path(), &["summary", log.to_str().unwrap()]).stdout);
    assert!(told.contains(&format!("0.600, a subject that calls nothing and {refusal}")), "{told}");
    let other = ["score", log.to_str().unwrap(), "--scorer", "partial", "--log-dir", "other/logs"];
    let told = text(&run(folder.path(), &other).stdout);
    assert!(!told.contains("floor"), "the floor was another scorer's: {told}");

    let checked = text(&run(folder.path(), &["check", "."]).stdout);
    for words in ["    all (5 cases)", "    error (3 cases)", "      1.000  calls nothing and"] {
        assert!(checked.contains(words), "{words}: {checked}");
    }
}
