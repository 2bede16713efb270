//! Numbers: their tolerance, all their digits, and replies of nothing else.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const WHAT: &str = "What is it?";

#[test]
fn a_tolerance_applies_to_decimals() {
    check(
        WHAT,
        &json!({"number": 7.4, "unit": "°C", "tolerance": 0.5}),
        &["It is 7.4 °C.", "It is 7.8 °C.", "It is 7.45 °C.", "It is 6.9 °C.", "It is 7 °C."],
        &["It is 8 °C.", "It is 7.95 °C.", "It is 6.8 °C."],
    );
    check(
        WHAT,
        &json!({"number": 77961.5, "unit": "dollars", "tolerance": 100}),
        &["It is $78,000.", "It is $77,980.25."],
        &["It is $78,200.25."],
    );
    // Without one, whoever tells decimals means them.
    check(WHAT, &json!({"number": 7.4}), &["It is 7.4.", "It is 7.40."], &["It is 7.5."]);
}

#[test]
fn each_digit_of_an_account_counts() {
    check(
        "What is the account number?",
        &json!({"number": 5_551_234_567_u64}),
        &["It is 5551234567."],
        &["It is 5551234569.", "You can just call 5551234569.", "It is about 5551234569."],
    );
    check("How much?", &json!({"number": 1_250_000_000}), &["About 1.2 billion."], &["2 billion."]);
}

#[test]
fn a_reply_of_nothing_but_numbers_is_judged_soon() {
    let facts = [
        json!({"number": 3, "unit": "days"}),
        json!({"date": "2026-03-05"}),
        json!({"time": "18:42"}),
        json!({"truth": true}),
    ];
    for piece in ["1", "1 ", "the 5th ", "6:42 ", "half ", "2026-03-05 "] {
        let reply = piece.repeat((MOST_READ * 2) / piece.len());
        for fact in &facts {
            let begun = Instant::now();
            let _ = meets("How many days, and when?", fact.clone(), &reply);
            let taken = begun.elapsed();
            // It was minutes.
            assert!(taken < Duration::from_secs(20), "{piece:?}, {fact}: {taken:?}");
        }
    }
}

#[test]
fn one_in_words_is_an_amount_where_it_counts() {
    let question = "How many leases end in May?";
    tell_apart(
        |reply| meets(question, json!({"number": 1}), reply),
        &["One.", "Just one.", "There is only one lease.", "Exactly one.", "It is one."],
        &["One moment, please.", "It is the bedroom one.", "Not one.", "Two."],
    );
}

#[test]
fn a_count_of_things_that_are_not_so_is_a_count() {
    check(
        "How many repairs are still open?",
        &json!({"number": 4}),
        &["4 repairs are not finished yet.", "4 of the repairs are not done.", "There are 4."],
        &["4 repairs are not open.", "It is not 4.", "The answer is not 4 repairs."],
    );
    check(
        "What is the rent?",
        &json!({"number": 2100, "unit": "dollars"}),
        &["$2,100."],
        &["The $2,100 are not in force.", "The $2,100 rent is not in force."],
    );
}

#[test]
fn a_quarter_of_an_hour_is_a_length_and_no_share() {
    let numbers = |text: &str| -> Vec<f64> {
        Reply::read(text).numbers().iter().map(|said| said.value.value).collect()
    };
    assert_eq!(numbers("A quarter of an hour after closing."), [0.0; 0]);
    assert_eq!(numbers("Three quarters of an hour later."), [0.0; 0]);
    assert_eq!(numbers("A quarter of the members."), [25.0]);
}

#[test]
fn a_day_of_the_week_belongs_to_the_date_beside_it() {
    check(
        "When is the children's afternoon?",
        &json!({"date": "2026-04-18"}),
        &[
            "On Saturday, 18 April 2026.",
            "On 18 April, a Saturday.",
            "On Saturday the 18th.",
            "On Saturday.",
            "On Saturday. It was planned for 11 April.",
        ],
        &[
            "On Saturday, 11 April 2026.",
            "On 11 April 2026, a Saturday.",
            "On 11 April (Saturday).",
            "On Saturday the 11th.",
            "On Sunday.",
        ],
    );
}

#[test]
fn a_number_without_a_unit_is_met_by_money() {
    let question = "How much is the fee?";
    assert!(meets(question, json!({"number": 50}), "It is $50."));
    assert!(!meets(question, json!({"number": 50}), "It is $60."));
    // Among several numbers, what is counted is no money.
    assert!(!meets("How many fees are there?", json!({"number": 50}), "There are 3 fees of $50."));
}

