//! Whether a value is one of those accepted for an argument.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::super::python::{PythonType, contains, equal, is_empty_text};
use super::schema::{Language, ParameterSchema};
use super::{java, javascript};

/// Whether a value fits one of the alternatives, by the rule for the type of its parameter.
pub(super) fn value_fits(
    value: &Value,
    alternatives: &[Value],
    parameter: &ParameterSchema<'_>,
) -> Result<(), &'static str> {
    let value = converted(value, parameter)?;
    let Some(declared) = parameter.python else { return Err("type_error:unknown") };
    let is_variable = is_variable(&value, alternatives, declared, parameter.item_type())?;
    if !is_variable {
        let items = parameter.item_type();
        match declared {
            PythonType::Dict => return one_dict(&value, alternatives),
            PythonType::List if items == Some(PythonType::Dict) => {
                return dicts(&value, alternatives);
            }
            PythonType::Str => {
                let right = value.as_str().is_some_and(|text| text_fits(text, alternatives));
                return right.then_some(()).ok_or("value_error:string");
            }
            PythonType::List => {
                let right = alternatives.iter().any(|other| lists_equal(&value, other));
                return right.then_some(()).ok_or("value_error:list/tuple");
            }
            _ => {}
        }
    }
    contains(alternatives, &value).then_some(()).ok_or("value_error:others")
}

/// The value as the tool converts it before it looks at its type.
fn converted<'a>(
    value: &'a Value,
    parameter: &ParameterSchema<'_>,
) -> Result<Cow<'a, Value>, &'static str> {
    let text = |error| value.as_str().ok_or(error);
    match parameter.language {
        Language::Python => Ok(match (parameter.written, value.as_f64()) {
            ("float", Some(number)) if PythonType::of(value) == PythonType::Int => {
                Cow::Owned(number.into())
            }
            _ => Cow::Borrowed(value),
        }),
        Language::Java => {
            let text = text("type_error:java")?;
            let converted = java::convert(text, parameter.written, parameter.items);
            converted.map(Cow::Owned).ok_or("type_error:java")
        }
        Language::JavaScript => {
            let text = text("type_error:js")?;
            Ok(Cow::Owned(javascript::convert(text, parameter.written, parameter.items)))
        }
    }
}

/// Checks the type of a value. True if it must be compared as it is: answers may give a variable,
/// which is of another type than the parameter.
fn is_variable(
    value: &Value,
    alternatives: &[Value],
    declared: PythonType,
    items: Option<PythonType>,
) -> Result<bool, &'static str> {
    let answer_type = first_type(alternatives);
    let actual = PythonType::of(value);
    if actual == declared {
        let differs = answer_type.is_some_and(|answer| answer != declared);
        let (Some(items), Value::Array(given)) = (items, value) else { return Ok(differs) };
        let right = alternatives.iter().any(|alternative| match alternative {
            Value::Array(accepted) => {
                let accepted = first_type(accepted);
                given.iter().map(PythonType::of).all(|item| item == items || Some(item) == accepted)
            }
            // Whatever is no list, the empty text among it, lets every item pass.
            _ => true,
        });
        return right.then_some(differs).ok_or("type_error:nested");
    }
    (answer_type == Some(actual)).then_some(true).ok_or("type_error:simple")
}

/// The type of the first alternative that is not the mark of an optional argument.
fn first_type(alternatives: &[Value]) -> Option<PythonType> {
    alternatives.iter().find(|alternative| !is_empty_text(alternative)).map(PythonType::of)
}

/// A text without blanks and some punctuation, in small letters, with one kind of quotes.
fn standard(text: &str) -> String {
    let is_kept = |c: &char| !matches!(c, ' ' | ',' | '.' | '/' | '-' | '_' | '*' | '^');
    if text.is_ascii() {
        let letter = |c: char| if c == '\'' { '"' } else { c.to_ascii_lowercase() };
        return text.chars().filter(is_kept).map(letter).collect();
    }
    // What a letter becomes may depend on those around it.
    let kept: String = text.chars().filter(is_kept).collect();
    kept.to_lowercase().replace('\'', "\"")
}

/// A value with its text standardised, if it is one.
fn folded(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::String(text) if PythonType::of(value) == PythonType::Str => {
            Cow::Owned(Value::String(standard(text)))
        }
        _ => Cow::Borrowed(value),
    }
}

fn text_fits(text: &str, alternatives: &[Value]) -> bool {
    let text = standard(text);
    let texts = alternatives.iter().filter_map(Value::as_str);
    texts.map(standard).any(|alternative| alternative == text)
}

/// Item by item, in order, texts standardised. A text in the place of a list is a list of its
/// letters to Python, so that the empty text stands for the empty list.
fn lists_equal(value: &Value, alternative: &Value) -> bool {
    let Value::Array(items) = value else { return false };
    let same = |(a, b): (&Value, &Value)| equal(&folded(a), &folded(b));
    match alternative {
        Value::Array(accepted) => {
            items.len() == accepted.len() && items.iter().zip(accepted).all(same)
        }
        Value::String(text) => {
            let letters: Vec<Value> = text.chars().map(|c| Value::from(c.to_string())).collect();
            items.len() == letters.len() && items.iter().zip(&letters).all(same)
        }
        _ => false,
    }
}

/// A dictionary against alternatives that give a list of values for each key.
fn one_dict(value: &Value, alternatives: &[Value]) -> Result<(), &'static str> {
    let mut why = "dict_checker:unclear";
    let Value::Object(given) = value else { return Err(why) };
    for alternative in alternatives.iter().filter_map(Value::as_object) {
        match dict_fits(given, alternative) {
            Ok(()) => return Ok(()),
            Err(error) => why = error,
        }
    }
    Err(why)
}

fn dict_fits(
    given: &Map<String, Value>,
    accepted: &Map<String, Value>,
) -> Result<(), &'static str> {
    for (key, value) in given {
        let Some(values) = accepted.get(key) else { return Err("value_error:dict_key") };
        let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
        let value = folded(value);
        if !values.iter().any(|accepted| equal(&folded(accepted), &value)) {
            return Err("value_error:dict_value");
        }
    }
    let may_be_left_out = |values: &Value| match values {
        Value::Array(values) => values.iter().any(is_empty_text),
        // The empty text is part of every text.
        Value::String(_) => true,
        _ => false,
    };
    let missing =
        |(key, values): (&String, &Value)| !given.contains_key(key) && !may_be_left_out(values);
    if accepted.iter().any(missing) { Err("value_error:dict_key") } else { Ok(()) }
}

/// A list of dictionaries against alternatives of the same length, one by one.
fn dicts(value: &Value, alternatives: &[Value]) -> Result<(), &'static str> {
    let mut why = "list_dict_checker:unclear";
    let Value::Array(given) = value else { return Err(why) };
    for alternative in alternatives {
        let accepted = match alternative {
            Value::Array(accepted) => accepted.as_slice(),
            // A text has as many items as letters; only the empty one can be matched.
            Value::String(text) if text.is_empty() => &[],
            _ => continue,
        };
        if accepted.len() != given.len() {
            why = "value_error:list_dict_count";
            continue;
        }
        let mut each = given.iter().zip(accepted);
        let checked =
            each.try_for_each(|(given, accepted)| one_dict(given, std::slice::from_ref(accepted)));
        match checked {
            Ok(()) => return Ok(()),
            Err(error) => why = error,
        }
    }
    Err(why)
}
