//! A response held against one way to answer: six verdicts.

use indexmap::IndexMap;
use toolgauge_core::{
    CallOrder, Dimension, Expectation, ExpectedCall, ResponseKind, ToolCall, Verdict,
};

use super::classic;
use super::response::Response;
use super::scorer::{CallComparison, ToolCallScorer};
use super::way::AnswerWay;
use crate::assignment;
use crate::matching::Matcher;

/// The verdicts on a response, and what led to them.
pub(super) struct CallVerdicts<'a> {
    pub(super) scorer: &'a ToolCallScorer,
    pub(super) matcher: Matcher<'a>,
    pub(super) response: &'a Response<'a>,
    pub(super) way: AnswerWay<'a>,
    pub(super) order: CallOrder,
    /// Which call stands for each expected call, where all of them match.
    pub(super) pairs: Vec<Option<usize>>,
    tool_name: Verdict,
    arguments: Verdict,
    call_count: Verdict,
    no_undeclared_tools: Verdict,
    format_valid: Verdict,
    pub(super) response_kind: Verdict,
}

impl<'a> CallVerdicts<'a> {
    pub(super) fn new(
        scorer: &'a ToolCallScorer,
        expectation: &'a Expectation,
        way: AnswerWay<'a>,
        response: &'a Response<'a>,
    ) -> Self {
        let classic = scorer.comparison == CallComparison::Classic;
        let rules = if classic { &classic::RULES } else { &expectation.rules };
        let mut judgement = Self {
            scorer,
            matcher: Matcher::strict(rules),
            response,
            way,
            order: if classic { CallOrder::Any } else { expectation.order },
            pairs: Vec::new(),
            tool_name: Verdict::NotApplicable,
            arguments: Verdict::NotApplicable,
            call_count: Verdict::NotApplicable,
            no_undeclared_tools: Verdict::NotApplicable,
            format_valid: Verdict::NotApplicable,
            response_kind: Verdict::NotApplicable,
        };
        judgement.judge_calls();
        judgement.judge_form();
        judgement.judge_kind();
        judgement
    }

    /// Whether every verdict that applies is good.
    pub(super) fn passes(&self) -> bool {
        self.verdicts().iter().all(|(_, verdict)| *verdict != Verdict::Incorrect)
    }

    pub(super) fn dimensions(&self) -> IndexMap<Dimension, Verdict> {
        self.verdicts().into_iter().collect()
    }

    fn verdicts(&self) -> [(Dimension, Verdict); 6] {
        [
            (Dimension::TOOL_NAME, self.tool_name),
            (Dimension::ARGUMENTS, self.arguments),
            (Dimension::CALL_COUNT, self.call_count),
            (Dimension::NO_UNDECLARED_TOOLS, self.no_undeclared_tools),
            (Dimension::FORMAT_VALID, self.format_valid),
            (Dimension::RESPONSE_KIND, self.response_kind),
        ]
    }

    fn judge_calls(&mut self) {
        let Some(expected) = self.way.calls else { return };
        let (wanted, made) = (expected.len(), self.response.calls().len());
        self.call_count = Verdict::of(match self.order {
            // Further calls are free between expected ones, but not where none is expected.
            CallOrder::Subsequence => made >= wanted && (wanted > 0 || made == 0),
            CallOrder::Any | CallOrder::Strict => made == wanted,
        });
        if wanted > 0 {
            self.tool_name = Verdict::of(self.names_match(expected));
            let pairs = match self.scorer.comparison {
                CallComparison::Classic => classic::all_match(
                    expected,
                    self.response.calls(),
                    self.response.declared,
                    self.scorer.recovers_quotes,
                ),
                CallComparison::ByRules => self.all_match(expected),
            };
            self.arguments = Verdict::of(pairs.is_some());
            self.pairs = pairs.unwrap_or_default();
        }
    }

    fn names_match(&self, expected: &[ExpectedCall]) -> bool {
        let mut wanted: Vec<&str> = expected.iter().map(|call| call.name.as_str()).collect();
        let mut made: Vec<&str> =
            self.response.calls().iter().map(|call| call.name.as_str()).collect();
        match self.order {
            CallOrder::Strict => wanted == made,
            CallOrder::Subsequence => subsequence(&wanted, &made, |a, b| a == b).is_some(),
            CallOrder::Any => {
                wanted.sort_unstable();
                made.sort_unstable();
                wanted == made
            }
        }
    }

