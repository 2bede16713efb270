//! What scenes and scripts do.

use serde_json::json;
use toolgauge_home_assistant::Profile;

use super::homes::{call, changes, home, spoken_to, world};

const ON: &str = "intent__HassTurnOn";

/// A home whose scene and scripts say what they do.
const EFFECTS: &str = "\
areas: [{id: den, name: Den}, {id: hall, name: Hall}]
entities:
- {entity_id: light.den, name: Den light, area: Den, state: 'on', attributes: {brightness: 200, supported_color_modes: [brightness]}}
- {entity_id: light.hall, name: Hall light, area: Hall, state: 'off', attributes: {brightness: null, supported_color_modes: [brightness]}}
- {entity_id: light.loft, name: Loft light, state: unavailable}
- {entity_id: switch.hidden, name: Pump, state: 'on', exposed: false}
- entity_id: scene.film
  name: Film
  entities: {light.den: {state: 'on', brightness: 20}, light.loft: 'on', switch.hidden: 'off'}
- entity_id: script.night
  name: Night
  fields: {room: {required: true, selector: {area: {}}}}
  sequence:
  - {tool: HassTurnOff, arguments: {domain: [light]}}
  - {tool: HassTurnOn, arguments: {area: '{room}', domain: [light]}}
  - {tool: HassTurnOn, arguments: {name: Night}}
- entity_id: script.broken
  name: Broken
  sequence:
  - {tool: HassFanSetSpeed, arguments: {percentage: 900}}
  - {set: {light.den: 'off'}}
- entity_id: script.gone
  name: Gone
  sequence:
  - {tool: HassTurnOn, arguments: {name: Nobody}}
  - {set: {light.den: 'off'}}
";

#[test]
fn a_scene_sets_what_its_inventory_says_and_leaves_what_is_unavailable() {
    let mut home = spoken_to(&home(EFFECTS), Profile::V2026_10, None);
    let mut changed = changes(&mut home, ON, json!({"name": "Film"}));
    changed.as_object_mut().unwrap().shift_remove("scene.film");
    assert_eq!(
        changed,
        json!({
            "light.den": {"brightness": [200, 20], "color_mode": [null, "brightness"]},
            "switch.hidden": {"state": ["on", "off"]},
        })
    );
}

#[test]
fn a_script_plays_its_steps_with_what_was_passed() {
    for (profile, tool) in
        [(Profile::V2026_10, "script__night"), (Profile::V2026_2, "script_night")]
    {
        let inventory = home(EFFECTS);
        let mut home = spoken_to(&inventory, profile, None);
        let offered = world(&inventory, profile).at(None).unwrap().1;
        let tool = offered
            .iter()
            .find(|offered| offered.name.ends_with("night"))
            .map_or(tool, |t| &t.name);
        let changed = changes(&mut home, tool, json!({"room": "Hall"}));
        assert_eq!(changed["light.den"]["state"], json!(["on", "off"]), "{tool}");
        assert_eq!(changed["light.hall"]["state"], json!(["off", "on"]), "{tool}");
    }
}

#[test]
fn a_step_that_fails_ends_a_script_and_one_that_runs_is_not_started_again() {
    let mut home = spoken_to(&home(EFFECTS), Profile::V2026_10, None);
    let broken = changes(&mut home, ON, json!({"name": "Broken"}));
    assert_eq!(broken.get("light.den"), None, "{broken}");
    // Turned on as a device, nothing is passed: no room is lit, and it does not run for ever.
    let night = changes(&mut home, ON, json!({"name": "Night"}));
    assert_eq!(night["light.den"]["state"], json!(["on", "off"]));
}

/// A home with a scene for all that Home Assistant brings into states, and for what it does not.
const KEPT: &str = "\
entities:
- {entity_id: light.lamp, name: Lamp, state: 'off', attributes: {brightness: null, supported_color_modes: [hs]}}
- {entity_id: light.plain, name: Plain, state: 'off', attributes: {brightness: null, supported_color_modes: [brightness]}}
- {entity_id: cover.blind, name: Blind, state: open, attributes: {current_position: 100, supported_features: 15}}
- {entity_id: fan.ceiling, name: Ceiling fan, state: 'off', attributes: {percentage: 0, supported_features: 49}}
- {entity_id: climate.hall, name: Hall, state: heat, attributes: {hvac_modes: ['off', heat], temperature: 20}}
- {entity_id: sensor.outside, name: Outside, state: '7'}
- {entity_id: valve.garden, name: Garden, state: closed, attributes: {current_position: 0}}
- entity_id: scene.evening
  name: Evening
  entities:
    light.lamp: {state: 'on', hs_color: [0, 100]}
    light.plain: 'on'
    cover.blind: closed
    fan.ceiling: {state: 'on', percentage: 33}
    climate.hall: {state: 'off', temperature: 18}
    sensor.outside: '20'
    valve.garden: open
