//! The real `inspect_ai` opens what toolgauge writes, and toolgauge reads what it writes again.
//!
//! `TOOLGAUGE_INSPECT_PYTHON` names a Python that has the package. Without it the test says
//! that it was left out; with `TOOLGAUGE_REQUIRE_INSPECT=1` that is a failure.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use toolgauge_core::{Arguments, Message, Outcome, Run, RunId, Trial, Verdict};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary, rescore};
use toolgauge_testkit::skip_check;

use crate::trials;

/// Writes `name`.eval and what Inspect must find in it.
fn write(folder: &Path, name: &str, trials: &[Trial], epochs: u32) {
    let run = trials::run(trials, epochs);
    let path = folder.join(name).with_extension("eval");
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in trials {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
    describe(&path, trials, epochs);
}

/// Judges the trials of a log again, into another log.
fn judge_again(folder: &Path, from: &str, name: &str, trials: &[Trial], epochs: u32) {
    let log = Log::open(&folder.join(from).with_extension("eval")).unwrap();
    let path = folder.join(name).with_extension("eval");
    let run = Run { id: RunId::new(name), ..log.run().clone() };
    let mut writer = LogWriter::create(&path, &run).unwrap();
    let judge = |trial: &Trial| {
        trials.iter().find(|judged| judged.id() == trial.id()).unwrap().outcomes.clone()
    };
    rescore(&log, &mut writer, judge, |_| ()).unwrap();
    writer.finish(&RunStatus::Success).unwrap();
    describe(&path, trials, epochs);
}

/// Says what Inspect should find in a log, in a file beside it.
fn describe(path: &Path, trials: &[Trial], epochs: u32) {
    let log = Log::open(path).unwrap();
    let run = log.run();
    let metrics: serde_json::Map<_, _> = log
        .figures()
        .iter()
        .map(|figure| (format!("{}/{}", figure.score, figure.metric), json!(figure.value)))
        .collect();
    let tokens = |count: fn(&toolgauge_core::Usage) -> Option<u64>| -> u64 {
        trials.iter().filter_map(|trial| count(&trial.transcript.usage())).sum()
    };
    let want = json!({
        "status": "success",
        "model": "openai-api/local/qwen3-4b",
        "task": "home",
        "run_id": run.id,
        "version": run.program.version,
        "revision": run.program.revision,
        "trials": epochs,
        "cases": &run.cases[..],
        "suite_hash": run.suite.hash,
        "metrics": metrics,
        "input_tokens": tokens(|usage| usage.input),
        "total_tokens": tokens(|usage| usage.input) + tokens(|usage| usage.output),
        "complete": trials.len() == run.cases.len() * epochs as usize,
        "score_columns": ["calls", "partial", "tool_name", "arguments"],
        "samples": trials.iter().map(sample).collect::<Vec<_>>(),
    });
    std::fs::write(path.with_extension("json"), want.to_string()).unwrap();
}

fn sample(trial: &Trial) -> Value {
    let said = &trial.transcript.messages;
    let assistants = said.iter().filter(|message| matches!(message, Message::Assistant(_)));
    let assistants = assistants.count();
    let silent_turns = trial.transcript.turns.len().saturating_sub(assistants);
    let last_said = said.iter().rposition(|message| matches!(message, Message::Assistant(_)));
    let mut scores = serde_json::Map::new();
    for (scorer, outcome) in &trial.outcomes {
        let Outcome::Scored(score) = outcome else { continue };
        scores.insert(scorer.clone(), json!(score.value));
        for (dimension, verdict) in &score.dimensions {
            if *verdict != Verdict::NotApplicable {
                scores.insert(dimension.to_string(), json!(verdict.letter().to_string()));
            }
        }
    }
    let scored = trial.outcome().is_some_and(|outcome| outcome.value().is_some());
    let failure = trial.transcript.failure.as_ref().filter(|_| !scored);
    let calls: Vec<_> = trial.transcript.calls().collect();
    json!({
        "id": trial.case.id,
        "epoch": trial.number,
        "messages": 1 + trial.case.input.len() + said.len(),
        "second_role": if trial.case.input.len() == 1 { "user" } else { "system" },
        "calls": calls.iter().map(|call| &call.name).collect::<Vec<_>>(),
        "malformed": calls
            .iter()
            .map(|call| matches!(call.arguments, Arguments::Malformed { .. }))
            .collect::<Vec<_>>(),
        "scores": scores,
        "error": failure.map(|failure| format!("{}: {}", failure.kind.name(), failure.message)),
        "tier": trial.case.tags.get("tier"),
        "model_events": (assistants + silent_turns).max(1),
        "turns": trial.transcript.turns.len(),
        "last_input": 1 + trial.case.input.len() + last_said.unwrap_or(said.len()),
        "tools": ["HassTurnOn", "Bare"],
        "tool_events": said.iter().filter(|m| matches!(m, Message::Tool(_))).count(),
        "bodies": trial
            .transcript
            .turns
            .iter()
            .filter(|turn| turn.request.is_some() || turn.response.is_some())
            .count(),
        "store": store(trial),
        "replaced": replaced(trial),
    })
}

/// The world as the trial left it, as far as it is told.
fn store(trial: &Trial) -> Value {
    let mut store = json!({});
    for change in &trial.transcript.background.changes {
        match change.property.as_str() {
            "" => store[&change.thing] = change.after.clone(),
            property => store[&change.thing][property] = change.after.clone(),
        }
    }
    store
}

/// What was replaced, by the path of a JSON Patch.
fn replaced(trial: &Trial) -> Value {
    let mut replaced = json!({});
    for change in trial.transcript.background.changes.iter().filter(|change| change.happened()) {
        let mut path = format!("/{}", change.thing.replace('~', "~0").replace('/', "~1"));
        if !change.property.is_empty() {
            path = format!("{path}/{}", change.property);
        }
        replaced[path] = change.before.clone();
    }
    replaced
}

#[test]
fn the_real_inspect_finds_everything_in_its_place() {
    let Ok(python) = std::env::var("TOOLGAUGE_INSPECT_PYTHON") else {
        let needs = "a Python with `inspect_ai`, named by TOOLGAUGE_INSPECT_PYTHON";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_INSPECT");
    };
    let folder = tempfile::tempdir().unwrap();
    let odd = trials::odd_trials();
    let plain: Vec<_> = (0..30).map(trials::plain_trial).collect();
    write(folder.path(), "odd", &odd, 2);
    write(folder.path(), "plain", &plain, 1);
    let outcomes = plain.iter().rev().map(|trial| trial.outcomes.clone());
    let again: Vec<Trial> = (plain.iter().cloned().zip(outcomes))
        .map(|(trial, outcomes)| Trial { outcomes, ..trial })
        .collect();
    judge_again(folder.path(), "plain", "again", &again, 1);
    let world = trials::in_a_world();
    write(folder.path(), "world", &world, 1);
    let outcomes = world.iter().rev().map(|trial| trial.outcomes.clone());
    let world_again: Vec<Trial> = (world.iter().cloned().zip(outcomes))
        .map(|(trial, outcomes)| Trial { outcomes, ..trial })
        .collect();
    judge_again(folder.path(), "world", "world-again", &world_again, 1);
    let rewritten = folder.path().join("rewritten");
    std::fs::create_dir(&rewritten).unwrap();

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inspect/open_logs.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("Unable to convert"), "{said}");

    let logs = [("odd", odd), ("plain", plain), ("again", again), ("world", world)];
    for (name, trials) in logs.into_iter().chain([("world-again", world_again)]) {
        let log = Log::open(&rewritten.join(name).with_extension("eval")).unwrap();
        assert!(log.is_own() && log.is_finished(), "{name}");
        assert_eq!(log.len(), trials.len());
        for trial in &trials {
            assert_eq!(&log.trial(&trial.id()).unwrap(), trial, "{name} as Inspect rewrote it");
        }
        let mut summaries: Vec<_> = log.summaries().map(Result::unwrap).collect();
        let mut want: Vec<_> = trials.iter().map(TrialSummary::of).collect();
        summaries.sort_by(|a, b| a.id.cmp(&b.id));
        want.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(summaries, want, "{name} as Inspect rewrote it");
    }
}
