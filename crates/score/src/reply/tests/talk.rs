//! What answers, refusals, questions back and small talk tell beside what they are for.

use super::home::home;
use super::statements::thing;
use super::*;

/// The home of the other tests, with levels, a charger, a player, and two more rooms.
fn larger_home() -> EndStates {
    let mut states = home();
    let with = |thing: std::sync::Arc<WorldThing>, all: &[(&str, Value)]| {
        let mut thing = WorldThing::clone(&thing);
        for (name, value) in all {
            thing.attributes.insert((*name).into(), value.clone());
        }
        thing.into()
    };
    let mut things: Vec<std::sync::Arc<WorldThing>> = states.things.clone();
    things.extend([
        with(
            thing("light.reading", "Reading lamp", "Studio", "on"),
            &[("brightness", json!(102)), ("color_mode", json!("color_temp"))],
        ),
        with(
            thing("cover.awning", "Studio blind", "Studio", "open"),
            &[("current_position", json!(60))],
        ),
        with(
            thing("climate.studio", "Studio heating", "Studio", "heat"),
            &[
                ("current_temperature", json!(19.5)),
                ("temperature", json!(20.0)),
                ("hvac_modes", json!(["off", "heat"])),
            ],
        ),
        with(
            thing("media_player.studio", "Studio speaker", "Studio", "playing"),
            &[("media_title", json!("Blue Train"))],
        ),
        thing("switch.charger", "Car charger", "Garage", "off"),
        thing("switch.kettle", "Kettle", "Kitchen", "off"),
        thing("fan.bath", "Extractor fan", "Bathroom", "off"),
    ]);
    states.things = things;
    states
}

/// Whether a reply in the home fits a fact and says nothing that is not so.
fn fits(request: &str, fact: &Value, reply: &str, is_question: bool) -> bool {
    let mut case = Case::new("c", request);
    case.expectation.more.insert("reply".into(), json!({"now": "18:42", "today": "2026-11-19"}));
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    let transcript = Transcript::of(said);
    let states = larger_home();
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    let facts: Vec<ExpectedFact> = vec![serde_json::from_value(fact.clone()).unwrap()];
    let (reply, context) = (Reply::read_any(reply), Context::new(&evidence));
    let beside = || {
        let untrue = reply.untrue(&facts, &context).or_else(|| reply.unknown_excuse(&context));
        let taken_back = || reply.taken_back(&facts, &context);
        let invented = || reply.invented(&facts, &context).filter(|_| is_question);
        untrue.or_else(taken_back).or_else(invented)
    };
    reply.held_against(&facts, &context).is_empty() && beside().is_none()
}

fn in_home(request: &str, fact: &Value, right: &[&str], wrong: &[&str]) {
    let is_question = request.starts_with(['h', 'i', 'w']);
    for reply in right {
        assert!(fits(request, fact, reply, is_question), "right: {reply}");
    }
    for reply in wrong {
        assert!(!fits(request, fact, reply, is_question), "wrong: {reply}");
    }
}

#[test]
fn a_home_tells_nothing_of_parts_habits_and_people() {
    in_home(
        "is the desk lamp on",
        &json!({"truth": false}),
        &["No, it's off.", "It's off at the moment.", "No, the desk lamp isn't on."],
        &[
            "It's off. The black cartridge is nearly empty, by the way.",
            "It's off, one of its bulbs needs to be replaced.",
            "It's off, as usual.",
            "No. You turn it on every evening.",
            "No, it's off. Your neighbour rang twice.",
            "No, it's off. Ella is asleep already.",
            "No, it's off. It switches on automatically at ten.",
            "No. It will be repaired tomorrow.",
            "No. It's raining outside.",
            "No, it's made of oak.",
            "No, it's off. It was on when you left the house.",
            "No, the night programme has turned it off.",
        ],
    );
    in_home(
        "send me a photo of the door",
        &json!({"refusal": true}),
        &["I can't send photos.", "I have no camera that I could use."],
        &[
            "I can't send photos, but it's the postman.",
            "I can't send photos, but it looks like a delivery van pulling in.",
            "There is nobody at the door, so no photo.",
        ],
    );
}

#[test]
fn things_have_the_levels_that_are_told() {
    in_home(
        "open the blind",
        &json!({"question": ["which", "left", "right", "studio"]}),
        &[
            "The left, the right or the studio one?",
            "Which blind? The studio blind stands at 60 percent.",
            "Which blind? The studio blind is 40 percent closed.",
        ],
        &["Which blind? The studio blind stands at 16 percent."],
    );
    in_home(
        "turn the lamp off",
        &json!({"question": ["which", "corner", "reading", "desk"]}),
        &["Which lamp? The reading lamp is at 40 percent.", "Which lamp?"],
        &[
            "Which lamp? The reading lamp is at 80 percent.",
            "Which lamp? The reading lamp is red at the moment.",
        ],
    );
    in_home(
        "set it to 21 degrees",
        &json!({"question": ["which", "where", "room"]}),
        &["Which room is that for?", "21 degrees, but in which room?"],
        &["Twelve degrees it is, but which room is that for?"],
    );
}

