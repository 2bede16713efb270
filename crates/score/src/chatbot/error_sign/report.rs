//! A program's own report of a failure, in words or as an object.

use std::sync::LazyLock;

use regex::RegexSet;
use serde_json::Value;

use super::words::any_of;

/// How a program's report of a failure begins.
static REPORT: LazyLock<RegexSet> = LazyLock::new(|| {
    let begins = [
        // Error: …, [ERROR] …, Error 500: …, error - …
        r"^[\W_]*(?:fatal |internal |unexpected |runtime |server |system |api |sql |database |tool )?error\s*(?:\(?#?\d{1,5}\)?\s*)?(?:[:!]|[-–—]\s|\])",
        r"^[\W_]*error (?:code|id|no\.?|number)\s*[:#]?\s*\w*\d",
        // ValueError: …, sqlite3.OperationalError: …, ConnectionError(…)
        r"^(?:[a-z_$][\w$]*\.)*(?-i:[A-Z]\w*(?:Error|Exception))(?::|\(|$)",
        r"^(?:uncaught|unhandled) (?:exception|error|promise)\b",
        r"^exception\s*:",
        // HTTP
        r"^(?:http[ /]?(?:\d\.\d)?\s*)?(?:status(?: code)?:?\s*)?[45]\d\d[\s:–-]+(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|not found|too many requests|unauthorized|forbidden|bad request|request time-?out|payload too large|server error)\b",
        r"^(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests)\W*$",
        r"^upstream (?:connect error|request timeout)",
        // The network
        r"^(?:connection|connect)\s(?:was\s)?(?:refused|reset by peer|timed out|aborted|error)\W*(?:$|[:.(])",
        r"^(?:connect )?(?:econnrefused|econnreset|etimedout|enotfound|ehostunreach)\b",
        r"^(?:failed|unable) to connect to (?:the )?(?:server|database|host|backend|service|api|model|upstream|localhost|\d)",
        r"^(?:could|can)(?:not| not) connect to (?:the )?(?:server|database|host|backend|service|api|model|localhost|\d)",
        r"^(?:the )?(?:request|operation|query|read|connection|tool call|call) (?:has )?timed out\W*(?:$|after|\()",
        r"^(?:time-?out|timed out)\W*(?:$|after \d|waiting for|while waiting)",
        r"^no route to host\W*$",
        // Memory and processes
        r"^(?:cuda )?(?:error: )?out of memory\b\W*(?:$|tried to|\()",
        r"^(?:fatal: )?(?:java\.lang\.)?outofmemoryerror\b",
        r"^oom(?:-| )?kill",
        r"^killed\W*$",
        r"^segmentation fault\b",
        r"^(?:fatal|critical):\s",
        // Tools and models
        r"^(?:tool|function|query|sql) (?:call |execution )?(?:failed|error)\b\s*[:.(]",
        r"^(?:no such (?:table|column|function)|syntax error near|near .{1,40}: syntax error|database is locked|disk i/o error)\b",
        r"^(?:rate limit|quota) (?:reached|exceeded)\b",
        r"^you exceeded your current quota\b",
        r"^(?:invalid|incorrect) api key\b",
        r"^(?:the )?model .{1,60} (?:does not exist|is not found|not found|is overloaded|is currently overloaded)",
        r"^this model's maximum context length\b",
        // Error pages
        r"^<(?:!doctype html|html)[\s\S]{0,400}<title>[^<]*(?:[45]\d\d|error|unavailable|not found|forbidden)",
        r"^<h1>\s*(?:[45]\d\d|internal server error|bad gateway|service unavailable|not found)",
    ];
    any_of(begins)
});

/// Whether a program's report of a failure stands at the beginning of a text.
pub(super) fn is_report(text: &str) -> bool {
    REPORT.is_match(text)
}

/// An object that tells of an error and holds no answer.
pub(super) fn is_error_object(text: &str) -> bool {
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let text = fenced.map_or(text, |inner| inner.trim_end_matches("```")).trim();
    if !text.starts_with('{') {
        return false;
    }
    let Ok(Value::Object(object)) = serde_json::from_str(text) else { return false };
    let has = |name: &str| {
        object.get(name).is_some_and(|value| match value {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(object) => !object.is_empty(),
            _ => true,
        })
    };
    // An object with an answer in it is an answer, even if it reports an error beside it.
    if ["answer", "response", "result", "results", "data", "text", "content"].into_iter().any(has) {
        return false;
    }
    let is = |name: &str, words: &[&str]| {
        let word = object.get(name).and_then(Value::as_str).map(str::to_lowercase);
        word.is_some_and(|word| words.contains(&word.as_str()))
    };
    has("error")
        || has("errors")
        || has("exception")
        || has("traceback")
        || is("status", &["error", "failed", "failure"])
        || is("type", &["error"])
        || object.get("success") == Some(&Value::Bool(false))
        || object.get("ok") == Some(&Value::Bool(false))
        // FastAPI's servers report errors so. Both names are common in answers too, so the text
        // decides.
        || object.get("detail").and_then(Value::as_str).is_some_and(is_report)
        || object.get("message").and_then(Value::as_str).is_some_and(is_report)
}
