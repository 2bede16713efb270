//! A server that repeats a recorded conversation with Home Assistant, and notes what differs.

use std::collections::VecDeque;
use std::io::Read as _;
use std::sync::{Arc, LazyLock, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// The messages of a run against Home Assistant 2026.10.4, whose agent asked `toolgauge serve`,
/// with the suite and the home. `tools/home-assistant/live_pipeline.py --record` wrote it.
pub static PIPELINE: LazyLock<Value> = LazyLock::new(|| {
    let packed: &[u8] = include_bytes!("../fixtures/home_pipeline.json.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("it was packed as text");
    serde_json::from_str(&text).expect("recorded messages are JSON")
});

/// A server on loopback, gone when its runtime is.
pub struct HomeReplay {
    /// Its address, as in a browser.
    pub url: String,
    left: Arc<Mutex<Replayed>>,
}

/// What is still to come, and what came otherwise.
struct Replayed {
    entries: VecDeque<Value>,
    problems: Vec<String>,
    /// Conversations have names by chance: the recorded one, and the one it is called here.
    conversation: Option<(String, String)>,
}

impl HomeReplay {
    /// Starts it on a free port, with the lines of a recording.
    ///
    /// # Panics
    ///
    /// When loopback has no free port.
    pub async fn start(recording: &[Value]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url =
            format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let entries = recording.iter().cloned().collect();
        let replayed = Replayed { entries, problems: Vec::new(), conversation: None };
        let left = Arc::new(Mutex::new(replayed));
        let shared = Arc::clone(&left);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { url, left }
    }

    /// What was sent otherwise than in the recording, and how much of it never came.
    ///
    /// # Panics
    ///
    /// When a connection of it has panicked.
    pub fn problems(&self) -> Vec<String> {
        let replayed = self.left.lock().expect("no connection panics");
        let mut problems = replayed.problems.clone();
        if !replayed.entries.is_empty() {
            problems.push(format!("{} messages never came", replayed.entries.len()));
        }
        problems
    }
}

async fn serve(stream: TcpStream, replayed: Arc<Mutex<Replayed>>) {
    let mut first = [0; 4];
    if stream.peek(&mut first).await.is_ok() && &first == b"POST" {
        post(stream, &replayed).await;
    } else if let Ok(socket) = tokio_tungstenite::accept_async(stream).await {
        talk(socket, &replayed).await;
    }
}

async fn talk(mut socket: WebSocketStream<TcpStream>, replayed: &Mutex<Replayed>) {
    let mut answers = take(replayed, &json!({"connect": true}));
    loop {
        for answer in answers {
            if socket.send(Message::text(answer)).await.is_err() {
                return;
            }
        }
        let Some(Ok(Message::Text(text))) = socket.next().await else { return };
        let sent: Value = serde_json::from_str(&text).unwrap_or_default();
        answers = take(replayed, &json!({"send": sent}));
    }
}

async fn post(stream: TcpStream, replayed: &Mutex<Replayed>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        match reader.read_line(&mut head).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    if reader.read_exact(&mut body).await.is_err() {
        return;
    }
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let answers = take(replayed, &json!({"post": path, "body": body}));
    let status = answers.first().map_or("400", String::as_str);
    let answer =
        format!("HTTP/1.1 {status} Recorded\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
    let _ = reader.get_mut().write_all(answer.as_bytes()).await;
}

/// Takes what was sent off the recording; returns what was answered, a status for a `POST`.
fn take(replayed: &Mutex<Replayed>, sent: &Value) -> Vec<String> {
    let mut replayed = replayed.lock().expect("no connection panics");
    let Some(mut recorded) = replayed.entries.pop_front() else {
        replayed.problems.push(format!("nothing more was recorded, but came: {sent}"));
        return Vec::new();
    };
    let status = recorded.as_object_mut().and_then(|entry| entry.remove("status"));
    let named = |entry: &Value| {
        let name = entry.pointer("/send/conversation_id").and_then(Value::as_str);
        name.map(str::to_owned)
    };
    if let Some(names) = named(&recorded).zip(named(sent)) {
        recorded["send"]["conversation_id"] = names.1.clone().into();
        replayed.conversation = Some(names);
    }
    if recorded != *sent {
        replayed.problems.push(format!("recorded: {recorded}\nsent: {sent}"));
    }
    if let Some(status) = status {
        return vec![status.to_string()];
    }
    let mut answers = Vec::new();
    while let Some(answer) = replayed.entries.front().and_then(|entry| entry.get("receive")) {
        let mut text = answer.to_string();
        if let Some((recorded, here)) = &replayed.conversation {
            text = text.replace(recorded, here);
        }
        answers.push(text);
        replayed.entries.pop_front();
    }
    answers
}
