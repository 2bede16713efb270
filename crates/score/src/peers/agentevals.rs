//! agentevals' trajectory match: right or wrong, by one of four ways to pair calls and four ways to
//! compare arguments.

use serde_json::{Map, Value};
use toolgauge_core::{AssistantMessage, Message, ToolCall};

use super::called::{ComparedCall, expected_calls};
use super::python::equal;
use super::{PeerVerdict, messages_at, reference_messages};
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

type Call<'a> = (&'a str, &'a Map<String, Value>);

pub(super) fn judge(evidence: &Evidence<'_>, options: AgentevalsOptions) -> PeerVerdict {
    // An imported row says which messages were compared; else it is the whole conversation.
    let own = messages_at(evidence.case.metadata.get("agentevals"), "outputs");
    let said: Vec<&Message> = match &own {
        Some(own) => own.iter().collect(),
        None => evidence.case.input.iter().chain(&evidence.transcript.messages).collect(),
    };
    let reference = reference_messages(evidence.case, "agentevals");
    let verdict = match (&reference, options.mode) {
        (Some(reference), TrajectoryMode::Strict) => {
            strict(&said, &reference.iter().collect::<Vec<_>>(), options.arguments)
        }
        (Some(reference), _) => {
            let reference: Option<Vec<Call<'_>>> = calls(&reference.iter().collect::<Vec<_>>());
            both(calls(&said), reference, options)
        }
        // Without a reference trajectory the expected calls are one, in no particular messages.
        (None, TrajectoryMode::Strict) => None,
        (None, _) => {
            let expected = expected_calls(evidence.case, "agentevals");
            let Some(expected) = expected else { return PeerVerdict::NothingExpected };
            let call = |call: &'_ ComparedCall| call.arguments.is_some();
            if !expected.iter().all(call) {
                return PeerVerdict::NothingExpected;
            }
            let expected =
                expected.iter().filter_map(|c| Some((c.name.as_str(), c.arguments.as_ref()?)));
            both(calls(&said), Some(expected.collect()), options)
        }
    };
    match verdict {
        Some(true) => PeerVerdict::of(Ok(())),
        Some(false) => PeerVerdict::of(Err("the trajectories do not match")),
        None => PeerVerdict::Elsewhere("agentevals cannot read the arguments, or has no reference"),
    }
}

/// All calls in order; `None` if the arguments of one cannot be read.
fn calls<'a>(messages: &[&'a Message]) -> Option<Vec<Call<'a>>> {
    let assistants = messages.iter().filter_map(|message| match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    });
    assistants.flat_map(|message| &message.calls).map(read).collect()
}

fn read(call: &ToolCall) -> Option<Call<'_>> {
    Some((call.name.as_str(), call.arguments.as_object()?))
}

fn both(
    out: Option<Vec<Call<'_>>>,
    reference: Option<Vec<Call<'_>>>,
    options: AgentevalsOptions,
) -> Option<bool> {
    let (out, reference) = (out?, reference?);
    let mode = options.arguments;
    Some(match options.mode {
        TrajectoryMode::Superset => covers(&out, &reference, mode),
        TrajectoryMode::Subset => covers(&reference, &out, mode),
        _ => covers(&out, &reference, mode) && covers(&reference, &out, mode),
    })
}

/// Whether each call of `few` has one of its own in `many`. Arguments are compared as if `many`
/// were the output, whichever it is.
fn covers(many: &[Call<'_>], few: &[Call<'_>], mode: ArgumentMode) -> bool {
    let mut is_used = vec![false; many.len()];
    few.iter().all(|(name, wanted)| {
        let fits = |place: &usize| {
            !is_used[*place] && many[*place].0 == *name && matches(many[*place].1, wanted, mode)
        };
        let found = (0..many.len()).find(fits);
        found.inspect(|place| is_used[*place] = true).is_some()
    })
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

/// Message by message: the same roles, and in each the same calls in any order. Text is ignored.
fn strict(out: &[&Message], reference: &[&Message], mode: ArgumentMode) -> Option<bool> {
    if out.len() != reference.len() {
        return Some(false);
    }
    for (out, reference) in out.iter().zip(reference) {
        if std::mem::discriminant(*out) != std::mem::discriminant(*reference) {
            return Some(false);
        }
        if let (Message::Assistant(out), Message::Assistant(reference)) = (out, reference)
            && !same_calls(out, reference, mode)?
        {
            return Some(false);
        }
    }
    Some(true)
}

/// `None` where arguments must be compared and cannot be read.
fn same_calls(
    out: &AssistantMessage,
    reference: &AssistantMessage,
    mode: ArgumentMode,
) -> Option<bool> {
    if out.calls.len() != reference.calls.len() {
        return Some(false);
    }
    let mut is_used = vec![false; reference.calls.len()];
    for call in &out.calls {
        let mut found = None;
        for (place, other) in reference.calls.iter().enumerate() {
            if is_used[place] || call.name != other.name {
                continue;
            }
            if matches(call.arguments.as_object()?, other.arguments.as_object()?, mode) {
                found = Some(place);
                break;
            }
        }
        match found {
            Some(place) => is_used[place] = true,
            None => return Some(false),
        }
    }
    Some(true)
}
