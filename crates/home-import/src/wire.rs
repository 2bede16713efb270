//! Messages of the WebSocket API: the login, numbered requests, and the answers to them.

use std::time::Duration;

use futures_util::{Sink, SinkExt, Stream, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::address::{public_address, websocket_address};
use crate::{HomeImportError, HomeToken};

/// How long to wait for the connection and for each answer.
const PATIENCE: Duration = Duration::from_mins(1);
const CONNECT: Duration = Duration::from_secs(15);
/// A large home's states are megabytes. In memory a message takes up to sixteen times its length.
const LARGEST_MESSAGE: usize = 64 << 20;

/// What messages come from and go to: a connection, or for a fuzzer a list.
pub(crate) trait MessageStream:
    Stream<Item = Result<Message, Error>> + Sink<Message, Error = Error> + Unpin
{
}

impl<S> MessageStream for S where
    S: Stream<Item = Result<Message, Error>> + Sink<Message, Error = Error> + Unpin
{
}

/// A connection over the network.
pub(crate) type Connected = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connection that is logged in. What may be sent over it is for its owner to say.
pub(crate) struct Wire<S = Connected> {
    stream: S,
    sent: u64,
    /// What no answer may repeat: the token, as it is and as JSON has it.
    secrets: [String; 2],
    /// How long each answer is waited for.
    pub(crate) patience: Duration,
    /// The version Home Assistant says it has.
    pub(crate) version: String,
}

/// Why Home Assistant did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Refusal {
    /// The kind of reason: `unauthorized`, `not_found`.
    pub code: String,
    /// The reason in words.
    pub message: String,
}

#[derive(Deserialize)]
struct Greeting {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    ha_version: String,
}

#[derive(Deserialize)]
struct Envelope {
    id: Option<u64>,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    success: bool,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    event: Value,
    error: Option<Refusal>,
}

impl Wire {
    /// Connects and logs in.
    pub(crate) async fn open(url: &str, token: &HomeToken) -> Result<Self, HomeImportError> {
        // Whoever installed a provider before has the say.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = websocket_address(url)?;
        let url = &public_address(url);
        let config = WebSocketConfig::default()
            .max_message_size(Some(LARGEST_MESSAGE))
            .max_frame_size(Some(LARGEST_MESSAGE));
        let connecting = connect_async_with_config(address, Some(config), true);
        let stream = match tokio::time::timeout(CONNECT, connecting).await {
            Ok(Ok((stream, _))) => stream,
            Ok(Err(error)) => return Err(refusal(url, &error)),
            Err(_) => {
                let why = format!("no answer within {} s", CONNECT.as_secs());
                return Err(HomeImportError::Unreachable { url: url.to_owned(), why });
            }
        };
        Wire::over(stream, url, token).await
    }
}

impl<S: MessageStream> Wire<S> {
    /// Logs in over a connection that stands.
    pub(crate) async fn over(
        stream: S,
        url: &str,
        token: &HomeToken,
    ) -> Result<Self, HomeImportError> {
        let token_text = token.expose().to_owned();
        let as_json = Value::from(&*token_text).to_string();
        let secrets = [token_text, as_json.trim_matches('"').to_owned()];
        let mut wire =
            Self { stream, sent: 0, secrets, patience: PATIENCE, version: String::new() };
        wire.log_in(url, token).await?;
        Ok(wire)
    }

    async fn log_in(&mut self, url: &str, token: &HomeToken) -> Result<(), HomeImportError> {
        let other = |why: String| HomeImportError::NotHomeAssistant { url: url.to_owned(), why };
        let greeting = |text: &str| {
            serde_json::from_str::<Greeting>(text).map_err(|error| other(error.to_string()))
        };
        let hello = greeting(&self.receive().await?)?;
        if hello.kind != "auth_required" {
            return Err(other(format!("it opened with `{}`", hello.kind)));
        }
        let login = json!({"type": "auth", "access_token": token.expose()});
        self.send(&login).await?;
        let answer = greeting(&self.receive().await?)?;
        self.version = [answer.ha_version, hello.ha_version]
            .into_iter()
            .find(|v| !v.is_empty())
            .unwrap_or_default();
        match answer.kind.as_str() {
            "auth_ok" => Ok(()),
            "auth_invalid" => Err(HomeImportError::Token),
            kind => Err(other(format!("it answered the token with `{kind}`"))),
        }
    }

