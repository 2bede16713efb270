//! A line to one server in one dialect: everything about asking that no protocol changes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use reqwest::Url;
use toolgauge_core::{FailureKind, SubjectIdentity, Tool, TrialFailure};

use crate::attempt::{RequestInfo, persist};
use crate::connection::{Connection, ConnectionError};
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::model_name::{is_form_of, same_model};
use crate::prefixes::Prefixes;
use crate::preflight::{self, Preflight, PreflightError};
use crate::quote::quote;
use crate::secret::Secret;
use crate::sse::FirstToken;
use crate::transport::Transport;
use toolgauge_core::{Briefing, Reply, Request};

/// What a protocol is: how a request is written, and how an answer is read.
pub(crate) trait Dialect: Send + Sync {
    /// The model that is asked for.
    fn model(&self) -> &str;

    /// Everything of a body that is the same for all conversations with this briefing.
    fn prefix(&self, briefing: &Briefing) -> Vec<u8>;

    /// A whole body.
    fn body(&self, prefix: &[u8], request: &Request<'_>) -> Vec<u8>;

    /// What watches for the first token, when a stream is asked for.
    fn watch(&self) -> Option<FirstToken>;

    /// The most tokens an answer may have.
    fn longest_answer(&self) -> Option<u64>;

    /// Reads whatever came back.
    fn read(
        &self,
        exchange: &HttpExchange,
        reading: ReplyReading<'_>,
    ) -> Result<Reply, AttemptFailure>;
}

/// How an answer is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplyReading<'a> {
    /// The tools that were offered, to recognise calls in the text by.
    pub(crate) tools: &'a [Tool],
    /// Whether a stream was asked for.
    pub(crate) streamed: bool,
    /// Whether the body is kept.
    pub(crate) keep: bool,
}

/// Larger answers are read beside the task that drives all trials, which must go on meanwhile.
const SMALL_ANSWER: usize = 256 * 1024;

/// The longest request and the longest answer that are kept as they went over the wire. Every
/// request repeats the conversation before it, so that a few turns with answers of a megabyte would
/// take hundreds of megabytes in each trial that is under way.
const LARGEST_KEPT: usize = 1 << 20;

/// A line to one server.
#[derive(Debug)]
pub(crate) struct Client<D> {
    dialect: Arc<D>,
    connection: Connection,
    transport: Transport,
    url: Url,
    prefixes: Prefixes,
    requests: AtomicU64,
    /// What the server says of its models, once it was looked at.
    found: OnceLock<Preflight>,
}

