//! Servers that are odd, broken or gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgauge_core::Reply;
use toolgauge_core::{Arguments, FailureKind, Oddity, StopReason, TrialFailure};
use toolgauge_model::{OpenAi, OpenAiSettings};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, closed, settings};

const SECOND: Duration = Duration::from_secs(1);

fn good() -> Value {
    json!({
        "model": "real-name",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
    })
}

async fn asked(
    responses: Vec<Response>,
    change: impl FnOnce(&mut OpenAiSettings),
) -> (Result<Reply, TrialFailure>, Server) {
    let server = Server::answering(responses).await;
    let mut settings = settings(server.url(), false);
    change(&mut settings);
    let subject = OpenAi::new(settings).unwrap();
    (ask(&subject, &Arc::new(briefing(&["turn_on"]))).await, server)
}

async fn failure(response: Response) -> FailureKind {
    asked(vec![response], |_| ()).await.0.unwrap_err().kind
}

async fn streamed(text: &str) -> Result<Reply, TrialFailure> {
    asked(vec![Response::stream([text])], |settings| settings.stream = true).await.0
}

#[tokio::test]
async fn a_good_answer_comes_through() {
    let (reply, server) = asked(vec![Response::json(200, &good())], |_| ()).await;
    let reply = reply.unwrap();
    assert_eq!(reply.message.content, "hello");
    assert_eq!(reply.turn.model.as_deref(), Some("real-name"));
    assert_eq!((reply.turn.stop, reply.turn.attempts), (StopReason::Stop, 1));
    assert_eq!((reply.turn.usage.input, reply.turn.usage.output), (Some(10), Some(2)));
    assert_eq!(reply.turn.oddities, []);
    assert!(reply.turn.timings.total > Duration::ZERO);
    let request = &server.received()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    let body = request.json();
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "be brief"}));
    assert_eq!(body["messages"][1], json!({"role": "user", "content": "turn on the lamp"}));
    assert_eq!((&body["model"], &body["seed"]), (&json!("m"), &json!(7)));
    assert_eq!(body["tools"][0]["function"]["name"], "turn_on");
}

