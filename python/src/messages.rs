//! Messages as OpenAI, Anthropic, LangChain and Inspect AI write them.
//!
//! The form is told from each message alone, so that a list may mix them, as traces do that went
//! through several libraries.

use pyo3::PyResult;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    Arguments, AssistantMessage, Malformation, Message, ToolCall, ToolMessage, Transcript,
};

use crate::errors::{MessageError, hinted};

/// The forms that are known, for messages about others.
const KNOWN: &str = "a message is a dict or an object with a `role` (OpenAI, Anthropic, Inspect) \
                     or a `type` (LangChain, OpenAI's Responses)";

/// A conversation parted where the subject begins to speak.
pub(crate) struct Conversation {
    /// What came before: the system prompt, and what a person said.
    pub(crate) input: Vec<Message>,
    /// Everything from the first message of the subject on.
    pub(crate) transcript: Transcript,
}

/// Every message, as it comes.
pub(crate) fn read_all(given: Value) -> PyResult<Vec<Message>> {
    read_list(given).map_err(MessageError::new_err)
}

fn read_list(given: Value) -> Result<Vec<Message>, String> {
    let mut messages = Vec::new();
    for (place, message) in list(given)?.into_iter().enumerate() {
        let read = read(message, &mut messages);
        read.map_err(|why| format!("`messages[{place}]`: {why}"))?;
    }
    Ok(messages)
}

impl TryFrom<Value> for Conversation {
    type Error = String;

    fn try_from(given: Value) -> Result<Self, String> {
        let mut messages = read_list(given)?;
        let spoken = messages.iter().position(|message| matches!(message, Message::Assistant(_)));
        let Some(spoken) = spoken else {
            return Err(hinted(
                "`messages` has no message of the assistant, so there is nothing to score",
                "append the model's reply to the messages it was asked with",
            ));
        };
        let said = messages.split_off(spoken);
        Ok(Self {
            input: messages,
            transcript: Transcript { messages: said, ..Transcript::default() },
        })
    }
}

/// The messages of a list, of an object that has them, or the one message that is given alone.
fn list(given: Value) -> Result<Vec<Value>, String> {
    match given {
        Value::Array(messages) => Ok(messages),
        // The state of a LangGraph agent, and the request of a chat API.
        Value::Object(mut object) if !is_message(&object) => match object.remove("messages") {
            Some(Value::Array(messages)) => Ok(messages),
            _ if object.contains_key("choices") => Err(hinted(
                "`messages` is a whole completion",
                "pass `[*messages, completion.choices[0].message]`",
            )),
            _ => Err(hinted("`messages` is no list of messages", KNOWN)),
        },
        message @ Value::Object(_) => Ok(vec![message]),
        other => Err(hinted(format!("`messages` is {}, not a list", kind(&other)), KNOWN)),
    }
}

fn is_message(object: &Map<String, Value>) -> bool {
    object.contains_key("role") || object.contains_key("type")
}

/// Reads one message. Anthropic puts the answers of several tools into one, so it may become more.
fn read(given: Value, into: &mut Vec<Message>) -> Result<(), String> {
    let Value::Object(mut message) = given else {
        return Err(hinted(format!("this is {}", kind(&given)), KNOWN));
    };
    if let Some(role) = text(&message, "role") {
        return by_role(&role, message, into);
    }
    let Some(mut name) = text(&message, "type") else {
        let keys: Vec<String> = message.keys().take(5).map(|key| format!("`{key}`")).collect();
        let keys = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
        return Err(hinted(format!("neither `role` nor `type`, but {keys}"), KNOWN));
    };
    // LangChain writes its messages in two further ways, both with an object around them.
    if name == "constructor" {
        let class = message.get("id").and_then(Value::as_array).and_then(|id| id.last());
        name = class.and_then(Value::as_str).unwrap_or_default().to_owned();
    }
    for inner in ["data", "kwargs"] {
        if let Some(Value::Object(object)) = message.remove(inner) {
            message = object;
        }
    }
    by_type(&name, message, into)
}

fn by_role(
    role: &str,
    mut message: Map<String, Value>,
    into: &mut Vec<Message>,
) -> Result<(), String> {
    let content = message.remove("content").unwrap_or_default();
    match role {
        "system" | "developer" => into.push(Message::system(words(&content))),
        "user" | "human" => user(&content, into),
        "assistant" | "ai" => {
            let calls = assistant_calls(&mut message, &content)?;
            let reasoning = reasoning(&message, &content);
            // OpenAI puts the words by which a model refuses in place of the content.
            let refusal = text(&message, "refusal").filter(|_| content.is_null());
            into.push(said(refusal.unwrap_or_else(|| words(&content)), reasoning, calls));
        }
        "tool" | "function" => into.push(tool_answer(&message, &content)),
        other => {
            return Err(hinted(
                format!("unknown role `{other}`"),
                "known are system, developer, user, assistant, tool and function",
            ));
        }
    }
    Ok(())
}

