//! Questions back, refusals, answers and small talk in a home whose things and states are known.

use super::statements::{thing, with};
use super::*;

/// A home with two doors, three lamps, a thermostat in two rooms, and a list.
fn home() -> EndStates {
    let mut states = EndStates::default();
    let kitchen_heat = thing("climate.kitchen", "Kitchen thermostat", "Kitchen", "heat");
    let bedroom_heat = thing("climate.bedroom", "Bedroom radiator", "Bedroom", "heat");
    states.things = [
        thing("lock.front", "Front door", "Hall", "unlocked"),
        thing("lock.back", "Back door", "Kitchen", "locked"),
        thing("light.corner_kitchen", "Corner lamp", "Kitchen", "on"),
        thing("light.corner_bedroom", "Corner lamp", "Bedroom", "off"),
        thing("light.desk", "Desk lamp", "Bedroom", "off"),
        thing("cover.left", "Left blind", "Kitchen", "closed"),
        thing("cover.right", "Right blind", "Kitchen", "open"),
        with(kitchen_heat, "current_temperature", json!(21.0)),
        with(bedroom_heat, "current_temperature", json!(17.0)),
        thing("todo.shopping", "Shopping list", "Kitchen", "3"),
    ]
    .into();
    states
}

/// Whether a reply in the home fits a fact and says nothing that is not so.
fn fits(request: &str, fact: &Value, reply: &str) -> bool {
    let mut case = Case::new("c", request);
    case.expectation.more.insert("reply".into(), json!({"now": "18:42"}));
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let states = home();
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    let facts: Vec<ExpectedFact> = vec![serde_json::from_value(fact.clone()).unwrap()];
    let (reply, context) = (Reply::read(reply), Context::new(&evidence));
    let beside = || reply.untrue(&facts, &context).or_else(|| reply.unknown_excuse(&context));
    reply.held_against(&facts, &context).is_empty() && beside().is_none()
}

fn in_home(request: &str, fact: &Value, right: &[&str], wrong: &[&str]) {
    tell_apart(|reply| fits(request, fact, reply), right, wrong);
}

#[test]
fn a_question_back_offers_what_there_is() {
    in_home(
        "turn the corner lamp off",
        &json!({"question": ["which", "kitchen", "bedroom"]}),
        &[
            "Which one, the kitchen one or the bedroom one?",
            "The corner lamp in the kitchen or the one in the bedroom?",
            "Which corner lamp do you mean?",
        ],
        &[
            "The one in the kitchen or the one in the hall?",
            "The corner lamp or the reading lamp?",
            "Which ceiling lamp do you mean?",
            "There are three corner lamps. Which one?",
            "Which corner lamp should I turn on?",
        ],
    );
    in_home(
        "lock the door",
        &json!({"question": ["which", "front", "back"]}),
        &["The front door or the back door?", "Which door?"],
        &["The side door or the back door?", "Which window?", "Which door should I unlock?"],
    );
}

#[test]
fn a_question_back_asks_for_what_is_open() {
    in_home(
        "set it to fifty percent",
        &json!({"question": ["what", "which"]}),
        &["What should I set to fifty percent?", "Which device do you mean?"],
        &["What should I set to sixty percent?", "To what value should I set it?"],
    );
    in_home(
        "open the blind",
        &json!({"question": ["which", "left", "right"]}),
        &["Left or right?", "The left one is closed, the right one is open. Which one?"],
        &[
            "The left, the right or the middle blind?",
            "Until what time should it stay open?",
            "Left or right? The left one is open already.",
        ],
    );
}

#[test]
fn what_is_told_of_other_things_is_so() {
    in_home(
        "is the front door locked",
        &json!({"truth": false}),
        &["No, but the back door is.", "No. Only the back door is locked."],
        &[
            "No, the front door is unlocked, and so is the back door.",
            "No, neither of the doors is locked.",
        ],
    );
    in_home(
        "is the back door locked",
        &json!({"truth": true}),
        &["Yes, it's locked.", "Yes, the back door is locked, unlike the front door."],
        &["Yes, both doors are locked.", "Yes, it is locked, just like the front door."],
    );
    in_home(
        "how warm is it in the bedroom",
        &json!({"number": 17, "unit": "°C"}),
        &["17 degrees.", "17 degrees, cooler than the kitchen."],
        &["17 degrees, warmer than the kitchen.", "17 degrees, and the radiator is off."],
    );
}

#[test]
fn counts_are_not_more_than_there_are() {
    in_home(
        "do i have a lamp in the kitchen",
        &json!({"truth": true}),
        &["Yes, the corner lamp.", "Yes, one."],
        &["Yes, two of them.", "Yes, there are two corner lamps in the kitchen."],
    );
    in_home(
        "is beer on the shopping list",
        &json!({"truth": false}),
        &["No, there are three items, and no beer."],
        &["No, there are only two items on it."],
    );
}

