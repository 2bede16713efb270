//! Warnings of what confuses a model, each with a home that has it and one that does not.

use toolgauge_home_assistant::{ConfusionKind, confusions};

use super::homes::home;

fn told(text: &str) -> Vec<(ConfusionKind, String)> {
    let found = confusions(&home(text)).into_iter();
    found.map(|confusion| (confusion.kind, confusion.message)).collect()
}

fn one(text: &str, kind: ConfusionKind, message: &str) {
    let found = told(text);
    assert_eq!(found, [(kind, message.to_owned())], "{text}");
}

#[test]
fn two_things_of_one_name_are_told_with_their_areas() {
    one(
        "areas: [{name: Hall}]\nentities:\n\
         - {entity_id: light.a, name: Lamp, area: Hall}\n\
         - {entity_id: light.b, name: Spot, aliases: [LAMP]}\n",
        ConfusionKind::SharedName,
        "2 things are called \"lamp\": `light.a` in Hall, `light.b` in no area",
    );
}

#[test]
fn a_thing_named_like_a_place_is_told() {
    one(
        "areas: [{name: Hall}, {name: Attic, aliases: [top]}]\nentities:\n\
         - {entity_id: light.a, name: Lantern, aliases: [Top], area: Hall}\n",
        ConfusionKind::PlaceName,
        "`light.a` is called \"top\", which is a name of the area Attic",
    );
}

#[test]
fn an_alias_that_is_another_rooms_name_is_told() {
    one(
        "areas: [{name: Hall}, {name: Attic, aliases: [hall]}]\n\
         entities: [{entity_id: light.a, name: Lantern}]\n",
        ConfusionKind::SharedPlace,
        "\"hall\" is a name of the area Hall and of the area Attic",
    );
}

#[test]
fn a_light_called_fan_is_told_and_a_fan_light_is_not() {
    one(
        "entities:\n- {entity_id: light.a, name: Bedroom Fan}\n\
         - {entity_id: light.b, name: Kitchen fan light}\n",
        ConfusionKind::WrongKind,
        "`light.a` is a light called \"Bedroom Fan\"",
    );
}

#[test]
fn names_that_differ_by_one_letter_are_told_but_numbers_are_not() {
    one(
        "entities:\n- {entity_id: light.a, name: Marle}\n- {entity_id: light.b, name: Maple}\n\
         - {entity_id: light.c, name: Spot 1}\n- {entity_id: light.d, name: Spot 2}\n\
         - {entity_id: light.e, name: Porch, aliases: [Torch]}\n",
        ConfusionKind::NearlyAlike,
        "\"maple\" and \"marle\" differ by one letter",
    );
    let added = told(
        "entities:\n- {entity_id: light.a, name: Candle}\n- {entity_id: light.b, name: Candles}\n",
    );
    assert_eq!(added[0].0, ConfusionKind::NearlyAlike);
}

#[test]
fn names_nobody_can_say_are_told() {
    let found = told(
        "entities:\n- {entity_id: light.a, name: A, names: []}\n\
         - {entity_id: light.b, name: All}\n- {entity_id: light.c, name: 'Left, upper'}\n\
         - {entity_id: light.d, name: The lantern behind the sofa next to the old piano}\n",
    );
    let kinds: Vec<ConfusionKind> = found.iter().map(|(kind, _)| *kind).collect();
    let unnamed = ConfusionKind::Unnamed;
    assert_eq!(kinds, [unnamed, unnamed, unnamed, ConfusionKind::LongName], "{found:?}");
}

#[test]
fn what_is_mentioned_and_not_exposed_is_told() {
    one(
        "entities:\n- {entity_id: cover.a, name: Awning, exposed: false}\n\
         - {entity_id: script.a, name: Movie time, description: Closes the awning}\n\
         - {entity_id: script.b, name: Storm, description: Minds the awnings}\n",
        ConfusionKind::NotExposed,
        "`script.a` mentions \"Awning\" (`cover.a`), which is not exposed",
    );
}

#[test]
fn a_plain_home_gives_no_warning() {
    let found = told(
        "areas: [{name: Hall}, {name: Attic}]\nentities:\n\
         - {entity_id: light.a, name: Hall light, area: Hall}\n\
         - {entity_id: fan.b, name: Attic fan, area: Attic}\n\
         - {entity_id: light.hidden, name: Hall light, exposed: false}\n",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_home_of_very_many_things_is_looked_through_soon() {
    let entity = |number: usize| {
        let letters: String =
            number.to_string().bytes().map(|digit| char::from(digit + 49)).collect();
        format!("- {{entity_id: light.a{number}, name: Lamp, aliases: [{letters:x>6}]}}\n")
    };
    let entities: String = (0..8_000).map(entity).collect();
    let home = home(&format!("entities:\n{entities}"));
    let begun = std::time::Instant::now();
    let found = confusions(&home);
    // Some seconds without optimisation; comparing all with all would take minutes.
    assert!(begun.elapsed() < std::time::Duration::from_mins(1), "{:?}", begun.elapsed());
    assert!(found[0].message.starts_with("8000 things are called \"lamp\""));
}
