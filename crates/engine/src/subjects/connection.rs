//! How servers are reached.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolgauge_model::{Connection, Endpoint, RequestLimits, RetryPolicy, Secret};

use super::SubjectOptions;
use crate::error::EngineError;
use crate::keys;
use crate::settings::Settings;

/// How a server of an order is reached.
pub(super) fn connection(
    order: &SubjectOptions<'_>,
    address: &str,
) -> Result<Connection, EngineError> {
    let endpoint = Endpoint::parse(address)?;
    let mut connection = connection_to(endpoint, order.settings, order.key.clone());
    connection.secrets = keys::in_value(Some(&Value::Object(order.sampling.extra.clone())));
    Ok(connection)
}

/// How a server is reached with the patience of these settings.
pub(super) fn connection_to(
    endpoint: Endpoint,
    settings: &Settings,
    key: Option<Secret>,
) -> Connection {
    let limits = &settings.limits;
    let per_minute = RequestLimits::per_minute(
        NonZeroU32::new(limits.requests_per_minute),
        NonZeroU32::new(limits.tokens_per_minute),
    );
    Connection {
        key,
        timeout: limits.attempt_timeout.limit().unwrap_or(Duration::MAX),
        idle_timeout: limits.idle_timeout.limit().unwrap_or(Duration::MAX),
        largest_answer: settings.server.max_response_bytes,
        idle_connections: settings.run.concurrency,
        retry: RetryPolicy { retries: limits.retries, ..RetryPolicy::default() },
        limits: Arc::new(per_minute),
        any_model: settings.server.any_model,
        keep_wire: settings.server.keep_wire,
        ..Connection::to(endpoint)
    }
}
