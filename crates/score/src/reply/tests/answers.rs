//! Yes and no in other words, and refusals that are none.

use super::*;

#[test]
fn words_that_stress_a_denial_do_not_say_yes() {
    let question = "Is the window open?";
    for reply in [
        "Absolutely not.",
        "Certainly not!",
        "Definitely not.",
        "Of course not.",
        "Indeed not.",
        "Sure it isn't.",
        "Correct, it is not.",
        "Not at all.",
        "Of course the window is not open.",
    ] {
        assert!(meets(question, json!({"truth": false}), reply), "no: {reply}");
        assert!(!meets(question, json!({"truth": true}), reply), "not yes: {reply}");
    }
    for reply in
        ["Absolutely.", "Of course.", "Certainly, it is.", "Correct, it is.", "Sure, no problem."]
    {
        assert!(meets(question, json!({"truth": true}), reply), "yes: {reply}");
        assert!(!meets(question, json!({"truth": false}), reply), "not no: {reply}");
    }
    for truth in [true, false] {
        assert!(!meets(question, json!({"truth": truth}), "Yes and no."), "neither");
    }
}

#[test]
fn a_friendly_not_is_no_refusal_and_an_error_is_one() {
    check(
        "Turn on the light in the attic",
        &json!({"refusal": true}),
        &["Error: unknown area", "Not a light that I know.", "I can't just do that."],
        &["Not a problem! Attic light on.", "Not a problem!"],
    );
}

#[test]
fn a_question_turned_into_a_denial_answers_it_and_refuses_nothing() {
    check(
        "Will it rain at the flea market?",
        &json!({"any_of": [{"unknown": true}, {"refusal": true}]}),
        &[
            "I cannot tell, I have no weather forecast.",
            "No forecast is available to me.",
            "No idea, the files don't say.",
            "I will not guess.",
        ],
        &[
            "No, it will not rain at the flea market.",
            "It won't rain.",
            "No, it will never rain at the flea market.",
            "Yes, it will rain.",
        ],
    );
    check(
        "Is the sauna heater on?",
        &json!({"refusal": true}),
        &["There is no sauna heater.", "No sauna heater is set up here.", "I can't see a sauna."],
        &["No, the sauna heater is not on.", "The sauna heater isn't on."],
    );
}

/// Checks replies that say yes and replies that say no to a question, each against both truths.
fn says(question: &str, yes: &[&str], no: &[&str]) {
    let mut wrong = Vec::new();
    for (truth, replies) in [(true, yes), (false, no)] {
        let is_read = |reply: &&&str| {
            meets(question, json!({"truth": truth}), reply)
                && !meets(question, json!({"truth": !truth}), reply)
        };
        wrong.extend(replies.iter().filter(|reply| !is_read(reply)).map(|reply| (truth, *reply)));
    }
    assert!(wrong.is_empty(), "{question} {wrong:#?}");
}

#[test]
fn words_of_failure_deny_what_follows_them() {
    says(
        "Does the boiler meet the emission limit?",
        &[
            "It meets the limit.",
            "The boiler satisfies the limit.",
            "It never fails to meet the limit.",
            "It complies with the limit.",
            "It stays within the limit.",
            "It is well below the limit.",
        ],
        &[
            "It fails to meet the limit.",
            "It failed to meet it.",
            "The boiler is failing to meet the limit.",
            "It is unable to meet the limit.",
            "The boiler falls short of the limit.",
            "It falls far short.",
            "The boiler does not satisfy the limit.",
            "It lacks what it takes to meet the limit.",
            "It is too old to meet the limit.",
            "Its age keeps it from meeting the limit.",
            "It is far from meeting the limit.",
            "It is anything but compliant.",
            "The boiler is non-compliant.",
            "It exceeds the limit.",
            "The boiler is over the limit.",
            "It violates the limit.",
            "It refuses to comply with the limit.",
        ],
    );
    says(
        "Is the income high enough to qualify for the loan?",
        &["The income qualifies for the loan.", "It is high enough."],
        &["The income is too low to qualify for the loan.", "It is insufficient."],
    );
    // Who asks for a failure is told of one.
    says(
        "Did the pump fail the test?",
        &["The pump failed the test.", "It did fail the test."],
        &["The pump did not fail the test."],
    );
    says("Did we exceed the budget?", &["We exceeded the budget."], &["We stayed below it."]);
}

#[test]
fn words_listed_by_a_case_are_known_with_and_without_their_s() {
    let fact = |truth: bool| json!({"truth": truth, "yes": ["satisfies"], "no": ["breaches"]});
    let question = "Does the lease follow the rule?";
    assert!(meets(question, fact(false), "It does not satisfy it."));
    assert!(!meets(question, fact(true), "It does not satisfy it."));
    assert!(meets(question, fact(true), "It does not breach it."));
}

#[test]
fn fixed_phrases_say_yes_and_no() {
    says(
        "Is the gate open?",
        &[
            "True.",
            "That's correct.",
            "That's right, it is.",
            "You're right.",
            "No doubt.",
            "No doubt about it.",
            "No question about it.",
            "Without a doubt.",
            "Undoubtedly.",
            "Exactly.",
            "It certainly is.",
            "It is indeed.",
            "Most definitely.",
        ],
        &[
            "False.",
            "That's not correct.",
            "That's incorrect.",
            "That is wrong.",
            "That's not the case.",
            "That's right, it is not.",
            "By no means.",
            "On the contrary.",
            "Not in the least.",
            "It certainly is not.",
            "Hardly.",
            "I doubt it.",
        ],
    );
    says("May I sublet?", &["You may."], &["You may not sublet.", "You can't."]);
}

#[test]
fn a_bare_verdict_says_nothing_of_what_was_ordered_on_a_condition() {
    let no = json!({"truth": false});
    check(
        "if it is warmer than twenty degrees open the curtain",
        &no,
        &["No, it isn't that warm.", "It's colder than that."],
        &["No.", "No, it is not."],
    );
    check(
        "tell me if it is warmer than twenty degrees",
        &no,
        &["No.", "No, it is not."],
        &["Yes."],
    );
}

#[test]
fn minutes_are_told_from_noon_and_midnight() {
    let fact = json!({"time": "23:55"});
    let right = ["At five to midnight.", "Five minutes before midnight."];
    check("when is the eclipse", &fact, &right, &["At midnight.", "At five past midnight."]);
    check("when is lunch", &json!({"time": "12:15"}), &["A quarter past noon."], &["At noon."]);
}
