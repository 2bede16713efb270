//! A chatbot in conversation: the messages of a case, one after the other, in one session.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use toolgauge_core::{
    AssistantMessage, FailedAttempt, Message, StopReason, Timings, TrialFailure, Turn,
};

use super::channel::{Channel, ChatbotResponse};
use super::place::SeenPlaces;
use super::template::{Fillings, message_text};
use crate::attempt::{Attempted, RequestInfo, RetryPolicy, persist};
use crate::limits::RequestLimits;
use toolgauge_core::{Reply, Request};

/// A chatbot behind a channel.
#[derive(Debug)]
pub(super) struct Chat<C> {
    pub(super) channel: C,
    retry: RetryPolicy,
    limits: Arc<RequestLimits>,
    requests: AtomicU64,
    places: SeenPlaces,
    long_tools: Mutex<LongTools>,
}

/// Replies whose tools took longer, all together, than the whole reply.
#[derive(Debug, Default)]
struct LongTools {
    replies: usize,
    /// The longest time of tools, and that of its reply.
    worst: (Duration, Duration),
}

impl<C: Channel> Chat<C> {
    /// A chatbot that is asked in this way, this patiently.
    pub(super) fn new(channel: C, retry: RetryPolicy, limits: Arc<RequestLimits>) -> Self {
        Self {
            channel,
            retry,
            limits,
            requests: AtomicU64::new(0),
            places: SeenPlaces::default(),
            long_tools: Mutex::default(),
        }
    }

    /// Puts the messages of a case to the chatbot and hands back what it said to the last one.
    pub(super) async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let begun = Instant::now();
        let conversation = request.conversation;
        let mut session = uuid::Uuid::new_v4().to_string();
        let (earlier, last) = self.questions(conversation);
        // The chatbot keeps the conversation itself, so earlier questions are asked again in this
        // session.
        let mut repeated = Vec::new();
        for at in earlier {
            let attempted = self.put(&conversation[..=at], &session).await?;
            repeated.extend(attempted.repeated);
            let told = attempted.value.told;
            if let Some(failure) = told.failure {
                let message = self.channel.redactor().message(failure.message);
                return Err(TrialFailure { message, ..failure });
            }
            session = told.session.unwrap_or(session);
        }
        let asked = conversation.get(..=last).unwrap_or_default();
        let last = self.put(asked, &session).await?;
        // Everything but the last answer: earlier questions, pauses and limits are not its latency.
        let queued = begun.elapsed().saturating_sub(last.value.total);
        repeated.extend(last.repeated);
        let mut reply = reply(last.value, queued, repeated);
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
    ) -> Result<Attempted<ChatbotResponse>, TrialFailure> {
        let (question, history) = match conversation.split_last() {
            Some((last, before)) => (message_text(last), before),
            None => ("", conversation),
        };
        let fillings = Fillings { question, session, history };
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        // A token has about four bytes; what a chatbot spends behind the scenes is not known.
        let request = RequestInfo { number, tokens: question.len() as u64 / 4 };
        let attempt = || self.channel.attempt(&fillings);
        let mut attempted = persist(&self.retry, &self.limits, request, attempt).await?;
        let ChatbotResponse { told, total, .. } = &mut attempted.value;
        self.places.note(std::mem::take(&mut told.places));
        let times = told.background.tool_times.iter().map(|tool| tool.time);
        let tools = times.fold(Duration::ZERO, Duration::saturating_add);
        if tools > *total {
            let mut long = self.long_tools.lock().unwrap_or_else(PoisonError::into_inner);
            long.replies += 1;
            long.worst = long.worst.max((tools, *total));
        }
        Ok(attempted)
    }

    /// What in all replies so far makes it doubtful that they are read as they are meant.
    pub(super) fn doubts(&self) -> Vec<String> {
        let doubts = self.places.doubts().into_iter();
        let doubts = doubts.map(|doubt| self.channel.redactor().message(doubt));
        let long = self.long_tools.lock().unwrap_or_else(PoisonError::into_inner);
        let LongTools { replies, worst: (tools, total) } = &*long;
        let in_replies = match replies {
            1 => "one reply".to_owned(),
            many => format!("{many} replies"),
        };
        let long = (*replies > 0).then(|| {
            format!(
                "in {in_replies} the tools took longer than the whole answer ({:.3} s of {:.3} s): \
                 they ran side by side, or their times are in another unit, so the parts of the \
                 latency do not add up",
                tools.as_secs_f64(),
                total.as_secs_f64()
            )
        });
        doubts.chain(long).collect()
    }
}

/// What was heard as a reply. The one turn stands for all questions of the conversation, so that it
/// counts the repeats of each.
fn reply(heard: ChatbotResponse, queued: Duration, repeated: Vec<FailedAttempt>) -> Reply {
    let ChatbotResponse { told, total, wire } = heard;
    let (request, response) = wire.unzip();
    let turn = Turn {
        timings: Timings { queued, total, ..Timings::default() },
        stop: StopReason::Stop,
        attempts: u32::try_from(repeated.len()).unwrap_or(u32::MAX).saturating_add(1),
        repeated,
        oddities: told.oddities,
        request,
        response,
        ..Turn::default()
    };
    let message = AssistantMessage { content: told.text, ..AssistantMessage::default() };
    let (behind, background, failure) = (told.behind, told.background, told.failure);
    Reply { behind, background, failure, ..Reply::new(message, turn) }
}
