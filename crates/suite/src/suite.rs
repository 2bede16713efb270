//! A suite in memory: a named set of cases with the tools, prompt and settings they run with.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};
use toolgauge_core::{ArgumentRules, Case, CaseId, SuiteIdentity, Tool};

use crate::source::SuiteFiles;
use crate::trail::{FileNumber, Origin};

/// A named set of cases with the tools, prompt and settings they run with.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name, as logs and tables show it.
    pub name: String,
    /// What it measures, for people.
    pub description: String,
    /// The version its author gave it.
    pub version: Option<String>,
    /// A hash over everything that can change a result.
    pub hash: String,
    /// The world its cases take place in.
    pub world: WorldSpec,
    /// The tools it declares itself; a world may bring more, or its own in their place.
    pub tools: Vec<Tool>,
    /// What declared tools answer, by tool; the first reply that fits is given.
    pub replies: IndexMap<String, Vec<ReplySpec>>,
    /// What the subject is told before each case.
    pub system: Option<SystemTemplate>,
    /// Values the system prompt may use.
    pub variables: Map<String, Value>,
    /// How cases are put to a model.
    pub solver: SolverSpec,
    /// The scorers by name, the suite's own measure first; empty leaves the choice to the run.
    pub scorers: Vec<String>,
    /// How plain arguments are compared, where a case does not say otherwise. Each case holds
    /// the rules that apply to it; these are here for people.
    pub rules: ArgumentRules,
    /// Named changes to prompt, tools or sampling.
    pub variants: IndexMap<String, Variant>,
    /// How often each case is executed, unless the run says otherwise.
    pub trials: u32,
    /// Within how many seconds a trial should be done.
    pub latency_budget: Option<f64>,
    /// The cases of a quick run: few that tell models apart well.
    pub quick: Vec<CaseId>,
    /// How answers are sampled, unless the run says otherwise.
    pub sampling: Sampling,
    /// The cases, in the order they were written.
    pub cases: Vec<Arc<Case>>,
    /// Where each case is written, in the order of the cases.
    pub(crate) origins: Vec<Origin>,
    /// The files the suite is made of, the suite file first.
    pub(crate) file_names: Vec<String>,
    pub(crate) files: SuiteFiles,
    /// Where the tools that are declared are written.
    pub(crate) tool_origins: Vec<Origin>,
    /// Whether all declared tools could be read, so that a missing one is really missing.
    pub(crate) all_tools_read: bool,
}

impl Suite {
    /// Which suite this is, exactly.
    pub fn identity(&self) -> SuiteIdentity {
        SuiteIdentity {
            name: self.name.clone(),
            version: self.version.clone(),
            hash: self.hash.clone(),
            size: self.cases.len() * self.decoys().map_or(1, |counts| counts.len().max(1)),
        }
    }

    /// Reads a file that the suite refers to, by its path from the suite file.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    /// The files below a path of the suite, in order; the path itself if it is a file.
    pub fn files_under(&self, path: &str) -> Vec<String> {
        self.files.under(path)
    }

    /// The folder of the suite; `None` for one that is part of the program.
    pub fn folder(&self) -> Option<&Path> {
        self.files.folder()
    }

    /// The files on disk that the suite and its world were read from, which no output may replace.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let mut inputs = self.files.opened();
        if let Some(folder) = self.folder() {
            let named = self.world.naming(&self.world.config).filter_map(Value::as_str);
            let named = named.flat_map(|path| self.files.under(path));
            inputs.extend(named.map(|path| folder.join(path)));
        }
        inputs
    }

    /// The files that were read so far although they are outside the suite's folder, links
    /// followed. What they hold may be sent to a model.
    pub fn outside_files(&self) -> Vec<PathBuf> {
        let here = |folder: &Path| folder.as_os_str().is_empty();
        let folder = self.folder().map(|folder| if here(folder) { Path::new(".") } else { folder });
        let Some(Ok(folder)) = folder.map(Path::canonicalize) else { return Vec::new() };
        let opened = self.files.opened().into_iter().filter_map(|file| file.canonicalize().ok());
        let mut outside: Vec<PathBuf> = opened.filter(|file| !file.starts_with(&folder)).collect();
        outside.dedup();
        outside
    }
}

