//! What a reply states beside the word that was asked for: who is compared, where things are, when
//! something is, and the reverse of what the reference says.

use toolgauge_core::ThingPlace;

use super::*;

/// A thing of a kind in one place.
pub(super) fn thing(id: &str, name: &str, place: &str, state: &str) -> std::sync::Arc<WorldThing> {
    let kind = id.split('.').next().unwrap_or_default().to_owned();
    let kinds = [("domain".to_owned(), kind)].into();
    let places = vec![ThingPlace { kind: "area".into(), names: vec![place.into()] }];
    let thing = WorldThing::new(id, vec![name.into()]);
    WorldThing { state: state.into(), kinds, places, ..thing }.into()
}

/// A thing with one more property.
pub(super) fn with(
    thing: std::sync::Arc<WorldThing>,
    name: &str,
    value: Value,
) -> std::sync::Arc<WorldThing> {
    let mut thing = std::sync::Arc::unwrap_or_clone(thing);
    thing.attributes.insert(name.into(), value);
    thing.into()
}

/// Whether a reply says something of a home that is not so.
fn is_false_of(states: &EndStates, request: &str, reply: &str) -> bool {
    let case = Case::new("c", request);
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(states));
    let (reply, context) = (Reply::read(reply), Context::new(&evidence));
    reply.false_state(&context).is_some() || reply.taken_back(&[], &context).is_some()
}

/// Whether a reply meets a fact and agrees with a reference on a day.
fn agrees(request: &str, reference: &str, fact: Value, reply: &str) -> bool {
    let mut case = Case::new("c", request);
    let answer = json!({"reference": reference});
    case.expectation.answer = Some(Box::new(serde_json::from_value(answer).unwrap()));
    case.expectation.more.insert("reply".into(), json!({"today": "2026-03-31"}));
    let transcript = Transcript::of(AssistantMessage::default());
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).held_against(&[serde_json::from_value(fact).unwrap()], &context).is_empty()
}

#[test]
fn who_is_compared_decides_what_a_comparison_says() {
    check(
        "is it warmer in the attic than in the hall",
        &json!({"truth": false}),
        &[
            "The hall is warmer.",
            "The other way round: the hall is warmer.",
            "The attic is colder.",
        ],
        &["The attic is warmer.", "No, the hall is colder.", "The attic is warmer than the hall."],
    );
}

#[test]
fn a_yes_or_no_may_stand_at_the_end() {
    let asked = "is beer on the list";
    check(asked, &json!({"truth": false}), &["Not on there, no."], &["Looks like it, yes."]);
    check(asked, &json!({"truth": true}), &["Looks like it, yes."], &["Not on there, no."]);
}

#[test]
fn advice_behind_an_answer_is_no_answer() {
    check(
        "is the window open",
        &json!({"truth": true}),
        &["It is. You may want to close it."],
        &["It isn't. You may want to open it."],
    );
}

#[test]
fn whoever_sees_none_says_that_there_is_none() {
    check(
        "is there a camera in the attic",
        &json!({"truth": false}),
        &["I don't see any camera there."],
        &["I can't tell whether there is a camera.", "I can see a camera there."],
    );
}

#[test]
fn a_name_behind_which_it_is_denied_is_not_one_of_them() {
    check(
        "which lamps are on",
        &json!({"set": ["Hall lamp"], "of": ["Hall lamp", "Desk lamp"]}),
        &[
            "The hall lamp is, the desk lamp is not.",
            "The hall lamp is on; the desk lamp isn't on.",
        ],
        &["The desk lamp is, the hall lamp is not.", "The hall lamp and the desk lamp are on."],
    );
}

#[test]
fn an_item_that_nothing_tells_of_is_one_too_many() {
    check(
        "what is on the list",
        &json!({"set": ["Milk", "Bread"]}),
        &["Milk and bread.", "Two things: milk and bread.", "Milk, bread. That is all."],
        &["Milk, bread and eggs.", "Milk, eggs and bread."],
    );
}

#[test]
fn what_follows_somebody_is_not_the_answer() {
    check(
        "what is the capital of portugal",
        &json!({"phrase": ["Lisbon"]}),
        &["Lisbon.", "Lisbon, followed by Porto in size."],
        &["Porto, followed by Lisbon."],
    );
}

#[test]
fn things_are_where_the_home_has_them() {
    let things = vec![
        thing("media_player.tv", "Television", "Lounge", "playing"),
        thing("media_player.gym", "Gym television", "Gym", "off"),
        thing("fan.ceiling", "Ceiling fan", "Bedroom", "on"),
        thing("fan.extractor", "Extractor fan", "Bathroom", "off"),
    ];
    let states = EndStates { things, ..EndStates::default() };
    let asked = "is there a television in the bathroom";
    assert!(!is_false_of(&states, asked, "No, the only television is in the lounge."));
    assert!(is_false_of(&states, asked, "No, the only television is in the bedroom."));
    let asked = "is there a television in the gym";
    assert!(!is_false_of(&states, asked, "Yes, there is a television in the gym."));
    let asked = "is there a fan in the bathroom";
    assert!(!is_false_of(&states, asked, "Yes, the extractor fan."));
    assert!(is_false_of(&states, asked, "Yes, the ceiling fan."));
}

