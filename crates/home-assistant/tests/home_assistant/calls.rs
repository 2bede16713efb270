//! What each tool does to a home, beyond what was recorded.

use serde_json::json;
use toolgauge_home_assistant::Profile;

use super::homes::{call, changes, done, error, home, living_room, nowhere, recorded, spoken_to};

const ON: &str = "intent__HassTurnOn";
const OFF: &str = "intent__HassTurnOff";
const LIGHT: &str = "light__HassLightSet";

#[test]
fn a_light_remembers_its_settings_while_it_is_off() {
    let mut home = living_room();
    call(&mut home, LIGHT, json!({"name": "big light", "brightness": 30, "color": "red"}));
    let off = changes(&mut home, OFF, json!({"name": "big light"}));
    assert_eq!(off["light.living_room_main_light"]["brightness"], json!([76, null]));
    assert_eq!(off["light.living_room_main_light"]["rgb_color"], json!([[255, 0, 0], null]));
    let on = changes(&mut home, ON, json!({"name": "big light"}));
    assert_eq!(on["light.living_room_main_light"]["brightness"], json!([null, 76]));
    assert_eq!(on["light.living_room_main_light"]["rgb_color"], json!([null, [255, 0, 0]]));
}

#[test]
fn no_brightness_at_all_turns_a_light_off() {
    let changed = changes(
        &mut nowhere(),
        LIGHT,
        json!({"name": "Kitchen ceiling light", "brightness": 0, "color": "red"}),
    );
    assert_eq!(
        changed,
        json!({"light.kitchen_ceiling_light": {"state": ["on", "off"], "color_mode": ["hs", null], "brightness": [128, null]}})
    );
}

#[test]
fn a_light_set_to_nothing_in_particular_just_goes_on() {
    let changed = changes(&mut living_room(), LIGHT, json!({"name": "big light"}));
    assert_eq!(changed["light.living_room_main_light"]["state"], json!(["off", "on"]));
}

#[test]
fn a_colour_and_a_temperature_at_once_are_refused_by_the_service() {
    let both = json!({"name": "big light", "color": "red", "temperature": 3000});
    assert_eq!(
        error(&mut living_room(), LIGHT, both),
        (
            "IntentHandleError".into(),
            "Failed to call turn_on for: ['light.living_room_main_light']".into()
        )
    );
    let area = json!({"area": "Living Room", "color": "red", "temperature": 3000});
    let answer = call(&mut living_room(), LIGHT, area);
    assert_eq!(done(&answer), ["living_room"]);
    assert_eq!(answer["data"]["data"]["failed"].as_array().unwrap().len(), 2);
}

/// Expected values: `homeassistant.util.color` of Home Assistant 2026.8.
#[test]
fn colour_temperatures_and_colours_are_shown_in_every_space() {
    for (kelvin, hs, rgb, xy) in [
        (1500, [25.471, 100.0], [255, 108, 0], [0.635, 0.355]),
        (2700, [28.395, 65.723], [255, 167, 87], [0.525, 0.388]),
        (4000, [26.812, 34.87], [255, 206, 166], [0.42, 0.365]),
        (6600, [0.0, 0.0], [255, 255, 255], [0.323, 0.329]),
        (40000, [220.341, 40.52], [152, 186, 255], [0.231, 0.241]),
    ] {
        let changed = changes(
            &mut nowhere(),
            LIGHT,
            json!({"name": "Kitchen ceiling light", "temperature": kelvin}),
        );
        let light = &changed["light.kitchen_ceiling_light"];
        assert_eq!(light["hs_color"][1], json!(hs), "{kelvin}");
        assert_eq!(light["rgb_color"][1], json!(rgb), "{kelvin}");
        assert_eq!(light["xy_color"][1], json!(xy), "{kelvin}");
        assert_eq!(light["color_temp_kelvin"], json!([null, kelvin]));
    }
    for (name, hs, rgb, xy) in [
        ("orange", [38.824, 100.0], [255, 165, 0], [0.562, 0.417]),
        ("teal", [180.0, 100.0], [0, 255, 255], [0.151, 0.343]),
        ("black", [0.0, 0.0], [255, 255, 255], [0.323, 0.329]),
        ("homeassistant", [194.862, 90.083], [25, 198, 255], [0.149, 0.25]),
    ] {
        let changed =
            changes(&mut nowhere(), LIGHT, json!({"name": "Kitchen ceiling light", "color": name}));
        let light = &changed["light.kitchen_ceiling_light"];
        assert_eq!(light["hs_color"][1], json!(hs), "{name}");
        assert_eq!(light["rgb_color"][1], json!(rgb), "{name}");
        assert_eq!(light["xy_color"][1], json!(xy), "{name}");
    }
}

