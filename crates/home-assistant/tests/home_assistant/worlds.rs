//! Home Assistant as a world that trials enter.

use serde_json::{Value, json};
use toolgauge_core::{Arguments, AssistantMessage, Case, Message, ToolCall};
use toolgauge_home_assistant::{
    HomeAssistantWorld, Profile, PromptOptions, SettingError, TimePlace,
};
use toolgauge_world::World;

use super::homes::{home, recorded};

fn on(name: &str) -> ToolCall {
    let Value::Object(arguments) = json!({ "name": name }) else { unreachable!() };
    ToolCall::new("intent__HassTurnOn", arguments)
}

fn world() -> HomeAssistantWorld {
    let builder = HomeAssistantWorld::builder(recorded());
    builder.satellite(Some("dev".into())).build().unwrap()
}

#[test]
fn each_trial_enters_a_home_of_its_own() {
    let world = world();
    let case = Case::new("a", "turn on the lamp");
    let (mut one, other) = (world.enter(&case), world.enter(&case));
    assert!(!one.call(&on("Lamp")).failed);
    assert_eq!(one.state_changes().unwrap()["light.lamp"]["state"], json!(["off", "on"]));
    assert_eq!(*other.state_changes().unwrap(), json!({}));
    assert_ne!(one.end_state(), other.end_state());
}

#[test]
fn a_trial_tells_of_lists_and_timers_too() {
    let mut trial = world().enter(&Case::new("a", "remember the milk"));
    let mut call = |tool: &str, arguments: Value| {
        let Value::Object(arguments) = arguments else { unreachable!() };
        assert!(!trial.call(&ToolCall::new(tool, arguments)).failed, "{tool}");
    };
    call("todo__HassListAddItem", json!({"item": "oat milk", "name": "Shopping list"}));
    call("intent__HassStartTimer", json!({"minutes": 5, "name": "tea"}));
    let told = trial.state_changes().unwrap();
    let items = &told["todo.shopping_list"]["items"];
    let before = items[0].as_array().unwrap();
    assert_eq!(items[1].as_array().unwrap()[..], [&before[..], &[json!("Oat milk")]].concat()[..]);
    assert_eq!(told["timers"][0], json!([]));
    assert_eq!(told["timers"][1][0]["seconds"], json!(300));
}

#[test]
fn a_case_can_speak_to_another_satellite_or_to_none() {
    let world = world();
    let mut case = Case::new("a", "turn on the lamp");
    assert!(world.briefing(&case).unwrap().contains("You are in area Living Room"));
    assert_eq!(world.tools(&case).len(), 41);
    case.metadata.insert("satellite".into(), json!("garden"));
    assert!(world.briefing(&case).unwrap().contains("You are in area Garden"));
    assert_eq!(world.tools(&case).len(), 34);
    case.metadata.insert("satellite".into(), Value::Null);
    assert!(world.enter(&case).call(&on("Lamp")).failed);
}

#[test]
fn a_case_finds_what_its_setup_and_its_conversation_have_left() {
    let world = world();
    let mut case = Case::new("a", "and the other one");
    case.metadata.insert(
        "setup".into(),
        json!({"switch.coffee_machine": "unavailable", "light.lamp": {"state": "on", "brightness": 10}}),
    );
    let calls = vec![on("big light")];
    let said = Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() });
    case.input.insert(0, said);
    let mut trial = world.enter(&case);
    assert_eq!(*trial.state_changes().unwrap(), json!({}));
    assert!(!trial.call(&on("Coffee machine")).failed);
    assert_eq!(*trial.state_changes().unwrap(), json!({}));
    trial.call(&on("big light"));
    assert_eq!(*trial.state_changes().unwrap(), json!({}), "it was on already");
    let entities = trial.end_state().unwrap()["entities"].clone();
    assert_eq!(entities["light.lamp"]["brightness"], json!([null, 10]));
}

#[test]
fn a_setup_may_write_a_state_as_a_number_or_as_truth() {
    let home = home(
        "entities: [{entity_id: sensor.oven, state: '20'}, {entity_id: light.a, state: 'off'}]",
    );
    let world = HomeAssistantWorld::builder(home).build().unwrap();
    let mut case = Case::new("a", "how hot is it");
    for setup in [
        json!({"sensor.oven": {"state": 30.5}, "light.a": {"state": true}}),
        json!({"sensor.oven": 30.5, "light.a": true}),
        json!({"sensor.oven": {"state": "30.5"}, "light.a": "on"}),
    ] {
        case.metadata.insert("setup".into(), setup.clone());
        let entities = world.enter(&case).end_state().unwrap()["entities"].clone();
        let expected = json!({
            "sensor.oven": {"state": ["20", "30.5"]},
            "light.a": {"state": ["off", "on"]},
        });
        assert_eq!(entities, expected, "{setup}");
        assert_eq!(world.complaints(&case), Vec::<String>::new(), "{setup}");
    }
}

