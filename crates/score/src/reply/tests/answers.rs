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
