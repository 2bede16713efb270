//! Golden questions as teams with a chatbot commonly keep them, read unchanged.
//!
//! Each row has a `question` and what is expected of the answer: `expected_tools`, and
//! `expected_keywords` or `expected_content`. `category`, `type` and `difficulty` become tags.
//! What was said before stands in `history` or a field like it, or in `context` as messages that name
//! their speakers. A `context` of texts is a note about the question ("why this question matters") or
//! the passages that answer it, which a chatbot must not see; it becomes metadata, and so does what
//! else a row holds. A number that the answer
//! must state (`validation_params`) becomes a fact, beside the keywords. A field that looks like an
//! expectation and is none that is known is an error: what is not scored would look like a pass.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::golden_fields::{expects, snake_case};
use crate::nearest::enumerate;
use crate::trail::{SuiteFindings, Trail};

/// The fields by which something is expected of an answer.
const EXPECTATIONS: [&str; 7] = [
    "expected_tools",
    "expected_keywords",
    "expected_content",
    "expected_answer",
    "relevant_documents",
    "validation_type",
    "validation_params",
];

/// The fields that slice results.
const TAGS: [&str; 3] = ["category", "type", "difficulty"];

/// The fields that hold what was said before. Texts in them are of person and chatbot in turn.
const CONVERSATIONS: [&str; 6] =
    ["history", "chat_history", "conversation", "conversation_history", "messages", "turns"];

/// How many letters of a question its name is made of.
const NAME_LENGTH: usize = 48;

