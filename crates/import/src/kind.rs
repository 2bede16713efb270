//! The kinds of result files.

/// What tool wrote a result, as far as it can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// The Berkeley Function Calling Leaderboard.
    Bfcl,
    /// τ²-bench.
    Tau2,
}

impl ResultKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Bfcl, Self::Tau2];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfcl => "bfcl",
            Self::Tau2 => "tau2",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bfcl => "Berkeley Function Calling Leaderboard",
            Self::Tau2 => "τ²-bench",
        }
    }

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
