//! agentevals' trajectory match: right or wrong, by one of four ways to pair calls and four ways to
//! compare arguments.

use serde_json::{Map, Value};
use toolgauge_core::{Case, Message};

use super::PeerVerdict;
use super::called::{ComparedCall, expected_calls};
use super::python::equal;
use crate::Evidence;

/// What agentevals' users set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AgentevalsOptions {
    pub(super) mode: TrajectoryMode,
    pub(super) arguments: ArgumentMode,
}

/// How trajectories are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TrajectoryMode {
    /// Message by message.
    #[default]
    Strict,
    /// The same calls in any order.
    Unordered,
    /// No call that the reference does not have.
    Subset,
    /// Every call that the reference has.
    Superset,
}

/// How arguments are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ArgumentMode {
    #[default]
    Exact,
    Ignore,
    Subset,
    Superset,
}

impl TrajectoryMode {
    pub(super) fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "unordered" => Self::Unordered,
            "subset" => Self::Subset,
            "superset" => Self::Superset,
            _ => return None,
        })
    }
}

impl ArgumentMode {
    pub(super) fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "exact" => Self::Exact,
            "ignore" => Self::Ignore,
            "subset" => Self::Subset,
            "superset" => Self::Superset,
            _ => return None,
        })
    }
}

/// What a message of a trajectory is compared by: text is ignored.
struct Step<'a> {
    role: Role,
    calls: Vec<ComparedCall<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    System,
    User,
    Assistant,
    Tool,
}

impl<'a> Step<'a> {
    fn said(message: &'a Message) -> Self {
        let (role, calls) = match message {
            Message::System { .. } => (Role::System, [].as_slice()),
            Message::User { .. } => (Role::User, [].as_slice()),
            Message::Assistant(message) => (Role::Assistant, message.calls.as_slice()),
            Message::Tool(_) => (Role::Tool, [].as_slice()),
        };
        Self { role, calls: calls.iter().map(ComparedCall::alone).collect() }
    }

    /// A message in OpenAI's form.
    fn written(message: &'a Value) -> Option<Self> {
        let role = match message.get("role")?.as_str()? {
            "system" | "developer" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" | "function" => Role::Tool,
            _ => return None,
        };
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let calls = calls.filter(|_| role == Role::Assistant).into_iter().flatten();
        Some(Self { role, calls: calls.filter_map(ComparedCall::openai).collect() })
    }
}

pub(super) fn judge(evidence: &Evidence<'_>, options: AgentevalsOptions) -> PeerVerdict {
    let Evidence { case, transcript, .. } = evidence;
    // An imported row may have a question apart from the messages that are compared.
    let apart = case.metadata.get("agentevals").and_then(|own| own.get("question")?.as_u64());
    let apart = apart.and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    let said = case.input.iter().chain(&transcript.messages).skip(apart);
    let said: Vec<Step<'_>> = said.map(Step::said).collect();
    let verdict = match (reference(case), options.mode) {
        (Some(reference), TrajectoryMode::Strict) => strict(&said, &reference, options.arguments),
        (Some(reference), _) => both(&calls(&said), &calls(&reference), options),
        // Without a reference trajectory the expected calls are one, in no particular messages.
        (None, TrajectoryMode::Strict) => None,
        (None, _) => {
            let Some(expected) = expected_calls(case, "agentevals") else {
                return PeerVerdict::NothingExpected;
            };
            both(&calls(&said), &expected.iter().collect::<Vec<_>>(), options)
        }
    };
    match verdict {
        Some(true) => PeerVerdict::of(Ok(())),
        Some(false) => PeerVerdict::of(Err("the trajectories do not match")),
        None => PeerVerdict::Elsewhere("agentevals cannot read the arguments, or has no reference"),
    }
}

/// The reference trajectory that a row gives.
fn reference(case: &Case) -> Option<Vec<Step<'_>>> {
    let messages = case.expectation.more.get("agentevals")?.get("reference")?.as_array()?;
    messages.iter().map(Step::written).collect()
}

/// All calls in order.
fn calls<'s, 'a>(steps: &'s [Step<'a>]) -> Vec<&'s ComparedCall<'a>> {
    steps.iter().flat_map(|step| &step.calls).collect()
}

/// `None` if the arguments of some call cannot be read.
fn both(
    out: &[&ComparedCall<'_>],
    reference: &[&ComparedCall<'_>],
    options: AgentevalsOptions,
) -> Option<bool> {
    if out.iter().chain(reference).any(|call| call.arguments.is_none()) {
        return None;
    }
    let mode = options.arguments;
    match options.mode {
        TrajectoryMode::Superset => covers(out, reference, mode),
        TrajectoryMode::Subset => covers(reference, out, mode),
        _ => Some(covers(out, reference, mode)? && covers(reference, out, mode)?),
    }
}

/// Whether each call of `few` has one of its own in `many`. Arguments are compared as if `many`
/// were the output, whichever it is.
fn covers(
    many: &[&ComparedCall<'_>],
    few: &[&ComparedCall<'_>],
    mode: ArgumentMode,
) -> Option<bool> {
    each_has_one(few.iter().copied(), many, |wanted, made| matches(made, wanted, mode))
}

/// Whether each call takes one of the same name whose arguments fit and that no other took.
/// `None` where arguments must be compared and cannot be read.
fn each_has_one<'c, 'a: 'c>(
    calls: impl Iterator<Item = &'c ComparedCall<'a>>,
    among: &[&ComparedCall<'_>],
    fit: impl Fn(&Map<String, Value>, &Map<String, Value>) -> bool,
) -> Option<bool> {
    let mut is_taken = vec![false; among.len()];
    for call in calls {
        let mut found = None;
        for (place, other) in among.iter().enumerate() {
            if is_taken[place] || call.name != other.name {
                continue;
            }
            if fit(call.arguments.as_deref()?, other.arguments.as_deref()?) {
                found = Some(place);
                break;
            }
        }
        match found {
            Some(place) => is_taken[place] = true,
            None => return Some(false),
        }
    }
    Some(true)
}

fn matches(out: &Map<String, Value>, reference: &Map<String, Value>, mode: ArgumentMode) -> bool {
    let within = |few: &Map<String, Value>, many: &Map<String, Value>| {
        few.iter().all(|(key, value)| many.get(key).is_some_and(|other| equal(value, other)))
    };
    match mode {
        ArgumentMode::Exact => out.len() == reference.len() && within(out, reference),
        ArgumentMode::Ignore => true,
        ArgumentMode::Subset => within(out, reference),
        ArgumentMode::Superset => within(reference, out),
    }
}

/// Message by message: the same roles, and in each the same calls in any order. `None` where
/// arguments must be compared and cannot be read.
fn strict(out: &[Step<'_>], reference: &[Step<'_>], mode: ArgumentMode) -> Option<bool> {
    if out.len() != reference.len() {
        return Some(false);
    }
    for (out, reference) in out.iter().zip(reference) {
        if out.role != reference.role || out.calls.len() != reference.calls.len() {
            return Some(false);
        }
        let reference: Vec<&ComparedCall<'_>> = reference.calls.iter().collect();
        let fit = |out: &Map<_, _>, reference: &Map<_, _>| matches(out, reference, mode);
        if !each_has_one(out.calls.iter(), &reference, fit)? {
            return Some(false);
        }
    }
    Some(true)
}
