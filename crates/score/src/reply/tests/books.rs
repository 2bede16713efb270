//! Replies held against all that is written in the books of a world.

use std::sync::Arc;

use toolgauge_core::{BookRecord, Books};

use super::*;

/// The books of a small landlord.
fn books() -> Arc<Books> {
    let row =
        |source: &str, text: &str, numbers: &[(&str, f64)], cells: &[(&str, &str)]| BookRecord {
            source: source.into(),
            text: format!("{source}; {text}"),
            numbers: numbers.iter().map(|(name, number)| ((*name).into(), *number)).collect(),
            cells: cells.iter().map(|(name, cell)| ((*name).into(), (*cell).into())).collect(),
            is_row: true,
        };
    let payment = |category: &str, place: &str, day: &str, amount: f64| {
        let text = format!("category: {category}; property: {place}; paid on: {day}");
        let cells = [("category", category), ("property", place), ("paid_on", day)];
        row("payments", &text, &[("amount", amount)], &cells)
    };
    let account = |name: &str, bank: &str| {
        let cells = [("name", name), ("bank", bank)];
        row("accounts", &format!("name: {name}; bank: {bank}"), &[("balance", 82_948.0)], &cells)
    };
    let member = |name: &str, share: f64| {
        row("members", &format!("name: {name}"), &[("share", share)], &[("name", name)])
    };
    let passage = |text: &str| BookRecord {
        source: "minutes.md".into(),
        text: text.into(),
        ..BookRecord::default()
    };
    Arc::new(Books {
        records: vec![
            payment("repairs", "Elm Court", "2025-03-04", 1840.0),
            payment("repairs", "Elm Court", "2025-07-09", 310.0),
            payment("repairs", "Oak Row", "2025-05-02", 975.0),
            row(
                "properties",
                "name: Mill House; sold on: 2025-05-30",
                &[],
                &[("name", "Mill House"), ("sold_on", "2025-05-30")],
            ),
            row(
                "filings",
                "title: Form 9 return; due on: 2026-03-16; filed on: 2026-03-05",
                &[],
                &[("title", "Form 9 return"), ("due_on", "2026-03-16"), ("filed_on", "2026-03-05")],
            ),
            account("Reserve", "Harbor Savings Bank"),
            account("Operating", "Elmwood Trust Bank"),
            member("Paula Reed", 40.0),
            member("Martin Hale", 25.0),
            member("Joan Abbott", 20.0),
            passage("Paula Reed is the treasurer."),
            passage("Sara Lind, the former tenant, moved out."),
            passage("The roof of Oak Row was damaged by a storm. The county sends a bill."),
        ],
    })
}

/// Whether a reply is right by the reference, a fact and the books.
pub(super) fn is_right(question: &str, reference: &str, fact: &Value, reply: &str) -> bool {
    let mut case = Case::new("c", question);
    let answer = toolgauge_core::ExpectedAnswer {
        reference: Some(reference.into()),
        ..toolgauge_core::ExpectedAnswer::default()
    };
    case.expectation.answer = Some(Box::new(answer));
    case.expectation.more.insert("reply".into(), json!({"today": "2026-03-31"}));
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let books = books();
    let facts = if fact.is_array() { fact.clone() } else { json!([fact]) };
    let facts: Vec<ExpectedFact> = serde_json::from_value(facts).unwrap();
    let evidence = Evidence::new(&case, &[], &transcript).with_books(Some(&books));
    Reply::read(reply).held_against(&facts, &Context::new(&evidence)).is_empty()
}

pub(super) fn check_by_books(
    question: &str,
    reference: &str,
    fact: &Value,
    right: &[&str],
    wrong: &[&str],
) {
    tell_apart(|reply| is_right(question, reference, fact, reply), right, wrong);
}

const REPAIRS: (&str, &str) =
    ("Which property cost the most for repairs in 2025?", "Elm Court with $2,150.");

