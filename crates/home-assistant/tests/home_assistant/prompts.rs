//! Prompts, tools and requests equal the recordings byte for byte.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_core::{AssistantMessage, Message, Tool, ToolCall, ToolMessage};
use toolgauge_home_assistant::{
    EntityOrder, HomeAssistantWorld, Profile, PromptOptions, RequestSettings, TimePlace,
    request_body, tools_from_json,
};

use super::homes::{fixture, home, recorded, world};

fn system(profile: Profile, satellite: Option<&str>) -> String {
    world(&recorded(), profile).at(satellite).unwrap().0.to_string()
}

#[test]
fn the_current_prompts_equal_the_recordings() {
    for (file, satellite) in [
        ("device_area_floor_timers.txt", Some("dev")),
        ("device_area_no_floor_no_timers.txt", Some("garden")),
        ("no_device.txt", None),
        ("no_device.txt", Some("nodev")),
    ] {
        let recorded = fixture(&format!("prompts/{file}"));
        assert_eq!(system(Profile::V2026_10, satellite), recorded, "{file}");
    }
}

#[test]
fn the_earlier_prompt_equals_the_recording() {
    let recorded = fixture("prompts/2026.2.3_device_area_floor_timers.txt");
    assert_eq!(system(Profile::V2026_2, Some("dev")), recorded);
}

#[test]
fn with_nothing_exposed_the_prompt_is_the_recorded_one() {
    let empty = home("entities: []");
    let system = world(&empty, Profile::V2026_10).at(None).unwrap().0;
    assert_eq!(&*system, fixture("prompts/no_entities.txt"));
}

#[test]
fn calendars_and_scripts_alone_bring_hints_but_no_overview() {
    let quiet = home("entities: [{entity_id: calendar.family, name: Family}]");
    let system = world(&quiet, Profile::V2026_10).at(None).unwrap().0;
    assert!(system.contains("tell them to expose entities"), "{system}");
    assert!(system.contains("\nWhen controlling Home Assistant"), "{system}");
    assert!(!system.contains("Static Context"), "{system}");
}

/// Tools in the layout of the recorded file.
fn listed(tools: &[Tool], order: &[&str]) -> String {
    let tools: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let part = |key: &str| match key {
                "name" => json!(tool.name),
                "description" => json!(tool.description),
                _ => tool.parameters.clone(),
            };
            let function: serde_json::Map<String, Value> =
                order.iter().map(|key| ((*key).to_owned(), part(key))).collect();
            json!({"type": "function", "function": function})
        })
        .collect();
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    serde::Serialize::serialize(&tools, &mut serializer).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_offered_tools_equal_the_recordings() {
    let (_, current) = world(&recorded(), Profile::V2026_10).at(Some("dev")).unwrap();
    assert_eq!(
        listed(&current, &["name", "description", "parameters"]),
        fixture("tools-2026.10.json")
    );
    let (_, earlier) = world(&recorded(), Profile::V2026_2).at(Some("dev")).unwrap();
    assert_eq!(
        listed(&earlier, &["name", "parameters", "description"]),
        fixture("tools-2026.2.json")
    );
}