- entity_id: scene.summer
  name: Summer
  entities: {climate.hall: cool, light.plain: 'on'}
- entity_id: script.summer
  name: Summer script
  sequence: [{set: {climate.hall: cool}}, {set: {light.plain: 'on'}}]
- entity_id: script.by_scene
  name: By scene
  sequence: [{tool: HassTurnOn, arguments: {name: scene.summer}}]
";

#[test]
fn a_scene_acts_by_the_services_of_each_kind_and_leaves_kinds_that_have_none() {
    let mut home = spoken_to(&home(KEPT), Profile::V2026_10, None);
    let mut changed = changes(&mut home, ON, json!({"name": "Evening"}));
    changed.as_object_mut().unwrap().shift_remove("scene.evening");
    assert_eq!(
        changed,
        json!({
            "light.lamp": {
                "state": ["off", "on"], "brightness": [null, 255], "color_mode": [null, "hs"],
                "hs_color": [null, [0.0, 100.0]], "rgb_color": [null, [255, 0, 0]],
                "xy_color": [null, [0.701, 0.299]],
            },
            "light.plain": {
                "state": ["off", "on"], "brightness": [null, 255], "color_mode": [null, "brightness"],
            },
            "cover.blind": {"state": ["open", "closed"], "current_position": [100, 0]},
            "fan.ceiling": {"state": ["off", "on"], "percentage": [0, 33]},
            "climate.hall": {"state": ["heat", "off"], "temperature": [20, 18.0]},
        })
    );
}

#[test]
fn a_mode_that_a_thermostat_lacks_makes_a_scene_and_a_script_fail() {
    let mut home = spoken_to(&home(KEPT), Profile::V2026_10, None);
    let scene = call(&mut home, ON, json!({"name": "Summer"}));
    assert_eq!(scene["data"]["error_text"], "Failed to call turn_on for: ['scene.summer']");
    home.reset();
    let script = call(&mut home, "script__summer", json!({}));
    let text = "HVAC mode cool is not valid. Valid HVAC modes are: off, heat";
    assert_eq!(script["data"]["error_text"], text);
    let by_scene = call(&mut home, "script__by_scene", json!({}));
    assert_eq!(by_scene["data"]["error_text"], text);
    home.reset();
    let lit = changes(&mut home, "light__HassLightSet", json!({"name": "Plain", "brightness": 5}));
    assert_eq!(lit["light.plain"]["state"], json!(["off", "on"]), "the second step was not run");
}

#[test]
fn a_script_that_fails_as_a_tool_tells_so_and_one_that_is_turned_on_does_not() {
    let mut home = spoken_to(&home(EFFECTS), Profile::V2026_10, None);
    assert_eq!(call(&mut home, "script__broken", json!({}))["error"], true);
    assert_eq!(call(&mut home, ON, json!({"name": "Broken"}))["error"], false);
}

#[test]
fn a_step_that_finds_nothing_is_passed_over() {
    let mut home = spoken_to(&home(EFFECTS), Profile::V2026_10, None);
    let gone = changes(&mut home, "script__gone", json!({}));
    assert_eq!(gone["light.den"]["state"], json!(["on", "off"]));
}

