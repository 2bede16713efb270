//! The things an answer may name, and which of them it must.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// The things there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Candidates {
    /// They are not known, so that no other thing can be told from the right ones.
    #[default]
    Open,
    /// These, each with all names it goes by.
    Listed(Vec<Vec<String>>),
    /// A list of the suite, by its name under `more.reply.candidates`.
    Named(String),
    /// The things of the world that have these properties, as the world names them.
    Picked(IndexMap<String, String>),
}

/// Which of the things there are an answer must name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// These, each with all names it goes by.
    Listed(Vec<Vec<String>>),
    /// Those of the world that have these properties when the calls are done: `state`.
    Picked(IndexMap<String, String>),
}

impl Candidates {
    /// The lists that a suite gives by name, for all its cases.
    pub fn lists(value: &Value) -> Result<IndexMap<String, Vec<Vec<String>>>, String> {
        let Value::Object(lists) = value else {
            return Err("`candidates` maps names to lists of things".to_owned());
        };
        let list = |(name, value): (&String, &Value)| {
            let things = things(value).ok_or_else(|| format!("`{name}` is a list of names"))?;
            Ok((name.clone(), things))
        };
        lists.iter().map(list).collect()
    }

    pub(super) fn from_value(value: Option<Value>) -> Result<Self, String> {
        const FORM: &str = "`of` is a list of names, the name of a list, or properties of things";
        match value {
            None => Ok(Self::Open),
            Some(Value::String(name)) => Ok(Self::Named(name)),
            Some(Value::Object(object)) => {
                properties(&object).map(Self::Picked).ok_or(FORM.to_owned())
            }
            Some(list @ Value::Array(_)) => things(&list).map(Self::Listed).ok_or(FORM.to_owned()),
            Some(_) => Err(FORM.to_owned()),
        }
    }

    pub(super) fn to_value(&self) -> Option<Value> {
        match self {
            Self::Open => None,
            Self::Listed(things) => Some(written(things)),
            Self::Named(name) => Some(json!(name)),
            Self::Picked(properties) => Some(json!(properties)),
        }
    }
}

impl Members {
    pub(super) fn from_value(value: Value) -> Result<Self, String> {
        const FORM: &str = "`set` is a list of names, or properties of things such as `state`";
        match value {
            Value::Object(object) => properties(&object).map(Self::Picked).ok_or(FORM.to_owned()),
            list @ Value::Array(_) => things(&list).map(Self::Listed).ok_or(FORM.to_owned()),
            _ => Err(FORM.to_owned()),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Listed(things) => written(things),
            Self::Picked(properties) => json!(properties),
        }
    }
}

/// Things, each written as its name or as a list of all its names.
fn things(value: &Value) -> Option<Vec<Vec<String>>> {
    value.as_array()?.iter().map(names).collect()
}

/// A name alone, or several names of one thing.
pub(super) fn names(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Value::Array(items) if !items.is_empty() => items.iter().map(text).collect(),
        one => Some(vec![text(one)?]),
    }
}

fn written(things: &[Vec<String>]) -> Value {
    things.iter().map(|names| written_names(names)).collect()
}

/// Names as they are written: one alone as a text.
pub(super) fn written_names(names: &[String]) -> Value {
    match names {
        [one] => json!(one),
        several => json!(several),
    }
}

fn properties(object: &Map<String, Value>) -> Option<IndexMap<String, String>> {
    let property = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.into()));
    object.iter().map(property).collect()
}
