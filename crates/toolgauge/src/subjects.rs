//! From the name of a model to a subject that answers.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolgauge_model::{
    BaselineSubject, Connection, Endpoint, Limits, OpenAi, OpenAiSettings, RetryPolicy, Secret,
    Subject,
};
use toolgauge_suite::Sampling;

use crate::failure::Failure;
use crate::settings::{Protocol, SamplingSettings, Settings};

/// The subject that needs no model.
pub(crate) const BASELINE: &str = "baseline";

/// What a subject is built from.
pub(crate) struct Order<'a> {
    pub(crate) model: &'a str,
    pub(crate) settings: &'a Settings,
    pub(crate) sampling: Sampling,
    pub(crate) key: Option<Secret>,
}

/// Builds the subject a name stands for.
pub(crate) fn build(order: Order<'_>) -> Result<Arc<dyn Subject>, Failure> {
    if order.model == BASELINE {
        return Ok(Arc::new(BaselineSubject::new()));
    }
    let connection = connection(order.settings, order.key)?;
    match order.settings.server.protocol {
        Protocol::OpenAi => {
            let Sampling { temperature, top_p, max_tokens, seed, .. } = order.sampling;
            let settings = OpenAiSettings {
                stream: order.settings.server.stream,
                temperature,
                top_p,
                max_tokens,
                seed,
                tool_choice: order.sampling.tool_choice,
                parallel_tool_calls: order.sampling.parallel_tool_calls,
                extra: order.sampling.extra,
                ..OpenAiSettings::new(connection, order.model)
            };
            Ok(Arc::new(OpenAi::new(settings)?))
        }
        Protocol::Anthropic => todo!(),
    }
}

/// How the server of these settings is reached.
fn connection(settings: &Settings, key: Option<Secret>) -> Result<Connection, Failure> {
    let limits = &settings.limits;
    let per_minute = Limits::per_minute(
        NonZeroU32::new(limits.requests_per_minute),
        NonZeroU32::new(limits.tokens_per_minute),
    );
    Ok(Connection {
        key,
        timeout: duration(limits.attempt_timeout).unwrap_or(Duration::MAX),
        largest_answer: settings.server.max_response_bytes,
        idle_connections: settings.run.concurrency,
        retry: RetryPolicy { retries: limits.retries, ..RetryPolicy::default() },
        limits: Arc::new(per_minute),
        keep_wire: settings.server.keep_wire,
        ..Connection::to(Endpoint::parse(&settings.server.base_url)?)
    })
}

/// A time in seconds as settings have it; 0 means no limit.
pub(crate) fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero())
}

impl From<&SamplingSettings> for Sampling {
    fn from(settings: &SamplingSettings) -> Self {
        Self {
            temperature: settings.temperature,
            top_p: settings.top_p,
            max_tokens: settings.max_tokens,
            seed: settings.seed,
            tool_choice: settings.tool_choice.clone().map(Value::from),
            parallel_tool_calls: settings.parallel_tool_calls,
            ..Self::default()
        }
    }
}
