//! A tool call as a subject made it, malformed ones included.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The identifier the subject gave the call; some servers give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool's name, as called.
    pub name: String,
    /// The arguments, or why there are none to speak of.
    pub arguments: Arguments,
    /// Where in the reply the call stood.
    #[serde(default, skip_serializing_if = "CallOrigin::is_structured")]
    pub origin: CallOrigin,
}

impl ToolCall {
    /// A well-formed call without an identifier.
    pub fn new(name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: Arguments::Object(arguments),
            origin: CallOrigin::Structured,
        }
    }
}

/// The arguments of a call. Malformed is not absent: a call whose arguments do not parse is
/// still a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// A JSON object, as it should be.
    Object(Map<String, Value>),
    /// Something else.
    Malformed {
        /// What was sent in place of an object.
        raw: String,
        /// Why it is not one.
        why: Malformation,
    },
}

/// Why arguments are not a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Malformation {
    /// They are not JSON; the parser's words say where it stumbled.
    NotJson(String),
    /// They are JSON of another kind: `a list`, `a number`.
    NotAnObject(String),
}

impl fmt::Display for Malformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "not JSON: {why}"),
            Self::NotAnObject(kind) => write!(f, "{kind} in place of an object"),
        }
    }
}

impl Arguments {
    /// Reads arguments from the text a subject sent.
    ///
    /// Nothing but white space counts as no arguments, because several servers send an empty
    /// string for a tool that takes none.
    pub fn from_text(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Object(Map::new());
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Self::Object(object),
            Ok(other) => Self::malformed(text, Malformation::NotAnObject(kind(&other).into())),
            Err(error) => Self::malformed(text, Malformation::NotJson(error.to_string())),
        }
    }

    /// Arguments that could not be read, with the text that was sent and the reason.
    pub fn malformed(raw: impl Into<String>, why: Malformation) -> Self {
        Self::Malformed { raw: raw.into(), why }
    }

    /// The object, if the arguments are well formed.
    pub fn as_object(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Object(object) => Some(object),
            Self::Malformed { .. } => None,
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Where in a reply a call stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallOrigin {
    /// In the reply's own field for calls.
    #[default]
    Structured,
    /// Written into the text, in a notation the server should have recognised and did not.
    Text,
}

impl CallOrigin {
    /// Whether the call stood where calls belong.
    pub fn is_structured(&self) -> bool {
        *self == Self::Structured
    }
}
