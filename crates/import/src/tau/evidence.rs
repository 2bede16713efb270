//! What a task says about its trial: the calls expected, the calls made, and the reward.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgauge_core::json::STAND_IN;
use toolgauge_core::{Arguments, ExpectedCall, Malformation, ToolCall};

use super::actions::{Actions, KnownActions, odd_name};
use super::skim::{CallSpans, Skim, Trajectory};
use crate::python_json::{ByteSpan, ScanStop, Scanner, decode, decode_document, parse};

/// What one task of a results file says about its trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TauTrial {
    /// The `task_id`, as text.
    pub task: Option<String>,
    /// The `reward`; 0 when it is missing or not a finite number.
    pub reward: f64,
    /// What there is to score.
    pub evidence: TauEvidence,
    /// What is not as it should be, each thing once.
    pub oddities: Vec<TauOddity>,
}

/// What there is to score.
#[derive(Clone, Debug, PartialEq)]
pub enum TauEvidence {
    /// Nothing: `info` holds an `error`.
    Failed,
    /// Nothing: there is no list of expected calls.
    NoActions,
    /// Nothing: there is no list of messages.
    NoTrajectory,
    /// The calls.
    Calls {
        /// Those of `info.task.actions`.
        expected: Arc<[ExpectedCall]>,
        /// Those of all messages. Arguments are built only where the tool is an expected one,
        /// or where none is expected; with any other tool they are checked and left empty.
        made: Vec<ToolCall>,
    },
}

/// Something in a task that is not as tau-bench writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TauOddity {
    /// No `task_id`.
    NoTaskId,
    /// No `reward`.
    NoReward,
    /// A `reward` that is not a finite number.
    StrangeReward,
    /// No `info.task.actions`.
    NoActions,
    /// Actions that are not a list.
    StrangeActions,
    /// An action that is not an object with a name and an object of arguments.
    StrangeAction,
    /// No `traj`.
    NoTrajectory,
    /// A `traj` that is not a list.
    StrangeTrajectory,
    /// A message that is not an object.
    StrangeMessage,
    /// `tool_calls` that are neither a list nor null.
    StrangeCalls,
    /// A call that is not an object with a function that has a name.
    StrangeCall,
}

impl fmt::Display for TauOddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTaskId => "no `task_id`",
            Self::NoReward => "no `reward`",
            Self::StrangeReward => "a `reward` that is not a number",
            Self::NoActions => "no `info.task.actions`",
            Self::StrangeActions => "`info.task.actions` that cannot be used",
            Self::StrangeAction => "an expected action without a name and an object of arguments",
            Self::NoTrajectory => "no `traj`",
            Self::StrangeTrajectory => "a `traj` that is not a list",
            Self::StrangeMessage => "a message that is not an object",
            Self::StrangeCalls => "`tool_calls` that are not a list",
            Self::StrangeCall => "a tool call without a function that has a name",
        })
    }
}

impl TauTrial {
    /// Reads what `skim` has found in the task's text.
    pub(super) fn of(text: &[u8], skim: &Skim, known: &mut KnownActions) -> Self {
        let mut oddities = Vec::new();
        let task = skim.id.as_ref().and_then(|span| task_id(&text[span.clone()]));
        if task.is_none() {
            oddities.push(TauOddity::NoTaskId);
        }
        let reward = match &skim.reward {
            None => Err(TauOddity::NoReward),
            Some(span) => reward(&text[span.clone()]).ok_or(TauOddity::StrangeReward),
        };
        let reward = reward.unwrap_or_else(|oddity| {
            oddities.push(oddity);
            0.0
        });
        let actions = skim.info.actions.as_ref();
        let actions = actions.map(|span| known.read(task.as_deref(), &text[span.clone()]));
        let evidence = evidence(text, skim, actions, &mut oddities);
        Self { task, reward, evidence, oddities }
    }
}

fn task_id(written: &[u8]) -> Option<String> {
    match written {
        b"null" => None,
        [b'"', ..] => Some(decode(written).into_owned()),
        _ => Some(String::from_utf8_lossy(written).into_owned()),
    }
}

fn reward(written: &[u8]) -> Option<f64> {
    if !matches!(written.first(), Some(b'-' | b'0'..=b'9')) {
        return None;
    }
    let reward: f64 = std::str::from_utf8(written).ok()?.parse().ok()?;
    reward.is_finite().then_some(reward)
}