    /// Which call stands for each expected call, if every one was made, each by a call of its own
    /// and in the right order. Calls beyond those are a matter of the call count.
    fn all_match(&self, expected: &[ExpectedCall]) -> Option<Vec<Option<usize>>> {
        let made = self.response.calls();
        if expected.len() > made.len() {
            return None;
        }
        let pairs = match self.order {
            CallOrder::Strict => (0..expected.len()).map(Some).collect(),
            CallOrder::Subsequence => {
                let fits = |expected: &ExpectedCall, made: &&ToolCall| self.fits(expected, made);
                return subsequence(expected, made, fits);
            }
            CallOrder::Any => self.pair(expected),
        };
        self.is_complete(expected, &pairs).then_some(pairs)
    }

    /// Whether each expected call is paired with one that fits.
    pub(super) fn is_complete(&self, expected: &[ExpectedCall], pairs: &[Option<usize>]) -> bool {
        expected.iter().zip(pairs).all(|(expected, at)| {
            at.is_some_and(|at| self.fits(expected, self.response.calls()[at]))
        })
    }

    /// Whether a call is the expected one.
    pub(super) fn fits(&self, expected: &ExpectedCall, made: &ToolCall) -> bool {
        expected.name == made.name
            && made
                .arguments
                .as_object()
                .is_some_and(|object| self.matcher.object(&expected.arguments, object).full)
    }

    /// Pairs each expected call with a call to the same tool, so that as many as can be fit and
    /// the rest comes as near as can be.
    pub(super) fn pair(&self, expected: &[ExpectedCall]) -> Vec<Option<usize>> {
        assignment::pair_calls(expected, self.response.calls(), |expected, made| {
            self.nearness(expected, made)
        })
    }

    fn nearness(&self, expected: &ExpectedCall, made: &ToolCall) -> f64 {
        let object = made.arguments.as_object();
        object.map_or(0.0, |object| self.matcher.object(&expected.arguments, object).weight())
    }

    fn judge_form(&mut self) {
        let response = self.response;
        if !response.calls().is_empty() {
            let declared = !response.calls().iter().any(|call| response.is_undeclared(call));
            // Without a list of tools nobody can say that one was made up.
            if !response.declared.is_empty() {
                self.no_undeclared_tools = Verdict::of(declared);
            }
            self.format_valid =
                Verdict::of(response.calls().iter().all(|c| response.is_well_formed(c)));
        }
        // Even beside proper calls: a client would show the text of such a call to the user.
        if !response.made.in_text.is_empty() && self.scorer.comparison == CallComparison::ByRules {
            self.format_valid = Verdict::Incorrect;
        }
    }

    fn judge_kind(&mut self) {
        let Some(kind) = self.way.kind else { return };
        let calls = self.response.calls();
        let query_tools = &self.scorer.query_tools;
        self.response_kind = Verdict::of(match kind {
            ResponseKind::Query if !query_tools.is_empty() => {
                calls.iter().any(|call| query_tools.contains(&call.name))
            }
            ResponseKind::Action | ResponseKind::Query => {
                !calls.is_empty() && self.response.wrong_words(kind).is_none()
            }
            ResponseKind::Text | ResponseKind::Clarification | ResponseKind::Error => {
                let has_words = self.response.has_text || !self.wants_text(kind);
                calls.is_empty() && has_words && self.response.wrong_words(kind).is_none()
            }
        });
    }

    fn wants_text(&self, kind: ResponseKind) -> bool {
        let wanted = match self.scorer.comparison {
            CallComparison::ByRules => true,
            CallComparison::Classic => kind == ResponseKind::Text,
        };
        wanted && self.scorer.require_text
    }
}

/// Where the wanted ones come in this order, with any others between them; `None` if they do not.
/// Taking the first that fits each time is as good as any choice.
pub(super) fn subsequence<W, M>(
    wanted: &[W],
    made: &[M],
    fits: impl Fn(&W, &M) -> bool,
) -> Option<Vec<Option<usize>>> {
    let mut made = made.iter().enumerate();
    let next = |wanted| made.find(|(_, made)| fits(wanted, made)).map(|(at, _)| Some(at));
    wanted.iter().map(next).collect()
}
