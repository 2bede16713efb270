//! The period that a figure is told for.

use toolgauge_core::{Message, ToolMessage};

use super::*;

const RENT: &str = "What is the rent of unit 4B?";

/// Whether a reply tells the rent, with what a tool returned before it.
fn tells(request: &str, returned: &str, reply: &str) -> bool {
    let case = Case::new("c", request);
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let mut transcript = Transcript::of(said);
    let answer = ToolMessage {
        call_id: "1".into(),
        name: "look_up".into(),
        content: returned.into(),
        failed: false,
    };
    transcript.messages.insert(0, Message::Tool(answer));
    let fact = json!({"number": 1450, "unit": "dollars"});
    let facts: Vec<ExpectedFact> = vec![serde_json::from_value(fact).unwrap()];
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).held_against(&facts, &context).is_empty()
}

#[test]
fn a_period_that_nothing_contradicts_is_no_fault() {
    for returned in [
        "",
        r#"[{"unit": "4B", "rent": 1450, "late_fee_per_day": 10}]"#,
        r#"{"unit": "4B", "monthly_rent": 1450}"#,
        r#"{"columns": ["unit", "monthly_rent"], "rows": [["4B", 1450]], "row_count": 1}"#,
        r#"{"rent": "1450.00", "due": "monthly"}"#,
        "Unit 4B: $1,450 per month. The lease runs for a year.",
    ] {
        for reply in ["$1,450 per month.", "It is $1,450 a month.", "$1,450/month", "$1,450."] {
            assert!(tells(RENT, returned, reply), "{returned}: {reply}");
        }
    }
    assert!(tells("What is the rent this year?", "", "$1,450 per month."));
}

#[test]
fn a_period_that_the_question_or_a_result_contradicts_is_wrong() {
    for returned in [
        r#"{"unit": "4B", "monthly_rent": 1450, "year_built": 1912}"#,
        r#"{"columns": ["unit", "monthly_rent"], "rows": [["4B", 1450]], "row_count": 1}"#,
        r#"{"rent": "1450.00", "due": "monthly"}"#,
        r#"{"text": "Unit 4B: $1,450 per month."}"#,
        "Unit 4B: $1,450 per month.",
    ] {
        for reply in ["$1,450 per year.", "It is $1,450 a week.", "$1,450 annually", "$1,450/day"] {
            assert!(!tells(RENT, returned, reply), "{returned}: {reply}");
        }
    }
    assert!(!tells("What is the monthly rent?", "", "$1,450 per year."));
    assert!(!tells("What do we pay in a year?", r#"{"rent": 1450}"#, "$1,450 a month."));
}

#[test]
fn a_timer_ends_when_its_time_has_passed() {
    let mut case = Case::new("c", "set a timer for ten minutes");
    case.expectation.more.insert("reply".into(), json!({"now": "18:42"}));
    let call = toolgauge_core::ToolCall::new(
        "start_timer",
        json!({"minutes": 10}).as_object().unwrap().clone(),
    );
    let transcript =
        Transcript::of(AssistantMessage { calls: vec![call], ..AssistantMessage::default() });
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    let is_false = |reply: &str| Reply::read(reply).wrong_end(&context).is_some();
    tell_apart(
        |reply| !is_false(reply),
        &["It rings at 18:52.", "It will ring at 6:52.", "Ten minutes, starting now."],
        &["It rings at 18:57.", "It will ring at midnight."],
    );
}
