//! Faults of ha-voice-bench that a run may have put right.

/// A rule that departs from ha-voice-bench where it goes against its own documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// An alternative may have a response kind of its own. By the old rules it is held to that of
    /// the case, so that a call is never accepted where text is expected, nor text for a call,
    /// although the alternative says so.
    AlternativeKinds,
    /// A text response must hold text. By the old rules silence is one.
    Text,
    /// Quotes behind the object of arguments are passed over, as Inspect AI does from version
    /// 0.3.260 on, through which newer installations of that benchmark see replies.
    Inspect260,
}

impl Fix {
    /// Every rule, in the order of the documents.
    pub const ALL: [Self; 3] = [Self::AlternativeKinds, Self::Text, Self::Inspect260];

    /// The name used in flags and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlternativeKinds => "alternative-kinds",
            Self::Text => "text",
            Self::Inspect260 => "inspect-0.3.260",
        }
    }

    /// The rule of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fix| fix.name() == name)
    }
}
