//! One input and what is expected of it.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{Annotations, CaseId, Expectation, Message, Tool};

/// What a case is about, by name and value, to slice results by: `tier` → `small`.
pub type Tags = IndexMap<String, String>;

/// One input and what is expected of the subject that gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The name of the case.
    pub id: CaseId,
    /// The conversation so far; its last message is the one to answer.
    pub input: Vec<Message>,
    /// What the subject should do.
    #[serde(default)]
    pub expectation: Expectation,
    /// The tools that are offered in this case alone; `None` means those of the suite. Other
    /// benchmarks give every question tools of its own, under names that others use otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Arc<[Tool]>>,
    /// What the case is about, to slice results by.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tags: Tags,
    /// Cases that share a group (a dialogue, a document) are not independent of each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whatever else the suite says about the case; carried along, never judged.
    #[serde(default, skip_serializing_if = "Annotations::are_none")]
    pub metadata: Annotations,
}

impl Case {
    /// The metadata that decides how the case finds its world: it is part of what is asked.
    pub const SETTING: [&str; 2] = ["satellite", "setup"];

    /// The tag that says in which tier a case is: in a world of which size.
    pub const TIER: &str = "tier";

    /// The tag that says how many tools of other servers stand among those of the case, and what
    /// a suite's world calls the numbers to try.
    pub const DECOYS: &str = "decoys";

    /// How many tools of other servers stand among those of the case.
    pub fn decoys(&self) -> usize {
        self.tags.get(Self::DECOYS).and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    /// A case of one sentence, with nothing expected yet.
    pub fn new(id: impl Into<CaseId>, sentence: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            input: vec![Message::user(sentence)],
            expectation: Expectation::default(),
            tools: None,
            tags: Tags::new(),
            group: None,
            metadata: Annotations::default(),
        }
    }

    /// The text of the message to answer.
    pub fn sentence(&self) -> &str {
        match self.input.last() {
            Some(Message::User { content } | Message::System { content }) => content,
            Some(Message::Assistant(message)) => &message.content,
            Some(Message::Tool(message)) => &message.content,
            None => "",
        }
    }
}
