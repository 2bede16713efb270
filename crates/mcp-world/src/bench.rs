//! Where calls are really carried out.

use std::sync::{Arc, RwLock};

use serde_json::{Map, Value};

use crate::recording::Recording;
use crate::snapshot::Snapshot;

/// Why servers can no longer be asked: one crashed, hung, or said what the protocol does not know.
/// It says nothing about the subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

/// What a server answered to a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text that the subject gets to see.
    pub content: String,
    /// Whether the server says that the call failed.
    pub failed: bool,
}

/// Running servers with a place of their own, for one trial.
pub trait Bench: Send {
    /// Has a server carry out a call.
    fn call(
        &mut self,
        server: &str,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, Fault>;

    /// Everything that makes up the state, as it is now.
    fn look(&mut self) -> Result<Snapshot, Fault>;
}

/// Running servers, as many as trials need at once.
pub trait Benches: Send + Sync {
    /// What was recorded so far: the servers with their tools, and every call.
    fn recording(&self) -> Arc<RwLock<Recording>>;

    /// A bench on which nothing has happened since it was set up.
    fn take(&self, setup: &str) -> Result<Box<dyn Bench>, Fault>;

    /// Writes down what was recorded since the last time, where there is a place for it, so that
    /// nothing is lost with a process that is killed.
    fn note(&self);

    /// Writes down everything that was recorded, in order, where there is a place for it.
    fn keep(&self);
}
