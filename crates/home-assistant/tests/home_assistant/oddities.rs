//! Where Home Assistant does what nobody would expect of it, and a model meets it all the same.

use serde_json::{Map, Value, json};
use toolgauge_home_assistant::Profile;

use super::homes::{call, changes, error, home, living_room, spoken_to};

const LIVE: &str = "homeassistant__GetLiveContext";
const LIGHT: &str = "light__HassLightSet";

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

/// What a home written by hand tells of itself.
fn live_context(inventory: &str) -> String {
    let mut home = spoken_to(&home(inventory), Profile::V2026_10, None);
    call(&mut home, LIVE, json!({}))["data"]["result"].as_str().unwrap().to_owned()
}

#[test]
fn attributes_are_told_in_the_order_of_the_component() {
    let told = live_context(
        "entities:\n\
         - entity_id: sensor.air\n  \
           state: '7'\n  \
           attributes: {device_class: pm25, unit_of_measurement: \u{b5}g/m³}\n\
         - entity_id: media_player.tv\n  \
           state: playing\n  \
           attributes: {device_class: tv, media_artist: Queen, media_title: Song, volume_level: 0.4}\n",
    );
    let air = "attributes:\n    unit_of_measurement: μg/m³\n    device_class: pm25\n";
    assert!(told.contains(air), "{told}");
    let player = "attributes:\n    volume_level: 0.4\n    media_title: Song\n    \
                  media_artist: Queen\n    device_class: tv\n";
    assert!(told.contains(player), "{told}");
}

#[test]
fn a_light_that_is_lit_is_never_at_zero_percent() {
    let told = live_context(
        "entities:\n- {entity_id: light.a, state: 'on', attributes: {brightness: 1}}\n",
    );
    assert!(told.ends_with("    brightness: '1'\n    brightness_pct: '1'\n"), "{told}");
}

#[test]
fn what_is_unavailable_tells_no_attributes_of_its_state() {
    let told = live_context(
        "entities:\n- {entity_id: cover.a, state: unavailable, \
         attributes: {current_position: 4, device_class: blind}}\n",
    );
    assert!(told.ends_with("  attributes:\n    device_class: blind\n"), "{told}");
}

#[test]
fn names_in_errors_are_quoted_as_python_quotes_them() {
    let mut home = living_room();
    for (name, quoted) in [("Ella's lamp", "\"Ella's lamp\""), ("Radio\u{a0}x", "'Radio\\xa0x'")] {
        let text = error(&mut home, "intent__HassTurnOn", json!({"name": name})).1;
        assert_eq!(text, format!("No entities matched the name (given name {quoted})"));
    }
}

#[test]
fn a_device_class_filters_where_no_parameter_offers_it() {
    let mut home = living_room();
    let text = |home: &mut _, class: Value| {
        error(home, LIGHT, json!({"area": "Kitchen", "brightness": 50, "device_class": class})).1
    };
    let filtered = |classes: &str| {
        format!(
            "No entities matched the device class \
             (given area 'Kitchen', domains light, device classes {classes})"
        )
    };
    assert_eq!(text(&mut home, json!(["tv"])), filtered("tv"));
    assert_eq!(text(&mut home, json!("tv")), filtered("t, v"), "a text is a set of letters");
    assert_eq!(text(&mut home, json!({"b": 1})), filtered("b"));
    assert_eq!(text(&mut home, json!(5)), "Error handling HassLightSet");
    assert_eq!(text(&mut home, json!([["tv"]])), "Error handling HassLightSet");
    let lit =
        changes(&mut home, LIGHT, json!({"area": "Kitchen", "brightness": 80, "device_class": []}));
    assert_ne!(lit, json!({}), "an empty one filters nothing");
    let broken = object(json!({"area": "Kitchen", "device_class": [5]}));
    assert!(home.execute(LIGHT, &broken).ends_turn, "the error itself cannot be told");
}

const TWINS: &str = "\
floors: [{id: up, name: Upstairs}]
areas:
- {id: den, name: Den}
- {id: loft, name: Loft, floor: up}
satellites: {den: {area: Den}, none: null}
entities:
- {entity_id: light.a, name: Lamp, area: Den, state: 'off'}
- {entity_id: light.b, name: Lamp, area: Loft, state: 'off'}
";

