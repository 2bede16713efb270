//! Runs and trials to write into logs.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, Case, CaseId, Cause, Dimension, Expectation,
    ExpectedCall, FailureKind, Loss, Malformation, Message, Oddity, Outcome, Pattern, Program,
    Quality, ResponseKind, Run, RunId, Score, ServerTimings, StateChange, StopReason,
    SubjectIdentity, SuiteIdentity, Timings, Tool, ToolCall, ToolMessage, Transcript, Trial,
    TrialFailure, Turn, UnscoredReason, Usage, Verdict,
};

/// The scorers of [`run`].
pub(crate) const SCORERS: [&str; 2] = ["calls", "partial"];

/// A run with tools that stretch what Inspect accepts as a schema.
pub(crate) fn run(cases: &[Trial], trials: u32) -> Run {
    let mut ids: Vec<CaseId> = cases.iter().map(|trial| trial.case.id.clone()).collect();
    ids.dedup();
    Run {
        id: RunId::new("0199b1f2-7a01-7c33-9d10-3f2a1c5e7b90"),
        created: time(0),
        suite: SuiteIdentity {
            name: "home".into(),
            version: Some("1.2".into()),
            hash: "sha256:abc".into(),
            size: 300,
        },
        subject: SubjectIdentity {
            name: "qwen3-4b".into(),
            provider: "openai".into(),
            base_url: Some("http://127.0.0.1:8080/v1".into()),
        },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: Some("short-prompt".into()),
        cases: ids.into(),
        trials,
        scorers: SCORERS.map(String::from).to_vec(),
        system_prompt: Some("You control a smart home. Be brief, \"friendly\".\n".repeat(20)),
        tools: vec![
            Tool {
                name: "HassTurnOn".into(),
                description: "Turns on a device".into(),
                parameters: json!({
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "domain": {"type": ["array", "null"], "items": {"type": "string"}},
                        "odd": {"type": "whatever", "oneOf": [{"const": 1}, {"$ref": "#/x"}],
                                "description": null, "enum": "no list", "minLength": -1},
                        "flag": true,
                    },
                    "required": ["name", 7],
                    "additionalProperties": "maybe",
                }),
            },
            Tool { name: "Bare".into(), description: String::new(), parameters: json!(null) },
        ],
        settings: Map::from_iter([
            ("temperature".into(), json!(0.2)),
            ("seed".into(), json!(7)),
            ("concurrency".into(), json!(4)),
        ]),
        floor: Some(0.125),
        program: Program { version: "0.1.0".into(), revision: "0123abc".into() },
    }
}

/// A moment, so many milliseconds into the tests' year.
pub(crate) fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(1_790_000_000_000 + milliseconds) * 1_000_000 + 123)
        .unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("not an object: {other}"),
    }
}

/// A trial as most are: one sentence, one call, scored.
pub(crate) fn plain_trial(number: usize) -> Trial {
    let mut case = Case::new(&*format!("case-{number}"), format!("Turn on light {number}, please"));
    case.tags.insert("tier".into(), ["small", "large"][number % 2].into());
    case.tags.insert("intent".into(), "turn_on".into());
    case.expectation = Expectation {
        calls: Some(vec![ExpectedCall {
            name: "HassTurnOn".into(),
            arguments: IndexMap::from([(
                "name".into(),
                Pattern::Scalar(json!(format!("Light {number}"))),
            )]),
        }]),
        response: Some(ResponseKind::Action),
        ..Expectation::default()
    };
    let right = !number.is_multiple_of(3);
    let arguments = json!({"name": format!("Light {}", if right { number } else { 0 })});
    let call = ToolCall {
        id: Some(format!("call_{number}")),
        ..ToolCall::new("HassTurnOn", object(arguments))
    };
    let message = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let mut trial = trial(case, Transcript { turns: vec![turn()], ..Transcript::of(message) });
    trial.outcomes = scored(right);
    trial
}

/// A trial of a case, with nothing said of it yet.
pub(crate) fn trial(case: Case, transcript: Transcript) -> Trial {
    Trial {
        case: Arc::new(case),
        number: 1,
        started: time(1_000),
        ended: time(1_750),
        transcript,
        outcomes: IndexMap::new(),
    }
}

