//! `serve` over real sockets: what it answers, and each fault as a client meets it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use toolgauge_baseline::BaselineSubject;
use toolgauge_core::Subject;
use toolgauge_model::{Script, ScriptedSubject};
use toolgauge_serve::{Delay, Fault, FaultPlan, ServedCounts, serve};

struct Served {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<ServedCounts>,
}

/// What came back: the status, the headers in lower case, the body, and how it ended.
#[derive(Debug)]
struct Came {
    status: u16,
    head: String,
    body: String,
    ended: io::Result<()>,
}

async fn start(subject: impl Subject + 'static, plan: FaultPlan) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move { drop(stopped.await) };
    let task = tokio::spawn(serve(listener, Arc::new(subject), plan, shutdown));
    Served { address, stop, task }
}

async fn faulty(fault: Fault) -> Served {
    let faults = vec![(fault, 1.0)];
    start(script(), FaultPlan { faults, ..FaultPlan::default() }).await
}

fn script() -> ScriptedSubject {
    let script = r#"{"text": "all is well with the lamp in the hall"}"#;
    ScriptedSubject::new("script", Script::parse(script).unwrap())
}

impl Served {
    async fn send(&self, method: &str, path: &str, body: &str) -> Came {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: \
             {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let ended = stream.read_to_end(&mut bytes).await.map(drop);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Came { status, head: head.to_lowercase(), body: body.to_owned(), ended }
    }

    async fn complete(&self, request: &Value) -> Came {
        self.send("POST", "/v1/chat/completions", &request.to_string()).await
    }

    async fn ask(&self, text: &str) -> Came {
        self.complete(&json!({"model": "m", "messages": [{"role": "user", "content": text}]})).await
    }

    async fn stop(self) -> ServedCounts {
        drop(self.stop);
        self.task.await.unwrap()
    }
}

impl Came {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    fn promised(&self) -> usize {
        let line = self.head.lines().find(|line| line.starts_with("content-length:")).unwrap();
        line.split(':').nth(1).unwrap().trim().parse().unwrap()
    }
}

fn lamp_request(stream: bool) -> Value {
    let parameters =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({
        "model": "any", "stream": stream, "stream_options": {"include_usage": true},
        "messages": [
            {"role": "system", "content": "Devices:\n- names: Responder lamp\n- names: Fan\n"},
            {"role": "user", "content": [{"type": "text", "text": "turn on the responder lamp"}]},
        ],
        "tools": [
            {"type": "function", "function": {"name": "turn_on", "description": "Turns on a device",
                                              "parameters": parameters}},
            {"type": "function", "function": {"name": "turn_off", "parameters": parameters}},
        ],
    })
}

#[tokio::test]
async fn the_baseline_answers_with_a_call() {
    let served = start(BaselineSubject::new(), FaultPlan::default()).await;
    let came = served.complete(&lamp_request(false)).await;
    assert_eq!(came.status, 200, "{came:?}");
    assert!(came.head.contains("content-type: application/json"));
    let answer = came.json();
    let choice = &answer["choices"][0];
    assert_eq!(answer["model"], "any");
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let function = &choice["message"]["tool_calls"][0]["function"];
    assert_eq!(function["name"], "turn_on");
    assert_eq!(function["arguments"], r#"{"name":"Responder lamp"}"#);
    let counts = served.stop().await;
    assert_eq!((counts.requests, counts.answered), (1, 1));
}

#[tokio::test]
async fn a_stream_holds_the_same_answer_in_events() {
    let served = start(BaselineSubject::new(), FaultPlan::default()).await;
    let came = served.complete(&lamp_request(true)).await;
    assert!(came.head.contains("content-type: text/event-stream"), "{came:?}");
    let data: Vec<&str> =
        came.body.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(data.last(), Some(&"[DONE]"));
    let chunks: Vec<Value> =
        data[..data.len() - 1].iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let call = &chunks[1]["choices"][0]["delta"]["tool_calls"][0];
    assert_eq!((&call["index"], &call["function"]["name"]), (&json!(0), &json!("turn_on")));
    let usage = chunks.last().unwrap();
    assert!(usage["usage"]["prompt_tokens"].as_u64().unwrap() > 0);
    assert_eq!(chunks[chunks.len() - 2]["choices"][0]["finish_reason"], "tool_calls");
}

#[tokio::test]
async fn a_tools_answer_ends_the_conversation() {
    let served = start(BaselineSubject::new(), FaultPlan::default()).await;
    let mut request = lamp_request(false);
    let messages = request["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function",
         "function": {"name": "turn_on", "arguments": "{\"name\":\"Responder lamp\"}"}}]}));
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "it is on"}));
    let answer = served.complete(&request).await.json();
    assert_eq!(answer["choices"][0]["message"]["content"], "Done: it is on");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
}

#[tokio::test]
async fn models_health_and_unknown_paths_are_answered() {
    let served = start(script(), FaultPlan::default()).await;
    assert_eq!(served.send("GET", "/v1/models", "").await.json()["data"][0]["id"], "script");
    assert_eq!(served.send("GET", "/health", "").await.json()["status"], "ok");
    assert_eq!(served.send("GET", "/props", "").await.json()["model_alias"], "script");
    assert_eq!(served.send("GET", "/v1/nothing", "").await.status, 404);
    let broken = served.send("POST", "/v1/chat/completions", "{\"messages\": 3}").await;
    assert_eq!(broken.status, 400);
    assert!(broken.json()["error"]["message"].as_str().unwrap().contains("unreadable"));
}

