//! Anthropic's messages, streamed and whole.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_core::{FailureKind, Message, Oddity, StopReason, TrialFailure, TrialId};
use toolgauge_core::{Reply, Request, Subject};
use toolgauge_model::{Anthropic, AnthropicSettings};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, settings};

async fn asked(responses: Vec<Response>, stream: bool) -> Result<Reply, TrialFailure> {
    let server = Server::answering(responses).await;
    let mut connection = settings(server.url(), false).connection;
    connection.retry.retries = 2;
    let settings = AnthropicSettings { stream, ..AnthropicSettings::new(connection, "m") };
    ask(&Anthropic::new(settings).unwrap(), &Arc::new(briefing(&["turn_on"]))).await
}

fn events(events: &[(&str, Value)]) -> String {
    let event = |(name, data): &(&str, Value)| format!("event: {name}\ndata: {data}\n\n");
    events.iter().map(event).collect::<Vec<_>>().concat()
}

fn whole_stream() -> Vec<(&'static str, Value)> {
    let delta = |index: u64, delta: Value| {
        (
            "content_block_delta",
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
        )
    };
    let start = |index: u64, block: Value| {
        (
            "content_block_start",
            json!({"type": "content_block_start", "index": index, "content_block": block}),
        )
    };
    vec![
        (
            "message_start",
            json!({"type": "message_start", "message": {"model": "real", "usage": {"input_tokens": 5, "cache_read_input_tokens": 20, "output_tokens": 1}}}),
        ),
        ("ping", json!({"type": "ping"})),
        start(0, json!({"type": "thinking", "thinking": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "signature_delta", "signature": "abc"})),
        start(1, json!({"type": "text", "text": ""})),
        delta(1, json!({"type": "text_delta", "text": "on "})),
        delta(1, json!({"type": "text_delta", "text": "it"})),
        start(2, json!({"type": "tool_use", "id": "t1", "name": "turn_on", "input": {}})),
        delta(2, json!({"type": "input_json_delta", "partial_json": ""})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "{\"name\": \"La"})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "mp\"}"})),
        start(3, json!({"type": "tool_use", "id": "t2", "name": "turn_on", "input": {}})),
        (
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
        ),
        ("message_stop", json!({"type": "message_stop"})),
    ]
}

fn check(reply: &Reply) {
    assert_eq!(reply.message.content, "on it");
    assert_eq!(reply.message.reasoning.as_deref(), Some("hm"));
    let calls: Vec<_> = reply
        .message
        .calls
        .iter()
        .map(|call| {
            (
                call.id.as_deref().unwrap(),
                Value::Object(call.arguments.as_object().unwrap().clone()),
            )
        })
        .collect();
    assert_eq!(calls, [("t1", json!({"name": "Lamp"})), ("t2", json!({}))]);
    assert_eq!(reply.turn.stop, StopReason::ToolCalls);
    let usage = reply.turn.usage;
    assert_eq!((usage.input, usage.cached, usage.output), (Some(25), Some(20), Some(9)));
    assert_eq!(reply.turn.model.as_deref(), Some("real"));
    assert_eq!(reply.turn.oddities, []);
}

#[tokio::test]
async fn a_stream_and_a_whole_message_say_the_same() {
    let text = events(&whole_stream());
    let reply = asked(vec![Response::stream(text.as_bytes().chunks(11))], true).await.unwrap();
    check(&reply);
    assert!(reply.turn.timings.first_token.is_some());
    let message = json!({
        "model": "real", "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "abc"},
            {"type": "text", "text": "on it"},
            {"type": "tool_use", "id": "t1", "name": "turn_on", "input": {"name": "Lamp"}},
            {"type": "tool_use", "id": "t2", "name": "turn_on", "input": {}},
        ],
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 20, "output_tokens": 9},
    });
    check(&asked(vec![Response::json(200, &message)], false).await.unwrap());
}

#[tokio::test]
async fn counts_that_no_number_holds_together_are_the_largest_there_is() {
    let message = json!({
        "model": "real", "stop_reason": "end_turn", "content": [{"type": "text", "text": "hi"}],
        "usage": {"input_tokens": u64::MAX, "cache_read_input_tokens": 20, "output_tokens": 9},
    });
    let reply = asked(vec![Response::json(200, &message)], false).await.unwrap();
    assert_eq!(reply.turn.usage.input, Some(u64::MAX));
}

#[tokio::test]
async fn an_overloaded_server_is_asked_again() {
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let text = events(&whole_stream());
    let responses = vec![
        Response::json(529, &overloaded),
        Response::stream([events(&[("error", overloaded)])]),
        Response::stream([text]),
    ];
    assert_eq!(asked(responses, true).await.unwrap().turn.attempts, 3);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_a_failure() {
    let all = whole_stream();
    let failure = asked(vec![Response::stream([events(&all[..9])])], true).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Truncated);
    let reply = asked(vec![Response::stream([events(&all[..14])])], true).await.unwrap();
    assert_eq!(reply.turn.oddities, [Oddity::TruncatedStream]);
}

#[tokio::test]
async fn errors_are_known_by_their_type() {
    for (kind, expected) in [
        ("authentication_error", FailureKind::Unauthorized),
        ("invalid_request_error", FailureKind::Refused),
        ("rate_limit_error", FailureKind::RateLimited),
        ("api_error", FailureKind::Server),
    ] {
        let error = json!({"type": "error", "error": {"type": kind, "message": "x"}});
        let failure = asked(vec![Response::stream([events(&[("error", error)])])], true).await;
        assert_eq!(failure.unwrap_err().kind, expected, "{kind}");
    }
}

#[tokio::test]
async fn input_that_is_no_object_is_malformed_and_not_absent() {
    let block = json!({"type": "tool_use", "id": "t", "name": "turn_on", "input": {}});
    let text = events(&[
        ("message_start", json!({"type": "message_start", "message": {}})),
        (
            "content_block_start",
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
        ),
        (
            "content_block_delta",
            json!({"type": "content_block_delta", "index": 0, "delta": {"partial_json": "{\"name\": "}}),
        ),
        ("message_delta", json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}})),
        ("message_stop", json!({"type": "message_stop"})),
    ]);
    let reply = asked(vec![Response::stream([text])], true).await.unwrap();
    assert_eq!(reply.message.calls[0].arguments.as_object(), None);
    assert_eq!(reply.turn.stop, StopReason::MaxTokens);
}

#[tokio::test]
async fn signed_thoughts_go_back_with_the_calls_they_led_to() {
    let text = events(&whole_stream());
    let server = Server::answering(vec![Response::stream([text])]).await;
    let connection = settings(server.url(), false).connection;
    let settings = AnthropicSettings { stream: true, ..AnthropicSettings::new(connection, "m") };
    let subject = Anthropic::new(settings).unwrap();
    let briefing = Arc::new(briefing(&["turn_on"]));
    let said = ask(&subject, &briefing).await.unwrap().message;
    let conversation = [Message::user("hi"), Message::Assistant(said)];
    let trial = TrialId { case: "case".into(), trial: 1 };
    let request =
        Request { briefing: &briefing, conversation: &conversation, trial: &trial, seed: None };
    subject.answer(request).await.unwrap();
    let body = server.received()[1].json();
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": "abc"});
    assert_eq!(body["messages"][1]["content"][0], thought);
    assert_eq!(body["messages"][1]["content"][1], json!({"type": "text", "text": "on it"}));
}
