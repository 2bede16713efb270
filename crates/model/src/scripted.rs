//! A subject that answers from a script.

mod error;
mod line;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolgauge_core::{CaseId, FailureKind, Message, SubjectIdentity, TrialFailure};

use crate::Recording;
use toolgauge_core::{Answer, Reply, Request, Subject};

pub use error::ScriptError;

/// A script: which conversation gets which answers.
///
/// It is written as one JSON object a line, or as a JSON list of such objects. Each answers one
/// conversation: the one of the case `id` (and only its trial number `trial`, if that is given),
/// the one that was asked `request`, or, with neither, the next one that nothing else answers.
/// The answer itself is `text` and `calls` (with `name` and `arguments`), a recorded OpenAI
/// `response`, a failure to simulate (`fail`, with a `message`), or a list of such `turns`.
#[derive(Debug, Default)]
pub struct Script {
    by_trial: HashMap<(CaseId, Option<u32>), Recording>,
    by_request: HashMap<String, Recording>,
    in_order: Vec<Recording>,
}

impl Script {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        for (line, entry) in line::entries(text)? {
            script.add(line, entry)?;
        }
        if script.is_empty() { Err(ScriptError::Empty) } else { Ok(script) }
    }

    fn is_empty(&self) -> bool {
        self.by_trial.is_empty() && self.by_request.is_empty() && self.in_order.is_empty()
    }

    fn add(&mut self, line: usize, entry: line::ScriptEntry) -> Result<(), ScriptError> {
        let line::ScriptEntry { key, recording } = entry;
        let (repeated, key) = match key {
            line::ConversationKey::Trial(case, trial) => {
                let name = case.to_string();
                (self.by_trial.insert((case, trial), recording).is_some(), name)
            }
            line::ConversationKey::Request(request) => {
                (self.by_request.insert(request.clone(), recording).is_some(), request)
            }
            line::ConversationKey::Next => {
                self.in_order.push(recording);
                (false, String::new())
            }
        };
        if repeated { Err(ScriptError::Repeated { line, key }) } else { Ok(()) }
    }

    fn named(&self, request: &Request<'_>) -> Option<&Recording> {
        let case = &request.trial.case;
        let of_case = |trial| self.by_trial.get(&(case.clone(), trial));
        // From the most particular to the most general, so that one trial can differ from the rest.
        of_case(Some(request.trial.trial)).or_else(|| of_case(None)).or_else(|| {
            let asked = request.conversation.iter().rev().find_map(|message| match message {
                Message::User { content } => Some(content.as_str()),
                _ => None,
            });
            asked.and_then(|asked| self.by_request.get(asked))
        })
    }
}

/// A subject that answers from a script.
///
/// Answers in order are given to conversations in the order they begin, from the start again
/// after the last one; with several trials at once that order is a matter of luck, so give
/// cases their answers by `id` wherever it matters who gets what.
#[derive(Debug)]
pub struct ScriptedSubject {
    name: String,
    script: Script,
    begun: AtomicUsize,
}

impl ScriptedSubject {
    /// A subject of this name.
    pub fn new(name: impl Into<String>, script: Script) -> Self {
        Self { name: name.into(), script, begun: AtomicUsize::new(0) }
    }

    fn next(&self, request: &Request<'_>) -> Result<Reply, TrialFailure> {
        if let Some(recording) = self.script.named(request) {
            return recording.next(request.conversation);
        }
        let unnamed = &self.script.in_order;
        if unnamed.is_empty() {
            return Err(TrialFailure {
                kind: FailureKind::Refused,
                message: format!("the script has no answer for `{}`", request.trial),
            });
        }
        // A later turn belongs to the conversation that began with the answer before it.
        let under_way = unnamed.iter().find_map(|recording| {
            let begun = recording.has_begun(request.conversation);
            begun.then(|| recording.next(request.conversation))
        });
        under_way.unwrap_or_else(|| {
            let begun = self.begun.fetch_add(1, Ordering::Relaxed);
            unnamed[begun % unnamed.len()].next(request.conversation)
        })
    }
}

impl Subject for ScriptedSubject {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity { name: self.name.clone(), provider: "scripted".into(), base_url: None }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(std::future::ready(self.next(&request)))
    }
}

#[cfg(test)]
mod tests;
