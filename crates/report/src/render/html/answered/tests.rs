//! What is told of answers, and what is marked in them.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Cause, Dimension, ExpectedAnswer, Keyword, Loss, Message, Outcome,
    Score, ToolCall, Transcript, Trial, Verdict,
};

use super::passage::{AnswerPassage, Sort, find};
use super::{answered, demands};

fn expected(value: Value) -> ExpectedAnswer {
    serde_json::from_value(value).unwrap()
}

fn said(text: &str) -> Message {
    Message::Assistant(AssistantMessage { content: text.into(), ..AssistantMessage::default() })
}

fn trial(answer: ExpectedAnswer, text: &str, losses: Vec<Loss>) -> Trial {
    let mut case = Case::new("rent", "What is the rent of 2A?");
    case.expectation.answer = Some(Box::new(answer));
    let score = Score {
        losses,
        measures: IndexMap::from([("keyword_share".to_owned(), 0.5)]),
        dimensions: IndexMap::from([(Dimension::named("found"), Verdict::Incorrect)]),
        ..Score::default()
    };
    Trial {
        case: Arc::new(case),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        transcript: Transcript { messages: vec![said(text)], ..Transcript::default() },
        outcomes: IndexMap::from([("chatbot".to_owned(), Outcome::Scored(score))]),
    }
}

fn missing(keyword: &str) -> Loss {
    Loss { expected: Some(json!(keyword)), ..Loss::new(Cause::MissingKeyword, 0.2) }
}

/// Every demand in a line: what, expected, found, verdict.
fn told(trial: &Trial) -> Vec<String> {
    let answer = trial.case.expectation.answer.as_deref().unwrap();
    let plain = |markup: &str| {
        let mut text = String::new();
        let mut inside = false;
        for character in markup.chars() {
            match character {
                '<' => inside = true,
                '>' => inside = false,
                _ if !inside => text.push(character),
                _ => {}
            }
        }
        text
    };
    let line = |demand: &super::DemandRow| {
        let parts = [&demand.expected.0, &demand.found.0, &demand.verdict.mark().0];
        format!("{}: {}", demand.what, parts.map(|part| plain(part)).join(" | "))
    };
    demands(answer, trial).iter().map(line).collect()
}

#[test]
fn every_keyword_is_told_with_its_verdict() {
    let answer =
        json!({"keywords": ["1,450", "June", {"any_of": ["cat", "dog"]}, {"not": "error"}]});
    let forbidden =
        Loss { actual: Some(json!("error")), ..Loss::new(Cause::ForbiddenKeyword, 0.2) };
    let any = Loss {
        expected: Some(json!({"any_of": ["cat", "dog"]})),
        ..Loss::new(Cause::MissingKeyword, 0.2)
    };
    let trial = trial(expected(answer), "$1,450, error", vec![missing("June"), any, forbidden]);
    assert_eq!(
        told(&trial),
        [
            "says: 1,450 |  | said",
            "says: June |  | missing",
            "says: cat or dog |  | missing",
            "does not say: error |  | said",
        ]
    );
}

#[test]
fn a_scorer_that_understands_more_is_named() {
    let answer = expected(json!({"keywords": ["442300"]}));
    let mut trial = trial(answer, "It was $442,300.", vec![missing("442300")]);
    let understood = Score {
        value: 1.0,
        measures: IndexMap::from([("keyword_share".to_owned(), 1.0)]),
        ..Score::default()
    };
    trial.outcomes.insert("keywords".into(), Outcome::Scored(understood));
    assert_eq!(told(&trial), ["says: 442300 | said by the scorer keywords | missing"]);
}