/// A turn with everything in it that a server says.
pub(crate) fn turn() -> Turn {
    Turn {
        model: Some("qwen3-4b-q4".into()),
        timings: Timings {
            queued: Duration::from_micros(1500),
            first_token: Some(Duration::from_millis(123)),
            total: Duration::from_nanos(456_789_012),
            ..Timings::default()
        },
        server: Some(ServerTimings {
            prompt_per_second: Some(812.34),
            generated_per_second: Some(1.0 / 3.0),
        }),
        usage: Usage { input: Some(1834), output: Some(31), cached: Some(1800), reasoning: None },
        stop: StopReason::ToolCalls,
        attempts: 2,
        ..Turn::default()
    }
}

fn scored(right: bool) -> IndexMap<String, Outcome> {
    let mut score = Score {
        value: f64::from(u8::from(right)),
        dimensions: IndexMap::from([
            (Dimension::TOOL_NAME, Verdict::Correct),
            (Dimension::ARGUMENTS, Verdict::of(right)),
            (Dimension::RESPONSE_KIND, Verdict::NotApplicable),
        ]),
        ..Score::default()
    };
    if !right {
        score.explanation = "`name` should be another light".into();
        score.losses.push(Loss {
            path: toolgauge_core::ArgumentPath(vec![toolgauge_core::PathStep::Key("name".into())]),
            expected: Some(json!("Light")),
            actual: Some(json!(["x", 0.1])),
            ..Loss::new(Cause::WrongValue, 1.0).at_tool("HassTurnOn").at_calls(Some(1), Some(0))
        });
        score.pairing = vec![None, Some(0)];
    }
    let partial = Score {
        value: if right { 1.0 } else { 2.0 / 3.0 },
        measures: IndexMap::from([("recall".into(), 0.1 + 0.2)]),
        quality: Some(Quality::Acceptable),
        ..Score::default()
    };
    IndexMap::from([
        ("calls".into(), Outcome::Scored(score)),
        ("partial".into(), Outcome::Scored(partial)),
    ])
}

/// One trial of every kind that is hard to write down.
pub(crate) fn odd_trials() -> Vec<Trial> {
    vec![
        plain_trial(1),
        plain_trial(3),
        malformed(),
        failed(),
        silent(),
        conversation(2),
        conversation(9),
        with_bodies(),
        nothing_expected(),
        awkward_names(),
    ]
}

/// Trials that changed something in a world, or should have.
pub(crate) fn in_a_world() -> Vec<Trial> {
    let change = |thing: &str, property: &str, values: [Value; 2], expected: Option<Value>| {
        let [before, after] = values;
        let (thing, property) = (thing.into(), property.into());
        StateChange { thing, property, before, after, expected }
    };
    let off = || [json!("on"), json!("off")];
    let changed = vec![
        change("light.lamp", "state", off(), Some(json!("off"))),
        change("light.lamp", "brightness", [json!(128), json!(null)], Some(json!(null))),
        change("timers", "", [json!([]), json!([{"seconds": 60}])], Some(json!([]))),
        change("odd/name~", "state", off(), None),
    ];
    let unchanged = vec![change(
        "lock.door",
        "state",
        [json!("locked"), json!("locked")],
        Some(json!("unlocked")),
    )];
    let changes = [changed, unchanged, Vec::new()].into_iter().enumerate();
    let trial = |(number, changes)| {
        let mut trial = plain_trial(number);
        trial.transcript.background.changes = changes;
        trial
    };
    let mut trials: Vec<Trial> = changes.map(trial).collect();
    let mut long = conversation(5);
    long.number = 1;
    long.transcript.background = trials[0].transcript.background.clone();
    trials.push(long);
    trials
}

