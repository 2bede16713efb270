//! The reward of τ-bench: the database must end as it should, and some texts must be said.
//!
//! A result keeps either what became of the database or what became of the texts, so that the state
//! of the database is taken as recorded, and is unknown where texts were asked for and said.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_core::Message;

use super::{Mark, PeerVerdict};
use crate::Evidence;

/// What a task asks for: `expectation.more.tau_bench`.
#[derive(Debug, Default, Deserialize)]
struct Asked {
    #[serde(default)]
    outputs: Vec<Value>,
}

/// How the trial went beside its transcript: the case's metadata under `tau_bench`.
#[derive(Debug, Default, Deserialize)]
struct Course {
    /// Whether the dialogue came to an end, so that τ-bench looked at it.
    #[serde(default)]
    ended: bool,
    #[serde(default)]
    error: bool,
    /// Which texts τ-bench found to be said.
    #[serde(default)]
    outputs: Option<Map<String, Value>>,
}

pub(super) fn judge(evidence: &Evidence<'_>) -> PeerVerdict {
    let case = evidence.case;
    let asked = case.expectation.more.get("tau_bench");
    let Some(asked) = asked.and_then(|asked| Asked::deserialize(asked).ok()) else {
        return PeerVerdict::NothingExpected;
    };
    let ended = case.metadata.get("tau_bench").and_then(|own| Course::deserialize(own).ok());
    let ended = ended.unwrap_or_default();
    let recorded = evidence.transcript.recorded("tau_bench");
    // A file without `reward_info` does not say how the dialogue ended; a reward says that it did.
    let reward = recorded.and_then(|recorded| recorded.value).unwrap_or_default();
    if !ended.ended && !ended.error && reward > 0.0 {
        return PeerVerdict::Elsewhere("the file does not say what the reward is made of");
    }
    if ended.error || !ended.ended {
        let reason = if ended.error { "the trial failed" } else { "the dialogue did not end" };
        return PeerVerdict::of(Err(reason));
    }
    let outputs: Vec<String> = asked.outputs.iter().map(written).collect();
    let said: Vec<bool> = outputs.iter().map(|output| is_said(output, evidence)).collect();
    let database = recorded.and_then(|recorded| recorded.measures.get("r_actions").copied());
    let mut mark = match (said.iter().all(|said| *said), database) {
        (false, _) => Mark { reason: "a text was not said".to_owned(), ..Mark::default() },
        (true, Some(value)) if value >= 1.0 => Mark::right(),
        (true, Some(_)) => Mark { reason: "the database differs".into(), ..Mark::default() },
        (true, None) => {
            return PeerVerdict::Elsewhere("the state of the database needs τ-bench's own code");
        }
    };
    if let Some(recorded) = &ended.outputs {
        let pairs = outputs.iter().zip(&said);
        let pairs = pairs.filter_map(|(output, said)| Some((recorded.get(output)?, *said)));
        let (count, different) = pairs.fold((0, 0), |(count, different), (recorded, said)| {
            (count + 1, different + i32::from(*recorded != said))
        });
        mark.measure("checks_compared", f64::from(count));
        mark.measure("checks_different", f64::from(different));
    }
    PeerVerdict::Mark(mark)
}

fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a text is part of an answer in words, whatever its case and without commas. A message
/// that calls a tool is no answer: its words were never shown to the user.
fn is_said(output: &str, evidence: &Evidence<'_>) -> bool {
    let wanted = output.to_lowercase();
    evidence.transcript.messages.iter().any(|message| match message {
        Message::Assistant(message) if message.calls.is_empty() => {
            message.content.to_lowercase().replace(',', "").contains(&wanted)
        }
        _ => false,
    })
}