#[test]
fn a_setup_that_gives_no_state_is_reported() {
    let world = world();
    let mut case = Case::new("a", "x");
    let setup =
        json!({"light.lamp": {"state": null}, "light.none": "on", "switch.coffee_machine": [1]});
    case.metadata.insert("setup".into(), setup);
    assert_eq!(
        world.complaints(&case),
        [
            "`setup` names no entity: `light.none`",
            "`setup` gives `light.lamp` a state that is neither text nor a number",
            "`setup` gives `switch.coffee_machine` a state that is neither text nor a number",
        ]
    );
    assert_eq!(world.enter(&case).end_state().unwrap()["entities"], json!({}));
}

#[test]
fn a_list_that_is_put_back_as_it_was_leaves_no_trace() {
    let world = world();
    let case = Case::new("a", "x");
    let (mut trial, untouched) = (world.enter(&case), world.enter(&case));
    let mut call = |tool: &str| {
        let Value::Object(arguments) = json!({"item": "Bread", "name": "Shopping list"}) else {
            unreachable!()
        };
        assert!(!trial.call(&ToolCall::new(tool, arguments)).failed, "{tool}");
        trial.end_state()
    };
    assert_ne!(call("todo__HassListAddItem"), untouched.end_state());
    assert_eq!(call("todo__HassListRemoveItem"), untouched.end_state());
}

#[test]
fn an_item_that_is_added_after_a_removal_has_an_id_of_its_own() {
    let lists = "entities: [{entity_id: todo.list, name: List, items: [Eggs, Milk, Tea]}]";
    let world = HomeAssistantWorld::builder(home(lists)).build().unwrap();
    let mut trial = world.enter(&Case::new("a", "x"));
    let mut call = |tool: &str, arguments: Value| {
        let Value::Object(arguments) = arguments else { unreachable!() };
        let reply = trial.call(&ToolCall::new(tool, arguments));
        assert!(!reply.failed, "{}", reply.content);
        reply.content
    };
    call("todo__HassListRemoveItem", json!({"item": "Eggs", "name": "List"}));
    call("todo__HassListAddItem", json!({"item": "Bread", "name": "List"}));
    let items: Value =
        serde_json::from_str(&call("todo__get_items", json!({"todo_list": "List"}))).unwrap();
    let uids: Vec<&str> = items["data"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["uid"].as_str().unwrap())
        .collect();
    assert_eq!(uids, ["2", "3", "4"], "{items}");
}

#[test]
fn tiers_are_homes_of_their_own() {
    let small = home("entities: [{entity_id: light.a, name: Only}]");
    let builder = HomeAssistantWorld::builder(recorded()).tier("small", small.clone());
    let world = builder.build().unwrap();
    let mut case = Case::new("a", "turn it on");
    case.tags.insert("tier".into(), "small".into());
    assert!(!world.enter(&case).call(&on("Only")).failed);
    assert!(world.enter(&Case::new("b", "x")).call(&on("Only")).failed);
    let twice =
        HomeAssistantWorld::builder(small.clone()).tier("a", small.clone()).tier("a", small);
    assert_eq!(twice.build().unwrap_err(), SettingError::HomeTwice("a".into()));
}

#[test]
fn a_satellite_nobody_has_is_named() {
    let error = HomeAssistantWorld::builder(recorded()).satellite(Some("attic".into())).build();
    assert_eq!(
        error.unwrap_err().to_string(),
        "there is no satellite `attic` (known: dev, garden, nodev)"
    );
}

#[test]
fn the_time_can_differ_from_case_to_case() {
    let options = PromptOptions { time: TimePlace::First, ..PromptOptions::default() };
    let builder = HomeAssistantWorld::builder(recorded()).prompt(options).varying_time();
    let world = builder.build().unwrap();
    let told = |id: &str| world.briefing(&Case::new(id, "x")).unwrap();
    assert_eq!(told("a"), told("a"));
    assert_ne!(told("a"), told("b"));
    let case = Case::new("a", "what time is it");
    let reply = world.enter(&case).call(&ToolCall::new("llm__GetDateTime", serde_json::Map::new()));
    let answer: Value = serde_json::from_str(&reply.content).unwrap();
    let time = answer["data"]["time"].as_str().unwrap();
    assert!(told("a").starts_with(&format!("Current time is {time}.")));
}

#[test]
fn malformed_arguments_are_told_and_do_nothing() {
    for profile in Profile::ALL {
        let world = HomeAssistantWorld::builder(recorded()).profile(profile).build().unwrap();
        let mut trial = world.enter(&Case::new("a", "x"));
        let mut call = on("Lamp");
        call.arguments = Arguments::from_text("{\"name\": ");
        let reply = trial.call(&call);
        assert!(reply.failed && reply.content.contains("not JSON"), "{}", reply.content);
        assert_eq!(*trial.state_changes().unwrap(), json!({}));
    }
}
