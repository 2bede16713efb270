//! Subjects: what is measured, and the wire between it and toolgauge.

mod anthropic;
mod arguments;
mod attempt;
mod body;
mod draft;
mod endpoint;
mod failure;
mod http;
mod limits;
mod line;
mod loose;
mod openai;
mod prefixes;
mod secret;
mod sse;
mod subject;
mod text_calls;

pub use anthropic::{Anthropic, AnthropicSettings};
pub use attempt::RetryPolicy;
pub use endpoint::{Endpoint, EndpointError};
pub use http::{Connection, ConnectionError};
pub use limits::Limits;
pub use openai::{OpenAi, OpenAiSettings};
pub use secret::Secret;
pub use subject::{Answer, Briefing, Reply, Request, Subject};
