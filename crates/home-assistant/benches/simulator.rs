//! How many calls a home of more than five hundred entities carries out in a second.

use std::fmt::Write as _;
use std::sync::Arc;

use divan::counter::ItemsCount;
use serde_json::{Map, Value, json};
use toolgauge_core::Case;
use toolgauge_home_assistant::{HomeAssistantWorld, Inventory};
use toolgauge_world::World;

fn main() {
    divan::main();
}

/// Thirteen things in each of forty rooms on three floors.
fn enormous() -> Arc<Inventory> {
    let mut text =
        String::from("floors: [{name: Cellar}, {name: Ground floor}, {name: Attic}]\nareas:\n");
    let floors = ["Cellar", "Ground floor", "Attic"];
    for room in 0..40 {
        let _ = writeln!(
            text,
            "- {{name: Room {room}, floor: {}, aliases: [chamber {room}]}}",
            floors[room % 3]
        );
    }
    text.push_str("satellites: {here: {area: Room 0, supports_timers: true}}\nentities:\n");
    let _ = writeln!(text, "- {{entity_id: todo.shopping_list, name: Shopping list, state: '3'}}");
    for room in 0..40 {
        for (domain, thing, state) in [
            ("light", "ceiling light", "'off'"),
            ("light", "lamp", "'on'"),
            ("light", "strip", "'off'"),
            ("switch", "plug", "'on'"),
            ("switch", "heater", "'off'"),
            ("cover", "blind", "open"),
            ("fan", "fan", "'off'"),
            ("climate", "thermostat", "heat"),
            ("media_player", "speaker", "playing"),
            ("lock", "door lock", "locked"),
            ("sensor", "temperature", "'20.5'"),
            ("binary_sensor", "window", "'off'"),
            ("humidifier", "humidifier", "'off'"),
        ] {
            let id = thing.replace(' ', "_");
            let _ = writeln!(
                text,
                "- {{entity_id: {domain}.room_{room}_{id}, name: Room {room} {thing}, area: Room {room}, state: {state}, \
                 attributes: {{volume_level: 0.4, temperature: 20.0, brightness: 128, current_position: 30, percentage: 0}}}}"
            );
        }
    }
    Inventory::from_text("enormous", &text).expect("the home is valid")
}

fn world() -> HomeAssistantWorld {
    let builder = HomeAssistantWorld::builder(enormous()).satellite(Some("here".into()));
    builder.build().expect("the satellite is there")
}

/// What people ask for: mostly one thing by name, sometimes a room, sometimes a question,
/// sometimes something that is not there.
fn calls() -> Vec<(&'static str, Map<String, Value>)> {
    let calls = [
        ("intent__HassTurnOn", json!({"name": "Room 7 ceiling light"})),
        ("intent__HassTurnOff", json!({"name": "room 39 plug", "domain": ["switch"]})),
        ("light__HassLightSet", json!({"name": "Room 12 lamp", "brightness": 40})),
        ("light__HassLightSet", json!({"area": "Room 3", "color": "red"})),
        ("intent__HassTurnOff", json!({"area": "chamber 5", "domain": ["light"]})),
        ("intent__HassSetPosition", json!({"name": "Room 1 blind", "position": 50})),
        ("climate__HassClimateSetTemperature", json!({"temperature": 21.5})),
        ("media_player__HassSetVolume", json!({"name": "Room 2 speaker", "volume_level": 30})),
        ("homeassistant__GetLiveContext", json!({"name": "Room 9 thermostat"})),
        ("todo__HassListAddItem", json!({"item": "tea", "name": "shopping list"})),
        ("intent__HassStartTimer", json!({"minutes": 5, "name": "pasta"})),
        ("intent__HassTurnOn", json!({"name": "toaster"})),
    ];
    let object = |value: Value| match value {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    calls.into_iter().map(|(tool, arguments)| (tool, object(arguments))).collect()
}

#[divan::bench]
fn a_trial_of_twelve_calls(bencher: divan::Bencher<'_, '_>) {
    let (world, calls) = (world(), calls());
    bencher.counter(ItemsCount::new(calls.len())).bench_local(|| {
        let mut home = world.home(Some("here")).expect("the satellite is there");
        for (tool, arguments) in &calls {
            divan::black_box(home.execute(tool, arguments));
        }
        home
    });
}

#[divan::bench]
fn the_whole_house_dark(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    let Value::Object(arguments) = json!({"domain": ["light"]}) else { return };
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        let mut home = world.home(None).expect("a home");
        home.execute("intent__HassTurnOff", &arguments)
    });
}

#[divan::bench]
fn the_whole_live_context(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        let mut home = world.home(None).expect("a home");
        home.execute("homeassistant__GetLiveContext", &Map::new())
    });
}

#[divan::bench]
fn entering(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    let case = Case::new("any", "turn on the light");
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| world.enter(&case));
}

#[divan::bench]
fn reading_and_preparing(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(world);
}