#[test]
fn tools_documents_and_claims_are_told_whether_asked_for_or_not() {
    let answer = json!({"tools": ["query", "search"], "documents": {"a.md": 3.0, "b.md": 1.0}});
    let missed = Loss { expected: Some(json!("b.md")), ..Loss::new(Cause::MissedDocument, 0.5) };
    let beside = Loss { actual: Some(json!("c.md")), ..Loss::new(Cause::IrrelevantDocument, 0.5) };
    let claim = |claim: String| Loss {
        actual: Some(json!(claim)),
        ..Loss::new(Cause::UnsupportedClaim, 0.5)
    };
    let contradicted = Loss {
        cause: Cause::ContradictedValue,
        expected: Some(json!({"rent": [8]})),
        ..claim("$9".into())
    };
    let losses = [missed, beside, contradicted].into_iter();
    let losses = losses.chain((1..=14).map(|number| claim(format!("${number}"))));
    let mut trial = trial(expected(answer), "It is $9.", losses.collect());
    let calls = ["query", "query", "list"].map(|tool| ToolCall::new(tool, serde_json::Map::new()));
    trial.transcript.messages.insert(
        0,
        Message::Assistant(AssistantMessage { calls: calls.into(), ..AssistantMessage::default() }),
    );
    trial.transcript.background.sources = vec!["c.md".into(), "files/a.md".into()];
    assert_eq!(
        told(&trial),
        [
            "uses: query | 2 calls | used",
            "uses: search |  | not used",
            "uses:  | list, 1 call | not asked for",
            "finds: a.md relevance 3 | in place 2 | found",
            "finds: b.md |  | missed",
            "finds:  | c.md | not relevant",
            "claims: {&quot;rent&quot;:[8]} | $9 | contradicted",
            "claims:  | $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 and 2 more | unsupported",
        ]
    );
}

#[test]
fn an_answer_that_is_not_there_is_said_to_be_missing() {
    let answer =
        expected(json!({"keywords": [{"not": "error"}], "reference": "It is <b>1,450</b>."}));
    let forbidden =
        Loss { actual: Some(json!("error")), ..Loss::new(Cause::ForbiddenKeyword, 0.4) };
    let trial = trial(answer, " ", vec![forbidden]);
    assert_eq!(told(&trial), ["does not say: error |  | no answer"]);
    let page = answered(&trial).0;
    assert!(page.contains("It is &lt;b&gt;1,450&lt;/b&gt;."), "{page}");
    assert!(page.contains(">none<"), "{page}");
}

#[test]
fn a_case_without_an_answer_has_nothing_to_show() {
    let mut trial = trial(ExpectedAnswer::default(), "", Vec::new());
    Arc::make_mut(&mut trial.case).expectation.answer = None;
    assert_eq!(answered(&trial).0, "");
}

#[test]
fn words_are_marked_where_they_stand_alone() {
    let answer = expected(json!({"keywords": ["7", "rent", "the rent"]}));
    let claim = Loss { actual: Some(json!("17")), ..Loss::new(Cause::UnsupportedClaim, 0.5) };
    let passages = find("The Rent is different: 17, not 7.", &answer, &[&claim]);
    let marked: Vec<(&str, Sort)> =
        passages.iter().filter_map(|passage| Some((passage.text, passage.sort?))).collect();
    assert_eq!(marked, [("The Rent", Sort::Asked), ("17", Sort::Objected), ("7", Sort::Asked)]);
}

proptest! {
    #[test]
    fn passages_make_up_the_answer(text in "[a-cäßİ ]{0,40}", words in prop::collection::vec("[a-cäßİ ]{0,3}", 0..4)) {
        let answer = ExpectedAnswer {
            keywords: words.into_iter().map(Keyword::Text).collect(),
            ..ExpectedAnswer::default()
        };
        let passages = find(&text, &answer, &[]);
        let whole: String = passages.iter().map(|passage: &AnswerPassage<'_>| passage.text).collect();
        prop_assert_eq!(whole, text);
    }
}

#[test]
fn any_number_of_demands_is_told_in_a_page_of_bounded_size() {
    let many = |word: &str| (0..50_000).map(|n| format!("{word}-{n}")).collect::<Vec<_>>();
    let documents: IndexMap<String, f64> =
        many("file").into_iter().map(|file| (file, 1.0)).collect();
    let keywords: Vec<Value> =
        many("word").into_iter().map(|word| json!({"any_of": [word, "other"]})).collect();
    let answer =
        expected(json!({"keywords": keywords, "tools": many("tool"), "documents": documents}));
    let mut trial =
        trial(answer, "Nothing.", many("word").iter().map(|word| missing(word)).collect());
    let calls = many("call").into_iter().map(|tool| ToolCall::new(tool, serde_json::Map::new()));
    let calling = AssistantMessage { calls: calls.collect(), ..AssistantMessage::default() };
    trial.transcript.messages.insert(0, Message::Assistant(calling));
    let page = answered(&trial).into_string();
    assert!(page.contains("and more") && page.len() < 200_000, "{} bytes", page.len());

    let words = expected(json!({"keywords": [{"any_of": many("word")}]}));
    let page = answered(&self::trial(words, "Nothing.", Vec::new())).into_string();
    assert!(page.contains("and 49988 more") && page.len() < 10_000, "{} bytes", page.len());
}
