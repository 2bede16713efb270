//! `toolgauge atlas`: wrong verdicts and wrong expected answers in a folder of results.

use serde_json::Value;

use super::Desk;

const QUESTIONS: &str = r#"{"id":"simple_python_0","question":[[{"role":"user","content":"Add 1 and 2."}]],"function":[{"name":"add","description":"Adds","parameters":{"type":"dict","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}}]}
{"id":"simple_python_1","question":[[{"role":"user","content":"Add 3 and 4."}]],"function":[{"name":"add","description":"Adds","parameters":{"type":"dict","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}}]}
"#;

/// The second expects an argument that the function does not have.
const ANSWERS: &str = r#"{"id":"simple_python_0","ground_truth":[{"add":{"a":[1],"b":[2]}}]}
{"id":"simple_python_1","ground_truth":[{"add":{"a":[3],"b":[4],"c":[5]}}]}
"#;

const RESULTS: &str = r#"{"id":"simple_python_0","result":[{"add":"{\"a\": 1, \"b\": 2}"}]}
{"id":"simple_python_1","result":[{"add":"{\"a\": 3, \"b\": 4}"}]}
"#;

/// Says that the first one is wrong, which it is not.
const SCORES: &str = r#"{"accuracy":0.0,"correct_count":0,"total_count":2}
{"id":"simple_python_0","valid":false,"error":["odd"],"error_type":"odd"}
{"id":"simple_python_1","valid":false,"error":["missing"],"error_type":"missing"}
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("data/BFCL_v4_simple_python.json", QUESTIONS);
    desk.put("data/possible_answer/BFCL_v4_simple_python.json", ANSWERS);
    for model in ["one", "two"] {
        desk.put(&format!("all/bfcl/result/{model}/BFCL_v4_simple_python_result.json"), RESULTS);
    }
    desk.put("all/bfcl/score/one/BFCL_v4_simple_python_score.json", SCORES);
    desk.put("all/notes.txt", "not a result");
    desk
}

#[test]
fn wrong_verdicts_and_wrong_golds_are_named() {
    let desk = desk();
    let output = desk.toolgauge(&["atlas", "all", "--data", "data"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("1 of 2 recorded verdicts are not what the rule"), "{said}");
    assert!(said.contains("simple_python_0#1 · one: recorded 0, by the rule 1"), "{said}");
    assert!(said.contains("1 of 2 cases expect what their own tools do not allow"), "{said}");
    assert!(said.contains("simple_python_1: "), "{said}");
    let output = desk.toolgauge(&["atlas", "all", "--data", "data", "--format", "json"]);
    let atlas: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&atlas["runs"][1]["model"], &atlas["runs"][1]["compared"]),
        (&"two".into(), &0.into())
    );
    assert_eq!(atlas["contradictions"].as_array().unwrap().len(), 1, "once over both models");
    assert!(desk.logs("logs").is_empty(), "nothing is written");
}

#[test]
fn every_recorded_verdict_that_has_a_rule_is_computed_again() {
    let desk = Desk::new();
    let row = |f1: f64| {
        format!(
            r#"{{"success":true,"score":1,"provider":{{"id":"p"}},"vars":{{"v":{f1}}},"testCase":{{"assert":[{{"type":"tool-call-f1","value":"f, g","threshold":0.5}}]}},"response":{{"output":[{{"function":{{"name":"f","arguments":"{{}}"}}}}]}},"gradingResult":{{"pass":true,"componentResults":[{{"pass":true,"score":{f1},"assertion":{{"type":"tool-call-f1"}}}}]}}}}"#
        )
    };
    // Of two expected tools one was called, so that the F1 is two thirds.
    desk.put("rows.jsonl", &format!("{}\n{}\n", row(0.75), row(2.0 / 3.0)));
    let output = desk.toolgauge(&["atlas", "rows.jsonl"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("1 of 2 recorded verdicts are not what the rule"), "{said}");
    assert!(said.contains("recorded 0.75, by the rule 0.66"), "{said}");
}

#[test]
fn a_file_that_is_no_result_is_refused() {
    let desk = desk();
    let output = desk.toolgauge(&["atlas", "all/notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_folder_without_results_is_refused() {
    let desk = Desk::new();
    desk.put("notes/todo.txt", "buy milk");
    let output = desk.toolgauge(&["atlas", "notes"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("no result of a known tool among 1 file"), "{told}");
}
