//! Which of two answers is better.

use serde::Serialize;

/// Which of two answers a judge prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preference {
    /// The one it saw first.
    First,
    /// The one it saw second.
    Second,
    /// Neither.
    Neither,
}

impl Preference {
    /// The same preference when the answers are shown the other way round.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Neither => Self::Neither,
        }
    }
}
