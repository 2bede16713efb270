//! YAML and JSON that people write: suites, homes, plans.
//!
//! Every such file is read by [`parse_json`] or [`parse_yaml`], so that a word, a number or a key
//! given twice means the same wherever it is written. Places are looked up apart ([`Positions`]),
//! because most files have no problem that needs one; [`Node`] has a line for every value.

mod node;
mod positions;
mod strict;

use serde_json::Value;

pub use node::Node;
pub use positions::{Place, Positions};

use strict::Strict;

/// Why a text is not a document, and where.
#[derive(Debug)]
pub struct SyntaxProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
}

/// Text from bytes, without the mark some editors put in front.
pub fn text(bytes: &[u8]) -> Result<&str, SyntaxProblem> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        SyntaxProblem { line, column: None, message: "this is not UTF-8 text".into() }
    })
}

/// Parses one JSON value.
pub fn parse_json(text: &str) -> Result<Value, SyntaxProblem> {
    serde_json::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| SyntaxProblem {
        line: error.line(),
        column: Some(error.column()).filter(|column| *column > 0),
        message: without_place(&error.to_string()),
    })
}

/// How deep brackets may be nested in YAML. No suite comes near it; the parsers take time that
/// grows with the square of the depth, and refuse such a text only in the end.
const DEEPEST: usize = 500;

/// Where brackets, or the dashes of lists within lists, are nested too deeply. Brackets within
/// texts count as well, which only matters where hundreds of them are never closed.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut deepest) = (0usize, 0);
    for (number, line) in text.lines().enumerate() {
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        // `- - - -` nests lists without any bracket.
        let nested = line.split_ascii_whitespace().take_while(|word| matches!(*word, "-" | "?"));
        if deepest > DEEPEST || nested.count() > DEEPEST {
            return Some(number + 1);
        }
    }
    None
}

/// Parses a text of YAML that holds one document.
pub fn parse_yaml(text: &str) -> Result<Value, SyntaxProblem> {
    if let Some(line) = too_deep(text) {
        let message = "this is nested too deeply".to_owned();
        return Err(SyntaxProblem { line, column: None, message });
    }
    yaml_serde::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| {
        let message = without_place(&error.to_string());
        let place = error.location().map(|place| (place.line(), place.column()));
        // For a key given twice the parser names the mapping; the other parser names the key.
        let place = if message.ends_with("is given twice") {
            positions::first_fault(text).or(place)
        } else {
            place
        };
        let (line, column) = place.unwrap_or((1, 1));
        SyntaxProblem { line, column: Some(column), message }
    })
}

/// A parser's message without the place at its end and the path at its front, which are told
/// apart from it.
fn without_place(message: &str) -> String {
    let end = message.find(" at line ").unwrap_or(message.len());
    let message = &message[..end];
    let own = message.find('`').filter(|_| message.ends_with("is given twice"));
    message[own.unwrap_or(0)..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_error_names_line_and_column() {
        let problem = parse_yaml("a: [1, 2\nb: 3\n").unwrap_err();
        assert_eq!(problem.line, 2);
        let problem = parse_json("{\"a\": 1,\n \"b\" 2}").unwrap_err();
        assert_eq!((problem.line, problem.column), (2, Some(6)));
        assert_eq!(problem.message, "expected `:`");
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused_at_once() {
        let deep = |open: &str, close: &str| {
            let text = format!("a: 1\nb: {}{}\n", open.repeat(200_000), close.repeat(200_000));
            parse_yaml(&text).unwrap_err()
        };
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("[", "")] {
            assert_eq!(
                (deep(open, close).line, deep(open, close).message.as_str()),
                (2, "this is nested too deeply")
            );
        }
        assert!(parse_yaml(&"- ".repeat(200_000)).is_err());
        assert!(parse_yaml(&format!("{}1", "[".repeat(200))).is_err());
        assert!(parse_json(&"[".repeat(200_000)).is_err());
    }

    #[test]
    fn a_key_given_twice_is_pointed_at() {
        let problem = parse_yaml("x:\n  a: 1\n  b: 2\n  a: 3\n").unwrap_err();
        assert_eq!((problem.line, problem.column), (4, Some(3)));
        assert_eq!(problem.message, "`a` is given twice");
    }
}