/// A home whose scripts ask devices for what they cannot do.
const UNABLE: &str = "\
floors: []
entities:
- {entity_id: light.den, name: Den light, state: 'on'}
- {entity_id: climate.hall, name: Hall, state: heat, attributes: {hvac_modes: ['off', heat], supported_features: 1}}
- {entity_id: cover.gate, name: Gate, state: closed, attributes: {supported_features: 2}}
- {entity_id: script.cold, sequence: [{tool: HassTurnOff, arguments: {name: Hall}}, {set: {light.den: 'off'}}]}
- {entity_id: script.lift, sequence: [{tool: HassTurnOn, arguments: {name: Gate}}]}
- {entity_id: fan.plain, name: Plain fan, state: 'on', attributes: {supported_features: 48}}
- {entity_id: climate.dry, name: Dry, state: dry, attributes: {hvac_modes: ['off', dry], supported_features: 384}}
- {entity_id: lock.door, name: Door, state: locked, attributes: {supported_features: 0}}
- {entity_id: vacuum.robot, name: Robot, state: docked, attributes: {supported_features: 8192}}
- {entity_id: water_heater.tank, name: Tank, state: 'off', attributes: {supported_features: 1}}
- {entity_id: alarm_control_panel.shop, name: Shop, state: disarmed, attributes: {supported_features: 1}}
- {entity_id: siren.horn, name: Horn, state: 'on', attributes: {supported_features: 1}}
- {entity_id: script.open, sequence: [{set: {cover.gate: open}}, {set: {light.den: 'off'}}]}
- {entity_id: script.speed, sequence: [{set: {fan.plain: {state: 'on', percentage: 40}}}, {set: {light.den: 'off'}}]}
- {entity_id: script.warm, sequence: [{set: {climate.dry: {state: dry, temperature: 21}}}]}
- {entity_id: script.latch, sequence: [{set: {lock.door: open}}]}
- {entity_id: script.stop, sequence: [{set: {vacuum.robot: idle}}]}
- {entity_id: script.heat, sequence: [{set: {water_heater.tank: eco}}]}
- {entity_id: script.arm, sequence: [{set: {alarm_control_panel.shop: armed_away}}]}
- {entity_id: script.degrees, sequence: [{tool: HassClimateSetTemperature, arguments: {name: Dry, temperature: 21}}]}
- {entity_id: script.clean, sequence: [{tool: HassVacuumReturnToBase, arguments: {name: Robot}}]}
- {entity_id: script.quiet, sequence: [{tool: HassTurnOff, arguments: {name: Horn}}]}
- {entity_id: script.all, sequence: [{tool: HassTurnOff, arguments: {domain: [climate]}}, {set: {light.den: 'off'}}]}
";

#[test]
fn a_script_names_the_action_that_a_device_does_not_support() {
    let place = home(UNABLE);
    for (profile, prefix) in [(Profile::V2026_10, "script__"), (Profile::V2026_2, "")] {
        let mut home = spoken_to(&place, profile, None);
        for (script, action) in [
            ("cold", "climate.hall does not support action climate.turn_off"),
            ("lift", "cover.gate does not support action cover.open_cover"),
            ("speed", "fan.plain does not support action fan.set_percentage"),
            ("warm", "climate.dry does not support action climate.set_temperature"),
            ("latch", "lock.door does not support action lock.open"),
            ("stop", "vacuum.robot does not support action vacuum.stop"),
            ("heat", "water_heater.tank does not support action water_heater.set_operation_mode"),
            (
                "arm",
                "alarm_control_panel.shop does not support action alarm_control_panel.alarm_arm_away",
            ),
            ("quiet", "siren.horn does not support action siren.turn_off"),
            ("degrees", "climate.dry does not support action climate.set_temperature"),
            ("clean", "vacuum.robot does not support action vacuum.return_to_base"),
        ] {
            let told = call(&mut home, &format!("{prefix}{script}"), json!({}));
            let failure = told.get("data").unwrap_or(&told);
            assert_eq!(failure["error"], "ServiceNotSupported", "{script}: {told}");
            assert_eq!(failure["error_text"], format!("Entity {action}"), "{script}");
        }
        let changed = changes(&mut home, &format!("{prefix}all"), json!({}));
        assert_eq!(changed["light.den"]["state"], json!(["on", "off"]), "what nobody named");
        assert_eq!(changed.get("climate.hall"), None, "{changed}");
        home.reset();
        // A scene asks a cover only for what it can do.
        let changed = changes(&mut home, &format!("{prefix}open"), json!({}));
        assert_eq!(changed["light.den"]["state"], json!(["on", "off"]));
        assert_eq!(changed.get("cover.gate"), None, "{changed}");
    }
}