#[tokio::test]
async fn every_option_reaches_the_server() {
    let (_, server) = asked(vec![Response::json(200, &good())], |settings| {
        settings.stream = true;
        settings.temperature = Some(0.25);
        settings.top_p = Some(0.5);
        settings.max_tokens = Some(9);
        settings.tool_choice = Some(json!("required"));
        settings.parallel_tool_calls = Some(false);
        settings.extra =
            json!({"cache_prompt": false, "top_p": 0.75, "seed": 3}).as_object().unwrap().clone();
    })
    .await;
    let mut body = server.received()[0].json();
    body.as_object_mut().unwrap().retain(|key, _| key != "tools" && key != "messages");
    let expected = json!({
        "model": "m", "stream": true, "stream_options": {"include_usage": true},
        "temperature": 0.25, "top_p": 0.75, "max_tokens": 9, "tool_choice": "required",
        "parallel_tool_calls": false, "cache_prompt": false, "seed": 3,
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn failures_are_told_apart_by_kind() {
    let pause = Duration::from_mins(1);
    for (response, kind) in [
        (Response::hang_up(), FailureKind::Connection),
        (Response::raw("HTTP/1.1 200 OK\r\ncont").cut_after(20), FailureKind::Connection),
        (Response::raw("SSH-2.0-OpenSSH\r\n").cut_after(17), FailureKind::Connection),
        (Response::json(200, &good()).reset_after(0), FailureKind::Connection),
        (Response::json(200, &good()).cut_after(150), FailureKind::Truncated),
        (Response::json(200, &good()).reset_after(150), FailureKind::Truncated),
        (Response::new(200, "application/json", "{\"choices\": [{\"mess"), FailureKind::Truncated),
        (Response::new(200, "application/json", ""), FailureKind::UnreadableAnswer),
        (
            Response::new(200, "application/json", "{\"choices\": oops}"),
            FailureKind::UnreadableAnswer,
        ),
        (
            Response::new(200, "text/html", "<html><title>Login</title>"),
            FailureKind::UnreadableAnswer,
        ),
        (Response::new(200, "text/plain", "OK"), FailureKind::UnreadableAnswer),
        (Response::json(200, &json!({"choices": []})), FailureKind::UnreadableAnswer),
        (Response::json(200, &json!([])), FailureKind::UnreadableAnswer),
        (Response::json(200, &json!({"error": {"message": "oom"}})), FailureKind::Server),
        (
            Response::json(200, &json!({"error": {"message": "x", "code": 400}})),
            FailureKind::Refused,
        ),
        (
            Response::json(200, &json!({"error": {"message": "x", "code": 429}})),
            FailureKind::RateLimited,
        ),
        (
            Response::json(
                200,
                &json!({"choices": [{"finish_reason": "error", "message": {"content": ""}}]}),
            ),
            FailureKind::Server,
        ),
        (
            Response::json(
                200,
                &json!({"choices": [{"error": {"code": 429, "message": "x"}, "message": {"content": ""}}]}),
            ),
            FailureKind::RateLimited,
        ),
        (Response::json(200, &json!({"error": "model not loaded"})), FailureKind::Server),
        (Response::json(400, &json!({"error": {"message": "bad"}})), FailureKind::Refused),
        (Response::json(401, &json!({"error": {"message": "key"}})), FailureKind::Unauthorized),
        (Response::new(403, "text/html", "<h1>no</h1>"), FailureKind::Unauthorized),
        (Response::new(404, "text/html", "<h1>no</h1>"), FailureKind::Refused),
        (
            Response::json(429, &json!({"error": {"message": "slow down"}})),
            FailureKind::RateLimited,
        ),
        (Response::new(502, "text/html", "<h1>Bad Gateway</h1>"), FailureKind::Unavailable),
        (Response::json(503, &json!({"error": "Loading model"})), FailureKind::Unavailable),
        (Response::with_headers(301, &[("location", "https://h/")], ""), FailureKind::Refused),
        (
            Response::json(
                400,
                &json!({"error": {"type": "exceed_context_size_error", "message": "x"}}),
            ),
            FailureKind::ContextOverflow,
        ),
        (Response::new(200, "application/json", "x".repeat(3_000_000)), FailureKind::TooLarge),
        (Response::silence(pause), FailureKind::Timeout),
        (
            Response::raw("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"cho")
                .then_hanging(pause),
            FailureKind::Timeout,
        ),
        (Response::json(200, &good()).after(pause), FailureKind::Timeout),
    ] {
        let shown: String = format!("{response:?}").chars().take(200).collect();
        let (result, _server) = asked(vec![response], |settings| {
            settings.connection.timeout = Duration::from_millis(1500);
            settings.connection.largest_answer = 2_000_000;
        })
        .await;
        assert_eq!(result.unwrap_err().kind, kind, "{shown}");
    }
}

#[tokio::test]
async fn nobody_at_home_is_a_server_that_is_not_ready() {
    let server = Server::answering(vec![]).await;
    let url = server.url().to_owned();
    drop(server);
    closed(&url).await;
    let subject = OpenAi::new(settings(&url, false)).unwrap();
    let failure = ask(&subject, &Arc::new(briefing(&["turn_on"]))).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    assert!(failure.message.contains("refused"), "{}", failure.message);
}

#[tokio::test]
async fn what_is_worth_trying_again_is_tried_again() {
    let flaky = vec![
        Response::hang_up(),
        Response::json(200, &good()).reset_after(120),
        Response::json(500, &json!({})).after(SECOND),
        Response::with_headers(429, &[("retry-after", "0.01")], "{}"),
        Response::new(200, "text/html", "<html>"),
        Response::json(408, &json!({})),
        Response::json(200, &good()),
    ];
    let (reply, server) = asked(flaky, |settings| settings.connection.retry.retries = 9).await;
    let reply = reply.unwrap();
    assert_eq!((reply.message.content.as_str(), reply.turn.attempts), ("hello", 7));
    assert_eq!(server.received().len(), 7);
    let timings = reply.turn.timings;
    assert!(timings.queued >= SECOND && timings.total < SECOND, "{timings:?}");
    let bodies = server.received();
    assert!(bodies.iter().all(|request| request.body == bodies[0].body));
}

#[tokio::test]
async fn what_is_not_worth_it_is_not() {
    for status in [400, 401, 403, 404, 422] {
        let (result, server) = asked(vec![Response::json(status, &json!({}))], |settings| {
            settings.connection.retry.retries = 9;
        })
        .await;
        assert!(result.is_err());
        assert_eq!(server.received().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn output_the_server_cannot_read_is_the_models_malformed_call() {
    let words = "The model produced output that does not match the expected peg-native format";
    let body = json!({"error": {"code": 500, "message": words, "type": "server_error"}});
    let (reply, server) = asked(vec![Response::json(500, &body)], |settings| {
        settings.connection.retry.retries = 9;
    })
    .await;
    let reply = reply.unwrap();
    assert_eq!(server.received().len(), 1);
    let [call] = reply.message.calls.as_slice() else { panic!("{reply:?}") };
    assert!(matches!(&call.arguments, Arguments::Malformed { raw, .. } if raw == words));
}

#[tokio::test]
async fn odd_answers_are_read_and_their_oddity_is_noted() {
    let message =
        |message: Value| json!({"choices": [{"finish_reason": "tool_calls", "message": message}]});
    let call = |arguments: Value| json!({"id": "a", "function": {"name": "turn_on", "arguments": arguments}});
    let calls =
        |arguments: Value| message(json!({"content": null, "tool_calls": [call(arguments)]}));
    for (body, oddities) in [
        (calls(json!("{}")), vec![]),
        (calls(json!({"a": 1})), vec![Oddity::ArgumentsAsObject]),
        (calls(json!("")), vec![Oddity::ArgumentsEmpty]),
        (calls(json!(null)), vec![Oddity::ArgumentsEmpty]),
        (calls(json!("\"{\\\"a\\\": 1}\"")), vec![Oddity::ArgumentsDoublyEncoded]),
        (calls(json!("{\"a\":1}{\"a\":1}")), vec![Oddity::ArgumentsRepeated]),
        (
            message(json!({"tool_calls": [call(json!("{}")), call(json!("{}"))]})),
            vec![Oddity::DuplicateCallId],
        ),
        (
            message(json!({"tool_calls": [{"function": {"name": "turn_on", "arguments": "{}"}}]})),
            vec![Oddity::MissingCallId],
        ),
        (
            message(json!({"function_call": {"name": "turn_on", "arguments": "{}"}})),
            vec![Oddity::MissingCallId],
        ),
        (
            json!({"choices": [good()["choices"][0], good()["choices"][0]]}),
            vec![Oddity::SeveralChoices],
        ),
        (json!({"message": {"content": "hello"}, "done_reason": "stop"}), vec![Oddity::NoChoice]),
        (
            json!({"choices": [{"message": {"content": [{"type": "text", "text": "hel"}, {"text": "lo"}]}}]}),
            vec![Oddity::ContentAsParts],
        ),
        (
            json!({"choices": [{"finish_reason": "banana", "message": {"content": "hello"}}]}),
            vec![Oddity::UnknownFinishReason],
        ),
        (
            json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": "hello"}}]}),
            vec![Oddity::FinishReasonContradicts],
        ),
        (
            json!({"choices": [{"finish_reason": "stop", "message": {"content": "turn_on(name=\"x\")"}}]}),
            vec![Oddity::CallsInText],
        ),
        (
            json!({"choices": {"finish_reason": null, "message": {"content": null, "tool_calls": null, "role": null}}, "usage": null, "model": null, "timings": null}),
            vec![],
        ),
        (
            json!({"choices": [{"message": {"content": 7, "tool_calls": "none", "reasoning": []}}], "usage": [], "model": 3, "timings": "fast"}),
            vec![],
        ),
    ] {
        let (reply, _) = asked(vec![Response::json(200, &body)], |_| ()).await;
        assert_eq!(reply.unwrap().turn.oddities, oddities, "{body}");
    }
}

#[tokio::test]
async fn a_refusal_is_what_the_model_said() {
    let message = json!({"content": null, "refusal": "I will not"});
    let body = json!({"choices": [{"finish_reason": "stop", "message": message}]});
    let reply = asked(vec![Response::json(200, &body)], |_| ()).await.0.unwrap();
    assert_eq!(reply.message.content, "I will not");
}

#[tokio::test]
async fn wrong_labels_and_bytes_that_are_not_text_are_noted() {
    let (reply, _) = asked(vec![Response::new(200, "text/html", good().to_string())], |_| ()).await;
    assert_eq!(reply.unwrap().turn.oddities, [Oddity::WrongContentType]);
    let mut body = good().to_string().into_bytes();
    let at = body.windows(5).position(|window| window == b"hello").unwrap();
    body[at] = 0xFF;
    let (reply, _) = asked(vec![Response::new(200, "application/json", body)], |_| ()).await;
    let reply = reply.unwrap();
    assert_eq!(reply.turn.oddities, [Oddity::InvalidUtf8]);
    assert_eq!(reply.message.content, "\u{FFFD}ello");
}

#[tokio::test]
async fn thinking_is_told_apart_wherever_it_stands() {
    for message in [
        json!({"content": "hello", "reasoning_content": "hm"}),
        json!({"content": "hello", "reasoning": "hm"}),
        json!({"content": "<think>\nhm\n</think>\n\nhello"}),
        json!({"content": "hello", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}),
    ] {
        let body = json!({"choices": [{"finish_reason": "stop", "message": message}]});
        let reply = asked(vec![Response::json(200, &body)], |_| ()).await.0.unwrap();
        assert_eq!(reply.message.reasoning.as_deref(), Some("hm"), "{body}");
        assert_eq!(reply.message.content, "hello");
    }
}

const CHUNKS: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hel\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[tokio::test]
async fn a_stream_is_put_together() {
    let usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n";
    let reply = streamed(&format!("{CHUNKS}{STOP}{usage}data: [DONE]\n\n")).await.unwrap();
    assert_eq!((reply.message.content.as_str(), reply.turn.stop), ("hello", StopReason::Stop));
    assert_eq!((reply.turn.usage.input, reply.turn.oddities.len()), (Some(5), 0));
}

#[tokio::test]
async fn a_stream_without_its_end_is_complete_only_if_the_model_was_done() {
    let reply = streamed(&format!("{CHUNKS}{STOP}")).await.unwrap();
    assert_eq!(reply.turn.oddities, [Oddity::TruncatedStream]);
    let failure = streamed(CHUNKS).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Truncated);
    let reply = streamed(&format!("{CHUNKS}data: [DONE]")).await.unwrap();
    assert_eq!((reply.turn.stop, reply.turn.oddities.len()), (StopReason::Unknown, 0));
}

#[tokio::test]
async fn a_truncated_stream_is_tried_again() {
    let whole = format!("{CHUNKS}{STOP}data: [DONE]\n\n");
    let responses = vec![
        Response::stream([whole.as_str()]).cut_after(150),
        Response::stream([CHUNKS]),
        Response::stream([whole.as_str()]),
    ];
    let (reply, _) = asked(responses, |settings| {
        settings.stream = true;
        settings.connection.retry.retries = 3;
    })
    .await;
    assert_eq!(reply.unwrap().turn.attempts, 3);
}

#[tokio::test]
async fn errors_inside_a_stream_are_failures() {
    for (text, kind) in [
        (
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
            FailureKind::Server,
        ),
        ("data: {\"error\":{\"message\":\"oom\",\"code\":500}}\n\n", FailureKind::Server),
        ("error: {\"code\":500,\"message\":\"oom\"}\n\n", FailureKind::Server),
        ("event: error\ndata: {\"oh\":\"no\"}\n\n", FailureKind::Server),
        (
            "data: {\"error\":{\"code\":400,\"type\":\"exceed_context_size_error\",\"message\":\"x\"}}\n\n",
            FailureKind::ContextOverflow,
        ),
        ("{\"error\":{\"code\":429,\"message\":\"slow\"}}", FailureKind::RateLimited),
    ] {
        let failure = streamed(&format!("{CHUNKS}{text}")).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{text}");
    }
    let failure = streamed("data: [DONE]\n\n").await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::UnreadableAnswer);
    assert_eq!(streamed(": ping\n\n").await.unwrap_err().kind, FailureKind::Truncated);
}

#[tokio::test]
async fn a_stream_nobody_asked_for_and_json_in_place_of_one_are_read() {
    let stream = format!("{CHUNKS}{STOP}data: [DONE]\n\n");
    let reply = asked(vec![Response::stream([stream])], |_| ()).await.0.unwrap();
    assert_eq!(reply.message.content, "hello");
    assert_eq!(reply.turn.oddities, [Oddity::WrongContentType]);
    let (reply, _) =
        asked(vec![Response::json(200, &good())], |settings| settings.stream = true).await;
    let reply = reply.unwrap();
    assert_eq!(reply.message.content, "hello");
    assert_eq!(reply.turn.oddities, [Oddity::WrongContentType]);
}

#[tokio::test]
async fn calls_in_streams_are_put_together_however_they_are_numbered() {
    let delta = |calls: Value| {
        format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": calls}}]}))
    };
    let two = [
        // As the protocol has it.
        delta(
            json!([{"index": 0, "id": "a", "function": {"name": "turn_on", "arguments": "{\"name\""}}]),
        ) + &delta(json!([{"index": 0, "function": {"arguments": ":\"x\"}"}}]))
            + &delta(
                json!([{"index": 1, "id": "b", "function": {"name": "turn_on", "arguments": "{}"}}]),
            ),
        // Without an index.
        delta(json!([{"id": "a", "function": {"name": "turn_on", "arguments": "{\"name\""}}]))
            + &delta(json!([{"function": {"arguments": ":\"x\"}"}}]))
            + &delta(json!([{"id": "b", "function": {"name": "turn_on", "arguments": "{}"}}])),
        // Every call with the index 0.
        delta(
            json!([{"index": 0, "id": "a", "function": {"name": "turn_on", "arguments": "{\"name\":\"x\"}"}}]),
        ) + &delta(
            json!([{"index": 0, "id": "b", "function": {"name": "turn_on", "arguments": "{}"}}]),
        ),
        // Name and identifier with every piece.
        delta(
            json!([{"index": 0, "id": "a", "function": {"name": "turn_on", "arguments": "{\"name\""}}]),
        ) + &delta(
            json!([{"index": 0, "id": "a", "function": {"name": "turn_on", "arguments": ":\"x\"}"}}]),
        ) + &delta(
            json!([{"index": 1, "id": "b", "function": {"name": "turn_on", "arguments": "{}"}}]),
        ),
        // The name in pieces.
        delta(json!([{"index": 0, "id": "a", "function": {"name": "turn", "arguments": ""}}]))
            + &delta(
                json!([{"index": 0, "function": {"name": "_on", "arguments": "{\"name\":\"x\"}"}}, {"index": 1, "id": "b", "function": {"name": "turn_on", "arguments": "{}"}}]),
            ),
    ];
    for text in two {
        let stop = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
        let reply = streamed(&format!("{text}{stop}")).await.unwrap();
        let shown: Vec<_> = reply
            .message
            .calls
            .iter()
            .map(|call| {
                (call.id.as_deref(), call.name.as_str(), call.arguments.as_object().unwrap().len())
            })
            .collect();
        assert_eq!(shown, [(Some("a"), "turn_on", 1), (Some("b"), "turn_on", 0)], "{text}");
        assert_eq!(reply.turn.oddities, []);
    }
}

#[tokio::test]
async fn unreadable_pieces_of_a_stream_are_left_out_and_noted() {
    let reply = streamed(&format!("{CHUNKS}data: {{oops\n\n{STOP}data: [DONE]\n\n")).await.unwrap();
    assert_eq!(reply.message.content, "hello");
    assert_eq!(reply.turn.oddities, [Oddity::UnreadableChunk]);
}

#[tokio::test]
async fn the_first_token_is_timed_and_a_hanging_end_is_not_waited_for() {
    let role = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n";
    let end = format!("{STOP}data: [DONE]\n\n");
    let response = Response::open_stream([role, CHUNKS, &end])
        .slowly(Duration::from_millis(120))
        .then_hanging(Duration::from_mins(1));
    let start = Instant::now();
    let (reply, _) = asked(vec![response], |settings| settings.stream = true).await;
    let waited = start.elapsed();
    let timings = reply.unwrap().turn.timings;
    let first = timings.first_token.unwrap();
    assert!(first >= Duration::from_millis(200) && first < timings.total, "{timings:?}");
    assert!(timings.total >= Duration::from_millis(340), "{timings:?}");
    // Its end is waited for half a second, which is none of the answer's time.
    assert!(timings.total + SECOND / 2 <= waited && waited < 30 * SECOND, "{timings:?} {waited:?}");
}

#[tokio::test]
async fn the_wire_is_kept_when_asked_for() {
    let (reply, _) =
        asked(vec![Response::json(200, &good())], |s| s.connection.keep_wire = true).await;
    let turn = reply.unwrap().turn;
    assert_eq!(turn.response, Some(good()));
    assert_eq!(turn.request.unwrap()["model"], "m");
    let (reply, _) =
        asked(vec![Response::stream([format!("{CHUNKS}{STOP}data: [DONE]\n\n")])], |s| {
            s.connection.keep_wire = true;
            s.stream = true;
        })
        .await;
    let response = reply.unwrap().turn.response.unwrap();
    assert_eq!(response["choices"][0]["message"]["content"], "hello");
}

#[tokio::test]
async fn the_static_part_is_written_once_for_a_thousand_requests() {
    let server = Server::answering(vec![Response::json(200, &good())]).await;
    let subject = OpenAi::new(settings(server.url(), false)).unwrap();
    let briefing = Arc::new(briefing(&["turn_on"]));
    for _ in 0..1000 {
        ask(&subject, &briefing).await.unwrap();
    }
    assert_eq!(subject.prefixes_written(), 1);
}

#[tokio::test]
async fn kinds_of_failure_do_not_depend_on_words() {
    let words = json!({"error": {"message": "timeout rate limit unauthorized context"}});
    assert_eq!(failure(Response::json(400, &words)).await, FailureKind::Refused);
}

fn calls(count: usize) -> Vec<Value> {
    let function = json!({"name": "turn_on", "arguments": "{\"name\": \"Lamp\"}"});
    let call = |n| json!({"index": n, "id": format!("call-{n}"), "function": function});
    (0..count).map(call).collect()
}

#[tokio::test]
async fn an_answer_with_very_many_calls_is_refused_soon() {
    let start = Instant::now();
    let body = |count| json!({"choices": [{"message": {"tool_calls": calls(count)}}]});
    assert_eq!(failure(Response::json(200, &body(100_000))).await, FailureKind::TooLarge);
    let most = asked(vec![Response::json(200, &body(10_000))], |_| ()).await.0.unwrap();
    assert_eq!(most.message.calls.len(), 10_000);
    // Comparing each with all before it takes half an hour in a build without optimisation.
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_stream_with_very_many_calls_is_refused_soon() {
    let start = Instant::now();
    let event = |call: &Value| {
        format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": [call]}}]}))
    };
    let text = |count| {
        let events: String = calls(count).iter().map(event).collect();
        events
            + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
    };
    assert_eq!(streamed(&text(60_000)).await.unwrap_err().kind, FailureKind::TooLarge);
    let most = streamed(&text(10_000)).await.unwrap();
    assert_eq!(most.message.calls.len(), 10_000);
    assert_eq!(most.message.calls[9_999].id.as_deref(), Some("call-9999"));
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_number_that_no_float_holds_does_not_make_an_answer_unreadable() {
    let body = r#"{"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1e400, "completion_tokens": 7}}"#;
    let response = Response::new(200, "application/json", body);
    let reply = asked(vec![response], |_| {}).await.0.unwrap();
    assert_eq!(reply.message.content, "hello");
    assert_eq!((reply.turn.usage.input, reply.turn.usage.output), (None, Some(7)));
}
