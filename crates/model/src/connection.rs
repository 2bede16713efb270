//! How a server is reached, and how patiently.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::attempt::RetryPolicy;
use crate::endpoint::{Endpoint, EndpointError};
use crate::limits::Limits;
use crate::secret::Secret;

/// How a server is reached, and how patiently.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Where it is.
    pub endpoint: Endpoint,
    /// The key it asks for.
    pub key: Option<Secret>,
    /// Headers to send along; their values count as secrets.
    pub headers: Vec<(String, Secret)>,
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
    pub limits: Arc<Limits>,
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
            timeout: Duration::from_mins(10),
            idle_timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(10),
            largest_answer: 16 * 1024 * 1024,
            idle_connections: 64,
            retry: RetryPolicy::default(),
            limits: Arc::default(),
            keep_wire: false,
        }
    }
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
