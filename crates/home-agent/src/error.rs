//! Why an agent cannot be measured, and what to do about it.

use toolgauge_core::{FailureKind, TrialFailure};
use toolgauge_home_import::{HomeImportError, Refusal};

use crate::session::MARK;

/// Why an agent cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum HomeAgentError {
    /// The connection failed, or an answer makes no sense.
    #[error(transparent)]
    Connection(#[from] HomeImportError),
    /// The user has not said that this is a test instance.
    #[error("the Home Assistant at `{url}` is not marked as a test instance")]
    NotMarked {
        /// Its address.
        url: String,
    },
    /// No agent was named.
    #[error("no agent is named; Home Assistant has: {}", known.join(", "))]
    NoAgent {
        /// The agents there are.
        known: Vec<String>,
    },
    /// There is no such agent.
    #[error("there is no agent `{name}`; Home Assistant has: {}", known.join(", "))]
    UnknownAgent {
        /// What was asked for.
        name: String,
        /// The agents there are.
        known: Vec<String>,
    },
    /// The home of the suite is another one.
    #[error(
        "{missing} of the {all} exposed entities of the suite's home are not in this Home \
         Assistant, `{first}` among them"
    )]
    OtherHome {
        /// How many are missing.
        missing: usize,
        /// How many there are.
        all: usize,
        /// The first that is missing.
        first: String,
    },
    /// Home Assistant refused a request.
    #[error("Home Assistant refused `{request}`: {why}")]
    Refused {
        /// The type of the message.
        request: &'static str,
        /// What it said.
        why: String,
    },
    /// A state could not be set.
    #[error("the state of `{entity}` cannot be set: {why}")]
    State {
        /// The entity.
        entity: String,
        /// What stood in the way.
        why: String,
    },
}

impl HomeAgentError {
    pub(crate) fn refused(request: &'static str, refusal: Refusal) -> Self {
        Self::Refused { request, why: refusal.message }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Connection(error) => return error.hint(),
            Self::NotMarked { .. } => format!(
                "a run switches lights, locks and covers. If nobody lives in it, make a toggle \
                 named \"Toolgauge test instance\" (Settings, Devices & services, Helpers), so \
                 that `{MARK}` exists, and turn it on"
            ),
            Self::NoAgent { .. } | Self::UnknownAgent { .. } => {
                "name one with `--agent conversation.NAME`".to_owned()
            }
            Self::OtherHome { .. } => {
                "import this home with `toolgauge home import` and make cases for it".to_owned()
            }
            Self::Refused { .. } | Self::State { .. } => {
                "the token must be an administrator's".to_owned()
            }
        })
    }
}

impl From<HomeAgentError> for TrialFailure {
    fn from(error: HomeAgentError) -> Self {
        let kind = match &error {
            HomeAgentError::Connection(HomeImportError::Token) => FailureKind::Unauthorized,
            HomeAgentError::Connection(HomeImportError::Answer { .. }) => {
                FailureKind::UnreadableAnswer
            }
            HomeAgentError::Connection(_) => FailureKind::Connection,
            _ => FailureKind::Refused,
        };
        Self { kind, message: error.to_string() }
    }
}
