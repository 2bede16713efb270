//! Logs of other programs, judged again.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::{Value, json};
use toolgauge_core::{Outcome, Score, Trial};
use toolgauge_log::{Log, RawLogWriter, rescore_foreign};

fn write(path: &Path, samples: &[(&str, Value)], figures: &Value) {
    let mut writer = RawLogWriter::create(path).unwrap();
    let mut add = |name: &str, value: &Value| {
        writer.add(name, value.to_string().as_bytes()).unwrap();
    };
    for (id, scores) in samples {
        let said = json!({"role": "assistant", "content": "4"});
        let sample = json!({
            "id": id, "epoch": 1, "input": "2+2?", "target": "4", "messages": [said],
            "output": {"model": "m", "choices": [{"message": said}]}, "scores": scores,
        });
        add(&format!("samples/{id}_epoch_1.json"), &sample);
    }
    let summary = |(id, scores): &(&str, Value)| json!({"id": id, "epoch": 1, "input": "2+2?", "target": "4", "scores": scores});
    add("summaries.json", &samples.iter().map(summary).collect());
    let dataset = json!({"name": "d", "samples": samples.len()});
    let scorer = |figure: &Value| json!({"name": figure["scorer"]});
    let scorers: Value = figures.as_array().unwrap().iter().map(scorer).collect();
    let eval = json!({"scorers": scorers, "eval_id": "e", "run_id": "r", "created": "2026-01-01T00:00:00+00:00", "task": "sums", "task_id": "t", "model": "m", "dataset": dataset, "config": {}});
    add(
        "header.json",
        &json!({"version": 2, "status": "success", "eval": eval, "results": {"scores": figures}}),
    );
    writer.finish().unwrap();
}

/// The log with every trial given half a point by a scorer called `wire`.
fn judged(folder: &Path, from: &str, to: &str) -> Log {
    let log = Log::open(&folder.join(from)).unwrap();
    let mut writer = RawLogWriter::create(&folder.join(to)).unwrap();
    let half = |_: &mut Trial| {
        let score = Score { value: 0.5, ..Score::default() };
        IndexMap::from([("wire".to_owned(), Outcome::Scored(score))])
    };
    rescore_foreign(&log, &mut writer, half, |_| {}).unwrap();
    writer.finish().unwrap();
    Log::open(&folder.join(to)).unwrap()
}

/// The names and values of the scores of each trial.
fn scores(log: &Log) -> Vec<Vec<(String, Option<f64>)>> {
    let of = |trial: Trial| {
        trial.outcomes.iter().map(|(name, outcome)| (name.clone(), outcome.value())).collect()
    };
    log.trials().map(|trial| of(trial.unwrap())).collect()
}

#[test]
fn a_name_that_one_sample_has_taken_is_free_in_none() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = json!({"name": "wire", "scorer": "wire", "params": {}, "metrics": {"accuracy": {"name": "accuracy", "value": 1.0}}});
    let samples = [("a", json!({"wire": {"value": 1.0}})), ("b", json!({}))];
    write(&folder.path().join("theirs.eval"), &samples, &json!([theirs]));
    let log = judged(folder.path(), "theirs.eval", "new.eval");
    let ours = ("toolgauge_wire".to_owned(), Some(0.5));
    assert_eq!(
        scores(&log),
        [vec![("wire".to_owned(), Some(1.0)), ours.clone()], vec![ours.clone()]]
    );
    // Judged once more, ours are replaced and theirs stay.
    let again = judged(folder.path(), "new.eval", "again.eval");
    assert_eq!(scores(&again), scores(&log));
    for file in ["new.eval", "again.eval"] {
        let log = Log::open(&folder.path().join(file)).unwrap();
        assert_eq!(log.run().scorers, ["wire", "toolgauge_wire"], "{file}");
    }
}

#[test]
fn a_name_among_the_values_of_another_scorer_is_not_taken_either() {
    let folder = tempfile::tempdir().unwrap();
    // A scorer that gives several values has a figure for each in the header.
    let theirs = json!({"name": "wire", "scorer": "several", "params": {}, "metrics": {}});
    let samples = [("a", json!({"several": {"value": {"wire": 1.0}}}))];
    write(&folder.path().join("theirs.eval"), &samples, &json!([theirs]));
    let log = judged(folder.path(), "theirs.eval", "new.eval");
    let names: Vec<String> = scores(&log).remove(0).into_iter().map(|(name, _)| name).collect();
    assert!(names.contains(&"toolgauge_wire".to_owned()) && !names.contains(&"wire".to_owned()));
}
