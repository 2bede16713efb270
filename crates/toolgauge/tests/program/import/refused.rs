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
    assert!(said.contains("a log of Inspect AI in JSON"), "{said}");
    let said = refusal("a.json", r#"{"a": 2, "b": "c"}"#);
    assert!(said.contains("an object with the keys `a`, `b`"), "{said}");
    assert!(said.contains("can be imported: bfcl, tau2, tau-bench, ha-datasets"), "{said}");
    assert!(refusal("a.json", "").contains("it is empty"));
    assert!(refusal("a.json", " \n\t").contains("it is empty"));
    assert!(refusal("a.json", "[1, 2]").contains("a list that holds no objects"));
    assert!(refusal("a.yaml", "---\na: 1").contains("text that is not JSON"));
    assert!(refusal("a.json", r#"[{"traj": [], "reward": 0}]"#).contains("lacks `task_id`"));
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
