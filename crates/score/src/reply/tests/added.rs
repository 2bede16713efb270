//! What is added to a right answer, held against that answer and against the rows of the books.

use super::books::{check_by_books, is_right};
use super::*;

/// What each of three put in.
fn capital() -> Value {
    json!([
        {"number": 90, "unit": "dollars", "about": ["Anna"]},
        {"number": 50, "unit": "dollars", "about": ["Ben"]},
        {"number": 60, "unit": "dollars", "about": ["Cleo"]},
    ])
}

#[test]
fn the_order_of_figures_is_theirs() {
    check_by_books(
        "How much did each put in?",
        "Anna $90, Ben $50 and Cleo $60.",
        &capital(),
        &[
            "Anna $90, Ben $50 and Cleo $60.",
            "Anna $90, Ben $50 and Cleo $60. Cleo thus put in more than Ben.",
            "Anna $90, Ben $50 and Cleo $60. Anna was therefore the best of all.",
            "Anna $90, Ben $50 and Cleo $60. Ben put in $10 less than Cleo.",
        ],
        &[
            "Anna $90, Ben $50 and Cleo $60. Ben thus put in more than Cleo.",
            "Anna $90, Ben $50 and Cleo $60. Cleo was therefore the best of all.",
            "Anna $90, Ben $50 and Cleo $60. Ben and Cleo thus put in the same.",
            "Anna $90, Ben $50 and Cleo $60. Anna alone gave more than half of it.",
            "Anna $90, Ben $50 and Cleo $60, so Cleo comes out on top.",
        ],
    );
}

#[test]
fn what_was_listed_is_counted() {
    check_by_books(
        "Which faults did the inspector find?",
        "Missing detectors, dark lights, a stuck window and a loose handrail.",
        &json!({"phrase": ["handrail"]}),
        &[
            "Missing detectors, dark lights, a stuck window and a loose handrail.",
            "Missing detectors, dark lights, a stuck window and a loose handrail, four faults in all.",
        ],
        &[
            "Missing detectors, dark lights, a stuck window and a loose handrail, three faults in all.",
            "Missing detectors, dark lights, a stuck window and a loose handrail. That makes five faults.",
        ],
    );
    check_by_books(
        "What did we pay in how many payments?",
        "$38,500 in 2 payments.",
        &json!({"number": 38_500, "unit": "dollars"}),
        &["$38,500 in two payments."],
        &["$38,500 in 2 payments. That was a single payment."],
    );
}

#[test]
fn a_conclusion_names_whom_the_answer_names() {
    check_by_books(
        "Who was the first agent, and who is it today?",
        "Martin Hale; today it is Paula Reed.",
        &json!({"phrase": ["Martin Hale"]}),
        &[
            "The first agent was Martin Hale. Today it is Paula Reed.",
            "Martin Hale, so the first agent was Martin Hale himself.",
        ],
        &[
            "The articles name Martin Hale, so the first agent was Joan Abbott.",
            "Martin Hale, with Joan Abbott being the agent today.",
        ],
    );
}

#[test]
fn what_never_ends_has_no_last_day() {
    check_by_books(
        "For how long does it exist?",
        "It exists perpetually.",
        &json!({"phrase": ["perpetually"]}),
        &["It exists perpetually.", "It exists perpetually, and has done so since 2016."],
        &["It exists perpetually, that is until April 2046."],
    );
}

#[test]
fn an_example_stays_above_its_bound() {
    check_by_books(
        "What is the deductible?",
        "2 percent, but no less than $10,000.",
        &json!({"number": 10_000, "unit": "dollars"}),
        &[
            "2 percent, but at least $10,000. On $1,000,000 you would pay $20,000.",
            "2 percent, at least $10,000. On $300,000 that would be $6,000, so the minimum applies.",
        ],
        &["2 percent, but at least $10,000. On $300,000 you would pay $6,000."],
    );
}

#[test]
fn ages_and_directions_follow_from_the_figures() {
    check_by_books(
        "When was it built?",
        "In 1912.",
        &json!({"date": "1912"}),
        &["In 1912, so it is about 114 years old."],
        &["In 1912, so it is over 130 years old.", "It was built in 1912, about 90 years ago."],
    );
    check_by_books(
        "How has her share changed?",
        "30 percent, then 20 percent, now 15 percent.",
        &json!({"number": 15, "unit": "%"}),
        &["30 percent, then 20, now 15, so it has halved."],
        &["30 percent, then 20, now 15, so it has doubled."],
    );
    let fact = json!({"phrase": ["moved in"]});
    let told = "He moved in on September 1, 2025.";
    assert!(is_right("When did he come?", told, &fact, told));
    assert!(!is_right("When did he come?", told, &fact, "He moved in on September 1, 2024."));
}

#[test]
fn what_is_not_known_is_not_taken_for_none() {
    check_by_books(
        "How many people have applied for the flat?",
        "Applications are not recorded.",
        &json!({"unknown": true}),
        &[
            "Applications aren't recorded.",
            "There's no record of applications, so I can't tell how many people applied.",
            "I found no list of applicants, so no number is on record.",
        ],
        &[
            "There's no record of applications, meaning that no one has applied.",
            "There's no record of applications, so nobody is interested.",
        ],
    );
}

#[test]
fn what_a_row_says_is_told_of_its_own_thing() {
    check_by_books(
        "How much is in the reserve account?",
        "$82,948.",
        &json!({"number": 82_948, "unit": "dollars"}),
        &[
            "There is $82,948 in the reserve account at Harbor Savings Bank.",
            "$82,948. The operating account is at Elmwood Trust Bank.",
        ],
        &["There is $82,948 in the reserve account at Elmwood Trust Bank."],
    );
    check_by_books(
        "Which share does Joan Abbott have?",
        "20 percent.",
        &json!({"number": 20, "unit": "%"}),
        &[
            "20 percent, less than Martin Hale.",
            "20 percent, which makes her the third largest member.",
        ],
        &[
            "20 percent, exactly as much as Martin Hale.",
            "20 percent, more than Martin Hale.",
            "20 percent, which makes her the second largest member.",
        ],
    );
}

#[test]
fn a_deadline_was_met_or_missed_as_the_rows_say() {
    check_by_books(
        "When was the Form 9 return filed?",
        "On March 5, 2026.",
        &json!({"date": "2026-03-05"}),
        &[
            "The Form 9 return was filed on March 5, 2026, ahead of its deadline.",
            "The Form 9 return was filed on Thursday, March 5, 2026.",
        ],
        &[
            "The Form 9 return was filed on March 5, 2026, eleven days past its due date.",
            "The Form 9 return was filed on Monday, March 5, 2026.",
        ],
    );
}

#[test]
fn a_percentage_follows_from_its_amounts() {
    check_by_books(
        "By how much did rent rise?",
        "From $142,100 to $149,850, by $7,750.",
        &json!({"number": 7750, "unit": "dollars"}),
        &["From $142,100 to $149,850, by $7,750 (about 5.5%)."],
        &["From $142,100 to $149,850, by $7,750 (about 55%)."],
    );
}

#[test]
fn what_is_denied_is_not_told_as_paid() {
    check_by_books(
        "How much was the fine of the city?",
        "No fine was imposed.",
        &json!({"phrase": ["no fine", "not imposed"]}),
        &["No fine was imposed.", "No fine has been imposed so far."],
        &["No fine has been imposed. The fine you paid was $250."],
    );
}
