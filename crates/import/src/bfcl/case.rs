//! A question of BFCL as a case, with tools of its own.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    ArgumentRules, Case, Expectation, ExpectedCall, ExtraArguments, Message, Pattern, ResponseKind,
    Tags, TextRule,
};

use super::Edition;
use super::functions::{AskedQuestion, Dots, OfferedFunctions, functions_of};
use super::transcript::user_messages;

/// Which questions are meant: an edition, and the name of a category.
pub(super) type Category<'a> = (Edition, &'a str);

/// A question with its accepted answers as a case. Without data only its name and category are
/// known.
pub(super) fn case(
    id: &str,
    of: Category<'_>,
    question: Option<&AskedQuestion>,
    answers: Option<Value>,
    dots: Dots,
) -> Case {
    let (_, category) = of;
    let mut tags = Tags::new();
    tags.insert("category".into(), category.to_owned());
    let is_live = category.starts_with("live");
    tags.insert("live".into(), if is_live { "yes" } else { "no" }.to_owned());
    let functions = question.and_then(|question| question.functions.as_deref());
    Case {
        id: id.into(),
        input: question.map(|question| messages(&question.asked)).unwrap_or_default(),
        tools: functions.map(|functions| functions.tools(dots)),
        expectation: expectation(of, functions, answers, dots),
        tags,
        group: group(id, category),
        ..Case::new(id, "")
    }
}

/// The first turn of a question: its messages, or the text of the first edition.
fn messages(question: &Value) -> Vec<Message> {
    match question {
        Value::String(text) => vec![Message::user(text)],
        Value::Array(turns) => turns.first().map(user_messages).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Questions of live categories that share an API are wordings of one another:
/// `live_multiple_779-173-1`.
fn group(id: &str, category: &str) -> Option<String> {
    if !category.starts_with("live") {
        return None;
    }
    let api = id.rsplit_once('_')?.1.split('-').nth(1)?;
    Some(format!("{category}_{api}"))
}

/// What toolgauge's own scorers expect, and under `more` what BFCL's rule needs.
fn expectation(
    (edition, category): Category<'_>,
    functions: Option<&OfferedFunctions>,
    answers: Option<Value>,
    dots: Dots,
) -> Expectation {
    let mut expectation = Expectation {
        rules: ArgumentRules {
            text: TextRule::Loose,
            extra: ExtraArguments::Lost,
            ..ArgumentRules::default()
        },
        ..Expectation::default()
    };
    let is_first = edition == Edition::V1;
    if category.contains("irrelevance") || (is_first && category == "relevance") {
        expectation.calls = Some(Vec::new());
    } else if category.contains("relevance") {
        expectation.response = Some(ResponseKind::Action);
    } else {
        let functions = functions.map(|functions| &functions.value);
        expectation.calls = answers.as_ref().and_then(|answers| calls(answers, functions, dots));
    }
    if let Some(functions) = functions {
        let mut own = Map::new();
        own.insert("category".into(), category.into());
        own.insert("functions".into(), functions.value.clone());
        own.insert("ground_truth".into(), answers.unwrap_or_default());
        own.insert("dots".into(), dots.name().into());
        expectation.more.insert(edition.scorer().into(), Value::Object(own));
    }
    expectation
}

/// The accepted calls. Those of several turns are written as Python code, which is not read.
fn calls(answers: &Value, functions: Option<&Value>, dots: Dots) -> Option<Vec<ExpectedCall>> {
    let call = |(name, arguments): (&String, &Value)| {
        // The first edition numbers calls of the same function: `play_1`.
        let described = functions.map(functions_of).unwrap_or_default().iter();
        let names = described.filter_map(|function| function.get("name")?.as_str());
        let name = names
            .filter(|known| name.starts_with(*known))
            .max_by_key(|known| known.len())
            .unwrap_or(name);
        let patterns = arguments.as_object()?.iter();
        let patterns = patterns.map(|(key, values)| (key.clone(), alternatives(values)));
        Some(ExpectedCall {
            name: dots.told(name),
            arguments: patterns.collect::<IndexMap<_, _>>(),
        })
    };
    match answers {
        Value::Object(golds) => golds.iter().map(call).collect(),
        Value::Array(golds) => {
            golds.iter().map(|gold| gold.as_object()?.iter().next().and_then(call)).collect()
        }
        _ => None,
    }
}

/// A list of accepted values; the empty text among them means that none need be given.
fn alternatives(values: &Value) -> Pattern {
    let Value::Array(values) = values else { return Pattern::plain(values) };
    let is_mark = |value: &&Value| **value == json!("");
    let accepted = values.iter().filter(|value| !is_mark(value));
    let mut accepted: Vec<Pattern> = accepted.map(accepted_value).collect();
    let pattern = match accepted.len() {
        0 => Pattern::Scalar(json!("")),
        1 => accepted.remove(0),
        _ => Pattern::AnyOf(accepted),
    };
    if values.iter().any(|value| is_mark(&value)) {
        Pattern::Optional(Box::new(pattern))
    } else {
        pattern
    }
}

/// An accepted value: in an object each key has a list of accepted values again.
fn accepted_value(value: &Value) -> Pattern {
    match value {
        Value::Object(object) => Pattern::Object(
            object.iter().map(|(key, values)| (key.clone(), alternatives(values))).collect(),
        ),
        Value::Array(items) => Pattern::List(items.iter().map(accepted_value).collect()),
        scalar => Pattern::Scalar(scalar.clone()),
    }
}
