//! Messages and calls in the forms of many servers and frameworks.
//!
//! OpenAI (chat and Responses), Anthropic, Gemini, `LangChain`, Vercel's SDK, Pydantic AI and the
//! parts of OpenTelemetry all say the same with other keys. What is in none of these forms is text.

use std::borrow::Cow;

use serde_json::Value;
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, Message, Tool, ToolCall, ToolMessage, openai,
};

use crate::any_json::AnyJson;
use crate::field::{first_text, get, list, name, text, unwrapped, within_text};
use crate::python_json::parse;

/// How deep one form may be wrapped in another.
const DEEPEST: usize = 4;

/// What was said, in whichever form: one message or several. What a model gave out is the subject's.
pub(crate) fn messages<J: AnyJson>(value: &J) -> Vec<Message> {
    match value.as_text().and_then(within_text) {
        Some(value) => all_within(&value),
        None => all_within(value),
    }
}

fn all_within<J: AnyJson>(value: &J) -> Vec<Message> {
    let found = within(value, DEEPEST);
    if !found.is_empty() || value.is_nothing() {
        return found;
    }
    let content = name(Some(value));
    vec![Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() })]
}

/// The messages in a value; none if it is in no known form.
fn within<J: AnyJson>(value: &J, depth: usize) -> Vec<Message> {
    if depth == 0 {
        return Vec::new();
    }
    match value.as_items() {
        Some(items) => in_list(items, depth),
        None if !value.has_members() => Vec::new(),
        None if is_part(value) => in_list(std::slice::from_ref(value), depth),
        None => in_object(value, depth),
    }
}

/// Whether a value is a call or a part of a message, with nothing that says whose.
fn is_part<J: AnyJson>(item: &J) -> bool {
    let holds = |key: &str| get(item, key).is_some_and(J::has_members);
    get(item, "role").is_none()
        && (get(item, "toolName").is_some()
            || holds("function")
            || holds("functionCall")
            || holds("function_call")
            || matches!(text(item, "type"), Some("tool_use" | "text" | "tool_call")))
}

fn in_list<J: AnyJson>(items: &[J], depth: usize) -> Vec<Message> {
    // A list of calls alone, or of the parts of one message.
    if !items.is_empty() && items.iter().all(is_part) {
        return vec![Message::Assistant(assistant(plain_parts(items), items, None))];
    }
    items.iter().flat_map(|item| in_object(item, depth)).collect()
}

fn in_object<J: AnyJson>(value: &J, depth: usize) -> Vec<Message> {
    if let Some(choice) = list(value, "choices").first() {
        return get(choice, "message").map(|said| in_object(said, depth)).unwrap_or_default();
    }
    if let Some(candidate) = list(value, "candidates").first() {
        return in_object(candidate, depth);
    }
    for key in ["output", "messages"] {
        if let Some(items) = get(value, key).and_then(J::as_items) {
            return in_list(items, depth - 1);
        }
    }
    if get(value, "role").is_none() && get(value, "type").is_none() {
        let inner = ["message", "content", "output", "generations"];
        let inner = inner.iter().find_map(|key| get(value, key).filter(|it| it.has_members()));
        if let Some(inner) = inner {
            return within(inner, depth - 1);
        }
    }
    from_message(value)
}

/// What one message holds: nothing if it does not say whose it is, and several messages if it has
/// the answers of several tools.
pub(crate) fn from_message<J: AnyJson>(value: &J) -> Vec<Message> {
    match text(value, "type") {
        Some("function_call") if get(value, "name").is_some() => {
            let calls = call(value).into_iter().collect();
            return vec![Message::Assistant(AssistantMessage { calls, ..Default::default() })];
        }
        Some("function_call_output") => return vec![Message::Tool(answer(value))],
        Some("reasoning") if get(value, "role").is_none() => return Vec::new(),
        _ => {}
    }
    let content = get(value, "parts").or_else(|| get(value, "content"));
    let parts = content.and_then(J::as_items).unwrap_or_default();
    let said = || content.map(plain).unwrap_or_default();
    let role = first_text(value, &["role", "type"]);
    let is_calling = get(value, "tool_calls").is_some_and(|calls| calls.as_items().is_some());
    match role {
        Some("system" | "developer") => vec![Message::System { content: said() }],
        Some("user" | "human") => {
            // Anthropic and Gemini put what tools answered into messages of the user, who may say
            // something beside.
            let mut messages = answers(parts);
            let content = said();
            if messages.is_empty() || !content.is_empty() {
                messages.push(Message::User { content });
            }
            messages
        }
        Some("assistant" | "ai" | "model" | "AIMessage" | "message") => {
            vec![Message::Assistant(assistant(said(), parts, Some(value)))]
        }
        Some("tool" | "function" | "tool_result") => match answers(parts) {
            none if none.is_empty() => vec![Message::Tool(answer(value))],
            answers => answers,
        },
        _ if is_calling || get(value, "parts").is_some() => {
            vec![Message::Assistant(assistant(said(), parts, Some(value)))]
        }
        _ => Vec::new(),
    }
}

/// The types of parts that hold what a tool answered.
const ANSWERS: [&str; 3] = ["tool_result", "tool_call_response", "tool-result"];

/// What tools answered, one message for each part that holds an answer.
fn answers<J: AnyJson>(parts: &[J]) -> Vec<Message> {
    let answered = parts.iter().filter_map(|part| {
        let response = get(part, "function_response").or_else(|| get(part, "functionResponse"));
        response.or_else(|| text(part, "type").filter(|kind| ANSWERS.contains(kind)).map(|_| part))
    });
    answered.map(|part| Message::Tool(answer(part))).collect()
}

