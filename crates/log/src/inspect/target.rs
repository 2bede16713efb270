//! What is expected and what was answered, each in a line, as Inspect shows them in its columns.
//!
//! Inspect renders both as Markdown with mathematics between dollar signs. Calls are therefore
//! written as code: a `$` in them stays one.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;
use toolgauge_core::{
    Arguments, Expectation, ExpectedAnswer, ExpectedCall, ExpectedFact, Keyword, ToolCall, Trial,
};

use crate::summary::shortened;

/// No further call is named beyond so many bytes.
const LONGEST: usize = 500;

/// What is expected, as a person reads it beside the answer.
pub(crate) fn target(expectation: &Expectation) -> String {
    let calls = expectation.calls.as_deref().unwrap_or_default();
    let mut line = in_a_line(calls.iter().map(expected_call));
    let words = expectation.answer.as_deref().map(expected_words).unwrap_or_default();
    if !words.is_empty() {
        let gap = if line.is_empty() { "" } else { ", then: " };
        line = line + gap + &words;
    }
    match (line.is_empty(), expectation.response) {
        (false, _) => line,
        (true, Some(response)) => response.name().into(),
        // An empty list of calls says that none may be made; no list says nothing.
        (true, None) if expectation.calls.is_some() => "no call".into(),
        (true, None) => String::new(),
    }
}

/// What the subject answered, in one line, as what was expected: words, calls and then words, or
/// calls. What is missing of these is replaced by the other.
pub(crate) fn answer(trial: &Trial) -> String {
    let expectation = &trial.case.expectation;
    let words = shortened(trial.transcript.final_text());
    let calls = in_a_line(trial.transcript.calls().map(made_call));
    match (expectation.calls.is_some(), expectation.answer.is_some()) {
        (_, _) if words.is_empty() => calls,
        (_, _) if calls.is_empty() => words.to_owned(),
        (false, true) => words.to_owned(),
        (true, true) => format!("{calls}, then: {words}"),
        (_, false) => calls,
    }
}

/// The part of such a line that a list shows. Code that is cut off is closed.
pub(crate) fn shortened_line(line: &str) -> Cow<'_, str> {
    let shown = shortened(line);
    let is_open = shown.matches('`').count() % 2 == 1;
    if shown.len() < line.len() && is_open {
        Cow::Owned(format!("{shown}…`"))
    } else {
        Cow::Borrowed(shown)
    }
}

fn in_a_line(calls: impl Iterator<Item = String>) -> String {
    let mut line = String::new();
    for call in calls {
        if line.len() > LONGEST {
            line.push('…');
            break;
        }
        let gap = if line.is_empty() { "" } else { "; " };
        line = line + gap + &call;
    }
    line
}

fn expected_call(call: &ExpectedCall) -> String {
    let arguments = serde_json::to_value(&call.arguments).expect("arguments are plain data");
    code(&call.name, &without_rule_signs(arguments).to_string())
}

fn made_call(call: &ToolCall) -> String {
    match &call.arguments {
        Arguments::Object(object) => {
            code(&call.name, &serde_json::to_string(object).expect("an object is plain data"))
        }
        Arguments::Malformed { raw, .. } => code(&call.name, &format!("(malformed: {raw})")),
    }
}

/// A call as code. Its own backticks would end the code.
fn code(name: &str, arguments: &str) -> String {
    format!("`{}`", format!("{name}{arguments}").replace('`', "'"))
}

/// The same patterns with `regex` for `$regex`.
fn without_rule_signs(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (key.trim_start_matches('$').to_owned(), without_rule_signs(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_rule_signs).collect(),
        value => value,
    }
}

