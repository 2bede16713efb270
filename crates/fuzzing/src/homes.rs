//! Inventories of homes, and the calls that are made in a home.

use std::fs;
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use toolgauge_core::{Arguments, Case, ToolCall};
use toolgauge_home_assistant::{HomeAssistantWorld, Inventory, Profile, tools_from_json};
use toolgauge_home_import::fuzzing::read_messages;
use toolgauge_home_import::{HomeToken, assemble, make_private, read_prompt, read_storage};
use toolgauge_world::World;

use crate::logs::file;
use crate::{parts, text};

/// The small house of the shipped suite.
const HOME: &str = include_str!("../../../suites/home-assistant/home/small.yaml");

fn small_house() -> Arc<Inventory> {
    Inventory::from_text("small.yaml", HOME).expect("the house of the suite is right")
}

/// A home that can be read can be lived in.
pub(crate) fn inventory(input: &[u8]) {
    let Ok(inventory) = Inventory::from_text("home.yaml", text(input)) else { return };
    for profile in Profile::ALL {
        let world = HomeAssistantWorld::builder(Arc::clone(&inventory)).profile(profile).build();
        let Ok(world) = world else { continue };
        let case = Case::new("a", "turn it on");
        assert!(world.briefing(&case).is_some());
        let mut state = world.enter(&case);
        for tool in world.tools(&case).iter() {
            let _ = state.call(&ToolCall::new(&tool.name, serde_json::Map::new()));
        }
        let _ = (state.things(), state.end_state());
    }
}

static HOMES: LazyLock<[HomeAssistantWorld; 3]> = LazyLock::new(|| {
    let inventory = small_house();
    Profile::ALL.map(|profile| {
        let world = HomeAssistantWorld::builder(Arc::clone(&inventory)).profile(profile);
        world.satellite(Some("lounge".to_owned())).build().expect("the home has this satellite")
    })
});

/// Lines of a name and arguments, with a space between them, called one after another. The same
/// calls lead to the same end.
pub(crate) fn home_calls(input: &[u8]) {
    let (profile, lines) = input.split_first().unwrap_or((&0, &[]));
    let world = &HOMES[usize::from(*profile) % HOMES.len()];
    let calls: Vec<ToolCall> = text(lines).lines().take(8).map(call).collect();
    let case = Case::new("a", "turn it on");
    let play = || {
        let mut state = world.enter(&case);
        let replies: Vec<_> = calls.iter().map(|call| state.call(call)).collect();
        let _ = state.things();
        (replies, state.state_changes(), state.end_state())
    };
    let played = play();
    for reply in &played.0 {
        assert!(serde_json::from_str::<Value>(&reply.content).is_ok(), "{}", reply.content);
    }
    assert_eq!(played, play());
}

fn call(line: &str) -> ToolCall {
    let (name, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
    let arguments = Arguments::from_text(arguments);
    ToolCall { arguments, ..ToolCall::new(name, serde_json::Map::new()) }
}

/// Reading waits by the clock of a runtime, though nothing here makes it wait.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_current_thread().enable_time().build().expect("a runtime can be made")
});

/// What a running Home Assistant says, a message a line. Nothing repeats the token, and what was
/// read is an inventory or is refused, under its own names and under others.
pub(crate) fn home_messages(input: &[u8]) {
    const TOKEN: &str = "eyJ0.\"t0ken\"";
    let token = HomeToken::new(TOKEN);
    let reading = read_messages(text(input).lines(), &token);
    match RUNTIME.block_on(reading) {
        Ok(records) => {
            let home = assemble(&records, jiff::Timestamp::UNIX_EPOCH);
            let yaml = home.to_yaml();
            assert!(!yaml.contains(TOKEN), "{yaml}");
            let _ = Inventory::from_text("home.yaml", &yaml);
            let private = make_private(&home, 1);
            let _ = Inventory::from_text("home.yaml", &private.to_yaml());
        }
        Err(error) => assert!(!error.to_string().contains(TOKEN), "{error}"),
    }
}

/// The prompt of a home that is to be imported.
pub(crate) fn home_prompt(input: &[u8]) {
    if let Ok(home) = read_prompt(text(input)) {
        let _ = Inventory::from_text("home.yaml", &home.to_yaml());
    }
}

/// The files of a home that is to be imported.
pub(crate) fn home_storage(input: &[u8]) {
    let names = ["core.entity_registry", "core.area_registry", "core.device_registry"];
    let [entities, areas, devices] = parts(input);
    let (folder, _) = file(names[0], entities);
    for (name, bytes) in [(names[1], areas), (names[2], devices)] {
        if !bytes.is_empty() {
            fs::write(folder.path().join(name), bytes).expect("a file can be written");
        }
    }
    if let Ok(records) = read_storage(folder.path()) {
        let home = assemble(&records, jiff::Timestamp::UNIX_EPOCH);
        let _ = Inventory::from_text("home.yaml", &home.to_yaml());
    }
}

/// Tools of a recorded home, and a call of the first of them.
pub(crate) fn home_tools(input: &[u8]) {
    let [tools, arguments] = parts(input);
    let Ok(tools) = tools_from_json(text(tools)) else { return };
    let Ok(world) = HomeAssistantWorld::builder(small_house()).tools(tools).build() else { return };
    let case = Case::new("a", "turn it on");
    let offered = world.tools(&case);
    if let Some(tool) = offered.first() {
        let _ = world.enter(&case).call(&call(&format!("{} {}", tool.name, text(arguments))));
    }
}
