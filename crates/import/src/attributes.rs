//! Attributes of spans, by dotted names, in the words of several conventions.

use serde_json::{Map, Value};
use toolgauge_core::{CallOrigin, Message, Tool, ToolCall, Turn, Usage};

use crate::field::{name, unwrapped};
use crate::spans::{ModelSpan, SpanRole, ToolSpan};
use crate::{chat, python_json};

/// The attributes of a span, each under its whole dotted name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes(pub(crate) Map<String, Value>);

impl Attributes {
    /// Attributes that may be nested, under dotted names.
    pub(crate) fn flatten(nested: &Value) -> Self {
        let mut flat = Map::new();
        flatten_into("", nested, 0, &mut flat);
        Self(flat)
    }

    fn get(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().find_map(|key| self.0.get(*key).filter(|value| !value.is_null()))
    }

    pub(crate) fn text(&self, keys: &[&str]) -> Option<String> {
        self.get(keys).map(|value| name(Some(value))).filter(|text| !text.is_empty())
    }

    fn count(&self, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|key| name(self.0.get(*key)).parse().ok())
    }

    /// The value that is written as dotted names below a prefix: `llm.input_messages.0.message.role`.
    fn below(&self, prefix: &str) -> Option<Value> {
        let (mut found, mut room) = (Value::Null, MOST_ITEMS);
        for (key, value) in &self.0 {
            let Some(path) = key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.'))
            else {
                continue;
            };
            put(&mut found, path, value, (0, &mut room));
        }
        (!found.is_null()).then_some(found)
    }

    /// What the span is, by the first convention that says so.
    pub(crate) fn role(&self, span_name: &str, failed: bool) -> SpanRole {
        let operation = self.text(&["gen_ai.operation.name"]).unwrap_or_default();
        let kind = self.text(&["openinference.span.kind", "span_kind"]).unwrap_or_default();
        let is = |name: &str| kind.eq_ignore_ascii_case(name);
        let entity = self.text(&["traceloop.span.kind"]).unwrap_or_default();
        if operation == "execute_tool"
            || is("tool")
            || entity == "tool"
            || self.get(&["ai.toolCall.name"]).is_some()
        {
            return SpanRole::Tool(Box::new(self.tool(span_name, failed)));
        }
        let asks = ["chat", "generate_content", "text_completion"];
        if asks.contains(&operation.as_str())
            || is("llm")
            || self.text(&["llm.request.type"]).as_deref() == Some("chat")
        {
            return SpanRole::Model(Box::new(self.model()));
        }
        if operation == "invoke_agent" || is("agent") {
            return SpanRole::Agent;
        }
        if is("retriever") {
            let documents = self.below("retrieval.documents").unwrap_or_default();
            let id = |entry: &Value| {
                let document = entry.get("document").unwrap_or(entry);
                document.get("id").or_else(|| document.get("content")).map(|id| name(Some(id)))
            };
            let documents = documents.as_array().into_iter().flatten().filter_map(id);
            return SpanRole::Retriever(documents.collect());
        }
        SpanRole::Other
    }

    fn tool(&self, span_name: &str, failed: bool) -> ToolSpan {
        let names = ["gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"];
        let given = [
            "gen_ai.tool.call.arguments",
            "gcp.vertex.agent.tool_call_args",
            "ai.toolCall.args",
            "tool.parameters",
            "input.value",
            "traceloop.entity.input",
        ];
        let answers = [
            "gen_ai.tool.call.result",
            "gcp.vertex.agent.tool_response",
            "ai.toolCall.result",
            "output.value",
            "traceloop.entity.output",
        ];
        let prefix = "execute_tool ";
        let from_span = || span_name.strip_prefix(prefix).unwrap_or(span_name).to_owned();
        let nested = given.iter().find_map(|key| self.below(key));
        let arguments = self.get(&given).or(nested.as_ref());
        ToolSpan {
            call: ToolCall {
                id: self.text(&["gen_ai.tool.call.id", "tool.id", "ai.toolCall.id"]),
                name: self.text(&names).unwrap_or_else(from_span),
                arguments: chat::arguments(arguments),
                origin: CallOrigin::Structured,
            },
            is_bare: arguments.is_none(),
            answer: self.text(&answers),
            failed: failed || self.get(&["error.type"]).is_some(),
        }
    }

    fn model(&self) -> ModelSpan {
        let input = ["gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages"];
        let output = ["gen_ai.output.messages", "gen_ai.completion", "llm.output_messages"];
        let vertex = ["gcp.vertex.agent.llm_response"];
        let mut said = self.messages(&output);
        if said.is_empty() {
            said = self.get(&vertex).map(chat::messages).unwrap_or_default();
        }
        ModelSpan {
            model: self
                .text(&["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"])
                .unwrap_or_default(),
            input: self.messages(&input),
            output: said,
            tools: self.tools(),
            turn: Turn {
                usage: Usage {
                    input: self.count(&[
                        "gen_ai.usage.input_tokens",
                        "gen_ai.usage.prompt_tokens",
                        "llm.token_count.prompt",
                    ]),
                    output: self.count(&[
                        "gen_ai.usage.output_tokens",
                        "gen_ai.usage.completion_tokens",
                        "llm.token_count.completion",
                    ]),
                    ..Usage::default()
                },
                attempts: 1,
                ..Turn::default()
            },
        }
    }

    /// Messages as one value, or as dotted names.
    fn messages(&self, keys: &[&str]) -> Vec<Message> {
        if let Some(whole) = self.get(keys) {
            let whole = unwrapped(whole);
            let is_messages = whole.is_array() || whole.is_object();
            return if is_messages { chat::messages(&*whole) } else { Vec::new() };
        }
        let Some(found) = keys.iter().find_map(|key| self.below(key)) else { return Vec::new() };
        let entries = found.as_array().into_iter().flatten();
        let message = |entry: &Value| {
            let mut entry = entry.get("message").unwrap_or(entry).clone();
            // OpenInference wraps each call once more.
            if let Some(Value::Array(calls)) = entry.get_mut("tool_calls") {
                for call in calls {
                    if let Some(inner) = call.get("tool_call").cloned() {
                        *call = inner;
                    }
                }
            }
            chat::from_message(&entry)
        };
        entries.flat_map(message).collect()
    }

    fn tools(&self) -> Vec<Tool> {
        if let Some(offered) = self.get(&["gen_ai.tool.definitions"]) {
            return chat::tools(offered);
        }
        if let Some(functions) = self.below("llm.request.functions") {
            return chat::tools(&functions);
        }
        let schemas = self.below("llm.tools").unwrap_or_default();
        let schema = |entry: &Value| {
            let schema = entry.pointer("/tool/json_schema")?;
            Some(schema.as_str().map_or_else(
                || schema.clone(),
                |text| python_json::parse(text.as_bytes()).unwrap_or_default(),
            ))
        };
        let schemas: Vec<Value> =
            schemas.as_array().into_iter().flatten().filter_map(schema).collect();
        chat::tools(&Value::Array(schemas))
    }
}