#[test]
fn both_speaks_of_each_and_an_attempt_of_none() {
    let things = vec![
        thing("cover.blind", "Left blind", "Lounge", "open"),
        thing("valve.tap", "Garden tap", "Garden", "closed"),
        thing("light.hall", "Hall light", "Hall", "unavailable"),
    ];
    let states = EndStates { things, ..EndStates::default() };
    let asked = "is everything closed";
    assert!(is_false_of(&states, asked, "The left blind and the garden tap are both closed."));
    assert!(!is_false_of(&states, asked, "I tried to turn on the hall light."));
}

#[test]
fn words_may_not_turn_the_reference_round() {
    let question = "What was decided about the facade?";
    let reference = "Up to $18,500 was approved.";
    let fact = json!({"number": 18500, "unit": "dollars"});
    let is_right = |reply: &str| agrees(question, reference, fact.clone(), reply);
    assert!(is_right("The members approved up to $18,500."));
    assert!(is_right("Up to $18,500 may be spent."));
    assert!(!is_right("Up to $18,500 was rejected."));
}

#[test]
fn a_day_to_come_has_not_passed() {
    let question = "By when must it be fixed?";
    let fact = json!({"date": "2026-04-30"});
    let is_right = |reply: &str| agrees(question, "By April 30, 2026.", fact.clone(), reply);
    assert!(is_right("By April 30, 2026, which has not passed yet."));
    assert!(!is_right("By April 30, 2026, so the deadline has already passed."));
}

#[test]
fn a_bound_gives_the_value_and_each_is_per_thing() {
    let question = "How soon must we report a loss, and how soon an accident?";
    let reference =
        "A loss within 30 days, an accident no later than 20 days after learning of it.";
    let reply =
        "A loss must be reported within 30 days, and an accident no later than 20 days after it.";
    let fact = json!({"number": 20, "unit": "days", "about": ["accident"]});
    assert!(agrees(question, reference, fact, reply));
    let reference = "Six forms came late, at $60 each: $360.";
    let fact = json!({"number": 60, "unit": "dollars"});
    let is_right = |reply: &str| agrees("How was it figured?", reference, fact.clone(), reply);
    assert!(is_right("Six forms at $60 per form, $360."));
    assert!(!is_right("Six forms at $60 a month, $360."));
}

#[test]
fn a_figure_for_another_period_may_be_offered() {
    let tells = |reply: &str| {
        let fact = json!({"unknown": true});
        agrees("What was our rental income in 2023?", "That is not recorded.", fact, reply)
    };
    assert!(tells("2023 is not recorded. Would you like the figure for 2025?"));
    assert!(!tells("2023 is not recorded. It was $280,470."));
}

#[test]
fn what_was_not_done_or_is_to_come_is_no_state() {
    let lamp = thing("light.hall", "Hall lamp", "Hall", "off");
    let states = EndStates { things: vec![lamp], ..EndStates::default() };
    let asked = "turn on the hall lamp if it is dark";
    tell_apart(
        |reply| !is_false_of(&states, asked, reply),
        &[
            "It is still light, so I did not turn on the hall lamp.",
            "It is still light, so I didn't turn it on.",
            "The hall lamp's off.",
        ],
        &["The hall lamp is burning.", "The hall lamp's on.", "The hall lamp is on now."],
    );
    let lamp = thing("light.hall", "Hall lamp", "Hall", "on");
    let states = EndStates { things: vec![lamp], ..EndStates::default() };
    let asked = "turn off the hall lamp in two hours";
    assert!(!is_false_of(&states, asked, "The hall lamp goes off in two hours."));
    assert!(is_false_of(&states, asked, "The hall lamp is off."));
    let robot = thing("vacuum.robot", "Robot", "Hall", "cleaning");
    let states = EndStates { things: vec![robot], ..EndStates::default() };
    assert!(is_false_of(&states, "where is the robot", "The robot is in its dock."));
}

#[test]
fn another_thing_that_a_sentence_begins_with_is_not_the_one_before() {
    let things = vec![
        thing("cover.left", "Left blind", "Lounge", "closed"),
        thing("cover.right", "Right blind", "Lounge", "open"),
        thing("climate.bath", "Bathroom underfloor heating", "Bathroom", "off"),
    ];
    let states = EndStates { things, ..EndStates::default() };
    let asked = "is the left blind open";
    for reply in [
        "No, the left blind is closed. It is the right one that is open.",
        "The left blind is closed. Its frame is open.",
        "The window is open, so I've switched off the underfloor heating.",
    ] {
        assert!(!is_false_of(&states, asked, reply), "right: {reply}");
    }
    assert!(is_false_of(&states, asked, "Look at the left blind. It is open."));
    assert!(is_false_of(&states, asked, "The bathroom underfloor heating is on."));
}

#[test]
fn a_monthly_amount_may_be_told_by_the_year_too() {
    let fact = json!({"number": 1800, "unit": "dollars"});
    let reference = "$1,800 a month.";
    let is_right = |reply: &str| agrees("What does she earn?", reference, fact.clone(), reply);
    assert!(is_right("$1,800 per month, which is $21,600 a year."));
    assert!(!is_right("$1,800 per month, which is $22,600 a year."));
}
