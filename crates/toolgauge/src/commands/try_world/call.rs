//! Calls that are typed: one a line.

use std::io::{self, BufRead};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;

/// One line of input.
pub(super) struct CallInput {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) from: Speaker,
    /// Whether it goes on from what earlier calls did.
    pub(super) continues: bool,
}

/// From where a call is spoken.
#[derive(Debug, PartialEq)]
pub(super) enum Speaker {
    /// From where all are.
    AsAll,
    /// From a satellite.
    Satellite(String),
    /// From no device.
    Nobody,
}

impl Speaker {
    /// The satellite that is spoken to, if one is.
    pub(super) fn satellite<'a>(&'a self, usual: Option<&'a str>) -> Option<&'a str> {
        match self {
            Self::AsAll => usual,
            Self::Satellite(name) => Some(name),
            Self::Nobody => None,
        }
    }
}

/// Reads one call per line and prints one line for each.
pub(super) fn each_call<T: Serialize>(
    printer: &mut Printer,
    mut tried: impl FnMut(CallInput) -> Result<T, TryFailure>,
) -> Result<ExitStatus, Failure> {
    for (at, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let call =
            CallInput::read(&line).map_err(|why| TryFailure::NotACall { line: at + 1, why })?;
        let written = serde_json::to_string(&tried(call)?).map_err(io::Error::from)?;
        printer.print(&format!("{}\n", on_one_line(&written)))?;
    }
    Ok(ExitStatus::Done)
}

/// JSON without the characters that some readers take for the end of a line. They occur within
/// texts only, where an escape means the same.
fn on_one_line(json: &str) -> String {
    let breaks = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    breaks
        .iter()
        .fold(json.to_owned(), |json, (character, escape)| json.replace(*character, escape))
}

impl CallInput {
    fn read(line: &str) -> Result<Self, String> {
        let mut call: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Some(Value::String(tool)) = call.remove("tool") else {
            return Err("it needs a `tool`".to_owned());
        };
        // Suites and models write `arguments`; a call without them would be another one.
        let arguments = match (call.remove("args"), call.remove("arguments")) {
            (Some(_), Some(_)) => return Err("`args` and `arguments` are the same".to_owned()),
            (None | Some(Value::Null), None) | (None, Some(Value::Null)) => Map::new(),
            (Some(Value::Object(given)), None) | (None, Some(Value::Object(given))) => given,
            (Some(_), None) => return Err("`args` must be a mapping".to_owned()),
            (None, Some(_)) => return Err("`arguments` must be a mapping".to_owned()),
        };
        let from = match call.remove("satellite") {
            None => Speaker::AsAll,
            Some(Value::Null) => Speaker::Nobody,
            Some(Value::String(name)) => Speaker::Satellite(name),
            Some(_) => return Err("`satellite` must be a name or null".to_owned()),
        };
        let continues = call.remove("continues_previous_state") == Some(Value::Bool(true));
        Ok(Self { tool, arguments, from, continues })
    }
}

#[cfg(test)]
mod tests {
    use super::{CallInput, Speaker};

    #[test]
    fn a_line_needs_a_tool_and_may_say_more() {
        let call = CallInput::read(r#"{"tool": "a", "satellite": null, "note": "x"}"#).unwrap();
        assert_eq!((call.tool.as_str(), call.from, call.continues), ("a", Speaker::Nobody, false));
        assert_eq!(CallInput::read("{}").err().as_deref(), Some("it needs a `tool`"));
        assert!(CallInput::read("turn it on").is_err());
    }

    #[test]
    fn arguments_go_by_either_name() {
        for name in ["args", "arguments"] {
            let line = format!(r#"{{"tool": "a", "{name}": {{"b": 1}}}}"#);
            assert_eq!(CallInput::read(&line).unwrap().arguments["b"], 1, "{line}");
            let line = format!(r#"{{"tool": "a", "{name}": [1]}}"#);
            assert!(CallInput::read(&line).is_err(), "{line}");
        }
        assert!(CallInput::read(r#"{"tool": "a", "args": {}, "arguments": {}}"#).is_err());
    }
}
