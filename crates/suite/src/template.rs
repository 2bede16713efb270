//! The system prompt: a Jinja template, filled in for a variant and a case.
//!
//! A template sees `suite` (name, description), `tools` (name, description, parameters),
//! `variant` (its name), `case` (id, say, tags, group, metadata), and everything under
//! `variables`. What it does not know is an error, so that a misspelt name does not leave a
//! hole in the prompt.

mod bounds;
mod budget;
mod checks;

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value as Jinja};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, context, machinery};
use serde_json::{Map, Value};
use toolgauge_core::{Case, Tool};

use self::budget::{Budget, LARGEST};
use crate::suite::{Suite, SystemTemplate};

/// How much work one prompt may be. A prompt that lists ten thousand entities takes well below
/// a tenth of it; a template that never ends is stopped after a moment. The checks behind each
/// instruction count as well.
const FUEL: u64 = 10_000_000;

/// Why a prompt could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The template itself cannot be used with what it is given.
    #[error("the system prompt cannot be made: {message}")]
    Template {
        /// What is wrong.
        message: String,
        /// The line of the template, counted from 1.
        line: Option<usize>,
    },
    /// The suite has no such variant.
    #[error("there is no variant `{name}`")]
    UnknownVariant {
        /// The name that was asked for.
        name: String,
        /// The variants there are.
        known: Vec<String>,
    },
}

/// What the subject is told before a case: the prompt of the suite, or of the variant if it has
/// its own. `None` where there is no prompt.
///
/// Without a case, a template that asks for one is an error; see
/// [`system_depends_on_case`].
pub fn render_system(
    suite: &Suite,
    variant: Option<&str>,
    case: Option<&Case>,
    tools: &[Tool],
) -> Result<Option<String>, TemplateError> {
    let Some(template) = template_of(suite, variant)? else { return Ok(None) };
    let variables = variables_of(suite, variant);
    let mut values: Vec<(String, Jinja)> =
        variables.into_iter().map(|(key, value)| (key, Jinja::from(Serde(value)))).collect();
    values.push((
        "suite".into(),
        context! { name => suite.name.as_str(), description => suite.description.as_str() },
    ));
    values.push(("tools".into(), Jinja::from(Serde(tools))));
    values.push(("variant".into(), variant.map_or(Jinja::from(()), Jinja::from)));
    if let Some(case) = case {
        values.push(("case".into(), case_context(case)));
    }
    let text = render(&template.source, Jinja::from_pairs(values));
    text.map(Some).map_err(|error| describe(&error))
}

/// Fills a template in, within the budget of one prompt.
fn render(source: &str, values: Jinja) -> Result<String, Error> {
    let environment = environment();
    let template = environment.template_from_str(source)?;
    let plain = machinery::get_compiled_template(&template);
    let checked = checks::with_checks(&plain.instructions);
    let blocks = plain.blocks.iter().map(|(name, block)| (*name, checks::with_checks(block)));
    let blocks: BTreeMap<_, _> = blocks.collect();
    let mut text = String::new();
    let mut output = machinery::make_string_output(&mut text);
    machinery::eval(&environment, &checked, values, &blocks, &mut output, AutoEscape::None)?;
    drop(output);
    if text.len() > LARGEST {
        return Err(Error::from(ErrorKind::WriteFailure));
    }
    Ok(text)
}

/// Whether the prompt differs from case to case. Where it does not, it is made once and shared.
pub fn system_depends_on_case(suite: &Suite, variant: Option<&str>) -> Result<bool, TemplateError> {
    let Some(template) = template_of(suite, variant)? else { return Ok(false) };
    let environment = environment();
    let compiled = environment.template_from_str(&template.source);
    let names = compiled.map_err(|error| describe(&error))?.undeclared_variables(false);
    Ok(names.contains("case"))
}

fn template_of<'a>(
    suite: &'a Suite,
    variant: Option<&str>,
) -> Result<Option<&'a SystemTemplate>, TemplateError> {
    let Some(name) = variant else { return Ok(suite.system.as_ref()) };
    let variant = suite.variants.get(name).ok_or_else(|| TemplateError::UnknownVariant {
        name: name.to_owned(),
        known: suite.variants.keys().cloned().collect(),
    })?;
    Ok(variant.system.as_ref().or(suite.system.as_ref()))
}

fn variables_of(suite: &Suite, variant: Option<&str>) -> Map<String, Value> {
    let mut variables = suite.variables.clone();
    if let Some(variant) = variant.and_then(|name| suite.variants.get(name)) {
        variables.extend(variant.variables.clone());
    }
    variables
}

fn case_context(case: &Case) -> Jinja {
    context! {
        id => case.id.as_str(),
        say => case.sentence(),
        tags => Serde(&case.tags),
        group => case.group.as_deref(),
        metadata => Serde(&case.metadata),
    }
}

/// The Jinja that prompts are written in: strict about names, with Python's string methods, and
/// with JSON as models expect to see it.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // An error then names the variable that is not defined. Only errors cost more.
    environment.set_debug(true);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    bounds::bind(&mut environment, &Arc::new(Budget::new()));
    environment.set_fuel(Some(FUEL));
    let mut syntax = SyntaxConfig::builder();
    let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("these are Jinja's own delimiters"));
    environment.add_filter("tojson", to_json);
    environment
}

/// JSON as Python writes it, letters left as they are. The filter that comes with the template
/// engine escapes `<`, `>`, `&` and `'` for use in HTML, which a prompt is not.
fn to_json(value: &Jinja, indent: Option<usize>) -> Result<Jinja, Error> {
    let refuse = |error: serde_json::Error| {
        Error::new(ErrorKind::BadSerialization, "cannot be written as JSON").with_source(error)
    };
    let text = match indent {
        None => {
            let value = serde_json::to_value(value).map_err(refuse)?;
            let mut text = String::new();
            write_spaced(&value, &mut text);
            text
        }
        Some(indent) => {
            let spaces = " ".repeat(indent.min(16));
            let formatter = serde_json::ser::PrettyFormatter::with_indent(spaces.as_bytes());
            let mut bytes = Vec::new();
            let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
            serde::Serialize::serialize(value, &mut serializer).map_err(refuse)?;
            String::from_utf8(bytes).expect("JSON is UTF-8")
        }
    };
    Ok(Jinja::from(text))
}

/// `{"a": 1, "b": [1, 2]}`: a space after each comma and colon, as chat templates are trained on.
fn write_spaced(value: &Value, text: &mut String) {
    match value {
        Value::Object(object) => {
            text.push('{');
            for (index, (key, value)) in object.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write_spaced(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                write_spaced(item, text);
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn describe(error: &Error) -> TemplateError {
    let message = match error.kind() {
        ErrorKind::OutOfFuel => "it takes too long to make".to_owned(),
        ErrorKind::WriteFailure => format!("it has more than {LARGEST} bytes"),
        kind => match error.detail() {
            Some(detail) => format!("{kind}: {detail}"),
            None => kind.to_string(),
        },
    };
    TemplateError::Template { message, line: error.line() }
}

#[cfg(test)]
mod tests;
