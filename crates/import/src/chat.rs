//! Messages and calls in the forms of many servers and frameworks.
//!
//! OpenAI (chat and Responses), Anthropic, Gemini, `LangChain`, Vercel's SDK, Pydantic AI and the
//! parts of OpenTelemetry all say the same with other keys. What is in none of these forms is text.

use std::borrow::Cow;

use serde_json::Value;
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, Message, Tool, ToolCall, ToolMessage, openai,
};

use crate::field::{first_text, get, list, name, text, unwrapped};
use crate::python_json::parse;

/// How deep one form may be wrapped in another.
const DEEPEST: usize = 4;

/// What was said, in whichever form: one message or several. What a model gave out is the subject's.
pub(crate) fn messages(value: &Value) -> Vec<Message> {
    let value = unwrapped(value);
    let found = within(&value, DEEPEST);
    if !found.is_empty() {
        return found;
    }
    let content = match &*value {
        Value::Null => return Vec::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    vec![Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() })]
}

/// The messages in a value; none if it is in no known form.
fn within(value: &Value, depth: usize) -> Vec<Message> {
    if depth == 0 {
        return Vec::new();
    }
    match value {
        Value::Array(items) => in_list(items, depth),
        Value::Object(_) if is_part(value) => in_list(std::slice::from_ref(value), depth),
        Value::Object(_) => in_object(value, depth),
        _ => Vec::new(),
    }
}

/// Whether a value is a call or a part of a message, with nothing that says whose.
fn is_part(item: &Value) -> bool {
    let holds = |key: &str| get(item, key).is_some_and(Value::is_object);
    get(item, "role").is_none()
        && (get(item, "toolName").is_some()
            || holds("function")
            || holds("functionCall")
            || holds("function_call")
            || matches!(text(item, "type"), Some("tool_use" | "text" | "tool_call")))
}

fn in_list(items: &[Value], depth: usize) -> Vec<Message> {
    // A list of calls alone, or of the parts of one message.
    if !items.is_empty() && items.iter().all(is_part) {
        return vec![Message::Assistant(assistant(&Value::Array(items.to_vec()), &Value::Null))];
    }
    items.iter().flat_map(|item| in_object(item, depth)).collect()
}

fn in_object(value: &Value, depth: usize) -> Vec<Message> {
    if let Some(choice) = list(value, "choices").first() {
        return get(choice, "message").map(|said| in_object(said, depth)).unwrap_or_default();
    }
    if let Some(candidate) = list(value, "candidates").first() {
        return in_object(candidate, depth);
    }
    for key in ["output", "messages"] {
        if let Some(Value::Array(items)) = get(value, key) {
            return in_list(items, depth - 1);
        }
    }
    if get(value, "role").is_none() && get(value, "type").is_none() {
        let inner = ["message", "content", "output", "generations"];
        let inner = inner.iter().find_map(|key| get(value, key).filter(|it| it.is_object()));
        if let Some(inner) = inner {
            return within(inner, depth - 1);
        }
    }
    from_message(value)
}

/// What one message holds: nothing if it does not say whose it is, and several messages if it has
/// the answers of several tools.
pub(crate) fn from_message(value: &Value) -> Vec<Message> {
    match text(value, "type") {
        Some("function_call") if get(value, "name").is_some() => {
            let calls = call(value).into_iter().collect();
            return vec![Message::Assistant(AssistantMessage { calls, ..Default::default() })];
        }
        Some("function_call_output") => return vec![Message::Tool(answer(value))],
        Some("reasoning") if get(value, "role").is_none() => return Vec::new(),
        _ => {}
    }
    let parts = get(value, "parts").or_else(|| get(value, "content")).unwrap_or(&Value::Null);
    let role = first_text(value, &["role", "type"]);
    let is_calling = get(value, "tool_calls").is_some_and(Value::is_array);
    match role {
        Some("system" | "developer") => vec![Message::System { content: plain(parts) }],
        Some("user" | "human") => {
            // Anthropic and Gemini put what tools answered into messages of the user, who may say
            // something beside.
            let mut messages = answers(parts);
            let content = plain(parts);
            if messages.is_empty() || !content.is_empty() {
                messages.push(Message::User { content });
            }
            messages
        }
        Some("assistant" | "ai" | "model" | "AIMessage" | "message") => {
            vec![Message::Assistant(assistant(parts, value))]
        }
        Some("tool" | "function" | "tool_result") => match answers(parts) {
            none if none.is_empty() => vec![Message::Tool(answer(value))],
            answers => answers,
        },
        _ if is_calling || get(value, "parts").is_some() => {
            vec![Message::Assistant(assistant(parts, value))]
        }
        _ => Vec::new(),
    }
}

