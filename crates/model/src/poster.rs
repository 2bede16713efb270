//! Hands documents to a server that collects them, such as spans to a collector of OpenTelemetry.

use std::time::Duration;

use bytes::Bytes;

use crate::connection::{Connection, ConnectionError};
use crate::endpoint::Endpoint;
use crate::failure::AttemptFailure;
use crate::quote::quote;
use crate::secret::Secret;
use crate::transport::Transport;

/// How long one request may take.
const LONGEST: Duration = Duration::from_secs(30);

/// How long to wait before each further try.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(3)];

/// Statuses after which a request may be sent again, by the protocol of OpenTelemetry.
const PASSING: [u16; 4] = [429, 502, 503, 504];

/// Sends JSON to one address.
#[derive(Debug)]
pub struct JsonPoster {
    transport: Transport,
    endpoint: Endpoint,
}

/// Why a server did not take what it was sent.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// Nobody answered.
    #[error("cannot send to `{address}`: {why}")]
    Unreachable {
        /// The address, without secrets.
        address: String,
        /// What happened.
        why: String,
    },
    /// The server refused.
    #[error("`{address}` answered with status {status}: {words}")]
    Refused {
        /// The address, without secrets.
        address: String,
        /// The status.
        status: u16,
        /// What the server said.
        words: String,
    },
}

impl JsonPoster {
    /// Prepares to send to an address; nothing is sent yet.
    pub fn new(
        endpoint: Endpoint,
        headers: Vec<(String, Secret)>,
    ) -> Result<Self, ConnectionError> {
        let mut connection = Connection::to(endpoint.clone());
        connection.headers = headers;
        connection.timeout = LONGEST;
        Ok(Self { transport: Transport::new(&connection, &[])?, endpoint })
    }

    /// Sends a document, and gives back what the server said. A server that is busy or away for a
    /// moment is asked again.
    pub async fn post(&self, body: Vec<u8>) -> Result<String, PostError> {
        let body = Bytes::from(body);
        let mut pauses = PAUSES.iter();
        loop {
            let failure = match self.try_once(body.clone()).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let may_pass = match &failure {
                PostError::Unreachable { .. } => true,
                PostError::Refused { status, .. } => PASSING.contains(status),
            };
            match pauses.next() {
                Some(pause) if may_pass => tokio::time::sleep(*pause).await,
                _ => return Err(failure),
            }
        }
    }

    async fn try_once(&self, body: Bytes) -> Result<String, PostError> {
        let address = self.endpoint.to_string();
        let answer = match self.transport.post(self.endpoint.url(), body, None).await {
            Ok(answer) => answer,
            Err(AttemptFailure { message, .. }) => {
                return Err(PostError::Unreachable { address, why: message });
            }
        };
        let words = String::from_utf8_lossy(&answer.body).into_owned();
        if answer.is_success() {
            return Ok(words);
        }
        Err(PostError::Refused { address, status: answer.status, words: quote(&words) })
    }
}
