//! One way to put a question to a chatbot, and what comes back.

use std::future::Future;
use std::time::Duration;

use serde_json::Value;

use super::answer::ChatbotReply;
use super::template::Fillings;
use crate::failure::AttemptFailure;
use crate::redactor::Redactor;

/// One way to put a question to a chatbot.
pub(super) trait Channel: Send + Sync {
    /// Whether all that was said before goes along with each question, so that only the last
    /// one need be asked.
    fn takes_history(&self) -> bool;

    /// What takes the secrets of this channel out of what comes back through it.
    fn redactor(&self) -> &Redactor;

    /// Asks once.
    fn attempt(
        &self,
        fillings: &Fillings<'_>,
    ) -> impl Future<Output = Result<ChatbotResponse, AttemptFailure>> + Send;
}

/// What came back from one question.
pub(super) struct ChatbotResponse {
    pub(super) told: ChatbotReply,
    pub(super) total: Duration,
    /// What was sent and received, when that is kept.
    pub(super) wire: Option<(Value, Value)>,
}