fn by_type(
    name: &str,
    mut message: Map<String, Value>,
    into: &mut Vec<Message>,
) -> Result<(), String> {
    let content = message.remove("content").unwrap_or_default();
    match name {
        "system" | "SystemMessage" => into.push(Message::system(words(&content))),
        "human" | "HumanMessage" | "HumanMessageChunk" => user(&content, into),
        "ai" | "AIMessage" | "AIMessageChunk" => {
            let calls = assistant_calls(&mut message, &content)?;
            let reasoning = reasoning(&message, &content);
            into.push(said(words(&content), reasoning, calls));
        }
        "tool" | "ToolMessage" | "function" | "FunctionMessage" => {
            into.push(tool_answer(&message, &content));
        }
        // Items of OpenAI's Responses.
        "function_call" | "custom_tool_call" | "mcp_call" => responses_call(message, into)?,
        "function_call_output" | "custom_tool_call_output" => {
            let content = message.remove("output").unwrap_or_default();
            message
                .insert("tool_call_id".into(), message.get("call_id").cloned().unwrap_or_default());
            into.push(tool_answer(&message, &content));
        }
        // Tools that OpenAI carries out itself: no choice of a tool that was offered.
        "reasoning" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" => {}
        built_in if built_in.ends_with("_call") || built_in.ends_with("_call_output") => {}
        other => {
            return Err(hinted(
                format!("unknown type `{other}`"),
                "known are LangChain's human, ai, system and tool, and the Responses' message, \
                 function_call, function_call_output, custom_tool_call, mcp_call and reasoning",
            ));
        }
    }
    Ok(())
}

/// A call as OpenAI's Responses write it. That of a custom tool has a text in place of arguments, and
/// that to an MCP server its answer.
fn responses_call(mut item: Map<String, Value>, into: &mut Vec<Message>) -> Result<(), String> {
    if let Some(input) = item.remove("input") {
        item.insert("arguments".into(), json!({"input": input}));
    }
    let mut call = openai_call(Value::Object(item.clone()))?;
    call.id = text(&item, "call_id").or(call.id);
    let (call_id, name) = (call.id.clone().unwrap_or_default(), call.name.clone());
    into.push(said(String::new(), None, vec![call]));
    let error = item.get("error").filter(|error| !error.is_null());
    if let Some(answer) = error.or(item.get("output").filter(|output| !output.is_null())) {
        let (content, failed) = (words(answer), error.is_some());
        into.push(Message::Tool(ToolMessage { call_id, name, content, failed }));
    }
    Ok(())
}

fn said(content: String, reasoning: Option<String>, calls: Vec<ToolCall>) -> Message {
    Message::Assistant(AssistantMessage { content, reasoning, calls })
}

/// What a person said; Anthropic also puts the answers of tools here.
fn user(content: &Value, into: &mut Vec<Message>) {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let answers =
        blocks.iter().filter_map(Value::as_object).filter(|block| is(block, "tool_result"));
    let before = into.len();
    for block in answers {
        let content = block.get("content").map(words).unwrap_or_default();
        let call_id = text(block, "tool_use_id").unwrap_or_default();
        let failed = block.get("is_error") == Some(&Value::Bool(true));
        // The name stands only in the call that is answered.
        let name = called(into, &call_id).unwrap_or_default();
        into.push(Message::Tool(ToolMessage { call_id, name, content, failed }));
    }
    let text = words(content);
    if into.len() == before || !text.is_empty() {
        into.push(Message::user(text));
    }
}

/// The name of the tool that a call of this identifier was made to.
fn called(before: &[Message], id: &str) -> Option<String> {
    before.iter().rev().find_map(|message| match message {
        Message::Assistant(said) => said
            .calls
            .iter()
            .find(|call| call.id.as_deref() == Some(id))
            .map(|call| call.name.clone()),
        _ => None,
    })
}

fn tool_answer(message: &Map<String, Value>, content: &Value) -> Message {
    // Inspect calls the name `function` and gives an `error`; LangChain has a `status`.
    let name = text(message, "name").or_else(|| text(message, "function"));
    let failed = message.get("error").is_some_and(|error| !error.is_null())
        || text(message, "status").as_deref() == Some("error");
    Message::Tool(ToolMessage {
        call_id: text(message, "tool_call_id").unwrap_or_default(),
        name: name.unwrap_or_default(),
        content: words(content),
        failed,
    })
}

