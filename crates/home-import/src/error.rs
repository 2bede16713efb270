//! Why a home could not be imported, and what to try.

use std::io;
use std::path::{Path, PathBuf};

/// The earliest Home Assistant whose homes can be imported, as year and month.
pub(crate) const EARLIEST: (u32, u32) = (2026, 2);

/// Why a home could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum HomeImportError {
    /// The address makes no sense.
    #[error("`{url}` is no address of a Home Assistant: {why}")]
    Address {
        /// The address that was given.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Nobody answers at the address.
    #[error("cannot reach Home Assistant at `{url}`: {why}")]
    Unreachable {
        /// The address that was given.
        url: String,
        /// What the network said.
        why: String,
    },
    /// Somebody answers, but not as Home Assistant does.
    #[error("`{url}` does not answer like Home Assistant: {why}")]
    NotHomeAssistant {
        /// The address that was given.
        url: String,
        /// What it said instead.
        why: String,
    },
    /// There is no token.
    #[error("the environment variable `{variable}` holds no token")]
    NoToken {
        /// The variable.
        variable: String,
    },
    /// The token is not accepted.
    #[error("Home Assistant does not accept the token")]
    Token,
    /// The version is too old.
    #[error("Home Assistant {version} is too old to be imported")]
    TooOld {
        /// The version.
        version: String,
    },
    /// A read was refused.
    #[error("Home Assistant refused to answer `{request}`: {why}")]
    Refused {
        /// The type of the message.
        request: &'static str,
        /// What it said.
        why: String,
    },
    /// An answer cannot be understood.
    #[error("the answer to `{request}` cannot be read: {source}")]
    Answer {
        /// The type of the message.
        request: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The connection broke off, or an answer did not come.
    #[error("the connection to Home Assistant was lost: {why}")]
    Lost {
        /// What happened.
        why: String,
    },
    /// Nothing is exposed to the assistant.
    #[error("nothing in this home is exposed to the assistant ({entities} entities were found)")]
    NothingExposed {
        /// How many entities there are.
        entities: usize,
    },
    /// A folder is no copy of `.storage`.
    #[error("`{}` is no copy of `.storage`: it has no `{missing}`", folder.display())]
    NotStorage {
        /// The folder.
        folder: PathBuf,
        /// The file it lacks.
        missing: &'static str,
    },
    /// A stored file cannot be read.
    #[error("`{}` is not what Home Assistant writes: {source}", path.display())]
    StoredFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A stored file has another schema.
    #[error(
        "`{}` has schema {found}, and only {} is known",
        path.display(),
        if known.0 == known.1 { known.0.to_string() } else { format!("{} to {}", known.0, known.1) }
    )]
    Schema {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u64,
        /// The least and the greatest version that are known.
        known: (u64, u64),
    },
    /// A prompt does not list a home.
    #[error("the prompt does not list a home: {why}")]
    NoOverview {
        /// What is missing.
        why: String,
    },
    /// A file or folder cannot be used.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// `read`, `write`, `create`.
        action: &'static str,
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder to write to is in use.
    #[error("`{}` is not empty", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
}

impl HomeImportError {
    pub(crate) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { action, path: path.to_owned(), source }
    }

    /// What to try next.
    pub fn hint(&self) -> Option<String> {
        let (year, month) = EARLIEST;
        let hint = match self {
            Self::Address { .. } => "write it as in the browser: `http://homeassistant.local:8123`",
            Self::Unreachable { .. } => {
                "is Home Assistant running, and does the address open in a browser on this machine?"
            }
            Self::NotHomeAssistant { .. } => {
                "the port of Home Assistant is usually 8123; a proxy must pass WebSockets on"
            }
            Self::Token | Self::NoToken { .. } => {
                "make one under your name in Home Assistant, Security, Long-lived access tokens"
            }
            Self::TooOld { .. } => {
                return Some(format!(
                    "homes are read from {year}.{month} or later: update it first"
                ));
            }
            Self::NothingExposed { .. } => {
                "expose entities in Home Assistant under Settings, Voice assistants, Expose"
            }
            Self::NotEmpty { .. } => "name a new folder with `-o`",
            Self::Refused { .. } | Self::Answer { .. } => {
                "a version of Home Assistant that is not known yet may have changed this"
            }
            Self::NotStorage { .. } => {
                "name a copy of `/config/.storage` (or `~/.homeassistant/.storage`), or the folder \
                 it is in"
            }
            Self::StoredFile { .. } => "copy the folder while Home Assistant is stopped",
            Self::Schema { .. } => {
                "this file is of another Home Assistant than those known; import over `--url`"
            }
            Self::NoOverview { .. } => {
                "copy the whole system prompt: Settings, Voice assistants, the assistant, Debug"
            }
            Self::Lost { .. } => "nothing was written; try again",
            Self::File { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