/// A right answer, or else what it must say.
fn expected_words(answer: &ExpectedAnswer) -> String {
    if let Some(reference) = answer.reference.as_deref().filter(|text| !text.is_empty()) {
        return reference.to_owned();
    }
    let keywords = answer.keywords.iter().map(|keyword| match keyword {
        Keyword::Text(text) => text.clone(),
        Keyword::AnyOf(texts) => texts.join(" or "),
        Keyword::Not(text) => format!("not {text}"),
        Keyword::Regex(pattern) => format!("`{pattern}`"),
    });
    let facts = answer.facts.iter().map(fact);
    let mut line = facts.chain(keywords).collect::<Vec<_>>().join(", ");
    if line.is_empty() {
        let tools = answer.tools.iter().flatten().map(|tool| format!("`{tool}`"));
        line = tools.collect::<Vec<_>>().join(", ");
    }
    line
}

/// A fact by what must be said, without the rules by which it is found.
fn fact(fact: &ExpectedFact) -> String {
    let value = serde_json::to_value(fact).expect("facts are plain data");
    let Value::Object(fields) = &value else { return value.to_string() };
    let shown = |key: &str| {
        Some(match fields.get(key)? {
            Value::String(text) => text.clone(),
            Value::Bool(true) if key == "truth" => "yes".to_owned(),
            Value::Bool(false) if key == "truth" => "no".to_owned(),
            // As people write numbers: 50, not 50.0.
            Value::Number(number) if number.is_f64() => {
                number.as_f64().unwrap_or_default().to_string()
            }
            value => value.to_string(),
        })
    };
    let kind = ExpectedFact::TYPES.into_iter().find_map(shown);
    let mut line = kind.unwrap_or_else(|| format!("`{value}`"));
    if let Some(unit) = shown("unit") {
        let _ = write!(line, " {unit}");
    }
    line
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use indexmap::IndexMap;
    use jiff::Timestamp;
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Case, Message, Transcript};

    use super::*;

    fn target_of(expectation: Value) -> String {
        target(&serde_json::from_value(expectation).unwrap())
    }

    #[test]
    fn rules_lose_their_sign_and_calls_are_code() {
        let call = json!({"name": "order", "arguments": {"date": {"$regex": "^2026$"}}});
        assert_eq!(target_of(json!({"calls": [call]})), r#"`order{"date":{"regex":"^2026$"}}`"#);
        assert_eq!(target_of(json!({"calls": []})), "no call");
    }

    #[test]
    fn answers_in_words_have_a_target() {
        let reference = json!({"answer": {"reference": "The rent is $68."}});
        assert_eq!(target_of(reference), "The rent is $68.");
        let keywords = json!(["68", {"any_of": ["a day", "per day"]}, {"not": "680"}]);
        let facts = json!([{"truth": true}, {"number": 68.0, "unit": "dollars"}]);
        let found = target_of(json!({"answer": {"keywords": keywords, "facts": facts}}));
        assert_eq!(found, "yes, 68 dollars, 68, a day or per day, not 680");
    }

    #[test]
    fn an_answer_is_shown_as_it_is_expected() {
        let of = |expectation: Value| {
            let mut case = Case::new("price", "What does it cost?");
            case.expectation = serde_json::from_value(expectation).unwrap();
            let call = ToolCall::new("find", serde_json::Map::new());
            let message =
                AssistantMessage { content: "$18".into(), calls: vec![call], ..Default::default() };
            let messages = vec![Message::Assistant(message)];
            answer(&Trial {
                case: Arc::new(case),
                number: 1,
                started: Timestamp::UNIX_EPOCH,
                ended: Timestamp::UNIX_EPOCH,
                transcript: Transcript { messages, ..Transcript::default() },
                outcomes: IndexMap::new(),
            })
        };
        let (words, calls) = (json!({"keywords": ["$18"]}), json!([{"name": "find"}]));
        assert_eq!(of(json!({"answer": words})), "$18");
        assert_eq!(of(json!({"calls": calls})), "`find{}`");
        assert_eq!(of(json!({"answer": words, "calls": calls})), "`find{}`, then: $18");
    }

    #[test]
    fn code_that_is_cut_off_is_closed() {
        let line = format!("`order{}`", "x".repeat(300));
        let shown = shortened_line(&line);
        assert!(shown.ends_with("x…`") && shown.matches('`').count() == 2, "{shown}");
        assert_eq!(shortened_line("`short`"), "`short`");
    }
}