#[test]
fn lights_take_colours_in_what_they_have() {
    let lamps = home("
entities:
- {entity_id: light.plain, state: 'off', attributes: {supported_color_modes: [onoff]}}
- {entity_id: light.dim, state: 'off', attributes: {supported_color_modes: [brightness], brightness: null}}
- {entity_id: light.white, state: 'off', attributes: {supported_color_modes: [color_temp]}}
- {entity_id: light.rgb, state: 'off', attributes: {supported_color_modes: [rgb]}}
- {entity_id: light.rgbw, state: 'off', attributes: {supported_color_modes: [rgbw]}}
- {entity_id: light.xy, state: 'off', attributes: {supported_color_modes: [xy]}}
");
    let mut home = spoken_to(&lamps, Profile::V2026_10, None);
    let changed = changes(&mut home, LIGHT, json!({"color": "red", "brightness": 50}));
    assert_eq!(
        changed["light.plain"],
        json!({"state": ["off", "on"], "color_mode": [null, "onoff"]})
    );
    assert_eq!(changed["light.dim"]["brightness"], json!([null, 128]));
    assert!(changed["light.dim"].get("rgb_color").is_none());
    assert_eq!(changed["light.white"]["color_mode"], json!([null, "color_temp"]));
    assert_eq!(changed["light.rgb"]["rgb_color"], json!([null, [255, 0, 0]]));
    assert_eq!(changed["light.rgbw"]["rgbw_color"], json!([null, [255, 0, 0, 0]]));
    assert_eq!(changed["light.xy"]["xy_color"], json!([null, [0.701, 0.299]]));
    let warm = changes(&mut home, LIGHT, json!({"name": "Rgb", "temperature": 2700}));
    assert_eq!(warm["light.rgb"]["rgb_color"], json!([[255, 0, 0], [255, 167, 87]]));
}

#[test]
fn covers_without_positions_just_open_and_close() {
    let shade = home(
        "entities: [{entity_id: cover.shade, state: closed, attributes: {supported_features: 3}}]",
    );
    let mut home = spoken_to(&shade, Profile::V2026_10, None);
    assert_eq!(
        changes(&mut home, ON, json!({"name": "Shade"})),
        json!({"cover.shade": {"state": ["closed", "open"]}})
    );
    assert_eq!(
        error(&mut home, "intent__HassSetPosition", json!({"name": "Shade", "position": 5})).1,
        "Failed to call set_cover_position for: ['cover.shade']"
    );
}

#[test]
fn stopping_settles_what_was_moving() {
    let moving = home(
        "entities: [{entity_id: cover.a, state: closing, attributes: {current_position: 40}}, {entity_id: valve.b, state: opening, attributes: {current_position: 0}}]",
    );
    let mut home = spoken_to(&moving, Profile::V2026_10, None);
    assert_eq!(
        changes(&mut home, "intent__HassStopMoving", json!({"domain": ["cover", "valve"]})),
        json!({"cover.a": {"state": ["closing", "open"]}, "valve.b": {"state": ["opening", "closed"]}})
    );
}

#[test]
fn a_lock_that_wants_a_code_is_not_moved() {
    let lock = home(
        "entities: [{entity_id: lock.gate, state: locked, attributes: {code_format: '^\\d+$'}}]",
    );
    let mut home = spoken_to(&lock, Profile::V2026_10, None);
    assert_eq!(
        error(&mut home, OFF, json!({"name": "Gate"})).1,
        "Failed to call turn_off for: ['lock.gate']"
    );
}

#[test]
fn fans_turn_at_a_speed_and_stop_at_none() {
    let mut home = living_room();
    let speed = "fan__HassFanSetSpeed";
    assert_eq!(
        changes(&mut home, speed, json!({"name": "Ceiling fan", "percentage": 33})),
        json!({"fan.ceiling_fan": {"state": ["off", "on"], "percentage": [0, 33]}})
    );
    assert_eq!(
        changes(&mut home, speed, json!({"percentage": 0})),
        json!({"fan.ceiling_fan": {"state": ["on", "off"], "percentage": [33, 0]}})
    );
}

#[test]
fn thermostats_go_to_a_mode_when_they_are_turned_on() {
    let mut home = living_room();
    call(&mut home, OFF, json!({"name": "Bedroom thermostat"}));
    assert_eq!(
        changes(&mut home, ON, json!({"name": "Bedroom thermostat"})),
        json!({"climate.bedroom_thermostat": {"state": ["off", "heat"]}})
    );
    let set = "climate__HassClimateSetTemperature";
    assert_eq!(error(&mut home, set, json!({"temperature": 6.9})).0, "IntentUnexpectedError");
    assert_eq!(error(&mut home, set, json!({"temperature": "warm"})).0, "InvalidSlotInfo");
    let edge = changes(&mut home, set, json!({"temperature": "35"}));
    assert_eq!(edge, json!({"climate.living_room_thermostat": {"temperature": [20.0, 35.0]}}));
}

#[test]
fn humidifiers_say_what_they_did() {
    let mut home = living_room();
    let (setpoint, mode) = ("humidifier__HassHumidifierSetpoint", "humidifier__HassHumidifierMode");
    call(&mut home, ON, json!({"name": "Bedroom humidifier"}));
    let said = |answer: serde_json::Value| answer["data"]["speech"]["plain"]["speech"].clone();
    assert_eq!(
        said(call(&mut home, setpoint, json!({"name": "bedroom humidifier", "humidity": "60"}))),
        "The Bedroom humidifier is set to 60%"
    );
    assert_eq!(
        said(call(&mut home, mode, json!({"name": "Bedroom humidifier", "mode": "boost"}))),
        "The mode for Bedroom humidifier is set to boost"
    );
    assert_eq!(
        error(&mut home, mode, json!({"name": "Bedroom humidifier", "mode": "turbo"})).1,
        "Entity Bedroom humidifier does not support turbo mode"
    );
    assert_eq!(
        error(&mut home, setpoint, json!({"name": "Bedroom humidifier"})).0,
        "InvalidSlotInfo"
    );
    assert_eq!(
        error(&mut home, mode, json!({"name": "Robo", "mode": "eco"})).1,
        "No entities matched the name (given name 'Robo', domains humidifier)"
    );
}

#[test]
fn volume_steps_reach_the_ends_and_only_what_plays() {
    let mut home = living_room();
    let step = "media_player__HassSetVolumeRelative";
    let level = |home: &mut _, arguments| {
        changes(home, step, arguments)["media_player.living_room_tv"]["volume_level"][1].clone()
    };
    assert_eq!(level(&mut home, json!({"volume_step": 100})), json!(1.0));
    assert_eq!(changes(&mut home, step, json!({"volume_step": "up"})), json!({}));
    assert_eq!(level(&mut home, json!({"volume_step": "-100"})), json!(0.0));
    for wrong in [json!("louder"), json!(101), json!(null)] {
        assert_eq!(error(&mut home, step, json!({"volume_step": wrong})).0, "InvalidSlotInfo");
    }
    call(&mut home, "media_player__HassMediaPause", json!({}));
    assert_eq!(
        error(&mut home, step, json!({"volume_step": "up"})).1,
        "No entities were in the required state (given domains media_player, features 4)"
    );
    let named = changes(&mut home, step, json!({"volume_step": "up", "name": "Kitchen speaker"}));
    assert_eq!(named["media_player.kitchen_speaker"]["volume_level"], json!([0.4, 0.5]));
}

#[test]
fn resuming_without_a_name_means_what_was_paused_by_voice() {
    let mut home = nowhere();
    call(&mut home, "media_player__HassMediaPause", json!({}));
    assert_eq!(
        changes(&mut home, "media_player__HassMediaUnpause", json!({})),
        json!({"media_player.living_room_tv": {"state": ["paused", "playing"]}})
    );
    let all = changes(&mut home, "media_player__HassMediaUnpause", json!({}));
    assert_eq!(all, json!({"media_player.kitchen_speaker": {"state": ["paused", "playing"]}}));
}

#[test]
fn muting_does_not_look_at_what_it_is_told() {
    let changed = changes(
        &mut living_room(),
        "media_player__HassMediaPlayerMute",
        json!({"name": "Living room TV", "is_volume_muted": false}),
    );
    assert_eq!(changed["media_player.living_room_tv"]["is_volume_muted"], json!([false, true]));
}

#[test]
fn a_player_that_is_off_shows_nothing_and_remembers_everything() {
    let mut home = living_room();
    call(&mut home, OFF, json!({"name": "Kitchen speaker"}));
    let on = changes(&mut home, ON, json!({"name": "Kitchen speaker"}));
    assert_eq!(on["media_player.kitchen_speaker"]["volume_level"], json!([null, 0.4]));
    assert_eq!(on["media_player.kitchen_speaker"]["state"], json!(["off", "on"]));
}

#[test]
fn searching_needs_one_player_and_looks_into_the_library() {
    let several =
        error(&mut nowhere(), "media_player__search_media", json!({"search_query": "Queen"}));
    assert_eq!(
        several.1,
        "Multiple entities matched, but a single target is required (given domains media_player, features 4194816)"
    );
    let library = home(
        "
entities: [{entity_id: media_player.hifi, name: Hifi, state: idle}]
media:
- {title: Queen, media_class: artist, media_content_id: 'lib://1'}
- {title: Queen of Hearts, media_class: track, media_content_id: 'lib://2'}
- {title: Abba, media_class: artist, media_content_id: 'lib://3'}
",
    );
    let mut home = spoken_to(&library, Profile::V2026_10, None);
    let answer = call(&mut home, "media_player__search_media", json!({"search_query": "queen"}));
    let titles: Vec<_> = answer["data"]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["title"].clone())
        .collect();
    assert_eq!(titles, ["Queen", "Queen of Hearts"]);
    let mut earlier = spoken_to(&library, Profile::V2026_2, None);
    let played = changes(
        &mut earlier,
        "HassMediaSearchAndPlay",
        json!({"search_query": "queen", "media_class": "track"}),
    );
    assert_eq!(
        played["media_player.hifi"],
        json!({"state": ["idle", "playing"], "media_title": [null, "lib://2"]})
    );
}

