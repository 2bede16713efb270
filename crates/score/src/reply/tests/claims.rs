//! Claims beside the answer: acts, sides, lists, conclusions, and what nobody told.

use super::*;

/// Whether a reply is right about a fact by a reference.
fn agrees_with(request: &str, reference: &str, fact: Value, reply: &str) -> bool {
    let mut case = Case::new("c", request);
    let answer = json!({"reference": reference});
    case.expectation.answer = Some(Box::new(serde_json::from_value(answer).unwrap()));
    let transcript = Transcript::of(AssistantMessage::default());
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).held_against(&[serde_json::from_value(fact).unwrap()], &context).is_empty()
}

#[test]
fn whoever_says_i_have_done_claims_an_act_unless_it_was_a_look() {
    check(
        "order me a pizza",
        &json!({"refusal": true}),
        &["I've checked, and I can't order pizza.", "I can't do that, I've left it alone."],
        &["I can't order pizza, so I've asked Ben to order one.", "I can't. I've let him know."],
    );
    check(
        "never mind",
        &json!({"small_talk": true}),
        &["No problem.", "Okay, I've heard nothing."],
        &["Okay, I've undone the last change."],
    );
    let rent = ("What is the rent?", "The rent is 900 dollars.");
    let fact = json!({"number": 900, "unit": "dollars"});
    let is_right = |reply: &str| agrees_with(rent.0, rent.1, fact.clone(), reply);
    assert!(is_right("I've looked it up: $900."));
    assert!(!is_right("$900. I've scheduled the next payment."));
}

#[test]
fn a_question_back_is_about_the_thing_and_the_act_of_the_request() {
    let asks = json!({"question": ["which", "how long"]});
    check("lock the door", &asks, &["Which door?"], &["Which window do you mean?"]);
    check(
        "set a timer",
        &asks,
        &["For how long?", "Just tell me how long."],
        &["Which timer would you like to cancel?"],
    );
}

#[test]
fn the_left_one_is_not_the_right_one() {
    let request = "close the right blind";
    let calls = [("close", json!({"name": "Right blind"}))];
    for reply in ["The right blind is closed.", "Closed. The left blind stays open."] {
        assert!(!is_false_report(request, &calls, reply), "right: {reply}");
    }
    assert!(is_false_report(request, &calls, "I've closed the left blind for you."));
    check(
        "is the left blind open",
        &json!({"truth": false}),
        &["No, it is shut. The right one is open, though."],
        &["The left one is open."],
    );
}

#[test]
fn a_list_that_leaves_an_item_out_is_no_report_of_all() {
    let items = json!({"items": [{"name": "bread"}, {"name": "butter"}, {"name": "coffee"}]});
    let calls = [("add_to_list", items)];
    let request = "add bread, butter and coffee to the list";
    for reply in ["Added.", "All three are on the list.", "Bread, butter and coffee are on it."] {
        assert!(!is_false_report(request, &calls, reply), "right: {reply}");
    }
    assert!(is_false_report(request, &calls, "I've added bread and butter."));
}

#[test]
fn what_was_done_is_not_offered() {
    let request = "Rice takes twelve minutes and the fish eight, start both timers.";
    let calls = [
        ("set_timer", json!({"seconds": 720, "label": "rice"})),
        ("set_timer", json!({"seconds": 480, "label": "fish"})),
    ];
    assert!(!is_false_report(request, &calls, "Fish in 8, rice in 12."));
    let reply = "The rice timer is set. Let me know when to start the one for the fish.";
    assert!(is_false_report(request, &calls, reply));
}

#[test]
fn a_step_is_not_a_level() {
    let calls = [("set_temperature", json!({"temperature": 11}))];
    let request = "make the cellar one degree colder";
    assert!(!is_false_report(request, &calls, "One degree colder, so it is at 11 now."));
    assert!(is_false_report(request, &calls, "Set to 1 degree."));
}

#[test]
fn what_is_concluded_is_the_answer() {
    check(
        "which is warmer, the kitchen or the hall",
        &json!({"one": "Kitchen", "of": ["Kitchen", "Hall"]}),
        &[
            "The hall has 19.5 and the kitchen 21.3, so the kitchen wins.",
            "The kitchen is warmer, 21.3 degrees against 19.5 in the hall.",
            "The hall is the cooler one.",
        ],
        &["Kitchen: 21.3 degrees. Hall: 19.5 degrees. The hall is warmer."],
    );
    check(
        "How many work orders are open?",
        &json!({"number": 7}),
        &["Seven.", "Seven are open, so there is work to do."],
        &["Seven have no date of completion, so nothing is open."],
    );
    check(
        "What was the rental income in 2023?",
        &json!({"unknown": true}),
        &["Our books begin in July 2024, so I cannot tell."],
        &["Our books begin in July 2024, so there was no rental income."],
    );
}

