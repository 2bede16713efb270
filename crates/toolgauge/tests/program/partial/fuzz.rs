//! Whatever a file holds: no panic, no endless work, and an answer that keeps its promises.
//!
//! `TOOLGAUGE_FUZZ_SECONDS` says for how long to try; a second or two unless told otherwise.

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use toolgauge_core::{ArgumentRules, Score};
use toolgauge_import::tau::{Additions, Batch, BatchPart, TauError, TauEvidence, TauReader};
use toolgauge_score::PartialScorer;

use super::generator;

/// The copy of a file and the scores in it.
fn copy(file: &[u8]) -> Result<(Vec<u8>, Vec<f64>), TauError> {
    let mut reader = TauReader::new(file);
    let mut batch = Batch::default();
    let (mut same, mut copy, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    while reader.read(&mut batch)? {
        for part in batch.parts() {
            match part {
                BatchPart::Text(text) => {
                    same.extend_from_slice(text);
                    copy.extend_from_slice(text);
                }
                BatchPart::Task(task) => {
                    same.extend_from_slice(task.text);
                    let score = match task.trial().evidence {
                        TauEvidence::Calls { expected, made } => {
                            PartialScorer::tau().score(&expected, &ArgumentRules::default(), &made)
                        }
                        _ => Score::default(),
                    };
                    let additions = Additions { score: score.value, losses: Some(&score.losses) };
                    task.write_with(&additions, &mut copy);
                    scores.push(check(&score));
                }
            }
        }
    }
    assert_eq!(same, file, "the parts are the file");
    Ok((copy, scores))
}

fn check(score: &Score) -> f64 {
    assert!((0.0..=1.0).contains(&score.value), "{score:?}");
    let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
    assert!(score.losses.is_empty() || (score.value + lost - 1.0).abs() < 1e-9, "{score:?}");
    score.value
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4_u8, any::<u8>());
    (generator::file(0..4), vec(edit, 0..4)).prop_map(|(file, edits)| {
        let mut bytes = file.into_bytes();
        for (place, kind, byte) in edits {
            let at = place.index(bytes.len() + 1);
            match kind {
                0 => bytes.insert(at, byte),
                1 => bytes.insert(at, b"[]{}\",:\\0-.eNI \n"[usize::from(byte) % 16]),
                2 if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    })
}

#[test]
fn no_file_breaks_the_reader_or_the_scorer() {
    let seconds = std::env::var("TOOLGAUGE_FUZZ_SECONDS").ok();
    let seconds = seconds.map_or(2.0, |text| text.parse().unwrap());
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    // A short try is the same each time; a long one goes where none went before.
    let seed = if seconds > 10.0 { std::process::id().to_le_bytes()[0] } else { 17 };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = mutated();
    let (mut good, mut bad) = (0_u64, 0_u64);
    while Instant::now() < until || good == 0 || bad == 0 {
        let file = strategy.new_tree(&mut runner).unwrap().current();
        let Ok((first, scores)) = copy(&file) else {
            bad += 1;
            continue;
        };
        good += 1;
        let (second, again) = copy(&first).unwrap();
        assert_eq!(scores, again);
        assert_eq!(first, second, "the copy of a copy is the same");
    }
}

#[test]
fn deep_nesting_is_read_and_scored_as_malformed() {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(100_000), "]}".repeat(100_000));
    let quoted = deep.replace('"', "\\\"");
    let file = format!(
        r#"[{{"deep": {deep}, "info": {{"task": {{"actions": [{{"name": "f"}}]}}}}, "traj":
        [{{"tool_calls": [{{"function": {{"name": "f", "arguments": "{quoted}"}}}}]}}]}},
        {{"info": {{"task": {{"actions": [{{"name": "f", "kwargs": {deep}}}]}}}}, "traj": []}}]"#
    );
    let (_, scores) = copy(file.as_bytes()).unwrap();
    assert_eq!(scores, [1.0, 0.0]);
}
