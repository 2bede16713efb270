//! Columns of turns.

use std::borrow::Cow;
use std::time::Duration;

use toolgauge_core::Oddity;

use super::shared::{CASE, DATE, LOG, MODEL, RUN, SUITE, TRIAL, stop_name};
use crate::column::{Column, Getter};
use crate::row::{Item, count, lent};

pub(crate) const TURNS: &[Column] = &[
    LOG,
    RUN,
    SUITE,
    DATE,
    MODEL,
    CASE,
    TRIAL,
    Column::sample(
        "turn",
        Getter::Count(|row| match row.item {
            Item::Turn { place, .. } => count(place + 1),
            _ => None,
        }),
        "Which turn of the trial it is, from 1.",
    ),
    Column::sample(
        "answered_by",
        Getter::Text(|row| lent(row.turn()?.model()?)),
        "The name that the server gave for the model that answered.",
    ),
    Column::sample(
        "address",
        Getter::Text(|row| lent(row.turn()?.address()?)),
        "The server that answered, where several were asked.",
    ),
    Column::sample(
        "seconds",
        Getter::Number(|row| known(row.turn()?.timings.total)),
        "From sending the request to the end of the answer.",
    )
    .distinct(),
    Column::sample(
        "queued_seconds",
        Getter::Number(|row| Some(row.turn()?.timings.queued.as_secs_f64())),
        "Before the last attempt: rate limits, concurrency, failed attempts.",
    )
    .distinct(),
    Column::sample(
        "first_token_seconds",
        Getter::Number(|row| Some(row.turn()?.timings.first_token?.as_secs_f64())),
        "To the first piece of the answer; null when not streamed.",
    )
    .distinct(),
    Column::sample(
        "input_tokens",
        Getter::Count(|row| row.turn()?.usage().input),
        "Tokens of the prompt.",
    ),
    Column::sample(
        "output_tokens",
        Getter::Count(|row| row.turn()?.usage().output),
        "Tokens that were written, those of reasoning included.",
    ),
    Column::sample(
        "cached_tokens",
        Getter::Count(|row| row.turn()?.usage().cached),
        "Those tokens of the prompt that came from a cache.",
    ),
    Column::sample(
        "reasoning_tokens",
        Getter::Count(|row| row.turn()?.usage().reasoning),
        "Those tokens written that were reasoning.",
    ),
    Column::sample(
        "prompt_per_second",
        Getter::Number(|row| row.turn()?.server?.prompt_per_second),
        "Tokens per second while reading the prompt, as the server says.",
    )
    .distinct(),
    Column::sample(
        "generated_per_second",
        Getter::Number(|row| row.turn()?.server?.generated_per_second),
        "Tokens per second while writing, as the server says.",
    )
    .distinct(),
    Column::sample(
        "stop",
        Getter::Text(|row| lent(stop_name(row.turn()?.stop)?)),
        "Why the subject stopped: `stop`, `tool_calls`, `max_tokens`, …",
    ),
    Column::sample(
        "attempts",
        Getter::Count(|row| Some(row.turn()?.attempts.into())),
        "How many HTTP requests it took.",
    ),
    Column::sample(
        "oddities",
        Getter::Text(|row| oddities(&row.turn()?.oddities)),
        "What was odd about the answer, separated by commas; null if nothing was.",
    ),
];

/// A time that was measured: logs without times have zeros.
fn known(time: Duration) -> Option<f64> {
    (!time.is_zero()).then_some(time.as_secs_f64())
}

fn oddities(found: &[Oddity]) -> Option<Cow<'static, str>> {
    let name = |oddity: &Oddity| Some(serde_json::to_value(oddity).ok()?.as_str()?.to_owned());
    let names: Vec<String> = found.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| Cow::Owned(names.join(",")))
}
