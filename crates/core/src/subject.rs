//! What every subject offers, whether a model behind HTTP or a rule in this process.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::{
    AssistantMessage, Background, Message, SubjectIdentity, Tool, TrialFailure, TrialId, Turn,
};

/// What a subject is told before any case: made once, shared by all trials that have it.
#[derive(Clone, Debug)]
pub struct Briefing {
    /// The system prompt.
    pub system: Option<Arc<str>>,
    /// The tools it may call.
    pub tools: Arc<[Tool]>,
}

/// One turn to be answered.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What the subject was told beforehand. The same briefing is the same `Arc`, so that a
    /// subject can keep what it made of it.
    pub briefing: &'a Arc<Briefing>,
    /// The conversation so far, without the system prompt.
    pub conversation: &'a [Message],
    /// The trial that asks.
    pub trial: &'a TrialId,
    /// The seed for sampling, if the run has one.
    pub seed: Option<u64>,
}

/// What a subject said in one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What it said and called.
    pub message: AssistantMessage,
    /// How the turn went.
    pub turn: Turn,
    /// The calls that the subject carried out by itself before it said so, and what they were
    /// answered. A chatbot does; a model leaves its calls to whoever asks.
    pub behind: Vec<Message>,
    /// What stood behind the answer, as far as the subject tells.
    pub background: Background,
    /// The failure that the subject reports in place of an answer, or beside it.
    pub failure: Option<TrialFailure>,
}

impl Reply {
    /// A reply with nothing behind it.
    pub fn new(message: AssistantMessage, turn: Turn) -> Self {
        Self { message, turn, ..Self::default() }
    }
}

/// A reply that is on its way.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Reply, TrialFailure>> + Send + 'a>>;

/// Something that answers.
pub trait Subject: Send + Sync {
    /// Who it is, as logs and tables name it.
    fn identity(&self) -> SubjectIdentity;

    /// Answers one turn, with as many attempts as its settings allow.
    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a>;

    /// What in all its replies so far makes it doubtful that they are read as they are meant.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
}
