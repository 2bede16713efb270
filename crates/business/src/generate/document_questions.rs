//! What can be asked of documents: what stands under a label, and the one amount or date of a
//! section.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;
use serde_json::{Value, json};
use toolgauge_core::english::MONTHS;

use super::candidate::{Candidate, CandidateProof, number_fact};
use crate::document::{BusinessDocument, DocumentKind};
use crate::documents::Documents;

/// The longest passage that proves an answer, in bytes.
const LONGEST_PASSAGE: usize = 300;

static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    let months = MONTHS.join("|");
    let date = format!(r"(?i:(?P<month>{months}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}))");
    let amount = r"\$(?P<amount>\d[\d,]*(?:\.\d+)?)(?P<times>\s?(?:million|billion|k\b|M\b))?";
    let share = r"(?P<share>\d+(?:\.\d+)?)\s?%";
    let pattern = format!(r"{date}|(?P<iso>\b\d{{4}}-\d{{2}}-\d{{2}}\b)|{amount}|{share}");
    Regex::new(&pattern).expect("the expression is valid")
});

static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let line =
        r"^[\s>*+-]*\**(?P<label>[A-Z][A-Za-z0-9 /&'’-]{2,40}?)\**\s*:\s*\**\s*(?P<value>\S.*)$";
    Regex::new(line).expect("the expression is valid")
});

/// A value that a document gives, typed.
struct DocumentValue {
    written: String,
    fact: Value,
    /// What people call it.
    noun: &'static str,
}

/// Every question that may be asked of these documents. Those that share a title with another are
/// left out, as are tables, which are no prose.
pub(super) fn candidates(documents: &Documents) -> Vec<Candidate> {
    let all: Vec<&BusinessDocument> = documents.below("").unwrap_or_default();
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &all {
        *titles.entry(document.title.as_str()).or_default() += 1;
    }
    let alone = |document: &&BusinessDocument| {
        titles[document.title.as_str()] == 1 && document.kind != DocumentKind::Csv
    };
    let own = all.into_iter().filter(alone);
    own.flat_map(|document| labelled(document).into_iter().chain(sections(document))).collect()
}

/// Lines such as `Late fee: $50`, where the label stands once.
fn labelled(document: &BusinessDocument) -> Vec<Candidate> {
    let mut lines: IndexMap<String, Vec<(&str, DocumentValue)>> = IndexMap::new();
    for line in document.text.lines().map(str::trim).filter(|line| line.len() <= LONGEST_PASSAGE) {
        let Some(found) = LABELLED.captures(line) else { continue };
        let label = found["label"].trim().to_lowercase();
        let mut given = values(&found["value"]);
        // A line that goes on before its value says more than the label.
        let is_value = |value: &DocumentValue| found["value"].starts_with(&value.written);
        if let Some(value) = given.pop().filter(|value| given.is_empty() && is_value(value)) {
            lines.entry(label).or_default().push((line, value));
        }
    }
    let asked = |(label, mut given): (String, Vec<(&str, DocumentValue)>)| {
        let (line, value) = given.pop().filter(|_| given.is_empty())?;
        let title = &document.title;
        let say = format!("According to “{title}”, what is the {label}?");
        let reference = format!("According to “{title}”, the {label} is {{}}.");
        Some(asked("document-label", document, (say, reference), line, value))
    };
    lines.into_iter().filter_map(asked).collect()
}

/// Sections that give one amount, one share or one date.
fn sections(document: &BusinessDocument) -> Vec<Candidate> {
    let mut texts: IndexMap<&[String], String> = IndexMap::new();
    for passage in &document.passages {
        let text = texts.entry(passage.headings.as_slice()).or_default();
        text.push_str(&passage.text);
        text.push('\n');
    }
    let mut found = Vec::new();
    for (headings, text) in &texts {
        // The outermost heading is the title; a section is what stands under another.
        let Some(heading) = headings.last().filter(|heading| **heading != document.title) else {
            continue;
        };
        let mut by_noun: IndexMap<&'static str, Vec<DocumentValue>> = IndexMap::new();
        for value in values(text) {
            by_noun.entry(value.noun).or_default().push(value);
        }
        for (noun, mut given) in by_noun {
            let Some(value) = given.pop().filter(|_| given.is_empty()) else { continue };
            let Some(passage) = sentence(text, &value.written) else { continue };
            let title = &document.title;
            let say = format!("Which {noun} does “{title}” give under “{heading}”?");
            let reference = format!("Under “{heading}”, “{title}” gives {{}}.");
            found.push(asked("document-section", document, (say, reference), passage, value));
        }
    }
    found
}

