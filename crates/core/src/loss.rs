//! One lost point and its typed cause.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ArgumentPath;

/// One lost point, or part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// What went wrong.
    pub cause: Cause,
    /// How much of the score it cost; 0 for what is reported but not counted.
    pub points: f64,
    /// The tool it happened at: the expected one, or the called one where none was expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The expected call it is about: its place, counted from 0, among the calls of the accepted
    /// way that the score was held against. Absent where there is none, and in logs that do not
    /// say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_call: Option<usize>,
    /// The call it is about: its place, counted from 0, among all calls of the transcript. Absent
    /// where there is none, and in logs that do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_call: Option<usize>,
    /// Where in the arguments it happened.
    #[serde(default, skip_serializing_if = "ArgumentPath::is_root")]
    pub path: ArgumentPath,
    /// What should have been there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
}

impl Loss {
    /// A loss of so many points, with nothing more known about it yet.
    pub fn new(cause: Cause, points: f64) -> Self {
        Self {
            cause,
            points,
            tool: None,
            expected_call: None,
            made_call: None,
            path: ArgumentPath::default(),
            expected: None,
            actual: None,
        }
    }

    /// The same loss, at this tool.
    #[must_use]
    pub fn at_tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = Some(tool.into());
        self
    }

    /// The same loss, about this expected call and this call that was made.
    #[must_use]
    pub fn at_calls(mut self, expected: Option<usize>, made: Option<usize>) -> Self {
        self.expected_call = expected;
        self.made_call = made;
        self
    }
}

macro_rules! causes {
    ($($(#[$doc:meta])* $variant:ident => $name:literal, $words:literal;)*) => {
        /// Why a point was lost.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Cause {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Cause {
            /// Every cause, in the order tables show them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name used in files and on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The words shown to people.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }
    };
}

impl Cause {
    /// Whether it is about the words of an answer, and not about calls or what they led to.
    pub fn is_about_words(self) -> bool {
        matches!(
            self,
            Self::WrongResponseKind
                | Self::MissingText
                | Self::MissingAnswer
                | Self::FalseClaim
                | Self::WrongAnswer
                | Self::NotAnAnswer
                | Self::MissingKeyword
                | Self::ForbiddenKeyword
                | Self::ErrorAnswered
        )
    }
}

causes! {
    /// The trial itself broke, so that nothing was called (a result file's own error).
    BrokenTrial => "broken_trial", "the trial broke";
    /// Nothing was called where something should have been.
    ShouldHaveCalled => "should_have_called", "should have called a tool";
    /// Something was called where nothing should have been.
    ShouldNotHaveCalled => "should_not_have_called", "should not have called a tool";
    /// Another tool was called in the place of the expected one.
    WrongTool => "wrong_tool", "wrong tool";
    /// An expected call was not made.
    MissingCall => "missing_call", "missing call";
    /// A call was made that nobody expected.
    ExtraCall => "extra_call", "extra call";
    /// The right calls came in the wrong order.
    WrongOrder => "wrong_order", "wrong order";
    /// A tool was called that does not exist.
    UndeclaredTool => "undeclared_tool", "undeclared tool";
    /// The arguments of a call could not be read.
    MalformedCall => "malformed_call", "malformed call";
    /// The call was written into the text in place of the field for calls.
    CallInText => "call_in_text", "call written as text";
    /// An expected argument was not given.
    MissingArgument => "missing_argument", "missing argument";
    /// An argument was given that nobody asked for.
    ExtraArgument => "extra_argument", "extra argument";
    /// An argument was given that is forbidden here.
    ForbiddenArgument => "forbidden_argument", "forbidden argument";
    /// An argument has another value than expected.
    WrongValue => "wrong_value", "wrong value";
    /// An argument has another JSON type than expected.
    WrongType => "wrong_type", "wrong type";
    /// An expected item of a list is missing or differs.
    MissingItem => "missing_item", "missing list item";
    /// A list holds an item that nobody asked for.
    ExtraItem => "extra_item", "extra list item";
    /// The response is of another kind than expected.
    WrongResponseKind => "wrong_response_kind", "wrong kind of response";
    /// A response that should hold text holds none.
    MissingText => "missing_text", "missing text";
    /// Something changed that should not have.
    SideEffect => "side_effect", "side effect";
    /// Something that should have changed did not.
    MissingChange => "missing_change", "missing change";
    /// The right thing changed in another way than expected.
    WrongChange => "wrong_change", "wrong change";
    /// A question was answered without looking up what it takes.
    NotRead => "not_read", "not looked up";
    /// The answer lacks what was asked for.
    MissingAnswer => "missing_answer", "answer lacks the value";
    /// The answer claims something that did not happen.
    FalseClaim => "false_claim", "false claim";
    /// The answer gives something else than what is right.
    WrongAnswer => "wrong_answer", "wrong answer";
    /// The words are no answer: raw data, the request read back, or far too many.
    NotAnAnswer => "not_an_answer", "not an answer";
    /// The answer lacks a keyword.
    MissingKeyword => "missing_keyword", "missing keyword";
    /// The answer says what it must not.
    ForbiddenKeyword => "forbidden_keyword", "forbidden keyword";
    /// An error stands in the place of an answer.
    ErrorAnswered => "error_answered", "error in place of an answer";
    /// The system failed: it could not be reached, took too long, or broke down.
    SystemFailure => "system_failure", "system failure";
    /// A tool failed and was not called again with success.
    ToolFailure => "tool_failure", "tool failure";
    /// A relevant document was not found.
    MissedDocument => "missed_document", "missed document";
    /// A document was found that is not relevant.
    IrrelevantDocument => "irrelevant_document", "irrelevant document";
    /// The answer says something that nothing returned supports.
    UnsupportedClaim => "unsupported_claim", "unsupported claim";
    /// The answer gives another value than the one that was returned.
    ContradictedValue => "contradicted_value", "contradicts what was returned";
    /// The answer took longer than its budget.
    TooSlow => "too_slow", "too slow";
    /// A judge gave less than everything.
    JudgedLower => "judged_lower", "judged lower";
}
