//! Scripts: what they answer, and how they say what is wrong with them.

use std::sync::Arc;

use serde_json::json;
use toolgauge_core::{Arguments, AssistantMessage, TrialId};

use super::*;
use toolgauge_core::Briefing;

fn ask(
    subject: &ScriptedSubject,
    case: &str,
    conversation: &[Message],
) -> Result<Reply, TrialFailure> {
    let trial = TrialId { case: case.into(), trial: 1 };
    let briefing = Arc::new(Briefing { system: None, tools: Arc::new([]) });
    let request = Request { briefing: &briefing, conversation, trial: &trial, seed: None };
    subject.next(&request)
}

fn subject(script: &str) -> ScriptedSubject {
    ScriptedSubject::new("script", Script::parse(script).unwrap())
}

#[test]
fn cases_requests_and_order_are_answered() {
    let subject = subject(
        r#"
        {"id": "a", "text": "for a"}
        {"request": "what?", "calls": [{"name": "look", "arguments": {"at": "it"}}]}
        {"text": "first"}
        {"text": "second"}
        "#,
    );
    let say = |case: &str, text: &str| ask(&subject, case, &[Message::user(text)]).unwrap().message;
    assert_eq!(say("a", "what?").content, "for a");
    let look = &say("b", "what?").calls[0];
    assert_eq!(look.arguments.as_object().unwrap()["at"], json!("it"));
    let given: Vec<String> = (0..3).map(|_| say("c", "else").content).collect();
    assert_eq!(given, ["first", "second", "first"]);
}

#[test]
fn turns_follow_each_other_and_may_end_in_a_failure() {
    let subject = subject(
        r#"[{"id": "a", "turns": [
            {"calls": [{"name": "look", "arguments": "{broken"}]},
            {"fail": "timeout"}
        ]}]"#,
    );
    let mut conversation = vec![Message::user("go")];
    let first = ask(&subject, "a", &conversation).unwrap().message;
    assert!(matches!(first.calls[0].arguments, Arguments::Malformed { .. }));
    conversation.push(Message::Assistant(first));
    let failure = ask(&subject, "a", &conversation).unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Timeout, "scripted: timeout")
    );
}

#[test]
fn a_conversation_answered_in_order_keeps_its_answers() {
    let subject = subject(
        "{\"turns\": [{\"text\": \"a1\"}, {\"text\": \"a2\"}]}\n{\"turns\": [{\"text\": \"b1\"}]}",
    );
    let open = [Message::user("go")];
    assert_eq!(ask(&subject, "x", &open).unwrap().message.content, "a1");
    assert_eq!(ask(&subject, "y", &open).unwrap().message.content, "b1");
    let a1 = AssistantMessage { content: "a1".into(), ..AssistantMessage::default() };
    let later = [Message::user("go"), Message::Assistant(a1), Message::user("on")];
    assert_eq!(ask(&subject, "x", &later).unwrap().message.content, "a2");
}

#[test]
fn a_recorded_response_is_read_as_one_from_a_server() {
    let subject = subject(
        r#"{"id": "a", "response": {"choices": [{"message": {"content": "hi"},
            "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}}"#
            .replace('\n', " ")
            .as_str(),
    );
    let reply = ask(&subject, "a", &[Message::user("go")]).unwrap();
    assert_eq!(reply.message.content, "hi");
    assert_eq!(reply.turn.usage.input, Some(7));
}

#[test]
fn mistakes_are_named_with_their_line() {
    let error = |script: &str| Script::parse(script).unwrap_err().to_string();
    assert_eq!(error(""), "the script is empty");
    assert_eq!(
        error("{\"text\": \"a\"}\n\n{\"txt\": \"b\"}").split(',').next(),
        Some("line 3: unknown field `txt`")
    );
    assert_eq!(
        error("[{\"text\": \"a\"},\n {\"id\": \"x\"}]"),
        "line 2: give one of `text` or `calls`, `response`, `fail`, `turns`"
    );
    assert_eq!(
        error("{\"id\": \"x\", \"text\": \"a\"}\n{\"id\": \"x\", \"text\": \"b\"}"),
        "line 2: `x` is answered a second time"
    );
    assert!(error("{\"fail\": \"sloth\"}").starts_with("line 1: unknown variant `sloth`"));
    assert!(error("{\"response\": {\"a\": 1}}").starts_with("line 1: the response cannot be read"));
    assert!(error("[{\"text\": \"a\"},\n").starts_with("line 2: EOF"));
}

#[test]
fn what_the_script_does_not_know_is_refused() {
    let subject = subject(r#"{"id": "a", "text": "x"}"#);
    let failure = ask(&subject, "b", &[Message::user("go")]).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert_eq!(failure.message, "the script has no answer for `b#1`");
}
