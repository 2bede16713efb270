//! Settings, gates, plans of faults, and what people say of trials.

use toolgauge_core::{Case, Feedback, RunId};
use toolgauge_engine::{Settings, labelled};
use toolgauge_feedback::promotion::{append, promoted};
use toolgauge_feedback::{FILE_NAME, FeedbackStore, read_lines};
use toolgauge_report::GateCondition;
use toolgauge_serve::{Delay, FaultPlan};

use crate::logs::file;
use crate::{parts, text};

/// A `toolgauge.toml`. What is shown of it can be read again.
pub(crate) fn settings(input: &[u8]) {
    let Ok(layer) = toml::from_str(text(input)) else { return };
    let Ok(settings) = Settings::from_layers(&[&layer]) else { return };
    let shown = toml::to_string(&settings.without_secrets()).expect("settings are plain data");
    let again = toml::from_str(&shown).expect("settings are written as TOML");
    Settings::from_layers(&[&again]).expect("settings that are shown can be read");
}

pub(crate) fn gate(input: &[u8]) {
    let text = text(input);
    if let Ok(gate) = text.parse::<GateCondition>() {
        let again: GateCondition =
            gate.to_string().parse().expect("a gate that is shown can be read");
        assert_eq!(again.to_string(), gate.to_string());
    }
    let _ = GateCondition::fail_under(text, "tier");
    let _ = text.parse::<Delay>();
    let _ = toolgauge_model::Endpoint::parse(text);
}

pub(crate) fn fault_plan(input: &[u8]) {
    let _ = FaultPlan::parse(text(input));
}

/// A file of feedback, as somebody else may have left it in a folder of logs.
pub(crate) fn feedback(input: &[u8]) {
    let (folder, _) = file(FILE_NAME, input);
    let Ok(Some(store)) = FeedbackStore::open_existing(folder.path()) else { return };
    let _ = (store.all(), store.of_run(&RunId::new("r")), store.get(1));
}

/// Lines of feedback that another program wrote.
pub(crate) fn feedback_lines(input: &[u8]) {
    let Ok(read) = read_lines(input, None, jiff::Timestamp::UNIX_EPOCH) else { return };
    assert!(read.len() <= input.len());
}

/// A file of replies that people have judged.
pub(crate) fn labelled(input: &[u8]) {
    let (folder, _) = file("replies.jsonl", input);
    let _ = labelled::read(folder.path());
}

/// A correction, and the file of cases that it is added to: what was added is read again.
pub(crate) fn promotion(input: &[u8]) {
    let (kind, rest) = input.split_first().unwrap_or((&0, &[]));
    let [correction, cases] = parts(rest);
    let feedback = Feedback {
        run: RunId::new("r"),
        suite: "s".to_owned(),
        case: "a".into(),
        trial: 1,
        author: String::new(),
        thumb: None,
        comment: String::new(),
        correction: Some(text(correction).to_owned()),
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    let Ok(case) = promoted(&Case::new("a", text(correction)), &feedback, "new") else { return };
    let name = if kind & 1 == 0 { "cases.yaml" } else { "cases.ndjson" };
    let (_folder, path) = file(name, cases);
    if append(&path, &case).is_ok() {
        let again = append(&path, &case).expect_err("the name is taken");
        assert!(again.to_string().contains("has a case"), "{again}");
    }
}
