//! A subject that gives the answers of an earlier run again to whoever leads the same
//! conversation: over HTTP nobody says which trial it is.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, FailureKind, Message, SubjectIdentity, TrialFailure,
};

use crate::Recording;
use crate::quote::quote;
use toolgauge_core::{Answer, Reply, Request, Subject};

/// One conversation of an earlier run: what the subject was told and asked, and what it answered.
#[derive(Clone, Debug, Default)]
pub struct RecordedConversation {
    /// The system prompt, where it is known.
    pub system: Option<Arc<str>>,
    /// The seed that was sent, where it is known.
    pub seed: Option<u64>,
    /// What was said before the first answer.
    pub opening: Vec<Message>,
    /// What the subject answered, turn by turn.
    pub answers: Recording,
}

/// Answers as an earlier run was answered, by what was said before.
///
/// Of several conversations that begin alike, those count that were told the same, then those of
/// the same seed, then those that went on the same way. What is left then (trials of one case
/// without a seed) is given in turn.
#[derive(Debug)]
pub struct ConversationSubject {
    identity: SubjectIdentity,
    known: Vec<RecordedConversation>,
    by_opening: HashMap<String, Vec<usize>>,
    /// How many messages openings have.
    lengths: BTreeSet<usize>,
    by_sentence: HashMap<String, Vec<usize>>,
    /// How often a conversation was asked for that several fit.
    asked: Mutex<HashMap<u64, usize>>,
}

impl ConversationSubject {
    /// A subject that answers for the one that was recorded, under its name.
    pub fn new(recorded: &SubjectIdentity, known: Vec<RecordedConversation>) -> Self {
        let name = recorded.name.clone();
        let identity = SubjectIdentity { name, provider: "replay".into(), base_url: None };
        let mut by_opening: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_sentence: HashMap<String, Vec<usize>> = HashMap::new();
        let mut lengths = BTreeSet::new();
        for (at, conversation) in known.iter().enumerate() {
            let opening = spoken(&conversation.opening);
            lengths.insert(opening.len());
            by_opening.entry(key(&opening)).or_default().push(at);
            if let Some(sentence) = sentence(&opening) {
                by_sentence.entry(sentence.to_owned()).or_default().push(at);
            }
        }
        Self { identity, known, by_opening, lengths, by_sentence, asked: Mutex::default() }
    }

    fn next(&self, request: &Request<'_>) -> Result<Reply, TrialFailure> {
        let said = spoken(request.conversation);
        if let Some((begun, length)) = self.begun_alike(&said) {
            let answers: Vec<&AssistantMessage> =
                said[length..].iter().filter_map(|message| answer(message)).collect();
            let chosen = self.choose(begun, request, &said, &answers);
            return chosen.answers.turn(answers.len());
        }
        // A client may add messages of its own at the start; then the last sentence is all there
        // is.
        let sentence = sentence(&said).unwrap_or_default();
        if let Some(asked) = self.by_sentence.get(sentence) {
            return self.choose(asked, request, &said, &[]).answers.next(request.conversation);
        }
        Err(TrialFailure {
            kind: FailureKind::Refused,
            message: format!("the replayed run was never asked `{}`", quote(sentence)),
        })
    }

    /// Those that begin as this conversation does, and how long that beginning is; the longest
    /// one that is known.
    fn begun_alike(&self, said: &[&Message]) -> Option<(&[usize], usize)> {
        self.lengths.range(..=said.len()).rev().find_map(|&length| {
            Some((self.by_opening.get(&key(&said[..length]))?.as_slice(), length))
        })
    }

    fn choose(
        &self,
        among: &[usize],
        request: &Request<'_>,
        said: &[&Message],
        answers: &[&AssistantMessage],
    ) -> &RecordedConversation {
        let mut left: Vec<&RecordedConversation> =
            among.iter().map(|at| &self.known[*at]).collect();
        let system = request.briefing.system.as_deref();
        // The order matters: a wrong prompt makes another conversation, a seed only another trial
        // of it.
        prefer(&mut left, |known| known.system.as_deref() == system);
        prefer(&mut left, |known| known.seed == request.seed);
        prefer(&mut left, |known| {
            let ours = known.answers.replies.iter().map(|reply| &reply.message);
            known.answers.replies.len() >= answers.len()
                && answers.iter().zip(ours).all(|(said, ours)| is_echo(said, ours))
        });
        match left.as_slice() {
            [one] => one,
            several => several[self.turn(system, request.seed, said) % several.len()],
        }
    }

