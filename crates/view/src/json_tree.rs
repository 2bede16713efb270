//! JSON as a tree that is unfolded where somebody looks.

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_report::harmless;
use toolgauge_report::html::name;
use toolgauge_report::json_text::in_a_line;
use toolgauge_report::number::counted;

/// The most values that one tree shows.
const MOST: usize = 2_000;
/// From this depth on, values are shown in a line.
const DEEPEST: usize = 24;
/// As much of one text as is shown, in bytes.
const TEXT: usize = 4_000;
/// A value this short is shown in a line: there is nothing to unfold.
const SHORT: usize = 60;

/// A value as a tree, open as deep as `open` says.
pub(crate) fn json_tree(value: &Value, open: usize) -> Markup {
    let mut room = MOST;
    html! {
        div.json-tree { (node(value, (0, open), &mut room)) }
        @if room == 0 { p.left-out { "The rest is in the text." } }
    }
}

fn node(value: &Value, (depth, open): (usize, usize), room: &mut usize) -> Markup {
    let line = in_a_line(value, SHORT + 1);
    let is_short = line.len() <= SHORT && !line.ends_with('…');
    match value {
        Value::Object(fields) if !is_short && depth < DEEPEST => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), value));
            branch("field", fields, (depth, open), room)
        }
        Value::Array(items) if !is_short && depth < DEEPEST => {
            let items = items.iter().enumerate().map(|(at, value)| (at.to_string(), value));
            branch("item", items, (depth, open), room)
        }
        Value::String(text) => {
            let (shown, left_out) = harmless::beginning(text, TEXT);
            html! { span.json-text dir="auto" { (harmless::block(shown)) @if left_out > 0 { "… (" (harmless::size(left_out)) " more)" } } }
        }
        other => html! { code dir="auto" { (in_a_line(other, TEXT)) } },
    }
}

fn branch<'a>(
    kind: &str,
    parts: impl ExactSizeIterator<Item = (String, &'a Value)>,
    (depth, open): (usize, usize),
    room: &mut usize,
) -> Markup {
    let count = parts.len();
    let mut lines = Vec::new();
    for (key, value) in parts {
        if *room == 0 {
            break;
        }
        *room -= 1;
        let value = node(value, (depth + 1, open), room);
        lines.push(html! { li { b.json-key { (name(&key)) } " " (value) } });
    }
    html! {
        details open[depth < open] {
            summary { (counted(count, kind)) }
            ul { @for line in lines { (line) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tree_folds_what_is_long_and_is_bounded() {
        let value = json!({"short": {"a": 1}, "long": {"text": "x".repeat(90), "<b>": [1, 2]}});
        let page = json_tree(&value, 1).0;
        assert_eq!(page.matches("<details").count(), 2, "{page}");
        assert!(page.contains("&lt;b&gt;") && !page.contains("<b>:"), "{page}");
        let one = json_tree(&json!({"text": "x".repeat(90)}), 1).0;
        assert!(one.contains("<summary>1 field</summary>"), "{one}");
        let many: Value = (0..100_000).map(|n| json!(n)).collect();
        let page = json_tree(&many, 1).0;
        assert!(page.len() < 200_000 && page.contains("100000 items"), "{}", page.len());
    }

    #[test]
    fn a_deep_tree_ends() {
        let deep = (0..120).fold(json!("x".repeat(80)), |inner, _| json!([inner]));
        assert!(json_tree(&deep, 1).0.matches("<details").count() <= DEEPEST);
    }
}