#[test]
fn yes_and_no_come_in_many_words() {
    let question = "do we have a robot mower";
    for reply in ["You sure do.", "There is one, in the garden.", "It certainly is."] {
        assert!(meets(question, json!({"truth": true}), reply), "yes: {reply}");
    }
    for reply in ["Quite the opposite.", "On the contrary.", "By no means."] {
        assert!(meets(question, json!({"truth": false}), reply), "no: {reply}");
    }
    assert!(!meets(question, json!({"truth": true}), "You're welcome!"));
    let question = "is the moon bigger than the earth";
    assert!(!meets(question, json!({"truth": false}), "No, the Moon is the bigger of the two."));
}

/// Whether a reply claims what neither the request nor the result of a tool holds.
fn is_invented(request: &str, returned: &str, reply: &str) -> bool {
    let case = Case::new("c", request);
    let told = toolgauge_core::ToolMessage {
        call_id: "1".into(),
        name: "look_up".into(),
        content: returned.into(),
        failed: false,
    };
    let mut transcript = Transcript::of(AssistantMessage::default());
    transcript.messages.push(toolgauge_core::Message::Tool(told));
    let context = Context::new(&Evidence::new(&case, &[], &transcript));
    Reply::read(reply).invented(&[], &context).is_some()
}

#[test]
fn a_number_that_names_a_thing_is_the_one_that_was_told() {
    let is_invented = |reply: &str| {
        is_invented("how do I get to the airport", "Take tram 11 to Bellevue and walk", reply)
    };
    assert!(!is_invented("Take tram 11 to Bellevue."));
    assert!(is_invented("Take tram 13 to Bellevue."));
}

#[test]
fn a_conclusion_may_hold_what_a_tool_returned() {
    let returned = "- The children's afternoon moves because of the flea market.";
    let is_invented = |reply: &str| is_invented("Why was it moved?", returned, reply);
    assert!(!is_invented("It was moved because of the flea market."));
    assert!(!is_invented("There are flea markets, so the afternoon moves."));
    assert!(is_invented("It was moved because of the thunderstorm."));
}

#[test]
fn whoever_changed_nothing_or_calculated_did_not_act() {
    let is_invented = |reply: &str| is_invented("What did the sales bring in?", "[]", reply);
    assert!(!is_invented("Nothing, so I changed nothing."));
    assert!(!is_invented("Nothing; I multiplied quantity by price."));
    assert!(is_invented("Nothing, so I changed the price."));
}

#[test]
fn what_a_request_asks_for_as_missing_is_denied_of_the_right_names() {
    let members = ["Edda Brandt", "Ida Novak", "Jun Sato"];
    check(
        "Which members have we no e-mail address of?",
        &json!({"set": ["Edda Brandt", "Ida Novak"], "of": members}),
        &[
            "Edda Brandt and Ida Novak.",
            "We have no e-mail address of Edda Brandt and Ida Novak.",
            "Edda Brandt and Ida Novak, not Jun Sato.",
        ],
        &["We have no e-mail address of Jun Sato.", "Not Edda Brandt and Ida Novak."],
    );
    check(
        "Which members have an e-mail address?",
        &json!({"set": ["Edda Brandt", "Ida Novak"], "of": members}),
        &["Edda Brandt and Ida Novak."],
        &["There is no e-mail address of Edda Brandt and Ida Novak."],
    );
}

#[test]
fn where_things_are_not_listed_an_act_has_any_name() {
    let case = Case::new("c", "Repair 9 was finished today. Please enter that.");
    let call = toolgauge_core::ToolCall::new("write_query", serde_json::Map::new());
    let transcript =
        Transcript::of(AssistantMessage { calls: vec![call], ..AssistantMessage::default() });
    let mut states = EndStates::default();
    states.actual.changes = json!({"shop.db": {"content": ["…", "…"]}}).into();
    let reports = |states: &EndStates| {
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(states));
        Reply::read("Repair 9 is closed.").false_report(&Context::new(&evidence)).is_none()
    };
    assert!(reports(&states));
    // A home has names for what is done with its things.
    states.things = vec![WorldThing::new("d", vec!["Repair".into()]).into()];
    assert!(!reports(&states));
}

