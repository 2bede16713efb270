//! One attempt over HTTP: bytes out, bytes in, everything about it measured.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Response, Url};
use tokio::time::Instant;
use toolgauge_core::FailureKind;

use crate::connection::{Connection, ConnectionError};
use crate::cut::Cut;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::quote::quote;
use crate::redactor::Redactor;
use crate::secret::Secret;
use crate::sse::FirstToken;

/// What every request body is.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// How long the end of a stream is waited for once it has said that it is done.
const GRACE_AFTER_DONE: Duration = Duration::from_millis(500);

/// A connection that breaks so soon was closed before the request came.
const AT_ONCE: Duration = Duration::from_secs(1);

/// How long a page about the server itself may take.
const LONGEST_PAGE: Duration = Duration::from_secs(10);

/// A client for one server.
#[derive(Debug)]
pub(crate) struct Transport {
    client: Client,
    headers: HeaderMap,
    login: Option<(String, Secret)>,
    timeout: Duration,
    idle_timeout: Duration,
    largest_answer: usize,
    redactor: Redactor,
    /// Whether a request was answered, so that its connection may be used again.
    answered: AtomicBool,
}

impl Transport {
    /// Sets up the client. `headers` are those of the protocol, with the key where it wants it.
    pub(crate) fn new(
        connection: &Connection,
        headers: &[(&str, Secret)],
    ) -> Result<Self, ConnectionError> {
        let mut map = HeaderMap::new();
        let own = headers.iter().map(|(name, value)| (*name, value));
        let extra = connection.headers.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in own.chain(extra) {
            insert_header(&mut map, name, value)?;
        }
        // A header that the user set wins over the login in the URL; a request cannot carry both.
        let login = connection.endpoint.login().filter(|_| !map.contains_key(AUTHORIZATION));
        Ok(Self {
            client: client(connection)?,
            headers: map,
            login: login.map(|(user, password)| (user.to_owned(), password.clone())),
            timeout: connection.timeout,
            idle_timeout: connection.idle_timeout,
            largest_answer: connection.largest_answer,
            redactor: Redactor::new(&connection.all_secrets()),
            answered: AtomicBool::new(false),
        })
    }

    /// Sends a body and reads the answer, within the time one attempt may take.
    pub(crate) async fn post(
        &self,
        url: &Url,
        body: Bytes,
        watch: Option<FirstToken>,
    ) -> Result<HttpExchange, AttemptFailure> {
        self.within(self.timeout, self.converse(Method::POST, url, Some(body), watch)).await
    }

    /// Sends anything in any way, within the time one attempt may take.
    pub(crate) async fn request(
        &self,
        method: Method,
        url: &Url,
        body: Option<Bytes>,
    ) -> Result<HttpExchange, AttemptFailure> {
        self.within(self.timeout, self.converse(method, url, body, None)).await
    }

    /// Asks for a page, which no model has to write and so comes soon or not at all.
    pub(crate) async fn get(&self, url: &Url) -> Result<HttpExchange, AttemptFailure> {
        let limit = self.timeout.min(LONGEST_PAGE);
        self.within(limit, self.converse(Method::GET, url, None, None)).await
    }

    async fn within(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<HttpExchange, AttemptFailure>>,
    ) -> Result<HttpExchange, AttemptFailure> {
        let late = |_| {
            let message = format!("no complete answer within {limit:?}");
            Err(AttemptFailure::passing(FailureKind::Timeout, message))
        };
        let result = tokio::time::timeout(limit, work).await.unwrap_or_else(late);
        result.map_err(|failure| self.without_secrets(failure))
    }

    /// The failure with every known secret taken out of its message.
    pub(crate) fn without_secrets(&self, failure: AttemptFailure) -> AttemptFailure {
        AttemptFailure { message: self.redactor.message(failure.message), ..failure }
    }

