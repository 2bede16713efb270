//! Why a run could not be put together or gone on with.

use std::io;
use std::path::PathBuf;

use toolgauge_core::CaseId;
use toolgauge_home_agent::HomeAgentError;
use toolgauge_import::ImportError;
use toolgauge_log::{LogError, MergeError, OutputError};
use toolgauge_model::{ConnectionError, EndpointError, LlamaError, PreflightError, ScriptError};
use toolgauge_report::number::counted;
use toolgauge_runner::{RubricError, SameFailures};
use toolgauge_suite::{Problems, SelectionError, TemplateError};

/// Why a run could not be put together or gone on with. Errors of the crates below are wrapped as
/// they are, so that each message is written once, where it is known best.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// An option of a scorer that cannot be set.
    #[error("`--option {option}` cannot be set: {why}")]
    ScorerOption {
        /// What was asked for.
        option: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file that was named as a log, and is none nor a result of a known tool.
    #[error("`{}` is neither a log nor a result of a known tool: {seen}", path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        seen: String,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// `read`, `write`, `create`.
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The settings cannot be used.
    #[error("the settings cannot be used: {message}")]
    Settings {
        /// What is wrong with them.
        message: String,
    },
    /// No suite has this name.
    #[error("there is no suite `{name}`, neither here nor among those shipped")]
    NoSuchSuite {
        /// What was asked for.
        name: String,
        /// The names of the shipped suites.
        shipped: Vec<String>,
    },
    /// Questions of another tool are named without the folder that has them.
    #[error("`{name}` does not say where the questions are")]
    NoData {
        /// What was asked for.
        name: String,
    },
    /// The suite does not check.
    #[error("the suite `{name}` has problems and is not run\n{}", listed(problems))]
    BadSuite {
        /// The suite.
        name: String,
        /// What is wrong with it.
        problems: Problems,
    },
    /// The file of a matrix cannot be used.
    #[error("the matrix has problems and is not run\n{}", listed(problems))]
    BadMatrix {
        /// What is wrong with it.
        problems: Problems,
    },
    /// A suite asks for a world that does not exist.
    #[error("there is no world `{kind}`")]
    NoSuchWorld {
        /// What was asked for.
        kind: String,
        /// The worlds there are.
        known: Vec<String>,
    },
    /// What a suite says of its world cannot be used.
    #[error("{why}")]
    BadWorld {
        /// What is wrong with it.
        why: String,
    },
    /// A suite would start commands or ask addresses, and nobody allowed it.
    #[error("`{suite}` starts commands, which was not allowed: {}", commands.join("; "))]
    NotAllowed {
        /// The suite.
        suite: String,
        /// What it would start or ask.
        commands: Vec<String>,
    },
    /// A suite wants MCP servers to run, and this program cannot do that.
    #[error("this toolgauge cannot start MCP servers: it was built without the feature `mcp`")]
    NoServers,
    /// A suite of MCP servers has no recording to answer from.
    #[error("the servers of `{suite}` were not recorded")]
    NotRecorded {
        /// The suite.
        suite: String,
    },
    /// No scorer has this name.
    #[error("there is no scorer `{name}`")]
    NoSuchScorer {
        /// What was asked for.
        name: String,
        /// The scorers there are.
        known: Vec<String>,
    },
    /// A suite compares keywords by what they mean, and nobody can say what that is.
    #[error("the suite compares keywords by their likeness, which takes a server of embeddings")]
    NoEmbeddings,
    /// The server of embeddings cannot be asked.
    #[error("the likeness of keywords cannot be measured: {why}")]
    Embeddings {
        /// Why.
        why: String,
    },
    /// Faults are to be put right in a scorer that does not judge.
    #[error("`--fix` mends the scorer `tool_calls_classic`, which is not asked for")]
    NothingToFix,
    /// The suite has no such variant.
    #[error("the suite has no variant `{name}`")]
    NoSuchVariant {
        /// What was asked for.
        name: String,
        /// The variants there are.
        known: Vec<String>,
    },
    /// The selection leaves no case.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The system prompt cannot be made.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The base URL cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The server cannot be asked.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The server would fail every trial.
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    /// The llama.cpp server could not be started.
    #[error("{}", with_source(.0))]
    Llama(#[from] LlamaError),
    /// The agent of a Home Assistant cannot be measured.
    #[error(transparent)]
    HomeAgent(#[from] HomeAgentError),
    /// A script of answers cannot be used.
    #[error("`{file}`: {error}")]
    Script {
        /// The script.
        file: String,
        /// What is wrong with it.
        error: ScriptError,
    },
    /// The description of a chatbot cannot be used.
    #[error("the chatbot cannot be asked\n{}", listed(problems))]
    BadChatbot {
        /// What is wrong with it.
        problems: Problems,
    },
    /// A line does not start anything.
    #[error("`command:{program}` is not a command")]
    BadCommand {
        /// Its first word; what follows may be a key.
        program: String,
    },
    /// The program of a chatbot is not there.
    #[error("there is no program `{program}`")]
    NoSuchProgram {
        /// The program as it was named.
        program: String,
    },
    /// What should be the name of a variable is none; it is not shown, for it may be the key.
    #[error("what is given as the variable of the key is not the name of a variable")]
    NotAVariable,
    /// A variable that is asked for is not set.
    #[error("the environment has no variable `{name}`")]
    NoSuchVariable {
        /// The variable.
        name: String,
    },
    /// A log cannot be read or written.
    #[error("{}", with_source(.0))]
    Log(#[from] LogError),
    /// Shards cannot be put together.
    #[error("{}", with_source(.0))]
    Merge(#[from] MergeError),
    /// A rubric cannot be used.
    #[error("`{}`: {error}", file.display())]
    Rubric {
        /// The rubric.
        file: PathBuf,
        /// What is wrong with it.
        error: RubricError,
    },
    /// A log cannot be continued.
    #[error("`{}` cannot be resumed: {why}", log.display())]
    CannotResume {
        /// The log that was to be resumed.
        log: PathBuf,
        /// What stands in the way.
        why: String,
    },
    /// The head of a log does not say what its run was asked for.
    #[error("the log cannot be judged again by its world: {0}")]
    UnreadableHead(#[from] UnreadableHead),
    /// Labelled replies that cannot be read.
    #[error("cannot read the labelled replies in `{}`: {why}", path.display())]
    BadReplies {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A log of which nothing can be read.
    #[error("`{}` cannot be read: {why}", path.display())]
    UnreadableLog {
        /// The log.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A results file, or another small file, cannot be read.
    #[error("`{}` cannot be read: {why}", path.display())]
    BadResults {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Results of another tool cannot be imported.
    #[error("{}", with_source(.0))]
    Import(#[from] ImportError),
    /// Results that hold no trial.
    #[error("the results of `{model}` hold no trial")]
    EmptyImport {
        /// Whose results.
        model: String,
    },
    /// A file holds several runs, and a command takes one.
    #[error("`{}` holds {runs} runs", file.display())]
    SeveralRuns {
        /// The file that was given.
        file: PathBuf,
        /// How many.
        runs: usize,
    },
    /// An output file could not be written, or must not be.
    #[error("{}", with_source(.0))]
    OutputFile(#[from] OutputError),
    /// There is no log to go on with.
    #[error("there is no log in `{}`", folder.display())]
    NoLogs {
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// More decoys are asked for than there are.
    #[error("there are {available} decoys for the case `{case}`, and {asked} are asked for")]
    TooManyDecoys {
        /// How many.
        asked: usize,
        /// The first case that has too few.
        case: CaseId,
        /// How many it has.
        available: usize,
    },
    /// Decoys for a subject that brings tools of its own.
    #[error("`{subject}` calls tools of its own, so that no decoys can be added to them")]
    DecoysOfOwnTools {
        /// The subject.
        subject: String,
    },
    /// More trials are asked for than a run may have.
    #[error("{planned} trials are more than the {most} that a run may have")]
    TooManyTrials {
        /// How many.
        planned: usize,
        /// How many there may be.
        most: usize,
    },
    /// No scheduler says which task of an array this is.
    #[error("no variable of a scheduler says which shard this is")]
    NoArrayTask,
    /// A scheduler says which task this is, but not of how many.
    #[error("`{variable}` says which task this is, but not of how many")]
    NoShardCount {
        /// The variable.
        variable: &'static str,
    },
    /// What a scheduler says of this task fits no shard.
    #[error("`{variable}` names no shard: {why}")]
    BadArrayTask {
        /// The variable.
        variable: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A plan is split into more shards than it has cases.
    #[error("{of} shards are more than the {} to run", counted(*cases, "case"))]
    TooManyShards {
        /// How many shards.
        of: u32,
        /// How many cases.
        cases: usize,
    },
    /// The user stopped the run before anything of it was under way.
    #[error("interrupted before the first trial")]
    Interrupted,
    /// What is named as a model is an address or a file.
    #[error("an address or a file is named where the name of a model is expected")]
    ChatbotAsModel,
    /// A server is named, and no model of it.
    #[error("no model is named, and the server {}", match offered.len() {
        0 => "does not say which it has".to_owned(),
        many => format!("offers {many}"),
    })]
    NoModelNamed {
        /// The models that it offers.
        offered: Vec<String>,
    },
    /// Every one of the first trials failed in the same way.
    #[error("{}: {}", every_trial_failed(same), same.failure.message)]
    EveryTrialFails {
        /// The model or chatbot, as it was named.
        model: String,
        /// What the trials ran into.
        same: SameFailures,
    },
    /// A log that could not be uploaded to where it belongs.
    #[error("{why}; the log is kept in `{}`", file.display())]
    NotUploaded {
        /// The log on this machine.
        file: PathBuf,
        /// What happened.
        why: String,
    },
    /// The run could not go on.
    #[error("the run was stopped: {why}")]
    RunStopped {
        /// What happened.
        why: String,
    },
}

impl EngineError {
    /// A file that could not be read, written or created.
    pub fn file(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { action, path: path.into(), source }
    }

    /// A run that could not go on, with all that is known of why.
    pub fn run_stopped(error: &dyn std::error::Error) -> Self {
        Self::RunStopped { why: with_source(error) }
    }
}

fn every_trial_failed(same: &SameFailures) -> String {
    let way = if same.in_same_words { " in the same way" } else { "" };
    match same.trials {
        1 => "the only trial failed, so that nothing was measured".to_owned(),
        2 => format!("both trials failed{way}, so that nothing was measured"),
        many => format!("the first {many} trials failed{way}, so the run was stopped"),
    }
}

fn listed(problems: &Problems) -> String {
    problems.iter().map(|problem| format!("  {problem}")).collect::<Vec<_>>().join("\n")
}

/// A message followed by those of its sources, so that nothing a person needs is left out.
pub fn with_source(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Many messages end with that of their source already.
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Why the head of a log does not say what its run was asked for.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableHead {
    /// Another program wrote the log, or a program that puts no suite to a model.
    #[error("it does not say how it was started")]
    NotStated,
    /// An entry that no run can do without.
    #[error("`{name}` in its head cannot be read: {why}")]
    Entry {
        /// The name of the entry.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_ends_with_its_source_does_not_repeat_it() {
        let missing = |path: &str| ImportError::Io {
            path: path.into(),
            source: std::io::Error::other("it is gone"),
        };
        assert_eq!(with_source(&missing("a.json")), "cannot read `a.json`: it is gone");
    }
}
