//! Two runs, several runs, and cases over runs.

use serde_json::{Value, json};

use super::{Bench, CASES, steady, text};

#[test]
fn a_better_run_is_shown_to_be_better() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n % 2 == 0);
    let b = bench.run("b", |n| n == 3);
    insta::assert_snapshot!("better", steady(&bench.toolgauge(&["compare", &a, &b])));
    insta::assert_snapshot!("worse", steady(&bench.toolgauge(&["compare", &b, &a, "--bayes"])));
}

#[test]
fn the_decision_comes_first_and_every_figure_when_asked_for() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n % 2 == 0);
    let b = bench.run("b", |n| n == 3);
    let printed =
        |flags: &[&str]| text(&bench.toolgauge(&[&["compare", &a, &b], flags].concat()).stdout);
    let (short, full) = (printed(&[]), printed(&["--full"]));
    let places = ["verdict", "B − A", "broken  ", "fixed  ", "dimension", "lost by"];
    let places = places.map(|words| short.find(words).unwrap());
    assert!(places.is_sorted(), "{short}");
    assert!(short.contains("\n  arguments ") && !short.contains("\n  tool_name "), "{short}");
    let hint = "6 further figures without a shown difference: compare --full";
    assert!(short.trim_end().ends_with(hint), "{short}");
    assert!(full.contains("\n  tool_name ") && !full.contains("--full"), "{full}");
}

#[test]
fn a_comparison_is_printed_for_programs() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n % 2 == 0);
    let b = bench.run("b", |n| n == 3);
    let output = bench.toolgauge(&["compare", &a, &b, "--format", "json", "--all-flips"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let comparison = &printed["comparison"];
    assert_eq!(comparison["verdict"], json!({"verdict": "better"}));
    assert_eq!(comparison["shared"]["trials_a"], CASES);
    assert_eq!(comparison["flips"]["fixed"], 12);
    assert_eq!(comparison["flips"]["fixed_cases"].as_array().unwrap().len(), 12);
    assert_eq!(comparison["flips"]["broken_cases"][0]["case"], "room-03");
    assert_eq!(comparison["score"]["test"], "exact_mcnemar");
}

#[test]
fn equal_runs_need_a_margin_to_be_called_so() {
    let bench = Bench::new();
    let a = bench.run("a", |n| n % 4 == 0);
    let b = bench.run("b", |n| n % 4 == 0);
    let verdict = |flags: &[&str]| {
        let output = bench.toolgauge(&[&["compare", &a, &b], flags].concat());
        let printed = text(&output.stdout);
        let line = printed.lines().find(|line| line.contains("verdict")).unwrap();
        line.trim().to_owned()
    };
    assert_eq!(
        verdict(&[]),
        "verdict    no difference shown (a difference of 0.213 would have been found four times in \
         five)"
    );
    assert_eq!(verdict(&["--margin", "0.2"]), "verdict    equivalent within 0.2");
    let undecided = verdict(&["--margin", "0.02"]);
    assert!(undecided.contains("inconclusive: about"), "{undecided}");
}

#[test]
fn several_runs_are_ranked() {
    let bench = Bench::new();
    let logs = [
        bench.run("weak", |n| n % 4 != 0),
        bench.run("good", |n| n == 0),
        bench.run("twin", |n| n == 1),
    ];
    let output = bench.toolgauge(&["compare", &logs[0], &logs[1], &logs[2]]);
    insta::assert_snapshot!("ranked", steady(&output));
}

#[test]
fn suspicious_cases_come_first() {
    let bench = Bench::new();
    let logs = [
        bench.run("best", |n| n == 0 || n == 5),
        bench.run("good", |n| n == 0 || n == 5 || n == 7),
        bench.run("weak", |n| n == 0 || n > 11),
    ];
    let output = bench.toolgauge(&["cases", &logs[0], &logs[1], &logs[2]]);
    insta::assert_snapshot!("cases", steady(&output));
    let output = bench.toolgauge(&["cases", "--format", "json", &logs[0], &logs[1], &logs[2]]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["cases"][0]["case"], "room-05");
    let expected = json!(["only_weak_pass"]);
    assert_eq!(printed["cases"][0]["suspicions"], expected);
    assert_eq!(printed["cases"][1]["suspicions"], json!(["never_passes"]));
}

#[test]
fn result_files_of_tau_bench_are_compared_by_reward() {
    let bench = Bench::new();
    let file = |name: &str, passed: fn(usize) -> bool| {
        let task = |n: usize| {
            let reward = f64::from(u8::from(passed(n)));
            json!({
                "task_id": n / 2,
                "reward": reward,
                "info": {"task": {"actions": [{"name": "book", "kwargs": {"seat": n / 2}}]}},
                "traj": [{"role": "assistant", "content": null, "tool_calls": [{
                    "function": {"name": "book", "arguments": format!("{{\"seat\": {}}}", n / 2)},
                }]}],
                "trial": n % 2,
            })
        };
        let tasks: Vec<Value> = (0..40).map(task).collect();
        std::fs::write(bench.path().join(name), serde_json::to_string(&tasks).unwrap()).unwrap();
    };
    file("a.json", |n| n % 4 == 0);
    file("b.json", |n| n % 4 == 0 || n > 20);
    let output = bench.toolgauge(&["compare", "a.json", "b.json"]);
    insta::assert_snapshot!("tau", steady(&output));
    for (asked, own) in [("partial", "tau"), ("tau", "tau"), ("reward", "tau_bench")] {
        let output = bench.toolgauge(&["compare", "a.json", "b.json", "--scorer", asked]);
        let said = text(&output.stdout);
        assert!(said.contains(&format!(" ({own})\n")), "{asked}: {said}");
    }
    // The file itself and the log made of it are the same run.
    bench.toolgauge(&["import", "a.json", "-o", "a.eval"]);
    let output = bench.toolgauge(&["compare", "a.json", "a.eval", "--scorer", "tau"]);
    let said = text(&output.stdout);
    assert!(said.contains("1.000 [0.832, 1.000] (tau)"), "{said}");
    assert!(!said.contains("trials per case") && !said.contains("worse"), "{said}");
    let output = bench.toolgauge(&["compare", "a.json", "b.json", "--scorer", "style"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "error: there is no scorer `style`\n  hint: there are: tau_bench, tau\n"
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let bench = Bench::new();
    let a = bench.run("a", |_| false);
    std::fs::write(bench.path().join("broken.json"), "[{\"task_id\": 1, \"reward\": }]").unwrap();
    for arguments in
        [&["compare", &a, "none.eval"][..], &["compare", &a], &["compare", &a, "broken.json"]]
    {
        let output = bench.toolgauge(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{}", text(&output.stderr));
    }
}
