//! The judgement of one scorer on one trial.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{AcceptedWay, Loss, Quality, TrialFailure};

/// What a scorer says of a trial. Unscored is never 0 and never NaN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "almost every outcome is a score")]
pub enum Outcome {
    /// The trial could be judged.
    Scored(Score),
    /// It could not, and this is why.
    Unscored(UnscoredReason),
}

impl Outcome {
    /// The value, if there is one.
    pub fn value(&self) -> Option<f64> {
        self.score().map(|score| score.value)
    }

    /// The score, if there is one.
    pub fn score(&self) -> Option<&Score> {
        match self {
            Self::Scored(score) => Some(score),
            Self::Unscored(_) => None,
        }
    }
}

/// How well a trial went, and where its points were lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// From 0 (nothing right) to 1 (everything right).
    pub value: f64,
    /// What was judged on its own, in the order it is shown.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub dimensions: IndexMap<Dimension, Verdict>,
    /// How good the accepted answer is, where several are accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// Which of several accepted ways the trial was held against: the one it met or came nearest
    /// to, else the first. Absent where only one is accepted, and in logs that do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<AcceptedWay>,
    /// Which call each expected call of that way was held against, where the scorer pairs calls:
    /// the place of the made call, counted from 0, among all calls of the transcript; `None` for
    /// an expected call that no call stands for. Empty in logs that do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairing: Vec<Option<usize>>,
    /// Numbers beside the value, such as precision and recall.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub measures: IndexMap<String, f64>,
    /// Every lost point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// One or a few sentences for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explanation: String,
}

/// Something judged on its own, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Dimension(Cow<'static, str>);

/// Known names are not copied: a log holds them many times over.
impl<'de> Deserialize<'de> for Dimension {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Named;
        impl Visitor<'_> for Named {
            type Value = Dimension;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a dimension")
            }

            fn visit_str<E>(self, name: &str) -> Result<Dimension, E> {
                // Six comparisons are cheaper than an allocation.
                let known = Dimension::KNOWN.iter().find(|known| known.as_str() == name);
                Ok(known.cloned().unwrap_or_else(|| Dimension::named(name)))
            }
        }
        from.deserialize_str(Named)
    }
}

impl Dimension {
    /// The right tools were called.
    pub const TOOL_NAME: Self = Self(Cow::Borrowed("tool_name"));
    /// They were called with the right arguments.
    pub const ARGUMENTS: Self = Self(Cow::Borrowed("arguments"));
    /// As many calls were made as expected.
    pub const CALL_COUNT: Self = Self(Cow::Borrowed("call_count"));
    /// No tool was called that does not exist.
    pub const NO_UNDECLARED_TOOLS: Self = Self(Cow::Borrowed("no_undeclared_tools"));
    /// Every call could be read.
    pub const FORMAT_VALID: Self = Self(Cow::Borrowed("format_valid"));
    /// The response is of the expected kind.
    pub const RESPONSE_KIND: Self = Self(Cow::Borrowed("response_kind"));

    const KNOWN: [Self; 6] = [
        Self::TOOL_NAME,
        Self::ARGUMENTS,
        Self::CALL_COUNT,
        Self::NO_UNDECLARED_TOOLS,
        Self::FORMAT_VALID,
        Self::RESPONSE_KIND,
    ];

    /// A dimension by its name.
    pub fn named(name: impl Into<String>) -> Self {
        Self(Cow::Owned(name.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The verdict on one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Right.
    #[serde(rename = "C")]
    Correct,
    /// Wrong.
    #[serde(rename = "I")]
    Incorrect,
    /// There is nothing to judge here.
    #[serde(rename = "N")]
    NotApplicable,
}

impl Verdict {
    /// Correct if so, incorrect if not.
    pub fn of(correct: bool) -> Self {
        if correct { Self::Correct } else { Self::Incorrect }
    }

    /// The letter used in tables and logs.
    pub fn letter(self) -> char {
        match self {
            Self::Correct => 'C',
            Self::Incorrect => 'I',
            Self::NotApplicable => 'N',
        }
    }
}

/// Why a trial could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnscoredReason {
    /// The trial failed for a reason that says nothing about the subject.
    Failed(TrialFailure),
    /// The case demands nothing that this scorer judges.
    NothingExpected,
    /// Another program's scorer recorded no value, such as `NaN`, or what a scorer judges, such as
    /// a time, is not known.
    NoValue,
}

impl fmt::Display for UnscoredReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => write!(f, "{}: {}", failure.kind.name(), failure.message),
            Self::NothingExpected => f.write_str("nothing expected that this scorer judges"),
            Self::NoValue => f.write_str("the log has no value for it"),
        }
    }
}
