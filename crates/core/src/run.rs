//! What is known of a run before its first trial: the head of its log.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{CaseId, RunId, ServerFacts, Tool};

/// All trials of a suite on a subject, as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The name of the run.
    pub id: RunId,
    /// When it was started.
    pub created: Timestamp,
    /// The suite that is run.
    pub suite: SuiteIdentity,
    /// What is being measured.
    pub subject: SubjectIdentity,
    /// What the server behind the subject says of itself, if there is one and it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerFacts>,
    /// What was found before the first trial that may spoil the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The most tokens one answer may have, where the run or its suite sets a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The named change to prompt or sampling, if one is applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The cases, in the order of the suite. They may be very many, so that copies share them.
    #[serde(serialize_with = "write_cases", deserialize_with = "read_cases")]
    pub cases: Arc<[CaseId]>,
    /// How often each case is executed.
    pub trials: u32,
    /// The scorers, in the order of their outcomes; the first one is the run's own measure.
    pub scorers: Vec<String>,
    /// What the subject is told before each case, where that is the same for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The tools offered, where they are the same for all cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// What the best constant policy that never calls a tool would score on these cases. The
    /// entry [`RunEntry::Floors`](crate::RunEntry::Floors) names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// The resolved settings, secrets left out.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// The program that made the run.
    pub program: Program,
}

impl Run {
    /// The same without the list of its cases, which may be as long as the run.
    #[must_use]
    pub fn without_cases(&self) -> Self {
        Self {
            id: self.id.clone(),
            created: self.created,
            suite: self.suite.clone(),
            subject: self.subject.clone(),
            server: self.server.clone(),
            warnings: self.warnings.clone(),
            max_tokens: self.max_tokens,
            variant: self.variant.clone(),
            cases: Arc::default(),
            trials: self.trials,
            scorers: self.scorers.clone(),
            system_prompt: self.system_prompt.clone(),
            tools: self.tools.clone(),
            floor: self.floor,
            settings: self.settings.clone(),
            program: self.program.clone(),
        }
    }
}

fn write_cases<S: Serializer>(cases: &Arc<[CaseId]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(cases.iter())
}

fn read_cases<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[CaseId]>, D::Error> {
    Vec::deserialize(from).map(Into::into)
}

/// Which suite, exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteIdentity {
    /// Its name, by which runs of one suite are told from those of others.
    pub name: String,
    /// The version its author gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// A hash over everything that can change a result: cases, tools, prompt.
    pub hash: String,
    /// How many cases it has, selected or not.
    pub size: usize,
}

impl SuiteIdentity {
    /// Its name, and its version if it has one, for people: `everyday version 1`.
    pub fn title(&self) -> String {
        match &self.version {
            Some(version) => format!("{} version {version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// What is being measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectIdentity {
    /// Its name: a model's, or `baseline`.
    pub name: String,
    /// What answers for it: `openai`, `anthropic`, `baseline`, `scripted`, `replay`.
    pub provider: String,
    /// Where it was reached, without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

impl SubjectIdentity {
    /// Whether it is a chatbot, which calls tools of its own and only says what came of them.
    pub fn calls_its_own_tools(&self) -> bool {
        matches!(&*self.provider, "chatbot" | "command" | "agent")
    }
}

/// The program that made a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The version of toolgauge.
    pub version: String,
    /// The git revision it was built from.
    pub revision: String,
}
