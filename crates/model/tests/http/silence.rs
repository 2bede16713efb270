//! Streams that fall silent, and those that only take their time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgauge_core::Reply;
use toolgauge_core::{FailureKind, Oddity, TrialFailure};
use toolgauge_model::{Anthropic, AnthropicSettings, OpenAi, OpenAiSettings};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, settings};

const ROLE: &str =
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n";
const TOKEN: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
const PING: &str = ": keep-alive\n\n";

const IDLE: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_mins(1);

/// Asks for a stream that may be silent for [`IDLE`], of a server that answers so.
async fn asked(
    responses: Vec<Response>,
    change: impl FnOnce(&mut OpenAiSettings),
) -> (Result<Reply, TrialFailure>, Server) {
    let server = Server::answering(responses).await;
    let mut settings = settings(server.url(), true);
    settings.connection.idle_timeout = IDLE;
    change(&mut settings);
    let subject = OpenAi::new(settings).unwrap();
    (ask(&subject, &Arc::new(briefing(&["turn_on"]))).await, server)
}

#[tokio::test]
async fn a_stream_that_falls_silent_fails_long_before_the_whole_attempt() {
    let silent = Response::open_stream([ROLE, TOKEN]).then_hanging(LONG);
    let start = Instant::now();
    let (result, _server) = asked(vec![silent], |_| ()).await;
    let failure = result.unwrap_err();
    assert!(start.elapsed() >= IDLE && start.elapsed() < LONG / 2);
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(failure.message, "the stream fell silent: nothing more came for 500ms");
}

#[tokio::test]
async fn a_stream_that_fell_silent_is_tried_again() {
    let silent = Response::open_stream([TOKEN]).then_hanging(LONG);
    let whole = Response::stream([TOKEN, STOP, DONE]);
    let (result, server) =
        asked(vec![silent, whole], |settings| settings.connection.retry.retries = 2).await;
    let reply = result.unwrap();
    assert_eq!((reply.message.content.as_str(), reply.turn.attempts), ("hello", 2));
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn silence_before_the_first_token_is_the_prompt_being_read() {
    // Headers, a pause, a role, a pause, and all the rest at once.
    let late = Response::stream([ROLE, &format!("{TOKEN}{STOP}{DONE}")]).slowly(2 * IDLE);
    let (result, _server) = asked(vec![late], |_| ()).await;
    assert_eq!(result.unwrap().message.content, "hello");
    let never = Response::open_stream([ROLE]).then_hanging(LONG);
    let (result, _server) =
        asked(vec![never], |settings| settings.connection.timeout = 2 * IDLE).await;
    let message = result.unwrap_err().message;
    assert_eq!(message, "no complete answer within 1s");
}

#[tokio::test]
async fn an_event_that_is_left_half_sent_is_no_reading_of_the_prompt() {
    for half in [&TOKEN[..20], TOKEN.trim_end()] {
        let silent = Response::open_stream([ROLE, half]).then_hanging(LONG);
        let (result, _server) = asked(vec![silent], |_| ()).await;
        let failure = result.unwrap_err();
        assert_eq!(failure.message, "the stream fell silent: nothing more came for 500ms");
    }
}

#[tokio::test]
async fn any_byte_is_a_sign_of_life() {
    let patient = 4 * IDLE;
    let pinged = [TOKEN, PING, PING, PING, PING, PING, PING, PING, STOP, DONE];
    let start = Instant::now();
    let slow = Response::stream(pinged).slowly(patient / 8);
    let (result, _server) =
        asked(vec![slow], |settings| settings.connection.idle_timeout = patient).await;
    assert_eq!(result.unwrap().message.content, "hello");
    assert!(start.elapsed() > patient);
}

#[tokio::test]
async fn an_answer_that_was_finished_before_the_silence_is_whole() {
    let response = Response::open_stream([TOKEN, STOP]).then_hanging(LONG);
    let (result, _server) = asked(vec![response], |_| ()).await;
    let turn = result.unwrap().turn;
    assert_eq!((turn.attempts, turn.oddities), (1, vec![Oddity::TruncatedStream]));
    assert!(turn.timings.total < IDLE, "the wait for nothing counts: {:?}", turn.timings);
}

#[tokio::test]
async fn an_answer_in_one_piece_may_pause_anywhere() {
    let body = r#"{"choices":[{"finish_reason":"stop","message":{"content":"hello"}}]}"#;
    let (head, tail) = body.split_at(40);
    let slow = Response::stream([head, tail]).slowly(2 * IDLE);
    let (result, _server) = asked(vec![slow], |settings| settings.stream = false).await;
    assert_eq!(result.unwrap().message.content, "hello");
}

#[tokio::test]
async fn another_protocol_knows_silence_too() {
    let text = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n\
                event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\
                \"delta\":{\"type\":\"text_delta\",\"text\":\"on\"}}\n\n";
    let silent = Response::open_stream([text]).then_hanging(LONG);
    let server = Server::answering(vec![silent]).await;
    let mut connection = settings(server.url(), true).connection;
    connection.idle_timeout = IDLE;
    let settings = AnthropicSettings { stream: true, ..AnthropicSettings::new(connection, "m") };
    let subject = Anthropic::new(settings).unwrap();
    let failure = ask(&subject, &Arc::new(briefing(&["turn_on"]))).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(failure.message.contains("fell silent"), "{}", failure.message);
}
