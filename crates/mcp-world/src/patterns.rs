//! Known ways to fail with servers, and which of them a trial shows.

use std::borrow::Cow;

use toolgauge_core::{Case, FailurePattern, Message, ToolCall, Transcript, WorldWords};

use crate::offer::Offer;

/// Within how many further calls an error must be followed by a success to count as recovered.
const RECOVERY: usize = 3;

const DEAD_END: &str = "M1";
const REPEATED: &str = "M2";
const DESTRUCTIVE: &str = "M3";
const RECOVERED: &str = "M4";

/// What reports call the things of such a world, and how subjects fail in it.
pub(crate) static WORDS: WorldWords = WorldWords {
    things: Cow::Borrowed("things"),
    failure_patterns: Cow::Borrowed(&[
        FailurePattern::failure(
            DEAD_END,
            "error not recovered from",
            "say that after an error another call should be tried, with what the error says",
        ),
        FailurePattern::failure(
            REPEATED,
            "same call again",
            "say that a call with the same arguments gives the same answer",
        ),
        FailurePattern::failure(
            DESTRUCTIVE,
            "destructive tool where reading would do",
            "say that a question is answered by tools that only read",
        ),
        FailurePattern {
            id: Cow::Borrowed(RECOVERED),
            words: Cow::Borrowed("recovered from an error"),
            remedy: Cow::Borrowed("see which errors cost calls, and describe the tools better"),
            is_failure: false,
        },
    ]),
};

/// A call that was answered.
struct AnsweredCall<'t> {
    call: &'t ToolCall,
    reply: &'t str,
    failed: bool,
}

/// The short names of the patterns that a trial shows.
pub(crate) fn shown(offer: &Offer, case: &Case, transcript: &Transcript) -> Vec<&'static str> {
    let calls = answered(transcript);
    let errors = calls.iter().enumerate().filter(|(_, call)| call.failed);
    let is_recovered = |at: usize| calls[at + 1..].iter().take(RECOVERY).any(|call| !call.failed);
    let (recovered, lost): (Vec<usize>, Vec<usize>) =
        errors.map(|(at, _)| at).partition(|at| is_recovered(*at));
    let is_repeated = calls.iter().enumerate().any(|(at, one)| {
        calls[..at].iter().any(|other| {
            one.call.name == other.call.name
                && one.call.arguments == other.call.arguments
                && one.reply == other.reply
        })
    });
    let is_destructive = |call: &AnsweredCall<'_>| {
        offer.called(&call.call.name).is_some_and(|tool| tool.is_destructive)
    };
    let shown = [
        (!lost.is_empty(), DEAD_END),
        (is_repeated, REPEATED),
        (only_reads(offer, case) && calls.iter().any(is_destructive), DESTRUCTIVE),
        (!recovered.is_empty(), RECOVERED),
    ];
    shown.into_iter().filter_map(|(is, id)| is.then_some(id)).collect()
}

/// Whether every accepted way of a case calls nothing but tools that only read.
fn only_reads(offer: &Offer, case: &Case) -> bool {
    let expectation = &case.expectation;
    if expectation.calls.is_none() && expectation.alternatives.is_empty() {
        return false;
    }
    let own = expectation.calls.iter().flatten();
    let others = expectation.alternatives.iter().flat_map(|other| &other.calls);
    own.chain(others).all(|call| offer.called(&call.name).is_some_and(|tool| tool.is_read_only))
}

/// The calls of a trial with their answers, in order.
fn answered(transcript: &Transcript) -> Vec<AnsweredCall<'_>> {
    let mut open: Vec<&ToolCall> = Vec::new();
    let mut found = Vec::new();
    for message in &transcript.messages {
        match message {
            Message::Assistant(said) => open = said.calls.iter().collect(),
            // Answers come in the order of the calls.
            Message::Tool(answer) if !open.is_empty() => found.push(AnsweredCall {
                call: open.remove(0),
                reply: &answer.content,
                failed: answer.failed,
            }),
            _ => {}
        }
    }
    found
}
