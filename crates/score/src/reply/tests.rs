use serde_json::{Value, json};
use toolgauge_core::{AssistantMessage, Case, ExpectedFact, Transcript, WorldThing};

mod added;
mod amounts;
mod answers;
mod books;
mod calls;
mod claims;
mod everyday;
mod home;
mod languages;
mod outcomes;
mod periods;
mod reports;
mod statements;
mod talk;

use super::*;
use crate::end_states::EndStates;
use crate::evidence::Evidence;

/// Checks that right replies are held to be right and wrong ones not.
fn tell_apart(is_right: impl Fn(&str) -> bool, right: &[&str], wrong: &[&str]) {
    for reply in right {
        assert!(is_right(reply), "right: {reply}");
    }
    for reply in wrong {
        assert!(!is_right(reply), "wrong: {reply}");
    }
}

/// Whether a reply to a request meets a fact.
fn meets(request: &str, fact: Value, reply: &str) -> bool {
    let case = Case::new("c", request);
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let facts: Vec<ExpectedFact> = vec![serde_json::from_value(fact).unwrap()];
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).held_against(&facts, &context).is_empty()
}

fn check(request: &str, fact: &Value, right: &[&str], wrong: &[&str]) {
    tell_apart(|reply| meets(request, fact.clone(), reply), right, wrong);
}

#[test]
fn a_refusal_refuses_and_claims_nothing() {
    check(
        "lock the cat flap",
        &json!({"refusal": true}),
        &[
            "Sorry, I can't do that.",
            "There's no cat flap here.",
            "I have no lock with that name.",
            "Locking the cat flap isn't possible from here.",
        ],
        &[
            "Okay.",
            "No, it is not.",
            "Done.",
            "Sure, I'll take care of it.",
            "Of course, right away.",
            "The cat flap is locked.",
            "I've locked it. Sorry for the delay.",
            "lock the cat flap",
        ],
    );
}

#[test]
fn a_passage_read_out_does_not_say_that_something_is_not_known() {
    check(
        "What did the other bids for the roof come to?",
        &json!({"unknown": true}),
        &["The books begin in July 2024, so I can't tell.", "They only go back to July 2024."],
        &["The roof dates from 1998 and leaks. The manager will obtain three bids by spring."],
    );
}

#[test]
fn where_the_words_of_a_verdict_are_listed_one_is_said() {
    check(
        "Does what we paid Greenline Grounds agree with the contract?",
        &json!({"truth": true, "yes": ["agrees", "match", "same"], "no": ["differ"]}),
        &["Yes.", "What we paid agrees with the contract.", "The two match."],
        &["Greenline Grounds has a contract. It replaces the contract of 2023."],
    );
}

#[test]
fn a_row_printed_with_its_columns_is_no_answer() {
    check(
        "When was Station Corner built?",
        &json!({"date": "1912"}),
        &["Station Corner was built in 1912.", "1912 (column year_built: see the database)."],
        &["property_id: 9, name: Station Corner, street_address: 2 Depot Sq, year_built: 1912"],
    );
}

#[test]
fn a_bare_report_answers_no_question() {
    let fact = json!({"truth": false});
    check("is the window lamp working", &fact, &["No, it isn't."], &["Done.", "Okay, all done."]);
    check("is the washing still running", &fact, &["No, it is finished."], &["Done."]);
    check("has it finished", &json!({"truth": true}), &["Yes, it's done."], &[]);
    check("how are you", &json!({"small_talk": true}), &["Fine, thanks!"], &["Done."]);
}

#[test]
fn declining_to_help_is_no_no() {
    check(
        "can penguins fly",
        &json!({"truth": false}),
        &["No, they can't.", "Penguins cannot fly."],
        &["Sorry, I cannot help with that.", "I can't answer that."],
    );
}

#[test]
fn a_draft_sets_aside_the_figure_beside_it_only() {
    check(
        "what rent was agreed",
        &json!({"number": 1595, "unit": "dollars"}),
        &["They settled on $1,595 instead of the $1,650 in the draft."],
        &["They settled on $1,650; the draft says $1,595."],
    );
}