#[test]
fn an_unavailable_thing_lets_everything_pass() {
    let gone = home(
        "
entities:
- {entity_id: climate.a, state: unavailable}
- {entity_id: media_player.b, state: unavailable}
- {entity_id: cover.c, state: unavailable}
- {entity_id: lock.d, state: unavailable}
- {entity_id: humidifier.e, state: unavailable, attributes: {available_modes: [eco]}}
- {entity_id: vacuum.f, state: unavailable}
- {entity_id: fan.g, state: unavailable}
- {entity_id: script.h, state: unavailable}
",
    );
    let mut home = spoken_to(&gone, Profile::V2026_10, None);
    for (tool, arguments) in [
        (ON, json!({"name": "A"})),
        (OFF, json!({"domain": ["cover", "lock", "fan", "media_player"]})),
        ("climate__HassClimateSetTemperature", json!({"temperature": 20})),
        ("media_player__HassSetVolume", json!({"volume_level": 10})),
        ("media_player__HassSetVolumeRelative", json!({"volume_step": "up"})),
        (
            "media_player__play_media",
            json!({"media_content_id": "x", "media_content_type": "music"}),
        ),
        ("intent__HassSetPosition", json!({"name": "C", "position": 10})),
        ("humidifier__HassHumidifierSetpoint", json!({"name": "E", "humidity": 10})),
        ("humidifier__HassHumidifierMode", json!({"name": "E", "mode": "eco"})),
        ("vacuum__HassVacuumStart", json!({})),
        ("fan__HassFanSetSpeed", json!({"percentage": 10})),
        ("script__h", json!({})),
    ] {
        let before = home.clone();
        let answer = call(&mut home, tool, arguments);
        assert_eq!(answer["error"], json!(false), "{tool}: {answer}");
        assert_eq!(json!(home.changes_since(&before)), json!({}), "{tool}");
    }
}

