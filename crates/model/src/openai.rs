//! A model behind an OpenAI-style `chat/completions` endpoint.

mod message;
mod read_ahead;
mod reply;
mod request;
mod settings;
mod stream;
mod usage;

use std::sync::Arc;

use toolgauge_core::{SubjectIdentity, TrialFailure};

use crate::client::{Client, Dialect, ReplyReading};
use crate::connection::ConnectionError;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::preflight::{Preflight, PreflightError};
use crate::secret::Secret;
use crate::sse::FirstToken;
use toolgauge_core::{Answer, Briefing, Reply, Request, Subject};

pub(crate) use message::identifier;
pub(crate) use request::{call_id, spoken_text};
pub use settings::OpenAiSettings;
pub(crate) use usage::server_timings;

use self::read_ahead::ReadAhead;

/// More slots than any server has that is meant here; what it says is not trusted beyond.
const MOST_SLOTS: usize = 1024;

/// A model behind an OpenAI-style endpoint.
#[derive(Debug)]
pub struct OpenAi {
    client: Client<OpenAiSettings>,
    ahead: ReadAhead,
}

impl OpenAi {
    /// Sets up the client; nothing is sent yet.
    pub fn new(settings: OpenAiSettings) -> Result<Self, ConnectionError> {
        let ahead = ReadAhead::new(&settings);
        Ok(Self { client: client(settings)?, ahead })
    }

    /// How many times the part of a request that never changes was written: once for each
    /// briefing, however many requests were made.
    pub fn prefixes_written(&self) -> u64 {
        self.client.prefixes_written()
    }

    /// The body that would be sent, exactly but for secrets.
    pub fn request_body(&self, request: &Request<'_>) -> Vec<u8> {
        self.client.shown_body(request)
    }

    /// Asks the server about itself, to tell early what would fail every trial.
    pub async fn preflight(&self) -> Result<Preflight, PreflightError> {
        let found = self.client.preflight().await?;
        if found.serves_one_model {
            let slots = found.facts.slots.and_then(|slots| usize::try_from(slots).ok());
            self.ahead.slots().know(slots.unwrap_or(1).clamp(1, MOST_SLOTS));
        }
        Ok(found)
    }

    /// Has the server read the prompt that trials start with, so that it is cached and the first
    /// trials are not slower than the rest. So many slots at most read it at once.
    pub async fn warm(&self, briefing: &Arc<Briefing>, slots: usize) -> Result<(), TrialFailure> {
        self.ahead.warm(briefing, slots).await
    }
}

/// A client for these settings.
fn client(settings: OpenAiSettings) -> Result<Client<OpenAiSettings>, ConnectionError> {
    let key = settings.connection.key.as_ref();
    let bearer = key.map(|key| Secret::new(format!("Bearer {}", key.expose())));
    let headers: Vec<_> = bearer.map(|bearer| ("authorization", bearer)).into_iter().collect();
    let url = settings.connection.endpoint.operation("chat/completions");
    let connection = settings.connection.clone();
    Client::new(settings, connection, url, &headers)
}

impl Dialect for OpenAiSettings {
    fn model(&self) -> &str {
        &self.model
    }

    fn prefix(&self, briefing: &Briefing) -> Vec<u8> {
        request::prefix(self, briefing)
    }

    fn body(&self, prefix: &[u8], request: &Request<'_>) -> Vec<u8> {
        let pinned = self.extra.contains_key("seed");
        let seed = request.seed.or(self.seed).filter(|_| !pinned);
        request::body(prefix, &request.briefing.tools, request.conversation, seed)
    }

    fn watch(&self) -> Option<FirstToken> {
        self.stream.then(|| FirstToken::new(stream::sight))
    }

    fn longest_answer(&self) -> Option<u64> {
        self.max_tokens
    }

    fn read(
        &self,
        exchange: &HttpExchange,
        reading: ReplyReading<'_>,
    ) -> Result<Reply, AttemptFailure> {
        reply::read(exchange, reading)
    }
}

/// Reads an answer, for the properties of any answer.
pub(crate) fn read(
    exchange: &HttpExchange,
    reading: ReplyReading<'_>,
) -> Result<Reply, AttemptFailure> {
    reply::read(exchange, reading)
}

/// Reads the body of an answer that was recorded earlier, as if a server had just sent it.
pub(crate) fn read_recorded(body: &[u8]) -> Result<Reply, AttemptFailure> {
    let exchange = HttpExchange {
        status: 200,
        content_type: None,
        location: None,
        retry_after: None,
        body: body.to_vec(),
        cut: None,
        first_token: None,
        total: std::time::Duration::ZERO,
    };
    reply::read(&exchange, ReplyReading { tools: &[], streamed: false, keep: false })
}

impl Subject for OpenAi {
    fn identity(&self) -> SubjectIdentity {
        self.client.identity(&self.client.dialect().model, "openai")
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.ahead.ask(&self.client, request))
    }
}
