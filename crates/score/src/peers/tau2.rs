//! The reward of τ²-bench: a product of components, of which those about calls and words are
//! computed here and the others taken as they were recorded.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_core::{Message, RecordedVerdict, Transcript};

use super::python::equal;
use super::{Mark, PeerVerdict};
use crate::Evidence;

/// The components that are computed here.
const ACTION: &str = "ACTION";
const COMMUNICATE: &str = "COMMUNICATE";

/// What τ² asks of a task: `expectation.more.tau2`.
#[derive(Debug, Default, Deserialize)]
struct Criteria {
    #[serde(default)]
    actions: Option<Vec<Action>>,
    #[serde(default)]
    communicate_info: Option<Vec<String>>,
    #[serde(default)]
    reward_basis: Option<Vec<String>>,
}

/// A call that should be made.
#[derive(Debug, Deserialize)]
struct Action {
    name: String,
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
    /// The arguments that are compared; those of the made call where nothing is said.
    #[serde(default)]
    compare_args: Option<Vec<String>>,
}

/// How the simulation went beside its transcript: the case's metadata under `tau2`.
#[derive(Debug, Default, Deserialize)]
struct Simulation {
    #[serde(default)]
    termination_reason: String,
    /// The calls of the simulated user, who has tools as well.
    #[serde(default)]
    user_calls: Vec<UserCall>,
    /// What τ² recorded of each action and each text.
    #[serde(default)]
    checks: Checks,
    #[serde(default)]
    failed_calls: Option<FailedCalls>,
    #[serde(default)]
    review: Review,
}

/// How many calls failed, by who made them.
#[derive(Debug, Deserialize)]
struct FailedCalls {
    agent: u32,
    user: u32,
}

