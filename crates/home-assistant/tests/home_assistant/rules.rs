//! The rules of validation and matching, beyond what was recorded.

use serde_json::json;
use toolgauge_home_assistant::Profile;

use super::homes::{call, changes, done, error, home, living_room, nowhere, recorded, spoken_to};

const ON: &str = "intent__HassTurnOn";
const OFF: &str = "intent__HassTurnOff";

fn matching(text: &str) -> (String, String) {
    ("MatchFailedError".into(), text.into())
}

fn invalid(intent: &str) -> (String, String) {
    ("InvalidSlotInfo".into(), format!("Received invalid slot info for {intent}"))
}

#[test]
fn each_step_that_leaves_nothing_names_its_reason() {
    let mut home = living_room();
    for (tool, arguments, text) in [
        (
            ON,
            json!({"domain": ["toaster"]}),
            "No entities matched the domain (given domains toaster)",
        ),
        (
            ON,
            json!({"name": "Left blind", "device_class": ["window", "shade"]}),
            "No entities matched the device class (given name 'Left blind', device classes shade, window)",
        ),
        (
            ON,
            json!({"name": "Garage door", "floor": "upstairs"}),
            "No entities were on the floor (given name 'Garage door', floor 'upstairs')",
        ),
        (
            ON,
            json!({"name": "big light", "area": "Attic"}),
            "The area does not exist (given name 'big light', area 'Attic')",
        ),
        (
            ON,
            json!({"name": "big light", "area": "Kitchen"}),
            "No entities were in the area (given name 'big light', area 'Kitchen')",
        ),
        (
            ON,
            json!({"area": "Kitchen", "floor": "upstairs", "domain": ["light", "fan"]}),
            "No entities were in the area (given area 'Kitchen', floor 'upstairs', domains fan, light)",
        ),
        (
            "media_player__HassMediaNext",
            json!({"name": "Kitchen speaker"}),
            "No entities matched the name (given name 'Kitchen speaker', domains media_player, states playing, features 32)",
        ),
        (
            "vacuum__HassVacuumCleanArea",
            json!({"area": "Attic", "name": "Robo"}),
            "The area does not exist (given area 'Attic')",
        ),
    ] {
        assert_eq!(error(&mut home, tool, arguments.clone()), matching(text), "{arguments}");
    }
}

#[test]
fn a_required_state_is_asked_for_before_the_name() {
    let mut home = living_room();
    call(&mut home, "media_player__HassMediaPause", json!({}));
    assert_eq!(
        error(&mut home, "media_player__HassMediaPause", json!({"name": "nothing"})),
        matching(
            "No entities were in the required state (given name 'nothing', domains media_player, states playing, features 1)"
        )
    );
}

#[test]
fn exposure_is_checked_late() {
    let hidden = home(
        "entities: [{entity_id: light.a, name: Secret, exposed: false}, {entity_id: light.b}]",
    );
    let mut home = spoken_to(&hidden, Profile::V2026_10, None);
    assert_eq!(
        error(&mut home, ON, json!({"name": "secret"})),
        matching("No matching entities are exposed to the assistant (given name 'secret')")
    );
    assert_eq!(done(&call(&mut home, ON, json!({"domain": "light"}))), ["light.b"]);
}

#[test]
fn names_match_without_case_and_spaces_but_ids_only_exactly() {
    let mut home = living_room();
    assert_eq!(
        done(&call(&mut home, ON, json!({"name": "  BIG Light "}))),
        ["light.living_room_main_light"]
    );
    assert_eq!(error(&mut home, ON, json!({"name": "LIGHT.LAMP"})).0, "MatchFailedError");
    assert_eq!(
        error(&mut home, ON, json!({"name": "Living room main light, big light"})).0,
        "MatchFailedError"
    );
    assert_eq!(error(&mut home, ON, json!({"name": "Kitchen"})).0, "MatchFailedError");
}

