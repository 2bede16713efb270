//! Transcripts that were recorded elsewhere, read as replies of a server are read.

use toolgauge_core::{Arguments, Message, Tool, Transcript};

use crate::arguments;
use crate::draft::{find_calls, take_thinking};
use crate::oddities::Oddities;

/// Reads what a subject said as it is read from a server: thinking is taken out of the text, calls
/// are found that came as text, and arguments that were encoded twice are decoded. What was odd is
/// noted in the last turn, if there is one.
pub fn recognize(transcript: &mut Transcript, tools: &[Tool]) {
    let mut oddities = Oddities::default();
    for message in &mut transcript.messages {
        let Message::Assistant(said) = message else { continue };
        let mut reasoning = said.reasoning.take().unwrap_or_default();
        take_thinking(&mut said.content, &mut reasoning);
        said.reasoning = Some(reasoning).filter(|text| !text.is_empty());
        for call in &mut said.calls {
            // Inspect AI keeps that arguments were malformed, but not their text.
            if let Arguments::Malformed { raw, .. } = &call.arguments
                && !raw.is_empty()
            {
                call.arguments = arguments::from_text(raw, &mut oddities);
            }
        }
        find_calls(&said.content, &mut said.calls, tools, &mut oddities);
    }
    if let Some(turn) = transcript.turns.last_mut() {
        turn.oddities.extend(oddities.into_list());
        turn.oddities.sort_unstable();
        turn.oddities.dedup();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use toolgauge_core::{CallOrigin, Oddity, Turn};

    use super::*;

    fn recognized(message: &Value) -> Transcript {
        let tool = Tool {
            name: "turn_on".into(),
            description: String::new(),
            parameters: json!({"type": "object"}),
        };
        let messages = vec![Message::from_openai(message).unwrap()];
        let turns = vec![Turn::default()];
        let mut transcript = Transcript { messages, turns, ..Transcript::default() };
        recognize(&mut transcript, &[tool]);
        transcript
    }

    #[test]
    fn calls_in_the_text_are_found_and_thoughts_are_none() {
        let call = r#"<tool_call>{"name": "turn_on", "arguments": {"name": "Lamp"}}</tool_call>"#;
        let said = recognized(&json!({"role": "assistant", "content": call}));
        let made: Vec<_> = said.calls().collect();
        assert_eq!((made.len(), made[0].origin), (1, CallOrigin::Text));
        assert_eq!(said.turns[0].oddities, [Oddity::CallsInText]);
        let thought = format!("<think>{call}</think>Sure.");
        let said = recognized(&json!({"role": "assistant", "content": thought}));
        assert_eq!((said.calls().count(), said.final_text()), (0, "Sure."));
    }

    #[test]
    fn malformed_arguments_whose_text_was_not_kept_stay_malformed() {
        let why = toolgauge_core::Malformation::NotJson("cut off".into());
        let arguments = Arguments::malformed("", why);
        let call = toolgauge_core::ToolCall {
            arguments: arguments.clone(),
            ..toolgauge_core::ToolCall::new("turn_on", serde_json::Map::new())
        };
        let said = toolgauge_core::AssistantMessage { calls: vec![call], ..Default::default() };
        let messages = vec![Message::Assistant(said)];
        let mut transcript = Transcript { messages, ..Transcript::default() };
        recognize(&mut transcript, &[]);
        assert_eq!(transcript.calls().next().unwrap().arguments, arguments);
    }

    #[test]
    fn arguments_that_were_encoded_twice_are_decoded() {
        let twice = json!(json!({"name": "Lamp"}).to_string()).to_string();
        let call = json!({"id": "1", "function": {"name": "turn_on", "arguments": twice}});
        let said = recognized(&json!({"role": "assistant", "tool_calls": [call]}));
        let arguments = said.calls().next().unwrap().arguments.as_object().unwrap();
        assert_eq!(arguments["name"], "Lamp");
        assert_eq!(said.turns[0].oddities, [Oddity::ArgumentsDoublyEncoded]);
    }
}
