//! Columns that several tables have, by which they are joined.

use toolgauge_core::StopReason;

use crate::column::{Column, Getter};
use crate::row::lent;

pub(super) const LOG: Column =
    Column::head("log", Getter::Text(|row| lent(&row.log.log)), "The log, as it was named.");

pub(super) const RUN: Column =
    Column::head("run", Getter::Text(|row| lent(row.log.run.id.as_str())), "The name of the run.");

pub(super) const SUITE: Column = Column::head(
    "suite",
    Getter::Text(|row| lent(&row.log.run.suite.name)),
    "The name of the suite.",
);

pub(super) const DATE: Column =
    Column::head("date", Getter::Date(|row| Some(row.log.date)), "The day on which the run began.");

pub(super) const MODEL: Column = Column::head(
    "model",
    Getter::Text(|row| lent(&row.log.run.subject.name)),
    "The name of the subject.",
);

pub(super) const VARIANT: Column = Column::head(
    "variant",
    Getter::Text(|row| lent(row.log.run.variant.as_deref()?)),
    "The named change to prompt or sampling, if one was applied.",
);

pub(super) const CASE: Column =
    Column::summary("case_id", Getter::Text(|row| lent(row.trial?.case)), "The name of the case.")
        .distinct();

pub(super) const TRIAL: Column = Column::summary(
    "trial",
    Getter::Count(|row| Some(row.trial?.number.into())),
    "Which execution of the case it is, from 1.",
);

/// The name that logs have for a reason to stop.
pub(super) fn stop_name(stop: StopReason) -> Option<&'static str> {
    match stop {
        StopReason::Stop => Some("stop"),
        StopReason::ToolCalls => Some("tool_calls"),
        StopReason::MaxTokens => Some("max_tokens"),
        StopReason::ContextFull => Some("context_full"),
        StopReason::ContentFilter => Some("content_filter"),
        StopReason::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_to_stop_are_named_as_in_logs() {
        use StopReason::{ContentFilter, ContextFull, MaxTokens, Stop, ToolCalls};
        for stop in [Stop, ToolCalls, MaxTokens, ContextFull, ContentFilter] {
            let written = serde_json::to_value(stop).unwrap();
            assert_eq!(stop_name(stop), written.as_str());
        }
    }
}
