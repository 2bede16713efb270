//! Logs to look at: two runs of a suite, one that goes on, one that means harm.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Alternative, AssistantMessage, Case, CaseId, Cause, Dimension, Expectation, ExpectedCall,
    Judgement, Loss, Message, Outcome, PathStep, Pattern, Program, Quality, ResponseKind, Run,
    RunId, Score, StateChange, StopReason, SubjectIdentity, SuiteIdentity, Timings, Tool, ToolCall,
    ToolMessage, Transcript, Trial, Turn, Usage, Verdict,
};
use toolgauge_log::{LogWriter, RunStatus};

/// The names of the logs that [`two_runs`] writes.
pub(crate) const A: &str = "a.eval";
pub(crate) const B: &str = "b.eval";

/// The run of a subject on so many cases.
pub(crate) fn run(subject: &str, cases: usize, minute: i64) -> Run {
    Run {
        id: RunId::new(format!("run-of-{subject}")),
        created: time(minute * 60),
        suite: SuiteIdentity {
            name: "lamps".into(),
            version: Some("1.0".into()),
            hash: "sha256:abc".into(),
            size: cases,
        },
        subject: SubjectIdentity {
            name: subject.into(),
            provider: "openai".into(),
            base_url: Some("http://127.0.0.1:8080/v1".into()),
        },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        cases: (0..cases).map(|number| CaseId::new(format!("lamp-{number}"))).collect(),
        trials: 1,
        scorers: vec!["calls".into()],
        system_prompt: Some("You switch lamps.".into()),
        tools: vec![Tool {
            name: "turn_on".into(),
            description: "Turns a lamp on".into(),
            parameters: json!({"type": "object"}),
        }],
        floor: Some(0.1),
        settings: Map::from_iter([("seed".into(), json!(7))]),
        program: Program { version: "0.1.0".into(), revision: "0123abc".into() },
    }
}

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("not an object: {other}"),
    }
}

/// A case with everything a case can have.
pub(crate) fn case(number: usize) -> Case {
    let mut case =
        Case::new(&*format!("lamp-{number}"), format!("Turn on lamp {number} in the hall"));
    case.tags.insert("tier".into(), ["small", "medium", "large"][number % 3].into());
    case.tags.insert("language".into(), ["en", "de"][number % 2].into());
    let call = |room: &str| ExpectedCall {
        name: "turn_on".into(),
        arguments: IndexMap::from([
            ("name".into(), Pattern::Scalar(json!(format!("lamp {number}")))),
            ("room".into(), Pattern::Scalar(json!(room))),
        ]),
    };
    case.expectation = Expectation {
        calls: Some(vec![call("hall")]),
        response: Some(ResponseKind::Action),
        alternatives: vec![Alternative {
            calls: vec![call("corridor")],
            response: None,
            quality: Quality::Acceptable,
            reason: Some("people say corridor too".into()),
        }],
        ..Expectation::default()
    };
    case
}

/// A trial of a case that is right or wrong.
pub(crate) fn trial(case: Case, number: usize, right: bool) -> Trial {
    let room = if right { "hall" } else { "kitchen" };
    let arguments = object(json!({"name": format!("lamp {number}"), "room": room}));
    let call = ToolCall { id: Some("call_1".into()), ..ToolCall::new("turn_on", arguments) };
    let messages = vec![
        Message::Assistant(AssistantMessage {
            calls: vec![call],
            reasoning: Some("I should use the tool.".into()),
            ..AssistantMessage::default()
        }),
        Message::Tool(ToolMessage {
            call_id: "call_1".into(),
            name: "turn_on".into(),
            content: r#"{"success": true}"#.into(),
            failed: false,
        }),
        Message::Assistant(AssistantMessage { content: "Done.".into(), ..Default::default() }),
    ];
    let turn = |milliseconds: u64| Turn {
        timings: Timings {
            queued: Duration::from_millis(5),
            first_token: Some(Duration::from_millis(milliseconds / 3)),
            total: Duration::from_millis(milliseconds),
            ..Timings::default()
        },
        usage: Usage { input: Some(900), output: Some(30), cached: None, reasoning: None },
        stop: StopReason::Stop,
        attempts: 1,
        request: Some(json!({"model": "m", "secret-free": true})),
        response: Some(json!({"choices": []})),
        ..Turn::default()
    };
    let late = u64::try_from(number).unwrap() * 7 % 400;
    Trial {
        case: Arc::new(case),
        number: 1,
        started: time(0),
        ended: time(1),
        transcript: Transcript {
            messages,
            turns: vec![turn(200 + late), turn(150)],
            ..Transcript::default()
        },
        outcomes: IndexMap::from([("calls".to_owned(), Outcome::Scored(score(right)))]),
    }
}

fn score(right: bool) -> Score {
    let mut score = Score {
        value: if right { 1.0 } else { 0.5 },
        dimensions: IndexMap::from([
            (Dimension::TOOL_NAME, Verdict::Correct),
            (Dimension::ARGUMENTS, Verdict::of(right)),
            (Dimension::RESPONSE_KIND, Verdict::NotApplicable),
        ]),
        quality: right.then_some(Quality::Optimal),
        explanation: "one argument decides".into(),
        ..Score::default()
    };
    if !right {
        let mut loss = Loss::new(Cause::WrongValue, 0.5).at_tool("turn_on");
        loss.path.0.push(PathStep::Key("room".into()));
        loss.expected = Some(json!("hall"));
        loss.actual = Some(json!("kitchen"));
        score.losses.push(loss);
    }
    score
}

