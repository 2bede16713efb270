//! What a figure means: good, bad, or worth a look.

use crate::compare::DifferenceVerdict;
use crate::standing::CaseStanding;

/// What a cell or a badge means. Its words say so too; its colour never does so alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Right, better, done.
    Good,
    /// Wrong, worse, broken.
    Bad,
    /// Worth a look.
    Caution,
    /// Neither.
    Plain,
}

impl Tone {
    /// The class that gives it its colour on a page.
    pub fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Caution => "caution",
            Self::Plain => "plain",
        }
    }
}

impl DifferenceVerdict {
    /// What a verdict means for B.
    pub(in crate::render) fn tone(&self) -> Tone {
        match self {
            Self::Better | Self::Equivalent { .. } => Tone::Good,
            Self::Worse => Tone::Bad,
            Self::NoDifferenceShown => Tone::Plain,
            Self::Inconclusive { .. } => Tone::Caution,
        }
    }
}

impl CaseStanding {
    /// What a standing means.
    pub fn tone(self) -> Tone {
        match self {
            Self::Pass => Tone::Good,
            Self::Partial => Tone::Caution,
            Self::Fail => Tone::Bad,
            Self::Unscored => Tone::Plain,
        }
    }
}