fn asked(
    kind: &'static str,
    document: &BusinessDocument,
    (say, reference): (String, String),
    passage: &str,
    value: DocumentValue,
) -> Candidate {
    let proof = CandidateProof::Passage {
        document: document.id.clone(),
        passage: passage.to_owned(),
        written: value.written,
        fact: value.fact,
    };
    let name = format!("{kind} {say}");
    Candidate { kind, category: "documents".to_owned(), name, say, reference, proof }
}

/// The amounts, shares and dates of a text.
fn values(text: &str) -> Vec<DocumentValue> {
    let read = |found: regex::Captures<'_>| {
        let written = found[0].to_owned();
        let plain = |name: &str| {
            let digits = found.name(name)?.as_str().replace(',', "");
            let number: serde_json::Number = digits.parse().ok()?;
            number_fact(&number)
        };
        let (fact, noun) = if let Some(iso) = found.name("iso") {
            (json!({"date": iso.as_str()}), "date")
        } else if let Some(month) = found.name("month") {
            let month = month.as_str().to_lowercase();
            let number = MONTHS.iter().position(|name| *name == month)? + 1;
            let day: u8 = found["day"].parse().ok()?;
            (json!({"date": format!("{}-{number:02}-{day:02}", &found["year"])}), "date")
        } else if let Some(mut fact) = plain("share") {
            fact["unit"] = "%".into();
            (fact, "share")
        } else {
            // `$1.2 million` needs more than its digits, and other amounts are enough.
            let mut fact = plain("amount").filter(|_| found.name("times").is_none())?;
            fact["unit"] = "dollars".into();
            (fact, "amount")
        };
        Some(DocumentValue { written, fact, noun })
    };
    // One that is not understood makes the others ambiguous.
    VALUE.captures_iter(text).map(read).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The sentence of a text in which a value stands.
fn sentence<'t>(text: &'t str, written: &str) -> Option<&'t str> {
    let at = text.find(written)?;
    let ends = |(_, pair): &(usize, &[u8])| {
        matches!(pair, [b'.' | b'!' | b'?', b' ' | b'\n'] | [b'\n', b'\n'])
    };
    let pairs = || text.as_bytes().windows(2).enumerate();
    let start = pairs().take(at).rfind(ends).map_or(0, |(place, _)| place + 2);
    let end =
        pairs().skip(at + written.len()).find(ends).map_or(text.len(), |(place, _)| place + 1);
    let sentence = text.get(start..end)?.trim();
    (sentence.len() <= LONGEST_PASSAGE).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_gives_under_a_label_or_heading_is_asked_for() {
        let text = "# Lease of 2A\n\n- **Late fee:** $50\n- Deposit: $1,450.50\n- Keys: two\n\n## Notice\n\n\
                    Notice is due by March 5, 2026. It must be written.\n\n## Pets\n\n\
                    A cat costs $35, and a dog $60.\n";
        let files = [("lease.md".to_owned(), text.as_bytes().to_vec())];
        let documents = Documents::from_files("papers", files).unwrap();
        let found = candidates(&documents);
        let asked: Vec<(&str, &str, Value)> = found
            .iter()
            .map(|candidate| match &candidate.proof {
                CandidateProof::Passage { passage, fact, .. } => {
                    (candidate.say.as_str(), passage.as_str(), fact.clone())
                }
                _ => unreachable!("documents give passages"),
            })
            .collect();
        assert_eq!(
            asked,
            [
                (
                    "According to “Lease of 2A”, what is the late fee?",
                    "- **Late fee:** $50",
                    json!({"number": 50, "unit": "dollars"}),
                ),
                (
                    "According to “Lease of 2A”, what is the deposit?",
                    "- Deposit: $1,450.50",
                    json!({"number": 1450.5, "tolerance": 0.005, "unit": "dollars"}),
                ),
                (
                    "Which date does “Lease of 2A” give under “Notice”?",
                    "Notice is due by March 5, 2026.",
                    json!({"date": "2026-03-05"}),
                ),
            ]
        );
    }
}