#[test]
fn a_comma_ends_a_comparison_and_half_a_million_is_one_number() {
    check(
        "What is that in kilos?",
        &json!({"number": 1.13, "unit": "kg"}),
        &["A bit more than a kilo, 1.13 kg."],
        &["More than 1.13 kg."],
    );
    check(
        "What do we owe?",
        &json!({"number": 495_515, "unit": "dollars"}),
        &["Just under half a million: $495,515."],
        &["Half a million dollars."],
    );
}

#[test]
fn a_tenth_is_not_fully() {
    let door = WorldThing::new("cover.garage", vec!["Garage door".into()]);
    let kinds = [("domain".to_owned(), "cover".to_owned())].into();
    let door = WorldThing { state: "open".into(), kinds, ..door };
    let mut states = EndStates { things: vec![door.into()], ..EndStates::default() };
    let changes =
        json!({"cover.garage": {"state": ["closed", "open"], "current_position": [0, 10]}});
    states.actual.changes = changes.into();
    let case = Case::new("c", "open the garage door a crack, about ten percent");
    let is_false = |reply: &str| {
        let transcript = Transcript::of(AssistantMessage::default());
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
    };
    assert!(!is_false("The garage door is open ten percent."));
    assert!(is_false("The garage door is fully open."));
    assert!(is_false("The garage door is open for ten minutes."));
}

#[test]
fn an_amount_of_another_sentence_is_told_of_something_else() {
    let fact = json!({"number": 79500, "unit": "dollars"});
    let is_right = |reply: &str| {
        agrees_with("How much was the down payment?", "It was $79,500.", fact.clone(), reply)
    };
    assert!(is_right("It was $79,500. The other $238,500 came from the bank."));
    assert!(!is_right("It was $79,500, and $2,000 in fees."));
    assert!(!is_right("It was $79,500. Actually, it was $97,500."));
}

#[test]
fn what_is_not_known_is_not_told_all_the_same() {
    check(
        "Which damage does the flood policy exclude?",
        &json!({"unknown": true}),
        &[
            "There is no copy of the policy. The books only show its premium.",
            "That is not recorded. What the documents do hold is the number of the policy.",
            "The policy is not on file, so I can't say what it excludes.",
        ],
        &[
            "There is no copy of the policy. It excludes damage to fences.",
            "The policy is not on file, and it excludes earthquakes and wear.",
            "That is not recorded. The insurer told us so last week by letter.",
        ],
    );
}

#[test]
fn plain_talk_claims_no_act() {
    check(
        "how long do i boil an egg",
        &json!({"number": 6, "unit": "minutes"}),
        &["Six minutes.", "Six minutes, and I can set a timer for you."],
        &["Ten minutes."],
    );
    let talk = |reply: &str| {
        let case = Case::new("c", "how long do i boil an egg");
        let transcript = Transcript::of(AssistantMessage::default());
        let context = Context::new(&Evidence::new(&case, &[], &transcript));
        let kind = toolgauge_core::ResponseKind::Text;
        Reply::read(reply).wrong_kind(kind, &[], &context).is_empty()
    };
    assert!(talk("Six minutes. Shall I set a timer?"));
    assert!(!talk("Six minutes. I've started a timer for you."));
}

#[test]
fn what_people_answered_to_a_message_is_not_known() {
    let request = "tell Anna I am late";
    let calls = [("send_message", json!({"to": "Anna", "text": "I am late"}))];
    assert!(!is_false_report(request, &calls, "I told Anna that you are late."));
    assert!(is_false_report(request, &calls, "I told Anna. She says that is fine."));
}

#[test]
fn verbs_and_exclamations_name_no_other_thing() {
    let request = "open the garage door";
    let calls = [("open", json!({"name": "Garage door"}))];
    for reply in
        ["The garage door is open. Drive carefully!", "No worries, the garage door is open."]
    {
        assert!(!is_false_report(request, &calls, reply), "right: {reply}");
    }
    assert!(is_false_report(request, &calls, "The garage door is open and the popcorn is ready."));
}

