//! What scorers may be told under `more`, checked so that a slip of the finger is not ignored.
//!
//! Settings of scorers that are not named here are carried along as they are, unless one that is named
//! was meant.

use serde_json::{Map, Value, json};
use toolgauge_core::{Candidates, ExpectedFact};

use crate::fields::{FieldNames, ObjectFields, kind};
use crate::nearest::{enumerate, nearest};
use crate::trail::{SuiteFindings, Trail};

static CHATBOT: FieldNames = FieldNames {
    noun: "the settings of `chatbot`",
    fields: &["weights", "tools", "keywords", "quality"],
    synonyms: &[("weight", "weights"), ("tool_usage", "weights"), ("keyword", "keywords")],
};

static WEIGHTS: FieldNames = FieldNames {
    noun: "the weights of `chatbot`",
    fields: &["tool_usage", "response_quality", "error_handling"],
    synonyms: &[
        ("tools", "tool_usage"),
        ("keywords", "response_quality"),
        ("errors", "error_handling"),
    ],
};

static KEYWORDS: FieldNames = FieldNames {
    noun: "the settings of `keywords`",
    fields: &["synonyms", "dates", "likeness"],
    synonyms: &[("synonym", "synonyms"), ("date", "dates"), ("similarity", "likeness")],
};

static RETRIEVAL: FieldNames = FieldNames {
    noun: "the settings of `retrieval`",
    fields: &["k", "value"],
    synonyms: &[("top_k", "k"), ("at", "k")],
};

static END_STATE: FieldNames = FieldNames {
    noun: "the settings of `end_state`",
    fields: &["must_look", "says", "leaves_out"],
    synonyms: &[("look", "must_look"), ("say", "says")],
};

static REPLY: FieldNames = FieldNames {
    noun: "the settings of replies",
    fields: &["max_words", "today", "now", "candidates", "after_calls"],
    synonyms: &[("words", "max_words"), ("length", "max_words"), ("things", "candidates")],
};

/// The names whose settings are checked.
const KNOWN: [&str; 5] = ["chatbot", "end_state", "keywords", "reply", "retrieval"];

/// Notes what scorers would not understand of what they are told.
pub(crate) fn check_more(more: &Map<String, Value>, trail: &Trail<'_>, findings: &SuiteFindings) {
    for (scorer, settings) in more {
        let here = trail.key(scorer);
        let settings = settings.clone();
        match scorer.as_str() {
            "chatbot" => check_chatbot(settings, &here, findings),
            "end_state" => check_end_state(settings, &here, findings),
            "keywords" => check_keywords(settings, &here, findings),
            "reply" => check_reply(settings, &here, findings),
            "retrieval" => check_retrieval(settings, &here, findings),
            other => {
                if let Some(near) = nearest(other, &KNOWN) {
                    let message = format!("no scorer takes settings by the name `{other}`");
                    findings.error_with(&here, message, format!("did you mean `{near}`?"));
                }
            }
        }
    }
}

fn check_chatbot(settings: Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    let Some(mut fields) = ObjectFields::open(settings, &CHATBOT, trail, findings) else { return };
    one_of(&mut fields, "tools", &["all", "any", "graded"]);
    one_of(&mut fields, "keywords", &["plain", "understood"]);
    one_of(&mut fields, "quality", &["facts", "both"]);
    let Some(weights) = fields.take("weights") else { return };
    let here = trail.key("weights");
    let Some(mut weights) = ObjectFields::open(weights, &WEIGHTS, &here, findings) else { return };
    let given: Vec<Option<f64>> = WEIGHTS.fields.iter().map(|part| weights.amount(part)).collect();
    // Weights that are not given have defaults above zero.
    if given.iter().all(|weight| *weight == Some(0.0)) {
        findings.error(&here, "at least one part must be worth something");
    }
}

fn check_end_state(settings: Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    let Some(mut fields) = ObjectFields::open(settings, &END_STATE, trail, findings) else {
        return;
    };
    fields.flag("must_look");
    fields.list("says");
    fields.list("leaves_out");
}

fn check_keywords(settings: Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    let Some(mut fields) = ObjectFields::open(settings, &KEYWORDS, trail, findings) else { return };
    one_of(&mut fields, "dates", &["month_first", "day_first"]);
    if let Some(least) = fields.amount("likeness")
        && !(least > 0.0 && least <= 1.0)
    {
        let hint = "write `likeness: 0.8`; it needs a server with `/v1/embeddings`".to_owned();
        let message = "`likeness` is above 0 and at most 1";
        findings.error_with(&trail.key("likeness"), message, hint);
    }
    let Some(synonyms) = fields.take("synonyms") else { return };
    let here = trail.key("synonyms");
    let hint = "write `synonyms: [[boiler, furnace], [dues, fee]]`".to_owned();
    let is_texts =
        |group: &Value| group.as_array().is_some_and(|all| all.iter().all(Value::is_string));
    let message = match &synonyms {
        Value::Array(groups) => groups.iter().find(|group| !is_texts(group)).map(|group| {
            format!("a group of synonyms is {}, but should be a list of texts", kind(group))
        }),
        Value::Object(groups) => {
            let wrong = groups.iter().find(|(_, others)| !others.is_string() && !is_texts(others));
            wrong.map(|(word, _)| format!("the synonyms of `{word}` should be a list of texts"))
        }
        other => Some(format!("`synonyms` is {}, but should be a list", kind(other))),
    };
    if let Some(message) = message {
        findings.error_with(&here, message, hint);
    }
}

fn check_retrieval(settings: Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    let Some(mut fields) = ObjectFields::open(settings, &RETRIEVAL, trail, findings) else {
        return;
    };
    fields.whole("k", 1);
    one_of(&mut fields, "value", &["f1", "ndcg"]);
}

fn check_reply(settings: Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    let Some(mut fields) = ObjectFields::open(settings, &REPLY, trail, findings) else { return };
    fields.whole("max_words", 1);
    if let Some(today) = fields.text("today")
        && !is_day(&today)
    {
        let message = format!("`{today}` is no day such as `2026-03-31`");
        findings.error(&trail.key("today"), message);
    }
    if let Some(now) = fields.text("now")
        && !is_time(&now)
    {
        findings.error(&trail.key("now"), format!("`{now}` is no time of day such as `18:42`"));
    }
    fields.flag("after_calls");
    if let Some(lists) = fields.take("candidates")
        && let Err(why) = Candidates::lists(&lists)
    {
        findings.error(&trail.key("candidates"), why);
    }
}

/// Whether a text is a day of a year, as facts write dates.
fn is_day(text: &str) -> bool {
    text.split('-').count() == 3 && ExpectedFact::try_from(json!({ "date": text })).is_ok()
}

fn is_time(text: &str) -> bool {
    ExpectedFact::try_from(json!({ "time": text })).is_ok()
}

fn one_of(fields: &mut ObjectFields<'_>, key: &str, words: &[&str]) {
    let Some(word) = fields.text(key) else { return };
    if !words.contains(&word.as_str()) {
        let hint = format!("it takes {}", enumerate(words));
        let message = format!("`{key}` cannot be `{word}`");
        fields.findings.error_with(&fields.trail.key(key), message, hint);
    }
}
