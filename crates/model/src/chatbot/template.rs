//! What is sent to a chatbot: JSON or text with places for the question.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolgauge_core::Message;

/// What is put into the places of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fillings<'a> {
    /// The message to answer.
    pub(super) question: &'a str,
    /// The conversation it belongs to.
    pub(super) session: &'a str,
    /// What was said before.
    pub(super) history: &'a [Message],
}

impl Fillings<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        match name {
            "question" => Some(Value::from(self.question)),
            "session" => Some(Value::from(self.session)),
            "history" => Some(self.history.iter().map(spoken).collect()),
            _ => None,
        }
    }

    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match name {
            "question" => Some(self.question.into()),
            "session" => Some(self.session.into()),
            _ => self.value(name).map(|value| value.to_string().into()),
        }
    }
}

fn spoken(message: &Message) -> Value {
    let role = match message {
        Message::System { .. } => "system",
        Message::User { .. } => "user",
        Message::Assistant(_) => "assistant",
        Message::Tool(_) => "tool",
    };
    json!({"role": role, "content": message_text(message)})
}

/// What a message says, whoever said it.
pub(super) fn message_text(message: &Message) -> &str {
    match message {
        Message::System { content } | Message::User { content } => content,
        Message::Assistant(message) => &message.content,
        Message::Tool(message) => &message.content,
    }
}

/// JSON whose texts may hold `{{ question }}`, `{{ session }}` and `{{ history }}`.
///
/// A text that is nothing but such a place becomes the value itself, so that `"{{ history }}"`
/// becomes a list; within other text the value is written into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Value);

impl Template {
    /// The places a template can have.
    pub const PLACES: [&'static str; 3] = ["question", "session", "history"];

    /// A template of any JSON value.
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// What a chatbot of the reference form is sent.
    pub fn reference() -> Self {
        Self(json!({"question": "{{ question }}", "session": "{{ session }}"}))
    }

    /// Whether the template has such a place anywhere.
    pub fn has(&self, place: &str) -> bool {
        fn within(value: &Value, place: &str) -> bool {
            match value {
                Value::String(text) => places(text).any(|found| found == place),
                Value::Array(items) => items.iter().any(|item| within(item, place)),
                Value::Object(object) => object.values().any(|item| within(item, place)),
                _ => false,
            }
        }
        within(&self.0, place)
    }

    /// The value with its places filled.
    pub(super) fn fill(&self, fillings: &Fillings<'_>) -> Value {
        filled(&self.0, fillings)
    }
}

fn filled(value: &Value, fillings: &Fillings<'_>) -> Value {
    match value {
        Value::String(text) => {
            let whole = text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
            let alone = whole.and_then(|name| fillings.value(name.trim()));
            alone.unwrap_or_else(|| Value::from(fill_text(text, fillings, as_it_is)))
        }
        Value::Array(items) => items.iter().map(|item| filled(item, fillings)).collect(),
        Value::Object(object) => {
            let entries = object.iter();
            Value::Object(
                entries.map(|(key, item)| (key.clone(), filled(item, fillings))).collect(),
            )
        }
        other => other.clone(),
    }
}

/// A text with its places filled, each value written as `write` has it. Places that nobody knows
/// are left as they are.
pub(super) fn fill_text(
    text: &str,
    fillings: &Fillings<'_>,
    write: fn(&str) -> Cow<'_, str>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name, after)) = next_place(rest) {
        out.push_str(before);
        match fillings.text(name) {
            Some(value) => out.push_str(&write(&value)),
            // As it stands, spaces included: it may belong to the chatbot's own template language.
            None => out.push_str(&rest[before.len()..rest.len() - after.len()]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The names of the places in a text.
fn places(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, name, after) = next_place(rest)?;
        rest = after;
        Some(name)
    })
}

/// The next place: what comes before it, its name, and what comes after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find("{{")?;
    let close = open + text[open..].find("}}")?;
    Some((&text[..open], text[open + 2..close].trim(), &text[close + 2..]))
}

fn as_it_is(text: &str) -> Cow<'_, str> {
    text.into()
}

/// A value as a URL can hold it.
pub(super) fn percent_encoded(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if text.bytes().all(plain) {
        return text.into();
    }
    let encode = |byte: u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(encode).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: [Message; 0] = [];

    fn fillings<'a>() -> Fillings<'a> {
        Fillings { question: "who \"pays\"?", session: "s-1", history: &HISTORY }
    }

    #[test]
    fn places_are_filled_wherever_a_text_is() {
        let template = Template::new(json!({
            "messages": [{"role": "user", "content": "Q: {{question}} ({{ session }})"}],
            "before": "{{ history }}", "limit": 3, "odd": "{{ nobody }} {{",
        }));
        let history = [Message::user("hello")];
        let filled = template.fill(&Fillings { history: &history, ..fillings() });
        assert_eq!(filled["messages"][0]["content"], "Q: who \"pays\"? (s-1)");
        assert_eq!(filled["before"], json!([{"role": "user", "content": "hello"}]));
        assert_eq!((&filled["limit"], &filled["odd"]), (&json!(3), &json!("{{ nobody }} {{")));
    }

    #[test]
    fn a_template_knows_its_places() {
        let template = Template::new(json!({"a": [{"b": "x {{ session}}"}]}));
        assert!(template.has("session") && !template.has("history"));
        assert!(Template::reference().has("question"));
    }

    #[test]
    fn a_value_in_a_url_cannot_break_out_of_its_place() {
        let text = fill_text("/ask?q={{ question }}&n=1", &fillings(), percent_encoded);
        assert_eq!(text, "/ask?q=who%20%22pays%22%3F&n=1");
    }

    #[test]
    fn a_question_that_holds_a_place_is_not_filled_again() {
        let question = "what is {{ session }}?";
        let filled = Template::reference().fill(&Fillings { question, ..fillings() });
        assert_eq!(filled["question"], question);
    }
}