#[test]
fn what_stands_on_a_list_still_and_what_was_before_may_be_told() {
    let request = "open the bedroom curtain";
    let calls = [("open", json!({"name": "Bedroom curtain"}))];
    for reply in [
        "The bedroom curtain was fully closed a moment ago, now it is open.",
        "The bedroom curtain is open; until now it was closed.",
        "Open, which can't hurt.",
    ] {
        assert!(!is_false_report(request, &calls, reply), "right: {reply}");
    }
    assert!(is_false_report(request, &calls, "I've closed the bedroom curtain."));
    assert!(is_false_report(request, &calls, "The bedroom curtain didn't react."));
}

#[test]
fn a_remark_on_another_year_is_no_answer_to_what_is_not_known() {
    check(
        "What was our rental income in 2023?",
        &json!({"unknown": true}),
        &[
            "2023 isn't recorded. For 2025, the total was $584,660.",
            "There is no entry for 2023, it predates the ledger.",
        ],
        &["There are no records for 2023; it was $280,470."],
    );
}

#[test]
fn a_step_told_as_a_level_or_a_mode_that_was_not_set_is_false() {
    let request = "set the ventilation to eco";
    let calls = [("set_mode", json!({"name": "Ventilation", "mode": "eco"}))];
    assert!(!is_false_report(request, &calls, "The ventilation runs in eco mode."));
    assert!(is_false_report(request, &calls, "The ventilation runs in boost mode."));
    let request = "turn the radio up by ten percent";
    let calls = [("set_volume", json!({"name": "Radio", "volume_step": 10}))];
    assert!(!is_false_report(request, &calls, "The radio is louder by 10 percent."));
    assert!(is_false_report(request, &calls, "The radio is at 10 percent."));
}

#[test]
fn nothing_to_stop_denies_the_act() {
    let mut states = EndStates::default();
    states.actual.changes = json!({"timer.pasta": {"state": ["active", "idle"]}}).into();
    let case = Case::new("c", "stop the pasta timer");
    let is_false = |reply: &str| {
        let transcript = Transcript::of(AssistantMessage::default());
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
    };
    assert!(!is_false("Stopped."));
    assert!(is_false("No timer was running, so there was nothing to stop."));
}

#[test]
fn what_was_changed_was_not_left_as_it_was() {
    let light = WorldThing::new("light.lounge", vec!["Lounge light".into()]);
    let kinds = [("domain".to_owned(), "light".to_owned())].into();
    let attributes = [("brightness".to_owned(), json!(51))].into_iter().collect();
    let light = WorldThing { state: "on".into(), kinds, attributes, ..light };
    let mut states = EndStates { things: vec![light.into()], ..EndStates::default() };
    states.actual.changes = json!({"light.lounge": {"brightness": [204, 51]}}).into();
    let case = Case::new("c", "dim the lounge light to twenty percent");
    let is_false = |reply: &str| {
        let transcript = Transcript::of(AssistantMessage::default());
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
    };
    assert!(!is_false("I dimmed it and left it at 20 percent."));
    assert!(!is_false("Dimmed to twenty percent; I left it on."));
    assert!(is_false("It is at 20 percent already, so I left it at 80."));
    assert!(is_false("I have left it as it was."));
}

#[test]
fn a_report_denies_no_part_of_what_was_done() {
    let request = "Book a planning meeting with Carla on Monday at 2 pm and text her about it.";
    let calls = [
        (
            "create_event",
            json!({"title": "Planning meeting", "attendees": ["Carla"], "time": "14:00"}),
        ),
        ("send_message", json!({"to": "Carla", "text": "Planning meeting on Monday at two."})),
    ];
    tell_apart(
        |reply| !is_false_report(request, &calls, reply),
        &[
            "The planning meeting with Carla is booked for Monday at 2 PM, and I've texted her.",
            "Booked. Carla has been invited and messaged; no one else has been invited.",
        ],
        &[
            "The meeting is booked, but I wasn't able to send her a message.",
            "I've booked the meeting with Carla on Monday. Carla has not been invited.",
            "The planning meeting is booked, though I was unable to reach Carla.",
        ],
    );
    let request = "film time with snacks and make it dark";
    let calls = [("film_time", json!({"snacks": true, "mood": "dark"}))];
    assert!(!is_false_report(request, &calls, "Film time, dark and with snacks."));
    assert!(is_false_report(request, &calls, "Film time is starting, dark and without snacks."));
}

