//! Files that are no results, or not whole: exit status 2, what they look like, and nothing written.

use super::Desk;

fn refusal(name: &str, text: &str) -> String {
    let desk = Desk::new();
    desk.put(name, text);
    let output = desk.toolgauge(&["import", name, "-o", "logs"]);
    assert_eq!(output.status.code(), Some(2), "{name}: {text}");
    assert!(desk.logs("logs").is_empty(), "{name}: something was written");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_unknown_file_is_told_what_it_looks_like_and_what_can_be_read() {
    let said = refusal("a.json", r#"{"version": 2, "status": "success", "eval": {}}"#);
    assert!(said.contains("the results of `a.json` hold no trial"), "{said}");
    let said = refusal("a.json", r#"{"a": 2, "b": "c"}"#);
    assert!(said.contains("an object with the keys `a`, `b`"), "{said}");
    assert!(said.contains("can be imported: bfcl, tau2, tau-bench, ha-datasets"), "{said}");
    assert!(refusal("a.json", "").contains("it is empty"));
    assert!(refusal("a.json", " \n\t").contains("it is empty"));
    assert!(refusal("a.json", "[1, 2]").contains("a list that holds no objects"));
    assert!(refusal("a.yaml", "---\na: 1").contains("text that is not JSON"));
    assert!(refusal("a.json", r#"[{"traj": [], "reward": 0}]"#).contains("lacks `task_id`"));
    let early =
        r#"{"version": 1, "results": [{"vars": {}, "success": true}], "stats": {}, "table": {}}"#;
    assert!(refusal("a.json", early).contains("promptfoo before version 3"));
    let kept = r#"{"_resultsLoaded": true, "results": [], "prompts": []}"#;
    assert!(refusal("a.json", kept).contains("promptfoo export eval"));
    let odd = refusal("a.jsonl", r#"{"id": "simple_0", "result": []}"#);
    assert!(odd.contains("BFCL_v4_<category>_result.json"), "{odd}");
}

#[test]
fn a_file_that_ends_too_early_is_refused_before_anything_is_written() {
    let cut = r#"{"info": {}, "tasks": [{"id": "a"}], "simulations": [{"id": "s", "messages": ["#;
    assert!(refusal("a.json", cut).contains("ends in the middle of a value"));
    let lines =
        "{\"id\": \"simple_python_0\", \"result\": []}\n{\"id\": \"simple_python_1\", \"res";
    let said = refusal("BFCL_v4_simple_python_result.json", lines);
    assert!(said.contains("line 2"), "{said}");
    let foreign = "{\"id\": \"simple_python_0\", \"result\": []}\n{\"messages\": []}\n";
    let said = refusal("BFCL_v4_simple_python_result.json", foreign);
    assert!(said.contains("line 2: has no `id`"), "{said}");
}

#[test]
fn of_a_folder_what_can_be_read_is_imported_and_the_rest_is_named() {
    let desk = Desk::new();
    let trial = "task_id: a-0\ntask: {input_text: Close it}\nresponse: Done.\ncontext:\n  conversation_trace: []\n";
    desk.put("reports/mini/2026.2/gemma/a-0.yaml", trial);
    desk.put("reports/mini/2026.2/llama/a-0.yaml", trial);
    desk.put("reports/mini/2026.2/llama/a-1.yaml", "a: [");
    let output = desk.toolgauge(&["import", "reports", "-o", "logs"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("left out") && said.contains("a-1.yaml"), "{said}");
    assert_eq!(desk.logs("logs").len(), 1);
    // A folder of nothing else is refused.
    desk.put("reports/mini/2026.2/gemma/a-1.yaml", "a: [");
    let output = desk.toolgauge(&["import", "reports", "-o", "none"]);
    assert_eq!((output.status.code(), desk.logs("none").len()), (Some(2), 0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a-1.yaml"), "the file is named: {said}");
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_looked_into_leaves_the_rest_readable() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::new();
    let line = "{\"id\": \"simple_python_0\", \"result\": []}\n";
    desk.put("bfcl/result/open/BFCL_v4_simple_python_result.json", line);
    desk.put("bfcl/result/closed/BFCL_v4_simple_python_result.json", line);
    let trial = "task_id: a-0\ntask: {input_text: Close it}\nresponse: Done.\ncontext:\n  conversation_trace: []\n";
    desk.put("ha/mini/2026.1/open/a-0.yaml", trial);
    desk.put("ha/mini/2026.1/closed/a-0.yaml", trial);
    let closed = ["bfcl/result/closed", "ha/mini/2026.1/closed"].map(|name| desk.path().join(name));
    let permit = |mode: u32| {
        for folder in &closed {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    permit(0);
    // Whoever may do everything may look into this one too.
    if std::fs::read_dir(&closed[0]).is_err() {
        for folder in ["bfcl", "ha"] {
            let logs = format!("logs-{folder}");
            for arguments in [["import", folder, "-o", &logs].as_slice(), &["atlas", folder]] {
                let output = desk.toolgauge(arguments);
                let said = String::from_utf8(output.stderr).unwrap();
                assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
                assert!(said.contains("left out") && said.contains("closed"), "{said}");
            }
            assert_eq!(desk.logs(&logs).len(), 1, "{folder}");
        }
    }
    permit(0o755);
}

#[test]
fn what_is_found_damaged_while_a_folder_is_searched_leaves_the_rest_readable() {
    let desk = Desk::new();
    let line = "{\"id\": \"simple_python_0\", \"result\": []}\n";
    desk.put("bfcl/result/whole/BFCL_v4_simple_python_result.json", line);
    desk.put("bfcl/result/cut/BFCL_v4_simple_python_result.json", &line[..20]);
    let trial = "task_id: a-0\ntask: {input_text: Close it}\nresponse: Done.\ncontext:\n  conversation_trace: []\n";
    desk.put("ha/mini/2026.1/gemma/a-0.yaml", trial);
    for model in ["gemma", "llama"] {
        desk.put(&format!("ha/mini/2026.2/{model}/a-0.yaml"), trial);
    }
    desk.put("ha/mini/2026.2/report.csv", "task_id,model_id\na-0\n");
    desk.put("ha/mini/2026.3/gemma/a-0.yaml", "task_id: [");
    for (folder, named) in [
        ("bfcl", ["cut/BFCL_v4_simple_python_result.json"].as_slice()),
        ("ha", &["2026.2/report.csv", "2026.3/gemma/a-0.yaml"]),
    ] {
        let logs = format!("logs-{folder}");
        for arguments in [["import", folder, "-o", &logs].as_slice(), &["atlas", folder]] {
            let output = desk.toolgauge(arguments);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
            assert!(named.iter().all(|name| said.contains(name)), "{said}");
            assert_eq!(said.matches("left out").count(), named.len(), "each once: {said}");
        }
        assert_eq!(desk.logs(&logs).len(), 1, "{folder}");
    }
    // What somebody names itself must be readable.
    let cut = "bfcl/result/cut/BFCL_v4_simple_python_result.json";
    assert_eq!(desk.toolgauge(&["atlas", cut]).status.code(), Some(2));
}

#[test]
fn an_option_that_cannot_be_set_is_refused_before_anything_is_written() {
    let desk = Desk::new();
    let line = r#"{"id": "simple_python_0", "result": []}"#;
    desk.put("r/a/BFCL_v4_simple_python_result.json", line);
    desk.put("r/b/BFCL_v4_simple_python_result.json", line);
    for option in ["deepeval.mode=exact", "nonsense"] {
        let output = desk.toolgauge(&["import", "r", "--option", option, "-o", "logs"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(desk.logs("logs").is_empty(), "{option}: something was written");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("cannot be set") && !said.contains("--scorer"), "{said}");
    }
}

#[test]
fn nesting_without_end_is_refused() {
    let deep = format!("{{\"tasks\": {}, \"simulations\": []}}", "[".repeat(200_000));
    refusal("a.json", &deep);
    let line = format!("{{\"id\": \"a\", \"result\": {}", "[".repeat(200_000));
    refusal("BFCL_v4_simple_python_result.json", &line);
}

#[test]
fn a_log_that_is_there_already_is_left_alone() {
    let desk = Desk::new();
    desk.put(
        "result/gpt/BFCL_v4_irrelevance_result.json",
        r#"{"id": "irrelevance_0", "result": []}"#,
    );
    desk.put("a.eval", "mine");
    let output = desk.toolgauge(&["import", "result", "-o", "a.eval"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(desk.path().join("a.eval")).unwrap(), "mine");
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_refused_and_not_waited_for() {
    let desk = Desk::new();
    let simulations = desk.path().join("run/simulations");
    std::fs::create_dir_all(&simulations).unwrap();
    desk.put("run/results.json", r#"{"info": {}, "tasks": [{"id": "t"}], "simulation_index": []}"#);
    for pipe in [desk.path().join("pipe.json"), simulations.join("s.json")] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    std::os::unix::fs::symlink("/dev/zero", desk.path().join("zero.json")).unwrap();
    let named = [&["pipe.json"][..], &["zero.json", "--from", "tau2"], &["zero.json"], &["run"]];
    for arguments in named {
        let output = desk.toolgauge(&[&["import"], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("it is not a regular file"), "{arguments:?}: {said}");
    }
}

#[test]
#[cfg(unix)]
fn an_import_that_is_interrupted_leaves_no_log() {
    let desk = Desk::new();
    let line = |n: usize| format!("{{\"id\": \"simple_python_{n}\", \"result\": []}}\n");
    let lines: String = (0..20_000).map(line).collect();
    desk.put("BFCL_v4_simple_python_result.json", &lines);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(["import", "BFCL_v4_simple_python_result.json", "-o", "a.eval"]);
    command.current_dir(desk.path()).stdout(std::process::Stdio::null());
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let log = desk.path().join("a.eval");
    toolgauge_testkit::wait_until(|| log.exists());
    let signal =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!log.exists(), "half a log is left");
}