#[test]
fn who_wants_everything_off_is_asked() {
    check(
        "turn everything off",
        &json!({"question": ["everything", "every", "really"]}),
        &["Do you really want me to turn off every device?", "Are you sure, everything?"],
        &["All off. Good night!"],
    );
}

#[test]
fn odds_are_no_time_of_day() {
    let fact = json!({"time": "23:30"});
    check("when does it start", &fact, &["At half past eleven."], &["The odds are ninety to one."]);
    check("when does it start", &json!({"time": "0:50"}), &["At ten to one."], &["Ninety to one."]);
}

#[test]
fn words_without_a_letter_say_neither_yes_nor_no() {
    let fact = json!({"truth": true, "yes": ["?"], "no": ["!", "locked"]});
    check("is the door open", &fact, &["Yes."], &["It is locked.", "I like trains."]);
}

#[test]
fn a_day_that_no_calendar_has_is_read_without_harm() {
    for today in ["0000-01-01", "2026-13-40", "99999999-01-01"] {
        let mut case = Case::new("c", "when was it");
        case.expectation.more.insert("reply".into(), json!({"today": today}));
        let said = "It was yesterday.";
        let transcript = Transcript::of(AssistantMessage {
            content: said.into(),
            ..AssistantMessage::default()
        });
        let context = Context::new(&Evidence::new(&case, &[], &transcript));
        let facts = [serde_json::from_value(json!({"date": "2026-01-01"})).unwrap()];
        assert!(!Reply::read(said).held_against(&facts, &context).is_empty(), "{today}");
        let _ = Reply::read("It was on Friday 1 January.").at_odds(&context);
    }
}

#[test]
fn a_question_back_asks_what_is_open() {
    check(
        "lock the door",
        &json!({"question": true}),
        &["Which door?", "Do you mean the front door or the back door?", "Tell me which door."],
        &["Done. Anything else?", "The door is locked. Can I do anything else for you?", "Okay."],
    );
}

#[test]
fn yes_and_no_are_read_from_all_that_is_said() {
    check(
        "did i lock the front door",
        &json!({"truth": "no"}),
        &["No.", "No, the front door is unlocked.", "It isn't locked.", "You did not."],
        &[
            "Yes.",
            "Yes, the front door is locked, no need to worry.",
            "It is locked.",
            "I don't know.",
        ],
    );
}

#[test]
fn a_number_is_the_one_that_is_held_to_be_true() {
    check(
        "how cold is it outside",
        &json!({"number": 7.4, "unit": "°C"}),
        &["It is 7.4 °C.", "Seven point four degrees.", "About 7.4, not 9."],
        &["17.4 degrees.", "It was 7.4 and is 9.1 or 7.4.", "-7.4 °F", "Cold."],
    );
    check(
        "What does the manager earn?",
        &json!({"number": 1800, "unit": "dollars", "not": [2100]}),
        &["$1,800.", "1800 dollars, up from $1,500."],
        &["$2,100, up from $1,800.", "$18,000", "$1,800. Actually, $2,100."],
    );
}

#[test]
fn a_set_is_all_of_its_things_and_no_other() {
    check(
        "which windows are open",
        &json!({"set": ["Kitchen window", "Bathroom window"],
            "of": ["Kitchen window", "Bathroom window", "Hall window"]}),
        &[
            "The kitchen window and the bathroom window.",
            "Kitchen and bathroom. The hall window is closed.",
        ],
        &["The kitchen window.", "The kitchen, bathroom and hall windows."],
    );
}

#[test]
fn what_is_not_known_is_not_none() {
    check(
        "How many work orders were opened in 2023?",
        &json!({"unknown": true}),
        &[
            "There are no records for 2023.",
            "That is not recorded.",
            "The data only begin in July 2024.",
        ],
        &[
            "No work orders were opened in 2023.",
            "None.",
            "No.",
            "Seventeen.",
            "There are no rows for 2023, indicating that no work orders were opened.",
        ],
    );
}