    /// How often exactly this was asked before.
    fn turn(&self, system: Option<&str>, seed: Option<u64>, said: &[&Message]) -> usize {
        let mut hasher = DefaultHasher::new();
        (system, seed, key(said)).hash(&mut hasher);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let count = asked.entry(hasher.finish()).or_default();
        *count += 1;
        *count - 1
    }
}

impl Subject for ConversationSubject {
    fn identity(&self) -> SubjectIdentity {
        self.identity.clone()
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(std::future::ready(self.next(&request)))
    }
}

/// Leaves those that fit, if any does.
fn prefer(left: &mut Vec<&RecordedConversation>, fits: impl Fn(&RecordedConversation) -> bool) {
    if left.len() > 1 && left.iter().any(|known| fits(known)) {
        left.retain(|known| fits(known));
    }
}

/// The conversation without instructions, which servers are told in one place.
fn spoken(messages: &[Message]) -> Vec<&Message> {
    messages.iter().filter(|message| !matches!(message, Message::System { .. })).collect()
}

fn answer(message: &Message) -> Option<&AssistantMessage> {
    match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    }
}

/// The last thing the user said.
fn sentence<'a>(said: &[&'a Message]) -> Option<&'a str> {
    said.iter().rev().find_map(|message| match message {
        Message::User { content } => Some(content.as_str()),
        _ => None,
    })
}

/// What was said, as far as it comes through the wire unchanged: identifiers do not.
fn key(said: &[&Message]) -> String {
    let mut key = String::new();
    for message in said {
        // Writing to a string cannot fail.
        let _ = match message {
            Message::System { content } => write!(key, "s{content}\0"),
            Message::User { content } => write!(key, "u{content}\0"),
            Message::Tool(message) => write!(key, "t{}\0", message.content),
            Message::Assistant(message) => write!(key, "a{}\0{}", message.content, called(message)),
        };
    }
    key
}

fn called(message: &AssistantMessage) -> String {
    let call = |call: &toolgauge_core::ToolCall| match &call.arguments {
        Arguments::Object(object) => {
            format!("c{}\0{}\0", call.name, serde_json::Value::Object(object.clone()))
        }
        Arguments::Malformed { .. } => format!("c{}\0{{}}\0", call.name),
    };
    message.calls.iter().map(call).collect()
}

