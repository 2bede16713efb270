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
fn errors_of_the_simulated_user_are_told_apart() {
    let desk = Desk::new();
    let reviewed = |trial: u32, value: f64, user: bool| {
        let mut simulation = simulation(trial, "user_stop", &reward(value));
        simulation["review"] = json!({"user_error": user, "agent_error": !user, "critical_user_error": user, "has_errors": true});
        simulation
    };
    let mut failed = simulation(3, "user_error", &json!({"reward": 0.0}));
    failed["messages"][5]["error"] = json!(true);
    let mut invented = simulation(4, "user_stop", &reward(0.0));
    invented["hallucination_check"] = json!({"hallucination_found": true});
    invented["user_only_review"] = json!({"user_error": false, "critical_user_error": false});
    // What τ² writes where it cannot read the answer of its reviewer says nothing of anybody.
    let mut unread = simulation(6, "user_stop", &reward(0.0));
    let error = json!([{"source": "unknown", "reasoning": "Failed to parse LLM response"}]);
    unread["review"] = json!({"summary": "", "agent_error": false, "user_error": false, "critical_user_error": false, "has_errors": false, "errors": error});
    unread["hallucination_check"] = json!({"hallucination_found": false, "errors": error});
    let simulations = [
        reviewed(0, 1.0, true),
        reviewed(1, 0.0, true),
        reviewed(2, 0.0, false),
        failed,
        invented,
        simulation(5, "user_stop", &reward(0.0)),
        unread,
    ];
    desk.put("airline.json", &results(&simulations));
    desk.toolgauge(&["import", "airline.json", "-o", "a.eval"]);
    let names = [
        "user_error",
        "critical_user_error",
        "lost_with_user_error",
        "agent_error",
        "agent_failed_calls",
        "user_failed_calls",
    ];
    let measures = desk.trials("a.eval").into_iter().map(|trial| {
        let score = trial.outcomes["tau2"].score().unwrap().clone();
        names.map(|name| score.measures.get(name).copied())
    });
    let expected = [
        [Some(1.0), Some(1.0), Some(0.0), Some(0.0), Some(1.0), Some(0.0)],
        [Some(1.0), Some(1.0), Some(1.0), Some(0.0), Some(1.0), Some(0.0)],
        [Some(0.0), Some(0.0), Some(0.0), Some(1.0), Some(1.0), Some(0.0)],
        [Some(1.0), None, Some(1.0), None, Some(1.0), Some(1.0)],
        [Some(1.0), Some(0.0), Some(1.0), None, Some(1.0), Some(0.0)],
        [None, None, None, None, Some(1.0), Some(0.0)],
        [None, None, None, None, Some(1.0), Some(0.0)],
    ];
    assert_eq!(measures.collect::<Vec<_>>(), expected);
}

#[test]
fn trials_may_come_in_any_order() {
    let desk = Desk::new();
    let simulations = [1, 0].map(|trial| simulation(trial, "user_stop", &reward(1.0)));
    desk.put("airline.json", &results(&simulations));
    let said = desk.done(&["import", "airline.json", "-o", "a.eval"]);
    assert!(!said.contains("came twice") && !said.contains("unfinished"), "{said}");
    let numbers: Vec<u32> = desk.trials("a.eval").iter().map(|trial| trial.number).collect();
    assert_eq!(numbers, [2, 1]);
    // A trial that does come twice is a further one.
    let simulations = [0, 0, 1].map(|trial| simulation(trial, "user_stop", &reward(1.0)));
    desk.put("twice.json", &results(&simulations));
    let said = desk.done(&["import", "twice.json", "-o", "b.eval"]);
    assert!(said.contains("1 came twice"), "{said}");
    let numbers: Vec<u32> = desk.trials("b.eval").iter().map(|trial| trial.number).collect();
    assert_eq!(numbers, [1, 3, 2]);
}

#[test]
fn a_case_that_the_suite_expects_nothing_of_is_in_the_suite() {
    let desk = Desk::new();
    desk.put("airline.json", &results(&[simulation(0, "user_stop", &reward(1.0))]));
    let suite = |case: &str| format!("name: mine\ncases:\n  - id: {case}\n    say: Go.\n");
    desk.put("mine.yaml", &suite("cancel"));
    let said = desk.done(&["import", "airline.json", "--suite", "mine.yaml", "-o", "a.eval"]);
    assert!(!said.contains("not in the suite"), "{said}");
    desk.put("other.yaml", &suite("other"));
    let said = desk.done(&["import", "airline.json", "--suite", "other.yaml", "-o", "b.eval"]);
    assert!(!said.contains("nothing is expected"), "the results expect calls: {said}");
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
