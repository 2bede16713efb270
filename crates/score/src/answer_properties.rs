//! What holds of the scorers of answers, whatever they are given.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, json};
use toolgauge_core::{
    AssistantMessage, Case, ExpectedAnswer, Keyword, Message, ToolCall, ToolMessage, Transcript,
};

use crate::{Scorer, error_in_answer, keyword_found};

/// Texts with what readers trip over: digits, signs, letters of several bytes, words of errors.
fn text() -> impl Strategy<Value = String> {
    let parts = vec![
        "$",
        "€",
        "442,300",
        "1.2",
        "(",
        ")",
        "-",
        "−",
        "9th",
        "March",
        " 1",
        ", 2025",
        "03/01/",
        "%",
        "k",
        "million",
        "twenty",
        "one",
        "hundred",
        "and",
        "ß",
        "é",
        "家賃",
        "\u{301}",
        "İ",
        "\"",
        "“",
        "”",
        "Ada",
        "Lovelace",
        ".",
        "\n",
        "Error:",
        "Traceback",
        "of",
        "sq ft",
        " ",
        "  ",
        "null",
        "'s",
        "’",
        "_",
        "0",
        "99999999999999999999999",
        "T10:00Z",
        "\u{200b}",
        "&",
    ];
    let pieces = proptest::collection::vec(select(parts), 0..24).prop_map(|parts| parts.concat());
    prop_oneof![3 => pieces, 1 => any::<String>()]
}

fn keyword() -> impl Strategy<Value = Keyword> {
    prop_oneof![
        text().prop_map(Keyword::Text),
        proptest::collection::vec(text(), 1..3).prop_map(Keyword::AnyOf),
        text().prop_map(Keyword::Not),
        text().prop_map(Keyword::Regex),
    ]
}

fn transcript(tools: &[&str], returned: &str, answer: &str) -> Transcript {
    let calls = tools.iter().map(|tool| ToolCall::new(*tool, Map::new())).collect();
    let mut transcript = Transcript::of(AssistantMessage { calls, ..Default::default() });
    transcript.messages.push(Message::Tool(ToolMessage {
        call_id: String::new(),
        name: "a".into(),
        content: returned.to_owned(),
        failed: false,
    }));
    let last = AssistantMessage { content: answer.to_owned(), ..Default::default() };
    transcript.messages.push(Message::Assistant(last));
    transcript.background.sources = vec!["a".into(), answer.to_owned()];
    transcript
}

fn case(keywords: Vec<Keyword>) -> Case {
    let mut case = Case::new("c", "What is it?");
    case.expectation.answer = Some(Box::new(ExpectedAnswer {
        tools: Some(vec!["a".into(), "b".into()]),
        keywords,
        documents: [("a".to_owned(), 2.0), ("b".to_owned(), 1.0)].into_iter().collect(),
        seconds: Some(1.0),
        ..ExpectedAnswer::default()
    }));
    case
}

fn value(name: &str, case: &Case, transcript: &Transcript) -> Option<f64> {
    Scorer::by_name(name).unwrap().score(case, &[], transcript).value()
}

proptest! {
    #[test]
    fn scores_are_between_0_and_1_and_lost_points_add_up(
        keywords in proptest::collection::vec(keyword(), 0..4),
        returned in text(),
        answer in text(),
        rule in select(vec!["plain", "understood"]),
    ) {
        let mut case = case(keywords);
        case.expectation.more.insert("chatbot".into(), json!({"keywords": rule, "tools": "graded"}));
        let transcript = transcript(&["a", "c"], &returned, &answer);
        for name in ["chatbot", "keywords", "retrieval", "grounding", "latency", "judge"] {
            let outcome = Scorer::by_name(name).unwrap().score(&case, &[], &transcript);
            let Some(score) = outcome.score() else { continue };
            prop_assert!((0.0..=1.0).contains(&score.value), "{}: {}", name, score.value);
            let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
            prop_assert!((lost - (1.0 - score.value)).abs() < 1e-9, "{}: {:?}", name, score);
        }
    }

    #[test]
    fn a_text_meets_what_it_says_itself(text in text()) {
        // What cannot be read at all is looked for letter by letter, and a text holds itself.
        prop_assert!(keyword_found(&Keyword::Text(text.clone()), &text));
        prop_assert!(!keyword_found(&Keyword::Not(text.clone()), &text));
        let _ = error_in_answer(&text);
    }

    #[test]
    fn a_number_of_any_length_is_met_by_itself_alone(
        digits in "[1-9][0-9]{0,30}",
        place in 0..31_usize,
        other in "[1-9]",
    ) {
        let mut changed = digits.clone();
        let place = place % digits.len();
        changed.replace_range(place..=place, &other);
        let keyword = Keyword::Text(digits.clone());
        let is_met = keyword_found(&keyword, &format!("It is {changed}."));
        prop_assert_eq!(is_met, changed == digits, "{} in {}", digits, changed);
    }

    #[test]
    fn saying_more_keywords_never_lowers_the_score(
        words in proptest::collection::vec(select(vec!["rent", "900", "lease"]), 1..4),
        said in 0..4_usize,
        rule in select(vec!["plain", "understood"]),
    ) {
        let mut case = case(words.iter().map(|word| Keyword::Text((*word).to_owned())).collect());
        case.expectation.more.insert("chatbot".into(), json!({"keywords": rule}));
        let said = said.min(words.len());
        let fewer = format!("We say {}.", words[..said].join(" or "));
        let more = format!("We say {}.", words.join(" or "));
        for name in ["chatbot", "keywords"] {
            let fewer = value(name, &case, &transcript(&["a"], "", &fewer)).unwrap();
            let more = value(name, &case, &transcript(&["a"], "", &more)).unwrap();
            prop_assert!(more >= fewer, "{}: {} then {}", name, fewer, more);
        }
    }

    #[test]
    fn the_order_of_tools_does_not_count(
        tools in Just(vec!["a", "b", "c", "a"]).prop_shuffle(),
        rule in select(vec!["all", "graded"]),
    ) {
        let mut case = case(Vec::new());
        case.expectation.more.insert("chatbot".into(), json!({"tools": rule}));
        let one = value("chatbot", &case, &transcript(&tools, "", "fine"));
        let other = value("chatbot", &case, &transcript(&["a", "a", "b", "c"], "", "fine"));
        prop_assert_eq!(one, other);
    }
}
