//! What tools told: single facts, so that a wider look counts as much as a narrow one.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::end_states::Played;

/// What was told, fact by fact.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    items: BTreeSet<String>,
    /// Whether something was told in plain text, such as a file, which has no single facts.
    in_prose: bool,
    /// Whether anything was told at all.
    any: bool,
}

impl Facts {
    /// What the tools told that did not fail.
    pub(super) fn of(played: &Played) -> Self {
        let mut facts = Self::default();
        let told = played.answers.iter().filter(|answer| !answer.failed);
        facts.extend(told.map(|answer| answer.content.as_str()));
        facts
    }

    pub(super) fn extend<'a>(&mut self, contents: impl IntoIterator<Item = &'a str>) {
        for content in contents {
            self.any |= !content.trim().is_empty();
            match serde_json::from_str::<Value>(content) {
                Ok(value) => self.add("", value.get("data").unwrap_or(&value)),
                Err(_) => self.text(content),
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && !self.in_prose
    }

    /// Whether all of this is known there. Plain text can be found in other ways, by another query
    /// or in another file, so whoever was told anything may know it; whoever was told nothing
    /// guesses.
    pub(super) fn is_within(&self, known: &Self) -> bool {
        self.items.is_subset(&known.items) && (!self.in_prose || known.any)
    }

    fn add(&mut self, key: &str, value: &Value) {
        match value {
            // That something was done is no piece of information.
            Value::Object(map) if map.contains_key("response_type") => {
                if let Some(slots) = map.get("speech_slots") {
                    self.add("", slots);
                }
            }
            Value::Object(map) => {
                for (key, value) in map {
                    self.add(key, value);
                }
            }
            Value::Array(items) => self.items.extend(items.iter().map(Value::to_string)),
            Value::String(text) if text.contains('\n') => self.text(text),
            // What a reply says about how to go on is the same every time.
            Value::String(_) if key == "instruction" => {}
            Value::Bool(_) if key == "success" => {}
            other => drop(self.items.insert(format!("{key}: {other}"))),
        }
    }

    /// A list in a text, item by item.
    fn text(&mut self, text: &str) {
        let mut items = text.split("\n- ").skip(1).map(str::trim).peekable();
        self.in_prose |= items.peek().is_none() && !text.trim().is_empty();
        self.items.extend(items.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(content: &str) -> Facts {
        let mut facts = Facts::default();
        facts.extend([content]);
        facts
    }

    #[test]
    fn a_wider_look_holds_the_narrow_one() {
        let narrow =
            facts(r#"{"data":{"result":"Overview:\n- names: A\n  state: on\n"},"error":false}"#);
        let wide = facts(
            r#"{"data":{"result":"Overview:\n- names: B\n  state: off\n- names: A\n  state: on\n"},"error":false}"#,
        );
        assert!(narrow.is_within(&wide));
        assert!(!wide.is_within(&narrow));
    }

    #[test]
    fn having_acted_tells_nothing() {
        let acted = facts(
            r#"{"data":{"speech":{},"response_type":"action_done","data":{"success":[{"name":"A"}]}},"error":false}"#,
        );
        assert!(acted.is_empty());
    }
    #[test]
    fn a_text_is_not_known_to_whoever_read_nothing() {
        let file = facts("08:15 low pressure\n09:40 low pressure\n");
        assert!(!file.is_within(&Facts::default()), "a right guess");
        assert!(file.is_within(&facts("[{'warnings': 2}]")), "found in another way");
        assert!(file.is_within(&file));
    }
}