#[test]
fn lists_keep_what_is_put_on_them() {
    let mut home = living_room();
    let (add, complete, remove) =
        ("todo__HassListAddItem", "todo__HassListCompleteItem", "todo__HassListRemoveItem");
    let listed = |home: &mut _, status: &str| {
        let answer =
            call(home, "todo__get_items", json!({"todo_list": "Shopping list", "status": status}));
        let items = answer["data"]["items"].as_array().unwrap().clone();
        items
            .into_iter()
            .map(|item| item["summary"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    call(&mut home, add, json!({"item": "  oat milk ", "name": "shopping list"}));
    call(&mut home, add, json!({"item": "élan", "name": "Shopping list"}));
    assert_eq!(listed(&mut home, "needs_action"), ["Milk", "Oat milk", "Élan"]);
    call(&mut home, complete, json!({"item": "OAT MILK", "name": "Shopping list"}));
    assert_eq!(listed(&mut home, "completed"), ["Oat milk"]);
    assert_eq!(
        error(&mut home, complete, json!({"item": "oat milk", "name": "Shopping list"})).1,
        "Item 'oat milk' not found on list"
    );
    call(&mut home, remove, json!({"item": "oat milk", "name": "Shopping list"}));
    assert_eq!(listed(&mut home, "all"), ["Milk", "Élan"]);
    call(&mut home, complete, json!({"item": "1", "name": "Shopping list"}));
    assert_eq!(listed(&mut home, "needs_action"), ["Élan"]);
    assert_eq!(
        error(&mut home, add, json!({"item": " ", "name": "Shopping list"})).0,
        "InvalidSlotInfo"
    );
    assert_eq!(
        error(&mut home, add, json!({"item": "x", "name": "Chores"})).1,
        "No entities matched the name (given name 'Chores', domains todo)"
    );
}

#[test]
fn calendars_tell_what_is_still_to_come() {
    let family = home("
clock: 2026-11-15T18:00:00+01:00
timezone: CET
entities:
- entity_id: calendar.home
  name: Home
  events:
  - {start: 2026-11-16T09:00:00+01:00, end: 2026-11-16T10:00:00+01:00, summary: Dentist, location: Town}
  - {start: '2026-11-15T08:00:00', end: '2026-11-15T09:00:00', summary: Over}
  - {start: '2026-11-15T17:00:00', end: '2026-11-15T19:00:00', summary: Now}
  - {start: '2026-11-22', end: '2026-11-23', summary: Too late}
  - {start: '2026-11-21', end: '2026-11-22', summary: Just in time}
");
    let mut home = spoken_to(&family, Profile::V2026_10, None);
    let events = |home: &mut _, range: &str| {
        let answer =
            call(home, "calendar__get_events", json!({"calendar": "Home", "range": range}));
        answer["data"]["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["summary"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(events(&mut home, "today"), ["Now"]);
    assert_eq!(events(&mut home, "week"), ["Now", "Dentist", "Just in time"]);
}

#[test]
fn timers_are_found_by_name_start_and_device() {
    let mut home = living_room();
    let start = "intent__HassStartTimer";
    call(&mut home, start, json!({"minutes": 5, "name": "Pasta"}));
    call(&mut home, start, json!({"minutes": 10}));
    assert_eq!(
        error(&mut home, "intent__HassCancelTimer", json!({})),
        ("MultipleTimersMatchedError".into(), "Multiple timers matched".into())
    );
    assert_eq!(
        error(&mut home, "intent__HassCancelTimer", json!({"start_minutes": 7})).0,
        "TimerNotFoundError"
    );
    call(&mut home, "intent__HassPauseTimer", json!({"name": " pasta "}));
    call(&mut home, "intent__HassIncreaseTimer", json!({"hours": 1, "start_minutes": "10"}));
    let status = call(&mut home, "intent__HassTimerStatus", json!({}));
    let timers = status["data"]["speech_slots"]["timers"].as_array().unwrap().clone();
    assert_eq!(timers[0]["is_active"], json!(false));
    assert_eq!(timers[1]["total_seconds_left"], json!(4200));
    assert_eq!(timers[1]["name"], json!(""));
    call(&mut home, "intent__HassUnpauseTimer", json!({}));
    call(&mut home, "intent__HassDecreaseTimer", json!({"hours": 2, "name": "pasta"}));
    let status = call(&mut home, "intent__HassTimerStatus", json!({"name": "PASTA"}));
    assert_eq!(status["data"]["speech_slots"]["timers"], json!([]), "it is over at once");
    let all = call(&mut home, "intent__HassCancelAllTimers", json!({"area": "living room"}));
    assert_eq!(all["data"]["speech_slots"], json!({"canceled": 1, "area": "living room"}));
    assert_eq!(
        error(&mut home, "intent__HassDecreaseTimer", json!({"name": "pasta"})).0,
        "InvalidSlotInfo"
    );
}

#[test]
fn scripts_take_names_of_areas_and_check_nothing_else() {
    let mut home = living_room();
    let answer = call(&mut home, "script__goodnight", json!({"delay_minutes": "soon", "extra": 1}));
    assert_eq!(answer, json!({"data": {"result": {}}, "error": false}));
    call(&mut home, "script__goodnight", json!({"room": "lounge"}));
    assert_eq!(
        home.end_state()["happenings"][1]["script"]["arguments"],
        json!({"room": "living_room"})
    );
    assert_eq!(error(&mut home, "script__goodnight", json!({"room": "Attic"})).0, "IndexError");
}

#[test]
fn vacuums_clean_the_area_they_are_told() {
    let robots = home("
areas: [{name: Kitchen}, {name: Hall}]
entities: [{entity_id: vacuum.robo, name: Robo, area: Hall, state: docked, attributes: {supported_features: 28696}}]
");
    let mut home = spoken_to(&robots, Profile::V2026_10, None);
    let answer = call(&mut home, "vacuum__HassVacuumCleanArea", json!({"area": "kitchen"}));
    assert_eq!(done(&answer), ["kitchen", "vacuum.robo"]);
    assert_eq!(json!(home.changes())["vacuum.robo"]["state"], json!(["docked", "cleaning"]));
}

#[test]
fn a_message_reaches_every_other_satellite() {
    let rooms = home(
        "
areas: [{name: Kitchen}]
satellites: {kitchen: {area: Kitchen, entity_id: assist_satellite.kitchen}}
entities: [{entity_id: assist_satellite.kitchen}, {entity_id: assist_satellite.hall}]
",
    );
    let mut home = spoken_to(&rooms, Profile::V2026_10, Some("kitchen"));
    let answer = call(&mut home, "assist_satellite__HassBroadcast", json!({"message": "dinner"}));
    assert_eq!(done(&answer), ["assist_satellite.hall"]);
    assert_eq!(
        error(&mut home, "assist_satellite__HassBroadcast", json!({"message": 5})).0,
        "InvalidSlotInfo"
    );
    assert_eq!(
        error(&mut home, "assist_satellite__HassBroadcast", json!({"message": " "})),
        ("IntentUnexpectedError".into(), "Error handling HassBroadcast".into())
    );
}

#[test]
fn pressing_twice_is_not_pressing_once() {
    let mut once = living_room();
    call(&mut once, ON, json!({"name": "Doorbell chime"}));
    let mut twice = once.clone();
    call(&mut twice, ON, json!({"name": "Doorbell chime"}));
    assert_ne!(once.end_state(), twice.end_state());
}

#[test]
fn failures_on_the_spot_are_blamed_on_the_first_targets() {
    let rooms = home(
        "
areas: [{name: Den}]
entities:
- {entity_id: light.a, area: Den, state: 'off'}
- {entity_id: sensor.b, area: Den, state: '1'}
- {entity_id: cover.c, area: Den, state: closed, attributes: {supported_features: 0}}
",
    );
    let answer = call(&mut spoken_to(&rooms, Profile::V2026_10, None), ON, json!({"area": "Den"}));
    let failed: Vec<_> = answer["data"]["data"]["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| target["id"].clone())
        .collect();
    assert_eq!(failed, ["light.a", "cover.c"]);
}

#[test]
fn the_classic_tools_work_too() {
    let mut home = spoken_to(&recorded(), Profile::Classic, None);
    assert_eq!(
        changes(&mut home, "HassToggle", json!({"name": "Coffee machine"})),
        json!({"switch.coffee_machine": {"state": ["off", "on"]}})
    );
    let told = call(&mut home, "HassGetState", json!({"name": "Outdoor temperature"}));
    assert_eq!(told["response_type"], "query_answer");
    assert_eq!(told["speech"]["plain"]["speech"], "Outdoor temperature: 12.345 °C");
    assert_eq!(
        call(&mut home, "HassGetCurrentTime", json!({}))["speech_slots"]["time"],
        "12:00:00"
    );
    assert_eq!(
        call(&mut home, "HassGetWeather", json!({}))["speech"]["plain"]["speech"],
        "Home weather: rainy"
    );
    let warm = call(&mut home, "HassClimateGetTemperature", json!({"area": "Bedroom"}));
    assert_eq!(warm["speech"]["plain"]["speech"], "Bedroom thermostat: 19.5");
    assert_eq!(
        changes(&mut home, "HassShoppingListAddItem", json!({"item": "tea"})),
        json!({"todo.shopping_list": {"state": ["1", "2"]}})
    );
    assert_eq!(
        call(&mut home, "HassRespond", json!({"response": "hi"}))["speech"]["plain"]["speech"],
        "hi"
    );
    assert_eq!(call(&mut home, "HassNevermind", json!({}))["response_type"], "action_done");
}