/// Writes a log of so many cases; every `wrong`th is wrong.
pub(crate) fn write(folder: &Path, name: &str, run: &Run, wrong: usize) -> PathBuf {
    let path = folder.join(name);
    let mut writer = LogWriter::create(&path, run).unwrap();
    for number in 0..run.cases.len() {
        writer.append(&trial(case(number), number, !number.is_multiple_of(wrong))).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap()
}

/// A run in a world: what it changed, what it should have, and what it should not.
pub(crate) fn in_a_world(folder: &Path) {
    let path = folder.join(A);
    let mut writer = LogWriter::create(&path, &run("qwen", 1, 0)).unwrap();
    let mut trial = trial(case(0), 0, false);
    let change = |thing: &str, before: &str, after: &str, expected: &str| StateChange {
        thing: thing.into(),
        property: "state".into(),
        before: json!(before),
        after: json!(after),
        expected: Some(json!(expected)),
    };
    trial.transcript.background.changes = vec![
        change("light.hall", "off", "on", "on"),
        change("lock.door", "locked", "unlocked", "locked"),
        change("fan.bath", "off", "off", "on"),
    ];
    writer.append(&trial).unwrap();
    writer.finish(&RunStatus::Success).unwrap();
}

/// Two runs of one suite on two subjects.
pub(crate) fn two_runs(folder: &Path) {
    write(folder, A, &run("qwen", 40, 0), 3);
    write(folder, B, &run("llama", 40, 10), 4);
}

/// What others might write to harm who looks: markup, handlers, links, escapes, directions.
pub(crate) const HARM: &str = "<script>alert('x')</script><img src=x onerror=alert(1)>\
    \"><svg/onload=alert(2)> javascript:alert(3) </textarea></script> \u{202e}gnp.exe\u{202c}\
    \u{1b}[2J\u{0}&lt;";

/// A log in which everything that can be written means harm.
pub(crate) fn hostile(folder: &Path) {
    let mut run = run("x", 2, 20);
    run.suite.name = HARM.into();
    run.subject.name = HARM.into();
    run.variant = Some(HARM.into());
    run.system_prompt = Some(HARM.into());
    run.subject.base_url = Some("javascript:alert(1)".into());
    run.settings.insert(HARM.into(), json!(HARM));
    run.cases = [HARM, "../../etc/passwd"].map(CaseId::new).into();
    let path = folder.join("hostile.eval");
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for id in [HARM, "../../etc/passwd"] {
        let mut case = case(0);
        case.id = CaseId::new(id);
        case.input = vec![
            Message::user(HARM.repeat(3)),
            Message::user("x".repeat(if id == HARM { 3_000_000 } else { 3 })),
        ];
        case.tags.insert(HARM.into(), HARM.into());
        case.tags.insert("tier".into(), HARM.into());
        case.group = Some(HARM.into());
        case.metadata.insert(HARM.into(), json!(HARM));
        case.expectation.answer = serde_json::from_value(json!({
            "tools": [HARM], "keywords": [HARM, {"any_of": [HARM]}, {"regex": HARM}],
            "documents": {HARM: 2.0}, "reference": HARM, "rubric": HARM,
            "proof": [{"sql": HARM, "document": HARM, "passage": HARM}],
        }))
        .unwrap();
        let mut trial = trial(case, 0, false);
        let mut many: Map<String, Value> =
            (0..20_000).map(|number| (format!("k{number}"), json!(number))).collect();
        many.shift_insert(0, HARM.into(), json!(HARM));
        trial.transcript.messages.push(Message::Assistant(AssistantMessage {
            content: HARM.into(),
            reasoning: Some(HARM.into()),
            calls: vec![ToolCall::new(HARM, many)],
        }));
        trial.transcript.background.judgements = vec![Judgement {
            right: None,
            judge: HARM.into(),
            value: None,
            reasoning: HARM.into(),
            criteria: IndexMap::from([(HARM.to_owned(), 0.5)]),
        }];
        for outcome in trial.outcomes.values_mut() {
            let Outcome::Scored(score) = outcome else { continue };
            let claim = Loss::new(Cause::UnsupportedClaim, 0.1);
            score.losses.push(Loss { actual: Some(json!(HARM)), ..claim });
            score.explanation = HARM.into();
            score.dimensions.insert(Dimension::named(HARM), Verdict::Incorrect);
            score.measures.insert(HARM.into(), 0.5);
            let mut loss = Loss::new(Cause::SideEffect, 0.1).at_tool(HARM);
            loss.path.0.push(PathStep::Key(HARM.into()));
            trial.transcript.background.changes.push(StateChange {
                thing: HARM.into(),
                property: HARM.into(),
                before: json!(HARM),
                after: json!({ HARM: HARM }),
                expected: Some(json!([HARM])),
            });
            (loss.expected, loss.actual) = (Some(json!(HARM)), Some(json!({ HARM: HARM })));
            score.losses.push(loss);
        }
        writer.append(&trial).unwrap();
    }
    writer.finish(&RunStatus::Error { message: HARM.into() }).unwrap();
}