fn names(tools: &[Tool]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn with_nothing_exposed_six_tools_are_left() {
    let empty = home("entities: []");
    let (_, tools) = world(&empty, Profile::V2026_10).at(None).unwrap();
    assert_eq!(
        names(&tools),
        [
            "assist_satellite__HassBroadcast",
            "homeassistant__GetLiveContext",
            "intent__HassTurnOn",
            "intent__HassTurnOff",
            "intent__HassCancelAllTimers",
            "llm__GetDateTime"
        ]
    );
}

#[test]
fn a_device_without_timers_is_offered_none_but_to_cancel_all() {
    let (_, tools) = world(&recorded(), Profile::V2026_10).at(Some("garden")).unwrap();
    let timers: Vec<&str> =
        names(&tools).into_iter().filter(|name| name.contains("Timer")).collect();
    assert_eq!(timers, ["intent__HassCancelAllTimers"]);
}

#[test]
fn what_is_not_exposed_brings_no_tools() {
    let hidden = home("entities: [{entity_id: light.a, exposed: false}, {entity_id: fan.b}]");
    let (system, tools) = world(&hidden, Profile::V2026_10).at(None).unwrap();
    assert!(names(&tools).contains(&"fan__HassFanSetSpeed"));
    assert!(!names(&tools).contains(&"light__HassLightSet"));
    assert!(!system.contains("domain: light"), "{system}");
}

/// The home of the recorded requests.
const WIRE_HOME: &str = "
areas: [{name: Kitchen}, {name: Living Room}]
entities:
- {entity_id: light.kitchen_ceiling_light, name: Kitchen ceiling light, area: Kitchen, state: 'off'}
- {entity_id: light.living_room_main_light, name: Living room main light, area: Living Room, state: 'off'}
- {entity_id: lock.front_door_lock, name: Front door lock, state: unlocked}
- {entity_id: media_player.living_room_tv, name: Living room TV, area: Living Room, state: playing}
";

#[test]
fn the_recorded_requests_are_reproduced() {
    let recorded: Vec<Value> = serde_json::from_str(&fixture("wire-2026.10.json")).unwrap();
    let world = world(&home(WIRE_HOME), Profile::V2026_10);
    let (system, tools) = world.at(None).unwrap();
    let mut state = world.home(None).unwrap();
    let user = recorded[0]["body"]["user"].as_str().unwrap();
    let settings = RequestSettings::new("stub", user);
    let mut conversation = vec![Message::user("turn on the kitchen light and the toaster")];
    let body = |conversation: &[Message]| {
        request_body(&system, conversation, &tools, &settings).to_string()
    };
    assert_eq!(body(&conversation), recorded[0]["body"].to_string());

    let mut calls = Vec::new();
    let mut answers = Vec::new();
    for (id, arguments) in [
        ("call_a", json!({"name": "Kitchen ceiling light", "domain": ["light"]})),
        ("call_b", json!({"name": "Toaster"})),
    ] {
        let Value::Object(arguments) = arguments else { unreachable!() };
        let reply = state.execute("intent__HassTurnOn", &arguments);
        answers.push(Message::Tool(ToolMessage {
            call_id: id.into(),
            name: "intent__HassTurnOn".into(),
            content: reply.content,
            failed: reply.failed,
        }));
        let mut call = ToolCall::new("intent__HassTurnOn", arguments);
        call.id = Some(id.into());
        calls.push(call);
    }
    let said = AssistantMessage { calls, ..AssistantMessage::default() };
    conversation.push(Message::Assistant(said));
    conversation.extend(answers);
    assert_eq!(body(&conversation), recorded[1]["body"].to_string());

    let content = "Kitchen light on. Which lamp?".to_owned();
    conversation.push(Message::Assistant(AssistantMessage { content, ..Default::default() }));
    conversation.push(Message::user("the other one"));
    assert_eq!(body(&conversation), recorded[2]["body"].to_string());
}

/// A home in the older form, in small.
const OLDER: &str = "
areas:
- {id: kitchen, name: Kitchen, floor: first}
entities:
- entity_id: climate.kitchen
  name: Kitchen Thermostat
  area: kitchen
  domain: climate
  state: heat_cool
  attributes:
    hvac_modes: ['off', heat]
    target_temp_step: 1.0
    fan_mode: null
- entity_id: switch.plug
  name: Plug
  area: null
  domain: switch
  state: 'on'
  attributes: {}
";

#[test]
fn the_classic_prompt_shows_ids_states_and_attributes() {
    let world = world(&home(OLDER), Profile::Classic);
    let (system, tools) = world.at(None).unwrap();
    let overview = system.split("\n\n").nth(1).unwrap();
    assert_eq!(
        overview,
        "An overview of the areas and the devices in this smart home:\n\
         climate.kitchen:\n  names: Kitchen Thermostat\n  state: 'heat_cool'\n  areas: Kitchen\n  \
         attributes:\n    hvac_modes: ['off', 'heat']\n    target_temp_step: 1.0\n    fan_mode:\n\
         switch.plug:\n  names: Plug\n  state: 'on'"
    );
    assert!(system.ends_with("\n\nThe current time is 12:00:00. Today's date is 2026-03-01."));
    assert_eq!(tools.len(), 32);
    assert!(tools.iter().all(|tool| !tool.name.contains("__")));
}

#[test]
fn own_instructions_and_tools_take_the_place_of_the_built_in_ones() {
    let tools = tools_from_json(r#"[{"name": "HassTurnOn", "description": "On."}]"#).unwrap();
    let options = PromptOptions { instructions: Some("Be brief.\n".into()), ..Default::default() };
    let world = HomeAssistantWorld::builder(home(OLDER))
        .profile(Profile::Classic)
        .prompt(options)
        .tools(tools.clone())
        .build()
        .unwrap();
    let (system, offered) = world.at(None).unwrap();
    assert!(system.starts_with("Be brief.\n\nAn overview"), "{system}");
    assert_eq!(offered, Arc::from(tools));
    let mut state = world.home(None).unwrap();
    assert!(!state.execute("HassTurnOn", &arguments(json!({"name": "Plug"}))).failed);
    assert!(state.execute("HassTurnOff", &arguments(json!({"name": "Plug"}))).failed);
}

fn arguments(value: Value) -> serde_json::Map<String, Value> {
    let Value::Object(arguments) = value else { unreachable!() };
    arguments
}

fn varied(options: PromptOptions) -> String {
    let world = HomeAssistantWorld::builder(recorded()).prompt(options).build().unwrap();
    world.at(Some("dev")).unwrap().0.to_string()
}

#[test]
fn the_time_can_come_first_or_last() {
    let time = "Current time is 02:59:57. Today's date is 2026-11-15.";
    let plain = varied(PromptOptions::default());
    let first = varied(PromptOptions { time: TimePlace::First, ..Default::default() });
    assert_eq!(first, format!("{time}\n{plain}"));
    let last = varied(PromptOptions { time: TimePlace::Last, ..Default::default() });
    assert_eq!(last, format!("{plain}\n{time}"));
}

#[test]
fn entities_can_be_listed_in_another_order() {
    let order = |entities| {
        let system = varied(PromptOptions { entities, ..Default::default() });
        let names = system.lines().filter_map(|line| line.strip_prefix("- names: "));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let by_name = order(EntityOrder::AsProfile);
    assert_eq!(by_name, order(EntityOrder::ByName));
    let mut reversed = order(EntityOrder::Reversed);
    reversed.reverse();
    assert_eq!(by_name, reversed);
    assert_eq!(order(EntityOrder::AsListed)[0], "Coffee machine");
    let mut shuffled = order(EntityOrder::Shuffled(1));
    assert_ne!(shuffled, by_name);
    shuffled.sort_unstable();
    assert_eq!(shuffled, by_name);
}

#[test]
fn a_suffix_ends_the_prompt() {
    let suffix = Some("/no_think".to_owned());
    let system = varied(PromptOptions { suffix, ..Default::default() });
    assert!(system.ends_with("this area.\n/no_think"), "{system}");
}
