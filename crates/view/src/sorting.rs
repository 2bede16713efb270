//! The orders of a list of trials.

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sorting {
    /// The order of the suite.
    #[default]
    Plan,
    /// The name of the case.
    Case,
    /// The value.
    Score,
    /// How long it took.
    Latency,
    /// How many tokens it took.
    Tokens,
}

impl Sorting {
    /// Every order.
    pub(crate) const ALL: [Self; 5] =
        [Self::Plan, Self::Case, Self::Score, Self::Latency, Self::Tokens];

    /// The name used in URLs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Case => "case",
            Self::Score => "score",
            Self::Latency => "latency",
            Self::Tokens => "tokens",
        }
    }
}