/// The types of parts that hold what a tool answered.
const ANSWERS: [&str; 3] = ["tool_result", "tool_call_response", "tool-result"];

/// What tools answered, one message for each part that holds an answer.
fn answers(parts: &Value) -> Vec<Message> {
    let answered = parts.as_array().into_iter().flatten().filter_map(|part| {
        let response = get(part, "function_response").or_else(|| get(part, "functionResponse"));
        response.or_else(|| text(part, "type").filter(|kind| ANSWERS.contains(kind)).map(|_| part))
    });
    answered.map(|part| Message::Tool(answer(part))).collect()
}

fn answer(value: &Value) -> ToolMessage {
    let content = ["content", "output", "response", "result", "tool_result"];
    let content = content.iter().find_map(|key| get(value, key).filter(|it| !it.is_null()));
    let content = content.map(|content| match content {
        Value::Array(_) => plain(content),
        other => name(Some(other)),
    });
    let ids = ["tool_call_id", "tool_use_id", "call_id", "toolCallId", "id"];
    ToolMessage {
        call_id: first_text(value, &ids).unwrap_or_default().to_owned(),
        name: first_text(value, &["name", "tool_name", "toolName"]).unwrap_or_default().to_owned(),
        content: content.unwrap_or_default(),
        failed: get(value, "is_error").and_then(Value::as_bool).unwrap_or(false),
    }
}

/// What the subject said: the text and calls among the parts, and the calls beside them.
fn assistant(parts: &Value, value: &Value) -> AssistantMessage {
    let content = openai::spoken(plain(parts), value);
    let mut said = AssistantMessage { content, ..AssistantMessage::default() };
    for part in parts.as_array().into_iter().flatten() {
        let inner = get(part, "function_call").or_else(|| get(part, "functionCall"));
        let kind = text(part, "type");
        let is_call =
            matches!(kind, Some("tool_use" | "tool_call" | "function_call" | "tool-call"))
                || get(part, "toolName").is_some()
                || get(part, "function").is_some_and(Value::is_object);
        match inner {
            Some(inner) => said.calls.extend(call(inner)),
            None if is_call => said.calls.extend(call(part)),
            None => {}
        }
    }
    let beside = [get(value, "tool_calls"), value.pointer("/additional_kwargs/tool_calls")];
    // Frameworks repeat the calls of one message in several places.
    let beside = beside.into_iter().flatten().filter_map(Value::as_array);
    if let Some(calls) = beside.into_iter().find(|calls| !calls.is_empty()) {
        said.calls = calls.iter().filter_map(call).collect();
    }
    let thought = first_text(value, &["reasoning_content", "reasoning", "thinking_content"]);
    said.reasoning = thought.map(str::to_owned);
    said
}

/// A call in one of many forms; `None` if it is no object.
pub(crate) fn call(value: &Value) -> Option<ToolCall> {
    value.as_object()?;
    let function = get(value, "function").filter(|it| it.is_object()).unwrap_or(value);
    let names = ["name", "toolName", "tool_name", "function_name"];
    let given = ["arguments", "args", "input", "inputParameters", "tool_args", "parameters"];
    let given = given.iter().find_map(|key| get(function, key).filter(|it| !it.is_null()));
    let ids = ["call_id", "tool_call_id", "toolCallId", "id"];
    Some(ToolCall {
        id: first_text(value, &ids).map(str::to_owned),
        name: first_text(function, &names).unwrap_or_default().to_owned(),
        arguments: arguments(given),
        origin: CallOrigin::Structured,
    })
}

/// Arguments as an object or as its text, which may be JSON as Python writes it.
pub(crate) fn arguments(given: Option<&Value>) -> Arguments {
    match given {
        None | Some(Value::Null) => Arguments::Object(serde_json::Map::new()),
        Some(Value::Object(object)) => Arguments::Object(object.clone()),
        Some(Value::String(written)) => match parse(written.as_bytes()) {
            Ok(Value::Object(object)) => Arguments::Object(object),
            // Some frameworks write the text of a text.
            Ok(Value::String(inner)) => Arguments::from_text(&inner),
            _ => Arguments::from_text(written),
        },
        Some(other) => Arguments::from_text(&other.to_string()),
    }
}

/// The text of a content: a text, or the texts of its parts.
pub(crate) fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                part => match text(part, "type") {
                    Some("reasoning" | "thinking") => None,
                    Some(kind) if ANSWERS.contains(&kind) => None,
                    _ => first_text(part, &["text", "refusal", "content"]),
                },
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
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
