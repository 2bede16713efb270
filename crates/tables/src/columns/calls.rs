//! Columns of calls.

use std::borrow::Cow;

use super::shared::{CASE, DATE, LOG, MODEL, RUN, SUITE, TRIAL};
use crate::column::{Column, Getter};
use crate::row::{count, lent};

pub(crate) const CALLS: &[Column] = &[
    LOG,
    RUN,
    SUITE,
    DATE,
    MODEL,
    CASE,
    TRIAL,
    Column::sample(
        "turn",
        Getter::Count(|row| count(row.call()?.turn)),
        "The message of the subject that holds the call, from 1.",
    ),
    Column::sample(
        "call_index",
        Getter::Count(|row| count(row.call()?.place)),
        "The place of the call among all calls of the trial, from 0.",
    ),
    Column::sample(
        "tool",
        Getter::Text(|row| lent(&row.call()?.call.name)),
        "The tool, as it was called.",
    ),
    Column::sample(
        "arguments",
        Getter::Text(|row| lent(&row.call()?.call.arguments)),
        "The arguments as JSON, or what was sent in their place.",
    ),
    Column::sample(
        "malformed",
        Getter::Text(|row| {
            let why = row.call()?.call.malformed.as_ref()?;
            Some(Cow::Owned(why.to_string()))
        }),
        "Why the arguments are no JSON object, if they are none.",
    ),
    Column::sample(
        "in_text",
        Getter::Flag(|row| Some(!row.call()?.call.origin.is_structured())),
        "Whether the call was written into the text in place of the field for calls.",
    ),
    Column::sample(
        "answer",
        Getter::Text(|row| lent(&row.call()?.answer?.content)),
        "What the tool answered.",
    ),
    Column::sample(
        "failed",
        Getter::Flag(|row| Some(row.call()?.answer?.failed)),
        "Whether the tool refused or failed.",
    ),
    Column::sample(
        "seconds",
        Getter::Number(|row| row.call()?.seconds),
        "How long the call took, where that is known.",
    )
    .distinct(),
];
