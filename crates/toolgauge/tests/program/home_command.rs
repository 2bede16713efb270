//! `toolgauge home` and `toolgauge generate --home` through the real binary, against a server that
//! plays what a real Home Assistant answered.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cases;
mod pipeline;
mod refusals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use toolgauge_home_assistant::Inventory;
use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges, RECORDED, TOKEN};
use toolgauge_testkit::long_or;

/// A recorded Home Assistant, for as long as the runtime is kept.
fn home_assistant(changes: HomeServerChanges) -> (HomeServer, Runtime) {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(HomeServer::start(changes));
    (server, runtime)
}

fn toolgauge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("HASS_TOKEN", TOKEN)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn assert_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", told(output));
}

/// A copy of `.storage`, written by the Home Assistant whose answers were recorded.
fn storage() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    crates.join("home-import/tests/fixtures/storage")
}

/// Everything that lies in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The recorded home, imported to `my-home` in a new folder.
fn imported(more: &[&str]) -> (TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(HomeServerChanges::default());
    let import = ["home", "import", "--url", &server.url, "-o", "my-home"];
    let output = toolgauge(folder.path(), &[&import, more].concat());
    assert_done(&output);
    (folder, output)
}

fn inventory(folder: &Path) -> std::sync::Arc<Inventory> {
    Inventory::from_path(&folder.join("my-home/home.yaml")).unwrap()
}

#[test]
fn a_running_home_is_imported_and_only_read() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(HomeServerChanges::default());
    let output = toolgauge(folder.path(), &["home", "import", "--url", &server.url]);
    assert_done(&output);
    let version = RECORDED["home_assistant"].as_str().unwrap();
    let first = format!("a home of Home Assistant {version} with 34 entities");
    assert!(out(&output).contains(&first), "{}", out(&output));
    assert!(told(&output).contains("not known: whether these satellites run timers"));
    assert_eq!(names(folder.path()), ["my-home"], "nothing else is left behind");
    assert_eq!(names(&folder.path().join("my-home")), ["home.yaml"]);
    assert_eq!(inventory(folder.path()).entities().len(), 34);
    let changing =
        ["call_service", "execute_script", "update", "create", "delete", "expose_entity"];
    for message in server.sent() {
        let kind = message["type"].as_str().unwrap();
        let last = kind.rsplit('/').next().unwrap();
        assert!(!changing.contains(&last), "{kind}");
    }
    let text = fs::read_to_string(folder.path().join("my-home/home.yaml")).unwrap();
    assert!(!text.contains(TOKEN), "the token stays in memory");
}

#[test]
fn what_a_token_without_administrator_rights_cannot_tell_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let changes = HomeServerChanges { not_admin: true, ..HomeServerChanges::default() };
    let (server, _runtime) = home_assistant(changes);
    let output = toolgauge(folder.path(), &["home", "import", "--url", &server.url]);
    assert_done(&output);
    assert!(told(&output).contains("which only an administrator may ask: light.wild"));
    let text = fs::read_to_string(folder.path().join("my-home/home.yaml")).unwrap();
    assert!(text.contains("# * whether these are exposed"), "it stands in the file too");
}

#[test]
fn a_copy_of_the_files_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let storage = storage();
    let output =
        toolgauge(folder.path(), &["home", "import", "--storage", storage.to_str().unwrap()]);
    assert_done(&output);
    assert!(told(&output).contains("not known: the states of most entities"), "{}", told(&output));
    assert!(inventory(folder.path()).entities().iter().any(|e| e.id == "light.ceiling"));
}

#[test]
fn the_text_of_a_prompt_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let prompt = RECORDED["offers"][0]["prompt"].as_str().unwrap();
    fs::write(folder.path().join("prompt.txt"), prompt).unwrap();
    let output = toolgauge(folder.path(), &["home", "import", "--prompt", "prompt.txt"]);
    assert_done(&output);
    let live = imported(&[]).0;
    let (listed, live) = (inventory(folder.path()), inventory(live.path()));
    let known: Vec<&Vec<String>> = live.entities().iter().map(|entity| &entity.names).collect();
    assert!(listed.entities().len() > 15);
    for entity in listed.entities() {
        assert!(known.contains(&&entity.names), "{:?} is in no home", entity.names);
    }
}

#[test]
fn a_private_home_has_none_of_the_names_and_the_same_shape() {
    let (plain, _) = imported(&[]);
    let (private, _) = imported(&["--private"]);
    let (again, _) = imported(&["--private"]);
    let (other, _) = imported(&["--private", "--seed", "7"]);
    let text = |folder: &TempDir| {
        let text = fs::read_to_string(folder.path().join("my-home/home.yaml")).unwrap();
        // The clock is that of the import.
        text.lines().filter(|line| !line.starts_with("clock:")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(text(&private), text(&again), "the same seed gives the same names");
    assert_ne!(text(&private), text(&other));
    let (plain, hidden) = (inventory(plain.path()), text(&private));
    let renamed = inventory(private.path());
    assert_eq!(plain.entities().len(), renamed.entities().len());
    let names = plain.entities().iter().flat_map(|entity| &entity.names);
    let areas = plain.areas().iter().map(|area| &area.name);
    for name in names.chain(areas).filter(|name| name.len() > 3) {
        assert!(!hidden.contains(&format!("\"{name}\"")), "`{name}` is still there");
    }
    for (before, after) in plain.entities().iter().zip(renamed.entities()) {
        assert_eq!((before.domain(), before.exposed), (after.domain(), after.exposed));
        assert_eq!(before.names.len(), after.names.len());
    }
}

#[test]
fn thousands_of_entities_are_imported_checked_and_asked_about() {
    let all = long_or(5_000, 1_500);
    let lights = all - 34;
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(with_lights(lights));
    let output = toolgauge(folder.path(), &["home", "import", "--url", &server.url]);
    assert_done(&output);
    assert!(out(&output).contains(&format!("with {all} entities")), "{}", out(&output));
    let output = toolgauge(folder.path(), &["home", "check", "my-home"]);
    assert_done(&output);
    assert!(out(&output).contains("entities are exposed"), "{}", out(&output));
    let generate = ["generate", "--home", "my-home", "--cases", "40"];
    assert_done(&toolgauge(folder.path(), &generate));
}

/// The recorded home with so many more lights, all exposed.
fn with_lights(count: usize) -> HomeServerChanges {
    let recorded = |request: &str| RECORDED["answers"][request]["result"].clone();
    let mut states = recorded("get_states");
    let mut exposed = recorded("homeassistant/expose_entity/list");
    let is_light = |state: &&Value| state["entity_id"] == "light.ceiling";
    let light = states.as_array().unwrap().iter().find(is_light).unwrap().clone();
    for number in 0..count {
        let mut state = light.clone();
        let id = format!("light.further_{number}");
        state["entity_id"] = id.clone().into();
        state["attributes"]["friendly_name"] = format!("Further light {number}").into();
        states.as_array_mut().unwrap().push(state);
        exposed["exposed_entities"][id] = serde_json::json!({"conversation": true});
    }
    let answers = serde_json::json!({
        "get_states": states, "homeassistant/expose_entity/list": exposed,
    });
    HomeServerChanges { answers, ..HomeServerChanges::default() }
}