#[test]
fn several_acts_are_reported_in_one_sentence() {
    let request =
        "Bedroom light off, hall light to ten percent, and wake me in 45 minutes with a timer.";
    let calls = [
        ("set_light", json!({"room": "bedroom", "on": false})),
        ("set_light", json!({"room": "hall", "brightness": 10})),
        ("set_timer", json!({"seconds": 2700})),
    ];
    let right = "Done: bedroom light off, hall light at 10%, and a 45-minute timer is running.";
    assert!(!is_false_report(request, &calls, right));
    let wrong = "The bedroom light is on, the hall light at 10%, and a 45-minute timer is running.";
    assert!(is_false_report(request, &calls, wrong));
    let request = "Write to him that I'll be there at one instead.";
    let calls = [("send_message", json!({"to": "Ben", "text": "I'll be there at one instead."}))];
    assert!(!is_false_report(request, &calls, "I've told Ben that you'll be there at one."));
    assert!(is_false_report(request, &calls, "I've moved your appointment to one o'clock."));
}

#[test]
fn units_are_spelled_in_two_ways() {
    let request = "We need two litres of milk.";
    let items = json!({"items": [{"name": "milk", "quantity": 2, "unit": "l"}]});
    let calls = [("add_to_shopping_list", items)];
    assert!(!is_false_report(request, &calls, "I've added 2 liters of milk to your list."));
    assert!(is_false_report(request, &calls, "I've added 2 cartons of cream to your list."));
}

#[test]
fn plain_talk_that_says_what_is_not_recorded_is_out_of_place() {
    check(
        "thanks a lot",
        &json!({"small_talk": true}),
        &["You're welcome.", "Any time!"],
        &["That is not recorded.", "There is no record of that."],
    );
}

#[test]
fn parts_of_a_sum_and_limits_beside_it_may_be_told() {
    let fact = json!({"number": 31_520, "unit": "dollars"});
    let is_right = |reply: &str| {
        agrees_with("What did we pay for repairs?", "It was $31,520.", fact.clone(), reply)
    };
    for reply in [
        "$31,520, most of it for Cedar Point ($27,575).",
        "$31,520, of which $27,575 went to Cedar Point.",
        "$31,520, well above the required $25,000.",
    ] {
        assert!(is_right(reply), "right: {reply}");
    }
    assert!(!is_right("$31,520, and $27,575 in fees."));
}

#[test]
fn a_no_to_anything_tells_of_no_act_and_answers_nothing() {
    let request = "open the bedroom curtain";
    let calls = [("open", json!({"name": "Bedroom curtain"}))];
    assert!(!is_false_report(request, &calls, "Okay."));
    for reply in ["No.", "No, it is not.", "That is not recorded.", "You're welcome."] {
        assert!(is_false_report(request, &calls, reply), "wrong: {reply}");
    }
    check(
        "if it is warmer than twenty degrees outside open the curtain",
        &json!({"truth": false}),
        &["No, it is only 7 degrees.", "It is not warmer than twenty, so I left it."],
        &["Sorry, I can't do that.", "That is not recorded.", "I can't help with that."],
    );
}

#[test]
fn what_a_call_named_was_not_left_out() {
    let request = "dim the hall light and invite Carla";
    let calls = [
        ("set_light", json!({"room": "hall", "brightness": 10})),
        ("create_event", json!({"title": "Planning", "attendees": ["Carla"]})),
    ];
    tell_apart(
        |reply| !is_false_report(request, &calls, reply),
        &["The hall light is dimmed and Carla is invited.", "Both done."],
        &[
            "Carla is invited. I left the hall light alone.",
            "The hall light is dimmed. I couldn't invite Carla.",
            "Carla is invited, but not the hall light.",
        ],
    );
}

#[test]
fn a_day_that_is_told_is_the_day_that_was_set() {
    let request = "put Dr. Meyer into the calendar on 4.5. at eight";
    let calls =
        [("create_event", json!({"title": "Dr. Meyer", "date": "2026-05-04", "time": "08:00"}))];
    assert!(!is_false_report(request, &calls, "Dr. Meyer is in the calendar for May 4."));
    assert!(is_false_report(request, &calls, "Dr. Meyer is in the calendar for April 5."));
}

