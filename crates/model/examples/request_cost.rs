//! Measures what one request costs this side of the wire: `cargo run --release --example
//! request_cost -- 20000 64`. A second process answers with one tool call, so that the time of
//! the answering side is not counted.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement, not a library")]

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use serde_json::json;
use toolgauge_core::{Briefing, Request, Subject};
use toolgauge_core::{Message, Tool, TrialId};
use toolgauge_model::{Connection, Endpoint, OpenAi, OpenAiSettings};
use toolgauge_testkit::{Response, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let ["serve", port] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        serve(port.parse().unwrap()).await;
        return;
    }
    let number =
        |at: usize, usual: usize| words.get(at).map_or(usual, |word| word.parse().unwrap());
    measure(number(0, 20_000), number(1, 64)).await;
}

async fn serve(port: u16) {
    let call = json!({"id": "0123456789abcdef0123456789abcdef", "type": "function", "function": {
        "name": "HassTurnOn",
        "arguments": "{\"name\": \"Kitchen Light\", \"area\": \"Kitchen\", \"domain\": [\"light\"]}",
    }});
    let message = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    let body = json!({
        "choices": [{"finish_reason": "tool_calls", "index": 0, "message": message}],
        "created": 1, "model": "m", "object": "chat.completion", "id": "chatcmpl-x",
        "usage": {"completion_tokens": 41, "prompt_tokens": 1009, "total_tokens": 1050,
                  "prompt_tokens_details": {"cached_tokens": 999}},
        "timings": {"cache_n": 999, "prompt_n": 10, "prompt_ms": 17.3, "prompt_per_second": 57.8,
                    "predicted_n": 41, "predicted_ms": 55.9, "predicted_per_second": 53.6},
    });
    let response = Response::json(200, &body);
    let _server = Server::start_at(port, move |_| response.clone()).await;
    std::future::pending::<()>().await;
}

fn briefing() -> Arc<Briefing> {
    let property = json!({"type": "string", "description": "The name of a device in the house"});
    let tool = |number: usize| Tool {
        name: format!("HassTool{number}"),
        description: "Turns on, opens or presses a device or entity in the house.".into(),
        parameters: json!({"type": "object", "properties": {"name": property, "area": property}}),
    };
    let system = "- name: Kitchen Light, domain: light, area: Kitchen\n".repeat(40);
    Arc::new(Briefing { system: Some(system.into()), tools: (0..12).map(tool).collect() })
}

async fn measure(requests: usize, concurrency: usize) {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["serve", &port.to_string()])
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let endpoint = Endpoint::parse(&format!("http://127.0.0.1:{port}")).unwrap();
    let subject = OpenAi::new(OpenAiSettings::new(Connection::to(endpoint), "m")).unwrap();
    let (briefing, trial) = (briefing(), TrialId { case: "c".into(), trial: 1 });
    let conversation = [Message::user("Turn on the kitchen light, please")];
    let ask = || async {
        let request =
            Request { briefing: &briefing, conversation: &conversation, trial: &trial, seed: None };
        subject.answer(request).await.unwrap()
    };
    ask().await;
    let (start, cpu) = (Instant::now(), cpu_seconds());
    futures_util::stream::iter(0..requests)
        .map(|_| ask())
        .buffer_unordered(concurrency)
        .for_each(|reply| async move { assert_eq!(reply.message.calls.len(), 1) })
        .await;
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    server.kill().unwrap();
    server.wait().unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a number of requests")]
    let requests = requests as f64;
    println!(
        "{:.1} µs of CPU per request, {:.0} requests per second",
        cpu / requests * 1e6,
        requests / wall
    );
}

/// The CPU time this process has used, from the kernel's own count in hundredths of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}
