//! What is written to a log comes back from it.

use toolgauge_core::Trial;
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary};

use crate::trials;

/// Writes trials to a log of their own.
pub(crate) fn write(folder: &std::path::Path, trials: &[Trial]) -> std::path::PathBuf {
    let path = folder.join("log.eval");
    let run = trials::run(trials, 2);
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in trials {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap()
}

#[test]
fn a_run_and_its_trials_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let trials = trials::odd_trials();
    let log = Log::open(&write(folder.path(), &trials)).unwrap();
    assert!(log.is_own() && log.is_finished());
    assert_eq!(log.run(), &trials::run(&trials, 2));
    assert_eq!(log.len(), trials.len());
    for trial in &trials {
        assert_eq!(&log.trial(&trial.id()).unwrap(), trial);
    }
    let read: Vec<_> = log.trials().map(Result::unwrap).collect();
    assert_eq!(read, trials);
    let summaries: Vec<_> = log.summaries().map(Result::unwrap).collect();
    assert_eq!(summaries, trials.iter().map(TrialSummary::of).collect::<Vec<_>>());
}