#[test]
fn areas_and_floors_answer_to_id_name_and_alias() {
    let mut home = nowhere();
    for area in ["living_room", "LIVING ROOM", "den", " Lounge "] {
        let answer = call(&mut home, OFF, json!({"area": area, "domain": "light"}));
        assert_eq!(done(&answer)[0], "living_room", "{area}");
    }
    for floor in ["first_floor", "First floor", "UPSTAIRS"] {
        let answer = call(&mut home, OFF, json!({"floor": floor, "domain": "light"}));
        assert_eq!(done(&answer), ["first_floor", "light.lamp_2"], "{floor}");
    }
}

#[test]
fn with_floor_and_area_only_the_floor_is_reported() {
    let answer = call(
        &mut nowhere(),
        ON,
        json!({"area": "Bedroom", "floor": "upstairs", "domain": "light"}),
    );
    assert_eq!(done(&answer), ["first_floor", "light.lamp_2"]);
}

#[test]
fn a_shared_name_is_told_apart_by_floor_then_by_area() {
    let twins = home("
floors: [{name: Ground}, {name: Upper}]
areas: [{name: Hall, floor: Ground}, {name: Den, floor: Ground}, {name: Loft, floor: Upper}, {name: Yard}]
satellites: {hall: {area: Hall}, loft: {area: Loft}, yard: {area: Yard}, cupboard: {}}
entities:
- {entity_id: light.one, name: Lamp, area: Hall}
- {entity_id: light.two, name: Lamp, area: Den}
- {entity_id: light.three, name: Lamp, area: Loft}
");
    let at = |satellite| spoken_to(&twins, Profile::V2026_10, Some(satellite));
    let lamp = || json!({"name": "Lamp"});
    assert_eq!(done(&call(&mut at("hall"), ON, lamp())), ["light.one"]);
    assert_eq!(done(&call(&mut at("loft"), ON, lamp())), ["light.three"]);
    assert_eq!(
        error(&mut at("yard"), ON, lamp()),
        matching("No entities matched the name (given name 'Lamp')"),
    );
    assert_eq!(
        error(&mut at("cupboard"), ON, lamp()),
        matching("Multiple entities share the name (given name 'Lamp')"),
    );
}

#[test]
fn a_single_target_is_chosen_by_the_area_of_the_satellite_alone() {
    let set = |satellite, arguments| {
        let mut home = spoken_to(&recorded(), Profile::V2026_10, satellite);
        call(&mut home, "climate__HassClimateSetTemperature", arguments)
    };
    let several = "Multiple entities matched, but a single target is required (given domains climate, features 1)";
    let degrees = || json!({"temperature": 21});
    assert_eq!(done(&set(Some("dev"), degrees())), ["climate.living_room_thermostat"]);
    assert_eq!(set(Some("garden"), degrees())["data"]["error_text"], several);
    assert_eq!(set(None, degrees())["data"]["error_text"], several);
    let upstairs = json!({"temperature": 21, "floor": "upstairs"});
    assert_eq!(done(&set(None, upstairs)), ["climate.bedroom_thermostat"]);
}

#[test]
fn null_and_blank_arguments_are_as_if_they_were_not_there() {
    let mut home = living_room();
    let arguments = json!({"name": "big light", "area": null, "floor": "  ", "domain": "", "device_class": null});
    assert_eq!(done(&call(&mut home, ON, arguments)), ["light.living_room_main_light"]);
    assert_eq!(
        error(&mut home, "intent__HassSetPosition", json!({"name": "Left blind", "position": ""})),
        invalid("HassSetPosition")
    );
    assert_eq!(
        error(&mut home, ON, json!({"name": null})).1,
        "Service handler cannot target all devices"
    );
}

#[test]
fn empty_lists_filter_by_domain_but_not_by_device_class() {
    let mut home = nowhere();
    assert_eq!(
        error(&mut home, ON, json!({"domain": []})).1,
        "Service handler cannot target all devices"
    );
    let blind = json!({"name": "Left blind", "device_class": []});
    assert_eq!(done(&call(&mut home, ON, blind)), ["cover.left_blind"]);
}

#[test]
fn arguments_an_intent_does_not_know_are_ignored() {
    let answer =
        call(&mut living_room(), ON, json!({"name": "big light", "brightness": 200, "foo": []}));
    assert_eq!(done(&answer), ["light.living_room_main_light"]);
}

#[test]
fn text_takes_numbers_and_truths_but_no_lists() {
    let mut home = living_room();
    assert_eq!(
        error(&mut home, ON, json!({"name": 5})),
        matching("No entities matched the name (given name '5')")
    );
    assert_eq!(
        error(&mut home, ON, json!({"name": true})),
        matching("No entities matched the name (given name 'True')")
    );
    assert_eq!(error(&mut home, ON, json!({"name": ["big light"]})), invalid("HassTurnOn"));
    assert_eq!(error(&mut home, ON, json!({"area": {"name": "Kitchen"}})), invalid("HassTurnOn"));
    assert_eq!(error(&mut home, ON, json!({"domain": [["light"]]})), invalid("HassTurnOn"));
}

#[test]
fn numbers_are_coerced_and_kept_within_limits() {
    let mut home = living_room();
    let position = |home: &mut _, value| {
        changes(home, "intent__HassSetPosition", json!({"name": "Left blind", "position": value}))
    };
    assert_eq!(
        position(&mut home, json!("40"))["cover.left_blind"]["current_position"],
        json!([0, 40])
    );
    assert_eq!(
        position(&mut home, json!(0.3))["cover.left_blind"]["state"],
        json!(["open", "closed"])
    );
    for wrong in [json!(101), json!(-1), json!("50%"), json!("fifty"), json!([50]), json!({})] {
        let arguments = json!({"name": "Left blind", "position": wrong});
        assert_eq!(
            error(&mut home, "intent__HassSetPosition", arguments),
            invalid("HassSetPosition"),
            "{wrong}"
        );
    }
    assert_eq!(
        error(&mut home, "intent__HassSetPosition", json!({"name": "Left blind"})),
        invalid("HassSetPosition")
    );
}

#[test]
fn colours_are_names_and_anything_without_letters_breaks_the_handler() {
    let mut home = living_room();
    let set = "light__HassLightSet";
    assert_eq!(
        error(&mut home, set, json!({"name": "big light", "color": "#ff0000"})),
        invalid("HassLightSet")
    );
    assert_eq!(
        error(&mut home, set, json!({"name": "big light", "color": 7})),
        ("IntentUnexpectedError".into(), "Error handling HassLightSet".into())
    );
    let painted = changes(&mut home, set, json!({"name": "big light", "color": "Dark Sea Green"}));
    assert_eq!(painted["light.living_room_main_light"]["color_mode"], json!([null, "hs"]));
}

#[test]
fn a_matched_thing_that_cannot_move_stops_the_whole_call() {
    let mut home = living_room();
    let arguments = json!({"area": "Living Room", "position": 50});
    assert_eq!(
        error(&mut home, "intent__HassSetPosition", arguments),
        ("IntentHandleError".into(), "Domain not supported: light".into())
    );
    assert_eq!(
        error(&mut home, "intent__HassStopMoving", json!({"name": "Robo"})).1,
        "Domain not supported: vacuum"
    );
}

#[test]
fn readers_refuse_what_they_do_not_know() {
    let mut home = living_room();
    for (tool, arguments, text) in [
        (
            "homeassistant__GetLiveContext",
            json!({"names": "x"}),
            "not a valid option, did you mean 'name'? at 'names'",
        ),
        ("homeassistant__GetLiveContext", json!({"name": null}), "string value is None at 'name'"),
        (
            "homeassistant__GetLiveContext",
            json!({"name": ["a"]}),
            "value should be a string at 'name'",
        ),
        (
            "homeassistant__GetLiveContext",
            json!({"domain": ["light", null]}),
            "string value is None at 'domain[1]'",
        ),
        ("todo__get_items", json!({}), "required key not provided at 'todo_list'"),
        (
            "todo__get_items",
            json!({"todo_list": "Shopping"}),
            "value must be one of ['Shopping list'], did you mean 'Shopping list'? at 'todo_list'",
        ),
        (
            "todo__get_items",
            json!({"todo_list": "Shopping list", "status": "open"}),
            "value must be one of ['all', 'completed', 'needs_action'] at 'status'",
        ),
        (
            "calendar__get_events",
            json!({"calendar": "Family"}),
            "required key not provided at 'range'",
        ),
        (
            "calendar__get_events",
            json!({"calendar": "Family", "range": "month"}),
            "value must be one of ['today', 'week'] at 'range'",
        ),
        ("media_player__search_media", json!({"query": "Queen"}), "not a valid option at 'query'"),
        (
            "media_player__play_media",
            json!({"media_content_id": "x"}),
            "required key not provided at 'media_content_type'",
        ),
    ] {
        let told = error(&mut home, tool, arguments.clone());
        assert_eq!(told, ("MultipleInvalid".into(), text.into()), "{arguments}");
    }
}

#[test]
fn live_context_is_filtered_by_domain_name_and_area_and_says_what_failed() {
    let mut home = living_room();
    let context = "homeassistant__GetLiveContext";
    for (arguments, text) in [
        (json!({"name": "Toaster"}), "No exposed entities matched name 'Toaster'"),
        (json!({"area": "Attic"}), "Area 'Attic' does not exist"),
        (json!({"area": "Attic", "name": "Lamp"}), "Area 'Attic' does not exist"),
        (json!({"name": "Robo", "domain": "light"}), "No exposed entities matched name 'Robo'"),
        (
            json!({"domain": ["Toaster", " KETTLE "]}),
            "No exposed entities found in domain(s): toaster, kettle",
        ),
        (json!({"name": "Lamp", "area": "Kitchen"}), "No exposed entities found in area 'Kitchen'"),
    ] {
        let answer = call(&mut home, context, arguments.clone());
        assert_eq!(answer, json!({"data": {"error": text}, "error": true}), "{arguments}");
    }
    let both = call(&mut home, context, json!({"domain": ["light", "FAN "], "area": "bedroom"}));
    let text = both["data"]["result"].as_str().unwrap();
    assert_eq!(text.matches("- names:").count(), 2, "{text}");
    let by_id = call(&mut home, context, json!({"name": "light.lamp_2"}));
    assert!(by_id["data"]["result"].as_str().unwrap().contains("areas: Bedroom"));
}

#[test]
fn live_context_follows_what_calls_have_done() {
    let mut home = living_room();
    call(&mut home, "light__HassLightSet", json!({"name": "big light", "brightness": 40}));
    call(&mut home, OFF, json!({"name": "Living room TV"}));
    let told = |home: &mut _, name: &str| {
        let answer = call(home, "homeassistant__GetLiveContext", json!({"name": name}));
        answer["data"]["result"].as_str().unwrap().split_once('\n').unwrap().1.to_owned()
    };
    assert_eq!(
        told(&mut home, "big light"),
        "- names: Living room main light, big light\n  domain: light\n  state: 'on'\n  areas: Living Room, den, lounge\n  attributes:\n    brightness: '102'\n    brightness_pct: '40'\n"
    );
    assert_eq!(
        told(&mut home, "Living room TV"),
        "- names: Living room TV\n  domain: media_player\n  state: 'off'\n  areas: Living Room, den, lounge\n  attributes:\n    device_class: tv\n"
    );
}

#[test]
fn the_earlier_profile_answers_in_its_own_shapes() {
    let mut home = spoken_to(&recorded(), Profile::V2026_2, Some("dev"));
    assert_eq!(
        call(&mut home, "HassTurnOn", json!({"name": "big light"})),
        json!({
            "speech": {}, "response_type": "action_done",
            "data": {"targets": [], "success": [{"name": "Living room main light", "type": "entity", "id": "light.living_room_main_light"}], "failed": []},
        })
    );
    assert_eq!(
        call(&mut home, "HassTurnOn", json!({"name": "Toaster"})),
        json!({
            "error": "MatchFailedError",
            "error_text": "<MatchFailedError result=MatchTargetsResult(is_match=False, no_match_reason=<MatchFailedReason.NAME: 1>, states=[], no_match_name=None, areas=[], floors=[]), constraints=MatchTargetsConstraints(name='Toaster', area_name=None, floor_name=None, domains=None, device_classes=None, features=None, states=None, assistant='conversation', allow_duplicate_names=False, single_target=False), preferences=MatchTargetsPreferences(area_id='living_room', floor_id='ground_floor')>",
        })
    );
    assert_eq!(
        call(&mut home, "GetDateTime", json!({})),
        json!({"success": true, "result": {"date": "2026-11-15", "time": "02:59:57", "timezone": "CET", "weekday": "Sunday"}})
    );
    assert_eq!(
        call(&mut home, "todo_get_items", json!({"todo_list": "Groceries"}))["error_text"],
        "value must be one of ['Shopping list'] for dictionary value @ data['todo_list']"
    );
    assert_eq!(
        call(&mut home, "intent__HassTurnOn", json!({"name": "big light"})),
        json!({"error": "HomeAssistantError", "error_text": "Tool \"intent__HassTurnOn\" not found"})
    );
}

#[test]
fn the_earlier_profile_keeps_blank_arguments_and_any_domain_for_lights() {
    let mut home = spoken_to(&recorded(), Profile::V2026_2, Some("dev"));
    assert_eq!(
        call(&mut home, "HassTurnOn", json!({"name": "big light", "area": ""}))["error"],
        "InvalidSlotInfo"
    );
    assert_eq!(
        call(&mut home, "HassLightSet", json!({"brightness": 30}))["error_text"],
        "Service handler cannot target all devices"
    );
    let answer = call(&mut home, "HassLightSet", json!({"area": "Kitchen", "brightness": 30}));
    assert_eq!(answer["data"]["success"].as_array().unwrap().len(), 5, "{answer}");
    let text = call(&mut home, "GetLiveContext", json!({"name": "ignored"}))["result"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(text.contains("state: '12.345'") && !text.contains("brightness_pct"), "{text}");
}

#[test]
fn the_older_tools_are_checked_as_home_assistant_checks_them() {
    let place = home(
        "\
floors: [{id: up, name: Upstairs}]
areas: [{id: loft, name: Loft, floor: Upstairs}]
entities:
- {entity_id: fan.loft, name: Loft fan, area: Loft, state: 'off'}
- {entity_id: cover.loft, name: Loft blind, area: Loft, state: open}
",
    );
    let mut home = spoken_to(&place, Profile::Classic, None);
    let covers = json!({"domain": ["cover"], "percentage": 62});
    assert_eq!(call(&mut home, "HassFanSetSpeed", covers)["error"], "InvalidSlotInfo");
    let unknown = json!({"name": "Loft fan", "device_class": ["50%"]});
    assert_eq!(call(&mut home, "HassTurnOn", unknown)["error"], "InvalidSlotInfo");
    let asked = call(&mut home, "HassGetState", json!({"floor": "Upstairs"}));
    assert_eq!(asked["data"]["success"][0]["type"], "floor", "{asked}");
    let unknown = json!({"domain": "light", "device_class": "None"});
    assert_eq!(call(&mut home, "HassToggle", unknown)["error"], "InvalidSlotInfo");
}

#[test]
fn the_older_tools_name_the_weather_they_tell_and_the_room_where_nothing_matched() {
    let place = home(
        "\
areas: [{id: loft, name: Loft}, {id: den, name: Den}]
entities:
- {entity_id: weather.home, name: Forecast, state: rainy}
- {entity_id: light.den, name: Lamp, area: Den, state: 'off'}
",
    );
    let mut home = spoken_to(&place, Profile::Classic, None);
    let weather = call(&mut home, "HassGetWeather", json!({}));
    assert_eq!(weather["data"]["success"][0]["id"], "weather.home", "{weather}");
    let asked = call(&mut home, "HassGetState", json!({"name": "Lamp", "area": "Loft"}));
    assert_eq!(asked["data"]["success"], json!([{"name": "Loft", "type": "area", "id": "loft"}]));
}

#[test]
fn toggling_passes_over_what_has_no_such_service_or_lacks_its_features() {
    let place = home(
        "\
floors: []
areas: [{id: loft, name: Loft}]
entities:
- {entity_id: switch.loft, name: Plug, area: Loft, state: 'off'}
- {entity_id: calendar.loft, name: Guests, area: Loft, state: 'off'}
- {entity_id: binary_sensor.loft, name: Window, area: Loft, state: 'off'}
- {entity_id: water_heater.loft, name: Boiler, area: Loft, state: 'off'}
- {entity_id: fan.loft, name: Fan, area: Loft, state: 'off', attributes: {supported_features: 1}}
- {entity_id: valve.loft, name: Tap, area: Loft, state: closed, attributes: {current_position: 0}}
",
    );
    let mut home = spoken_to(&place, Profile::Classic, None);
    let changed = changes(&mut home, "HassToggle", json!({"area": "Loft"}));
    assert_eq!(changed, json!({"switch.loft": {"state": ["off", "on"]}}));
}

#[test]
fn the_older_tools_take_an_item_as_spelled_and_tell_the_only_temperature_of_a_home() {
    let place = home(
        "\
areas: [{id: den, name: Den}]
satellites: {den: {area: Den, supports_timers: true}}
entities:
- {entity_id: todo.list, name: Shopping, state: '1', items: [Milk]}
- {entity_id: sensor.porch, name: Porch, state: '7.5', attributes: {device_class: temperature, unit_of_measurement: °C}}
",
    );
    let mut home = spoken_to(&place, Profile::Classic, Some("den"));
    for item in [" Milk ", "milk"] {
        let told =
            call(&mut home, "HassListCompleteItem", json!({"item": item, "name": "Shopping"}));
        assert_eq!(told["error_text"], format!("Item '{item}' not found on list"));
    }
    let told = call(&mut home, "HassClimateGetTemperature", json!({}));
    assert_eq!(told["speech"]["plain"]["speech"], "Porch: 7.5 °C", "{told}");
    let told = call(&mut home, "HassClimateGetTemperature", json!({"area": "Den"}));
    assert_eq!(told["error"], "MatchFailedError", "{told}");
    let mut home = spoken_to(&place, Profile::Classic, None);
    let told = call(&mut home, "HassClimateGetTemperature", json!({}));
    assert_eq!(told["error"], "MatchFailedError", "who speaks from nowhere is not told: {told}");
}

#[test]
fn a_white_light_also_tells_its_temperature_in_mireds_before_2026_10() {
    let place = home(
        "\
entities:
- {entity_id: light.den, name: Lamp, state: 'on', attributes: {brightness: 9, supported_color_modes: [color_temp]}}
",
    );
    for (profile, tool, mireds) in [
        (Profile::Classic, "HassLightSet", json!([null, 370])),
        (Profile::V2026_2, "HassLightSet", json!([null, 370])),
        (Profile::V2026_10, "light__HassLightSet", json!(null)),
    ] {
        let mut home = spoken_to(&place, profile, None);
        let changed = changes(&mut home, tool, json!({"name": "Lamp", "temperature": 2700}));
        assert_eq!(changed["light.den"]["color_temp_kelvin"], json!([null, 2700]), "{changed}");
        assert_eq!(changed["light.den"]["color_temp"], mireds);
    }
}
