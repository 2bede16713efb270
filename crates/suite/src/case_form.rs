//! How a case is written: a sentence, and what is expected of whoever answers it.

use serde_json::{Map, Value};
use toolgauge_core::{ArgumentRules, Case, CaseId, Message, Tags};

use crate::conversation_form::read_conversation;
use crate::expectation_form::read_expectation;
use crate::fields::{FieldNames, ObjectFields, kind, word};
use crate::trail::{SuiteFindings, Trail};

pub(crate) static CASE: FieldNames = FieldNames {
    noun: "a case",
    fields: &["id", "say", "context", "expect", "tags", "group", "metadata"],
    synonyms: &[
        ("utterance", "say"),
        ("question", "say"),
        ("prompt", "say"),
        ("input", "say"),
        ("user", "say"),
        ("query", "say"),
        ("text", "say"),
        ("name", "id"),
        ("messages", "context"),
        ("history", "context"),
        ("expected", "expect"),
        ("expectation", "expect"),
        ("calls", "expect"),
        ("call", "expect"),
        ("category", "tags"),
    ],
};

/// What a case inherits from its suite and its file.
pub(crate) struct CaseDefaults<'a> {
    /// How plain arguments are compared.
    pub(crate) rules: ArgumentRules,
    /// Demands that belong to one scorer alone, by the scorer's name.
    pub(crate) more: &'a Map<String, Value>,
    /// Tags every case of the file has.
    pub(crate) tags: &'a Tags,
    /// What stands before every id of the file.
    pub(crate) prefix: &'a str,
}

/// What could be read of a case.
#[derive(Default)]
pub(crate) struct CaseReading {
    /// Its name, which must be its own even if the rest is wrong.
    pub(crate) id: Option<CaseId>,
    /// The case, if nothing is wrong with it.
    pub(crate) case: Option<Case>,
}

/// Reads one case.
pub(crate) fn read_case(
    value: Value,
    defaults: &CaseDefaults<'_>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> CaseReading {
    let before = findings.len();
    let Some(mut fields) = ObjectFields::open(value, &CASE, trail, findings) else {
        return CaseReading::default();
    };
    let own = read_id(&mut fields, defaults.prefix.len());
    let id = own.as_ref().map(|own| CaseId::new(format!("{}{own}", defaults.prefix)));
    let case = id.clone().and_then(|id| read_rest(id, fields, defaults));
    // A case of which some part was left out would be checked for what it does not say.
    let case = case.filter(|_| findings.len() == before).map(|mut case| {
        // The same case at several places of a suite is one case when it comes to doubt.
        if case.group.is_none() && !defaults.prefix.is_empty() {
            case.group = own.map(|own| own.as_str().to_owned());
        }
        case
    });
    CaseReading { id, case }
}

fn read_rest(
    id: CaseId,
    mut fields: ObjectFields<'_>,
    defaults: &CaseDefaults<'_>,
) -> Option<Case> {
    let (trail, findings) = (fields.trail, fields.findings);
    let say = fields.required_text("say", "write what the user says");
    let context = fields.list("context").unwrap_or_default();
    let mut input = read_conversation(context, &trail.key("context"), findings);
    let expectation = match fields.take("expect") {
        Some(expect) => read_expectation(expect, defaults.rules, &trail.key("expect"), findings),
        None => Some(toolgauge_core::Expectation {
            rules: defaults.rules,
            ..toolgauge_core::Expectation::default()
        }),
    };
    let expectation = expectation.map(|mut expectation| {
        // Touching an empty one would give it room that it does not need.
        if !defaults.more.is_empty() {
            inherit(&mut expectation.more, defaults.more);
        }
        understand_keywords(&mut expectation);
        expectation
    });
    let tags = read_tags(fields.take("tags"), defaults.tags, &trail.key("tags"), findings);
    let group = fields.word("group");
    let metadata = fields.object("metadata").unwrap_or_default();
    // Room for one, not for four: most cases are one sentence, and there may be very many.
    input.reserve_exact(1);
    input.push(Message::User { content: say? });
    let (expectation, metadata) = (expectation?, metadata.into());
    Some(Case { id, input, expectation, tools: None, tags, group, metadata })
}

/// Has keywords understood where no other rule is asked for. It is written into the case, because
/// a log from before this was the rule does not hold it and must be scored as it was.
pub(crate) fn understand_keywords(expectation: &mut toolgauge_core::Expectation) {
    if expectation.answer.as_ref().is_none_or(|answer| answer.keywords.is_empty()) {
        return;
    }
    let settings = expectation.more.entry("chatbot").or_insert_with(|| Map::new().into());
    if let Value::Object(settings) = settings {
        settings.entry("keywords").or_insert_with(|| "understood".into());
    }
}

/// Fills in what the suite demands and the case does not say itself, setting by setting.
fn inherit(own: &mut Map<String, Value>, suite: &Map<String, Value>) {
    for (scorer, settings) in suite {
        match (own.get_mut(scorer), settings) {
            (None, _) => _ = own.insert(scorer.clone(), settings.clone()),
            (Some(Value::Object(own)), Value::Object(settings)) => {
                for (name, setting) in settings {
                    own.entry(name.clone()).or_insert_with(|| setting.clone());
                }
            }
            (Some(_), _) => {}
        }
    }
}

/// The longest id, in bytes: it is part of a name in the log, which cannot be of any length.
const LONGEST_ID: usize = 1_000;

fn read_id(fields: &mut ObjectFields<'_>, prefix: usize) -> Option<CaseId> {
    if !fields.has("id") {
        let hint = "give each case a short name of its own, such as `lights-3`; results are \
                    compared by it from run to run";
        fields.missing("id", hint);
        return None;
    }
    let id = fields.word("id")?;
    let bad = id.is_empty() || id.trim() != id || id.contains(char::is_control);
    if bad {
        let hint = "it takes visible characters, with no space at either end".to_owned();
        let message = format!("`{}` cannot be an id", id.escape_debug());
        fields.findings.error_with(&fields.trail.key("id"), message, hint);
        return None;
    }
    if prefix + id.len() > LONGEST_ID {
        let beginning: String = id.chars().take(40).collect();
        let message = format!("the id `{beginning}…` is longer than {LONGEST_ID} bytes");
        let hint = "give the case a short name; tags and metadata hold the rest".to_owned();
        fields.findings.error_with(&fields.trail.key("id"), message, hint);
        return None;
    }
    Some(CaseId::new(id))
}

/// Reads tags on top of those that apply anyway.
pub(crate) fn read_tags(
    value: Option<Value>,
    defaults: &Tags,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Tags {
    let mut tags = defaults.clone();
    match value {
        None => {}
        Some(Value::Object(object)) => {
            for (name, value) in object {
                match word(&value) {
                    Some(word) => {
                        tags.insert(name, word);
                    }
                    None => findings.error(
                        &trail.key(&name),
                        format!("the tag `{name}` is {}, but should be a string", kind(&value)),
                    ),
                }
            }
            tags.shrink_to_fit();
        }
        Some(other) => {
            let hint = "write `tags: {difficulty: hard}`".to_owned();
            let message = format!("`tags` is {}, but should be a mapping", kind(&other));
            findings.error_with(trail, message, hint);
        }
    }
    tags
}
