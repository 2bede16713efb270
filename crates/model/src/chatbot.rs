//! Chatbots: subjects that choose and call tools of their own and answer in the end.
//!
//! A chatbot is asked by a [`Channel`]: over HTTP, or by starting a command. Everything else is
//! the same for both: the messages of a case go into one session, one after the other, each with
//! as many attempts as the settings allow, and what came back is read by the same pointers.

mod answer;
mod command;
mod http;
mod template;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use toolgauge_core::{AssistantMessage, Message, StopReason, Timings, TrialFailure, Turn};

use crate::attempt::{Errand, RetryPolicy, persist};
use crate::failure::AttemptFailure;
use crate::limits::Limits;
use crate::{Reply, Request};

use answer::Told;
use template::Fillings;

pub use answer::{AnswerForm, AnswerPlaces};
pub use command::{CommandChatbot, CommandInput, CommandSettings};
pub use http::{HttpChatbot, HttpChatbotSettings};
pub use template::Template;

/// One way to put a question to a chatbot.
trait Channel: Send + Sync {
    /// Whether all that was said before goes along with each question, so that only the last
    /// one need be asked.
    fn takes_history(&self) -> bool;

    /// Asks once.
    fn attempt(
        &self,
        fillings: &Fillings<'_>,
    ) -> impl Future<Output = Result<Heard, AttemptFailure>> + Send;
}

/// What came back from one question.
struct Heard {
    told: Told,
    total: Duration,
    /// What was sent and received, when that is kept.
    wire: Option<(Value, Value)>,
}

/// A chatbot behind a channel.
#[derive(Debug)]
struct Chat<C> {
    channel: C,
    retry: RetryPolicy,
    limits: Arc<Limits>,
    requests: AtomicU64,
}

impl<C: Channel> Chat<C> {
    fn new(channel: C, retry: RetryPolicy, limits: Arc<Limits>) -> Self {
        Self { channel, retry, limits, requests: AtomicU64::new(0) }
    }

    /// Puts the messages of a case to the chatbot and hands back what it said to the last one.
    async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let begun = Instant::now();
        let conversation = request.conversation;
        let mut session = uuid::Uuid::new_v4().to_string();
        let (earlier, last) = self.questions(conversation);
        for at in earlier {
            let told = self.put(&conversation[..=at], &session).await?.0.told;
            if let Some(failure) = told.failure {
                return Err(failure);
            }
            session = told.session.unwrap_or(session);
        }
        let asked = conversation.get(..=last).unwrap_or_default();
        let (heard, attempts) = self.put(asked, &session).await?;
        let queued = begun.elapsed().saturating_sub(heard.total);
        Ok(reply(heard, attempts, queued))
    }

    /// Which messages are asked one by one before the last, and which one is the last.
    fn questions(&self, conversation: &[Message]) -> (Vec<usize>, usize) {
        let asks = |at: &usize| matches!(conversation[*at], Message::User { .. });
        let mut asked: Vec<usize> = (0..conversation.len()).filter(asks).collect();
        let last = asked.pop().unwrap_or(conversation.len().saturating_sub(1));
        (if self.channel.takes_history() { Vec::new() } else { asked }, last)
    }

    /// Puts the last of these messages to the chatbot.
    async fn put(
        &self,
        conversation: &[Message],
        session: &str,
    ) -> Result<(Heard, u32), TrialFailure> {
        let (question, history) = match conversation.split_last() {
            Some((last, before)) => (said(last), before),
            None => ("", conversation),
        };
        let fillings = Fillings { question, session, history };
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        // A token has about four bytes; what a chatbot spends behind the scenes is not known.
        let errand = Errand { number, tokens: question.len() as u64 / 4 };
        let attempt = || self.channel.attempt(&fillings);
        let attempted = persist(&self.retry, &self.limits, errand, attempt).await?;
        Ok((attempted.value, attempted.attempts))
    }
}

fn reply(heard: Heard, attempts: u32, queued: Duration) -> Reply {
    let Heard { told, total, wire } = heard;
    let (request, response) = wire.unzip();
    let turn = Turn {
        timings: Timings { queued, first_token: None, total },
        stop: StopReason::Stop,
        attempts,
        oddities: told.oddities,
        request,
        response,
        ..Turn::default()
    };
    let message = AssistantMessage { content: told.text, ..AssistantMessage::default() };
    let (behind, background, failure) = (told.behind, told.background, told.failure);
    Reply { behind, background, failure, ..Reply::new(message, turn) }
}

/// What a message says, whoever said it.
fn said(message: &Message) -> &str {
    match message {
        Message::System { content } | Message::User { content } => content,
        Message::Assistant(message) => &message.content,
        Message::Tool(message) => &message.content,
    }
}
