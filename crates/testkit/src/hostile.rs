//! A run that means harm: markup, terminal escapes and marks of direction wherever somebody can
//! write something, values beyond measure, and a container that lies.
//!
//! The log itself is written by whoever may use the log's crate:
//! `LogWriter::create(path, &hostile::run())`, then every trial of [`trials`], then [`spoil`].

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Arguments, AssistantMessage, Case, CaseId, Cause, Dimension, Expectation, ExpectedCall,
    FailedAttempt, FailureKind, Loss, Malformation, Message, Outcome, Program, Run, RunId, Score,
    StateChange, StopReason, SubjectIdentity, SuiteIdentity, Tags, Timings, ToolCall, ToolMessage,
    Transcript, Trial, TrialFailure, Turn, UnscoredReason, Usage, Verdict,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::long_or;

/// What is written wherever a name or a text goes: markup that would run, an attribute broken
/// open, a link that would run, a formula, an image elsewhere, escapes that clear a terminal, set
/// its title and hide text, and marks that turn the direction of writing.
pub const TEXT: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' \
                        onmouseover=alert(3) javascript:alert(4) =1+1 [a](javascript:alert(5)) \
                        ![b](http://elsewhere.invalid/x) ${7*7} \u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\
                        \u{202e}desrever\u{2066}\u{200b}\u{0}\r\n| ``` |";

/// How long the longest text is, in bytes.
pub const LONG: usize = 10_000_000;

/// How many keys the largest object has.
fn many() -> usize {
    long_or(1_000_000, 100_000)
}

/// The head of the run.
pub fn run() -> Run {
    let named = |name: &str| format!("{name}{TEXT}");
    Run {
        id: RunId::new("hostile"),
        created: Timestamp::UNIX_EPOCH,
        suite: SuiteIdentity {
            name: named("suite"),
            version: Some(named("version")),
            hash: named("hash"),
            size: 8,
        },
        subject: SubjectIdentity {
            name: named("subject"),
            provider: named("provider"),
            base_url: Some("javascript:alert(6)".to_owned()),
        },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: Some(named("variant")),
        cases: (0..8).map(case_id).collect(),
        trials: 1,
        scorers: vec![named("scorer"), named("second")],
        system_prompt: Some(named("prompt")),
        tools: Vec::new(),
        floor: Some(0.1),
        settings: Map::from_iter([(named("setting"), json!(TEXT))]),
        program: Program::default(),
    }
}

fn case_id(number: usize) -> CaseId {
    CaseId::new(format!("case{number}{TEXT}"))
}

/// The trials: names and texts that mean harm in all of them, and values beyond measure in some.
pub fn trials() -> impl Iterator<Item = Trial> {
    (0..8).map(|number| {
        let mut trial = trial(number);
        match number {
            1 => say(&mut trial, "x".repeat(LONG)),
            2 => say(&mut trial, "\u{1b}\u{202e}<b>".repeat(LONG / 80)),
            3 => call(&mut trial, Arguments::Object(many_keys())),
            4 => {
                let why = Malformation::NotJson(TEXT.to_owned());
                call(&mut trial, Arguments::malformed("{".repeat(LONG / 10), why));
            }
            5 => (0..500).for_each(|_| say(&mut trial, TEXT.to_owned())),
            6 => fail(&mut trial),
            _ => {}
        }
        trial
    })
}

fn many_keys() -> Map<String, Value> {
    (0..many()).map(|key| (format!("{key}<b>"), Value::Null)).collect()
}

