//! How toolgauge's names and times are spelled in an Inspect log.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use serde::{Serialize, Serializer};
use toolgauge_core::{Dimension, Run, StopReason, SubjectIdentity, Trial};

/// A time to the microsecond, which is as fine as Python reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso(pub(crate) Timestamp);

impl Serialize for Iso {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Several are written for each sample; by way of a formatter each would take twice as long.
        const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
        to.serialize_str(&PRINTER.timestamp_to_string(&self.0))
    }
}

/// The name by which Inspect would reach the subject, so that its own scorers can run on the log.
pub(crate) fn model_name(subject: &SubjectIdentity) -> String {
    let name = &subject.name;
    let at_openai = subject.base_url.as_deref().is_some_and(|url| url.contains("//api.openai.com"));
    match subject.provider.as_str() {
        "openai" if at_openai => format!("openai/{name}"),
        // Inspect's provider for any server that speaks OpenAI's protocol; `openai` would ask
        // OpenAI.
        "openai" => format!("openai-api/local/{name}"),
        provider => format!("{provider}/{name}"),
    }
}

/// The name of the member that holds a trial.
pub(crate) fn sample_member(case: &str, trial: u32) -> String {
    format!("samples/{case}_epoch_{trial}.json")
}

/// Whether a member is the one that holds a trial, by its name. Asked of every trial that is read,
/// so that no name is made to be compared.
pub(crate) fn is_sample_member(member: &str, case: &str, trial: u32) -> bool {
    let number = member
        .strip_prefix("samples/")
        .and_then(|rest| rest.strip_prefix(case)?.strip_prefix("_epoch_")?.strip_suffix(".json"));
    // A number may be written with a sign or zeros before it, which no name has.
    let is_plain = |number: &&str| *number == "0" || number.starts_with(|c| matches!(c, '1'..='9'));
    number.filter(is_plain).and_then(|number| number.parse().ok()) == Some(trial)
}

/// The score that holds a dimension: by its own name where it belongs to the run's own measure,
/// by the scorer's and its own where that would be ambiguous.
pub(crate) fn dimension_score<'a>(
    run: &Run,
    scorer: &str,
    dimension: &'a Dimension,
) -> Cow<'a, str> {
    let own = run.scorers.first().is_some_and(|first| first == scorer);
    let taken = run.scorers.iter().any(|name| name == dimension.as_str());
    if own && !taken {
        Cow::Borrowed(dimension.as_str())
    } else {
        Cow::Owned(format!("{scorer}.{dimension}"))
    }
}

/// Inspect's word for why a model stopped.
pub(crate) fn stop_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::ToolCalls => "tool_calls",
        StopReason::MaxTokens => "max_tokens",
        StopReason::ContextFull => "model_length",
        StopReason::ContentFilter => "content_filter",
        StopReason::Unknown => "unknown",
    }
}

/// toolgauge's word for why a model stopped.
pub(crate) fn stop_from(reason: &str) -> StopReason {
    match reason {
        "stop" => StopReason::Stop,
        "tool_calls" => StopReason::ToolCalls,
        "max_tokens" | "length" => StopReason::MaxTokens,
        "model_length" => StopReason::ContextFull,
        "content_filter" => StopReason::ContentFilter,
        _ => StopReason::Unknown,
    }
}

/// A name for a sample that no other run's sample has, the same whenever it is asked for.
pub(crate) fn sample_uuid(run: &Run, trial: &Trial) -> String {
    // FNV-1a, 64 bits, once forwards from each of two bases.
    let hash = |mut state: u64| {
        let number = trial.number.to_le_bytes();
        let parts = [run.id.as_str().as_bytes(), trial.case.id.as_str().as_bytes(), &number];
        for byte in parts.into_iter().flatten() {
            state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        state
    };
    let low = u32::try_from(hash(0x9E37_79B9_7F4A_7C15) >> 32).expect("32 bits are left");
    format!("{:016x}{low:08x}", hash(0xCBF2_9CE4_8422_2325))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_known_by_the_name_that_was_given_to_it() {
        for (case, trial) in [("a", 1), ("", 0), ("b_epoch_2", 10), ("c/d.json", u32::MAX)] {
            assert!(is_sample_member(&sample_member(case, trial), case, trial), "{case}");
            assert!(!is_sample_member(&sample_member(case, 3), case, trial), "{case}");
            assert!(!is_sample_member(&sample_member("other", trial), case, trial), "{case}");
        }
        for number in ["01", "+1", "", "1 ", "4294967297"] {
            assert!(!is_sample_member(&format!("samples/a_epoch_{number}.json"), "a", 1));
        }
    }
}
