//! A chatbot in conversation: the messages of a case, one after the other, in one session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use toolgauge_core::{AssistantMessage, Message, StopReason, Timings, TrialFailure, Turn};

use super::channel::{Channel, ChatbotResponse};
use super::template::{Fillings, message_text};
use crate::attempt::{RequestInfo, RetryPolicy, persist};
use crate::limits::RequestLimits;
use toolgauge_core::{Reply, Request};

/// A chatbot behind a channel.
#[derive(Debug)]
pub(super) struct Chat<C> {
    pub(super) channel: C,
    retry: RetryPolicy,
    limits: Arc<RequestLimits>,
    requests: AtomicU64,
}

impl<C: Channel> Chat<C> {
    /// A chatbot that is asked in this way, this patiently.
    pub(super) fn new(channel: C, retry: RetryPolicy, limits: Arc<RequestLimits>) -> Self {
        Self { channel, retry, limits, requests: AtomicU64::new(0) }
    }

    /// Puts the messages of a case to the chatbot and hands back what it said to the last one.
    pub(super) async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let begun = Instant::now();
        let conversation = request.conversation;
        let mut session = uuid::Uuid::new_v4().to_string();
        let (earlier, last) = self.questions(conversation);
        // The chatbot keeps the conversation itself, so earlier questions are asked again in this
        // session.
        for at in earlier {
            let told = self.put(&conversation[..=at], &session).await?.0.told;
            if let Some(failure) = told.failure {
                let message = self.channel.redactor().message(failure.message);
                return Err(TrialFailure { message, ..failure });
            }
            session = told.session.unwrap_or(session);
        }
        let asked = conversation.get(..=last).unwrap_or_default();
        let (heard, attempts) = self.put(asked, &session).await?;
        // Everything but the last answer: earlier questions, pauses and limits are not its latency.
        let queued = begun.elapsed().saturating_sub(heard.total);
        let mut reply = reply(heard, attempts, queued);
        self.channel.redactor().reply(&mut reply);
        Ok(reply)
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
    ) -> Result<(ChatbotResponse, u32), TrialFailure> {
        let (question, history) = match conversation.split_last() {
            Some((last, before)) => (message_text(last), before),
            None => ("", conversation),
        };
        let fillings = Fillings { question, session, history };
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        // A token has about four bytes; what a chatbot spends behind the scenes is not known.
        let request = RequestInfo { number, tokens: question.len() as u64 / 4 };
        let attempt = || self.channel.attempt(&fillings);
        let attempted = persist(&self.retry, &self.limits, request, attempt).await?;
        Ok((attempted.value, attempted.attempts))
    }
}

fn reply(heard: ChatbotResponse, attempts: u32, queued: Duration) -> Reply {
    let ChatbotResponse { told, total, wire } = heard;
    let (request, response) = wire.unzip();
    let turn = Turn {
        timings: Timings { queued, total, ..Timings::default() },
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
