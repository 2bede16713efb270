//! Results of τ-bench: one reading for every command.

use serde_json::{Value, json};

use super::Desk;

/// Tasks as τ-bench writes them, and some that it should not.
fn tasks() -> Vec<Value> {
    let call = |name: &str, arguments: Value| json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}]});
    let task = |actions: Value, traj: Value| json!({"reward": 0.0, "info": {"task": {"actions": actions}}, "traj": traj});
    let book = |seat: u32| json!({"name": "book", "kwargs": {"seat": seat, "row": 7}});
    let mut tasks = vec![
        // The second of two expected calls is as near to the first call made as to none.
        task(json!([book(1), book(2)]), json!([call("book", json!("{\"seat\": 1, \"row\": 7}"))])),
        task(json!([book(1)]), json!([call("book", json!("{\"seat\": 1, "))])),
        task(json!([book(1)]), json!([call("book", json!({"seat": 1, "row": 7}))])),
        task(
            json!([book(1), {"name": "respond", "kwargs": {"content": "Done."}}]),
            json!([call("book", json!("{\"seat\": 1, \"row\": NaN}"))]),
        ),
        task(json!([]), json!([])),
        task(json!(null), json!([call("book", json!("{}"))])),
        task(json!({}), json!([])),
        task(json!([]), json!("none")),
        json!({"reward": 0.0, "info": {"error": "no connection", "traceback": ""}, "traj": []}),
    ];
    for (number, task) in tasks.iter_mut().enumerate() {
        task["task_id"] = json!(number);
        task["trial"] = json!(0);
    }
    tasks
}

#[test]
fn partial_credit_is_that_of_the_command_for_these_files() {
    let desk = Desk::new();
    desk.put("a.json", &Value::from(tasks()).to_string());
    desk.done(&["partial", "a.json", "--no-stats"]);
    let copy = std::fs::read_to_string(desk.path().join("a_partial.json")).unwrap();
    let copy: Vec<Value> = serde_json::from_str(&copy).unwrap();
    desk.toolgauge(&["import", "a.json", "-o", "a.eval"]);
    let trials = desk.trials("a.eval");
    assert_eq!(trials.len(), copy.len());
    for (trial, task) in trials.iter().zip(&copy) {
        let credit = trial.outcomes["tau"].value();
        assert_eq!(credit, task["partial_score"].as_f64(), "{task}");
    }
    // A trial of ours that failed is still none that went wrong.
    assert!(trials[8].transcript.failure.is_some());
}
