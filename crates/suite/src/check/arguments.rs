//! Holds the arguments of an expected call against the schema of the tool it calls.
//!
//! A pattern is not a value, so the schema is tried on values that the pattern accepts: the
//! plain ones as they stand, and each branch of `$any_of` in turn. Where a pattern accepts what
//! cannot be enumerated (`$regex`, `$anything`), the argument is left out and the schema's
//! complaints about its absence are ignored.

use std::collections::BTreeSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use regex::Regex;
use serde_json::{Map, Value};
use toolgauge_core::schema_cost::{self, cost, depth};
use toolgauge_core::{
    ArgumentPath, ArgumentRules, ExpectedCall, ExtraArguments, PathStep, Pattern,
};

use super::plain_schema::plainly_allows;
use super::toolbox::{OfferedTool, properties, required, unknown_argument};
use crate::trail::{Spot, SuiteFindings, Trail};

/// Checks the arguments of one expected call.
pub(super) fn check_arguments(
    call: &ExpectedCall,
    rules: &ArgumentRules,
    tool: &OfferedTool,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) {
    let schema = tool.parameters();
    for (name, pattern) in &call.arguments {
        let here = trail.key(name);
        check_rules(pattern, &here, findings);
        if let Some(hint) = unknown_argument(schema, name) {
            findings.error_with(&here, format!("`{}` takes no argument `{name}`", call.name), hint);
        } else if let Some(described) = properties(schema).get(name) {
            check_regexes(pattern, described, &here, findings);
        }
    }
    // Without arguments any will do, unless those that nobody asked for are lost.
    if call.arguments.is_empty() && rules.extra == ExtraArguments::Allowed {
        return;
    }
    for name in required(schema) {
        check_required(call, name, trail, findings);
    }
    let mut told = BTreeSet::new();
    // All choices move on together. Every combination would be far too many, and each branch is
    // seen.
    for pick in 0..call.arguments.values().map(branches).max().unwrap_or(1) {
        let mut sample = ExampleValue { pick, path: Vec::new(), holes: Vec::new() };
        let arguments = Value::Object(sample.object(&call.arguments));
        if plainly_allows(schema, &arguments) {
            continue;
        }
        let Some(validator) = tool.validator() else { return };
        if cost(schema, depth(&arguments)) > schema_cost::MOST {
            let message = format!("the schema of `{}` is too costly to apply", call.name);
            findings.error_at(trail.spot(), message, None);
            return;
        }
        for error in validator.iter_errors(&arguments) {
            let steps = steps(&error);
            if excused(&error, &steps, &sample.holes, schema) {
                continue;
            }
            let message = describe(call, &steps, &error);
            // The same complaint comes back with every branch.
            if told.insert(message.clone()) {
                let mut spot: Spot = trail.spot();
                spot.steps.extend(steps);
                findings.error_at(spot, message, value_hint(&error));
            }
        }
    }
}

fn check_required(call: &ExpectedCall, name: &str, trail: &Trail<'_>, findings: &SuiteFindings) {
    let tool = &call.name;
    match call.arguments.get(name) {
        None => {
            let hint = format!("give it, or write `{name}: {{$anything: true}}` if any will do");
            let message = format!("`{tool}` requires `{name}`, which is not among the arguments");
            findings.error_with(trail, message, hint);
        }
        Some(Pattern::Forbidden) => {
            let message = format!("`{name}` is forbidden here, but `{tool}` requires it");
            findings.error(&trail.key(name), message);
        }
        Some(Pattern::Optional(_)) => {
            let hint = "a call without it is refused by the tool".to_owned();
            let message = format!("`{name}` is optional here, but `{tool}` requires it");
            findings.warn(&trail.key(name), message, hint);
        }
        Some(_) => {}
    }
}

/// Rules that can never be met, whatever the schema.
pub(crate) fn check_rules(pattern: &Pattern, trail: &Trail<'_>, findings: &SuiteFindings) {
    match pattern {
        Pattern::Regex { regex, not } => {
            for text in [regex].into_iter().chain(not) {
                let Err(error) = Regex::new(text) else { continue };
                let error = error.to_string();
                let why = error.lines().last().unwrap_or_default();
                let why = why.strip_prefix("error: ").unwrap_or(why);
                findings.error(trail, format!("`{text}` is not a regular expression: {why}"));
            }
        }
        Pattern::Optional(inner) => match inner.as_ref() {
            Pattern::Optional(_) | Pattern::Forbidden => {
                findings.error(trail, "`$optional` says nothing here");
            }
            inner => check_rules(inner, trail, findings),
        },
        Pattern::AnyOf(branches) => {
            for (index, branch) in branches.iter().enumerate() {
                if branches[..index].contains(branch) {
                    findings
                        .error(trail, format!("branch {} of `$any_of` is there twice", index + 1));
                }
                check_rules(branch, trail, findings);
            }
        }
        Pattern::List(items) | Pattern::Items { items, .. } => {
            for (index, item) in items.iter().enumerate() {
                check_rules(item, &trail.index(index), findings);
            }
        }
        Pattern::Object(object) => {
            for (key, pattern) in object {
                check_rules(pattern, &trail.key(key), findings);
            }
        }
        _ => {}
    }
}

