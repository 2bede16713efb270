//! Signs that something failed where an answer should be.
//!
//! An answer that merely speaks of errors is an answer. So a text counts as an error only if it
//! is empty or null, if a program's own report of a failure stands at its beginning (`Error: …`,
//! `sqlite3.OperationalError: …`, a stack trace, an error page, an object with an `error` in it),
//! or if every sentence of it says that something went wrong or what to do about it.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde_json::{Value, json};
use toolgauge_core::{Cause, FailureKind, Loss, Message, Transcript};

/// Something that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorSign {
    /// The system: it could not be reached, took too long, broke down, or said so itself.
    System {
        /// What kind of failure it was.
        kind: FailureKind,
        /// What is known of it.
        message: String,
    },
    /// A tool, and no later call of it went well.
    Tool {
        /// Its name.
        name: String,
        /// What it answered.
        answer: String,
    },
    /// There is no answer.
    Empty,
    /// The answer is a program's word for nothing: `null`, `None`, `{}`.
    Null,
    /// A stack trace stands in place of an answer.
    Trace,
    /// An error message does.
    Message,
}

/// The losses of these signs; an error costs so many points, however many signs it leaves.
pub(super) fn losses(signs: &[ErrorSign], points: f64) -> Vec<Loss> {
    #[expect(clippy::cast_precision_loss, reason = "a handful of signs")]
    let each = points / signs.len().max(1) as f64;
    let loss = |sign: &ErrorSign| match sign {
        ErrorSign::System { kind, message } => {
            let mut loss = Loss::new(Cause::SystemFailure, each);
            loss.actual = Some(json!(format!("{}: {message}", kind.name())));
            loss
        }
        ErrorSign::Tool { name, answer } => {
            let mut loss = Loss::new(Cause::ToolFailure, each).at_tool(name);
            loss.actual = Some(json!(answer));
            loss
        }
        ErrorSign::Empty => Loss::new(Cause::MissingText, each),
        ErrorSign::Null | ErrorSign::Trace | ErrorSign::Message => {
            Loss::new(Cause::ErrorAnswered, each)
        }
    };
    signs.iter().map(loss).collect()
}

/// Every sign of failure in a transcript.
pub(super) fn signs(transcript: &Transcript) -> Vec<ErrorSign> {
    let mut signs = Vec::new();
    if let Some(failure) = &transcript.failure {
        signs.push(ErrorSign::System { kind: failure.kind, message: failure.message.clone() });
    }
    signs.extend(failed_tools(transcript));
    // Where the system failed nobody expects an answer, and a captured turn ends with its calls.
    let sign = error_in_answer(transcript.final_text());
    let excused = transcript.failure.is_some() || ends_with_calls(transcript);
    signs.extend(sign.filter(|sign| *sign != ErrorSign::Empty || !excused));
    signs
}

/// Tools whose last answer is a failure. One that was called again with success was got over.
fn failed_tools(transcript: &Transcript) -> Vec<ErrorSign> {
    let mut last: Vec<(&str, &str, bool)> = Vec::new();
    for message in &transcript.messages {
        let Message::Tool(answer) = message else { continue };
        last.retain(|(name, ..)| *name != answer.name);
        last.push((&answer.name, &answer.content, answer.failed));
    }
    let failed = last.into_iter().filter(|(.., failed)| *failed);
    failed
        .map(|(name, answer, _)| ErrorSign::Tool { name: name.into(), answer: answer.into() })
        .collect()
}

fn ends_with_calls(transcript: &Transcript) -> bool {
    matches!(transcript.messages.last(), Some(Message::Assistant(last)) if !last.calls.is_empty())
}

/// Words that programs write for nothing.
const NOTHING: [&str; 11] =
    ["null", "none", "undefined", "nil", "nan", "{}", "[]", "\"\"", "''", "[object object]", "()"];

