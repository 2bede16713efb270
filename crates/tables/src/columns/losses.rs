//! Columns of lost points.

use std::borrow::Cow;

use super::shared::{CASE, DATE, LOG, MODEL, RUN, SUITE, TRIAL};
use crate::column::{Column, Getter};
use crate::row::{Item, count, lent};

pub(crate) const LOSSES: &[Column] = &[
    LOG,
    RUN,
    SUITE,
    DATE,
    MODEL,
    CASE,
    TRIAL,
    Column::summary(
        "scorer",
        Getter::Text(|row| match row.item {
            Item::Loss { scorer, .. } => lent(scorer),
            _ => None,
        }),
        "The scorer that took the point away.",
    ),
    Column::summary(
        "cause",
        Getter::Text(|row| lent(row.loss()?.cause.name())),
        "Why: `wrong_tool`, `missing_argument`, …",
    ),
    Column::summary(
        "points",
        Getter::Number(|row| Some(row.loss()?.points)),
        "How much of the score it cost; 0 for what is reported but not counted.",
    ),
    Column::summary(
        "tool",
        Getter::Text(|row| lent(row.loss()?.tool.as_deref()?)),
        "The expected tool, or the called one where none was expected.",
    ),
    Column::summary(
        "path",
        Getter::Text(|row| Some(Cow::Owned(row.loss()?.path.to_string()))),
        "Where in the arguments it happened.",
    ),
    Column::summary(
        "call_index",
        Getter::Count(|row| count(row.loss()?.made_call?)),
        "The call it is about, as `calls` counts them.",
    ),
    Column::sample(
        "expected",
        Getter::Text(|row| Some(Cow::Owned(row.loss()?.expected.as_ref()?.to_string()))),
        "What should have been there, as JSON.",
    ),
    Column::sample(
        "actual",
        Getter::Text(|row| Some(Cow::Owned(row.loss()?.actual.as_ref()?.to_string()))),
        "What was there, as JSON.",
    ),
];
