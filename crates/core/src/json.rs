//! What JSON values need beyond `serde_json`: a path into them, and room for the scalars that
//! only Python writes.
//!
//! Python's `json` module reads and writes `NaN`, `Infinity`, integers of any size and lone
//! surrogates. [`serde_json::Value`] can hold none of these, so a reader of Python's files puts
//! a *stand-in* in their place: a string behind [`STAND_IN`], a noncharacter that no text
//! contains. Stand-ins are equal exactly when the scalars they stand for are, which is all that
//! scoring asks of a scalar.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first character of a stand-in: the last code point, which Unicode keeps out of all text.
pub const STAND_IN: char = '\u{10FFFF}';

/// The stand-in for a number that JSON proper cannot write: `NaN`, `-Infinity`, `10…0`.
pub fn number_stand_in(text: &str) -> Value {
    Value::String(format!("{STAND_IN}{text}"))
}

/// Whether a value stands for `NaN`, which Python holds unequal to itself.
pub fn is_nan(value: &Value) -> bool {
    matches!(value, Value::String(text) if text.strip_prefix(STAND_IN) == Some("NaN"))
}

/// Where in a call's arguments something is: `passengers[0].first_name`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgumentPath(pub Vec<PathStep>);

/// One step of an [`ArgumentPath`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    /// Into an object, by key.
    Key(String),
    /// Into a list, by position.
    Index(usize),
}

impl ArgumentPath {
    /// Whether the path leads to the arguments as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path with positions in lists left open, so that losses can be counted by argument:
    /// `passengers[].first_name`.
    pub fn without_positions(&self) -> String {
        self.render(|_| String::from("[]"))
    }

    fn render(&self, position: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                PathStep::Key(key) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(key);
                }
                PathStep::Index(index) => text.push_str(&position(*index)),
            }
        }
        text
    }
}

impl fmt::Display for ArgumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(|index| format!("[{index}]")))
    }
}

impl Serialize for ArgumentPath {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|step| match step {
            PathStep::Key(key) => Value::from(key.as_str()),
            PathStep::Index(index) => Value::from(*index),
        }))
    }
}

impl<'de> Deserialize<'de> for ArgumentPath {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let steps = Vec::<Value>::deserialize(from)?;
        let step = |value: Value| match value {
            Value::String(key) => Ok(PathStep::Key(key)),
            Value::Number(number) => number
                .as_u64()
                .and_then(|index| usize::try_from(index).ok())
                .map(PathStep::Index)
                .ok_or("a position in a list is a whole number"),
            _ => Err("a path is made of keys and positions"),
        };
        let steps: Result<_, _> = steps.into_iter().map(step).collect();
        steps.map(ArgumentPath).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> ArgumentPath {
        ArgumentPath(vec![
            PathStep::Key("passengers".into()),
            PathStep::Index(0),
            PathStep::Key("first_name".into()),
        ])
    }

    #[test]
    fn a_path_reads_like_code() {
        assert_eq!(path().to_string(), "passengers[0].first_name");
        assert_eq!(path().without_positions(), "passengers[].first_name");
    }

    #[test]
    fn a_path_survives_being_written() {
        let text = serde_json::to_string(&path()).unwrap();
        assert_eq!(text, r#"["passengers",0,"first_name"]"#);
        assert_eq!(serde_json::from_str::<ArgumentPath>(&text).unwrap(), path());
    }

    #[test]
    fn only_the_stand_in_for_nan_is_nan() {
        assert!(is_nan(&number_stand_in("NaN")));
        assert!(!is_nan(&number_stand_in("Infinity")));
        assert!(!is_nan(&Value::from("NaN")));
    }
}
