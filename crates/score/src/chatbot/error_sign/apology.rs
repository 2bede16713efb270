//! Apologies: texts that say in sentences that something went wrong, and nothing else.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::words::any_of;

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
    any_of(ends.map(|end| format!("{sorry}{end}$")))
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
    any_of(beside)
});

/// Whether every sentence says that something went wrong, or what to do about it.
pub(super) fn says_nothing_but_failure(text: &str) -> bool {
    /// Nobody writes a longer one, and what is longer holds something else.
    const LONGEST: usize = 600;
    /// `I'm very sorry, but …` begins a sentence and does not go on with it.
    const BEFORE: usize = 20;
    if text.chars().count() > LONGEST {
        return false;
    }
    let text = text.replace('’', "'");
    // Markdown around a message must not hide how its sentence begins.
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