/// What is wrong with a text that should be an answer, if anything is.
pub fn error_in_answer(text: &str) -> Option<ErrorSign> {
    let text = text.trim().trim_matches(['\u{feff}', '\u{200b}']).trim();
    if text.is_empty() {
        return Some(ErrorSign::Empty);
    }
    if NOTHING.contains(&text.trim_end_matches('.').to_lowercase().as_str()) {
        return Some(ErrorSign::Null);
    }
    if is_trace(text) {
        return Some(ErrorSign::Trace);
    }
    (is_report(text) || is_error_object(text) || says_nothing_but_failure(text))
        .then_some(ErrorSign::Message)
}

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
fn is_trace(text: &str) -> bool {
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
    let lead = text[..frame.start()].lines().take_while(|line| !TRACE_HEAD.is_match(line));
    let lead: usize = lead.map(|line| line.chars().count()).sum();
    lead <= LEAD
}

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
    let begins = begins.map(|begin| format!("(?i){begin}"));
    RegexSet::new(begins).expect("the expressions are valid")
});

fn is_report(text: &str) -> bool {
    REPORT.is_match(text)
}

/// An object that tells of an error and holds no answer.
fn is_error_object(text: &str) -> bool {
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
        || object.get("detail").and_then(Value::as_str).is_some_and(is_report)
        || object.get("message").and_then(Value::as_str).is_some_and(is_report)
}

/// A sentence that says that something went wrong here and now.
static FAILURE: LazyLock<RegexSet> = LazyLock::new(|| {
    let sorry = r"^(?:oops|uh[- ]oh|whoops|hmm|unfortunately|(?:(?:i'm|i am|we're|we are)\s+)?(?:very |so |terribly )?sorry|(?:my|our) apologies|apologies|i apologi[sz]e)?(?:\s+for the inconvenience)?[,.!;:\s–—-]*(?:but\s+)?(?:it (?:looks|seems) like\s+)?";
    let at_work = r"(?:process|handl|generat|quer|fetch|retriev|connect|execut|call|run|access|search|load|answer|complet|try|perform|communicat|reach|contact|look)\w*";
    let ends = [
        format!(r"(?:an?|some|the following)?\s*(?:\w+\s+)?(?:error|exception|problem|issue) (?:has |have )?(?:occurred|happened|arose)(?:\s*$| (?:while|when|during|in|on|with) (?:{at_work}|your request|the (?:server|request|backend|database connection|system)|our end|my end)\b.*|:.*)"),
        format!(r"there (?:was|has been|is|seems to be|appears to be) an? (?:\w+\s+)?(?:error|problem|issue|failure)(?:\s*$| (?:while |when |in |with )?(?:{at_work}|your request|the (?:server|request|backend|system|database connection|connection))\b.*)"),
        format!(r"(?:i|we|the (?:assistant|system|bot|server|service)) (?:have |has )?(?:just )?(?:encountered|ran into|hit|experienced|received|got|run into) an? (?:\w+\s+)?(?:error|exception|problem|issue|timeout)(?:\s*$| (?:while |when |in |with |trying |from )?(?:to )?(?:{at_work}|your request|the (?:server|request|backend|system|database|model|tool|api))\b.*)"),
        format!(r"something (?:has |just )?(?:went|gone|seems to have gone) wrong(?:\s*$| (?:(?:while|when) (?:i was |we were )?(?:{at_work})|(?:on|at) (?:our|my) end|with (?:your|the) request|here|during (?:{at_work}))\b.*)"),
        r"(?:i|we)(?:'m| am|'re| are) (?:currently |still )?(?:having|experiencing) (?:some )?(?:trouble|technical (?:difficulties|issues|problems)|difficulties|connection (?:issues|problems))(?:\s*$| (?:connecting|reaching|accessing|with|processing|right now|at the moment)\b.*)".to_owned(),
        r"(?:i|we) (?:was|were|am|are) (?:unable|not able) to (?:process|complete|handle|answer) (?:your|this|the) (?:request|question|query)(?:\s*$| (?:due to|because of|at this time|right now|at the moment)\b.*)".to_owned(),
        r"(?:i|we) (?:could not|couldn't|can't|cannot) (?:process|complete|handle) (?:your|this|the) (?:request|question|query)(?:\s*$| (?:due to|because of|at this time|right now|at the moment)\b.*)".to_owned(),
        r"(?:the )?(?:server|service|database|system|assistant|model|backend|chatbot) is (?:currently |temporarily )?(?:unavailable|down|overloaded|not responding|offline|busy)(?:\s*$| (?:right now|at the moment|due to)\b.*)".to_owned(),
        r"(?:your|the) request (?:could not be|was not|wasn't|couldn't be) (?:processed|completed|handled)(?:\s*$| (?:due to|because of|at this time)\b.*)".to_owned(),
        r"(?:your|the) request (?:has )?(?:failed|timed out)\s*$".to_owned(),
        r"failed to (?:generate|get|fetch|produce|retrieve) (?:a |the |any )?(?:response|answer|reply|completion)\b.*".to_owned(),
        r"no response (?:was )?(?:received|generated|returned)(?: from .*)?\s*$".to_owned(),
        r"agent stopped due to (?:iteration|time|max).*".to_owned(),
    ];
    let sentences = ends.map(|end| format!("(?i){sorry}{end}$"));
    RegexSet::new(sentences).expect("the expressions are valid")
});

