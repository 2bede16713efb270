//! Stack traces in the place of an answer.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// How a stack trace begins.
static TRACE_HEAD: LazyLock<RegexSet> = LazyLock::new(|| {
    let heads = [
        r"(?m)^\s*Traceback \(most recent call last\):?",
        r#"(?m)^\s*Exception in thread ".*""#,
        r"(?m)^\s*thread '.*' .*panicked at ",
        r"(?m)^\s*goroutine \d+ \[",
        r"(?m)^\s*panic: .+",
        r"(?m)^\s*(?:PHP )?Fatal error: +Uncaught ",
        r"(?m)^\s*Unhandled (?:exception|rejection)\b",
        r"(?m)^\s*(?:[\w$]+\.)*\w*(?:Error|Exception)\b.*$",
    ];
    RegexSet::new(heads).expect("the expressions are valid")
});

/// A frame of a stack trace.
static TRACE_FRAME: LazyLock<Regex> = LazyLock::new(|| {
    let frames = [
        r#"File "[^"]*", line \d+"#,
        r"at [\w$.<>\[\] ]+\(.*\)",
        r"at (?:async )?\S+:\d+:\d+",
        r"at .+ in .+:line \d+",
        r"\d+: +(?:0x[0-9a-f]+ - )?[\w:<>]+::[\w:<>{}]+",
        r"\S+\.go:\d+",
        r"#\d+ +\S+\(\d+\): ",
    ];
    Regex::new(&format!(r"(?m)^\s*(?:{})", frames.join("|"))).expect("the expression is valid")
});

/// A trace that stands where the answer should: its head, and a frame behind it, with little
/// before it. A trace that is shown within an explanation has sentences before it.
pub(super) fn is_trace(text: &str) -> bool {
    const LEAD: usize = 120;
    if !TRACE_HEAD.is_match(text) {
        return false;
    }
    let Some(frame) = TRACE_FRAME.find(text) else {
        // Without a frame only a head that nothing else begins with will do.
        return text.starts_with("Traceback (most recent call last)")
            || text.starts_with("goroutine ")
            || text.starts_with("Exception in thread")
            || (text.starts_with("thread '") && text.contains("panicked at "));
    };
    // Measured up to the head and not to the frame: the head may be long itself.
    let lead = text[..frame.start()].lines().take_while(|line| !TRACE_HEAD.is_match(line));
    let lead: usize = lead.map(|line| line.chars().count()).sum();
    lead <= LEAD
}
