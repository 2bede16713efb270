//! Whether the answer of a case can be given at all, and whether each other answer can count.

use toolgauge_core::{
    Alternative, ArgumentRules, Case, Expectation, ExpectedAnswer, ExpectedCall, Keyword, Message,
    ResponseKind,
};

use super::arguments::check_arguments;
use super::cover::{AnswerCover, covers};
use super::toolbox::Toolbox;
use crate::nearest::suggest;
use crate::trail::{SuiteFindings, Trail};

/// Checks what a case expects. Without a toolbox, tools and arguments are left alone.
pub(super) fn check_case(
    case: &Case,
    toolbox: Option<&Toolbox>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) {
    let expectation = &case.expectation;
    let expect = trail.key("expect");
    if !says_something(expectation) {
        let hint = "say which `call` it takes, or `no_calls: true`".to_owned();
        findings.warn(trail, format!("nothing is expected of the case `{}`", case.id), hint);
    }
    if let Some(calls) = &expectation.calls {
        let checker = WayChecker { toolbox, rules: &expectation.rules, trail: &expect, findings };
        checker.check(calls, expectation.response, false);
    }
    check_alternatives(expectation, toolbox, &expect, findings);
    if let Some(answer) = &expectation.answer {
        check_answer(answer, toolbox, &expect.key("answer"), findings);
    }
    if let Some(toolbox) = toolbox {
        check_context(case, toolbox, &trail.key("context"), findings);
    }
}

fn says_something(expectation: &Expectation) -> bool {
    expectation.calls.is_some()
        || expectation.response.is_some()
        || !expectation.alternatives.is_empty()
        || expectation.answer.is_some()
        || !expectation.more.is_empty()
}

/// What a question demands of its answer can be met: its tools are offered, and no keyword is
/// both demanded and forbidden.
fn check_answer(
    answer: &ExpectedAnswer,
    toolbox: Option<&Toolbox>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) {
    let tools = trail.key("tools");
    // A chatbot has tools of its own, which a suite need not declare.
    if let Some(toolbox) = toolbox.filter(|toolbox| !toolbox.tools.is_empty()) {
        for (index, tool) in answer.tools.iter().flatten().enumerate() {
            if !toolbox.tools.contains_key(tool) {
                let message = format!("the tool `{tool}` is expected, which is not offered");
                let hint = suggest(tool, "tools", &toolbox.names());
                findings.error_with(&tools.index(index), message, hint);
            }
        }
    }
    let keywords = trail.key("keywords");
    for (index, keyword) in answer.keywords.iter().enumerate() {
        let Keyword::Not(text) = keyword else { continue };
        let demanded = |other: &Keyword| match other {
            Keyword::Text(other) => other.to_lowercase().contains(&text.to_lowercase()),
            _ => false,
        };
        if let Some(Keyword::Text(other)) = answer.keywords.iter().find(|other| demanded(other)) {
            let message = format!("`{text}` is forbidden, but `{other}` is demanded");
            findings.error(&keywords.index(index), message);
        }
    }
}

/// One way to answer, being checked.
struct WayChecker<'a> {
    toolbox: Option<&'a Toolbox>,
    rules: &'a ArgumentRules,
    trail: &'a Trail<'a>,
    findings: &'a SuiteFindings,
}