fn trial(number: usize) -> Trial {
    let mut case = Case::new(case_id(number), TEXT);
    let argument = |value: Value| serde_json::from_value(value).unwrap_or_else(|_| any());
    case.expectation = Expectation {
        calls: Some(vec![ExpectedCall {
            name: TEXT.to_owned(),
            arguments: IndexMap::from([(TEXT.to_owned(), argument(json!(TEXT)))]),
        }]),
        ..Expectation::default()
    };
    case.tags = Tags::from([
        (TEXT.to_owned(), format!("value {}{TEXT}", number % 3)),
        ("tier".to_owned(), ["small", "large"][number % 2].to_owned()),
    ]);
    case.metadata.insert(TEXT.to_owned(), json!(TEXT));
    let mut trial = Trial {
        case: Arc::new(case),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        transcript: Transcript::default(),
        outcomes: outcomes(number),
    };
    call(&mut trial, Arguments::Object(Map::from_iter([(TEXT.to_owned(), json!(TEXT))])));
    trial.transcript.messages.push(Message::Tool(ToolMessage {
        call_id: TEXT.to_owned(),
        name: TEXT.to_owned(),
        content: TEXT.to_owned(),
        failed: true,
    }));
    say(&mut trial, TEXT.to_owned());
    trial.transcript.background.changes.push(StateChange {
        thing: TEXT.to_owned(),
        property: TEXT.to_owned(),
        before: json!(TEXT),
        after: json!({ TEXT: TEXT }),
        expected: Some(json!(TEXT)),
    });
    trial.transcript.turns.push(Turn {
        model: Some(TEXT.to_owned()),
        timings: Timings {
            // Different ones, so that there is a curve to draw.
            total: std::time::Duration::from_secs(1 + number as u64),
            ..Timings::default()
        },
        usage: Usage { input: Some(u64::MAX / 64), output: Some(1), ..Usage::default() },
        stop: StopReason::Stop,
        attempts: 2,
        repeated: vec![FailedAttempt { reason: TEXT.to_owned(), time: std::time::Duration::ZERO }],
        ..Turn::default()
    });
    trial
}

fn any() -> toolgauge_core::Pattern {
    serde_json::from_value(json!("x")).expect("a word is a pattern")
}

fn outcomes(number: usize) -> IndexMap<String, Outcome> {
    let mut loss = Loss::new(Cause::WrongValue, 0.5).at_tool(TEXT);
    (loss.expected, loss.actual) = (Some(json!(TEXT)), Some(json!({ TEXT: TEXT })));
    let score = Score {
        value: if number == 0 { 1.0 } else { 0.5 },
        dimensions: IndexMap::from([(Dimension::named(TEXT), Verdict::of(number == 0))]),
        measures: IndexMap::from([(TEXT.to_owned(), 1e300)]),
        losses: if number == 0 { Vec::new() } else { vec![loss] },
        explanation: TEXT.to_owned(),
        ..Score::default()
    };
    let run = run();
    let scorers = run.scorers.into_iter();
    scorers.map(|scorer| (scorer, Outcome::Scored(score.clone()))).collect()
}

fn say(trial: &mut Trial, content: String) {
    let reasoning = Some(TEXT.to_owned());
    let message = AssistantMessage { content, reasoning, calls: Vec::new() };
    trial.transcript.messages.push(Message::Assistant(message));
}

fn call(trial: &mut Trial, arguments: Arguments) {
    let mut call = ToolCall::new(TEXT, Map::new());
    call.arguments = arguments;
    let message = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    trial.transcript.messages.push(Message::Assistant(message));
}

fn fail(trial: &mut Trial) {
    let failure = TrialFailure { kind: FailureKind::Server, message: TEXT.to_owned() };
    trial.transcript.failure = Some(failure.clone());
    for outcome in trial.outcomes.values_mut() {
        *outcome = Outcome::Unscored(UnscoredReason::Failed(failure.clone()));
    }
}

/// Adds members to a finished log whose names lead elsewhere.
///
/// # Panics
/// If the log cannot be changed.
pub fn spoil(log: &Path) {
    append(log, |zip| {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for name in ["../x", "../../x", "/tmp/toolgauge-hostile-x", "C:\\x", "a/../../../x"] {
            zip.start_file(name, stored).expect("the container takes any name");
            zip.write_all(b"out").expect("the log can be written");
        }
    });
}

/// Adds a trial to a finished log that would unpack to so many bytes from next to nothing.
///
/// # Panics
/// If the log cannot be changed.
pub fn arm(log: &Path, bytes: usize) {
    append(log, |zip| {
        let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file("samples/bomb_epoch_1.json", packed).expect("the container takes any name");
        let block = vec![b' '; 1 << 20];
        for _ in 0..bytes / block.len() {
            zip.write_all(&block).expect("the log can be written");
        }
    });
}

fn append(log: &Path, add: impl FnOnce(&mut ZipWriter<std::fs::File>)) {
    let file = OpenOptions::new().read(true).write(true).open(log).expect("the log is there");
    let mut zip = ZipWriter::new_append(file).expect("a finished log is a zip file");
    add(&mut zip);
    zip.finish().expect("the log can be written");
}

/// Cuts a log off in the middle, as a full disk leaves it.
///
/// # Panics
/// If the log cannot be changed.
pub fn cut_off(log: &Path) {
    let file = OpenOptions::new().write(true).open(log).expect("the log is there");
    let length = file.metadata().expect("the log is there").len();
    file.set_len(length / 2).expect("the log can be cut");
}