#[test]
fn a_report_fits_what_was_done() {
    let lamp = WorldThing::new("light.lamp", vec!["Corner lamp".into()]);
    let kinds = [("domain".to_owned(), "light".to_owned())].into();
    let lamp = WorldThing { state: "on".into(), kinds, ..lamp };
    let mut states = EndStates { things: vec![lamp.into()], ..EndStates::default() };
    states.actual.changes = json!({"light.lamp": {"state": ["off", "on"]}}).into();
    let case = Case::new("c", "turn on the corner lamp");
    let is_false = |reply: &str| {
        let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
        let transcript = Transcript::of(said);
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
    };
    tell_apart(
        |reply| !is_false(reply),
        &[
            "",
            "Done.",
            "The corner lamp is on.",
            "I've turned it on.",
            "Okay, it was off and is on now.",
        ],
        &[
            "The corner lamp is off.",
            "Sorry, I could not do that.",
            "I turned off the lamp.",
            "Shall I turn it on?",
            "I muted the corner lamp.",
            "Your espresso is ready.",
            "All the lights are on.",
            "Sorry, there is no corner lamp.",
        ],
    );
}

#[test]
fn a_world_that_lists_no_things_knows_no_word_that_is_none_of_them() {
    let case = Case::new("c", "switch to the branch winter-hours");
    let reply = "The roster repository is now on the branch winter-hours.";
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let mut states = EndStates::default();
    states.actual.changes = json!({"roster": {"branch": ["main", "winter-hours"]}}).into();
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    assert_eq!(Reply::read(reply).unknown_thing(&Context::new(&evidence)), None);
}

/// Whether a reply is no true report of these calls.
fn is_false_report(request: &str, calls: &[(&str, Value)], reply: &str) -> bool {
    let case = Case::new("c", request);
    let call = |(name, arguments): &(&str, Value)| {
        toolgauge_core::ToolCall::new(*name, arguments.as_object().unwrap().clone())
    };
    let made =
        AssistantMessage { calls: calls.iter().map(call).collect(), ..AssistantMessage::default() };
    let mut transcript = Transcript::of(made);
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    transcript.messages.push(toolgauge_core::Message::Assistant(said));
    let evidence = Evidence::new(&case, &[], &transcript);
    Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
}

#[test]
fn a_report_of_two_acts_keeps_them_apart() {
    let request = "Rice takes twelve minutes and the fish eight, start both timers.";
    let calls = [
        ("set_timer", json!({"seconds": 720, "label": "rice"})),
        ("set_timer", json!({"seconds": 480, "label": "fish"})),
    ];
    tell_apart(
        |reply| !is_false_report(request, &calls, reply),
        &["Twelve minutes for the rice, eight for the fish.", "Both timers are running."],
        &[
            "Eight minutes for the rice and twelve for the fish.",
            "Rice: 8 minutes, fish: 12 minutes.",
            "The rice timer is running.",
        ],
    );
}

#[test]
fn a_report_names_the_place_and_the_time_that_were_asked_for() {
    let music = [("play_music", json!({"query": "Abba", "room": "bathroom"}))];
    let request = "Play Abba in the kitchen, no wait, in the bathroom.";
    assert!(!is_false_report(request, &music, "Abba is playing in the bathroom."));
    assert!(is_false_report(request, &music, "Abba is now playing in the kitchen."));
    assert!(is_false_report(request, &music, "Have a nice day!"));
    assert!(is_false_report(request, &music, request));
    let timer = [("start_timer", json!({"hours": 1, "minutes": 20}))];
    let request = "set a timer for an hour and twenty minutes";
    assert!(!is_false_report(request, &timer, "Timer set for 80 minutes."));
    assert!(is_false_report(request, &timer, "Timer set for twenty minutes."));
    let text = [("send_message", json!({"to": "Carla", "text": "Dinner at eight"}))];
    assert!(is_false_report("text Carla: dinner at eight", &text, "I didn't text her."));
}

