//! The answers of one conversation, given again turn by turn.

use toolgauge_core::{AssistantMessage, FailureKind, Message, Transcript, TrialFailure};

use toolgauge_core::Reply;

/// What a subject answered in one conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The answers, in order.
    pub replies: Vec<Reply>,
    /// How it ended, if it ended badly.
    pub failure: Option<TrialFailure>,
}

impl Recording {
    /// The recording that a transcript holds.
    pub fn of(transcript: &Transcript) -> Self {
        let said = transcript.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.clone()),
            _ => None,
        });
        // Imported transcripts may have fewer turns than messages.
        let turns = transcript.turns.iter().cloned().map(Some).chain(std::iter::repeat(None));
        let replies =
            said.zip(turns).map(|(message, turn)| Reply::new(message, turn.unwrap_or_default()));
        Self { replies: replies.collect(), failure: transcript.failure.clone() }
    }

    /// The recording of a subject that carries out its calls by itself: one answer, with all the
    /// messages before it behind it.
    pub fn of_chatbot(transcript: &Transcript) -> Self {
        let (Some(turn), [behind @ .., Message::Assistant(message)]) =
            (transcript.turns.first(), &*transcript.messages)
        else {
            return Self::of(transcript);
        };
        let reply = Reply {
            behind: behind.to_vec(),
            background: transcript.background.clone(),
            failure: transcript.failure.clone(),
            ..Reply::new(message.clone(), turn.clone())
        };
        Self { replies: vec![reply], failure: None }
    }

    /// The answer that comes next in a conversation.
    ///
    /// How far the conversation has come is read from the conversation itself: the most answers
    /// that stand at its end. No count is kept, so any number of trials can be answered at once
    /// and in any order.
    pub fn next(&self, conversation: &[Message]) -> Result<Reply, TrialFailure> {
        self.turn(self.given(conversation))
    }

    /// The answer that comes after so many.
    pub fn turn(&self, given: usize) -> Result<Reply, TrialFailure> {
        match self.replies.get(given) {
            Some(reply) => Ok(reply.clone()),
            None => Err(self.failure.clone().unwrap_or_else(|| TrialFailure {
                kind: FailureKind::Refused,
                message: format!("the recording ends after {} turns", self.replies.len()),
            })),
        }
    }

    /// Whether the conversation already holds answers of this recording.
    pub(crate) fn has_begun(&self, conversation: &[Message]) -> bool {
        self.given(conversation) > 0
    }

    /// How many answers have been given.
    fn given(&self, conversation: &[Message]) -> usize {
        let said: Vec<&AssistantMessage> = conversation
            .iter()
            .filter_map(|message| match message {
                Message::Assistant(message) => Some(message),
                _ => None,
            })
            .collect();
        let most = said.len().min(self.replies.len());
        let stand_at_the_end = |given: &usize| {
            let ours = self.replies[..*given].iter().map(|reply| &reply.message);
            said[said.len() - given..].iter().zip(ours).all(|(said, ours)| same(said, ours))
        };
        // The longest fit, since an input may itself hold answers of an assistant before ours.
        (0..=most).rev().find(stand_at_the_end).unwrap_or(0)
    }
}

/// Whether two messages say and call the same. Identifiers of calls do not count: whoever runs a
/// conversation may have given new ones.
fn same(one: &AssistantMessage, other: &AssistantMessage) -> bool {
    one.content == other.content
        && one.calls.len() == other.calls.len()
        && one
            .calls
            .iter()
            .zip(&other.calls)
            .all(|(one, other)| one.name == other.name && one.arguments == other.arguments)
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use toolgauge_core::{ToolCall, ToolMessage, Turn};

    use super::*;

    fn saying(text: &str) -> AssistantMessage {
        AssistantMessage { content: text.into(), ..AssistantMessage::default() }
    }

    fn calling(name: &str) -> AssistantMessage {
        let calls = vec![ToolCall::new(name, Map::new())];
        AssistantMessage { calls, ..AssistantMessage::default() }
    }

    fn recording(messages: Vec<AssistantMessage>) -> Recording {
        let reply = |message| Reply::new(message, Turn::default());
        Recording { replies: messages.into_iter().map(reply).collect(), failure: None }
    }

    #[test]
    fn each_turn_gets_its_answer_whatever_calls_are_named() {
        let recording = recording(vec![calling("look"), saying("found")]);
        let mut conversation = vec![Message::user("go")];
        let mut first = recording.next(&conversation).unwrap().message;
        assert_eq!(first, calling("look"));
        first.calls[0].id = Some("given-by-the-runner".into());
        conversation.push(Message::Assistant(first));
        conversation.push(Message::Tool(ToolMessage {
            call_id: "given-by-the-runner".into(),
            name: "look".into(),
            content: "there".into(),
            failed: false,
        }));
        assert_eq!(recording.next(&conversation).unwrap().message, saying("found"));
    }

    #[test]
    fn what_was_said_before_the_trial_is_not_mistaken_for_an_answer() {
        let recording = recording(vec![saying("b"), saying("c")]);
        let history = [Message::user("1"), Message::Assistant(saying("a")), Message::user("2")];
        assert_eq!(recording.next(&history).unwrap().message, saying("b"));
    }

    #[test]
    fn a_recording_that_is_over_fails_as_it_did() {
        let mut recording = recording(vec![]);
        let refused = recording.next(&[Message::user("go")]).unwrap_err();
        assert_eq!(refused.kind, FailureKind::Refused);
        let failure = TrialFailure { kind: FailureKind::Timeout, message: "too slow".into() };
        recording.failure = Some(failure.clone());
        assert_eq!(recording.next(&[Message::user("go")]), Err(failure));
    }

    #[test]
    fn a_transcript_is_a_recording() {
        let transcript = Transcript {
            messages: vec![Message::Assistant(calling("look")), Message::Assistant(saying("x"))],
            turns: vec![Turn { attempts: 2, ..Turn::default() }],
            failure: None,
            ..Transcript::default()
        };
        let recording = Recording::of(&transcript);
        assert_eq!(recording.replies.len(), 2);
        assert_eq!(recording.replies[0].turn.attempts, 2);
    }

    #[test]
    fn a_chatbot_answers_once_with_all_that_stood_behind_it() {
        let messages = vec![Message::Assistant(calling("look")), Message::Assistant(saying("x"))];
        let turns = vec![Turn { attempts: 2, ..Turn::default() }];
        let transcript = Transcript { messages, turns, ..Transcript::default() };
        let recording = Recording::of_chatbot(&transcript);
        let [reply] = recording.replies.as_slice() else { panic!("{recording:?}") };
        assert_eq!((&reply.message, reply.behind.len()), (&saying("x"), 1));
    }
}