fn evidence(
    text: &[u8],
    skim: &Skim,
    actions: Option<Actions>,
    oddities: &mut Vec<TauOddity>,
) -> TauEvidence {
    if skim.info.failed {
        return TauEvidence::Failed;
    }
    let expected = match actions {
        None => {
            oddities.push(TauOddity::NoActions);
            return TauEvidence::NoActions;
        }
        Some(Actions::Unusable) => {
            oddities.push(TauOddity::StrangeActions);
            return TauEvidence::NoActions;
        }
        Some(Actions::Calls { expected, strange }) => {
            oddities.extend(strange.then_some(TauOddity::StrangeAction));
            expected
        }
    };
    let strange = match skim.trajectory {
        Trajectory::Missing => {
            oddities.push(TauOddity::NoTrajectory);
            return TauEvidence::NoTrajectory;
        }
        Trajectory::NotAList => {
            oddities.push(TauOddity::StrangeTrajectory);
            return TauEvidence::NoTrajectory;
        }
        Trajectory::List(strange) => strange,
    };
    let strange = [
        (strange.message, TauOddity::StrangeMessage),
        (strange.calls, TauOddity::StrangeCalls),
        (strange.call, TauOddity::StrangeCall),
    ];
    oddities.extend(strange.iter().filter(|(is_so, _)| *is_so).map(|(_, oddity)| *oddity));
    let made = skim.calls.iter().map(|spans| made_call(text, spans, &expected)).collect();
    TauEvidence::Calls { expected, made }
}

fn made_call(text: &[u8], spans: &CallSpans, expected: &[ExpectedCall]) -> ToolCall {
    let name = spans.name.as_ref().map(|span| call_name(&text[span.clone()])).unwrap_or_default();
    // Where nothing is expected, the calls themselves are the loss, and are shown whole.
    let wanted = expected.is_empty() || expected.iter().any(|call| call.name == name);
    let arguments = match &spans.arguments {
        None => Arguments::Object(Map::new()),
        Some(span) => arguments(text, span, wanted),
    };
    ToolCall { arguments, ..ToolCall::new(name, Map::new()) }
}

fn call_name(written: &[u8]) -> String {
    if written.starts_with(b"\"") {
        return decode(written).into_owned();
    }
    // Only what is nested too deep cannot be read; all of that shares a name.
    parse(written).map_or_else(|_| String::from(STAND_IN), |name| odd_name(&name))
}

/// The arguments of a call: the JSON text in a string, or an object that stands there itself.
fn arguments(text: &[u8], span: &ByteSpan, wanted: bool) -> Arguments {
    let written = &text[span.clone()];
    // What some servers send for a tool without arguments.
    if written == b"null" {
        return Arguments::Object(Map::new());
    }
    let document = match written.first() {
        Some(b'"') => decode_document(written),
        Some(b'{') => String::from_utf8_lossy(written),
        _ => return not_an_object(&String::from_utf8_lossy(written)),
    };
    match read_object(document.as_bytes(), wanted) {
        Ok(Some(object)) => Arguments::Object(object),
        Ok(None) => not_an_object(document.trim_start()),
        Err(stop) => {
            let before = document.as_bytes().get(..stop.at).unwrap_or_default();
            let place = String::from_utf8_lossy(before).chars().count() + 1;
            let why = format!("expected {} at character {place}", stop.wanted);
            Arguments::malformed(document.into_owned(), Malformation::NotJson(why))
        }
    }
}

/// Checks a document and builds it if it is wanted; `None` when it is not an object.
fn read_object(document: &[u8], wanted: bool) -> Result<Option<Map<String, Value>>, ScanStop> {
    if wanted {
        return match parse(document)? {
            Value::Object(object) => Ok(Some(object)),
            _ => Ok(None),
        };
    }
    let mut scanner = Scanner::new(document);
    let first = scanner.peek();
    scanner.value()?;
    match scanner.peek() {
        None => Ok((first == Some(b'{')).then(Map::new)),
        Some(_) => Err(scanner.stop("nothing after the value")),
    }
}

fn not_an_object(document: &str) -> Arguments {
    let kind = super::error::describe(document);
    Arguments::malformed(document, Malformation::NotAnObject(kind))
}
