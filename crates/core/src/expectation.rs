//! What a case demands of a subject.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Annotations, ExpectedAnswer, ListRule, Pattern, TextRule};

/// What a case demands. What it does not mention is not judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The calls to make. An empty list means that no call may be made; `None` means that
    /// calls are not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ExpectedCall>>,
    /// What kind of response it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseKind>,
    /// Other ways that are right, or right enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// Whether the order of the calls counts.
    #[serde(default)]
    pub order: CallOrder,
    /// How plain arguments are compared.
    #[serde(default)]
    pub rules: ArgumentRules,
    /// What the answer in words must be like, and what must stand behind it. Boxed, because
    /// most cases are about calls alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<ExpectedAnswer>>,
    /// Demands that belong to one scorer alone, by the scorer's name.
    #[serde(default, skip_serializing_if = "Annotations::are_none")]
    pub more: Annotations,
}

impl Expectation {
    /// A way to name in a score: none where the case accepts only one.
    pub fn told_way(&self, way: AcceptedWay) -> Option<AcceptedWay> {
        (!self.alternatives.is_empty()).then_some(way)
    }
}

/// One of the ways in which a case may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AcceptedWay {
    /// The expectation's own.
    AsWritten,
    /// The alternative at this place, counted from 0.
    Alternative(usize),
}

/// One call that should be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedCall {
    /// The tool's name.
    pub name: String,
    /// What its arguments must look like; none given means that any will do, unless the rules
    /// say that arguments nobody asked for are lost.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, Pattern>,
}

impl ExpectedCall {
    /// A call with these values for arguments, `$` keys included.
    pub fn plain(name: impl Into<String>, arguments: Option<&Map<String, Value>>) -> Self {
        let arguments = arguments.into_iter().flatten();
        let arguments = arguments.map(|(key, value)| (key.clone(), Pattern::plain(value)));
        Self { name: name.into(), arguments: arguments.collect() }
    }
}

/// Another way to answer a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The calls of this way.
    #[serde(default)]
    pub calls: Vec<ExpectedCall>,
    /// The kind of response that goes with it; the expectation's own when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseKind>,
    /// How good this way is.
    #[serde(default)]
    pub quality: Quality,
    /// Why it is accepted, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How good an accepted answer is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// What the case asks for in so many words.
    Optimal,
    /// As good as that.
    #[default]
    Equivalent,
    /// Does the job, less neatly.
    Acceptable,
    /// Does the job with a drawback the user notices.
    Degraded,
}

impl Quality {
    /// Every tier, the best one first.
    pub const ALL: [Self; 4] = [Self::Optimal, Self::Equivalent, Self::Acceptable, Self::Degraded];

    /// The name used in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Equivalent => "equivalent",
            Self::Acceptable => "acceptable",
            Self::Degraded => "degraded",
        }
    }
}

/// What kind of response is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponseKind {
    /// Something is done, by calling tools.
    Action,
    /// Something is looked up, by calling tools.
    Query,
    /// A plain answer, with no call.
    Text,
    /// A question back, with no call.
    Clarification,
    /// A refusal or an apology, with no call.
    Error,
}

impl ResponseKind {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Query => "query",
            Self::Text => "text",
            Self::Clarification => "clarification",
            Self::Error => "error",
        }
    }

    /// Whether a response of this kind calls tools.
    pub fn calls_tools(self) -> bool {
        matches!(self, Self::Action | Self::Query)
    }
}

/// Whether the order of calls counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallOrder {
    /// It does not.
    #[default]
    Any,
    /// The calls made must be the expected ones, one by one.
    Strict,
    /// The expected calls must come in this order; others may come between them.
    Subsequence,
}

/// How plain arguments are compared, where a pattern has no rule of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArgumentRules {
    /// How strings are compared. Default: letter by letter.
    pub text: TextRule,
    /// How far off a number may be. Default: not at all.
    pub tolerance: f64,
    /// How lists are compared. Default: item by item, in order.
    pub lists: ListRule,
    /// What an argument costs that nobody asked for. Default: nothing.
    pub extra: ExtraArguments,
}

/// What an argument costs that nobody asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraArguments {
    /// Nothing.
    #[default]
    Allowed,
    /// It is a loss.
    Lost,
}
