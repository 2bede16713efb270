//! The thinking that must go back to the server together with the calls it led to.
//!
//! A model that thinks signs its thoughts, and the server refuses the answer to a call when the
//! signed thoughts before the call are missing. A transcript has no place for signatures, so the
//! blocks are kept here, by the identifier of the first call that follows them.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// How many messages are remembered; a loop needs its own until it ends, and no longer.
const REMEMBERED: usize = 4096;

/// Blocks of thinking, by the call they led to.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    kept: Mutex<VecDeque<(String, Vec<Value>)>>,
}

impl Thoughts {
    /// Keeps the blocks that led to a call.
    pub(super) fn keep(&self, call: &str, blocks: Vec<Value>) {
        if blocks.is_empty() {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front((call.to_owned(), blocks));
        kept.truncate(REMEMBERED);
    }

    /// The blocks that led to a call.
    pub(super) fn before(&self, call: &str) -> Vec<Value> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(known, _)| known == call);
        found.map(|(_, blocks)| blocks.clone()).unwrap_or_default()
    }
}
