//! The reader of tau-bench results, held against `serde_json` and against itself.

use std::io::{self, Read};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolgauge_import::python_json::{Scanner, parse, write};
use toolgauge_import::tau::{Additions, Batch, BatchPart, TauError, TauEvidence, TauReader};

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("stand-ins are told apart elsewhere", |float| { float.abs() < 1e18 })
            .prop_map(Value::from),
        "[^\u{10ffff}]{0,40}".prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 64, 6, |inner| {
        let member = ("[^\u{10ffff}]{0,8}", inner.clone());
        prop_oneof![
            vec(inner, 0..6).prop_map(Value::from),
            vec(member, 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A source that gives a few bytes at a time.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(into.len()).min(self.0.len());
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// The copy of a file in which every task has this score.
fn copy(source: impl Read, score: f64) -> Result<Vec<u8>, TauError> {
    let mut reader = TauReader::new(source);
    let mut batch = Batch::default();
    let mut copy = Vec::new();
    while reader.read(&mut batch)? {
        for part in batch.parts() {
            match part {
                BatchPart::Text(text) => copy.extend_from_slice(text),
                BatchPart::Task(task) => {
                    task.write_with(&Additions { score, losses: None }, &mut copy);
                }
            }
        }
    }
    Ok(copy)
}

fn file(tasks: &[Map<String, Value>], pretty: bool) -> String {
    if pretty {
        serde_json::to_string_pretty(tasks).unwrap()
    } else {
        serde_json::to_string(tasks).unwrap()
    }
}

fn tasks() -> impl Strategy<Value = Vec<Map<String, Value>>> {
    let key =
        prop_oneof!["[a-z\u{e9}\"\\\\]{0,6}", Just("traj".to_owned()), Just("info".to_owned())];
    let task = vec((key, value()), 0..6).prop_map(|members| members.into_iter().collect());
    vec(task, 0..6)
}

proptest! {
    #[test]
    fn standard_json_reads_as_serde_json_reads_it(value in value(), pretty in any::<bool>()) {
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            serde_json::to_string(&value).unwrap()
        };
        prop_assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn what_is_written_reads_back(value in value()) {
        let mut text = String::new();
        write(&value, &mut text);
        prop_assert_eq!(parse(text.as_bytes()).unwrap(), value);
    }

    #[test]
    fn what_is_json_is_decided_as_serde_json_decides(text in "[\\[\\]{}\",:\\\\0-9a-eu.tr\n\t -]{0,24}") {
        let mut scanner = Scanner::new(text.as_bytes());
        let ours = scanner.value().is_ok() && scanner.peek().is_none();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{:?}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,64}") {
        let _ = parse(text.as_bytes());
        let _ = copy(text.as_bytes(), 0.5);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..64)) {
        let _ = copy(&*bytes, 0.5);
    }

    #[test]
    fn a_copy_differs_in_the_scores_alone(tasks in tasks(), pretty in any::<bool>()) {
        let file = file(&tasks, pretty);
        let copied = copy(file.as_bytes(), 0.125).unwrap();
        let mut wanted = tasks.clone();
        for task in &mut wanted {
            task.insert("partial_score".to_owned(), json!(0.125));
        }
        let read: Vec<Map<String, Value>> = serde_json::from_slice(&copied).unwrap();
        prop_assert_eq!(&read, &wanted);
        // Key order too, which comparing maps does not see.
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&wanted).unwrap());
        let count = tasks.len();
        prop_assert!(copied.len() >= file.len() + count * "\"partial_score\":0.125".len());
        prop_assert_eq!(copy(&*copied, 0.125).unwrap(), copied);
    }

    #[test]
    fn one_task_has_one_place_that_differs(task in tasks(), pretty in any::<bool>()) {
        for task in task {
            let file = file(&[task], pretty);
            let copied = copy(file.as_bytes(), 0.125).unwrap();
            let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
            let front = file.as_bytes().iter().zip(&copied).take_while(same).count();
            let back = file.as_bytes().iter().rev().zip(copied.iter().rev()).take_while(same).count();
            prop_assert!(front + back >= file.len(), "{}", file);
        }
    }

    #[test]
    fn how_the_bytes_arrive_makes_no_difference(tasks in tasks(), step in 1..50_usize) {
        let file = file(&tasks, true);
        let whole = copy(file.as_bytes(), 1.0).unwrap();
        prop_assert_eq!(copy(Drip(file.as_bytes(), step), 1.0).unwrap(), whole);
        for cut in [file.len() / 2, file.len() - 1] {
            let short = &file.as_bytes()[..cut];
            let messages = [copy(short, 1.0), copy(Drip(short, step), 1.0)]
                .map(|result| result.unwrap_err().to_string());
            prop_assert_eq!(&messages[0], &messages[1]);
        }
    }
}

/// What the only task of a file says.
fn evidence(task: &str) -> TauEvidence {
    let file = format!("[{task}]");
    let mut reader = TauReader::new(file.as_bytes());
    let mut batch = Batch::default();
    let mut found = Vec::new();
    while reader.read(&mut batch).unwrap() {
        found.extend(batch.parts().filter_map(|part| match part {
            BatchPart::Text(_) => None,
            BatchPart::Task(task) => Some(task.trial().evidence),
        }));
    }
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn the_last_of_two_members_counts() {
    let twice = r#"{"info": {"error": 1}, "traj": 5,
        "info": {"task": {"actions": [{"name": "x"}], "actions": [{"name": "f"}]}},
        "traj": [{"tool_calls": [{"function": {"name": "g"}}], "tool_calls":
            [{"function": {"name": "g"}, "function": {"name": "g", "name": "f"}}]}]}"#;
    let TauEvidence::Calls { expected, made } = evidence(twice) else { panic!("there are calls") };
    assert_eq!(expected.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["f"]);
    assert_eq!(made.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["f"]);
}

#[test]
fn what_cannot_be_scored_is_told_apart() {
    assert_eq!(
        evidence(r#"{"info": {"error": null, "task": {"actions": []}}}"#),
        TauEvidence::Failed
    );
    assert_eq!(evidence(r#"{"info": {"task": {}}, "traj": []}"#), TauEvidence::NoActions);
    assert_eq!(evidence("{}"), TauEvidence::NoActions);
    let without = r#"{"info": {"task": {"actions": []}}}"#;
    assert_eq!(evidence(without), TauEvidence::NoTrajectory);
}
