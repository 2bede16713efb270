//! Any bytes as a results file: read, scored and copied, or refused. A copy that was made is
//! the same when it is copied again.
//!
//! Run with `cargo +nightly fuzz run tau_reader`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolgauge_core::{ArgumentRules, Score};
use toolgauge_import::tau::{Additions, Batch, Evidence, Part, TauReader};
use toolgauge_score::PartialScorer;

fn copy(file: &[u8]) -> Option<Vec<u8>> {
    let mut reader = TauReader::new(file);
    let mut batch = Batch::default();
    let mut copy = Vec::new();
    while reader.read(&mut batch).ok()? {
        for part in batch.parts() {
            match part {
                Part::Text(text) => copy.extend_from_slice(text),
                Part::Task(task) => {
                    let score = match task.trial().evidence {
                        Evidence::Calls { expected, made } => {
                            PartialScorer::tau().score(&expected, &ArgumentRules::default(), &made)
                        }
                        _ => Score::default(),
                    };
                    assert!((0.0..=1.0).contains(&score.value));
                    let additions = Additions { score: score.value, losses: Some(&score.losses) };
                    task.write_with(&additions, &mut copy);
                }
            }
        }
    }
    Some(copy)
}

fuzz_target!(|file: &[u8]| {
    if let Some(first) = copy(file) {
        assert_eq!(copy(&first).as_ref(), Some(&first));
    }
});
