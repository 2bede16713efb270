//! How a server is reached, and how patiently.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;
use toolgauge_core::is_plain_header;

use crate::attempt::RetryPolicy;
use crate::endpoint::{Endpoint, EndpointError};
use crate::limits::RequestLimits;
use crate::secret::{Secret, login_secrets};

/// How a server is reached, and how patiently.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Where it is.
    pub endpoint: Endpoint,
    /// The key it asks for.
    pub key: Option<Secret>,
    /// Headers to send along; their values count as secrets.
    pub headers: Vec<(String, Secret)>,
    /// What else must not be kept should it come back, such as a key in the body.
    pub secrets: Vec<Secret>,
    /// How long one attempt may take, from connecting to the last byte.
    pub timeout: Duration,
    /// How long a stream may be silent once its answer has begun; before the first token only
    /// `timeout` counts, because a server may read a long prompt for minutes without a word.
    pub idle_timeout: Duration,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How many bytes an answer may have.
    pub largest_answer: usize,
    /// How many connections are kept open between requests; as many as run at once.
    pub idle_connections: usize,
    /// How often a request is tried again.
    pub retry: RetryPolicy,
    /// Limits shared by all who ask the same server.
    pub limits: Arc<RequestLimits>,
    /// Whether any model may answer, whatever its name. Otherwise an answer of another model than
    /// the one asked for is a failure.
    pub any_model: bool,
    /// Whether the bodies of requests and responses are kept in the transcript.
    pub keep_wire: bool,
}

impl Connection {
    /// A connection with the usual patience.
    pub fn to(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            key: None,
            headers: Vec::new(),
            secrets: Vec::new(),
            timeout: Duration::from_mins(10),
            idle_timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(10),
            largest_answer: 16 * 1024 * 1024,
            idle_connections: 64,
            retry: RetryPolicy::default(),
            limits: Arc::default(),
            any_model: true,
            keep_wire: false,
        }
    }
}

impl Connection {
    /// Everything that is sent there and must not be kept should it come back.
    pub(crate) fn all_secrets(&self) -> Vec<Secret> {
        let mut all: Vec<Secret> = self.key.iter().chain(&self.secrets).cloned().collect();
        for (name, value) in &self.headers {
            if !is_plain_header(name) {
                all.extend(header_secrets(value));
            }
        }
        all.extend(self.endpoint.secrets());
        all
    }
}

/// The secrets in the value of a header: `Bearer KEY`, `Basic LOGIN`, `a=b; c=d`.
fn header_secrets(value: &Secret) -> Vec<Secret> {
    let text = value.expose();
    let mut secrets = vec![value.clone()];
    let words = text.split([' ', ';', ',']).filter(|word| !word.is_empty());
    // A word alone is the whole value; the name of a scheme is no secret.
    for word in words.filter(|word| *word != text && word.contains(|c: char| !c.is_alphabetic())) {
        secrets.push(Secret::new(word));
        secrets.extend(word.split_once('=').and_then(|(_, value)| Secret::unless_empty(value)));
    }
    // A server may repeat the user or the password in plain text.
    if let Some(login) = text.strip_prefix("Basic ")
        && let Ok(login) = STANDARD.decode(login.trim())
        && let Some((user, password)) = String::from_utf8_lossy(&login).split_once(':')
    {
        secrets.extend(login_secrets(user, password));
    }
    secrets
}

/// Why a connection cannot be made as it is described.
#[derive(Debug, Error)]
pub enum ConnectionError {
    /// The base URL is none.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// A header has a name that HTTP does not allow.
    #[error("`{0}` is not the name of an HTTP header")]
    HeaderName(String),
    /// A header, or the key, has characters that HTTP does not allow.
    #[error("the value of the header `{0}` holds characters that HTTP does not allow")]
    HeaderValue(String),
    /// A method has a name that HTTP does not allow.
    #[error("`{0}` is not an HTTP method")]
    Method(String),
    /// The HTTP client could not be set up.
    #[error("the HTTP client could not be set up: {0}")]
    Client(String),
}