    /// What takes the secrets of this connection out of what comes back through it.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    async fn converse(
        &self,
        method: Method,
        url: &Url,
        body: Option<Bytes>,
        watch: Option<FirstToken>,
    ) -> Result<HttpExchange, AttemptFailure> {
        let written = || self.written(method.clone(), url, body.clone());
        let mut sent = Instant::now();
        let mut response = written().send().await;
        // The clock starts again: the time until a dead connection was noticed is not the server's.
        if response.as_ref().is_err_and(|error| self.came_too_late(error, sent)) {
            sent = Instant::now();
            response = written().send().await;
        }
        let response = response.map_err(|error| unreachable_server(&error))?;
        let mut exchange = HttpExchange::begun(&response);
        self.read_body(response, &mut exchange, sent, watch).await?;
        // Before anybody reads it: what is quoted is cut, and half a key is none to be found.
        let is_answer = exchange.is_success();
        self.redactor.body(&mut exchange.body, is_answer);
        exchange.location = exchange.location.map(|place| self.redactor.message(place));
        self.answered.store(true, Ordering::Relaxed);
        Ok(exchange)
    }

    /// A request, ready to be sent.
    fn written(&self, method: Method, url: &Url, body: Option<Bytes>) -> RequestBuilder {
        let mut request = self.client.request(method, url.clone()).headers(self.headers.clone());
        if let Some((user, password)) = &self.login {
            request = request.basic_auth(user, Some(password.expose()));
        }
        if let Some(body) = body {
            if !self.headers.contains_key(CONTENT_TYPE) {
                request = request.header(CONTENT_TYPE, JSON);
            }
            request = request.body(body);
        }
        request
    }

    /// Whether a request met a connection that the server had closed, which nobody has read then.
    ///
    /// Servers close connections at a moment of their own, llama.cpp's after every stream whatever
    /// its headers promise, and a client may be about to use one again. Such a request is sent
    /// once more, and that is no second attempt.
    fn came_too_late(&self, error: &reqwest::Error, sent: Instant) -> bool {
        self.answered.load(Ordering::Relaxed) && sent.elapsed() < AT_ONCE && was_closed(error)
    }

    /// Reads the body piece by piece, so that what came before a break is still there.
    async fn read_body(
        &self,
        mut response: Response,
        exchange: &mut HttpExchange,
        sent: Instant,
        mut watch: Option<FirstToken>,
    ) -> Result<(), AttemptFailure> {
        if let Some(length) = response.content_length() {
            let expected = usize::try_from(length).unwrap_or(usize::MAX);
            // The announced length is the server's word, so it may not reserve more than is
            // accepted.
            exchange.body.reserve(expected.min(self.largest_answer));
        }
        let mut heard = None;
        loop {
            let chunk = match self.next_chunk(&mut response, watch.as_ref()).await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(cut) => {
                    exchange.cut = Some(cut);
                    break;
                }
            };
            // Before the chunk is copied, so that the limit also bounds the memory.
            if exchange.body.len() + chunk.len() > self.largest_answer {
                let limit = self.largest_answer;
                let message = format!("the answer is larger than {limit} bytes");
                return Err(AttemptFailure::lasting(FailureKind::TooLarge, message));
            }
            exchange.body.extend_from_slice(&chunk);
            if let Some(watch) = &mut watch {
                watch.see(&chunk, sent);
                heard = Some(sent.elapsed());
            }
        }
        let done = watch.as_ref().and_then(FirstToken::done_after);
        // Waiting in vain is no part of how long an answer took.
        let last = heard.filter(|_| matches!(exchange.cut, Some(Cut::Silent(_))));
        exchange.total = done.or(last).unwrap_or_else(|| sent.elapsed());
        exchange.first_token = watch.and_then(|watch| watch.first_after());
        Ok(())
    }

    /// The next piece of a body.
    ///
    /// Once a stream has said that it is done, its end is waited for only a moment: some servers
    /// leave the connection hanging. Between its beginning and that, any byte is a sign of life, a
    /// comment as good as a token.
    async fn next_chunk(
        &self,
        response: &mut Response,
        watch: Option<&FirstToken>,
    ) -> Result<Option<Bytes>, Cut> {
        let broken = |error: reqwest::Error| Cut::Broken(deepest_cause(&error));
        if watch.is_some_and(|watch| watch.done_after().is_some()) {
            let last = tokio::time::timeout(GRACE_AFTER_DONE, response.chunk()).await;
            // Neither silence nor a break matters any more: the answer is complete.
            return last.map_or(Ok(None), |chunk| Ok(chunk.unwrap_or_default()));
        }
        // Until the first token a server may be reading a long prompt, and only the time limit of
        // the whole attempt counts.
        if !watch.is_some_and(FirstToken::has_begun) {
            return response.chunk().await.map_err(broken);
        }
        match tokio::time::timeout(self.idle_timeout, response.chunk()).await {
            Ok(chunk) => chunk.map_err(broken),
            Err(_) => Err(Cut::Silent(self.idle_timeout)),
        }
    }
}

