//! The columns that a list of trials can have beside verdict, score and case.

/// A column that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListColumn {
    /// What was asked.
    Asked,
    /// What was called and answered.
    Answered,
    /// What was expected where most was lost.
    Expected,
    /// What came in its place.
    Instead,
    /// The causes of lost points.
    LostBy,
    /// The number of calls.
    Calls,
    /// How long it took.
    Time,
    /// The tokens of all turns.
    Tokens,
    /// The value of a tag.
    Tag(String),
}

/// The most columns that one list has.
const MOST: usize = 24;

impl ListColumn {
    /// Every column but those of tags, in the order lists show them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Asked,
        Self::Answered,
        Self::Expected,
        Self::Instead,
        Self::LostBy,
        Self::Calls,
        Self::Time,
        Self::Tokens,
    ];

    /// The columns of who chose none.
    pub(crate) const USUAL: [Self; 4] = [Self::Asked, Self::Answered, Self::LostBy, Self::Time];

    /// The columns of these names; the usual ones if there is none.
    pub(crate) fn chosen<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let mut chosen: Vec<Self> = Vec::new();
        for column in names.filter_map(Self::named) {
            if chosen.len() < MOST && !chosen.contains(&column) {
                chosen.push(column);
            }
        }
        if chosen.is_empty() { Self::USUAL.to_vec() } else { chosen }
    }

    fn named(name: &str) -> Option<Self> {
        let tag = name.strip_prefix("tag:").filter(|tag| !tag.is_empty());
        tag.map(|tag| Self::Tag(tag.to_owned()))
            .or_else(|| Self::ALL.into_iter().find(|column| column.name() == name))
    }

    /// The name used in URLs.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Tag(tag) => format!("tag:{tag}"),
            column => column.class().to_owned(),
        }
    }

    /// The heading.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Instead => "came instead",
            Self::LostBy => "lost by",
            Self::Tag(tag) => tag,
            column => column.class(),
        }
    }

    /// What the style sheet knows it by.
    pub(crate) fn class(&self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Answered => "answered",
            Self::Expected => "expected",
            Self::Instead => "instead",
            Self::LostBy => "lost",
            Self::Calls => "calls",
            Self::Time => "time",
            Self::Tokens => "tokens",
            Self::Tag(_) => "tag",
        }
    }

    /// Whether it holds numbers.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Calls | Self::Time | Self::Tokens)
    }

    /// Whether the trial itself has to be read for it, and not the index alone.
    pub(crate) fn needs_the_trial(&self) -> bool {
        matches!(self, Self::Answered | Self::Expected | Self::Instead)
    }
}
