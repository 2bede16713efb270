//! What a person waits for in a trial: the first word, and the last act.

use std::time::Duration;

use crate::{AssistantMessage, Message, Transcript, Turn};

impl Transcript {
    /// From the command to the first word that is said, where answers were streamed.
    pub fn first_word(&self) -> Option<Duration> {
        let mut before = Duration::ZERO;
        for (turn, message) in self.answered_turns() {
            if let Some(word) = turn.timings.first_word {
                return Some(before.saturating_add(word));
            }
            if !message.content.trim().is_empty() {
                // What a model thinks is streamed before what it says, and nobody hears it.
                let first = turn.timings.first_token.filter(|_| message.reasoning.is_none());
                return first.map(|first| before.saturating_add(first));
            }
            before = before.saturating_add(turn.timings.total);
        }
        None
    }

    /// From the command to the end of the last turn that calls a tool: then everything is done,
    /// whatever is said afterwards.
    pub fn last_act(&self) -> Option<Duration> {
        let (mut before, mut last) = (Duration::ZERO, None);
        for (turn, message) in self.answered_turns() {
            let times = &turn.timings;
            let act = times.last_act.or((!message.calls.is_empty()).then_some(times.total));
            last = act.map(|act| before.saturating_add(act)).or(last);
            before = before.saturating_add(times.total);
        }
        last.filter(|last| !last.is_zero())
    }

    /// The turns with what was answered in each.
    fn answered_turns(&self) -> impl Iterator<Item = (&Turn, &AssistantMessage)> {
        let messages: Vec<&AssistantMessage> = self.messages.iter().filter_map(answer).collect();
        // A subject that calls its tools itself answers in one turn, with its last message. Of
        // several such turns nobody knows which message belongs to which.
        let skipped = match self.turns.len() {
            1 => messages.len().saturating_sub(1),
            turns if turns == messages.len() => 0,
            _ => messages.len(),
        };
        self.turns.iter().zip(messages.into_iter().skip(skipped))
    }
}

fn answer(message: &Message) -> Option<&AssistantMessage> {
    match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn transcript(messages: &Value, turns: &Value) -> Transcript {
        serde_json::from_value(json!({"messages": messages, "turns": turns})).unwrap()
    }

    fn turn(first_token: f64, total: f64) -> Value {
        json!({"timings": {"queued": 9.0, "first_token": first_token, "total": total}})
    }

    fn call() -> Value {
        json!({"id": "1", "name": "turn_on", "arguments": {"object": {}}})
    }

    #[test]
    fn the_first_word_comes_after_the_turns_that_only_call() {
        let heard = transcript(
            &json!([
                {"role": "assistant", "content": "", "calls": [call()]},
                {"role": "tool", "call_id": "1", "name": "turn_on", "content": "done"},
                {"role": "assistant", "content": "It is on."},
            ]),
            &json!([turn(0.25, 1.0), turn(0.5, 2.0)]),
        );
        assert_eq!(heard.first_word(), Some(Duration::from_millis(1500)));
        assert_eq!(heard.last_act(), Some(Duration::from_secs(1)));
    }

    #[test]
    fn what_is_not_known_is_not_made_up() {
        let said = json!([{"role": "assistant", "content": "It is on.", "reasoning": "Well."}]);
        let thought = transcript(&said, &json!([turn(0.25, 1.0)]));
        assert_eq!(thought.first_word(), None, "the first token was a thought");
        assert_eq!(thought.last_act(), None, "nothing was done");
        let whole = transcript(&said, &json!([{"timings": {"queued": 0.0, "total": 1.0}}]));
        assert_eq!(whole.first_word(), None, "the answer came in one piece");
    }

    #[test]
    fn a_subject_that_calls_tools_itself_says_when() {
        let messages = json!([
            {"role": "assistant", "content": "", "calls": [call()]},
            {"role": "tool", "call_id": "1", "name": "turn_on", "content": "done"},
            {"role": "assistant", "content": "It is on."},
        ]);
        let times = json!({"queued": 0.0, "total": 3.0, "first_word": 2.5, "last_act": 1.5});
        let told = transcript(&messages, &json!([{"timings": times}]));
        assert_eq!(told.first_word(), Some(Duration::from_millis(2500)));
        assert_eq!(told.last_act(), Some(Duration::from_millis(1500)));
        let silent = transcript(&messages, &json!([turn(0.25, 3.0)]));
        assert_eq!(silent.last_act(), None);
    }
}
