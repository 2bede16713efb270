//! How the answer to a question is described: tools, keywords, facts, documents, proof and a
//! budget.

use indexmap::IndexMap;
use indexmap::map::Entry;
use regex::RegexBuilder;
use serde_json::Value;
use toolgauge_core::{ExpectedAnswer, ExpectedFact, Keyword, Proof};

use crate::fields::{FieldNames, ObjectFields, kind};
use crate::trail::{SuiteFindings, Trail};

pub(crate) static ANSWER: FieldNames = FieldNames {
    noun: "an expected answer",
    fields: &["tools", "keywords", "facts", "documents", "proof", "reference", "rubric", "seconds"],
    synonyms: &[
        ("tool", "tools"),
        ("expected_tools", "tools"),
        ("calls", "tools"),
        ("keyword", "keywords"),
        ("expected_keywords", "keywords"),
        ("expected_content", "keywords"),
        ("contains", "keywords"),
        ("words", "keywords"),
        ("fact", "facts"),
        ("states", "facts"),
        ("relevant_documents", "documents"),
        ("sources", "documents"),
        ("sql", "proof"),
        ("text", "reference"),
        ("expected_answer", "reference"),
        ("criteria", "rubric"),
        ("latency", "seconds"),
        ("budget", "seconds"),
        ("max_seconds", "seconds"),
    ],
};

pub(crate) static KEYWORD: FieldNames = FieldNames {
    noun: "a keyword",
    fields: &["any_of", "not", "regex"],
    synonyms: &[
        ("or", "any_of"),
        ("one_of", "any_of"),
        ("forbidden", "not"),
        ("without", "not"),
        ("pattern", "regex"),
        ("matches", "regex"),
    ],
};

pub(crate) static FACT: FieldNames = FieldNames {
    noun: "a fact",
    fields: &[
        "truth",
        "yes",
        "no",
        "number",
        "unit",
        "tolerance",
        "about",
        "not",
        "date",
        "time",
        "one",
        "set",
        "of",
        "phrase",
        "refusal",
        "unknown",
        "question",
        "small_talk",
        "any_of",
    ],
    synonyms: &[
        ("value", "number"),
        ("amount", "number"),
        ("day", "date"),
        ("items", "set"),
        ("all", "set"),
        ("candidates", "of"),
        ("text", "phrase"),
        ("says", "phrase"),
        ("or", "any_of"),
        ("clarification", "question"),
        ("error", "refusal"),
    ],
};

pub(crate) static PROOF: FieldNames = FieldNames {
    noun: "a proof",
    fields: &["sql", "empty", "document", "passage"],
    synonyms: &[
        ("query", "sql"),
        ("file", "document"),
        ("source", "document"),
        ("text", "passage"),
        ("quote", "passage"),
    ],
};

/// Reads what a question demands of its answer.
pub(crate) fn read_answer(
    value: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<ExpectedAnswer> {
    let mut fields = ObjectFields::open(value, &ANSWER, trail, findings)?;
    let tools =
        fields.take("tools").map(|value| read_names(value, "tools", &trail.key("tools"), findings));
    let keywords = fields.take("keywords").map(one_or_list).unwrap_or_default();
    let facts = fields.take("facts").map(one_or_list).unwrap_or_default();
    let documents = fields.take("documents");
    let proof = fields.take("proof").map(one_or_list).unwrap_or_default();
    let here = trail.key("keywords");
    let keywords = keywords.into_iter().enumerate();
    let keywords = keywords
        .filter_map(|(index, item)| read_keyword(item, &here.index(index), findings))
        .collect();
    let here = trail.key("facts");
    let facts = facts.into_iter().enumerate();
    let facts =
        facts.filter_map(|(index, item)| read_fact(item, &here.index(index), findings)).collect();
    let here = trail.key("proof");
    let proof = proof.into_iter().enumerate();
    let proof =
        proof.filter_map(|(index, item)| read_proof(item, &here.index(index), findings)).collect();
    Some(ExpectedAnswer {
        tools,
        keywords,
        facts,
        documents: documents
            .map(|value| read_documents(value, &trail.key("documents"), findings))
            .unwrap_or_default(),
        proof,
        reference: fields.text("reference"),
        rubric: fields.text("rubric"),
        seconds: read_seconds(&mut fields),
    })
}

/// A list as it is; anything else as a list of one.
fn one_or_list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        other => vec![other],
    }
}

