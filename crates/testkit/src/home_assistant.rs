//! A server that answers like a recorded Home Assistant and keeps what it was sent.

use std::io::Read as _;
use std::sync::{Arc, LazyLock, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;

/// What a real Home Assistant 2026.10.4 answered for a home made for this test, and the prompts and
/// tools it sends a model in that home.
pub static RECORDED: LazyLock<Value> = LazyLock::new(|| {
    let packed: &[u8] = include_bytes!("../fixtures/home_assistant.json.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("it was packed as text");
    serde_json::from_str(&text).expect("recorded messages are JSON")
});

/// The token the server accepts.
pub const TOKEN: &str = "token-of-the-test";

/// How a server differs from the recorded one.
#[derive(Clone, Default)]
pub struct HomeServerChanges {
    /// The version it says it has; the recorded one if empty.
    pub version: String,
    /// Whether the token's owner is no administrator.
    pub not_admin: bool,
    /// Answers in place of the recorded ones.
    pub answers: Value,
    /// The request at which the connection breaks off.
    pub breaks_at: &'static str,
}

/// A running server on loopback, gone when its runtime is.
pub struct HomeServer {
    /// Its address, as in a browser.
    pub url: String,
    sent: Arc<Mutex<Vec<Value>>>,
}

impl HomeServer {
    /// Starts it on a free port.
    ///
    /// # Panics
    ///
    /// When loopback has no free port.
    pub async fn start(changes: HomeServerChanges) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url =
            format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&sent);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, changes.clone(), Arc::clone(&kept)));
            }
        });
        Self { url, sent }
    }

    /// All that was sent to it, in order.
    ///
    /// # Panics
    ///
    /// When a connection of it has panicked.
    pub fn sent(&self) -> Vec<Value> {
        self.sent.lock().expect("no connection panics").clone()
    }
}

async fn talk(stream: TcpStream, changes: HomeServerChanges, sent: Arc<Mutex<Vec<Value>>>) {
    let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let recorded = RECORDED["home_assistant"].as_str().unwrap_or_default().to_owned();
    let version = if changes.version.is_empty() { recorded } else { changes.version.clone() };
    let say = |value: Value| Message::text(value.to_string());
    let hello = json!({"type": "auth_required", "ha_version": version});
    if socket.send(say(hello)).await.is_err() {
        return;
    }
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let asked: Value = serde_json::from_str(&text).unwrap_or_default();
        sent.lock().expect("no connection panics").push(asked.clone());
        let kind = asked["type"].as_str().unwrap_or_default();
        let answer = match kind {
            "auth" if asked["access_token"] == TOKEN => {
                json!({"type": "auth_ok", "ha_version": version})
            }
            "auth" => {
                json!({"type": "auth_invalid", "message": "Invalid access token or password"})
            }
            kind if kind == changes.breaks_at => return,
            _ => {
                // What comes in between must not be taken for an answer.
                let event = json!({"id": asked["id"], "type": "event", "event": {}});
                let _ = socket.send(say(event)).await;
                answer_to(&asked, &changes)
            }
        };
        if socket.send(say(answer)).await.is_err() {
            return;
        }
    }
}

fn answer_to(asked: &Value, changes: &HomeServerChanges) -> Value {
    let kind = asked["type"].as_str().unwrap_or_default();
    let key = match asked.get("entity_id").and_then(Value::as_str) {
        Some(id) => format!("{kind} {id}"),
        None => kind.to_owned(),
    };
    let refused = &RECORDED["refused_to_users"];
    let changed = changes.answers.get(&key).map(|result| json!({"result": result}));
    let found = match changed {
        Some(answer) => answer,
        None if changes.not_admin && refused.get(&key).is_some() => refused[&key].clone(),
        None => RECORDED["answers"].get(&key).cloned().unwrap_or_default(),
    };
    match found {
        Value::Object(mut found) => {
            found.insert("id".to_owned(), asked["id"].clone());
            found.insert("type".to_owned(), "result".into());
            found.insert("success".to_owned(), (!found.contains_key("error")).into());
            Value::Object(found)
        }
        _ => json!({"id": asked["id"], "type": "result", "success": false,
            "error": {"code": "unknown_command", "message": format!("no answer to {key}")}}),
    }
}
