//! Homes to test in.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_home_assistant::{HomeAssistantWorld, HomeState, Inventory, Profile};

/// Where a file of the recordings is.
pub(crate) fn path_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/home-assistant").join(name)
}

/// A file of the recordings.
pub(crate) fn fixture(name: &str) -> String {
    std::fs::read_to_string(path_of(name)).unwrap()
}

/// The recorded home.
pub(crate) fn recorded() -> Arc<Inventory> {
    Inventory::from_text("golden-inventory.json", &fixture("golden-inventory.json")).unwrap()
}

/// A home from YAML.
pub(crate) fn home(text: &str) -> Arc<Inventory> {
    Inventory::from_text("home.yaml", text).unwrap()
}

/// A world of one home.
pub(crate) fn world(inventory: &Arc<Inventory>, profile: Profile) -> HomeAssistantWorld {
    HomeAssistantWorld::builder(Arc::clone(inventory)).profile(profile).build().unwrap()
}

/// The home to call tools in, spoken to from a satellite or from none.
pub(crate) fn spoken_to(
    inventory: &Arc<Inventory>,
    profile: Profile,
    satellite: Option<&str>,
) -> HomeState {
    world(inventory, profile).home(satellite).unwrap()
}

/// The recorded home, spoken to from the living room.
pub(crate) fn living_room() -> HomeState {
    spoken_to(&recorded(), Profile::V2026_10, Some("dev"))
}

/// The recorded home, spoken to from no device.
pub(crate) fn nowhere() -> HomeState {
    spoken_to(&recorded(), Profile::V2026_10, None)
}

/// Calls a tool and reads the answer.
pub(crate) fn call(home: &mut HomeState, tool: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    serde_json::from_str(&home.execute(tool, &arguments).content).unwrap()
}

/// Calls a tool and tells what changed.
pub(crate) fn changes(home: &mut HomeState, tool: &str, arguments: Value) -> Value {
    let before = home.clone();
    call(home, tool, arguments);
    json!(home.changes_since(&before))
}

/// Calls a tool and tells the error's class and text.
pub(crate) fn error(home: &mut HomeState, tool: &str, arguments: Value) -> (String, String) {
    let before = home.clone();
    let answer = call(home, tool, arguments);
    assert_eq!(answer["error"], json!(true), "{answer}");
    assert_eq!(json!(home.changes_since(&before)), json!({}), "a failing call changes nothing");
    let text = |key: &str| answer["data"][key].as_str().unwrap_or_default().to_owned();
    (text("error"), text("error_text"))
}

/// The ids a call reports as done.
pub(crate) fn done(answer: &Value) -> Vec<String> {
    let targets = answer["data"]["data"]["success"].as_array();
    let targets = targets.unwrap_or_else(|| panic!("no success in {answer}"));
    targets.iter().map(|target| target["id"].as_str().unwrap().to_owned()).collect()
}