/// A sentence that belongs to such a message and says nothing else.
static BESIDE: LazyLock<RegexSet> = LazyLock::new(|| {
    let beside = [
        r"^(?:oops|uh[- ]oh|whoops|hmm|(?:(?:i'm|i am|we're|we are)\s+)?(?:very |so )?sorry(?: (?:about|for) (?:that|this|the inconvenience))?|apologies(?: for the inconvenience)?|(?:i|we) apologi[sz]e(?: for (?:the|any) inconvenience)?)$",
        r"^(?:please |you (?:can|may|could) |kindly )?(?:try|retry|refresh|reload|wait|check back|come back)\b.*$",
        r"^(?:please |if (?:this|the) (?:problem|issue|error) persists,? (?:please )?)?contact\b.*$",
        r"^if (?:this|the) (?:problem|issue|error) (?:persists|continues)\b.*$",
        r"^(?:please )?(?:report|let) (?:this|us know|me know)\b.*$",
        r"^(?:our|the) (?:team|engineers|administrator)\b.* (?:notified|looking|informed|working)\b.*$",
        r"^(?:error|request|trace|correlation|reference|incident)\s*(?:id|code|number)?\s*[:#]\s*\S+$",
        r"^(?:details|error|reason|cause|message)\s*:.*$",
    ];
    let beside = beside.map(|sentence| format!("(?i){sentence}"));
    RegexSet::new(beside).expect("the expressions are valid")
});

/// Whether every sentence says that something went wrong, or what to do about it.
fn says_nothing_but_failure(text: &str) -> bool {
    /// Nobody writes a longer one, and what is longer holds something else.
    const LONGEST: usize = 600;
    /// `I'm very sorry, but …` begins a sentence and does not go on with it.
    const BEFORE: usize = 20;
    if text.chars().count() > LONGEST {
        return false;
    }
    let text = text.replace('’', "'");
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '_' | '#')).collect();
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[');
    let mut failed = false;
    for sentence in sentences(text) {
        // What goes on with `but` or `so` has more to tell than that it failed.
        let goes_on = [", but ", ", so ", "; "]
            .iter()
            .any(|word| sentence.rfind(word).is_some_and(|at| at > BEFORE));
        if FAILURE.is_match(sentence) && !goes_on {
            failed = true;
        } else if !BESIDE.is_match(sentence) {
            return false;
        }
    }
    failed
}

/// The sentences of a text, without what ends them.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    static END: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[.!?…]+(?:\s+|$)|\n+").expect("the expression is valid"));
    END.split(text)
        .map(|sentence| sentence.trim_matches(|c: char| c.is_whitespace() || c == '.'))
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}
