//! What can go wrong, in words for the agent that asked.

use std::path::PathBuf;

/// Why a call of a tool or the server itself failed.
#[derive(Debug, thiserror::Error)]
pub enum McpServerError {
    /// The folder cannot be used.
    #[error("cannot use the folder `{}`: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file outside the folder was asked for.
    #[error("`{0}` is not in the folder of this server")]
    Outside(String),
    /// A suite that is neither a file nor shipped.
    #[error(
        "there is no suite `{0}`; shipped are everyday, home-assistant, property-manager and workbench"
    )]
    NoSuite(String),
    /// A log that does not exist.
    #[error("there is no log `{0}`; `last` is the newest one")]
    NoLog(String),
    /// A model that the server was not started with.
    #[error("this server does not measure `{asked}`; it was started for: {}", known.join(", "))]
    Model {
        /// What was asked for.
        asked: String,
        /// What may be asked for.
        known: Vec<String>,
    },
    /// A tool that does not exist.
    #[error("there is no tool `{0}`")]
    NoTool(String),
    /// Arguments that do not fit the tool.
    #[error("the arguments do not fit: {0}")]
    Arguments(#[from] serde_json::Error),
    /// A number that is too large or zero.
    #[error("`{name}` must be from 1 to {most}")]
    Range {
        /// The argument.
        name: &'static str,
        /// Its largest value.
        most: u32,
    },
    /// The command took too long, and was ended.
    #[error("the command was ended after {0} s; ask for fewer cases")]
    Timeout(u64),
    /// The client does not want the answer any more.
    #[error("cancelled")]
    Cancelled,
    /// The program could not be started or read.
    #[error("cannot run toolgauge: {0}")]
    Program(#[source] std::io::Error),
    /// The connection did not come about, or broke.
    #[error("the connection to the client failed: {0}")]
    Connection(String),
}
