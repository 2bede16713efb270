//! How a case is put to a subject.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use toolgauge_core::{
    Arguments, AssistantMessage, Background, Case, FailureKind, Message, ToolCall, ToolMessage,
    ToolTime, Transcript, TrialFailure, TrialId,
};
use toolgauge_core::{Briefing, Reply, Request, Subject};
use toolgauge_world::{ToolReply, WorldState};

/// How a case is put to a subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// One turn; its calls are captured and not carried out.
    #[default]
    Capture,
    /// Calls are carried out in the world and answered, until the subject calls no more.
    Loop(Allowance),
}

/// How long a loop may go on before it is cut off. What the subject did until then is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many turns it may take.
    pub turns: u32,
    /// How many tokens it may read and write over all turns.
    pub tokens: Option<u64>,
    /// How much time may pass before another turn is begun.
    pub time: Option<Duration>,
}

/// How long a conversation may become, in bytes, before it is cut off: more than any model reads.
/// Every request repeats all of it, so that a few turns of megabytes would fill gigabytes.
const LONGEST_CONVERSATION: usize = 4 << 20;

/// What a call or an answer counts for beside its text: thousands of empty ones take memory too.
const EACH: usize = 128;

/// How many bytes a message takes, about.
fn length(message: &Message) -> usize {
    let arguments = |arguments: &Arguments| match arguments {
        Arguments::Object(object) => serde_json::to_string(object).map_or(0, |text| text.len()),
        Arguments::Malformed { raw, .. } => raw.len(),
    };
    match message {
        Message::Assistant(said) => {
            let calls =
                said.calls.iter().map(|call| EACH + call.name.len() + arguments(&call.arguments));
            said.content.len() + calls.sum::<usize>()
        }
        Message::Tool(answer) => EACH + answer.content.len(),
        _ => 0,
    }
}

/// One trial while it is being solved.
pub(crate) struct OngoingTrial<'a> {
    pub(crate) subject: &'a dyn Subject,
    pub(crate) briefing: &'a Arc<Briefing>,
    pub(crate) case: &'a Case,
    pub(crate) trial: &'a TrialId,
    pub(crate) seed: Option<u64>,
}

impl Solver {
    /// Puts the case to the subject and writes down what happens. `world` is entered only when
    /// calls are carried out.
    pub(crate) async fn solve(
        self,
        conversation: &OngoingTrial<'_>,
        world: impl FnOnce() -> Box<dyn WorldState>,
        transcript: &mut Transcript,
    ) {
        let ended = match self {
            Self::Capture => {
                conversation.turn(&conversation.case.input, transcript).await.map(drop)
            }
            Self::Loop(allowance) => conversation.until_done(world(), allowance, transcript).await,
        };
        transcript.failure = ended.err();
    }
}

impl Allowance {
    /// Whether another turn may be begun.
    fn check(self, transcript: &Transcript, passed: Duration) -> Result<(), TrialFailure> {
        // Checked between turns, so that a turn that was begun is always answered in full.
        let tokens = transcript.usage().total();
        if self.tokens.is_some_and(|limit| tokens >= limit) {
            return Err(limit_reached(format!("not done after {tokens} tokens")));
        }
        let written: usize = transcript.messages.iter().map(length).sum();
        if written > LONGEST_CONVERSATION {
            return Err(limit_reached(format!("not done after {written} bytes of conversation")));
        }
        if self.time.is_some_and(|limit| passed >= limit) {
            return Err(limit_reached(format!("not done after {:.1} s", passed.as_secs_f64())));
        }
        Ok(())
    }
}

impl OngoingTrial<'_> {
    async fn until_done(
        &self,
        mut world: Box<dyn WorldState>,
        allowed: Allowance,
        transcript: &mut Transcript,
    ) -> Result<(), TrialFailure> {
        let started = Instant::now();
        let mut messages = self.case.input.clone();
        for _ in 0..allowed.turns {
            let said = self.turn(&messages, transcript).await?;
            if said.calls.is_empty() {
                return Ok(());
            }
            let mut answers = Vec::with_capacity(said.calls.len());
            let mut is_over = false;
            for (position, call) in said.calls.iter().enumerate() {
                let reply;
                (world, reply) = carry_out(world, call, &mut transcript.background).await;
                if let Some(turn) = transcript.turns.last_mut() {
                    turn.oddities.extend(reply.oddity);
                }
                is_over |= reply.ends_turn;
                // All calls of a turn are carried out even after one that ends it: they were made
                // at once, and the subject did not know.
                answers.push(Message::Tool(answer(call, position, reply)));
            }
            messages.push(Message::Assistant(said));
            messages.extend(answers.iter().cloned());
            transcript.messages.extend(answers);
            if let Some(message) = world.broken() {
                return Err(TrialFailure { kind: FailureKind::World, message });
            }
            if is_over {
                return Ok(());
            }
            // Checked after the answers are in the transcript, so that what is scored has no open
            // calls.
            allowed.check(transcript, started.elapsed())?;
        }
        Err(limit_reached(format!("not done after {} turns", allowed.turns)))
    }

    /// One turn: what the subject says is added to the transcript and handed back. Calls that it
    /// has carried out by itself are only written down.
    async fn turn(
        &self,
        conversation: &[Message],
        transcript: &mut Transcript,
    ) -> Result<AssistantMessage, TrialFailure> {
        let request =
            Request { briefing: self.briefing, conversation, trial: self.trial, seed: self.seed };
        let reply = self.subject.answer(request).await?;
        let Reply { message, turn, behind, background, failure } = reply;
        // Before a failure is looked at: a chatbot that reports an error still took a turn.
        transcript.turns.push(turn);
        // In the order in which it happened: a chatbot's own calls came before its answer.
        transcript.messages.extend(behind);
        transcript.messages.push(Message::Assistant(message.clone()));
        let is_first = transcript.turns.len() == 1;
        let known = &mut transcript.background;
        // Of several turns it called no tool only if it says so of each.
        known.says_no_tools = background.says_no_tools && (is_first || known.says_no_tools);
        known.add_sources(background.sources);
        known.tool_times.extend(background.tool_times);
        known.observed.extend(background.observed);
        failure.map_or(Ok(message), Err)
    }
}

/// Has the world carry out a call, and notes what it took and where the answer came from.
async fn carry_out(
    mut world: Box<dyn WorldState>,
    call: &ToolCall,
    background: &mut Background,
) -> (Box<dyn WorldState>, ToolReply) {
    let started = Instant::now();
    let mut reply;
    if world.may_take_long() {
        // All trials share one thread: a slow query must not keep it from the others.
        let call = call.clone();
        let answered = tokio::task::spawn_blocking(move || {
            let reply = world.call(&call);
            (world, reply)
        });
        (world, reply) = match answered.await {
            Ok(answered) => answered,
            // The task cannot be cancelled, so an error is a panic; the trial catches it further
            // up.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
    } else {
        reply = world.call(call);
    }
    let time = started.elapsed();
    background.tool_times.push(ToolTime { tool: call.name.clone(), time, within_turn: false });
    background.add_sources(std::mem::take(&mut reply.sources));
    (world, reply)
}

fn answer(call: &ToolCall, position: usize, reply: ToolReply) -> ToolMessage {
    ToolMessage {
        // Servers that give no identifier still want one back.
        call_id: call.id.clone().unwrap_or_else(|| format!("call_{position}")),
        name: call.name.clone(),
        content: reply.content,
        failed: reply.failed,
    }
}

fn limit_reached(message: String) -> TrialFailure {
    TrialFailure { kind: FailureKind::LimitReached, message }
}