/// Reads a list of names, or one name alone.
fn read_names(
    value: Value,
    what: &str,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Vec<String> {
    let mut names = Vec::new();
    for (index, item) in one_or_list(value).into_iter().enumerate() {
        match item {
            Value::String(name) if !name.trim().is_empty() => names.push(name),
            Value::String(_) => findings.error(&trail.index(index), "this name is empty"),
            other => {
                let message = format!("`{what}` holds {}, but should hold names", kind(&other));
                findings.error(&trail.index(index), message);
            }
        }
    }
    names
}

/// Reads one keyword: a text, a number, or an object with one of three keys.
fn read_keyword(item: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Keyword> {
    if let Value::Object(object) = &item {
        // Names are checked first: for a misspelt key the general message would not say which is
        // meant.
        let before = findings.len();
        ObjectFields::open(item.clone(), &KEYWORD, trail, findings)?;
        if findings.len() > before {
            return None;
        }
        if object.len() != 1 {
            let hint = "write each as a keyword of its own".to_owned();
            let message = "a keyword has exactly one of `any_of`, `not`, `regex`";
            findings.error_with(trail, message, hint);
            return None;
        }
    }
    let keyword = match Keyword::from_value(item) {
        Ok(keyword) => keyword,
        Err(why) => {
            findings.error(trail, why);
            return None;
        }
    };
    check_keyword(keyword, trail, findings)
}

/// A keyword that can be found, and can be missed.
fn check_keyword(keyword: Keyword, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Keyword> {
    const EMPTY: &str = "an empty keyword is in every answer";
    let is_empty = |text: &String| text.trim().is_empty();
    match &keyword {
        Keyword::Text(text) if is_empty(text) => findings.error(trail, EMPTY),
        Keyword::Not(text) if is_empty(text) => findings.error(&trail.key("not"), EMPTY),
        Keyword::AnyOf(texts) if texts.is_empty() => {
            findings.error(&trail.key("any_of"), "`any_of` names at least one text");
        }
        Keyword::AnyOf(texts) if texts.iter().any(is_empty) => {
            findings.error(&trail.key("any_of"), EMPTY);
        }
        Keyword::Regex(pattern) => {
            // The size is bounded as it is where the expression is used.
            let Err(error) = RegexBuilder::new(pattern).case_insensitive(true).build() else {
                return Some(keyword);
            };
            let error = error.to_string();
            let why = error.lines().last().unwrap_or_default();
            let why = why.strip_prefix("error: ").unwrap_or(why);
            let message = format!("`{pattern}` is not a regular expression: {why}");
            findings.error(&trail.key("regex"), message);
        }
        _ => return Some(keyword),
    }
    None
}

/// Reads one fact. Keys that belong to no fact are noted first, with the one that was meant.
fn read_fact(item: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<ExpectedFact> {
    let before = findings.len();
    ObjectFields::open(item.clone(), &FACT, trail, findings)?;
    if findings.len() > before {
        return None;
    }
    let fact = ExpectedFact::try_from(item).map_err(|why| findings.error(trail, why)).ok()?;
    for (key, text) in wordless(&fact) {
        let message = format!("`{text}` has no word that a reply could say");
        findings.error(&trail.key(key), message);
    }
    Some(fact)
}

/// Texts of a fact that are looked for word by word and have none.
fn wordless(fact: &ExpectedFact) -> Vec<(&'static str, &str)> {
    let lists: [(&'static str, &[String]); 2] = match fact {
        ExpectedFact::Truth { yes, no, .. } => [("yes", yes), ("no", no)],
        ExpectedFact::Phrase { phrase, not } => [("phrase", phrase), ("not", not)],
        ExpectedFact::AnyOf(ways) => return ways.iter().flat_map(wordless).collect(),
        _ => return Vec::new(),
    };
    let all = lists.into_iter().flat_map(|(key, texts)| texts.iter().map(move |text| (key, text)));
    all.filter(|(_, text)| !text.contains(char::is_alphanumeric))
        .map(|(key, text)| (key, text.as_str()))
        .collect()
}

/// Reads documents: a list, in which all are as relevant, or a mapping to how relevant each is.
fn read_documents(
    value: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> IndexMap<String, f64> {
    let Value::Object(graded) = value else {
        let mut documents = IndexMap::new();
        let names = read_names(value, "documents", trail, findings);
        for (index, name) in names.into_iter().enumerate() {
            match documents.entry(name) {
                Entry::Vacant(entry) => _ = entry.insert(1.0),
                Entry::Occupied(entry) => {
                    let message = format!("the document `{}` is given twice", entry.key());
                    findings.error(&trail.index(index), message);
                }
            }
        }
        return documents;
    };
    let mut documents = IndexMap::with_capacity(graded.len());
    for (name, grade) in graded {
        if let Some(grade) = grade.as_f64().filter(|grade| *grade >= 0.0) {
            documents.insert(name, grade);
        } else {
            let hint = "write `documents: {lease.md: 3, notes.md: 1}`, or a list of names";
            let shown = if grade.is_number() { grade.to_string() } else { kind(&grade).to_owned() };
            let message = format!(
                "the relevance of `{name}` is {shown}, but should be a number that is not negative"
            );
            findings.error_with(&trail.key(&name), message, hint.to_owned());
        }
    }
    documents
}

/// Reads one proof: a query, or a passage of a document.
fn read_proof(item: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Proof> {
    let mut fields = ObjectFields::open(item, &PROOF, trail, findings)?;
    let form = "write `{sql: …}`, or `{document: …, passage: …}`".to_owned();
    let (by_query, by_document) = (fields.has("sql"), fields.has("document"));
    if by_query == by_document {
        let message = if by_query {
            "a proof is a query or a passage, not both"
        } else {
            "a proof is a query, or a passage of a document"
        };
        findings.error_with(trail, message, form);
        return None;
    }
    if by_query && fields.has("passage") {
        findings.error_with(&trail.key("passage"), "a `passage` stands in a `document`", form);
    } else if by_document && fields.has("empty") {
        let message = "only a query can prove by finding nothing";
        findings.error_with(&trail.key("empty"), message, form);
    } else if by_document && !fields.has("passage") {
        fields.missing("passage", "write words of the document that hold the answer");
        return None;
    }
    let text = |fields: &mut ObjectFields<'_>, key| {
        let text = fields.text(key)?;
        if text.trim().is_empty() {
            findings.error(&trail.key(key), format!("`{key}` is empty"));
        }
        Some(text)
    };
    Some(Proof {
        sql: text(&mut fields, "sql"),
        empty: fields.flag("empty").unwrap_or_default(),
        document: text(&mut fields, "document"),
        passage: text(&mut fields, "passage"),
    })
}

fn read_seconds(fields: &mut ObjectFields<'_>) -> Option<f64> {
    let seconds = fields.amount("seconds")?;
    if seconds <= 0.0 {
        let message = "nothing is answered in no time at all";
        fields.findings.error(&fields.trail.key("seconds"), message);
    }
    Some(seconds)
}
