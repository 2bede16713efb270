//! How a trial went, in one word.

/// How a trial went, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// No point was lost.
    Right,
    /// Some points were lost.
    Partly,
    /// All points were lost.
    Wrong,
    /// There is no judgement.
    Unscored,
}

impl Mark {
    /// Every mark, in the order lists show them.
    pub(crate) const ALL: [Self; 4] = [Self::Right, Self::Partly, Self::Wrong, Self::Unscored];

    /// The name used in URLs and shown to people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Partly => "partly",
            Self::Wrong => "wrong",
            Self::Unscored => "unscored",
        }
    }

    /// The mark of a value.
    pub(crate) fn of(value: Option<f64>) -> Self {
        match value {
            None => Self::Unscored,
            Some(value) if value >= 1.0 => Self::Right,
            Some(value) if value <= 0.0 => Self::Wrong,
            Some(_) => Self::Partly,
        }
    }
}