#[test]
fn lengths_of_time_are_read_in_any_wording() {
    check(
        "How long does the wash take?",
        &json!({"number": 90, "unit": "minutes"}),
        &[
            "An hour and a half.",
            "One and a half hours.",
            "It takes 1h30.",
            "It takes 1 h 30 min.",
            "1 hour and 30 minutes.",
            "1.5 hours.",
            "90 min.",
            "It takes 90 minutes.",
            "Ninety minutes. Just a minute, please.",
        ],
        &["30 minutes.", "An hour.", "Two and a half hours.", "1h20.", "1 hour and 20 minutes."],
    );
    check(
        "How long is the break?",
        &json!({"number": 0.5, "unit": "hours"}),
        &["Half an hour.", "30 minutes."],
        &["An hour.", "A quarter of an hour."],
    );
    check(
        "How long is the lease?",
        &json!({"number": 18, "unit": "months"}),
        &["A year and a half.", "One and a half years.", "18 months."],
        &["A year.", "Two and a half years."],
    );
}

#[test]
fn dozens_halves_and_pounds_are_amounts() {
    check("How many chairs?", &json!({"number": 12}), &["A dozen.", "12."], &["Two dozen.", "20."]);
    check("How many eggs?", &json!({"number": 6}), &["Half a dozen.", "Six."], &["A dozen."]);
    check(
        "Which part is paid?",
        &json!({"number": 0.5}),
        &["A half.", "Half of it."],
        &["A third."],
    );
    let rent = json!({"number": 250, "unit": "GBP"});
    check("What is it?", &rent, &["£250.", "250 pounds.", "GBP 250."], &["$250.", "£205."]);
    let warm = json!({"number": 19.5, "unit": "°C"});
    check("How warm is it?", &warm, &["Nineteen and a half degrees."], &["Nineteen degrees."]);
    let mild = json!({"number": 21, "unit": "°C"});
    check("How warm is it?", &mild, &["21 °C.", "21 degrees Celsius.", "21°"], &["21 °F."]);
}

#[test]
fn an_open_range_is_no_figure_unless_one_is_asked_for() {
    let twenty = json!({"number": 20});
    check(
        "How many units are there?",
        &twenty,
        &["20.", "There are 20 units.", "Exactly 20."],
        &[
            "More than 20.",
            "Over 20.",
            "At least 20.",
            "20 or more.",
            "Up to 20.",
            "Fewer than 20.",
        ],
    );
    check(
        "How many guests are allowed at most?",
        &twenty,
        &["At most 20.", "No more than 20.", "Up to 20."],
        &["At most 30."],
    );
    check("How many?", &json!({"number": 442}), &["Over 440."], &[]);
    let sum = json!({"number": 145_495, "unit": "dollars"});
    check("What are the rents?", &sum, &["They add up to 145,495 dollars."], &["Up to $145,495."]);
}

proptest! {
    #[test]
    fn a_number_is_right_just_if_it_is_within_the_tolerance(
        wanted in 100_i32..100_000,
        off in -300_i32..300,
        tolerance in 1_i32..200,
    ) {
        // In hundredths, so that both have decimals most of the time.
        let number = |hundredths: i32| f64::from(hundredths) / 100.0;
        let fact = json!({"number": number(wanted), "tolerance": number(tolerance)});
        let reply = format!("It is {:.2}.", number(wanted + off));
        let is_near = off.abs() <= tolerance;
        // Trailing zeros may make it a rounded number, which is right by another rule.
        let rounds = f64::from(off.abs()) <= 0.005 * f64::from(wanted);
        prop_assert!(meets(WHAT, fact.clone(), &reply) == is_near || rounds, "{} {}", fact, reply);
    }
}

#[test]
fn a_loss_is_a_number_below_zero() {
    check(
        "What did the laundry room bring in?",
        &json!({"number": -250, "unit": "dollars"}),
        &["-$250.", "A loss of $250.", "We lost $250 on it.", "($250)"],
        &["$250.", "A loss of $205.", "A profit of $250."],
    );
}

#[test]
fn there_are_none_where_what_was_asked_for_is_denied() {
    check(
        "How many leases ended in May?",
        &json!({"number": 0}),
        &["None.", "No lease ended in May.", "There were no leases that ended in May.", "Not one."],
        &["The database is not responding.", "I could not open the file.", "One."],
    );
}

#[test]
fn two_figures_in_a_reply_are_compared_as_they_stand() {
    let case = Case::new("c", WHAT);
    let transcript = Transcript::of(AssistantMessage::default());
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    let is_turned = |reply: &str| Reply::read(reply).at_odds(&context).is_some();
    tell_apart(
        |reply| !is_turned(reply),
        &[
            "At 20.1 degrees it is above eighteen.",
            "At 20.1 degrees it is not below eighteen.",
            "It is 62 percent, more than 40 percent.",
            "The rent is $2,225, $75 above the $2,150 of last year.",
            "We have $3,000. They ask for more than $5,000.",
        ],
        &[
            "At 20.1 degrees it is below eighteen.",
            "It is 62 percent, which is less than 40 percent.",
            "We have $3,000. That is more than the $5,000 they ask for.",
        ],
    );
}