#[test]
fn a_judgement_follows_from_its_value() {
    let humid = json!({"number": 52, "unit": "%"});
    in_home(
        "how humid is it in the kitchen",
        &humid,
        &["52 percent, so a little over half."],
        &["52 percent, so under half."],
    );
    let cold = json!({"number": 7.4, "unit": "°C"});
    in_home(
        "how cold is it outside",
        &cold,
        &["7.4 degrees, well above freezing."],
        &["7.4 degrees, below freezing."],
    );
}

#[test]
fn a_refusal_gives_no_reason_that_nobody_knows() {
    in_home(
        "turn on the jacuzzi",
        &json!({"refusal": true}),
        &["There is no jacuzzi here.", "I can't do that, I don't see a jacuzzi."],
        &[
            "I can't, the jacuzzi is out of order.",
            "I can't turn it on, but I can see a white van outside.",
            "I can't do that, the next train leaves at 5:12.",
        ],
    );
}

#[test]
fn small_talk_fits_what_was_said() {
    let talk = json!({"small_talk": true});
    in_home(
        "good morning",
        &talk,
        &["Good morning!", "Morning! Have a good day."],
        &["Good night, sleep well.", "Goodbye!", "Good morning! The coffee is brewing."],
    );
    in_home(
        "sleep well see you tomorrow",
        &talk,
        &["Good night, see you tomorrow!"],
        &["Good morning! Did you sleep well?", "The capital of France is Paris."],
    );
}

#[test]
fn what_is_concluded_from_a_state_follows_from_it() {
    in_home(
        "is the back door locked",
        &json!({"truth": true}),
        &["Yes, it's locked, so you can sleep soundly.", "Yes, so nobody can simply walk in."],
        &["Yes, it's locked, so you can simply walk in."],
    );
    in_home(
        "is the desk lamp on",
        &json!({"truth": false}),
        &["No, it's off, so it's dark on the desk."],
        &["No, it's off, so it's nice and bright on the desk."],
    );
    let warm = json!({"number": 21, "unit": "°C"});
    in_home(
        "how warm is it in the kitchen",
        &warm,
        &["21 degrees, a bit more than 20.", "21 degrees, so below 25."],
        &["21 degrees, well past 25.", "21 degrees, slightly under 20."],
    );
}

#[test]
fn what_holds_elsewhere_is_no_answer_and_no_contradiction() {
    in_home(
        "is the front door locked",
        &json!({"truth": false}),
        &[
            "No. Only the back door is locked.",
            "No, it's open; the back door, by contrast, is locked.",
            "It isn't, just the one in the kitchen is locked.",
        ],
        &["The back door is locked."],
    );
}

#[test]
fn a_question_back_asks_in_many_words() {
    in_home(
        "set a timer",
        &json!({"question": ["how long", "minutes"]}),
        &["I only need one thing: the duration.", "How long?"],
        &["What should I call it?", "Set."],
    );
    in_home(
        "turn it on",
        &json!({"question": ["which", "what"]}),
        &["I'd need the name of the thing first.", "Tell me the one you mean."],
        &["It's on."],
    );
}

#[test]
fn a_refusal_gives_no_past_event_as_its_reason() {
    in_home(
        "disarm the alarm",
        &json!({"refusal": true}),
        &["I can't, because I have no access to it.", "I can't disarm it."],
        &["I can't disarm it, because the code was changed on Monday."],
    );
}

#[test]
fn what_the_home_does_not_have_is_not_told_as_being_so() {
    in_home(
        "is the front door locked",
        &json!({"truth": "no"}),
        &["No, it is unlocked.", "No, the front door isn't locked."],
        &["No, it is unlocked. The dishwasher is running.", "No. The radio is on."],
    );
}

#[test]
fn a_conclusion_may_be_a_denial() {
    in_home(
        "is the front door locked",
        &json!({"truth": "no"}),
        &[
            "No, it is unlocked, so you can not rely on it.",
            "No, it's unlocked. Anybody can get in.",
        ],
        &["No, it is unlocked, so nobody can get in.", "No, it's unlocked, so no one can get in."],
    );
}

#[test]
fn a_refusal_may_tell_the_time_that_it_is() {
    in_home(
        "wake me at six",
        &json!({"refusal": true}),
        &["Sorry, I can't set alarms.", "It's already 6:42 pm, and I can't set alarms."],
        &["Sorry, I can't set alarms after 9:40 pm."],
    );
}
