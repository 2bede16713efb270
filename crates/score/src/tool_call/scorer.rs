//! How strictly calls are judged.

use serde::{Deserialize, Serialize};
use toolgauge_core::Fix;

use super::classic::QUERY_TOOLS;

/// Judges a response as right or wrong, in six dimensions, each correct, incorrect or not
/// applicable. The value is 1 when all that apply are correct and 0 otherwise.
///
/// When the expectation itself is not met, its alternatives are tried in turn; the first that is
/// met gives the value 1 and its quality. A lost point is shared out evenly among its causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own that a file may set")]
pub struct ToolCallScorer {
    /// Whether a call written into the text counts as a call. Default: it does not, and makes
    /// the format invalid.
    pub count_calls_in_text: bool,
    /// Whether a response without calls must hold text where one is expected. Default: it must.
    /// The classic comparison asks for text where the kind is `text` and nowhere else.
    pub require_text: bool,
    /// Whether an alternative may have a response kind of its own. Default: it may.
    pub alternative_kinds: bool,
    /// The tools one of which a query must call; none named (the default) means any tool.
    pub query_tools: Vec<String>,
    /// How calls are compared. Default: by the expectation's own rules.
    pub comparison: CallComparison,
    /// Whether the classic comparison passes over stray quotes behind arguments, as Inspect AI
    /// does from version 0.3.260 on. Default: it does not.
    pub recovers_quotes: bool,
}

/// What decides whether a call is the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallComparison {
    /// By the expectation's rules and order, pairing calls as well as can be.
    #[default]
    ByRules,
    /// As ha-voice-bench does, whatever the expectation says of rules and order.
    Classic,
}

impl Default for ToolCallScorer {
    fn default() -> Self {
        Self {
            count_calls_in_text: false,
            require_text: true,
            alternative_kinds: true,
            query_tools: Vec::new(),
            comparison: CallComparison::ByRules,
            recovers_quotes: false,
        }
    }
}

impl ToolCallScorer {
    /// The scorer that judges as ha-voice-bench does, for results that are to be held against
    /// its published ones.
    pub fn classic() -> Self {
        Self {
            require_text: false,
            alternative_kinds: false,
            query_tools: QUERY_TOOLS.map(String::from).into(),
            comparison: CallComparison::Classic,
            ..Self::default()
        }
    }

    /// The same scorer with known faults of its model put right.
    #[must_use]
    pub fn fixed(mut self, fixes: &[Fix]) -> Self {
        self.require_text |= fixes.contains(&Fix::Text);
        self.alternative_kinds |= fixes.contains(&Fix::AlternativeKinds);
        self.recovers_quotes |= fixes.contains(&Fix::Inspect260);
        self
    }
}