fn answer<J: AnyJson>(value: &J) -> ToolMessage {
    let content = ["content", "output", "response", "result", "tool_result"];
    let content = content.iter().find_map(|key| get(value, key).filter(|it| !it.is_nothing()));
    let content = content.map(|content| match content.as_items() {
        Some(parts) => plain_parts(parts),
        None => name(Some(content)),
    });
    let ids = ["tool_call_id", "tool_use_id", "call_id", "toolCallId", "id"];
    ToolMessage {
        call_id: first_text(value, &ids).unwrap_or_default().to_owned(),
        name: first_text(value, &["name", "tool_name", "toolName"]).unwrap_or_default().to_owned(),
        content: content.unwrap_or_default(),
        failed: get(value, "is_error").is_some_and(|it| *it.to_value() == Value::Bool(true)),
    }
}

/// What the subject said: the text and calls among the parts, and the calls beside them.
fn assistant<J: AnyJson>(content: String, parts: &[J], value: Option<&J>) -> AssistantMessage {
    let content = openai::spoken(content, value.and_then(|value| text(value, "refusal")));
    let mut said = AssistantMessage { content, ..AssistantMessage::default() };
    for part in parts {
        let inner = get(part, "function_call").or_else(|| get(part, "functionCall"));
        let kind = text(part, "type");
        let is_call =
            matches!(kind, Some("tool_use" | "tool_call" | "function_call" | "tool-call"))
                || get(part, "toolName").is_some()
                || get(part, "function").is_some_and(J::has_members);
        match inner {
            Some(inner) => said.calls.extend(call(inner)),
            None if is_call => said.calls.extend(call(part)),
            None => {}
        }
    }
    let Some(value) = value else { return said };
    let more = get(value, "additional_kwargs").and_then(|more| get(more, "tool_calls"));
    // Frameworks repeat the calls of one message in several places.
    let mut beside = [get(value, "tool_calls"), more].into_iter().flatten().filter_map(J::as_items);
    if let Some(calls) = beside.find(|calls| !calls.is_empty()) {
        said.calls = calls.iter().filter_map(call).collect();
    }
    let thought = first_text(value, &["reasoning_content", "reasoning", "thinking_content"]);
    said.reasoning = thought.map(str::to_owned);
    said
}

/// A call in one of many forms; `None` if it is no object.
pub(crate) fn call<J: AnyJson>(value: &J) -> Option<ToolCall> {
    if !value.has_members() {
        return None;
    }
    let function = get(value, "function").filter(|it| it.has_members()).unwrap_or(value);
    let names = ["name", "toolName", "tool_name", "function_name"];
    let given = ["arguments", "args", "input", "inputParameters", "tool_args", "parameters"];
    let given = given.iter().find_map(|key| get(function, key).filter(|it| !it.is_nothing()));
    let ids = ["call_id", "tool_call_id", "toolCallId", "id"];
    Some(ToolCall {
        id: first_text(value, &ids).map(str::to_owned),
        name: first_text(function, &names).unwrap_or_default().to_owned(),
        arguments: arguments(given),
        origin: CallOrigin::Structured,
    })
}

/// Arguments as an object or as its text, which may be JSON as Python writes it.
pub(crate) fn arguments<J: AnyJson>(given: Option<&J>) -> Arguments {
    let Some(given) = given.filter(|given| !given.is_nothing()) else {
        return Arguments::Object(serde_json::Map::new());
    };
    if let Some(written) = given.as_text() {
        return match parse(written.as_bytes()) {
            Ok(Value::Object(object)) => Arguments::Object(object),
            // Some frameworks write the text of a text.
            Ok(Value::String(inner)) => Arguments::from_text(&inner),
            _ => Arguments::from_text(written),
        };
    }
    match given.to_value().into_owned() {
        Value::Object(object) => Arguments::Object(object),
        other => Arguments::from_text(&other.to_string()),
    }
}

/// The text of a content: a text, or the texts of its parts.
pub(crate) fn plain<J: AnyJson>(content: &J) -> String {
    match (content.as_text(), content.as_items()) {
        (Some(text), _) => text.to_owned(),
        (None, parts) => plain_parts(parts.unwrap_or_default()),
    }
}

/// The texts of the parts of a content.
fn plain_parts<J: AnyJson>(parts: &[J]) -> String {
    let texts = parts.iter().filter_map(|part| match (part.as_text(), text(part, "type")) {
        (Some(text), _) => Some(text),
        (None, Some("reasoning" | "thinking")) => None,
        (None, Some(kind)) if ANSWERS.contains(&kind) => None,
        (None, _) => first_text(part, &["text", "refusal", "content"]),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The tools that were offered, in the forms of OpenAI, Anthropic and Gemini.
pub(crate) fn tools(offered: &Value) -> Vec<Tool> {
    let offered = unwrapped(offered);
    let one = |value: &Value| {
        let function = get(value, "function").filter(|it| it.is_object()).unwrap_or(value);
        let schemas = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"];
        let schema = schemas.iter().find_map(|key| get(function, key)).map(unwrapped);
        let parameters = schema.filter(|schema| schema.is_object()).map(Cow::into_owned);
        Some(Tool {
            name: text(function, "name")?.to_owned(),
            description: text(function, "description").unwrap_or_default().to_owned(),
            parameters: parameters.unwrap_or_else(|| serde_json::json!({"type": "object"})),
        })
    };
    offered.as_array().into_iter().flatten().filter_map(one).collect()
}