impl<D: Dialect + 'static> Client<D> {
    /// Sets up the client; nothing is sent yet.
    pub(crate) fn new(
        dialect: D,
        connection: Connection,
        url: Url,
        headers: &[(&str, Secret)],
    ) -> Result<Self, ConnectionError> {
        let transport = Transport::new(&connection, headers)?;
        let (prefixes, requests) = (Prefixes::default(), AtomicU64::new(0));
        let (dialect, found) = (Arc::new(dialect), OnceLock::new());
        Ok(Self { dialect, connection, transport, url, prefixes, requests, found })
    }

    /// The dialect, with its settings.
    pub(crate) fn dialect(&self) -> &D {
        &self.dialect
    }

    /// Who answers on this line.
    pub(crate) fn identity(&self, model: &str, provider: &str) -> SubjectIdentity {
        SubjectIdentity {
            name: model.to_owned(),
            provider: provider.to_owned(),
            base_url: Some(self.connection.endpoint.to_string()),
        }
    }

    /// How many prefixes were written.
    pub(crate) fn prefixes_written(&self) -> u64 {
        self.prefixes.written()
    }

    /// Asks the server about itself before the first trial.
    pub(crate) async fn preflight(&self) -> Result<Preflight, PreflightError> {
        let model = self.dialect.model();
        let found = preflight::ask(&self.transport, &self.connection.endpoint, model).await?;
        if !self.connection.any_model && !model.is_empty() && found.lacks(model) {
            return Err(PreflightError::UnknownModel {
                endpoint: self.connection.endpoint.to_string(),
                model: model.to_owned(),
                offered: found.models,
            });
        }
        // A second look finds the same server.
        let _ = self.found.set(found.clone());
        Ok(found)
    }

    /// Whether a reply comes from another model than the one that was asked for.
    ///
    /// A longer form of its name is none, unless the server lists it as a model of its own.
    fn is_other(&self, replied: &str) -> bool {
        let asked = self.dialect.model();
        if self.connection.any_model || replied.is_empty() || same_model(asked, replied) {
            return false;
        }
        let Some(found) = self.found.get() else { return !is_form_of(replied, asked) };
        let is_one_of = |names: &[String]| names.iter().any(|name| same_model(name, replied));
        !is_one_of(&found.synonyms) && (!is_form_of(replied, asked) || is_one_of(&found.names))
    }

    /// The body that would be sent.
    pub(crate) fn body(&self, request: &Request<'_>) -> Vec<u8> {
        let prefix = self.prefixes.of(request.briefing, |briefing| self.dialect.prefix(briefing));
        self.dialect.body(&prefix, request)
    }

    /// The same as it may be shown: without the secrets that go along.
    pub(crate) fn shown_body(&self, request: &Request<'_>) -> Vec<u8> {
        let mut body = self.body(request);
        self.transport.redactor().body(&mut body, true);
        body
    }

    /// Asks, with as many attempts as it takes and the policy allows.
    pub(crate) async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        self.ask_prepared(request, "", || std::future::ready(Ok(()))).await
    }

    /// The same with further fields at the end of the body, and with something that is done before
    /// each attempt and does not count as time of the answer.
    pub(crate) async fn ask_prepared<P, F>(
        &self,
        request: Request<'_>,
        fields: &str,
        prepare: P,
    ) -> Result<Reply, TrialFailure>
    where
        P: Fn() -> F,
        F: Future<Output = Result<(), AttemptFailure>>,
    {
        let mut body = self.body(&request);
        if !fields.is_empty() {
            // A body is an object, so that its last byte closes it.
            body.pop();
            body.extend_from_slice(fields.as_bytes());
            body.push(b'}');
        }
        let body = Bytes::from(body);
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let info = RequestInfo { number, tokens: self.estimated_tokens(&body) };
        let (policy, limits) = (&self.connection.retry, &self.connection.limits);
        let tools = &request.briefing.tools;
        let attempt = || async {
            prepare().await?;
            self.attempt(tools, body.clone()).await
        };
        let attempted = persist(policy, limits, info, attempt).await?;
        let mut reply = attempted.value;
        reply.turn.attempts = attempted.attempts;
        reply.turn.repeated = attempted.repeated;
        reply.turn.timings.queued = attempted.queued;
        if self.connection.keep_wire && body.len() <= LARGEST_KEPT {
            // Read back from what was sent, so that the log shows exactly that.
            reply.turn.request = serde_json::from_slice(&body).ok();
        }
        self.transport.redactor().reply(&mut reply);
        // Before the model is checked: tokens of an answer that is refused were used as well.
        limits.settle_usage(info.tokens, reply.turn.usage).await;
        if let Some(replied) = reply.turn.model.as_deref().filter(|model| self.is_other(model)) {
            let asked = self.dialect.model();
            let message = format!("`{}` answered in place of `{asked}`", quote(replied));
            return Err(TrialFailure { kind: FailureKind::OtherModel, message });
        }
        Ok(reply)
    }

    async fn attempt(&self, tools: &Arc<[Tool]>, body: Bytes) -> Result<Reply, AttemptFailure> {
        let watch = self.dialect.watch();
        let streamed = watch.is_some();
        let exchange = self.transport.post(&self.url, body, watch).await?;
        let (first_token, total) = (exchange.first_token, exchange.total);
        let mut reply = self
            .read(exchange, tools, streamed)
            .await
            .map_err(|failure| self.transport.without_secrets(failure))?;
        reply.turn.timings.first_token = first_token;
        reply.turn.timings.total = total;
        Ok(reply)
    }

    /// Reads an answer, within what is left of the time one attempt may take.
    async fn read(
        &self,
        exchange: HttpExchange,
        tools: &Arc<[Tool]>,
        streamed: bool,
    ) -> Result<Reply, AttemptFailure> {
        let keep = self.connection.keep_wire && exchange.body.len() <= LARGEST_KEPT;
        if exchange.body.len() <= SMALL_ANSWER {
            return self.dialect.read(&exchange, ReplyReading { tools, streamed, keep });
        }
        let limit = self.connection.timeout.saturating_sub(exchange.total);
        let (dialect, tools) = (Arc::clone(&self.dialect), Arc::clone(tools));
        let reading = tokio::task::spawn_blocking(move || {
            dialect.read(&exchange, ReplyReading { tools: &tools, streamed, keep })
        });
        match tokio::time::timeout(limit, reading).await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Ok(Err(_)) | Err(_) => {
                let message = "the answer could not be read in the time of an attempt";
                Err(AttemptFailure::lasting(FailureKind::Timeout, message))
            }
        }
    }

    /// How many tokens a request will take: a token has about four bytes.
    fn estimated_tokens(&self, body: &[u8]) -> u64 {
        body.len() as u64 / 4 + self.dialect.longest_answer().unwrap_or(0)
    }
}
