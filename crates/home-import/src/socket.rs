//! A connection to the WebSocket API over which nothing but reads can be sent.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::address::websocket_address;
use crate::{HomeImportError, HomeToken, ReadRequest};

/// How long to wait for the connection and for each answer.
const PATIENCE: Duration = Duration::from_mins(1);
const CONNECT: Duration = Duration::from_secs(15);
/// A large home's states are megabytes; a hundred times as much is none.
const LARGEST_MESSAGE: usize = 256 << 20;

/// A connection that only reads.
pub(crate) struct HomeSocket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    sent: u64,
    /// The version Home Assistant says it has.
    pub(crate) version: String,
}

/// What became of a read.
pub(crate) enum ReadAnswer<T> {
    Read(T),
    /// Only administrators may ask.
    NotAllowed,
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
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: String,
    message: String,
}

impl HomeSocket {
    /// Connects and logs in.
    pub(crate) async fn open(url: &str, token: &HomeToken) -> Result<Self, HomeImportError> {
        // Whoever installed a provider before has the say.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = websocket_address(url)?;
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
        let mut socket = Self { stream, sent: 0, version: String::new() };
        socket.log_in(url, token).await?;
        Ok(socket)
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

    /// The answer to a read that anybody may make.
    pub(crate) async fn read<T: DeserializeOwned>(
        &mut self,
        request: &ReadRequest,
    ) -> Result<T, HomeImportError> {
        match self.try_read(request).await? {
            ReadAnswer::Read(answer) => Ok(answer),
            ReadAnswer::NotAllowed => Err(HomeImportError::Refused {
                request: request.kind(),
                why: "the token's owner may not ask for it".to_owned(),
            }),
        }
    }

    /// The answer to a read that may be for administrators only.
    pub(crate) async fn try_read<T: DeserializeOwned>(
        &mut self,
        request: &ReadRequest,
    ) -> Result<ReadAnswer<T>, HomeImportError> {
        self.sent += 1;
        self.send(&request.message(self.sent)).await?;
        let unread = |source| HomeImportError::Answer { request: request.kind(), source };
        loop {
            let text = self.receive().await?;
            let answer: Envelope = serde_json::from_str(&text).map_err(unread)?;
            if answer.id != Some(self.sent) || answer.kind != "result" {
                continue;
            }
            return match answer.error {
                Some(error) if error.code == "unauthorized" => Ok(ReadAnswer::NotAllowed),
                Some(error) => {
                    Err(HomeImportError::Refused { request: request.kind(), why: error.message })
                }
                None if !answer.success => {
                    let why = "it gave no reason".to_owned();
                    Err(HomeImportError::Refused { request: request.kind(), why })
                }
                None => T::deserialize(answer.result).map(ReadAnswer::Read).map_err(unread),
            };
        }
    }

    /// Takes leave. What goes wrong with that no longer matters.
    pub(crate) async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_secs(2), self.stream.close(None)).await;
    }

    async fn send(&mut self, message: &Value) -> Result<(), HomeImportError> {
        self.stream.send(Message::text(message.to_string())).await.map_err(|error| lost(&error))
    }

    async fn receive(&mut self) -> Result<String, HomeImportError> {
        let lost_for = |why: String| HomeImportError::Lost { why };
        loop {
            let next = tokio::time::timeout(PATIENCE, self.stream.next()).await;
            match next {
                Err(_) => {
                    return Err(lost_for(format!("no answer within {} s", PATIENCE.as_secs())));
                }
                Ok(None | Some(Ok(Message::Close(_)))) => {
                    return Err(lost_for("it was closed".to_owned()));
                }
                Ok(Some(Err(error))) => return Err(lost(&error)),
                Ok(Some(Ok(Message::Text(text)))) => return Ok(text.as_str().to_owned()),
                Ok(Some(Ok(_))) => {}
            }
        }
    }
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