impl WayChecker<'_> {
    /// `inherited` tells that the kind of response is the expectation's and not the way's own.
    fn check(&self, calls: &[ExpectedCall], response: Option<ResponseKind>, inherited: bool) {
        if let Some(kind) = response {
            self.check_response(calls, kind, inherited);
        }
        let Some(toolbox) = self.toolbox else { return };
        let list = self.trail.key("calls");
        for (index, call) in calls.iter().enumerate() {
            let here = list.index(index);
            if let Some(tool) = toolbox.tools.get(&call.name) {
                let here = here.key("arguments");
                check_arguments(call, self.rules, tool, &here, self.findings);
            } else {
                let name = &call.name;
                let message = format!("a call to `{name}` is expected, which is not offered");
                let hint = suggest(name, "tools", &toolbox.names());
                self.findings.error_with(&here, message, hint);
            }
        }
    }

    fn check_response(&self, calls: &[ExpectedCall], kind: ResponseKind, inherited: bool) {
        let word = kind.name();
        let own = self.trail.key("response");
        let place = if inherited { self.trail } else { &own };
        match (calls.is_empty(), kind) {
            (false, kind) if !kind.calls_tools() => {
                let hint = "with calls it is an `action` or a `query`".to_owned();
                let message = format!("calls are expected, but the response is to be `{word}`");
                self.findings.error_with(place, message, hint);
            }
            (true, ResponseKind::Action) => {
                let message = if inherited {
                    format!("this alternative makes no calls, but its response is `{word}`")
                } else {
                    format!("no calls are expected, but the response is to be `{word}`")
                };
                let hint = "without calls it is `text`, `clarification` or `error`".to_owned();
                self.findings.error_with(place, message, hint);
            }
            (true, ResponseKind::Query) => {
                let message = format!("no calls are expected, but the response is to be `{word}`");
                let hint = "a query looks something up by a call; without one it is `text`";
                self.findings.warn(place, message, hint.to_owned());
            }
            _ => {}
        }
    }
}

fn check_alternatives(
    expectation: &Expectation,
    toolbox: Option<&Toolbox>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) {
    let list = trail.key("alternatives");
    if expectation.calls.is_none() && !expectation.alternatives.is_empty() {
        let hint = "say first what is expected, by `call`, `calls` or `no_calls`".to_owned();
        let message = "these are alternatives to nothing: without expected calls any will do";
        findings.error_with(&list, message, hint);
        return;
    }
    for (index, alternative) in expectation.alternatives.iter().enumerate() {
        let here = list.index(index);
        let response = alternative.response.or(expectation.response);
        let checker = WayChecker { toolbox, rules: &expectation.rules, trail: &here, findings };
        checker.check(&alternative.calls, response, alternative.response.is_none());
        if let Some(why) = never_counts(expectation, index) {
            let message = format!("this alternative can never count: {why}");
            findings.error_with(&here, message, "remove it, or make it differ".to_owned());
        }
    }
}

/// Why an alternative can never count, if it cannot: something at least as good accepts
/// everything it accepts.
fn never_counts(expectation: &Expectation, index: usize) -> Option<String> {
    let way = |alternative: &'_ Alternative| alternative.response.or(expectation.response);
    let own = &expectation.alternatives[index];
    let own_way = AnswerCover { calls: &own.calls, response: way(own) };
    let main = AnswerCover { calls: expectation.calls.as_deref()?, response: expectation.response };
    if covers(main, own_way, expectation) {
        let same = main.calls == own_way.calls && main.response == own_way.response;
        let how = if same { "is the same" } else { "accepts all that it does" };
        return Some(format!("what is expected in the first place {how}"));
    }
    // A worse way that accepts the same does not hide a better one: both qualities can be reached.
    let better = |other: &Alternative| other.quality <= own.quality;
    let earlier = expectation.alternatives[..index].iter().enumerate();
    for (number, other) in earlier.filter(|(_, other)| better(other)) {
        let other_way = AnswerCover { calls: &other.calls, response: way(other) };
        if covers(other_way, own_way, expectation) {
            let same = other.calls == own.calls && other_way.response == own_way.response;
            let how = if same { "is the same" } else { "accepts all that it does" };
            return Some(format!("alternative {} {how}", number + 1));
        }
    }
    None
}

/// Calls that were made before must have been possible.
fn check_context(case: &Case, toolbox: &Toolbox, trail: &Trail<'_>, findings: &SuiteFindings) {
    for message in &case.input {
        let Message::Assistant(message) = message else { continue };
        for call in message.calls.iter().filter(|call| !toolbox.tools.contains_key(&call.name)) {
            let message = format!("the context calls `{}`, which is not offered", call.name);
            findings.warn(trail, message, suggest(&call.name, "tools", &toolbox.names()));
        }
    }
}
