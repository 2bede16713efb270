//! Names of cases, runs and trials, each its own type so that they cannot be mixed up.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        impl $name {
            /// Wraps the text of an identifier.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into().into_boxed_str())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
    };
}

text_id! {
    /// The name of a case, unique within its suite.
    CaseId
}

text_id! {
    /// The name of a run, unique over all runs ever made.
    RunId
}

/// One execution of one case: the case and the number of the trial, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrialId {
    /// The case that was executed.
    pub case: CaseId,
    /// Which execution of it this is, counted from 1 (an epoch, in Inspect AI's words).
    pub trial: u32,
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.case, self.trial)
    }
}