    /// Sends a request, whose `id` and `type` are filled in, and waits for the answer to it.
    pub(crate) async fn ask(
        &mut self,
        kind: &'static str,
        mut message: Value,
    ) -> Result<Result<Value, Refusal>, HomeImportError> {
        self.sent += 1;
        message["id"] = self.sent.into();
        message["type"] = kind.into();
        self.send(&message).await?;
        loop {
            let answer = self.next(kind).await?;
            if answer.id != Some(self.sent) || answer.kind != "result" {
                continue;
            }
            return Ok(match answer.error {
                Some(refusal) => Err(refusal),
                None if !answer.success => {
                    let message = "it gave no reason".to_owned();
                    Err(Refusal { code: String::new(), message })
                }
                None => Ok(answer.result),
            });
        }
    }

    /// The number of the last request.
    pub(crate) fn last_id(&self) -> u64 {
        self.sent
    }

    /// The next event of what was last subscribed to.
    pub(crate) async fn next_event(
        &mut self,
        kind: &'static str,
    ) -> Result<Value, HomeImportError> {
        loop {
            let message = self.next(kind).await?;
            if message.id == Some(self.sent) && message.kind == "event" {
                return Ok(message.event);
            }
        }
    }

    async fn next(&mut self, kind: &'static str) -> Result<Envelope, HomeImportError> {
        let text = self.receive().await?;
        serde_json::from_str(&text)
            .map_err(|source| HomeImportError::Answer { request: kind, source })
    }

    /// Takes leave. What goes wrong with that no longer matters.
    pub(crate) async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_secs(2), self.stream.close()).await;
    }

    async fn send(&mut self, message: &Value) -> Result<(), HomeImportError> {
        self.stream.send(Message::text(message.to_string())).await.map_err(|error| lost(&error))
    }

    async fn receive(&mut self) -> Result<String, HomeImportError> {
        let lost_for = |why: String| HomeImportError::Lost { why };
        loop {
            let next = tokio::time::timeout(self.patience, self.stream.next()).await;
            match next {
                Err(_) => {
                    return Err(lost_for(format!(
                        "no answer within {} s",
                        self.patience.as_secs()
                    )));
                }
                Ok(None | Some(Ok(Message::Close(_)))) => {
                    return Err(lost_for("it was closed".to_owned()));
                }
                Ok(Some(Err(error))) => return Err(lost(&error)),
                Ok(Some(Ok(Message::Text(text)))) => return Ok(without(&self.secrets, &text)),
                Ok(Some(Ok(_))) => {}
            }
        }
    }
}

/// A message without the secrets, should it repeat one.
fn without(secrets: &[String], text: &str) -> String {
    // Any letter may be written as an escape. Read and written again, none is without need.
    let plain = text.contains("\\u").then(|| serde_json::from_str::<Value>(text).ok());
    let plain = plain.flatten().map_or_else(|| text.to_owned(), |value| value.to_string());
    // A real token has some two hundred letters; a short word would occur by chance.
    let secrets = secrets.iter().filter(|secret| secret.len() >= 8);
    secrets.fold(plain, |text, secret| text.replace(secret, "[redacted]"))
}

fn lost(error: &Error) -> HomeImportError {
    HomeImportError::Lost { why: error.to_string() }
}

/// Why no connection came about.
fn refusal(url: &str, error: &Error) -> HomeImportError {
    let url = url.to_owned();
    match error {
        Error::Http(response) => {
            let why = format!("it answered with status {}", response.status());
            HomeImportError::NotHomeAssistant { url, why }
        }
        Error::Protocol(_) => HomeImportError::NotHomeAssistant { url, why: error.to_string() },
        Error::Io(error) => HomeImportError::Unreachable { url, why: error.to_string() },
        other => HomeImportError::Unreachable { url, why: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_out_however_it_is_written() {
        let secrets = ["abc.def\"ghi".to_owned(), "abc.def\\\"ghi".to_owned()];
        for text in [
            r#"{"name": "is abc.def\"ghi"}"#,
            r#"{"name": "\u0061bc.d\u0065f\"ghi"}"#,
            r#"{"abc.def\u0022ghi": 1}"#,
        ] {
            let read: Value = serde_json::from_str(&without(&secrets, text)).unwrap();
            assert!(!read.to_string().contains("ghi"), "{read}");
        }
        assert_eq!(without(&secrets, "{\"name\":\"abc\"}"), "{\"name\":\"abc\"}");
    }
}