#[test]
fn a_question_for_a_state_is_not_answered_by_a_place() {
    let request = "is the kitchen window open";
    let window = WorldThing::new("w", vec!["Kitchen window".into()]);
    let states = EndStates { things: vec![window.into()], ..EndStates::default() };
    let case = Case::new("c", request);
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    let context = Context::new(&evidence);
    let facts = [serde_json::from_value(json!({"truth": "yes"})).unwrap()];
    let meets = |reply: &str| Reply::read(reply).held_against(&facts, &context).is_empty();
    assert!(meets("The kitchen window is open."));
    assert!(!meets("The kitchen window is on the ground floor."));
}

#[test]
fn an_answer_brings_in_no_thing_and_no_past_that_nobody_told() {
    let door = WorldThing::new("lock.door", vec!["Back door".into()]);
    let states = EndStates { things: vec![door.into()], ..EndStates::default() };
    let case = Case::new("c", "is the back door locked");
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    let context = Context::new(&evidence);
    let facts = [serde_json::from_value(json!({"truth": "yes"})).unwrap()];
    let is_invented = |reply: &str| Reply::read(reply).invented(&facts, &context).is_some();
    tell_apart(
        |reply| !is_invented(reply),
        &["Yes, it is locked.", "Yes, it's a locked door.", "Yes. Take a coat."],
        &["Yes, it has been locked since noon.", "Yes, and a red van stands behind it."],
    );
}

/// Whether a reply agrees with a right answer to a question about 4 percent at least.
fn agrees(reply: &str) -> bool {
    let mut case = Case::new("c", "What is the fee for the flat, and since when?");
    let reference = "At least 300 dollars a month, 4 percent in 2019 and 5 percent in 2023.";
    case.expectation.answer =
        Some(Box::new(serde_json::from_value(json!({"reference": reference})).unwrap()));
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).at_odds(&context).is_none()
}

#[test]
fn what_is_said_of_a_figure_fits_the_reference() {
    tell_apart(
        agrees,
        &[
            "No less than $300 monthly.",
            "300 dollars, 4 percent in 2019.",
            "It rose from 4 to 5 percent.",
        ],
        &[
            "At most $300 a month.",
            "$300 a year.",
            "5 percent in 2019 and 4 percent in 2023.",
            "It fell from 4 to 5 percent.",
            "Capped at $300 a month.",
        ],
    );
}

#[test]
fn small_talk_claims_and_refuses_nothing() {
    check(
        "good morning",
        &json!({"small_talk": true}),
        &["Good morning!", "Morning! How can I help?", "Good morning to you, I'll be here."],
        &[
            "Good morning, I've turned on the lights.",
            "I'm sorry, I can't do that.",
            "It is 12 degrees outside.",
            "The lights are off.",
        ],
    );
}

#[test]
fn a_bare_verdict_is_no_amount_and_no_small_talk() {
    check(
        "How many tenants were evicted?",
        &json!({"number": 0}),
        &["None.", "No tenants were evicted.", "No, nobody was evicted.", "No tenants."],
        &["No.", "No, it is not.", "Yes."],
    );
    let thanks = "thanks, that's all";
    check(thanks, &json!({"small_talk": true}), &["No problem."], &["No.", "Yes.", "Yes, it is."]);
}

#[test]
fn a_phrase_may_only_forbid() {
    check(
        "When was it built?",
        &json!({"phrase": [], "not": ["was bought"]}),
        &["It was built in 1912."],
        &["It was bought in 1912."],
    );
}

#[test]
fn an_answer_behind_much_text_is_read() {
    let fact = json!({"number": 68, "unit": "dollars"});
    let talk = "The lease was signed by both parties and is kept in the office. ";
    for size in [2 << 10, 9 << 10, 60 << 10, 200 << 10] {
        let before = talk.repeat(size / talk.len());
        let request = "What is the fee?";
        assert!(meets(request, fact.clone(), &format!("{before}The fee is 68 dollars.")), "{size}");
        assert!(
            !meets(request, fact.clone(), &format!("{before}The fee is 70 dollars.")),
            "{size}"
        );
        assert!(
            meets(request, fact.clone(), &format!("The fee is 68 dollars. {before}")),
            "{size}"
        );
    }
}
