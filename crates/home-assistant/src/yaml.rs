//! YAML as Home Assistant writes it to a model: block style, lines folded behind column 80, and
//! text quoted exactly where a YAML 1.1 reader would take it for something else.
//!
//! The rules are those of libyaml's emitter, which Home Assistant uses through `PyYAML`.

mod writer;

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use writer::{Writer, is_break, is_printable};

/// Text that YAML 1.1 reads as a boolean, a number, a date, null, `<<` or `=`.
static NOT_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:
        yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF
        | [-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?
        | \.[0-9][0-9_]*(?:[eE][-+][0-9]+)?
        | [-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*
        | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN)
        | [-+]?0b[0-1_]+ | [-+]?0[0-7_]+ | [-+]?(?:0|[1-9][0-9_]*) | [-+]?0x[0-9a-fA-F_]+
        | [-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+
        | << | ~ | null|Null|NULL | =
        | [0-9]{4}-[0-9]{2}-[0-9]{2}
        | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[\ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}
          (?:\.[0-9]*)?(?:[\ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?
        )$",
    )
    .expect("the pattern is valid")
});

/// Appends `key: value` on a line of its own.
pub(crate) fn entry(out: &mut String, prefix: &str, key: &str, value: &Value) {
    out.push_str(prefix);
    out.push_str(key);
    out.push(':');
    let indent = prefix.len();
    match value {
        // Home Assistant rewrites `: null` to `:`.
        Value::Null => {}
        Value::String(text) => {
            out.push(' ');
            scalar(out, text, indent + 2);
        }
        Value::Number(number) if number.is_f64() => {
            out.push(' ');
            out.push_str(&float(number.as_f64().unwrap_or_default()));
        }
        other => {
            out.push(' ');
            out.push_str(&other.to_string());
        }
    }
    out.push('\n');
}

/// A number as `PyYAML` writes it: always with a point.
fn float(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}{point}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

/// Appends text in the plainest style that keeps it text. Folded lines are indented by `indent`.
fn scalar(out: &mut String, text: &str, indent: usize) {
    let mut writer = Writer { column: column(out), out, indent };
    match style(text) {
        Style::Plain => writer.plain(text),
        Style::Single => writer.single(text),
        Style::Double => writer.double(text),
    }
}

fn column(out: &str) -> usize {
    let line = out.rfind('\n').map_or(0, |at| at + 1);
    out[line..].chars().count()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
}

fn style(text: &str) -> Style {
    let breaks = text.contains(is_break);
    if text.contains(|c| !is_printable(c)) || (breaks && has_space_at_break(text)) {
        return Style::Double;
    }
    let edges = text.is_empty() || text.starts_with(' ') || text.ends_with(' ');
    if breaks || edges || has_indicator(text) {
        return Style::Single;
    }
    let first = text.as_bytes()[0];
    let may_be_other = first.is_ascii_digit() || b"yYnNtTfFoO-+.<~=".contains(&first);
    if may_be_other && NOT_TEXT.is_match(text) { Style::Single } else { Style::Plain }
}

/// Whether a space touches a line break, where folding would lose it.
fn has_space_at_break(text: &str) -> bool {
    let pairs = text.chars().zip(text.chars().skip(1));
    pairs
        .into_iter()
        .any(|(one, two)| (one == ' ' && is_break(two)) || (is_break(one) && two == ' '))
}

/// Whether a character or its place would be read as YAML's own syntax in block context.
fn has_indicator(text: &str) -> bool {
    if text.starts_with("---") || text.starts_with("...") {
        return true;
    }
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    let mut first = true;
    while let Some(character) = characters.next() {
        let space_follows = characters.peek().is_none_or(|&next| next == ' ' || next == '\t');
        let indicates = if first {
            "#,[]{}&*!|>'\"%@`".contains(character) || ("?:-".contains(character) && space_follows)
        } else {
            (character == ':' && space_follows)
                || (character == '#' && (before == ' ' || before == '\t'))
        };
        if indicates {
            return true;
        }
        before = character;
        first = false;
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::entry;

    fn written(value: &serde_json::Value) -> String {
        let mut out = String::new();
        entry(&mut out, "- ", "names", value);
        out
    }

    /// Expected texts: `yaml.dump([{"names": x}], Dumper=yaml.CSafeDumper, allow_unicode=True,
    /// sort_keys=False, default_flow_style=False)` of `PyYAML` 6.0.3.
    #[test]
    fn text_is_quoted_where_yaml_would_read_something_else() {
        for (text, expected) in [
            ("Lamp", "- names: Lamp\n"),
            ("on", "- names: 'on'\n"),
            ("12", "- names: '12'\n"),
            ("12.3", "- names: '12.3'\n"),
            ("3D Printer", "- names: 3D Printer\n"),
            ("2026-11-15", "- names: '2026-11-15'\n"),
            ("12:30", "- names: '12:30'\n"),
            ("a: b", "- names: 'a: b'\n"),
            ("a:b", "- names: a:b\n"),
            ("a #1", "- names: 'a #1'\n"),
            ("#1", "- names: '#1'\n"),
            ("Bob's lamp", "- names: Bob's lamp\n"),
            ("'tis", "- names: '''tis'\n"),
            ("", "- names: ''\n"),
            ("- x", "- names: '- x'\n"),
            ("-x", "- names: -x\n"),
            ("~", "- names: '~'\n"),
            ("=", "- names: '='\n"),
            ("No", "- names: 'No'\n"),
            ("Küche", "- names: Küche\n"),
            ("tab\there", "- names: \"tab\\there\"\n"),
            ("💡 lamp", "- names: \"\\U0001F4A1 lamp\"\n"),
            ("a\u{2028}x", "- names: 'a\u{2028}    x'\n"),
            ("a\u{2028}", "- names: 'a\u{2028}    '\n"),
            ("a \u{2028}x", "- names: \"a \\Lx\"\n"),
            ("a\nb", "- names: 'a\n\n    b'\n"),
            ("a\u{85}b", "- names: \"a\\Nb\"\n"),
        ] {
            assert_eq!(written(&json!(text)), expected, "{text}");
        }
    }

    #[test]
    fn long_text_is_folded_at_the_first_space_behind_column_80() {
        let words = "wordword ".repeat(12);
        let (first, rest) = ("wordword ".repeat(9), "wordword ".repeat(3));
        let expected = format!("- names: {}\n    {}\n", first.trim_end(), rest.trim_end());
        assert_eq!(written(&json!(words.trim_end())), expected);
        let quoted = format!("it's: {words}end");
        assert_eq!(
            written(&json!(quoted)),
            format!(
                "- names: 'it''s: {}\n    {}end'\n",
                "wordword ".repeat(8).trim_end(),
                "wordword ".repeat(4)
            )
        );
    }

    #[test]
    fn numbers_keep_their_point_and_nothing_is_left_empty() {
        assert_eq!(written(&json!(20.0)), "- names: 20.0\n");
        assert_eq!(written(&json!(null)), "- names:\n");
        assert_eq!(written(&json!(1e17)), "- names: 1.0e+17\n");
        assert_eq!(written(&json!(1e-7)), "- names: 1.0e-07\n");
    }
}
