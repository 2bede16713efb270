//! How an expectation is written: calls, the kind of response, other ways that are right, and
//! the answer in words.

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{
    Alternative, ArgumentRules, Expectation, ExpectedCall, Pattern, PatternError, ResponseKind,
};

use crate::answer_form::read_answer;
use crate::fields::{FieldNames, ObjectFields, kind};
use crate::more_form::check_more;
use crate::nearest::suggest;
use crate::trail::{SuiteFindings, Trail};

pub(crate) static EXPECTATION: FieldNames = FieldNames {
    noun: "an expectation",
    fields: &[
        "call",
        "calls",
        "no_calls",
        "response",
        "alternatives",
        "order",
        "rules",
        "answer",
        "more",
    ],
    synonyms: &[
        ("tool", "call"),
        ("tools", "calls"),
        ("tool_calls", "calls"),
        ("alternative", "alternatives"),
        ("kind", "response"),
        ("keywords", "answer"),
        ("documents", "answer"),
        ("reference", "answer"),
    ],
};

pub(crate) static ALTERNATIVE: FieldNames = FieldNames {
    noun: "an alternative",
    fields: &["call", "calls", "no_calls", "response", "quality", "reason"],
    synonyms: &[("tool_calls", "calls"), ("tool", "call"), ("why", "reason")],
};

pub(crate) static EXPECTED_CALL: FieldNames = FieldNames {
    noun: "an expected call",
    fields: &["tool", "arguments"],
    synonyms: &[
        ("name", "tool"),
        ("function", "tool"),
        ("args", "arguments"),
        ("parameters", "arguments"),
        ("params", "arguments"),
    ],
};

pub(crate) static RULES: FieldNames = FieldNames {
    noun: "a set of rules",
    fields: &["text", "tolerance", "lists", "extra"],
    synonyms: &[("strings", "text"), ("numbers", "tolerance"), ("list", "lists")],
};

pub(crate) const RESPONSES: &[&str] = &["action", "query", "text", "clarification", "error"];
pub(crate) const ORDERS: &[&str] = &["any", "strict", "subsequence"];
pub(crate) const QUALITIES: &[&str] = &["optimal", "equivalent", "acceptable", "degraded"];
pub(crate) const TEXT_RULES: &[&str] = &["exact", "loose"];
pub(crate) const LIST_RULES: &[&str] = &["ordered", "set"];
pub(crate) const EXTRA_RULES: &[&str] = &["allowed", "lost"];

