//! Golden questions as teams with a chatbot commonly keep them, read unchanged.
//!
//! Each row has a `question` and what is expected of the answer: `expected_tools`, and
//! `expected_keywords` or `expected_content`. `category`, `type` and `difficulty` become tags.
//! `context` as a list is what was said before: a conversation in which person and chatbot take
//! turns. As a text it is a note about the question ("why this question matters"), which a chatbot
//! must not see; it becomes metadata, and so does what else a row holds. A number that the answer
//! must state (`validation_params`) becomes a fact. A field that looks like an expectation and is
//! none that is known is handed on as one, so that reading the case complains about it.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The fields by which a row with a `question` is known to be one of these.
const SIGNS: [&str; 6] =
    ["expected_tools", "expected_keywords", "expected_content", "category", "type", "context"];

/// The fields that slice results.
const TAGS: [&str; 3] = ["category", "type", "difficulty"];

/// How many letters of a question its name is made of.
const NAME_LENGTH: usize = 48;

/// A row in the form of a suite; anything else as it is. `taken` tells which names are given.
pub(crate) fn converted(value: Value, taken: &dyn Fn(&str) -> bool) -> Value {
    match value {
        Value::Object(row) if is_golden(&row) => convert(row, taken),
        other => other,
    }
}

fn is_golden(row: &Map<String, Value>) -> bool {
    row.get("question").is_some_and(Value::is_string)
        && !["say", "expect"].iter().any(|own| row.contains_key(*own))
        && SIGNS.iter().any(|sign| row.contains_key(*sign))
}

fn convert(mut row: Map<String, Value>, taken: &dyn Fn(&str) -> bool) -> Value {
    let question = take(&mut row, "question").unwrap_or_default();
    let context = take(&mut row, "context");
    let id = take(&mut row, "id").or_else(|| take(&mut row, "question_id"));
    let id = id.unwrap_or_else(|| json!(name(&question, context.as_ref(), taken)));
    let mut answer = answer(&mut row);
    validation(&mut row, &mut answer);
    for unknown in row.keys().filter(|name| expects(name)).cloned().collect::<Vec<_>>() {
        answer.extend(take(&mut row, &unknown).map(|value| (unknown, value)));
    }
    let mut tags = Map::new();
    for tag in TAGS {
        // What is no single word cannot slice results, and stays with the metadata.
        if !row.get(tag).is_some_and(|value| value.is_array() || value.is_object()) {
            tags.extend(take(&mut row, tag).map(|value| (tag.to_owned(), value)));
        }
    }
    let mut case = json!({"id": id, "say": question, "expect": {"answer": answer}, "tags": tags});
    match context.map(conversation) {
        Some(Ok(messages)) if !messages.is_empty() => case["context"] = Value::Array(messages),
        Some(Err(other)) => _ = row.insert("context".into(), other),
        _ => {}
    }
    if !row.is_empty() {
        case["metadata"] = Value::Object(row);
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

/// Whether a field looks as if something was expected by it.
fn expects(field: &str) -> bool {
    ["expected", "expect_", "validation", "ground_truth", "must_"]
        .iter()
        .any(|start| field.starts_with(start))
}

/// Takes a number that the answer must state, within a tolerance. What has to be looked up first,
/// such as the income of a month, stays where it is.
fn validation(row: &mut Map<String, Value>, answer: &mut Map<String, Value>) {
    const NUMBERS: [&str; 6] =
        ["expected", "expected_value", "expected_amount", "expected_count", "value", "amount"];
    let Some(Value::Object(parameters)) = row.get("validation_params") else { return };
    let amount = |names: &[&str]| names.iter().find_map(|name| parameters.get(*name)?.as_f64());
    let Some(number) = amount(&NUMBERS) else { return };
    let share = amount(&["tolerance_pct", "tolerance_percent"]).map(|share| share / 100.0);
    let tolerance = amount(&["tolerance"]).or_else(|| Some(share? * number.abs()));
    let known = |name: &String| NUMBERS.contains(&&**name) || name.starts_with("tolerance");
    // A parameter that is not understood may change what the number means.
    if !parameters.keys().all(known) {
        return;
    }
    let fact = json!({"number": number, "tolerance": tolerance.unwrap_or(0.0)});
    row.shift_remove("validation_type");
    row.shift_remove("validation_params");
    answer.insert("facts".into(), json!([fact]));
}

/// What was said before, as messages; anything that is no conversation as it is.
fn conversation(context: Value) -> Result<Vec<Value>, Value> {
    match context {
        Value::String(text) if text.trim().is_empty() => Ok(Vec::new()),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let speakers = ["user", "assistant"].into_iter().cycle();
            Ok(speakers.zip(items).map(|(speaker, text)| json!({speaker: text})).collect())
        }
        Value::Array(items) if items.iter().all(is_message) => Ok(items),
        other => Err(other),
    }
}

fn is_message(item: &Value) -> bool {
    ["role", "user", "assistant"].iter().any(|key| item.get(key).is_some())
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

    fn free(_: &str) -> bool {
        false
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
        let case = |context: Value| {
            converted(json!({"question": "And now?", "category": "x", "context": context}), &free)
        };
        let note = case(json!("Why this question matters"));
        assert_eq!(note["metadata"], json!({"context": "Why this question matters"}));
        assert!(note.get("context").is_none(), "a note is not put to the chatbot");
        assert_eq!(case(json!(["a", "b"]))["context"], json!([{"user": "a"}, {"assistant": "b"}]));
        let messages = json!([{"role": "user", "content": "a"}]);
        assert_eq!(case(messages.clone())["context"], messages);
        let other = case(json!({"unit": 4}));
        assert_eq!(other["metadata"], json!({"context": {"unit": 4}}));
        assert!(other.get("context").is_none());
        assert!(case(Value::Null).get("context").is_none());
    }

    #[test]
    fn a_number_with_a_tolerance_is_a_fact_and_other_expectations_stay_expectations() {
        let case = |more: Value| {
            let mut row = json!({"question": "How much?", "category": "x"});
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            converted(row, &free)
        };
        let numeric = case(json!({"validation_type": "amount",
            "validation_params": {"expected_value": 3920.0, "tolerance_pct": 1}}));
        let fact = json!([{"number": 3920.0, "tolerance": 39.2}]);
        assert_eq!(numeric["expect"]["answer"]["facts"], fact);
        assert!(numeric.get("metadata").is_none(), "{numeric}");
        let looked_up = json!({"validation_type": "monthly_income",
            "validation_params": {"month": "2025-05"}});
        assert_eq!(case(looked_up.clone())["expect"]["answer"], looked_up);
        let entities = json!({"expected_entities": ["Ada"]});
        assert_eq!(case(entities.clone())["expect"]["answer"], entities);
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
    }
}
