//! Reads how answers are sampled.

use serde_json::Value;

use crate::fields::{FieldNames, ObjectFields};
use crate::suite::Sampling;
use crate::suite_reader::SuiteReader;
use crate::trail::Trail;

pub(crate) static SAMPLING: FieldNames = FieldNames {
    noun: "sampling",
    fields: &[
        "temperature",
        "top_p",
        "max_tokens",
        "seed",
        "tool_choice",
        "parallel_tool_calls",
        "extra",
    ],
    synonyms: &[],
};

/// Reads the sampling of a suite, a variant or a model.
pub(crate) fn read_sampling(
    value: Option<Value>,
    trail: &Trail<'_>,
    reader: &SuiteReader,
) -> Sampling {
    let Some(value) = value else { return Sampling::default() };
    let Some(mut fields) = ObjectFields::open(value, &SAMPLING, trail, &reader.findings) else {
        return Sampling::default();
    };
    Sampling {
        temperature: fields.amount("temperature"),
        top_p: fields.amount("top_p"),
        max_tokens: fields.whole("max_tokens", 1),
        seed: fields.whole("seed", 0),
        tool_choice: fields.take("tool_choice"),
        parallel_tool_calls: fields.flag("parallel_tool_calls"),
        extra: fields.object("extra").unwrap_or_default(),
    }
}
