//! A log of each released format must open for ever.
//!
//! `TOOLGAUGE_WRITE_FIXTURE=1 cargo test -p toolgauge-log fixture` writes `v1.eval` anew. That is
//! for the day a new format gets a fixture of its own; an old fixture is never written again.

use std::path::PathBuf;

use toolgauge_core::{Outcome, Trial};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary};

use crate::trials;

pub(crate) fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1.eval")
}

#[test]
fn the_fixture_of_format_1_opens_and_says_what_it_said() {
    let mut trials = trials::odd_trials();
    trials.iter_mut().for_each(forget_what_came_later);
    let run = trials::run(&trials, 2);
    if std::env::var_os("TOOLGAUGE_WRITE_FIXTURE").is_some() {
        let _ = std::fs::remove_file(path());
        let mut writer = LogWriter::create(&path(), &run).unwrap();
        for trial in &trials {
            writer.append(trial).unwrap();
        }
        writer.finish(&RunStatus::Success).unwrap();
    }
    let log = Log::open(&path()).unwrap();
    assert_eq!(log.status(), Some(&RunStatus::Success));
    assert_eq!(log.run(), &run);
    assert_eq!(log.trials().map(Result::unwrap).collect::<Vec<_>>(), trials);
    let summaries: Vec<_> = log.summaries().map(Result::unwrap).collect();
    let as_then = |trial| {
        let mut summary = TrialSummary { gold: None, result_tokens: 0, ..TrialSummary::of(trial) };
        (summary.timings.first_word, summary.timings.last_act) = (None, None);
        summary
    };
    assert_eq!(summaries, trials.iter().map(as_then).collect::<Vec<_>>());
    let figures: Vec<_> =
        log.figures().iter().map(|f| (f.score.as_str(), f.metric.as_str(), f.value)).collect();
    assert_eq!(figures[0], ("calls", "mean", 0.625));
    assert_eq!(figures.len(), 8);
}

/// Takes off what the format had no place for when the fixture was written: which calls a loss is
/// about.
fn forget_what_came_later(trial: &mut Trial) {
    for outcome in trial.outcomes.values_mut() {
        if let Outcome::Scored(score) = outcome {
            score.pairing.clear();
            for loss in &mut score.losses {
                (loss.expected_call, loss.made_call) = (None, None);
            }
        }
    }
}
