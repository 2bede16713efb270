//! What stood behind the answers of a trial.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{RecordedVerdict, StateChange, seconds};

/// What stood behind the answers of a trial, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Background {
    /// The documents that were found, the first one first, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Whether the subject says itself that it called no tool: an empty list of them, and no
    /// documents either.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub says_no_tools: bool,
    /// How long each call took to be carried out, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_times: Vec<ToolTime>,
    /// How the arguments of calls break the schemas of the tools that were offered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<SchemaViolation>,
    /// What judges said of the trial. Their words are kept, so that judging again is free.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<Judgement>,
    /// What the calls made of the world, beside what they should have made of it. Only what
    /// changed or should have; nothing in worlds without state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<StateChange>,
    /// What the tool that made the result said of the trial, where it was imported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedVerdict>,
    /// What changed in a real home, as it told itself. Scores go by `changes`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<StateChange>,
    /// How alike the answer is to each keyword of the case, where the suite asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub likeness: Vec<KeywordLikeness>,
    /// What the queries found that prove the expected answer, each as the tool of the world would
    /// have returned it. The subject never saw it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<String>,
}

impl Background {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
            && !self.says_no_tools
            && self.tool_times.is_empty()
            && self.violations.is_empty()
            && self.judgements.is_empty()
            && self.changes.is_empty()
            && self.recorded.is_empty()
            && self.observed.is_empty()
            && self.likeness.is_empty()
            && self.proved.is_empty()
    }

    /// Adds documents that were found; one that was found before keeps its place.
    pub fn add_sources(&mut self, sources: impl IntoIterator<Item = String>) {
        let mut known: HashSet<String> = self.sources.iter().cloned().collect();
        self.sources.extend(sources.into_iter().filter(|source| known.insert(source.clone())));
    }
}

/// How long one call took to be carried out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolTime {
    /// The tool's name.
    pub tool: String,
    /// The time. In seconds on the wire.
    #[serde(with = "seconds")]
    pub time: Duration,
    /// Whether the time of its turn holds it already: a chatbot calls its tools while it is
    /// being waited for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub within_turn: bool,
}

impl ToolTime {
    /// What it adds to the time of the turns.
    pub fn on_top(&self) -> Duration {
        if self.within_turn { Duration::ZERO } else { self.time }
    }
}

/// How often the arguments of a tool break one rule of its schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaViolation {
    /// The tool's name.
    pub tool: String,
    /// The keyword of JSON Schema: `required`, `type`, `enum`.
    pub keyword: String,
    /// How often.
    pub count: u32,
}

/// How alike an answer is to a keyword, as a model of embeddings sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeywordLikeness {
    /// The keyword.
    pub keyword: String,
    /// The cosine of the angle between the keyword and the part of the answer that is nearest to
    /// it; `None` where the server could not be asked.
    pub similarity: Option<f64>,
    /// That part of the answer; why it is not known, where it is not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// One vote of a judge.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Who judged.
    pub judge: String,
    /// From 0 (worthless) to 1 (perfect); `None` when the judge gave nothing that can be read.
    pub value: Option<f64>,
    /// Why, in the judge's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Whether the words of the answer state what the case expects, where the judge says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<bool>,
    /// The value of each criterion, where the judge gives them.
    #[serde(default, skip_serializing_if = "indexmap::IndexMap::is_empty")]
    pub criteria: indexmap::IndexMap<String, f64>,
}
