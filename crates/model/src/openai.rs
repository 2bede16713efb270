//! A model behind an OpenAI-style `chat/completions` endpoint.

mod message;
mod reply;
mod request;
mod settings;
mod stream;
mod usage;

use std::sync::Arc;
use std::time::Duration;

use toolgauge_core::{CaseId, FailureKind, Message, SubjectIdentity, TrialFailure, TrialId};

use crate::attempt::RetryPolicy;
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

/// How long reading the prompt in advance may take.
const WARM_UP: Duration = Duration::from_mins(10);

/// A model behind an OpenAI-style endpoint.
#[derive(Debug)]
pub struct OpenAi(Client<OpenAiSettings>);

impl OpenAi {
    /// Sets up the client; nothing is sent yet.
    pub fn new(settings: OpenAiSettings) -> Result<Self, ConnectionError> {
        let key = settings.connection.key.as_ref();
        let bearer = key.map(|key| Secret::new(format!("Bearer {}", key.expose())));
        let headers: Vec<_> = bearer.map(|bearer| ("authorization", bearer)).into_iter().collect();
        let url = settings.connection.endpoint.operation("chat/completions");
        let connection = settings.connection.clone();
        Client::new(settings, connection, url, &headers).map(Self)
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

    /// Has the server read the prompt that every trial starts with, so that it is cached and the
    /// first trials are not slower than the rest. As many requests go at once as it has slots;
    /// they write one token each, and nothing of them reaches a transcript.
    pub async fn warm(&self, briefing: &Arc<Briefing>, slots: usize) -> Result<(), TrialFailure> {
        let mut settings =
            OpenAiSettings { max_tokens: Some(1), stream: false, ..self.0.dialect().clone() };
        // What takes longer than this would take as long again.
        settings.connection.retry = RetryPolicy::never();
        // A long prompt takes a slow machine minutes to read, which is why it is read in advance.
        let timeout = &mut settings.connection.timeout;
        *timeout = WARM_UP.max(*timeout);
        let internal = |error: ConnectionError| TrialFailure {
            kind: FailureKind::Internal,
            message: error.to_string(),
        };
        let subject = Self::new(settings).map_err(internal)?;
        let conversation = [Message::user("Hello")];
        let trial = TrialId { case: CaseId::new("warm-up"), trial: 1 };
        let request = Request { briefing, conversation: &conversation, trial: &trial, seed: None };
        let answers = (0..slots.max(1)).map(|_| subject.answer(request));
        futures_util::future::try_join_all(answers).await.map(drop)
    }
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
        self.0.identity(&self.0.dialect().model, "openai")
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.0.ask(request))
    }
}