#[test]
fn a_model_may_say_where_it_is_when_the_satellite_does_not() {
    let twins = home(TWINS);
    let mut home = spoken_to(&twins, Profile::V2026_10, None);
    let lamp = |extra: (&str, Value)| {
        let mut arguments = json!({"name": "Lamp"});
        arguments[extra.0] = extra.1;
        arguments
    };
    let on = "intent__HassTurnOn";
    let changed = changes(&mut home, on, lamp(("preferred_area_id", json!("loft"))));
    assert_eq!(object(changed).keys().collect::<Vec<_>>(), ["light.b"]);
    assert_eq!(
        error(&mut home, on, lamp(("preferred_area_id", json!("moon")))).1,
        "No entities matched the name (given name 'Lamp')"
    );
    assert_eq!(
        error(&mut home, on, lamp(("preferred_floor_id", json!(["up"])))).0,
        "InvalidSlotInfo"
    );
    let mut home = spoken_to(&twins, Profile::V2026_10, Some("den"));
    let changed = changes(&mut home, on, lamp(("preferred_area_id", json!("loft"))));
    assert_eq!(
        object(changed).keys().collect::<Vec<_>>(),
        ["light.a"],
        "the satellite knows better"
    );
}

#[test]
fn all_timers_are_canceled_by_slots_that_no_tool_offers() {
    let mut home = living_room();
    call(&mut home, "intent__HassStartTimer", json!({"minutes": 5, "name": "Pasta"}));
    call(&mut home, "intent__HassStartTimer", json!({"minutes": 9}));
    let all = "intent__HassCancelAllTimers";
    assert_eq!(error(&mut home, all, json!({"name": 5})).0, "IntentUnexpectedError");
    assert_eq!(error(&mut home, all, json!({"start_minutes": "x"})).0, "IntentUnexpectedError");
    let canceled = call(&mut home, all, json!({"name": "pasta"}));
    assert_eq!(canceled["data"]["speech_slots"], json!({"canceled": 1}));
    let canceled = call(&mut home, all, json!({"start_minutes": "9"}));
    assert_eq!(canceled["data"]["speech_slots"], json!({"canceled": 1}));
}

#[test]
fn a_timer_without_time_is_over_at_once_unless_it_is_paused() {
    let mut home = living_room();
    let count = |home: &mut _| {
        let status = call(home, "intent__HassTimerStatus", json!({}));
        status["data"]["speech_slots"]["timers"].as_array().unwrap().len()
    };
    call(&mut home, "intent__HassStartTimer", json!({"seconds": 0}));
    assert_eq!(count(&mut home), 0);
    call(&mut home, "intent__HassStartTimer", json!({"seconds": 9}));
    call(&mut home, "intent__HassPauseTimer", json!({}));
    call(&mut home, "intent__HassDecreaseTimer", json!({"hours": 1}));
    assert_eq!(count(&mut home), 1);
    call(&mut home, "intent__HassUnpauseTimer", json!({}));
    assert_eq!(count(&mut home), 0);
}