/// Whether what a client says was answered may be our answer. Clients cannot send back arguments
/// that are malformed, and may take calls out of a text they stood in.
fn is_echo(said: &AssistantMessage, ours: &AssistantMessage) -> bool {
    let in_text = ours.calls.iter().any(|call| call.origin == CallOrigin::Text);
    let same_calls = said.calls.len() == ours.calls.len()
        && said.calls.iter().zip(&ours.calls).all(|(said, ours)| {
            let unsayable = matches!(ours.arguments, Arguments::Malformed { .. });
            said.name == ours.name && (unsayable || said.arguments == ours.arguments)
        });
    same_calls && (in_text || said.content == ours.content)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};
    use toolgauge_core::{CaseId, ToolCall, ToolMessage, Transcript, TrialId};

    use super::*;
    use toolgauge_core::Briefing;

    fn says(text: &str) -> AssistantMessage {
        AssistantMessage { content: text.into(), ..AssistantMessage::default() }
    }

    fn calls(name: &str, arguments: Arguments) -> AssistantMessage {
        let call = ToolCall { arguments, ..ToolCall::new(name, Map::new()) };
        AssistantMessage { calls: vec![call], ..AssistantMessage::default() }
    }

    fn known(opening: &[Message], answers: &[AssistantMessage]) -> RecordedConversation {
        let messages = answers.iter().cloned().map(Message::Assistant).collect();
        let answers = Recording::of(&Transcript { messages, ..Transcript::default() });
        RecordedConversation {
            opening: opening.to_vec(),
            answers,
            ..RecordedConversation::default()
        }
    }

    fn ask(
        subject: &ConversationSubject,
        system: Option<&str>,
        seed: Option<u64>,
        conversation: &[Message],
    ) -> Result<String, TrialFailure> {
        let briefing = Arc::new(Briefing { system: system.map(Arc::from), tools: Arc::new([]) });
        let trial = TrialId { case: CaseId::new("served"), trial: 1 };
        let request = Request { briefing: &briefing, conversation, trial: &trial, seed };
        let message = subject.next(&request)?.message;
        Ok(if message.calls.is_empty() { message.content } else { message.calls[0].name.clone() })
    }

    fn subject(known: Vec<RecordedConversation>) -> ConversationSubject {
        ConversationSubject::new(&SubjectIdentity::default(), known)
    }

    #[test]
    fn the_same_words_get_the_answer_of_those_who_were_told_the_same() {
        let told = |system: &str, text: &str| RecordedConversation {
            system: Some(system.into()),
            ..known(&[Message::user("on")], &[says(text)])
        };
        let subject = subject(vec![told("attic", "up"), told("cellar", "down")]);
        let on = [Message::user("on")];
        for _ in 0..2 {
            assert_eq!(ask(&subject, Some("cellar"), None, &on).unwrap(), "down");
            assert_eq!(ask(&subject, Some("attic"), Some(3), &on).unwrap(), "up");
        }
        // Whoever was told something else gets any answer rather than none.
        assert_eq!(ask(&subject, Some("garden"), None, &on).unwrap(), "up");
    }

    #[test]
    fn trials_are_told_apart_by_seed_and_given_in_turn_without() {
        let trial = |seed, text: &str| RecordedConversation {
            seed,
            ..known(&[Message::user("roll")], &[says(text)])
        };
        let roll = [Message::user("roll")];
        let seeded = subject(vec![trial(Some(1), "one"), trial(Some(2), "two")]);
        assert_eq!(ask(&seeded, None, Some(2), &roll).unwrap(), "two");
        assert_eq!(ask(&seeded, None, Some(1), &roll).unwrap(), "one");
        let unseeded = subject(vec![trial(None, "one"), trial(None, "two")]);
        let given: Vec<String> =
            (0..3).map(|_| ask(&unseeded, None, None, &roll).unwrap()).collect();
        assert_eq!(given, ["one", "two", "one"]);
    }

    #[test]
    fn how_far_a_conversation_has_come_does_not_depend_on_how_it_is_told_back() {
        let malformed = Arguments::from_text("{oops");
        let first = calls("look", malformed);
        let subject = subject(vec![known(&[Message::user("go")], &[first, says("done")])]);
        let mut conversation = vec![Message::user("go")];
        assert_eq!(ask(&subject, None, None, &conversation).unwrap(), "look");
        conversation.push(Message::Assistant(calls("look", Arguments::Object(Map::new()))));
        conversation.push(Message::Tool(ToolMessage {
            call_id: "x".into(),
            name: "look".into(),
            content: "no such thing".into(),
            failed: true,
        }));
        assert_eq!(ask(&subject, None, None, &conversation).unwrap(), "done");
        conversation.push(Message::Assistant(says("done")));
        let over = ask(&subject, None, None, &conversation).unwrap_err();
        assert!(over.message.contains("ends after 2 turns"), "{}", over.message);
    }

    #[test]
    fn trials_that_part_later_are_followed_each_on_its_way() {
        let at = |n: i64| {
            calls("look", Arguments::Object(json!({"at": n}).as_object().unwrap().clone()))
        };
        let go = [Message::user("go")];
        let subject =
            subject(vec![known(&go, &[at(1), says("left")]), known(&go, &[at(2), says("right")])]);
        let second = [Message::user("go"), Message::Assistant(at(2))];
        assert_eq!(ask(&subject, None, None, &second).unwrap(), "right");
        assert_eq!(ask(&subject, None, None, &second).unwrap(), "right");
    }

    #[test]
    fn what_was_said_before_is_part_of_the_question() {
        let history = |before: &str| {
            vec![Message::user(before), Message::Assistant(says("ok")), Message::user("and now?")]
        };
        let subject = subject(vec![
            known(&history("a"), &[says("after a")]),
            known(&history("b"), &[says("after b")]),
        ]);
        assert_eq!(ask(&subject, None, None, &history("b")).unwrap(), "after b");
        let other = [Message::user("and now?")];
        assert_eq!(ask(&subject, None, None, &other).unwrap(), "after a");
    }

    #[test]
    fn what_was_never_asked_is_refused_by_its_words() {
        let subject = subject(vec![known(&[Message::user("go")], &[says("done")])]);
        let failure = ask(&subject, None, None, &[Message::user("what?")]).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
        assert_eq!(failure.message, "the replayed run was never asked `what?`");
    }
}