/// Who erred, where τ² had the dialogue reviewed.
#[derive(Debug, Default, Deserialize)]
struct Review {
    #[serde(default)]
    user: Option<bool>,
    /// Whether an error of the user decided how it ended.
    #[serde(default)]
    critical_user: Option<bool>,
    #[serde(default)]
    agent: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct UserCall {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// Which actions were found to be made, and which texts to be said.
#[derive(Debug, Default, Deserialize)]
struct Checks {
    #[serde(default)]
    actions: Vec<bool>,
    #[serde(default)]
    communicate: Vec<bool>,
}

pub(super) fn judge(evidence: &Evidence<'_>) -> PeerVerdict {
    let case = evidence.case;
    let Some(criteria) = case.expectation.more.get("tau2") else {
        return PeerVerdict::NothingExpected;
    };
    let Ok(criteria) = Option::<Criteria>::deserialize(criteria) else {
        return PeerVerdict::NothingExpected;
    };
    let simulation =
        case.metadata.get("tau2").and_then(|found| Simulation::deserialize(found).ok());
    let simulation = simulation.unwrap_or_default();
    if !matches!(simulation.termination_reason.as_str(), "user_stop" | "agent_stop") {
        let reason = format!("ended by {}", simulation.termination_reason);
        let mut mark = Mark { value: 0.0, reason, ..Mark::default() };
        tell_who_erred(&mut mark, &simulation);
        return PeerVerdict::Mark(mark);
    }
    let Some(criteria) = criteria else {
        let mut mark = Mark::right();
        tell_who_erred(&mut mark, &simulation);
        return PeerVerdict::Mark(mark);
    };
    let made = made_calls(evidence.transcript, &simulation.user_calls);
    let actions: Vec<bool> =
        criteria.actions.iter().flatten().map(|gold| made_any(gold, &made)).collect();
    let said: Vec<bool> =
        criteria.communicate_info.iter().flatten().map(|text| is_said(text, evidence)).collect();
    let recorded = evidence.transcript.recorded("tau2");
    let Ok(mut mark) = reward(&criteria, recorded, (&actions, &said)) else {
        return PeerVerdict::Elsewhere("the state of the database needs τ²'s own environment");
    };
    describe(&mut mark, &simulation.checks, &actions, &said);
    tell_who_erred(&mut mark, &simulation);
    PeerVerdict::Mark(mark)
}

/// The product of the components, or which of them is not known.
fn reward(
    criteria: &Criteria,
    recorded: Option<&RecordedVerdict>,
    (actions, said): (&[bool], &[bool]),
) -> Result<Mark, ()> {
    let default = || vec![String::from("DB"), String::from(COMMUNICATE)];
    let basis = criteria.reward_basis.clone().unwrap_or_else(default);
    let mut mark = Mark::right();
    for component in basis {
        let value = match component.as_str() {
            ACTION => f64::from(u8::from(actions.iter().all(|made| *made))),
            COMMUNICATE => f64::from(u8::from(said.iter().all(|said| *said))),
            other => {
                let known = recorded.and_then(|recorded| recorded.measures.get(other)).ok_or(())?;
                // The file may say anything, and a mark is between 0 and 1.
                known.clamp(0.0, 1.0)
            }
        };
        if value < 1.0 && mark.reason.is_empty() {
            mark.reason = format!("{component} is {value}");
        }
        mark.value *= value;
    }
    Ok(mark)
}

/// The numbers beside the reward.
#[expect(clippy::cast_precision_loss, reason = "counts of checks are small")]
fn describe(mark: &mut Mark, recorded: &Checks, actions: &[bool], said: &[bool]) {
    if !actions.is_empty() {
        let made = actions.iter().filter(|made| **made).count();
        mark.measure("actions_made", made as f64 / actions.len() as f64);
        // A reward of 1 does not mean that the expected calls were made.
        let contradicts = (mark.value >= 1.0) != (made == actions.len());
        mark.measure("reward_contradicts_actions", f64::from(u8::from(contradicts)));
    }
    let pairs = recorded.actions.iter().zip(actions).chain(recorded.communicate.iter().zip(said));
    let (count, different) = pairs.fold((0, 0), |(count, different), (recorded, computed)| {
        (count + 1, different + i32::from(recorded != computed))
    });
    if count > 0 {
        mark.measure("checks_compared", f64::from(count));
        mark.measure("checks_different", f64::from(different));
    }
}

/// Errors of the simulated user, which say nothing about the agent, and those of the agent.
fn tell_who_erred(mark: &mut Mark, simulation: &Simulation) {
    if let Some(failed) = &simulation.failed_calls {
        mark.measure("agent_failed_calls", f64::from(failed.agent));
        // Only some domains give the user tools.
        if failed.user > 0 || !simulation.user_calls.is_empty() {
            mark.measure("user_failed_calls", f64::from(failed.user));
        }
    }
    let review = &simulation.review;
    let ended_it = simulation.termination_reason == "user_error";
    let user = if ended_it { Some(true) } else { review.user };
    let lost_with_it = user.map(|user| user && mark.value < 1.0);
    let told = [
        ("user_error", user),
        ("critical_user_error", review.critical_user),
        ("lost_with_user_error", lost_with_it),
        ("agent_error", review.agent),
    ];
    for (name, value) in told {
        if let Some(value) = value {
            mark.measure(name, f64::from(u8::from(value)));
        }
    }
}

/// All calls, whoever made them: τ² does not look at that.
fn made_calls<'a>(
    transcript: &'a Transcript,
    user: &'a [UserCall],
) -> Vec<(&'a str, &'a Map<String, Value>)> {
    let own = transcript
        .calls()
        .filter_map(|call| Some((call.name.as_str(), call.arguments.as_object()?)));
    own.chain(user.iter().map(|call| (call.name.as_str(), &call.arguments))).collect()
}

/// Whether some call is the expected one; one call may serve several.
fn made_any(gold: &Action, made: &[(&str, &Map<String, Value>)]) -> bool {
    made.iter().any(|(name, arguments)| *name == gold.name && arguments_match(gold, arguments))
}

/// Whether the compared arguments are equal. Where nothing is said, those of the made call are
/// compared, so that an argument that it lacks is not noticed.
fn arguments_match(gold: &Action, made: &Map<String, Value>) -> bool {
    let wanted = |key: &String| gold.arguments.as_ref().and_then(|arguments| arguments.get(key));
    let same = |key: &String| match (made.get(key), wanted(key)) {
        (None, None) => true,
        (Some(made), Some(gold)) => equal(made, gold),
        _ => false,
    };
    match &gold.compare_args {
        None => made.keys().all(same),
        Some(listed) => listed.iter().all(same),
    }
}

/// Whether a text is part of what the agent said, whatever its case and without commas.
fn is_said(text: &str, evidence: &Evidence<'_>) -> bool {
    let wanted = text.to_lowercase();
    let messages = evidence.case.input.iter().chain(&evidence.transcript.messages);
    messages.into_iter().any(|message| match message {
        Message::Assistant(message) => {
            message.content.to_lowercase().replace(',', "").contains(&wanted)
        }
        _ => false,
    })
}
