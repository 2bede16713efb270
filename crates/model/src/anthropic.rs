//! A model behind an Anthropic-style `messages` endpoint.

mod message;
mod reply;
mod request;
mod settings;
mod stream;
mod thoughts;

use toolgauge_core::SubjectIdentity;

use crate::client::{Client, Dialect, ReplyReading};
use crate::connection::ConnectionError;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::preflight::{Preflight, PreflightError};
use crate::secret::Secret;
use crate::sse::FirstToken;
use toolgauge_core::{Answer, Briefing, Reply, Request, Subject};

pub use settings::AnthropicSettings;
use thoughts::Thoughts;

/// The version of the protocol that is spoken.
const VERSION: &str = "2023-06-01";

/// A model behind an Anthropic-style endpoint.
#[derive(Debug)]
pub struct Anthropic(Client<AnthropicDialect>);

/// The dialect: the settings, and what must be said again.
#[derive(Debug)]
struct AnthropicDialect {
    settings: AnthropicSettings,
    thoughts: Thoughts,
}

impl Anthropic {
    /// Sets up the client; nothing is sent yet.
    pub fn new(settings: AnthropicSettings) -> Result<Self, ConnectionError> {
        let mut headers = vec![("anthropic-version", Secret::new(VERSION))];
        if let Some(key) = &settings.connection.key {
            headers.push(("x-api-key", key.clone()));
        }
        let url = settings.connection.endpoint.versioned("messages");
        let connection = settings.connection.clone();
        let speech = AnthropicDialect { settings, thoughts: Thoughts::default() };
        Client::new(speech, connection, url, &headers).map(Self)
    }

    /// How many times the part of a request that never changes was written: once for each
    /// briefing, however many requests were made.
    pub fn prefixes_written(&self) -> u64 {
        self.0.prefixes_written()
    }

    /// The body that would be sent, exactly but for secrets.
    pub fn request_body(&self, request: &Request<'_>) -> Vec<u8> {
        self.0.shown_body(request)
    }

    /// Asks the server about itself, to tell early what would fail every trial.
    pub async fn preflight(&self) -> Result<Preflight, PreflightError> {
        self.0.preflight().await
    }
}

impl Dialect for AnthropicDialect {
    fn model(&self) -> &str {
        &self.settings.model
    }

    fn prefix(&self, briefing: &Briefing) -> Vec<u8> {
        request::prefix(&self.settings, briefing)
    }

    fn body(&self, prefix: &[u8], request: &Request<'_>) -> Vec<u8> {
        request::body(prefix, &request.briefing.tools, request.conversation, &self.thoughts)
    }

    fn watch(&self) -> Option<FirstToken> {
        self.settings.stream.then(|| FirstToken::new(stream::sight))
    }

    fn longest_answer(&self) -> Option<u64> {
        Some(self.settings.max_tokens)
    }

    fn read(
        &self,
        exchange: &HttpExchange,
        reading: ReplyReading<'_>,
    ) -> Result<Reply, AttemptFailure> {
        reply::read(exchange, reading, &self.thoughts)
    }
}

/// Reads an answer as a client without a past would, for the properties of any answer.
pub(crate) fn read(
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
) -> Result<Reply, AttemptFailure> {
    reply::read(exchange, reading, &Thoughts::default())
}

impl Subject for Anthropic {
    fn identity(&self) -> SubjectIdentity {
        self.0.identity(&self.0.dialect().settings.model, "anthropic")
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.0.ask(request))
    }
}