/// How deep attributes may be nested.
const DEEPEST: usize = 32;
/// How many items all lists together have that are made of dotted names. A single name could make
/// a list of any length, and one within each of its items.
const MOST_ITEMS: usize = 10_000;
/// The longest dotted name. All names below one repeat it.
const LONGEST_NAME: usize = 400;

fn flatten_into(prefix: &str, value: &Value, depth: usize, flat: &mut Map<String, Value>) {
    let key =
        |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    let may_go_on = depth < DEEPEST && prefix.len() < LONGEST_NAME;
    match value {
        Value::Object(members) if may_go_on => {
            for (name, value) in members {
                flatten_into(&key(name), value, depth + 1, flat);
            }
        }
        // Lists of objects are written by their places, as flat names are.
        Value::Array(items) if may_go_on && items.iter().any(Value::is_object) => {
            for (place, value) in items.iter().enumerate() {
                flatten_into(&key(&place.to_string()), value, depth + 1, flat);
            }
        }
        other => drop(flat.insert(prefix.to_owned(), other.clone())),
    }
}

/// Puts a value at the place that a dotted name leads to: whole numbers are places in lists.
fn put(into: &mut Value, path: &str, value: &Value, (depth, room): (usize, &mut usize)) {
    let (step, rest) = match path.split_once('.') {
        Some((step, rest)) if depth < DEEPEST => (step, Some(rest)),
        _ => (path, None),
    };
    let place = if let Some(place) = step.parse::<usize>().ok().filter(|place| *place < MOST_ITEMS)
    {
        if !into.is_array() {
            *into = Value::Array(Vec::new());
        }
        let Value::Array(items) = into else { return };
        if items.len() <= place {
            let Some(left) = room.checked_sub(place + 1 - items.len()) else { return };
            *room = left;
            items.resize(place + 1, Value::Null);
        }
        &mut items[place]
    } else {
        if !into.is_object() {
            *into = Value::Object(Map::new());
        }
        let Value::Object(members) = into else { return };
        members.entry(step).or_insert(Value::Null)
    };
    match rest {
        Some(rest) => put(place, rest, value, (depth + 1, room)),
        None => *place = value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dotted_names_are_lists_and_objects() {
        let flat = Attributes::flatten(&json!({"a": [{"b": {"c": 1}}, {"b": 2}], "d": [3]}));
        assert_eq!(Value::Object(flat.0.clone()), json!({"a.0.b.c": 1, "a.1.b": 2, "d": [3]}));
        assert_eq!(flat.below("a"), Some(json!([{"b": {"c": 1}}, {"b": 2}])));
    }

    #[test]
    fn few_names_make_no_large_lists() {
        let deep = "9999.".repeat(20);
        let names = (0..1_000).map(|n| (format!("a.{n}.{deep}x"), json!(1)));
        let found = Attributes(names.collect()).below("a").unwrap();
        assert!(found.to_string().len() < 1_000_000);
    }

    #[test]
    fn a_long_name_is_not_repeated_in_front_of_others() {
        let leaves: Map<String, Value> = (0..1_000).map(|n| (n.to_string(), json!(n))).collect();
        let nested = json!({"k".repeat(5_000): leaves});
        assert_eq!(Attributes::flatten(&nested).0.len(), 1);
    }
}
