//! Columns of trials.

use std::borrow::Cow;

use toolgauge_core::Verdict;
use toolgauge_log::OutcomeRecord;
use toolgauge_report::{CaseStanding, Thresholds};

use super::shared::{CASE, DATE, LOG, MODEL, RUN, SUITE, TRIAL, VARIANT, stop_name};
use crate::column::{Column, Getter, Named};
use crate::row::{Row, count, lent};

pub(crate) const TRIALS: &[Column] = &[
    LOG,
    RUN,
    SUITE,
    DATE,
    MODEL,
    VARIANT,
    CASE,
    TRIAL,
    Column::summary(
        "case_group",
        Getter::Text(|row| lent(row.trial?.group?)),
        "Cases that share a group (a dialogue, a document) are not independent of each other.",
    ),
    Column::summary(
        "sentence",
        Getter::Text(|row| lent(row.trial?.sentence)),
        "The first 200 characters of what was put to the subject.",
    )
    .distinct(),
    Column::summary(
        "scorer",
        Getter::Text(|row| lent(row.trial?.outcomes.first()?.0)),
        "The scorer that counts.",
    ),
    Column::summary(
        "value",
        Getter::Number(value),
        "Its score, from 0 to 1; null if the trial is unscored.",
    ),
    Column::summary(
        "passed",
        Getter::Flag(passed),
        "Whether the score is good enough to pass; null if the trial is unscored.",
    ),
    Column::summary(
        "unscored",
        Getter::Text(|row| match row.trial?.first()?.1 {
            OutcomeRecord::Unscored(reason) => Some(Cow::Owned(reason.to_string())),
            OutcomeRecord::Scored(_) => None,
        }),
        "Why the trial is unscored.",
    ),
    Column::summary(
        "failure",
        Getter::Text(|row| lent(row.trial?.failure?.kind.name())),
        "Why the trial ended early: `timeout`, `rate_limited`, `limit_reached`, …",
    ),
    Column::summary("started", Getter::Time(|row| Some(row.trial?.started)), "When it began.")
        .distinct(),
    Column::summary("ended", Getter::Time(|row| Some(row.trial?.ended)), "When it ended.")
        .distinct(),
    Column::summary(
        "seconds",
        Getter::Number(|row| Some(row.trial?.time?.as_secs_f64())),
        "How long its turns took together, without waiting and failed attempts.",
    )
    .distinct(),
    Column::summary(
        "first_token_seconds",
        Getter::Number(|row| Some(row.trial?.first_token?.as_secs_f64())),
        "The time to the first token of its first turn.",
    )
    .distinct(),
    Column::summary(
        "input_tokens",
        Getter::Count(|row| row.trial?.usage.input),
        "Tokens of the prompts of all turns.",
    ),
    Column::summary(
        "output_tokens",
        Getter::Count(|row| row.trial?.usage.output),
        "Tokens that were written, those of reasoning included.",
    ),
    Column::summary(
        "cached_tokens",
        Getter::Count(|row| row.trial?.usage.cached),
        "Those tokens of the prompts that came from a cache.",
    ),
    Column::summary(
        "reasoning_tokens",
        Getter::Count(|row| row.trial?.usage.reasoning),
        "Those tokens written that were reasoning.",
    ),
    Column::summary(
        "cost",
        Getter::Number(|row| row.log.grading.price?.of(row.trial?.usage)),
        "What the tokens cost, where `toolgauge.toml` has a price for the model.",
    ),
    Column::summary(
        "stop",
        Getter::Text(|row| lent(stop_name(row.trial?.stop)?)),
        "Why the subject stopped in its last turn: `stop`, `tool_calls`, `max_tokens`, …",
    ),
    Column::summary("turns", Getter::Count(|row| count(row.trial?.turns)), "How many turns."),
    Column::summary("calls", Getter::Count(|row| count(row.trial?.calls)), "How many calls."),
    Column::summary(
        "attempts",
        Getter::Count(|row| Some(row.trial?.attempts.into())),
        "How many HTTP requests its turns took.",
    ),
    Column::summary(
        "dimensions",
        Getter::Flags(dimensions),
        "What scorers judged on its own, such as `arguments`; null: not applicable.",
    ),
    Column::summary(
        "scores",
        Getter::Numbers(|row| {
            let outcomes = row.trial.into_iter().flat_map(|trial| trial.outcomes.iter());
            outcomes.map(|(name, outcome)| (&**name, outcome.value())).collect()
        }),
        "The score of every scorer; null: unscored.",
    ),
    Column::summary(
        "tags",
        Getter::Texts(|row| {
            let tags = row.trial.into_iter().flat_map(|trial| trial.tags.iter());
            tags.map(|(name, value)| (&**name, &**value)).collect()
        }),
        "What the case is about.",
    ),
];

pub(super) fn value(row: &Row<'_>) -> Option<f64> {
    row.trial?.first()?.1.value()
}

pub(super) fn passed(row: &Row<'_>) -> Option<bool> {
    let (scorer, outcome) = row.trial?.first()?;
    let value = outcome.value()?;
    let standing = Thresholds::of_scorer(scorer, row.log.grading.thresholds).standing(Some(value));
    Some(standing == CaseStanding::Pass)
}

/// What scorers judged on their own. Where two of them judge the same, the first one counts.
fn dimensions<'a>(row: &Row<'a>) -> Named<'a, Option<bool>> {
    let outcomes = row.trial.into_iter().flat_map(|trial| trial.outcomes.values());
    let judged = outcomes.filter_map(OutcomeRecord::score).flat_map(|score| &score.dimensions);
    let mut dimensions: Named<'a, Option<bool>> = Vec::with_capacity(8);
    for (dimension, verdict) in judged {
        let name = dimension.as_str();
        let correct = match verdict {
            Verdict::Correct => Some(true),
            Verdict::Incorrect => Some(false),
            Verdict::NotApplicable => None,
        };
        if !dimensions.iter().any(|(known, _)| *known == name) {
            dimensions.push((name, correct));
        }
    }
    dimensions
}
