//! Columns of transcripts: those of Inspect Scout's transcript database, by its names and types.

use std::borrow::Cow;

use serde_json::json;
use toolgauge_core::{FailureKind, RunEntry};
use toolgauge_log::{OutcomeRecord, inspect_messages};

use super::shared::{MODEL, VARIANT};
use super::trials::{passed, value};
use crate::column::{Column, Getter};
use crate::row::{Row, count, lent};

pub(crate) const TRANSCRIPTS: &[Column] = &[
    Column::summary(
        "transcript_id",
        Getter::Text(|row| {
            let (run, trial) = (row.log.run.id.as_str(), row.trial?);
            Some(Cow::Owned(format!("{run}/{}/{}", trial.case, trial.number)))
        }),
        "A name that no other transcript has: run, case and trial.",
    ),
    Column::head("source_type", Getter::Text(|_| lent("toolgauge")), "`toolgauge`."),
    Column::head(
        "source_id",
        Getter::Text(|row| lent(row.log.run.id.as_str())),
        "The name of the run.",
    ),
    Column::head("source_uri", Getter::Text(|row| lent(&row.log.log)), "The log, as it was named."),
    Column::summary(
        "date",
        Getter::Text(|row| Some(Cow::Owned(row.trial?.started.to_string()))),
        "When the trial began, in ISO 8601.",
    ),
    Column::head(
        "task_set",
        Getter::Text(|row| lent(&row.log.run.suite.name)),
        "The name of the suite.",
    ),
    Column::summary("task_id", Getter::Text(|row| lent(row.trial?.case)), "The name of the case."),
    Column::summary(
        "task_repeat",
        Getter::Count(|row| Some(row.trial?.number.into())),
        "Which execution of the case it is, from 1.",
    ),
    MODEL,
    Column::head(
        "model_options",
        Getter::Text(|row| Some(Cow::Owned(RunEntry::Sampling.of(&row.log.run)?.to_string()))),
        "How answers were sampled, as JSON.",
    ),
    Column::summary(
        "score",
        Getter::Text(|row| Some(Cow::Owned(json!(value(row)?).to_string()))),
        "The score of the scorer that counts, as JSON.",
    ),
    Column::sample(
        "score_explanation",
        Getter::Text(explanation),
        "How the scorer reached the score.",
    ),
    Column::summary("success", Getter::Flag(passed), "Whether the score is good enough to pass."),
    Column::sample(
        "message_count",
        Getter::Count(|row| {
            let sample = row.trial?.sample?;
            let system = usize::from(row.log.run.system_prompt.is_some());
            count(system + sample.input.len() + sample.messages.len())
        }),
        "How many messages there are.",
    ),
    Column::summary(
        "total_time",
        Getter::Number(|row| {
            let trial = row.trial?;
            Some(trial.ended.duration_since(trial.started).as_secs_f64())
        }),
        "How long the trial took, in seconds.",
    ),
    Column::summary(
        "total_tokens",
        Getter::Count(|row| Some(row.trial?.usage.total())),
        "Tokens read and written.",
    ),
    Column::summary("error", Getter::Text(error), "What ended the trial, if an error did."),
    Column::summary(
        "limit",
        Getter::Text(|row| {
            let failure = row.trial?.failure?;
            (failure.kind == FailureKind::LimitReached).then(|| Cow::Borrowed(&*failure.message))
        }),
        "The limit that ended the trial, if one did.",
    ),
    Column::sample(
        "messages",
        Getter::Text(|row| Some(Cow::Owned(inspect_messages(&row.log.run, row.trial?.sample?)))),
        "The conversation as JSON: a list of messages in Inspect AI's form.",
    ),
    VARIANT,
];

fn explanation<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    let score = row.trial?.outcomes.values().next().and_then(OutcomeRecord::score)?;
    (!score.explanation.is_empty()).then_some(Cow::Borrowed(&*score.explanation))
}

fn error<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    let failure = row.trial?.failure.filter(|failure| failure.kind.is_infrastructure())?;
    Some(Cow::Owned(format!("{}: {}", failure.kind.name(), failure.message)))
}
