//! A log that is judged again differs from the old one in its judgements alone.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use toolgauge_core::{
    FailureKind, Outcome, Run, RunId, Score, Trial, TrialFailure, UnscoredReason,
};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary, rescore};

use crate::{fixture, round_trip, trials};

/// A judgement that depends on the trial, is sometimes none, and never the old one.
fn judge(trial: &Trial) -> IndexMap<String, Outcome> {
    let calls = trial.transcript.calls().count();
    let explanation = format!("{calls} calls by \"{}\"", trial.case.id);
    let outcome = match calls % 3 {
        0 => Outcome::Unscored(UnscoredReason::Failed(TrialFailure {
            kind: FailureKind::Server,
            message: "nobody called".into(),
        })),
        1 => Outcome::Scored(Score { value: 0.25, explanation, ..Score::default() }),
        _ => Outcome::Unscored(UnscoredReason::NothingExpected),
    };
    IndexMap::from([("again".to_owned(), outcome)])
}

fn judged_again(old: &Path, folder: &Path) -> (PathBuf, Vec<TrialSummary>) {
    let log = Log::open(old).unwrap();
    let (id, scorers) = (RunId::new("again"), vec!["again".to_owned()]);
    let run = Run { id, scorers, ..log.run().clone() };
    let mut writer = LogWriter::create(&folder.join("again.eval"), &run).unwrap();
    let mut told = Vec::new();
    rescore(&log, &mut writer, judge, |summary| told.push(summary.clone())).unwrap();
    (writer.finish(&RunStatus::Success).unwrap(), told)
}

fn expect_only_judgements_to_change(old: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let (path, told) = judged_again(old, folder.path());
    let again = |trial: Trial| Trial { outcomes: judge(&trial), ..trial };
    let want: Vec<Trial> =
        Log::open(old).unwrap().trials().map(|trial| again(trial.unwrap())).collect();
    let log = Log::open(&path).unwrap();
    let read: Vec<Trial> = log.trials().map(Result::unwrap).collect();
    assert_eq!(read, want);
    let summaries: Vec<_> = want.iter().map(TrialSummary::of).collect();
    assert_eq!(log.summaries().map(Result::unwrap).collect::<Vec<_>>(), summaries);
    assert_eq!(told, summaries);
    let mut ahead = Vec::new();
    log.summaries().for_each_ahead(|summary| ahead.push(summary.unwrap()));
    assert_eq!(ahead, summaries);
    // Resuming verifies every checksum, and finds nothing torn.
    let (_, resumed) = LogWriter::resume(&path).unwrap();
    assert_eq!(resumed.torn, 0);
    assert_eq!(resumed.finished.len() + resumed.failed.len(), want.len());
}

#[test]
fn only_the_judgements_of_odd_trials_change() {
    let folder = tempfile::tempdir().unwrap();
    expect_only_judgements_to_change(&round_trip::write(folder.path(), &trials::odd_trials()));
}

#[test]
fn what_became_of_the_world_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    expect_only_judgements_to_change(&round_trip::write(folder.path(), &trials::in_a_world()));
}

#[test]
fn only_the_judgements_of_many_trials_change() {
    let folder = tempfile::tempdir().unwrap();
    let trials: Vec<Trial> = (0..2300).map(trials::plain_trial).collect();
    expect_only_judgements_to_change(&round_trip::write(folder.path(), &trials));
}

#[test]
fn a_log_from_before_there_were_parts_can_be_judged_again() {
    expect_only_judgements_to_change(&fixture::path());
}

#[test]
fn a_log_is_the_same_however_often_it_is_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let old = round_trip::write(folder.path(), &trials::odd_trials());
    let (first, _) = judged_again(&old, folder.path());
    let once = std::fs::read(&first).unwrap();
    let twice = folder.path().join("twice");
    std::fs::create_dir(&twice).unwrap();
    let (second, _) = judged_again(&first, &twice);
    assert!(once == std::fs::read(second).unwrap());
}