/// Reads what a case demands.
pub(crate) fn read_expectation(
    value: Value,
    rules: ArgumentRules,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Expectation> {
    let mut fields = ObjectFields::open(value, &EXPECTATION, trail, findings)?;
    let response: Option<ResponseKind> = fields.choice("response", RESPONSES);
    let calls = read_calls(&mut fields).or_else(|| {
        // A response that calls no tools says so itself.
        response.filter(|kind| !kind.calls_tools()).map(|_| Vec::new())
    });
    let items = fields.list("alternatives").unwrap_or_default();
    let here = trail.key("alternatives");
    let items = items.into_iter().enumerate();
    let alternatives = compact(
        items.filter_map(|(index, item)| read_alternative(item, &here.index(index), findings)),
    );
    let order = fields.choice("order", ORDERS).unwrap_or_default();
    let rules = match fields.take("rules") {
        Some(value) => read_rules(value, rules, &trail.key("rules"), findings),
        None => rules,
    };
    let answer = fields
        .take("answer")
        .and_then(|value| read_answer(value, &trail.key("answer"), findings))
        .map(Box::new);
    let more = fields.object("more").unwrap_or_default();
    check_more(&more, &trail.key("more"), findings);
    let more = more.into();
    Some(Expectation { calls, response, alternatives, order, rules, answer, more })
}

fn read_alternative(
    value: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Alternative> {
    let mut fields = ObjectFields::open(value, &ALTERNATIVE, trail, findings)?;
    let response: Option<ResponseKind> = fields.choice("response", RESPONSES);
    // Asked before the calls are read, which takes the fields out.
    let given = ["call", "calls", "no_calls"].iter().any(|key| fields.has(key));
    let calls = read_calls(&mut fields);
    let without_calls = response.is_some_and(|kind| !kind.calls_tools());
    if !given && !without_calls {
        let hint = "write `call`, `calls` or `no_calls: true`".to_owned();
        findings.error_with(trail, "an alternative says which calls it makes", hint);
    }
    Some(Alternative {
        calls: calls.unwrap_or_default(),
        response,
        quality: fields.choice("quality", QUALITIES).unwrap_or_default(),
        reason: fields.text("reason"),
    })
}

/// Reads `call`, `calls` or `no_calls`, of which only one may be given.
fn read_calls(fields: &mut ObjectFields<'_>) -> Option<Vec<ExpectedCall>> {
    let (trail, findings) = (fields.trail, fields.findings);
    let given: Vec<&str> =
        ["call", "calls", "no_calls"].into_iter().filter(|key| fields.has(key)).collect();
    if let [first, second, ..] = given[..] {
        let hint = "keep one of them".to_owned();
        let message = format!("`{first}` and `{second}` contradict each other");
        findings.error_with(&trail.key(second), message, hint);
    }
    match *given.first()? {
        "call" => {
            let call = fields.take("call")?;
            Some(read_call(call, &trail.key("call"), findings).into_iter().collect())
        }
        "calls" => {
            let items = fields.list("calls")?.into_iter().enumerate();
            let here = trail.key("calls");
            let read = |(index, item)| read_call(item, &here.index(index), findings);
            Some(compact(items.filter_map(read)))
        }
        _ => {
            let none = fields.flag("no_calls")?.then(Vec::new);
            if none.is_none() {
                let hint = "leave it out where calls may be made".to_owned();
                findings.error_with(&trail.key("no_calls"), "`no_calls` can only be `true`", hint);
            }
            none
        }
    }
}

/// A list without room to grow: there may be hundreds of thousands, of one item each.
fn compact<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = items.collect();
    list.shrink_to_fit();
    list
}

/// Reads one expected call: a tool's name alone, or with its arguments.
fn read_call(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<ExpectedCall> {
    if let Value::String(name) = value {
        return Some(ExpectedCall { name, arguments: IndexMap::new() });
    }
    let mut fields = ObjectFields::open(value, &EXPECTED_CALL, trail, findings)?;
    let name = fields.required_text("tool", "name the tool that should be called");
    let object = fields.object("arguments").unwrap_or_default();
    let here = trail.key("arguments");
    let mut arguments = IndexMap::with_capacity(object.len());
    for (key, value) in object {
        if Pattern::RULES.contains(&key.as_str()) {
            let hint = "to accept any arguments, leave `arguments` out".to_owned();
            let message = format!("`{key}` is a rule for one argument, not for all of them");
            findings.error_with(&here.key(&key), message, hint);
        } else if let Some(pattern) = read_pattern(value, &here.key(&key), findings) {
            arguments.insert(key, pattern);
        }
    }
    Some(ExpectedCall { name: name?, arguments })
}

fn read_pattern(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Pattern> {
    // A plain value needs no second look; only what holds a rule can fail.
    match value {
        Value::Object(_) | Value::Array(_) => match Pattern::try_from(value.clone()) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                blame(&value, &error, trail, findings);
                None
            }
        },
        scalar => Some(Pattern::Scalar(scalar)),
    }
}

/// Notes a bad rule at the innermost value that has it.
fn blame(value: &Value, error: &PatternError, trail: &Trail<'_>, findings: &SuiteFindings) {
    let fails = |value: &Value| Pattern::try_from(value.clone()).err();
    match value {
        Value::Object(object) => {
            // Below `$exact` stands a plain value, in which nothing is a rule.
            for (key, inner) in object.iter().filter(|(key, _)| *key != "$exact") {
                if let Some(error) = fails(inner) {
                    return blame(inner, &error, &trail.key(key), findings);
                }
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                if let Some(error) = fails(inner) {
                    return blame(inner, &error, &trail.index(index), findings);
                }
            }
        }
        _ => {}
    }
    let hint = match error {
        PatternError::UnknownRule { rule } => suggest(rule, "rules", &Pattern::RULES),
        PatternError::StrayKey { .. } => {
            Some("an object with a key that starts with `$` is a rule of its own".to_owned())
        }
        PatternError::WrongOperand { .. } => None,
    };
    findings.error_with(trail, error.to_string(), hint);
}

/// Reads how plain arguments are compared, on top of what applies anyway.
pub(crate) fn read_rules(
    value: Value,
    defaults: ArgumentRules,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> ArgumentRules {
    if !value.is_object() {
        let message = format!("`rules` is {}, but should be a mapping", kind(&value));
        let hint = "write `rules: {text: loose, tolerance: 0.01}`".to_owned();
        findings.error_with(trail, message, hint);
        return defaults;
    }
    let Some(mut fields) = ObjectFields::open(value, &RULES, trail, findings) else {
        return defaults;
    };
    ArgumentRules {
        text: fields.choice("text", TEXT_RULES).unwrap_or(defaults.text),
        tolerance: fields.amount("tolerance").unwrap_or(defaults.tolerance),
        lists: fields.choice("lists", LIST_RULES).unwrap_or(defaults.lists),
        extra: fields.choice("extra", EXTRA_RULES).unwrap_or(defaults.extra),
    }
}