/// A row in the form of a suite; anything else as it is. `taken` tells which names are given.
pub(crate) fn converted(
    value: Value,
    taken: &dyn Fn(&str) -> bool,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Value {
    match value {
        Value::Object(row) if is_golden(&row) => convert(row, taken, trail, findings),
        other => other,
    }
}

fn is_golden(row: &Map<String, Value>) -> bool {
    row.get("question").is_some_and(Value::is_string)
        && !["say", "expect"].iter().any(|own| row.contains_key(*own))
        && row.keys().any(|field| is_sign(field))
}

/// Whether a field beside a `question` makes a row one of these, and no case in which `say` is
/// written as `question`.
fn is_sign(field: &str) -> bool {
    TAGS.contains(&field)
        || EXPECTATIONS.contains(&field)
        || matches!(field, "context" | "question_id")
        || expects(field)
}

fn convert(
    mut row: Map<String, Value>,
    taken: &dyn Fn(&str) -> bool,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Value {
    let question = take(&mut row, "question").unwrap_or_default();
    let context = before(&mut row, trail, findings);
    let id = take(&mut row, "id").or_else(|| take(&mut row, "question_id"));
    let beside = context.as_ref().or_else(|| row.get("context"));
    let id = id.unwrap_or_else(|| json!(name(&question, beside, taken)));
    let mut answer = answer(&mut row);
    validation(&mut row, &mut answer);
    note_unknown(&row, trail, findings);
    let mut tags = Map::new();
    for tag in TAGS {
        // What is no single word cannot slice results, and stays with the metadata.
        if !row.get(tag).is_some_and(|value| value.is_array() || value.is_object()) {
            tags.extend(take(&mut row, tag).map(|value| (tag.to_owned(), value)));
        }
    }
    let mut expect = json!({"answer": answer});
    if answer.contains_key("facts") && answer.contains_key("keywords") {
        // In a suite of ours facts replace keywords; whoever wrote this row meant both.
        expect["more"] = json!({"chatbot": {"quality": "both"}});
    }
    let mut case = json!({"id": id, "say": question, "expect": expect, "tags": tags});
    if let Some(context) = context {
        case["context"] = context;
    }
    let mut metadata = match take(&mut row, "metadata") {
        Some(Value::Object(metadata)) => metadata,
        Some(other) => Map::from_iter([("metadata".to_owned(), other)]),
        None => Map::new(),
    };
    metadata.extend(row);
    if !metadata.is_empty() {
        case["metadata"] = Value::Object(metadata);
    }
    case
}

/// Takes a field; one left empty is not there.
fn take(row: &mut Map<String, Value>, name: &str) -> Option<Value> {
    row.shift_remove(name).filter(|value| !value.is_null())
}

fn answer(row: &mut Map<String, Value>) -> Map<String, Value> {
    let mut answer = Map::new();
    if let Some(tools) = take(row, "expected_tools") {
        answer.insert("tools".into(), tools);
    }
    let keywords = [take(row, "expected_keywords"), take(row, "expected_content")];
    let items = |value| match value {
        Value::Array(items) => items,
        other => vec![other],
    };
    let keywords: Vec<Value> = keywords.into_iter().flatten().flat_map(items).collect();
    if !keywords.is_empty() {
        answer.insert("keywords".into(), Value::Array(keywords));
    }
    for (theirs, ours) in [("relevant_documents", "documents"), ("expected_answer", "reference")] {
        if let Some(value) = take(row, theirs) {
            answer.insert(ours.into(), value);
        }
    }
    answer
}

/// Notes the fields by which something seems to be expected that nobody would look at.
pub(crate) fn note_unknown(row: &Map<String, Value>, trail: &Trail<'_>, findings: &SuiteFindings) {
    let is_empty = |value: &Value| match value {
        Value::String(text) => text.trim().is_empty(),
        other => other.is_null(),
    };
    for (field, _) in row.iter().filter(|(name, value)| expects(name) && !is_empty(value)) {
        let (message, hint) = told(field);
        findings.error_with(&trail.key(field), message, hint);
    }
}

/// What is said of a field that expects something and is not understood, and what would be right.
fn told(field: &str) -> (String, String) {
    if EXPECTATIONS.contains(&field) {
        let message = format!("`{field}` asks for something that is not understood");
        let hint = "it takes one number, such as `\"validation_params\": {\"expected_value\": 3920, \
                    \"tolerance_pct\": 1}`";
        return (message, hint.to_owned());
    }
    let message = format!("`{field}` looks like an expectation, but is none that is scored");
    let hint = match EXPECTATIONS.iter().find(|known| **known == snake_case(field)) {
        Some(known) => format!("write it as `{known}`"),
        None => {
            format!("scored are {}; a mere note stands in `metadata`", enumerate(&EXPECTATIONS))
        }
    };
    (message, hint)
}

/// Takes a number that the answer must state, within a tolerance. What has to be looked up first,
/// such as the income of a month, stays where it is, and so does what could mean two things.
fn validation(row: &mut Map<String, Value>, answer: &mut Map<String, Value>) {
    if let Some(fact) = row.get("validation_params").and_then(validated_number) {
        row.shift_remove("validation_type");
        row.shift_remove("validation_params");
        answer.insert("facts".into(), json!([fact]));
    }
}

/// The number that parameters name, if they name one and nothing that is not understood, which may
/// change what the number means.
fn validated_number(parameters: &Value) -> Option<Value> {
    const NUMBERS: [&str; 6] =
        ["expected", "expected_value", "expected_amount", "expected_count", "value", "amount"];
    let (mut number, mut tolerance, mut share) = (None, None, None);
    for (name, value) in parameters.as_object()?.iter().filter(|(_, value)| !value.is_null()) {
        let place = match snake_case(name).as_str() {
            name if NUMBERS.contains(&name) => &mut number,
            "tolerance" => &mut tolerance,
            "tolerance_pct" | "tolerance_percent" => &mut share,
            _ => return None,
        };
        if place.replace(value.as_f64()?).is_some() {
            return None;
        }
    }
    let number = number?;
    let tolerance = match (tolerance, share) {
        (Some(_), Some(_)) => return None,
        (Some(tolerance), None) => tolerance,
        (None, share) => share.unwrap_or_default() / 100.0 * number.abs(),
    };
    Some(json!({"number": number, "tolerance": tolerance}))
}

/// Takes what was said before, as messages. Of several fields, one is taken and the rest are told of.
fn before(
    row: &mut Map<String, Value>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Value> {
    let note = row.get("context").is_none_or(|context| !names_speakers(context));
    let mut before = if note { None } else { take(row, "context") };
    for field in CONVERSATIONS {
        match take(row, field).map(conversation) {
            Some(Some(messages)) if messages.is_empty() => {}
            Some(Some(messages)) if before.is_none() => before = Some(Value::Array(messages)),
            Some(_) => {
                let message = format!("`{field}` is no conversation that is understood");
                let hint = "a conversation stands in one field, as messages such as `{\"user\": \
                            \"…\"}` or as texts in which person and chatbot take turns";
                findings.error_with(&trail.key(field), message, hint.to_owned());
            }
            None => {}
        }
    }
    before
}

/// The messages of a conversation; `None` if it is none.
fn conversation(before: Value) -> Option<Vec<Value>> {
    match before {
        Value::String(text) if text.trim().is_empty() => Some(Vec::new()),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let speakers = ["user", "assistant"].into_iter().cycle();
            Some(speakers.zip(items).map(|(speaker, text)| json!({speaker: text})).collect())
        }
        messages if names_speakers(&messages) => match messages {
            Value::Array(items) => Some(items),
            _ => None,
        },
        _ => None,
    }
}

/// Whether this is a list with a message that says who speaks. What is wrong with the others is told
/// where messages are read.
fn names_speakers(context: &Value) -> bool {
    let speaks = |item: &Value| {
        ["role", "user", "assistant", "system", "call"].iter().any(|key| item.get(key).is_some())
    };
    context.as_array().is_some_and(|items| items.iter().any(speaks))
}

/// The name of a question that has none: its words, and what tells it from others like it.
///
/// It stays the same wherever in the file the question stands.
fn name(question: &Value, context: Option<&Value>, taken: &dyn Fn(&str) -> bool) -> String {
    let question = question.as_str().unwrap_or_default();
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let whole = words.join("-");
    let mut name: String = whole.chars().take(NAME_LENGTH).collect();
    // Words alone tell two such questions apart no longer, so a hash of everything is added.
    if name.len() < whole.len() || name.is_empty() || context.is_some() {
        let mut sha256 = Sha256::new();
        sha256.update(question);
        sha256.update(context.map(Value::to_string).unwrap_or_default());
        let digest = sha256.finalize();
        let name_end = if name.is_empty() { "question" } else { name.trim_end_matches('-') };
        name = format!("{name_end}-{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2]);
    }
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !taken(name))
        .expect("there are more numbers than cases")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::Origin;

    fn free(_: &str) -> bool {
        false
    }

    /// A row as it is converted, and how many problems were noted.
    fn noted(row: Value, taken: &dyn Fn(&str) -> bool) -> (Value, usize) {
        let findings = SuiteFindings::default();
        let trail = Origin::document(0).trail();
        (super::converted(row, taken, &trail, &findings), findings.len())
    }

    fn converted(row: Value, taken: &dyn Fn(&str) -> bool) -> Value {
        noted(row, taken).0
    }

    #[test]
    fn a_row_becomes_a_case() {
        let row = json!({
            "question": "What did we pay for 900 S 9th St?",
            "category": "property_info",
            "expected_tools": ["query_database"],
            "expected_keywords": ["442300"],
            "type": "factual",
            "difficulty": 2,
            "source": "interview",
        });
        assert_eq!(
            converted(row, &free),
            json!({
                "id": "what-did-we-pay-for-900-s-9th-st",
                "say": "What did we pay for 900 S 9th St?",
                "expect": {"answer": {"tools": ["query_database"], "keywords": ["442300"]}},
                "tags": {"category": "property_info", "type": "factual", "difficulty": 2},
                "metadata": {"source": "interview"},
            })
        );
    }

    #[test]
    fn content_is_another_word_for_keywords() {
        let row = json!({"question": "Who?", "expected_content": "Ada", "expected_tools": null});
        let case = converted(row, &free);
        assert_eq!(case["expect"]["answer"], json!({"keywords": ["Ada"]}));
    }

    #[test]
    fn what_was_said_before_comes_before() {
        let said = json!([{"user": "a"}, {"assistant": "b"}]);
        for field in ["history", "chat_history", "conversation", "messages", "turns"] {
            let (case, problems) = with(&json!({field: ["a", "b"]}));
            assert_eq!((&case["context"], problems), (&said, 0), "{field}");
            assert_eq!(with(&json!({field: said})).0["context"], said, "{field}");
            assert_eq!(with(&json!({field: []})).1, 0, "{field}");
            for other in [json!("a"), json!([["a", "b"]]), json!({"a": "b"})] {
                assert_eq!(with(&json!({field: other})).1, 1, "{field}: {other}");
            }
        }
        let messages = json!([{"role": "user", "content": "a"}]);
        assert_eq!(with(&json!({"context": messages})).0["context"], messages);
        assert_eq!(with(&json!({"context": messages, "history": ["a"]})).1, 1, "one conversation");
    }

    #[test]
    fn a_context_without_speakers_is_a_note_and_not_put_to_the_chatbot() {
        for note in [
            json!("Why this question matters"),
            json!(["The rent of unit 2B is 1450 dollars."]),
            json!(["one passage", "another"]),
            json!([{"content": "a passage", "source": "deed.md"}]),
            json!({"unit": 4}),
        ] {
            let (case, problems) = with(&json!({"context": note}));
            assert_eq!(case["metadata"], json!({"context": note}));
            assert!(case.get("context").is_none(), "{note}");
            assert_eq!(problems, 0, "{note}");
        }
        assert!(with(&json!({"context": null})).0.get("context").is_none());
    }

    fn with(more: &Value) -> (Value, usize) {
        let mut row = json!({"question": "How much?", "category": "x"});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        noted(row, &free)
    }

    #[test]
    fn a_number_with_a_tolerance_is_a_fact_beside_the_keywords() {
        let (numeric, problems) = with(&json!({"validation_type": "amount",
            "validation_params": {"expected_value": 3920.0, "tolerance_pct": 1}}));
        let fact = json!([{"number": 3920.0, "tolerance": 39.2}]);
        assert_eq!(numeric["expect"], json!({"answer": {"facts": fact}}));
        assert!(numeric.get("metadata").is_none(), "{numeric}");
        assert_eq!(problems, 0);
        let (both, _) = with(&json!({"expected_keywords": ["May"],
            "validation_params": {"expectedValue": 3920.0, "tolerance": 39.2}}));
        let answer = json!({"keywords": ["May"], "facts": fact});
        let more = json!({"chatbot": {"quality": "both"}});
        assert_eq!(both["expect"], json!({"answer": answer, "more": more}));
    }

    #[test]
    fn an_expectation_that_is_not_understood_is_a_problem() {
        for field in ["expectedEntities", "assert", "answer_regex", "ground_truth", "label"] {
            assert_eq!(with(&json!({field: ["Ada"]})).1, 1, "{field}");
            assert_eq!(with(&json!({field: null})).1, 0, "{field}");
            assert_eq!(with(&json!({field: " "})).1, 0, "{field}");
        }
        let (noted, problems) = with(&json!({"notes": "Ada", "metadata": {"label": 1, "page": 2}}));
        assert_eq!(problems, 0);
        assert_eq!(noted["metadata"], json!({"label": 1, "page": 2, "notes": "Ada"}));
    }

    #[test]
    fn parameters_that_could_mean_something_else_are_a_problem() {
        for parameters in [
            json!({"month": "2025-05"}),
            json!({"expected_value": 3920, "month": "2025-05"}),
            json!({"expected_value": 3920, "expected_count": 4}),
            json!({"expected_value": "$3,920"}),
            json!({"expected_value": 3920, "tolerance": "5%"}),
            json!({"expected_value": 3920, "tolerance": 5, "tolerance_pct": 5}),
            json!({"expected_value": 3920, "tolerance_ratio": 0.1}),
            json!(3920),
        ] {
            let problems = with(&json!({"validation_params": parameters})).1;
            assert_eq!(problems, 1, "{parameters}");
        }
    }

    #[test]
    fn names_tell_questions_apart() {
        let id = |row: Value, taken: &dyn Fn(&str) -> bool| converted(row, taken)["id"].clone();
        let long = "Which of the leases that end next year have an option to renew";
        let one = id(json!({"question": format!("{long}?"), "type": "x"}), &free);
        let two = id(json!({"question": format!("{long} early?"), "type": "x"}), &free);
        assert_ne!(one, two);
        let again = |name: &str| name == "who";
        assert_eq!(id(json!({"question": "Who?", "type": "x"}), &again), json!("who-2"));
        assert_eq!(id(json!({"question": "Who?", "type": "x", "id": "q7"}), &again), json!("q7"));
        let odd = id(json!({"question": "???", "type": "x"}), &free);
        assert!(odd.as_str().unwrap().starts_with("question-"), "{odd}");
    }

    #[test]
    fn other_rows_are_left_alone() {
        for row in [json!({"id": "a", "say": "b"}), json!({"id": "a", "question": "b"})] {
            assert_eq!(converted(row.clone(), &free), row);
        }
        for sign in ["difficulty", "question_id", "expected_answer", "relevant_documents"] {
            let case = converted(json!({"question": "Who?", sign: "a"}), &free);
            assert_eq!(case["say"], "Who?", "{sign}");
        }
    }
}
