//! Reading inventories: what is accepted, and how problems are told.

use serde_json::json;
use toolgauge_home_assistant::{Inventory, InventoryError, Profile};

use super::homes::{call, home, recorded, spoken_to, world};

fn problems(text: &str) -> Vec<String> {
    match Inventory::from_text("home.yaml", text) {
        Err(InventoryError::Invalid(problems)) => {
            problems.iter().map(ToString::to_string).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_recorded_inventory_loads_as_it_is() {
    let inventory = recorded();
    assert_eq!(inventory.entities().len(), 27);
    assert_eq!(inventory.satellites().collect::<Vec<_>>(), ["dev", "garden", "nodev"]);
    assert!(inventory.warnings().is_empty(), "{:?}", inventory.warnings());
}

#[test]
fn all_problems_are_told_at_once_with_their_lines() {
    let text = "\
floors:
- name: Ground
areas:
- name: Kitchen
  floor: Attic
entities:
- entity_id: kitchen
- name: nameless
- entity_id: light.a
  area: Cellar
- entity_id: light.a
- entity_id: light.b
  domain: switch
  exposed: maybe
satellites:
  dev: {area: Moon}
";
    assert_eq!(
        problems(text),
        [
            "home.yaml:5: there is no floor `Attic`",
            "home.yaml:7: `kitchen` is no entity id such as `light.kitchen`",
            "home.yaml:8: an entity needs an `entity_id`",
            "home.yaml:10: there is no area `Cellar`",
            "home.yaml:11: entity `light.a` is there twice",
            "home.yaml:12: entity `light.b` cannot be of domain `switch`",
            "home.yaml:14: `exposed` must be true or false, not text",
            "home.yaml:16: there is no area `Moon`",
        ]
    );
}

#[test]
fn what_is_not_yaml_is_told_with_its_line() {
    let told = problems("entities:\n- entity_id: 'light.a\n");
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("home.yaml:") && told[0].contains("not YAML"), "{told:?}");
}

#[test]
fn a_file_without_entities_is_no_inventory() {
    assert_eq!(problems("areas: []"), ["home.yaml:1: an inventory needs `entities`"]);
    assert_eq!(problems(""), ["home.yaml:1: an inventory is a mapping with `entities`"]);
    assert_eq!(problems("[]"), ["home.yaml:1: an inventory must be a mapping, not a list"]);
}

#[test]
fn a_key_nobody_reads_is_a_warning() {
    let inventory = home("entities:\n- entity_id: light.a\n  colour: red\n");
    let warnings: Vec<String> = inventory.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with("home.yaml:3: `colour` is not used"), "{warnings:?}");
}

#[test]
fn a_home_can_be_told_in_few_words() {
    let inventory = home("entities: [{entity_id: light.desk_lamp, state: on}]");
    let lamp = inventory.entity("light.desk_lamp").unwrap();
    assert_eq!((lamp.name.as_str(), lamp.state.as_str(), lamp.exposed), ("Desk lamp", "on", true));
}

#[test]
fn numbers_and_truths_are_states_as_they_are_written() {
    let inventory =
        home("entities: [{entity_id: sensor.a, state: 20.5}, {entity_id: sensor.b, state: 7}]");
    let state = |id: &str| inventory.entity(id).unwrap().state.clone();
    assert_eq!((state("sensor.a"), state("sensor.b")), ("20.5".into(), "7".into()));
}

#[test]
fn the_older_form_names_floors_where_areas_stand() {
    let inventory = home(
        "areas: [{id: kitchen, name: Kitchen, floor: first}]\n\
         entities: [{entity_id: light.a, area: kitchen, domain: light, state: 'on'}]",
    );
    assert_eq!(inventory.floors()[0].id, "first");
}

#[test]
fn contents_are_read_where_they_stand_or_apart() {
    let text = "
entities:
- entity_id: todo.chores
  items: [Sweep, {summary: Mop, status: completed}]
- entity_id: script.bedtime
calendars: {}
scripts:
  bedtime: {description: Good night, fields: {room: {required: true, selector: {area: {}}}}}
";
    let inventory = home(text);
    assert_eq!(inventory.entity("todo.chores").unwrap().state, "1");
    let told = problems("entities: []\nlists:\n  chores: [a]\n");
    assert_eq!(told, ["home.yaml:3: there is no entity `todo.chores` to hold this"]);
}

#[test]
fn files_add_to_each_other() {
    let small = "
floors: [{name: Ground}]
areas: [{name: Hall, floor: Ground}]
clock: 2026-11-19T18:42:00+01:00
entities: [{entity_id: light.a, area: Hall}]
";
    let more = "
areas: [{name: Loft, floor: Ground}]
entities: [{entity_id: light.b, area: Loft}, {entity_id: light.c, area: Hall}]
";
    let both = Inventory::from_files(&[("small", small), ("more", more)]).unwrap();
    let ids: Vec<&str> = both.entities().iter().map(|entity| entity.id.as_str()).collect();
    assert_eq!(ids, ["light.a", "light.b", "light.c"]);
    let twice = Inventory::from_files(&[("small", small), ("again", small)]).unwrap_err();
    assert!(twice.to_string().contains("again:5: entity `light.a` is there twice"), "{twice}");
}

#[test]
fn what_a_scene_or_a_script_cannot_do_is_told_with_its_line() {
    let text = "\
entities:
- entity_id: light.a
- entity_id: scene.s
  entities:
    light.a: 'on'
    light.gone: 'off'
- entity_id: script.t
  sequence:
  - {tool: HassMakeCoffee}
  - {tool: HassTurnOn, set: {light.a: 'on'}}
  - {set: {light.away: 'on'}}
scenes:
  nowhere: {light.a: 'on'}
";
    assert_eq!(
        problems(text),
        [
            "home.yaml:9: there is no tool `HassMakeCoffee`",
            "home.yaml:10: a step has either `set` or a `tool`",
            "home.yaml:13: there is no entity `scene.nowhere` to hold this",
            "home.yaml:6: there is no entity `light.gone`",
            "home.yaml:11: there is no entity `light.away`",
        ]
    );
}

#[test]
fn json_may_write_a_character_as_two_escapes() {
    let text = r#"{"entities": [{"entity_id": "light.a", "name": "\ud83d\udca1 lamp"}]}"#;
    let home = Inventory::from_text("home.json", text).unwrap();
    assert_eq!(home.entities()[0].name, "💡 lamp");
}

/// Home Assistant keeps the names a thing answers to apart from the name it is listed by.
const NAMED_APART: &str = "\
areas: [{name: Hall}]
entities:
- {entity_id: switch.outlet, name: Power strip Outlet, names: [Outlet], state: 'off'}
- {entity_id: light.ceiling, name: Hub ceiling, names: [big light, ceiling], state: 'off'}
- {entity_id: light.floor, name: A floor lamp, names: [], state: 'off', area: Hall}
- {entity_id: script.tidy, name: Tidy, names: [], description: Tidies up}
";

#[test]
fn names_are_told_as_listed_and_sorted_by_the_friendly_name() {
    let world = world(&home(NAMED_APART), Profile::V2026_10);
    let (system, tools) = world.at(None).unwrap();
    let listed = "\
- names: ''
  domain: light
  areas: Hall
- names: big light, ceiling
  domain: light
- names: Outlet
  domain: switch
";
    assert!(system.contains(listed), "{system}");
    let script = tools.iter().find(|tool| tool.name == "script__tidy").unwrap();
    assert_eq!(script.description, "Tidies up");
}

#[test]
fn a_thing_answers_to_its_names_and_not_to_its_friendly_name() {
    let mut state = spoken_to(&home(NAMED_APART), Profile::V2026_10, None);
    let refused = call(&mut state, "intent__HassTurnOn", json!({"name": "Power strip Outlet"}));
    assert_eq!(refused["error"], json!(true), "{refused}");
    let done = call(&mut state, "intent__HassTurnOn", json!({"name": "outlet"}));
    assert_eq!(done["data"]["data"]["success"][0]["name"], json!("Power strip Outlet"), "{done}");
}

#[test]
fn names_and_aliases_exclude_each_other() {
    let told = problems("entities:\n- {entity_id: light.a, names: [A], aliases: [B]}\n");
    assert_eq!(told, ["home.yaml:2: `light.a` has `names`, which leaves no place for `aliases`"]);
}

#[test]
fn a_home_without_names_works_in_every_profile() {
    for profile in [Profile::V2026_2, Profile::Classic, Profile::V2026_10] {
        let world = world(&home(NAMED_APART), profile);
        assert!(world.at(None).unwrap().0.contains("big light, ceiling"));
    }
}