fn insert_header(map: &mut HeaderMap, name: &str, value: &Secret) -> Result<(), ConnectionError> {
    let header = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| ConnectionError::HeaderName(name.to_owned()))?;
    let mut value = HeaderValue::from_str(value.expose())
        .map_err(|_| ConnectionError::HeaderValue(name.to_owned()))?;
    value.set_sensitive(true);
    map.insert(header, value);
    Ok(())
}

fn client(connection: &Connection) -> Result<Client, ConnectionError> {
    // The client takes the provider of the process; whoever installed one before has the say.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("toolgauge/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connection.connect_timeout)
        .pool_max_idle_per_host(connection.idle_connections)
        // llama.cpp closes a connection that was idle for five seconds; a request sent at that
        // very moment would be lost.
        .pool_idle_timeout(Duration::from_secs(4))
        .tcp_nodelay(true)
        // A redirect would carry the key to a place nobody named.
        .redirect(reqwest::redirect::Policy::none());
    if !connection.endpoint.is_https() {
        // Without TLS there is no negotiation, and local servers speak HTTP/1 only.
        builder = builder.http1_only();
    }
    if connection.endpoint.is_loopback() {
        // A proxy cannot reach this machine's own loopback.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| ConnectionError::Client(deepest_cause(&error)))
}

fn unreachable_server(error: &reqwest::Error) -> AttemptFailure {
    let (kind, what) = match error {
        error if error.is_timeout() && error.is_connect() => {
            (FailureKind::Connection, "no connection in time")
        }
        error if error.is_timeout() => (FailureKind::Timeout, "no answer in time"),
        // No case makes a server refuse connections: it is not there yet, or being restarted.
        error if was_refused(error) => (FailureKind::Unavailable, "no connection"),
        error if error.is_connect() => (FailureKind::Connection, "no connection"),
        _ => (FailureKind::Connection, "the connection broke before an answer came"),
    };
    AttemptFailure::passing(kind, format!("{what}: {}", deepest_cause(error)))
}

/// Whether nobody listens at the address.
fn was_refused(error: &reqwest::Error) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    let mut errors = causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    errors.any(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
}

/// Whether a connection was closed without a byte of an answer.
fn was_closed(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        let http = error.downcast_ref::<hyper::Error>();
        let pipe = error.downcast_ref::<io::Error>();
        if http.is_some_and(hyper::Error::is_incomplete_message)
            || pipe.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        {
            return true;
        }
        cause = error.source();
    }
    false
}

/// What lies at the bottom of an error. The URL, which may hold a secret, is left out.
fn deepest_cause(error: &reqwest::Error) -> String {
    let mut deepest: Option<&dyn Error> = error.source();
    while let Some(source) = deepest.and_then(Error::source) {
        deepest = Some(source);
    }
    deepest.map_or_else(|| String::from("unknown cause"), |source| quote(&source.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::Endpoint;

    #[test]
    fn a_header_that_http_does_not_allow_is_named_without_its_value() {
        let mut connection = Connection::to(Endpoint::parse("http://localhost:1").unwrap());
        connection.headers.push(("x-key".into(), Secret::new("hunter2\u{1}2")));
        let error = Transport::new(&connection, &[]).unwrap_err().to_string();
        assert!(error.contains("`x-key`") && !error.contains("hunter2"), "{error}");
        connection.headers = vec![("x key".into(), Secret::new("v"))];
        let error = Transport::new(&connection, &[]).unwrap_err().to_string();
        assert_eq!(error, "`x key` is not the name of an HTTP header");
    }
}