#[test]
fn a_figure_beside_the_answer_is_one_of_what_it_is_told_of() {
    check_by_books(
        REPAIRS.0,
        REPAIRS.1,
        &json!({"number": 2150, "unit": "dollars"}),
        &[
            "Elm Court, with $2,150.",
            "Elm Court, with $2,150. The larger bill was $1,840, on March 4, 2025.",
            "Elm Court, with $2,150. Oak Row had $975.",
            "Elm Court, with $2,150. All repairs of 2025 came to $3,125.",
            "Elm Court, with $2,150. The first bill was $1,840, the other one $310.",
        ],
        &[
            "Elm Court, with $2,150. Oak Row had $310.",
            "Elm Court, with $2,150. Oak Row had $640.",
            "Elm Court, with $2,150. On July 9, 2025 Elm Court needed $1,840 of it.",
        ],
    );
}

#[test]
fn a_name_stands_in_the_books_and_in_its_role() {
    check_by_books(
        REPAIRS.0,
        REPAIRS.1,
        &json!({"number": 2150, "unit": "dollars"}),
        &[
            "Elm Court, with $2,150, says our treasurer Paula Reed.",
            "Elm Court, with $2,150. The treasurer is Paula Reed.",
            "Elm Court, with $2,150. The order was signed by Haverl…",
        ],
        &[
            "Elm Court, with $2,150. The order went to Haverly Masonry.",
            "Elm Court, with $2,150. The treasurer is Sara Lind.",
        ],
    );
}

#[test]
fn all_and_none_are_said_where_it_is_told_of_all() {
    let fact = json!({"number": 7});
    check_by_books(
        "How many work orders are open?",
        "Seven are open.",
        &fact,
        &["Seven work orders are open.", "Seven are open, one for each week."],
        &[
            "Seven are open. All of them have been completed by now.",
            "Seven are open, and every single one belongs to a plumber.",
            "Seven work orders are open, all of which Paula has forgotten.",
        ],
    );
    check_by_books(
        "How much was distributed?",
        "$300,000.",
        &json!({"number": 300_000, "unit": "dollars"}),
        &["$300,000 in all."],
        &["$300,000, which is $75,000 for each of the four owners."],
    );
    let question = "Are all work orders open?";
    assert!(is_right(question, "Seven are.", &fact, "Seven are open, none of them was completed."));
}

#[test]
fn a_cause_is_one_that_is_told() {
    let question = "What did repairs of Oak Row cost in 2025?";
    let fact = json!({"number": 975, "unit": "dollars"});
    check_by_books(
        question,
        "$975.",
        &fact,
        &["$975, because of a storm at Oak Row."],
        &["$975, because of a burst pipe.", "$975, thanks to a new boiler at Oak Row."],
    );
    assert!(is_right("Why did repairs cost $975?", "$975.", &fact, "$975, because a pipe burst."));
}

#[test]
fn what_others_did_meanwhile_is_written_somewhere() {
    check_by_books(
        "What is the penalty of the county?",
        "$369.",
        &json!({"number": 369, "unit": "dollars"}),
        &["$369. The county should already have been told.", "$369, as agreed with the county."],
        &[
            "$369, which Paula Reed wants to dispute.",
            "$369. Paula Reed got the day wrong.",
            "$369. The county has since agreed to refund it.",
            "$369. Our lawyer has already appealed.",
        ],
    );
}

#[test]
fn the_first_of_all_is_not_outdone() {
    check_by_books(
        REPAIRS.0,
        REPAIRS.1,
        &json!({"number": 2150, "unit": "dollars"}),
        &["Elm Court, with $2,150, and just behind it Oak Row."],
        &[
            "Elm Court, with $2,150. Oak Row was higher still.",
            "Elm Court, with $2,150, just behind Oak Row.",
        ],
    );
}

#[test]
fn a_document_that_is_not_on_file_is_silent_on_nothing() {
    check_by_books(
        "What does her signed lease say about parking?",
        "There is no copy of her lease among the documents.",
        &json!({"unknown": true}),
        &["Her lease is not among the documents.", "The books don't say."],
        &["Her lease says nothing about parking.", "Her signed lease doesn't mention parking."],
    );
}

#[test]
fn another_day_of_the_same_row_may_stand_beside_the_right_one() {
    check_by_books(
        "When was Form 9 filed?",
        "On March 5, 2026.",
        &json!({"date": "2026-03-05"}),
        &["On March 5, 2026, eleven days ahead of the March 16 deadline."],
        &["On March 5, 2026, eleven days ahead of the March 17 deadline."],
    );
}