#[test]
fn a_target_is_no_measure() {
    let warm = json!({"number": 19.5, "unit": "°C"});
    in_home(
        "how warm is it in the studio",
        &warm,
        &["19.5 degrees.", "It's 19.5 degrees, a little below the 20 it is set to."],
        &[
            "19.5 degrees, so it has already reached its target.",
            "19.5 degrees, because the sun was out all day.",
        ],
    );
    let close = json!({"number": 19.5, "unit": "°C", "tolerance": 1.0});
    in_home("how warm is it in the studio", &close, &[], &["The studio is set to 20 degrees."]);
}

#[test]
fn things_are_told_by_their_kind_and_place() {
    in_home(
        "is the front door locked",
        &json!({"truth": false}),
        &["No. The lamp in the studio is on.", "No. The fan in the bathroom is off."],
        &[
            "No. The lamp in the studio is off.",
            "No. The fan in the bathroom is running.",
            "No. The car is charging.",
        ],
    );
}

#[test]
fn what_is_not_there_is_not_told_of() {
    in_home(
        "is there a camera in the studio",
        &json!({"truth": false}),
        &[
            "None that I know of.",
            "Not in there.",
            "No, there isn't one. It's just the lamp there.",
        ],
        &[
            "No, there's no camera in the studio. It's recording right now.",
            "No, there isn't one. It was taken out last month.",
        ],
    );
    in_home(
        "is there a fan in the bathroom",
        &json!({"truth": true}),
        &["Yes, the extractor fan."],
        &["Yes, the extractor fan. Though the bathroom hasn't got one."],
    );
}

#[test]
fn a_list_is_as_long_as_it_is() {
    let list = json!({"set": [["milk"], ["apples"]], "of": [["milk"], ["apples"], ["bread"]]});
    in_home(
        "what is on the shopping list",
        &list,
        &["Milk and apples.", "There are milk and apples on it."],
        &[
            "Milk and apples. The list is empty.",
            "Milk and apples, so a single item in all.",
            "Milk and two kilos of apples.",
        ],
    );
}

#[test]
fn a_refusal_does_not_use_what_it_denies() {
    in_home(
        "put the studio heating into sleep mode",
        &json!({"refusal": true}),
        &["It doesn't have a sleep mode.", "It only knows heat and off, so that isn't possible."],
        &[
            "It doesn't have a sleep mode, so it's running in sleep mode now.",
            "I can't. It only knows heat, cool and fan.",
        ],
    );
}

#[test]
fn choices_are_where_they_are_said_to_be() {
    in_home(
        "make it warmer",
        &json!({"question": ["which", "where", "room"]}),
        &["Which heating, the one in the studio or the one in the kitchen?"],
        &["Studio or bathroom, which heating shall I raise?"],
    );
}

#[test]
fn a_title_is_the_one_that_plays() {
    in_home(
        "is the front door locked",
        &json!({"truth": false}),
        &[
            "No. The studio speaker is playing Blue Train.",
            "No. The studio speaker is playing now.",
        ],
        &["No. The studio speaker is playing football."],
    );
}

#[test]
fn a_conclusion_in_figures_holds() {
    in_home(
        "how long is one and a half hours in minutes",
        &json!({"number": 90}),
        &["90 minutes, which is an hour and a half.", "Ninety minutes."],
        &["Ninety minutes, which makes it exactly two hours."],
    );
    in_home(
        "how warm is it in the bedroom",
        &json!({"number": 20.1, "unit": "°C"}),
        &["20.1 degrees, so not even twenty-one."],
        &["20.1 degrees, so not even twenty."],
    );
}

#[test]
fn other_languages_tell_times_and_places() {
    let read = |text: &str| Reply::read_glossed(text).plain.clone();
    assert!(read("la cerró a las cinco y cuarto").contains("at quarter past five"));
    assert!(read("estará lleno a las once de la noche").contains("at eleven at night"));
    assert!(read("um elf Uhr").contains("at eleven o'clock"));
    assert!(read("Ella ist vor zehn Minuten gegangen").contains("ten minutes ago"));
    assert!(read("il y a dix minutes").contains("ten minutes ago"));
    assert!(read("das Fenster in der Küche ist dagegen zu").contains("closed"));
}
