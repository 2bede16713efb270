//! Columns of runs.

use super::shared::{DATE, LOG, MODEL, RUN, SUITE, VARIANT};
use crate::column::{Column, Getter};
use crate::row::{count, lent};

pub(crate) const RUNS: &[Column] = &[
    LOG,
    RUN,
    SUITE,
    DATE,
    Column::head("created", Getter::Time(|row| Some(row.log.run.created)), "When the run began."),
    Column::head(
        "status",
        Getter::Text(|row| lent(row.log.status?)),
        "How the run ended: `success`, `cancelled` or `error`; null if it did not.",
    ),
    Column::head(
        "suite_version",
        Getter::Text(|row| lent(row.log.run.suite.version.as_deref()?)),
        "The version that its author gave the suite.",
    ),
    Column::head(
        "suite_hash",
        Getter::Text(|row| lent(&row.log.run.suite.hash)),
        "A hash of all that can change a result: cases, tools, prompt.",
    ),
    MODEL,
    Column::head(
        "provider",
        Getter::Text(|row| lent(&row.log.run.subject.provider)),
        "What answers for the subject: `openai`, `anthropic`, `baseline`, …",
    ),
    VARIANT,
    Column::head(
        "cases",
        Getter::Count(|row| count(row.log.cases)),
        "How many cases were planned.",
    ),
    Column::head(
        "trials_per_case",
        Getter::Count(|row| Some(row.log.run.trials.into())),
        "How often each case was to be executed.",
    ),
    Column::head(
        "scorers",
        Getter::Text(|row| lent(&row.log.scorers)),
        "The scorers, separated by commas; the first one is the run's own measure.",
    ),
    Column::head(
        "floor",
        Getter::Number(|row| row.log.run.floor),
        "What the best constant policy that never calls a tool would score.",
    ),
    Column::head(
        "toolgauge_version",
        Getter::Text(|row| lent(&row.log.run.program.version)),
        "The version of toolgauge that made the run.",
    ),
];
