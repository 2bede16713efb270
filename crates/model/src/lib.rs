//! Subjects: what is measured, and the wire between it and toolgauge.

mod anthropic;
mod arguments;
mod attempt;
mod body;
mod chatbot;
mod client;
mod connection;
mod conversation;
mod cut;
mod draft;
mod embeddings;
mod endpoint;
mod error_report;
mod exchange;
mod failure;
#[doc(hidden)]
pub mod fuzzing;
mod limits;
mod llama;
mod loose;
mod model_name;
mod oddities;
mod openai;
mod overflow;
mod poster;
mod prefixes;
mod preflight;
mod prompt_slots;
#[cfg(test)]
mod properties;
mod quote;
mod recognition;
mod recording;
mod redactor;
mod replay;
mod scripted;
mod secret;
mod sse;
mod text_calls;
mod transport;
mod watchdog;

pub use anthropic::{Anthropic, AnthropicSettings};
pub use attempt::RetryPolicy;
pub use chatbot::{
    AnswerForm, AnswerPlaces, CommandChatbot, CommandInput, CommandSettings, HttpChatbot,
    HttpChatbotSettings, Template,
};
pub use connection::{Connection, ConnectionError};
pub use conversation::{ConversationSubject, RecordedConversation};
pub use embeddings::{EmbeddingError, EmbeddingServer};
pub use endpoint::{Endpoint, EndpointError};
pub use limits::RequestLimits;
pub use llama::{LlamaError, LlamaServer, LlamaSettings};
pub use openai::{OpenAi, OpenAiSettings};
pub use poster::{JsonPoster, PostError};
pub use preflight::{Preflight, PreflightError, PreflightWarning};
pub use prompt_slots::PromptSlots;
pub use recognition::recognize;
pub use recording::Recording;
pub use replay::ReplaySubject;
pub use scripted::{Script, ScriptError, ScriptedSubject};
pub use secret::Secret;