/// Every call of one message: from the field for calls, else from the blocks of the content.
fn assistant_calls(
    message: &mut Map<String, Value>,
    content: &Value,
) -> Result<Vec<ToolCall>, String> {
    let mut calls = Vec::new();
    for (field, malformed) in [("tool_calls", false), ("invalid_tool_calls", true)] {
        match message.remove(field) {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) => {
                for item in items {
                    calls.push(if malformed { invalid_call(&item) } else { openai_call(item)? });
                }
            }
            Some(other) => {
                return Err(hinted(
                    format!("`{field}` is {}, not a list", kind(&other)),
                    "it is a list of calls",
                ));
            }
        }
    }
    if calls.is_empty() {
        // LangChain repeats these blocks in `tool_calls`, where they would count twice.
        let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
        let blocks = blocks.iter().filter_map(Value::as_object);
        calls.extend(blocks.filter(|block| is(block, "tool_use")).map(anthropic_call));
    }
    // How OpenAI wrote the single call before there were several.
    if calls.is_empty()
        && let Some(call @ Value::Object(_)) = message.remove("function_call")
    {
        calls.push(openai_call(call)?);
    }
    Ok(calls)
}

/// A call as OpenAI (`function` is an object), Inspect (`function` is a name) or LangChain (`name`
/// and `args`) writes it.
fn openai_call(call: Value) -> Result<ToolCall, String> {
    let Value::Object(mut fields) = call else {
        return Err(format!("a call in `tool_calls` is {}, not a dict or an object", kind(&call)));
    };
    if let Some(Value::String(name)) = fields.get("function") {
        let name = name.clone();
        if let Some(why) = text(&fields, "parse_error") {
            let arguments = Arguments::malformed("", Malformation::NotJson(why));
            return Ok(ToolCall {
                id: text(&fields, "id"),
                arguments,
                ..ToolCall::new(name, Map::new())
            });
        }
        fields.insert("name".into(), name.into());
        fields.remove("function");
    }
    if let Some(arguments) = fields.remove("args") {
        fields.insert("arguments".into(), arguments);
    }
    let named = fields.get("function").unwrap_or(&Value::Null).get("name").or(fields.get("name"));
    if !named.is_some_and(Value::is_string) {
        let keys: Vec<&str> = fields.keys().map(String::as_str).collect();
        return Err(hinted(
            format!("a call without a name, with the fields {}", keys.join(", ")),
            "calls look like {\"function\": {\"name\": …, \"arguments\": …}}, {\"name\": …, \
             \"args\": …} or {\"function\": \"NAME\", \"arguments\": …}",
        ));
    }
    ToolCall::from_openai(&Value::Object(fields)).ok_or_else(|| "a call that is no object".into())
}

/// A call whose arguments LangChain could not read.
fn invalid_call(call: &Value) -> ToolCall {
    let field = |key: &str| call.get(key).and_then(Value::as_str).map(str::to_owned);
    let raw = field("args").unwrap_or_default();
    let arguments = match Arguments::from_text(&raw) {
        // LangChain said that it is none; what it refused is not taken for arguments here.
        Arguments::Object(_) => {
            let why = field("error").unwrap_or_else(|| "refused by LangChain".into());
            Arguments::malformed(raw, Malformation::NotJson(why))
        }
        malformed @ Arguments::Malformed { .. } => malformed,
    };
    let name = field("name").unwrap_or_default();
    ToolCall { id: field("id"), arguments, ..ToolCall::new(name, Map::new()) }
}

fn anthropic_call(block: &Map<String, Value>) -> ToolCall {
    let arguments = match block.get("input") {
        Some(Value::Object(object)) => Arguments::Object(object.clone()),
        Some(Value::String(text)) => Arguments::from_text(text),
        None | Some(Value::Null) => Arguments::from_text(""),
        Some(other) => Arguments::from_text(&other.to_string()),
    };
    let name = text(block, "name").unwrap_or_default();
    ToolCall { id: text(block, "id"), arguments, ..ToolCall::new(name, Map::new()) }
}

/// The thinking that a message reports apart from its text.
fn reasoning(message: &Map<String, Value>, content: &Value) -> Option<String> {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let thought = |block: &Value| {
        // `reasoning` is Inspect's, `thinking` Anthropic's.
        ["reasoning", "thinking"].iter().find_map(|key| block.get(key)?.as_str().map(str::to_owned))
    };
    text(message, "reasoning_content").or_else(|| blocks.iter().find_map(thought))
}

/// The words of a content: a text, or those of its blocks.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Value::String(text) => Some(text.as_str()),
                block => block.get("text").or(block.get("refusal"))?.as_str(),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn is(block: &Map<String, Value>, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "None",
        Value::Bool(_) => "a bool",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a dict",
    }
}