#[test]
fn whoever_tells_how_to_do_it_has_not_done_it() {
    let request = "turn it off again";
    let calls = [("turn_off", json!({"name": "Living room main light"}))];
    assert!(!is_false_report(request, &calls, "The living room main light is off."));
    let reply =
        "To turn it off again, you can use the command \"turn off Living room main light\".";
    assert!(is_false_report(request, &calls, reply));
    check(
        "can i use the light at the moment",
        &json!({"truth": false}),
        &["No, you cannot use the light in the hall as it is unavailable."],
        &["Yes, you can use it as it is available."],
    );
}

#[test]
fn a_report_of_calls_tells_what_they_set() {
    let check = |request: &str, calls: &[(&str, Value)], right: &[&str], wrong: &[&str]| {
        tell_apart(|reply| !is_false_report(request, calls, reply), right, wrong);
    };
    let on = |on: bool| json!({"room": "hall", "on": on});
    check(
        "turn on the hall light",
        &[("set_light", on(true))],
        &[
            "The hall light is on.",
            "Done, it isn't off any more.",
            "The hall is at full brightness.",
        ],
        &["The hall light is off.", "The hall light is at 20 percent."],
    );
    check(
        "turn off the hall light",
        &[("set_light", on(false))],
        &["The hall light is off.", "The hall is dark."],
        &["The hall light is dimmed."],
    );
    check(
        "thirty percent in the hall, and put on Miles Davis",
        &[
            ("set_light", json!({"room": "hall", "brightness": 30})),
            ("play_music", json!({"query": "Miles Davis"})),
        ],
        &[
            "Mood set: thirty percent, Miles on.",
            "Both done.",
            "The hall is dim and Miles is playing.",
        ],
        &["Miles Davis is playing.", "The hall is dimmed to thirty percent."],
    );
    check(
        "Rice takes twelve minutes and the fish eight, start both timers.",
        &[
            ("set_timer", json!({"seconds": 720, "label": "rice"})),
            ("set_timer", json!({"seconds": 480, "label": "fish"})),
        ],
        &["Both timers run, twelve minutes for the rice and eight for the fish."],
        &[
            "Both timers are set for twelve minutes.",
            "I've set a twelve minute timer for the rice.",
        ],
    );
    check(
        "one hour twenty on the clock for the roast",
        &[("set_timer", json!({"seconds": 4800, "label": "roast"}))],
        &["One hour and twenty minutes for the roast.", "80 minutes, starting now."],
        &["The roast timer is set for one hour.", "I've put the roast into your calendar."],
    );
    check(
        "tell Anna I am late",
        &[("send_message", json!({"to": "Anna", "text": "I am late"}))],
        &["I told Anna.", "I've texted Anna that you are late."],
        &["I've called Anna to say you're late.", "I've put it in your calendar."],
    );
}

#[test]
fn an_option_is_the_one_that_was_called() {
    let options = json!({"properties": {"portion": {"enum": ["small", "normal", "large"]}}});
    let tool = toolgauge_core::Tool {
        name: "evening_feed".into(),
        description: String::new(),
        parameters: options,
    };
    let case = Case::new("c", "evening feed with a large portion");
    let arguments = json!({"portion": "large"}).as_object().unwrap().clone();
    let call = toolgauge_core::ToolCall::new("evening_feed", arguments);
    let made = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let transcript = Transcript::of(made);
    let tools = [tool];
    let evidence = Evidence::new(&case, &tools, &transcript);
    let is_false =
        |reply: &str| Reply::read(reply).false_report(&Context::new(&evidence)).is_some();
    assert!(!is_false("Evening feed with a large portion, done."));
    assert!(!is_false("The large portion it is, not the normal portion."));
    assert!(is_false("Evening feed with a normal portion, done."));
}

#[test]
fn what_nobody_asked_for_was_not_set() {
    let mut states = EndStates::default();
    states.actual.changes = json!({"said": {"count": [0, 1]}}).into();
    let case = Case::new("c", "tell everyone we leave in five minutes");
    let is_false = |reply: &str| {
        let transcript = Transcript::of(AssistantMessage::default());
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
    };
    assert!(!is_false("I've told everyone."));
    assert!(is_false("I've set a timer for five minutes."));
    assert!(is_false("I've told everyone to wait until Sunday."));
}

#[test]
fn outside_is_a_place_and_no_yes() {
    check(
        "is it warmer than 10 degrees outside",
        &json!({"truth": "no"}),
        &["No, it's 7.4 °C outside.", "No, it is colder outside."],
        &["Yes, it's 17.4 °C outside.", "It is 7.4 °C outside, so yes."],
    );
}
