//! A model behind an OpenAI-style `chat/completions` endpoint.

mod reply;
mod request;
mod stream;

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use reqwest::Url;
use serde_json::{Map, Value};
use toolgauge_core::{SubjectIdentity, TrialFailure};

use crate::attempt::{Errand, persist};
use crate::failure::AttemptFailure;
use crate::http::{Connection, ConnectionError, Transport};
use crate::prefixes::Prefixes;
use crate::secret::Secret;
use crate::sse::FirstToken;
use crate::{Answer, Reply, Request, Subject};

/// What is asked of which model, and how.
#[derive(Clone, Debug)]
pub struct OpenAiSettings {
    /// How the server is reached.
    pub connection: Connection,
    /// The name of the model.
    pub model: String,
    /// Whether the answer is asked for piece by piece, which shows when its first token came.
    pub stream: bool,
    /// The temperature of sampling.
    pub temperature: Option<f64>,
    /// The share of likely tokens that sampling chooses from.
    pub top_p: Option<f64>,
    /// The most tokens one answer may have.
    pub max_tokens: Option<u64>,
    /// The seed of sampling, for requests that bring none of their own.
    pub seed: Option<u64>,
    /// Whether, or which, tool must be called: `"auto"`, `"required"`, `"none"`, or an object.
    pub tool_choice: Option<Value>,
    /// Whether several calls may be made in one answer.
    pub parallel_tool_calls: Option<bool>,
    /// Any other fields of the body; they win over those above.
    pub extra: Map<String, Value>,
}

impl OpenAiSettings {
    /// A model on a server, with nothing else asked for.
    pub fn new(connection: Connection, model: impl Into<String>) -> Self {
        Self {
            connection,
            model: model.into(),
            stream: false,
            temperature: None,
            top_p: None,
            max_tokens: None,
            seed: None,
            tool_choice: None,
            parallel_tool_calls: None,
            extra: Map::new(),
        }
    }
}

/// A model behind an OpenAI-style endpoint.
#[derive(Debug)]
pub struct OpenAi {
    settings: OpenAiSettings,
    transport: Transport,
    url: Url,
    prefixes: Prefixes,
    requests: AtomicU64,
}

impl OpenAi {
    /// Sets up the client; nothing is sent yet.
    pub fn new(settings: OpenAiSettings) -> Result<Self, ConnectionError> {
        let mut headers = vec![("content-type", Secret::new("application/json"))];
        if let Some(key) = &settings.connection.key {
            headers.push(("authorization", Secret::new(format!("Bearer {}", key.expose()))));
        }
        let transport = Transport::new(&settings.connection, &headers)?;
        let url = settings.connection.endpoint.operation("chat/completions");
        let prefixes = Prefixes::default();
        Ok(Self { settings, transport, url, prefixes, requests: AtomicU64::new(0) })
    }

    /// How many times the part of a request that never changes was written: once for each
    /// briefing, however many requests were made.
    pub fn prefixes_written(&self) -> u64 {
        self.prefixes.written()
    }

    fn body(&self, request: &Request<'_>) -> Bytes {
        let prefix = self
            .prefixes
            .of(request.briefing, |briefing| request::prefix(&self.settings, briefing));
        let pinned = self.settings.extra.contains_key("seed");
        let seed = request.seed.or(self.settings.seed).filter(|_| !pinned);
        request::body(&prefix, &request.briefing.tools, request.conversation, seed).into()
    }

    async fn attempt(&self, request: Request<'_>, body: Bytes) -> Result<Reply, AttemptFailure> {
        let streamed = self.settings.stream;
        let watch = streamed.then(|| FirstToken::new(stream::sight));
        let exchange = self.transport.post(&self.url, body, watch).await?;
        let reading = reply::Reading {
            tools: &request.briefing.tools,
            streamed,
            keep: self.settings.connection.keep_wire,
        };
        let mut reply = reply::read(&exchange, reading)
            .map_err(|failure| self.transport.without_secrets(failure))?;
        reply.turn.timings.first_token = exchange.first_token;
        reply.turn.timings.total = exchange.total;
        Ok(reply)
    }

    async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let body = self.body(&request);
        let connection = &self.settings.connection;
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let errand = Errand { number, tokens: estimated_tokens(&body, self.settings.max_tokens) };
        let attempted = persist(&connection.retry, &connection.limits, errand, || {
            self.attempt(request, body.clone())
        });
        let attempted = attempted.await?;
        let mut reply = attempted.value;
        reply.turn.attempts = attempted.attempts;
        reply.turn.timings.queued = attempted.queued;
        if connection.keep_wire {
            reply.turn.request = serde_json::from_slice(&body).ok();
        }
        connection.limits.settle_usage(errand.tokens, reply.turn.usage).await;
        Ok(reply)
    }
}

/// How many tokens a request will take: a token has about four bytes.
pub(crate) fn estimated_tokens(body: &[u8], max_tokens: Option<u64>) -> u64 {
    body.len() as u64 / 4 + max_tokens.unwrap_or(0)
}

impl Subject for OpenAi {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity {
            name: self.settings.model.clone(),
            provider: "openai".into(),
            base_url: Some(self.settings.connection.endpoint.to_string()),
        }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.ask(request))
    }
}