/// Which world the cases of a suite take place in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldSpec {
    /// The kind of world: `declared` for tools with canned replies.
    pub kind: String,
    /// What the world wants to know, in its own words. Strings that name files are read from
    /// the suite's folder.
    pub config: Map<String, Value>,
}

impl Default for WorldSpec {
    fn default() -> Self {
        Self { kind: Self::DECLARED.to_owned(), config: Map::new() }
    }
}

impl WorldSpec {
    /// The world of tools that are declared in the suite itself.
    pub const DECLARED: &'static str = "declared";

    /// The world of MCP servers.
    pub const MCP: &'static str = "mcp";

    /// The values of a configuration that may name files of the suite. What a world of servers
    /// says besides are paths within trials and arguments of commands; and a recording may grow
    /// without another result.
    pub(crate) fn naming<'c>(
        &self,
        config: &'c Map<String, Value>,
    ) -> impl Iterator<Item = &'c Value> {
        let is_mcp = self.kind == Self::MCP;
        let names = move |(key, value): &(&String, &Value)| match key.as_str() {
            "setups" => true,
            "servers" => !is_mcp || value.is_string(),
            _ => !is_mcp,
        };
        config.iter().filter(names).map(|(_, value)| value)
    }

    /// Whether the tools offered are those the suite declares, and no others.
    pub fn is_declared(&self) -> bool {
        self.kind == Self::DECLARED
    }
}

/// A reply that a declared tool gives whenever a call fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplySpec {
    /// Arguments a call must have for this reply; none means any call.
    pub when: Map<String, Value>,
    /// What the tool answers: text as it is, anything else as JSON.
    pub reply: Value,
}

/// What a subject is told before each case, as a Jinja template.
#[derive(Clone, Debug)]
pub struct SystemTemplate {
    /// The template.
    pub source: String,
    pub(crate) written: TemplatePlace,
}

/// Where a template is written, so that its errors can be placed.
#[derive(Clone, Debug)]
pub(crate) enum TemplatePlace {
    /// In a file of its own.
    File(FileNumber),
    /// In the suite file.
    Inline,
    /// In the suite file, as the prompt of this variant.
    Variant(String),
}

/// How cases are put to a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SolverSpec {
    /// One turn; calls are captured, not executed.
    #[default]
    Capture,
    /// Calls are executed and answered until the model stops calling, or a limit is met.
    Loop(LoopLimits),
}

/// When a loop of calls and answers ends at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LoopLimits {
    /// After this many turns of the model.
    pub max_turns: u32,
    /// After this many tokens, in and out together.
    pub max_tokens: Option<u64>,
    /// After this many seconds.
    pub max_seconds: Option<f64>,
}

impl Default for LoopLimits {
    fn default() -> Self {
        Self { max_turns: 10, max_tokens: None, max_seconds: None }
    }
}

/// A named change to prompt, tools or sampling, so that A and B can be run side by side.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// What it is for, for people.
    pub description: String,
    /// The prompt in place of the suite's.
    pub system: Option<SystemTemplate>,
    /// Values for the prompt, on top of the suite's.
    pub variables: Map<String, Value>,
    /// The tools to offer, in this order, in place of all in the suite's order.
    pub tools: Option<Vec<String>>,
    /// Sampling on top of the suite's.
    pub sampling: Sampling,
    /// What the world wants to know, on top of the suite's.
    pub world: Map<String, Value>,
}

/// How answers are sampled. What is not given is left to the server.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sampling {
    /// How freely tokens are drawn; at 0 the likeliest is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of probability that is sampled from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens an answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// What a server that knows seeds draws its random numbers from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether a tool must be called, may be called, or which: a word, or the server's object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<Value>,
    /// Whether several calls may be made in one turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Any other field of the request body.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Sampling {
    /// This sampling with everything that `other` says in its place.
    #[must_use]
    pub fn overlaid(&self, other: &Self) -> Self {
        let mut extra = self.extra.clone();
        extra.extend(other.extra.clone());
        Self {
            temperature: other.temperature.or(self.temperature),
            top_p: other.top_p.or(self.top_p),
            max_tokens: other.max_tokens.or(self.max_tokens),
            seed: other.seed.or(self.seed),
            tool_choice: other.tool_choice.clone().or_else(|| self.tool_choice.clone()),
            parallel_tool_calls: other.parallel_tool_calls.or(self.parallel_tool_calls),
            extra,
        }
    }
}