/// Calls without identifiers, malformed ones, and one that was found in the text.
fn malformed() -> Trial {
    let call = |arguments| ToolCall { arguments, ..ToolCall::new("HassTurnOn", Map::new()) };
    let why = Malformation::NotJson("EOF while parsing".into());
    let message = AssistantMessage {
        content: "<tool_call>…</tool_call> \u{1F4A1}\u{0}".into(),
        reasoning: Some("hm".into()),
        calls: vec![
            call(Arguments::malformed("{\"name\": ", why)),
            call(Arguments::malformed("[1]", Malformation::NotAnObject("a list".into()))),
            ToolCall { origin: CallOrigin::Text, ..ToolCall::new("Ghost", Map::new()) },
            ToolCall { id: Some(String::new()), ..ToolCall::new("HassTurnOn", Map::new()) },
        ],
    };
    let mut turn = turn();
    turn.oddities = vec![Oddity::CallsInText, Oddity::MissingCallId];
    let transcript = Transcript { turns: vec![turn], ..Transcript::of(message) };
    let mut trial = trial(Case::new("malformed", "Light!"), transcript);
    trial.outcomes = scored(false);
    trial
}

/// Never answered: no message, no turn, no score.
fn failed() -> Trial {
    let failure = TrialFailure { kind: FailureKind::Timeout, message: "no answer in 30 s".into() };
    let transcript = Transcript { failure: Some(failure.clone()), ..Transcript::default() };
    let mut trial = trial(Case::new("failed", "Hello?"), transcript);
    let reason = || Outcome::Unscored(UnscoredReason::Failed(failure.clone()));
    trial.outcomes = SCORERS.map(|scorer| (scorer.to_owned(), reason())).into_iter().collect();
    trial
}

/// A server that answered with no choice: a turn without a message.
fn silent() -> Trial {
    let mut trial = trial(
        Case::new("silent", "Hello?"),
        Transcript {
            turns: vec![Turn { request: Some(json!({"a": 1})), ..turn() }],
            ..Transcript::default()
        },
    );
    trial.outcomes = scored(false);
    trial
}

/// So many turns, with tools that answer, one of which fails, in an input of several messages.
fn conversation(turns: usize) -> Trial {
    let mut case = Case::new(&*format!("loop-{turns}"), "");
    case.input = vec![
        Message::system("Today is Sunday."),
        Message::user("Hi"),
        Message::Assistant(AssistantMessage {
            content: "Hello".into(),
            ..AssistantMessage::default()
        }),
        Message::user("Everything on!"),
    ];
    case.group = Some("dialogue".into());
    case.metadata.insert("source".into(), json!({"file": "a.yaml", "line": 3, "x": [1.5, null]}));
    let mut transcript = Transcript::default();
    for number in 0..turns {
        let call = ToolCall {
            id: Some(format!("c{number}")),
            ..ToolCall::new("HassTurnOn", object(json!({"name": "a", "n": number})))
        };
        transcript.messages.push(Message::Assistant(AssistantMessage {
            content: format!("step {number}"),
            calls: vec![call],
            ..AssistantMessage::default()
        }));
        transcript.messages.push(Message::Tool(ToolMessage {
            call_id: format!("c{number}"),
            name: "HassTurnOn".into(),
            content: "{\"ok\": true}".repeat(number + 1),
            failed: number == 1,
        }));
        transcript.turns.push(turn());
    }
    let kind = FailureKind::LimitReached;
    transcript.failure = Some(TrialFailure { kind, message: "turn limit".into() });
    let mut trial = trial(case, transcript);
    trial.number = 2;
    trial.outcomes = scored(true);
    trial
}

/// The bodies kept: objects, and what is none.
fn with_bodies() -> Trial {
    let mut transcript = plain_trial(2).transcript;
    transcript.turns[0].request = Some(json!({"model": "m", "messages": [{"role": "user"}]}));
    transcript.turns[0].response = Some(json!("not an object"));
    let mut trial = trial(Case::new("bodies", "On"), transcript);
    trial.outcomes = scored(true);
    trial
}

/// One scorer has something to say, the other has not.
fn nothing_expected() -> Trial {
    let mut trial = plain_trial(4);
    trial.case = Arc::new(Case::new("nothing expected", "Hm"));
    trial.outcomes[0] = Outcome::Unscored(UnscoredReason::NothingExpected);
    trial
}

/// Names that try to break out of the file, tags that are called like toolgauge's own key.
fn awkward_names() -> Trial {
    let mut trial = plain_trial(5);
    let mut case = (*trial.case).clone();
    case.id = CaseId::new("../küche 50% ☂/x_epoch_2");
    case.tags.insert("toolgauge".into(), "yes".into());
    trial.case = Arc::new(case);
    trial
}
