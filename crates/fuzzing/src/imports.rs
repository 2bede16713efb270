//! Result files of other tools.

use toolgauge_core::{ArgumentRules, Score};
use toolgauge_import::python_json::{parse, write};
use toolgauge_import::tau::{Additions, Batch, BatchPart, TauEvidence, TauReader};
use toolgauge_score::PartialScorer;

/// What is read and written is read as the same again; what any JSON reader takes is taken.
pub(crate) fn python_json(input: &[u8]) {
    let read = parse(input);
    if let Ok(value) = &read {
        let mut written = String::new();
        write(value, &mut written);
        let again = parse(written.as_bytes());
        assert_eq!(again.ok().as_ref(), Some(value), "{written}");
    }
    if let Ok(text) = str::from_utf8(input)
        && serde_json::from_str::<serde_json::Value>(text).is_ok()
    {
        assert!(read.is_ok(), "this is JSON");
    }
}

/// Any bytes as a results file: read, scored and copied, or refused. A copy that was made is the
/// same when it is copied again.
pub(crate) fn tau(input: &[u8]) {
    if let Some(first) = copy(input) {
        assert_eq!(copy(&first).as_ref(), Some(&first));
    }
}

fn copy(file: &[u8]) -> Option<Vec<u8>> {
    let mut reader = TauReader::new(file);
    let mut batch = Batch::default();
    let mut copy = Vec::new();
    while reader.read(&mut batch).ok()? {
        for part in batch.parts() {
            match part {
                BatchPart::Text(text) => copy.extend_from_slice(text),
                BatchPart::Task(task) => {
                    let score = match task.trial().evidence {
                        TauEvidence::Calls { expected, made } => {
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
