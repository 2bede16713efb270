//! Any two lists of calls, in both ways of pairing: scores stay in range, and losses add up.
//!
//! The input is two JSON documents with a zero byte between them: what is expected and what was
//! done, each a list of `{"name": …, "arguments": …}`. Run with
//! `cargo +nightly fuzz run scorers`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use toolgauge_core::{ArgumentRules, Arguments, ExpectedCall, Pattern, ToolCall};
use toolgauge_import::python_json::parse;
use toolgauge_score::PartialScorer;

fn calls(text: &[u8]) -> Vec<(String, Value)> {
    let Ok(Value::Array(items)) = parse(text) else { return Vec::new() };
    let call = |mut item: Value| {
        let name = item["name"].as_str().unwrap_or_default().to_owned();
        (name, item.get_mut("arguments").map(Value::take).unwrap_or_default())
    };
    items.into_iter().filter(Value::is_object).map(call).collect()
}

fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(2, |byte| *byte == 0);
    let expected = calls(parts.next().unwrap_or_default());
    let made = calls(parts.next().unwrap_or_default());
    let expected: Vec<ExpectedCall> = expected
        .into_iter()
        .map(|(name, arguments)| {
            let members = arguments.as_object().cloned().unwrap_or_default().into_iter();
            let arguments = members
                .map(|(key, value)| {
                    let plain = Pattern::plain(&value);
                    (key, Pattern::try_from(value).unwrap_or(plain))
                })
                .collect();
            ExpectedCall { name, arguments }
        })
        .collect();
    let made: Vec<ToolCall> = made
        .into_iter()
        .map(|(name, arguments)| match arguments {
            Value::Object(object) => ToolCall::new(name, object),
            other => ToolCall {
                arguments: Arguments::from_text(&other.to_string()),
                ..ToolCall::new(name, serde_json::Map::new())
            },
        })
        .collect();
    for scorer in [PartialScorer::tau(), PartialScorer::assignment()] {
        let score = scorer.score(&expected, &ArgumentRules::default(), &made);
        assert!((0.0..=1.0).contains(&score.value), "{score:?}");
        let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
        assert!((score.value + lost - 1.0).abs() < 1e-6, "{score:?}");
    }
});