#[test]
fn a_verdict_is_not_turned_at_the_end() {
    check_by_books(
        "Did the sale reach the minimum price?",
        "Yes: $214,000 against a minimum of $205,000.",
        &json!({"truth": true}),
        &["Yes. It was sold for more than the minimum.", "Yes, the sale did."],
        &["Yes, there was a minimum price. So no, the sale did not reach it."],
    );
}

#[test]
fn what_is_due_on_a_day_to_come_is_not_late() {
    let fact = json!({"date": "2026-04-30"});
    let question = "By when must it be fixed?";
    let is_right = |reply: &str| is_right(question, "By April 30, 2026.", &fact, reply);
    assert!(is_right("By April 30, 2026."));
    assert!(!is_right("By April 30, 2026, so we are two months late."));
    assert!(!is_right("By April 30, 2026, so it is already a month overdue."));
}

#[test]
fn a_sum_may_be_told_month_by_month() {
    check_by_books(
        "What did repairs at Elm Court cost in 2025?",
        "They cost $2,150.",
        &json!({"number": 2150, "unit": "dollars"}),
        &[
            "They cost $2,150: March: $1,840, July: $310.",
            "It was $2,150. In March it was $1,840.",
            "It was $2,150, with $310 in July 2025.",
        ],
        &[
            "It was $2,150. In March it was $1,480.",
            "It was $2,150. In July it was $1,840.",
            "It was $2,150, with $410 in July 2025.",
        ],
    );
}

#[test]
fn what_stands_in_one_passage_may_be_told_beside_what_is_not_known() {
    check_by_books(
        "Who repaired the roof of Oak Row?",
        "That is not recorded.",
        &json!({"unknown": true}),
        &["That isn't recorded. The roof of Oak Row was damaged by a storm."],
        &["That isn't recorded. The roof of Elm Court was replaced by a storm."],
    );
}

#[test]
fn the_next_one_may_be_named_too() {
    check_by_books(
        "Which repair was the most expensive?",
        "That of Elm Court in March, with $1,840.",
        &json!({"set": ["Elm Court"], "of": ["Elm Court", "Oak Row"]}),
        &["That of Elm Court, with $1,840. The next largest is Oak Row with $975."],
        &["That of Elm Court, with $1,840, and Oak Row."],
    );
}

#[test]
fn details_told_in_passing_stand_in_the_books() {
    check_by_books(
        REPAIRS.0,
        REPAIRS.1,
        &json!({"number": 2150, "unit": "dollars"}),
        &[
            "Elm Court, with $2,150, which makes it the most expensive one of the year.",
            "Elm Court, with $2,150, since that is what the two bills come to.",
            "Elm Court. They paid $2,150, as far as the papers show.",
            "With a whopping $2,150, Elm Court.",
            "Elm Court, with $2,150. It isn't recorded whose grandmother lives there.",
            "Elm Court, with $2,150. You could phone the county.",
        ],
        &[
            "Elm Court, with $2,150, having survived a stampede of cattle.",
            "Elm Court, with $2,150, which a plumber spilled on crayons.",
            "Elm Court, with $2,150, as a ransom for pirates.",
            "Elm Court, with $2,150. She wanted marble instead.",
            "Elm Court, with $2,150. Paula Reed's brother had built it.",
            "Elm Court, with $2,150, agreed on by phone.",
        ],
    );
}

#[test]
fn equal_figures_are_not_apart() {
    check_by_books(
        "Did we pay for Elm Court what the books say?",
        "Yes, $2,150.",
        &json!({"number": 2150, "unit": "dollars"}),
        &[
            "We paid $2,150 and the bills came to $2,150, so it was not too much.",
            "We paid $2,150 and the bills came to $2,150, so they agree.",
        ],
        &[
            "We paid $2,150 and the bills came to $2,150, so we paid too much.",
            "We paid $2,150 and the bills came to $2,150. The two differ.",
        ],
    );
}

#[test]
fn what_was_sold_is_not_counted() {
    check_by_books(
        "How many houses do we own?",
        "Two.",
        &json!({"number": 2}),
        &["We own two houses, Elm Court and Oak Row.", "We own two, not including Mill House."],
        &["We own two houses, Mill House among them.", "We own two houses, including Mill House."],
    );
}
