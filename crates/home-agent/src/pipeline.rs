//! A voice pipeline of Home Assistant: what it is asked, and what comes while it answers.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::processed::{Processed, Response};

/// Who sets no limit waits for ever, which Home Assistant has no number for. In seconds.
const A_DAY: u64 = 86_400;

/// The request that runs a pipeline from the words of a command to those of the answer. The name
/// of an agent is that of a pipeline too: Home Assistant makes one of its defaults, which puts
/// every command to that agent.
pub(crate) fn run_request(question: &Value, patience: Duration) -> Value {
    let mut request = json!({
        "start_stage": "intent", "end_stage": "intent", "pipeline": question["agent_id"],
        "input": {"text": question["text"]}, "conversation_id": question["conversation_id"],
        "timeout": patience.as_secs().min(A_DAY),
    });
    if let Some(device) = question.get("device_id") {
        request["device_id"] = device.clone();
    }
    request
}

/// What comes while a pipeline runs.
pub(crate) struct PipelineRun {
    begun: Instant,
    processed: Processed,
    /// The messages so far, as the chat log has them.
    messages: Vec<Value>,
}

impl PipelineRun {
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), processed: Processed::default(), messages: Vec::new() }
    }

    /// Takes note of an event; whether it was the last.
    pub(crate) fn note(&mut self, event: &Value) -> bool {
        match event["type"].as_str().unwrap_or_default() {
            "intent-progress" => self.progress(&event["data"]["chat_log_delta"]),
            "intent-end" => {
                let response = Response::deserialize(&event["data"]["intent_output"]["response"]);
                self.processed.response = response.unwrap_or_default();
            }
            "error" => {
                let why = event["data"]["message"].as_str().unwrap_or("the pipeline failed");
                self.processed.response = Response::broken(why);
            }
            "run-end" => return true,
            _ => {}
        }
        false
    }

    fn progress(&mut self, delta: &Value) {
        let now = self.begun.elapsed();
        let is_result = delta["role"] == "tool_result";
        if is_result {
            self.processed.last_act = Some(now);
        }
        // A result may have content too, which nobody hears.
        let said = delta["content"].as_str().filter(|said| !is_result && !said.trim().is_empty());
        if said.is_some() {
            self.processed.first_word.get_or_insert(now);
        }
        self.add_to_messages(delta);
    }

    /// Puts the pieces of a message together.
    fn add_to_messages(&mut self, delta: &Value) {
        if delta.get("role").is_some() {
            self.messages.push(delta.clone());
            return;
        }
        let (Some(Value::Object(message)), Value::Object(delta)) =
            (self.messages.last_mut(), delta)
        else {
            return;
        };
        for (name, piece) in delta {
            match (message.get_mut(name), piece) {
                (Some(Value::String(text)), Value::String(more)) => text.push_str(more),
                (Some(Value::Array(list)), Value::Array(more)) => list.extend(more.iter().cloned()),
                _ => drop(message.insert(name.clone(), piece.clone())),
            }
        }
    }

    /// What came back. Home Assistant keeps no chat log of a turn that broke off: what was called
    /// before is known from here alone.
    pub(crate) fn processed(mut self) -> Processed {
        let log = json!({"content": self.messages});
        self.processed.chat_log = serde_json::from_value(log).ok();
        self.processed
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::Message;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_first_word_and_the_last_act_are_timed_as_they_come() {
        let mut run = PipelineRun::new();
        let progress =
            |delta: Value| json!({"type": "intent-progress", "data": {"chat_log_delta": delta}});
        let response =
            json!({"speech": {"plain": {"speech": "It is on."}}, "response_type": "action_done"});
        let events = [
            json!({"type": "run-start", "data": {}}),
            progress(json!({"role": "assistant"})),
            progress(json!({"thinking_content": "Well."})),
            progress(json!({"tool_calls": [{"id": "1", "tool_name": "on", "tool_args": {}}]})),
            progress(json!({"role": "tool_result", "content": "x", "tool_call_id": "1",
                "tool_name": "on", "result": {}})),
            progress(json!({"role": "assistant"})),
            progress(json!({"content": " "})),
            progress(json!({"content": "It "})),
            progress(json!({"content": "is on."})),
            json!({"type": "intent-end", "data": {"intent_output": {"response": response}}}),
        ];
        for event in events {
            tokio::time::advance(Duration::from_secs(1)).await;
            assert!(!run.note(&event));
        }
        assert!(run.note(&json!({"type": "run-end"})));
        let processed = run.processed();
        assert_eq!(processed.last_act, Some(Duration::from_secs(5)));
        assert_eq!(processed.first_word, Some(Duration::from_secs(8)));
        assert_eq!(processed.speech(), "It is on.");
        assert!(!processed.is_broken());
        let (behind, answer) = processed.chat_log.unwrap().last_turn();
        assert_eq!(answer.unwrap().content.trim(), "It is on.");
        let [Message::Assistant(said), Message::Tool(result)] = behind.as_slice() else {
            panic!("{behind:?}")
        };
        assert_eq!((said.calls.len(), said.calls[0].name.as_str()), (1, "on"));
        assert_eq!((said.reasoning.as_deref(), result.name.as_str()), (Some("Well."), "on"));
    }

    #[test]
    fn a_pipeline_that_fails_gives_its_reason() {
        let mut run = PipelineRun::new();
        run.note(&json!({"type": "error", "data": {"code": "timeout", "message": "Timeout"}}));
        let processed = run.processed();
        assert!(processed.is_broken());
        assert_eq!(processed.speech(), "Timeout");
    }
}