#[test]
fn a_light_that_knows_only_whites_takes_the_temperature_of_a_kept_colour() {
    let place = home(
        "\
entities:
- {entity_id: light.white, name: White, state: 'on', attributes: {brightness: 9, color_temp_kelvin: 3000, supported_color_modes: [color_temp]}}
- {entity_id: scene.dusk, name: Dusk, entities: {light.white: {state: 'on', xy_color: [0.3, 0.4]}}}
",
    );
    let mut home = spoken_to(&place, Profile::V2026_10, None);
    let changed = changes(&mut home, ON, json!({"name": "Dusk"}));
    assert_eq!(changed["light.white"]["color_temp_kelvin"], json!([3000, 6623]));
}

#[test]
fn a_scene_that_asks_for_what_a_device_refuses_tells_why_and_sets_all_others() {
    let place = home(
        "\
entities:
- {entity_id: light.den, name: Den light, state: 'on', attributes: {supported_color_modes: [onoff]}}
- {entity_id: lock.safe, name: Safe, state: locked, attributes: {code_format: '^[0-9]$'}}
- {entity_id: climate.hall, name: Hall, state: heat, attributes: {hvac_modes: ['off', heat], temperature: 20.0, min_temp: 7, max_temp: 35}}
- {entity_id: fan.den, name: Fan, state: 'on', attributes: {direction: forward, percentage: 50, supported_features: 53}}
- {entity_id: number.level, name: Level, state: '20.0', attributes: {min: 0, max: 50}}
- {entity_id: script.safe, sequence: [{set: {lock.safe: unlocked, light.den: 'off'}}]}
- {entity_id: script.hot, sequence: [{set: {fan.den: 'on', climate.hall: {state: heat, temperature: 90}, light.den: 'off'}}]}
- {entity_id: script.heat, sequence: [{set: {light.den: 'off', climate.hall: {state: heat, temperature: 90}, fan.den: 'on'}}]}
- {entity_id: script.level, sequence: [{set: {number.level: '500', light.den: 'off'}}]}
",
    );
    let mut home = spoken_to(&place, Profile::V2026_10, None);
    for (script, text) in [
        ("safe", "The code for lock.safe doesn't match pattern ^[0-9]$"),
        ("hot", "string value is None at 'direction'"),
        ("heat", "Provided temperature 90.0 is not valid. Accepted range is 7 to 35"),
        ("level", "Value 500.0 for number.level is outside valid range 0 - 50"),
    ] {
        home.reset();
        let before = home.clone();
        let told = call(&mut home, &format!("script__{script}"), json!({}));
        assert_eq!(told["data"]["error_text"], text);
        let changed = json!(home.changes_since(&before));
        assert_eq!(changed["light.den"]["state"], json!(["on", "off"]), "{script}");
    }
}

#[test]
fn a_cover_with_slats_is_tilted_and_an_alarm_is_armed_by_a_scene() {
    let place = home(
        "\
entities:
- {entity_id: cover.slats, name: Slats, state: open, attributes: {current_position: 40, current_tilt_position: 60, supported_features: 255}}
- {entity_id: alarm_control_panel.house, name: House, state: disarmed, attributes: {supported_features: 3}}
- {entity_id: select.plan, name: Plan, state: eco, attributes: {options: [eco, boost]}}
- {entity_id: scene.away, name: Away, entities: {cover.slats: closed, alarm_control_panel.house: armed_away, select.plan: nothing}}
- {entity_id: scene.home, name: Back, entities: {cover.slats: {state: open, current_position: 30, current_tilt_position: 10}, select.plan: boost}}
",
    );
    let mut home = spoken_to(&place, Profile::V2026_10, None);
    let mut changed = changes(&mut home, ON, json!({"name": "Away"}));
    changed.as_object_mut().unwrap().shift_remove("scene.away");
    assert_eq!(
        changed,
        json!({
            "cover.slats": {
                "state": ["open", "closed"], "current_position": [40, 0], "current_tilt_position": [60, 0],
            },
            "alarm_control_panel.house": {"state": ["disarmed", "armed_away"]},
        })
    );
    let back = changes(&mut home, ON, json!({"name": "Back"}));
    assert_eq!(back["cover.slats"]["current_position"], json!([0, 30]));
    assert_eq!(back["cover.slats"]["current_tilt_position"], json!([0, 10]));
    assert_eq!(back["select.plan"]["state"], json!(["eco", "boost"]));
}
