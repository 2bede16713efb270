//! Losses in words: one line a problem.

use std::fmt::Write as _;

use serde_json::Value;
use toolgauge_core::Loss;
use toolgauge_core::json::STAND_IN;

/// How many characters of a value are shown.
const SHOWN: usize = 80;

/// The losses for a person to read, one line each, the dearest first.
pub(crate) fn of(losses: &[Loss]) -> String {
    let mut sorted: Vec<&Loss> = losses.iter().collect();
    sorted.sort_by(|a, b| b.points.total_cmp(&a.points));
    let lines: Vec<String> = sorted.into_iter().map(line).collect();
    lines.join("\n")
}

/// One loss: ``wrong value: `book` at `to`: expected "SEA", got "LAX"``.
fn line(loss: &Loss) -> String {
    let mut line = String::from(loss.cause.words());
    let mut separator = ": ";
    if let Some(tool) = &loss.tool {
        let _ = write!(line, ": `{tool}`");
    }
    if !loss.path.is_root() {
        let _ = write!(line, " at `{}`", loss.path);
    }
    for (word, value) in [("expected", &loss.expected), ("got", &loss.actual)] {
        if let Some(value) = value {
            let _ = write!(line, "{separator}{word} {}", short(value));
            separator = ", ";
        }
    }
    line
}

/// A value as JSON, in which numbers that only Python can write stand as Python writes them.
pub fn shown_value(value: &Value) -> String {
    let text = value.to_string();
    if !text.contains(STAND_IN) {
        return text;
    }
    let mark = format!("\"{STAND_IN}");
    let mut pieces = text.split(mark.as_str());
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('"') {
            // The quotes belong to the stand-in. A second mark is that of a text, which keeps them.
            Some((number, rest)) if !number.starts_with(STAND_IN) => {
                shown.extend([number, rest]);
            }
            _ => shown.extend(["\"", piece]),
        }
    }
    shown.replace(STAND_IN, "")
}

fn short(value: &Value) -> String {
    let text = shown_value(value);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{ArgumentPath, Cause, PathStep};

    use super::*;

    #[test]
    fn numbers_of_python_are_shown_without_quotes() {
        let number = |text: &str| toolgauge_core::json::number_stand_in(text);
        let text = format!("{STAND_IN}{STAND_IN}half");
        let value =
            json!({"a": [number("Infinity"), number("NaN"), "b"], "c": number("1230"), "d": text});
        let shown = r#"{"a":[Infinity,NaN,"b"],"c":1230,"d":"half"}"#;
        assert_eq!(shown_value(&value), shown);
    }

    #[test]
    fn a_line_names_the_tool_the_place_and_both_values() {
        let mut loss = Loss::new(Cause::WrongValue, 0.1).at_tool("book");
        loss.path = ArgumentPath(vec![PathStep::Key("to".into())]);
        loss.expected = Some(json!("SEA"));
        loss.actual = Some(json!("LAX"));
        let extra = Loss::new(Cause::ExtraCall, 0.5).at_tool("pay");
        assert_eq!(
            of(&[loss, extra]),
            "extra call: `pay`\nwrong value: `book` at `to`: expected \"SEA\", got \"LAX\""
        );
    }

    #[test]
    fn a_long_value_is_cut() {
        let mut loss = Loss::new(Cause::WrongValue, 0.1);
        loss.actual = Some(json!("ä".repeat(200)));
        assert!(of(&[loss]).ends_with("ä…"));
    }
}