#[tokio::test]
async fn scripted_failures_show_as_a_server_would_show_them() {
    let script = r#"
        {"request": "key", "fail": "unauthorized"}
        {"request": "long", "fail": "context_overflow"}
        {"request": "gone", "fail": "connection"}
    "#;
    let subject = ScriptedSubject::new("script", Script::parse(script).unwrap());
    let served = start(subject, FaultPlan::default()).await;
    assert_eq!(served.ask("key").await.status, 401);
    let long = served.ask("long").await;
    assert_eq!(long.json()["error"]["code"], "context_length_exceeded");
    let gone = served.ask("gone").await;
    assert_eq!(gone.ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(served.ask("unknown").await.status, 400);
    assert_eq!(served.stop().await.refused, 4);
}

#[tokio::test]
async fn a_rate_limit_says_when_to_come_back() {
    let served = faulty(Fault::RateLimited { retry_after: Duration::from_secs(7) }).await;
    let came = served.ask("x").await;
    assert_eq!(came.status, 429);
    assert!(came.head.contains("retry-after: 7"), "{came:?}");
    assert_eq!(served.stop().await.faults["rate_limited"], 1);
}

#[tokio::test]
async fn error_statuses_and_pages_are_sent() {
    let came = faulty(Fault::Error { status: 503 }).await.ask("x").await;
    assert_eq!((came.status, &came.json()["error"]["type"]), (503, &json!("server_error")));
    let came = faulty(Fault::HtmlPage).await.ask("x").await;
    assert_eq!(came.status, 502);
    assert!(came.head.contains("text/html") && came.body.starts_with("<!DOCTYPE html>"));
}

#[tokio::test]
async fn a_reset_comes_before_any_byte() {
    let came = faulty(Fault::Reset).await.ask("x").await;
    assert_eq!(came.status, 0, "{came:?}");
    assert_eq!(came.ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn a_reset_in_the_middle_leaves_half_a_body() {
    let came = faulty(Fault::ResetMidBody).await.ask("x").await;
    assert_eq!(came.status, 200);
    assert!(!came.body.is_empty() && came.body.len() < came.promised(), "{came:?}");
    assert_eq!(came.ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn a_truncated_body_ends_without_a_reset() {
    let came = faulty(Fault::Truncated).await.ask("x").await;
    assert!(!came.body.is_empty() && came.body.len() < came.promised(), "{came:?}");
    came.ended.unwrap();
}

#[tokio::test]
async fn a_truncated_stream_lacks_its_end() {
    let served = faulty(Fault::Truncated).await;
    let came = served
        .complete(&json!({"stream": true, "messages": [{"role": "user", "content": "x"}]}))
        .await;
    assert!(came.body.contains("data: ") && !came.body.contains("[DONE]"), "{came:?}");
}

#[tokio::test]
async fn malformed_json_is_whole_but_unreadable() {
    let came = faulty(Fault::MalformedJson).await.ask("x").await;
    assert_eq!(came.body.len(), came.promised());
    assert!(serde_json::from_str::<Value>(&came.body).is_err(), "{came:?}");
}

#[tokio::test]
async fn a_wrong_content_type_carries_a_good_answer() {
    let came = faulty(Fault::WrongContentType).await.ask("x").await;
    assert!(came.head.contains("content-type: text/plain"));
    assert!(came.json()["choices"][0]["message"]["content"].as_str().unwrap().contains("lamp"));
}

#[tokio::test]
async fn a_hung_connection_says_nothing_and_is_closed_at_last() {
    let lasting = Duration::from_millis(300);
    let served = faulty(Fault::Hang { lasting }).await;
    let begun = Instant::now();
    let came = served.ask("x").await;
    assert!(begun.elapsed() >= lasting);
    assert_eq!((came.status, came.body.as_str()), (0, ""));
}

#[tokio::test]
async fn a_slow_stream_takes_its_time_and_comes_whole() {
    let over = Duration::from_millis(300);
    let served = faulty(Fault::SlowStream { over }).await;
    let begun = Instant::now();
    let came = served.ask("x").await;
    assert!(begun.elapsed() >= over, "{:?}", begun.elapsed());
    assert!(came.json()["choices"][0]["message"]["content"].is_string());
}

#[tokio::test]
async fn latency_holds_every_answer_back() {
    let time = Duration::from_millis(120);
    let plan = FaultPlan { latency: Delay::Fixed(time), ..FaultPlan::default() };
    let served = start(script(), plan).await;
    let begun = Instant::now();
    assert_eq!(served.ask("x").await.status, 200);
    assert!(begun.elapsed() >= time);
}

/// The statuses of two attempts at each of many requests, asked in this order.
async fn statuses(order: &[usize]) -> Vec<(u16, u16)> {
    let faults = vec![(Fault::Error { status: 500 }, 0.3), (Fault::Reset, 0.2)];
    let served = start(script(), FaultPlan { seed: 5, faults, ..FaultPlan::default() }).await;
    let mut seen = vec![(0, 0); order.len()];
    for &n in order {
        seen[n].0 = served.ask(&format!("request {n}")).await.status;
    }
    for &n in order {
        seen[n].1 = served.ask(&format!("request {n}")).await.status;
    }
    seen
}

#[tokio::test]
async fn faults_do_not_depend_on_the_order_of_requests() {
    let forwards: Vec<usize> = (0..40).collect();
    let backwards: Vec<usize> = (0..40).rev().collect();
    let seen = statuses(&forwards).await;
    assert_eq!(seen, statuses(&backwards).await);
    assert!(seen.iter().any(|(first, second)| *first != 200 && *second == 200), "{seen:?}");
}

#[tokio::test]
async fn shutting_down_does_not_wait_for_those_that_hang() {
    let served = faulty(Fault::Hang { lasting: Duration::from_mins(10) }).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let body = r#"{"messages": []}"#;
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let counts = tokio::time::timeout(Duration::from_mins(1), served.stop()).await.unwrap();
    assert_eq!(counts.faults["hang"], 1);
}