/// A regular expression only ever matches a string, and of an enumeration at least one.
fn check_regexes(pattern: &Pattern, schema: &Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    match pattern {
        Pattern::Regex { regex, not } => {
            let kinds = match schema.get("type") {
                Some(Value::String(kind)) => vec![kind.as_str()],
                Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            if !kinds.is_empty() && !kinds.contains(&"string") {
                let message =
                    format!("a `$regex` matches strings, but this is of type `{}`", kinds[0]);
                findings.error(trail, message);
            }
            let words = schema.get("enum").and_then(Value::as_array);
            if let (Some(words), Some(fits)) = (words, text_test(regex, not.as_deref()))
                && !words.iter().filter_map(Value::as_str).any(fits)
            {
                let words = Value::Array(words.clone());
                let but = not.as_ref().map(|not| format!(" without `{not}`")).unwrap_or_default();
                findings.error(trail, format!("`{regex}`{but} matches none of {words}"));
            }
        }
        Pattern::Optional(inner) => check_regexes(inner, schema, trail, findings),
        Pattern::AnyOf(branches) => {
            for branch in branches {
                check_regexes(branch, schema, trail, findings);
            }
        }
        _ => {}
    }
}

/// Whether a text is one that a `$regex` takes; `None` where an expression is invalid.
pub(super) fn text_test(regex: &str, not: Option<&str>) -> Option<impl Fn(&str) -> bool> {
    let regex = Regex::new(regex).ok()?;
    let not = not.map(Regex::new).transpose().ok()?;
    Some(move |text: &str| {
        regex.is_match(text) && !not.as_ref().is_some_and(|not| not.is_match(text))
    })
}

/// The most branches any `$any_of` within the pattern has.
fn branches(pattern: &Pattern) -> usize {
    let most = |patterns: &mut dyn Iterator<Item = &Pattern>| patterns.map(branches).max();
    match pattern {
        Pattern::AnyOf(patterns) => patterns.len().max(most(&mut patterns.iter()).unwrap_or(1)),
        Pattern::List(items) | Pattern::Items { items, .. } => most(&mut items.iter()).unwrap_or(1),
        Pattern::Object(object) => most(&mut object.values()).unwrap_or(1),
        Pattern::Optional(inner) => branches(inner),
        _ => 1,
    }
}

/// A value the pattern accepts, being made.
struct ExampleValue {
    /// Which branch of each `$any_of` to take.
    pick: usize,
    path: Vec<PathStep>,
    /// The places at which any of many values would do, and none was put.
    holes: Vec<Vec<PathStep>>,
}

impl ExampleValue {
    fn object<'p>(
        &mut self,
        patterns: impl IntoIterator<Item = (&'p String, &'p Pattern)>,
    ) -> Map<String, Value> {
        let mut object = Map::new();
        for (key, pattern) in patterns {
            self.path.push(PathStep::Key(key.clone()));
            if let Some(value) = self.value(pattern) {
                object.insert(key.clone(), value);
            }
            self.path.pop();
        }
        object
    }

    fn value(&mut self, pattern: &Pattern) -> Option<Value> {
        match pattern {
            Pattern::Scalar(value) | Pattern::Exact(value) => Some(value.clone()),
            Pattern::Text(text) => Some(Value::String(text.clone())),
            Pattern::Number { number, .. } => Some(Value::Number(number.clone())),
            Pattern::Object(object) => Some(Value::Object(self.object(object))),
            Pattern::List(items) | Pattern::Items { items, .. } => self.list(items),
            Pattern::AnyOf(branches) => {
                let branch = branches.get(self.pick).or(branches.last())?;
                self.value(branch)
            }
            Pattern::Optional(inner) => self.value(inner),
            Pattern::Forbidden => None,
            Pattern::Regex { .. } | Pattern::Anything => {
                self.holes.push(self.path.clone());
                None
            }
        }
    }

    /// A list with a hole in it is a hole as a whole, because positions and lengths count.
    fn list(&mut self, items: &[Pattern]) -> Option<Value> {
        let holes = self.holes.len();
        let list: Vec<Value> = items.iter().filter_map(|item| self.value(item)).collect();
        if self.holes.len() > holes {
            self.holes.truncate(holes);
            self.holes.push(self.path.clone());
            return None;
        }
        Some(Value::Array(list))
    }
}

fn steps(error: &ValidationError<'_>) -> Vec<PathStep> {
    let step = |segment| match segment {
        LocationSegment::Property(key) => PathStep::Key(key.to_string()),
        LocationSegment::Index(index) => PathStep::Index(index),
    };
    error.instance_path().segments().map(step).collect()
}

/// Whether a complaint is told elsewhere, or is only about what was left out of the sample.
fn excused(
    error: &ValidationError<'_>,
    steps: &[PathStep],
    holes: &[Vec<PathStep>],
    schema: &Value,
) -> bool {
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            // At the top, what is required was looked at before.
            let mut missing = steps.to_vec();
            missing.push(PathStep::Key(name.to_owned()));
            (steps.is_empty() && required(schema).any(|known| known == name))
                || holes.contains(&missing)
        }
        ValidationErrorKind::AdditionalProperties { .. } => steps.is_empty(),
        // Any complaint about something that contains a hole may be due to what was left out of it.
        _ => holes.iter().any(|hole| hole.starts_with(steps)),
    }
}

fn describe(call: &ExpectedCall, steps: &[PathStep], error: &ValidationError<'_>) -> String {
    if steps.is_empty() {
        return format!("`{}` would refuse this call: {error}", call.name);
    }
    let path = ArgumentPath(steps.to_vec());
    format!("`{}` would refuse this `{path}`: {error}", call.name)
}

/// What would be right, where it is only a matter of quotes.
fn value_hint(error: &ValidationError<'_>) -> Option<String> {
    let ValidationErrorKind::Type { .. } = error.kind() else { return None };
    match error.instance().as_ref() {
        Value::String(text) if text.parse::<f64>().is_ok() => {
            Some(format!("write it without quotes: {text}"))
        }
        value @ (Value::Number(_) | Value::Bool(_)) => {
            let text = error.to_string();
            text.contains("\"string\"").then(|| format!("put it in quotes: \"{value}\""))
        }
        _ => None,
    }
}
