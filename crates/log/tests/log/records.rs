//! What tables read of a trial is what the trial says.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgauge_core::TrialId;
use toolgauge_log::{Log, LogError, RawLogWriter, TrialRecord};

use crate::round_trip::{any_trial, write};
use crate::{fixture, trials};

/// Asserts that each record of a log is what its trial amounts to, read by the full reader.
fn assert_records_are_the_trials(path: &Path) {
    let log = Log::open(path).unwrap();
    let trials: HashMap<TrialId, _> =
        log.trials().map(Result::unwrap).map(|trial| (trial.id(), trial)).collect();
    let seen = AtomicUsize::new(0);
    let add = |(): &mut (), record: Result<TrialRecord<'_>, LogError>| {
        let record = record.unwrap();
        let id = TrialId { case: (*record.case).into(), trial: record.number };
        let trial = &trials[&id];
        assert_eq!(record.sentence(), trial.case.sentence(), "{}", path.display());
        assert_eq!(record, TrialRecord::from(trial.clone()), "{}", path.display());
        seen.fetch_add(1, Ordering::Relaxed);
    };
    log.gather(|| (), add, |()| Ok::<(), ()>(())).unwrap();
    assert_eq!(seen.into_inner(), trials.len());
}

/// Writes the log again, each sample changed.
fn changed(log: &Path, to: PathBuf, change: impl Fn(&mut Value)) -> PathBuf {
    let mut members = zip::ZipArchive::new(std::fs::File::open(log).unwrap()).unwrap();
    let mut writer = RawLogWriter::create(&to).unwrap();
    for place in 0..members.len() {
        let mut member = members.by_index(place).unwrap();
        let (name, mut text) = (member.name().unwrap().into_owned(), Vec::new());
        member.read_to_end(&mut text).unwrap();
        if name.starts_with("samples/") {
            let mut sample = serde_json::from_slice(&text).unwrap();
            change(&mut sample);
            // Spread over lines, so that nothing relies on how toolgauge lays out its text.
            text = serde_json::to_vec_pretty(&sample).unwrap();
        }
        writer.add(&name, &text).unwrap();
    }
    writer.finish().unwrap();
    to
}

#[test]
fn records_of_shipped_and_old_logs_are_their_trials() {
    assert_records_are_the_trials(&fixture::path());
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/demo");
    let logs: Vec<_> = std::fs::read_dir(demo).unwrap().map(|file| file.unwrap().path()).collect();
    let logs = logs.iter().filter(|path| path.extension().is_some_and(|ending| ending == "eval"));
    assert!(logs.clone().count() >= 4);
    logs.for_each(|log| assert_records_are_the_trials(log));
}

#[test]
fn records_of_odd_trials_are_the_trials() {
    let folder = tempfile::tempdir().unwrap();
    let all = [trials::odd_trials(), trials::in_a_world()].concat();
    assert_records_are_the_trials(&write(folder.path(), &all));
}

#[test]
fn records_pass_over_fields_that_are_not_known_yet() {
    fn add_field(value: &mut Value, part: &str) {
        if let Some(Value::Object(fields)) = value.pointer_mut(part) {
            fields.insert("later".into(), json!({"later": ["\"\\\u{e9}\n", null, 1e300]}));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), &trials::odd_trials());
    let later = changed(&log, folder.path().join("later.eval"), |sample| {
        for part in ["", "/metadata/toolgauge", "/output", "/output/choices/0/message"] {
            add_field(sample, part);
        }
        for turn in sample.pointer_mut("/metadata/toolgauge/turns").unwrap().as_array_mut().unwrap()
        {
            for part in ["", "/timings", "/usage"] {
                add_field(turn, part);
            }
        }
        for score in sample["scores"].as_object_mut().unwrap().values_mut() {
            for part in ["", "/metadata", "/metadata/toolgauge"] {
                add_field(score, part);
            }
        }
    });
    assert_records_are_the_trials(&later);
}

#[test]
fn records_do_without_every_field_that_may_be_missing() {
    let needed = ["started", "ended"];
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), &trials::odd_trials());
    let bare = changed(&log, folder.path().join("bare.eval"), |sample| {
        let own = sample.pointer_mut("/metadata/toolgauge").unwrap().as_object_mut().unwrap();
        own.retain(|name, _| needed.contains(&name.as_str()));
        let scores = sample["scores"].as_object_mut().into_iter().flat_map(|all| all.values_mut());
        for own in scores.filter_map(|score| score.pointer_mut("/metadata/toolgauge")) {
            *own = json!({});
        }
    });
    assert_records_are_the_trials(&bare);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_record_of_any_trial_is_the_trial(trial in any_trial()) {
        let folder = tempfile::tempdir().unwrap();
        assert_records_are_the_trials(&write(folder.path(), std::slice::from_ref(&trial)));
    }
}
