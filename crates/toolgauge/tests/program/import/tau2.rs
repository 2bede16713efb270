//! Results of τ²-bench.

use serde_json::{Value, json};
use toolgauge_core::FailureKind;

use super::Desk;

/// A simulation in which the agent makes one of two expected calls and says what it should.
fn simulation(trial: u32, termination: &str, reward: &Value) -> Value {
    json!({
        "id": format!("s{trial}"), "task_id": "cancel", "trial": trial, "duration": 4.0,
        "termination_reason": termination, "reward_info": reward,
        "messages": [
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "Cancel my flight."},
            {"role": "assistant", "content": null, "usage": {"prompt_tokens": 30, "completion_tokens": 5},
             "tool_calls": [{"id": "c1", "name": "find", "arguments": {"user": "u1"}, "requestor": "assistant"}]},
            {"id": "c1", "role": "tool", "content": "{}", "requestor": "assistant", "error": true},
            {"role": "user", "content": null,
             "tool_calls": [{"id": "c2", "name": "look", "arguments": {}, "requestor": "user"}]},
            {"id": "c2", "role": "tool", "content": "none", "requestor": "user"},
            {"role": "assistant", "content": "That is $1,200."},
        ],
    })
}

fn results(simulations: &[Value]) -> String {
    let action = |name: &str, arguments: Value| json!({"action_id": name, "requestor": "assistant", "name": name, "arguments": arguments, "compare_args": null});
    let criteria = json!({
        "actions": [action("find", json!({"user": "u1", "all": true})), action("cancel", json!({"id": 7}))],
        "communicate_info": ["1200"], "nl_assertions": ["Says why."], "reward_basis": ["DB", "COMMUNICATE"],
    });
    json!({
        "info": {"agent_info": {"llm": "gpt"}, "environment_info": {"domain_name": "airline"}},
        "tasks": [{"id": "cancel", "evaluation_criteria": criteria}],
        "simulations": simulations,
    })
    .to_string()
}

fn reward(value: f64) -> Value {
    let check = |made: bool| json!({"action_match": made});
    json!({
        "reward": value, "reward_breakdown": {"DB": value, "COMMUNICATE": 1.0},
        "action_checks": [check(true), check(false)], "communicate_checks": [{"met": true}],
    })
}

#[test]
fn rewards_and_checks_are_computed_anew_and_agree() {
    let desk = Desk::new();
    let ended = json!({"reward": 0.0, "reward_basis": null});
    let simulations = [
        simulation(0, "user_stop", &reward(1.0)),
        simulation(1, "user_stop", &reward(0.0)),
        simulation(2, "max_steps", &ended),
    ];
    desk.put("airline.json", &results(&simulations));
    let said = desk.done(&["import", "airline.json", "-o", "a.eval"]);
    assert!(said.starts_with("tau2-airline · gpt · airline · 3 trials"), "{said}");
    assert!(said.contains("recorded and recomputed `tau2` differ in 0 of 3"), "{said}");
    let trials = desk.trials("a.eval");
    let score = trials[0].outcomes["tau2"].score().unwrap();
    assert_eq!(score.measures.get("checks_compared"), Some(&3.0));
    assert_eq!(score.measures.get("checks_different"), Some(&0.0));
    // An argument that the call lacks goes unnoticed, and the reward does not look at calls.
    assert_eq!(score.measures.get("actions_made"), Some(&0.5));
    assert_eq!(score.measures.get("reward_contradicts_actions"), Some(&1.0));
    assert_eq!(trials[0].case.sentence(), "Cancel my flight.");
    assert_eq!(trials[0].transcript.calls().count(), 1, "the user's calls are not the subject's");
    assert_eq!(trials[2].transcript.failure.as_ref().unwrap().kind, FailureKind::LimitReached);
    assert_eq!((trials[2].number, trials[2].outcomes["tau2"].value()), (3, Some(0.0)));
}

#[test]
fn a_folder_may_keep_each_simulation_in_a_file() {
    let desk = Desk::new();
    desk.put("run/results.json", &results(&[]).replace("\"simulations\"", "\"simulation_index\""));
    let one = simulation(0, "user_stop", &reward(1.0)).to_string();
    desk.put("run/simulations/s0.json", &one);
    let said = desk.done(&["import", "run", "-o", "a.eval"]);
    assert!(said.starts_with("tau2-airline · gpt · run · 1 trial"), "{said}");
}

#[test]
fn simulations_of_speech_are_left_out_and_counted() {
    let desk = Desk::new();
    let spoken = json!({"id": "v", "task_id": "cancel", "trial": 0, "ticks": [{}], "messages": []});
    desk.put("a.json", &results(&[simulation(0, "user_stop", &reward(1.0)), spoken]));
    let said = desk.done(&["import", "a.json", "-o", "a.eval"]);
    assert!(said.contains("1 simulations of speech are left out"), "{said}");
}
