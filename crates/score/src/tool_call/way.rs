//! The ways to answer a case that are accepted.

use toolgauge_core::{AcceptedWay, Alternative, Expectation, ExpectedCall, Quality, ResponseKind};

/// One way to answer a case.
#[derive(Clone, Copy)]
pub(super) struct AnswerWay<'a> {
    pub(super) name: Option<AcceptedWay>,
    pub(super) calls: Option<&'a [ExpectedCall]>,
    pub(super) kind: Option<ResponseKind>,
    pub(super) quality: Quality,
    pub(super) reason: Option<&'a str>,
}

/// The ways to answer, the expectation itself first. With `own_kinds`, an alternative may have a
/// response kind of its own.
pub(super) fn ways<'a>(
    expectation: &'a Expectation,
    own_kinds: bool,
) -> impl Iterator<Item = AnswerWay<'a>> {
    let own = AnswerWay {
        name: expectation.told_way(AcceptedWay::AsWritten),
        calls: expectation.calls.as_deref(),
        kind: expectation.response,
        quality: Quality::Optimal,
        reason: None,
    };
    let other = move |(place, alternative): (usize, &'a Alternative)| AnswerWay {
        name: Some(AcceptedWay::Alternative(place)),
        calls: Some(&alternative.calls),
        kind: alternative.response.filter(|_| own_kinds).or(expectation.response),
        quality: alternative.quality,
        reason: alternative.reason.as_deref(),
    };
    // A case may consist of alternatives only; an empty expectation would then pass everything.
    let demands_something = own.calls.is_some() || own.kind.is_some();
    let own = demands_something.then_some(own);
    own.into_iter().chain(expectation.alternatives.iter().enumerate().map(other))
}