#[test]
fn a_script_that_is_passed_no_such_place_ends_the_turn() {
    let inventory = home(
        "areas: [{id: den, name: Den}]\n\
         entities:\n\
         - entity_id: script.one\n  fields: {room: {selector: {area: {}}}}\n\
         - entity_id: script.many\n  fields: {rooms: {selector: {area: {multiple: true}}}}\n",
    );
    let mut home = spoken_to(&inventory, Profile::V2026_10, None);
    for (value, why) in [
        (json!("Moon"), "list index out of range"),
        (json!({}), "'dict' object has no attribute 'strip'"),
        (json!(["Den"]), "'list' object has no attribute 'strip'"),
    ] {
        let reply = home.execute("script__one", &object(json!({ "room": value })));
        assert!(reply.ends_turn && reply.content.contains(why), "{}", reply.content);
    }
    assert!(home.execute("script__many", &object(json!({"rooms": 5}))).ends_turn);
    for value in [json!("Moon"), json!(["Moon"]), json!(["den"])] {
        let reply = home.execute("script__many", &object(json!({ "rooms": value })));
        assert_eq!(reply.content, r#"{"data":{"result":{}},"error":false}"#);
    }
}

#[test]
fn blank_arguments_of_the_media_tools_are_left_out() {
    let mut home = living_room();
    let search = "media_player__search_media";
    assert_eq!(
        error(&mut home, search, json!({"search_query": " ", "player_name": "Living room TV"})).1,
        "required key not provided at 'search_query'"
    );
    let arguments =
        json!({"search_query": "Queen", "player_name": "Living room TV", "player_area": "  "});
    assert_eq!(call(&mut home, search, arguments)["error"], json!(false));
}

#[test]
fn a_search_without_results_gives_no_instruction() {
    let library = home(
        "media: [{title: Queen, media_content_id: 'lib://q'}]\n\
         entities: [{entity_id: media_player.tv, state: idle}, {entity_id: media_player.no, state: unavailable}]\n",
    );
    let mut home = spoken_to(&library, Profile::V2026_10, None);
    let arguments = json!({"search_query": "Abba", "player_name": "Tv"});
    let found = call(&mut home, "media_player__search_media", arguments);
    assert_eq!(found["data"], json!({"results": []}));
    let arguments = json!({"search_query": "Queen", "player_name": "No"});
    assert_eq!(
        error(&mut home, "media_player__search_media", arguments),
        (
            "HomeAssistantError".into(),
            "Service call requested response data but did not match any entities".into()
        )
    );
}

#[test]
fn volumes_change_together_or_not_at_all() {
    let players = home(
        "entities:\n\
         - {entity_id: media_player.a, state: playing, attributes: {volume_level: 0.5}}\n\
         - {entity_id: media_player.b, state: playing, attributes: {volume_level: null}}\n",
    );
    let mut home = spoken_to(&players, Profile::V2026_10, None);
    let text =
        error(&mut home, "media_player__HassSetVolumeRelative", json!({"volume_step": 10})).1;
    assert_eq!(text, "Error handling HassSetVolumeRelative");
}

#[test]
fn lights_and_fans_show_what_they_can_do_and_no_more() {
    let devices = home(
        "entities:\n\
         - {entity_id: light.w, name: W, state: 'on', attributes: {brightness: 200, color_mode: rgbww, supported_color_modes: [rgbww]}}\n\
         - {entity_id: light.gone, name: Gone, state: unavailable}\n\
         - {entity_id: fan.f, name: F, state: 'off', attributes: {supported_features: 48}}\n\
         - {entity_id: cover.c, name: C, state: closed, attributes: {supported_features: 15}}\n",
    );
    let mut home = spoken_to(&devices, Profile::V2026_10, None);
    let changed = changes(&mut home, LIGHT, json!({"name": "W", "color": "blue"}));
    assert_eq!(changed["light.w"]["rgbww_color"], json!([null, [0, 0, 255, 0, 0]]));
    let changed = changes(&mut home, LIGHT, json!({"name": "W", "temperature": 2700}));
    assert_eq!(changed["light.w"]["rgbww_color"][1], json!([0, 0, 0, 75, 125]));
    assert_eq!(
        error(&mut home, LIGHT, json!({"name": "Gone", "color": "red", "temperature": 2700})).1,
        "Failed to call turn_on for: ['light.gone']"
    );
    let changed =
        changes(&mut home, "fan__HassFanSetSpeed", json!({"name": "F", "percentage": 38}));
    assert_eq!(changed, json!({"fan.f": {"state": ["off", "on"]}}));
    let changed =
        changes(&mut home, "intent__HassSetPosition", json!({"name": "C", "position": 40}));
    assert_eq!(changed, json!({"cover.c": {"state": ["closed", "open"]}}));
}

#[test]
fn calendars_that_share_a_name_are_one_choice() {
    let twins = home(
        "entities: [{entity_id: calendar.a, name: Work}, {entity_id: calendar.b, name: Work}]\n",
    );
    let world = super::homes::world(&twins, Profile::V2026_10);
    let (_, tools) = world.at(None).unwrap();
    let events = tools.iter().find(|tool| tool.name == "calendar__get_events").unwrap();
    assert_eq!(events.parameters["properties"]["calendar"]["enum"], json!(["Work"]));
}

#[test]
fn a_service_that_raises_was_a_success_in_2026_2() {
    let devices = home(
        "entities:\n\
         - {entity_id: cover.c, name: C, state: closed, attributes: {supported_features: 3}}\n\
         - {entity_id: light.l, name: L, state: 'off'}\n\
         - {entity_id: sensor.s, name: S, state: '1'}\n",
    );
    let mut home = spoken_to(&devices, Profile::V2026_2, None);
    for (tool, arguments) in [
        ("HassSetPosition", json!({"name": "C", "position": 40})),
        ("HassLightSet", json!({"name": "L", "color": "red", "temperature": 2700})),
        ("HassLightSet", json!({"name": "L", "temperature": 0})),
    ] {
        let before = home.clone();
        let answer = call(&mut home, tool, arguments);
        assert_eq!(answer["data"]["failed"], json!([]), "{answer}");
        assert_eq!(json!(home.changes_since(&before)), json!({}));
    }
    let off = call(&mut home, "HassTurnOff", json!({"name": "S"}));
    assert_eq!(off["error_text"], json!("Failed to call turn_off for: ['sensor.s']"));
    let changed = changes(&mut home, "HassLightSet", json!({"name": "L", "temperature": 4000}));
    assert_eq!(changed["light.l"]["color_temp"], json!([null, 250]), "in mireds");
}

#[test]
fn states_were_printed_as_members_in_2026_2() {
    let players = home("entities: [{entity_id: media_player.a, name: A, state: idle}]\n");
    let mut home = spoken_to(&players, Profile::V2026_2, None);
    let answer = call(&mut home, "HassMediaPause", json!({"name": "A"}));
    let text = answer["error_text"].as_str().unwrap();
    assert!(text.contains("states={<MediaPlayerState.PLAYING: 'playing'>}, assistant"), "{text}");
}
