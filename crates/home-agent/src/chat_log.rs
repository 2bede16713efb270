//! Home Assistant's chat log of a conversation, read as messages.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Message, ToolCall, ToolMessage};

/// What the first event of a subscription holds.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ChatLogEvent {
    #[serde(default)]
    pub(crate) data: ChatLog,
}

/// A conversation as Home Assistant keeps it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ChatLog {
    #[serde(default)]
    content: Vec<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Content {
    System {
        #[serde(default)]
        content: String,
    },
    User {},
    Assistant {
        #[serde(default)]
        content: Option<String>,
        #[serde(default)]
        thinking_content: Option<String>,
        #[serde(default)]
        tool_calls: Vec<LoggedCall>,
    },
    ToolResult {
        tool_call_id: String,
        tool_name: String,
        #[serde(default)]
        result: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct LoggedCall {
    #[serde(default)]
    id: Option<String>,
    tool_name: String,
    #[serde(default)]
    tool_args: Map<String, Value>,
}

impl ChatLog {
    /// The prompt that Home Assistant sent, if the log has it.
    pub(crate) fn system(&self) -> Option<&str> {
        self.content.iter().find_map(|content| match content {
            Content::System { content } => Some(content.as_str()).filter(|text| !text.is_empty()),
            _ => None,
        })
    }

    /// What followed the last thing that was asked: the calls with their results, and the answer.
    pub(crate) fn last_turn(self) -> (Vec<Message>, Option<AssistantMessage>) {
        let asked = self.content.iter().rposition(|content| matches!(content, Content::User {}));
        let mut behind: Vec<Message> = self
            .content
            .into_iter()
            .skip(asked.map_or(0, |at| at + 1))
            .filter_map(message)
            .collect();
        // The answer itself is what came last, if nothing was called with it.
        let is_answer =
            matches!(behind.last(), Some(Message::Assistant(said)) if said.calls.is_empty());
        let answer = if is_answer { behind.pop() } else { None };
        let answer = answer.and_then(|message| match message {
            Message::Assistant(said) => Some(said),
            _ => None,
        });
        (behind, answer)
    }
}

fn message(content: Content) -> Option<Message> {
    match content {
        Content::Assistant { content, thinking_content, tool_calls } => {
            Some(Message::Assistant(AssistantMessage {
                content: content.unwrap_or_default(),
                reasoning: thinking_content,
                calls: tool_calls.into_iter().map(call).collect(),
            }))
        }
        Content::ToolResult { tool_call_id, tool_name, result } => {
            let failed = result.get("error").and_then(Value::as_bool) == Some(true);
            let content = result.to_string();
            Some(Message::Tool(ToolMessage {
                call_id: tool_call_id,
                name: tool_name,
                content,
                failed,
            }))
        }
        Content::System { .. } | Content::User {} | Content::Other => None,
    }
}

fn call(logged: LoggedCall) -> ToolCall {
    ToolCall {
        id: logged.id,
        name: logged.tool_name,
        arguments: Arguments::Object(logged.tool_args),
        origin: CallOrigin::Structured,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_followed_the_last_question_is_the_turn() {
        let log: ChatLog = serde_json::from_value(json!({"content": [
            {"role": "system", "content": "You are a voice assistant.", "created": "x"},
            {"role": "user", "content": "turn on the lamp"},
            {"role": "assistant", "agent_id": "a", "content": "Done."},
            {"role": "user", "content": "and off again"},
            {"role": "assistant", "agent_id": "a", "tool_calls":
                [{"id": "1", "tool_name": "off", "tool_args": {"name": "Lamp"}, "external": false}]},
            {"role": "tool_result", "agent_id": "a", "tool_call_id": "1", "tool_name": "off",
                "result": {"data": {"error": "MatchFailedError"}, "error": true}},
            {"role": "assistant", "agent_id": "a", "content": "I could not."},
        ]}))
        .unwrap();
        assert_eq!(log.system(), Some("You are a voice assistant."));
        let (behind, answer) = log.last_turn();
        let [Message::Assistant(said), Message::Tool(result)] = behind.as_slice() else {
            panic!("{behind:?}")
        };
        assert_eq!((said.calls.len(), said.calls[0].name.as_str()), (1, "off"));
        assert!(result.failed);
        assert_eq!(result.content, r#"{"data":{"error":"MatchFailedError"},"error":true}"#);
        assert_eq!(answer.unwrap().content, "I could not.");
    }
}
