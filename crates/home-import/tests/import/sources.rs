//! The same home from a copy of its files and from a prompt.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_home_assistant::{HomeAssistantWorld, Inventory, Profile};
use toolgauge_home_import::{HomeDocument, assemble, read_live, read_prompt, read_storage};

use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges, RECORDED};

use super::token;

fn storage() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/storage")
}

fn from_files(folder: &Path) -> HomeDocument {
    let records = read_storage(folder).unwrap();
    assemble(&records, jiff::Timestamp::UNIX_EPOCH)
}

/// What both sources know of an entity.
#[expect(clippy::type_complexity, reason = "a row that is only compared")]
fn known(home: &HomeDocument) -> Vec<(String, String, Vec<String>, Option<String>, bool)> {
    let mut all: Vec<_> = home
        .entities
        .iter()
        .filter(|entity| entity.exposed)
        .map(|e| {
            (e.entity_id.clone(), e.name.clone(), e.names.clone(), e.area_id.clone(), e.exposed)
        })
        .collect();
    all.sort();
    all
}

#[tokio::test]
async fn files_tell_the_same_names_areas_and_exposure_as_the_wire() {
    let server = HomeServer::start(HomeServerChanges::default()).await;
    let records = read_live(&server.url, &token()).await.unwrap();
    let live = assemble(&records, jiff::Timestamp::UNIX_EPOCH);
    let stored = from_files(&storage());
    // Without a state nobody knows how an unregistered entity is called.
    let of = |home: &HomeDocument| -> Vec<_> {
        known(home).into_iter().filter(|entity| entity.0 != "light.wild").collect()
    };
    assert_eq!(of(&stored), of(&live));
    assert_eq!(stored.areas, live.areas);
    assert_eq!(stored.floors, live.floors);
    assert!(stored.unknown.iter().any(|line| line.contains("states")), "{:?}", stored.unknown);
}

fn copied(folder: &Path) {
    for file in fs::read_dir(storage()).unwrap().flatten() {
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
}

fn with_schema(version: &str, minor: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copied(folder.path());
    let path = folder.path().join("core.entity_registry");
    let mut file: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    file["version"] = version.parse::<u64>().unwrap().into();
    file["minor_version"] = minor.parse::<u64>().unwrap().into();
    fs::write(&path, file.to_string()).unwrap();
    folder
}

#[test]
fn a_registry_without_a_list_of_entities_is_no_empty_home() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"version": 1, "minor_version": 1, "key": "x", "data": {"things": []}}"#;
    fs::write(folder.path().join("core.entity_registry"), text).unwrap();
    let told = read_storage(folder.path()).unwrap_err().to_string();
    assert!(told.contains("core.entity_registry` is not what Home Assistant writes"), "{told}");
    assert!(told.contains("`entities`"), "{told}");
}

#[test]
fn a_file_of_another_schema_is_named() {
    let folder = with_schema("2", "1");
    let error = read_storage(folder.path()).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("core.entity_registry` has schema 2, and only 1 is known"), "{told}");
    let newer = with_schema("1", "99");
    let home = from_files(newer.path());
    let unknown = home.unknown.join("\n");
    assert!(unknown.contains("`core.entity_registry`, which has schema 1.99"), "{unknown}");
}

#[test]
fn a_folder_that_is_no_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let told = read_storage(folder.path()).unwrap_err().to_string();
    assert!(told.contains("it has no `core.entity_registry`"), "{told}");
    copied(folder.path());
    fs::write(folder.path().join("core.area_registry"), "{").unwrap();
    let told = read_storage(folder.path()).unwrap_err().to_string();
    assert!(told.contains("core.area_registry` is not what Home Assistant writes"), "{told}");
}

#[test]
fn a_configuration_folder_leads_to_its_storage() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".storage")).unwrap();
    copied(&folder.path().join(".storage"));
    fs::write(folder.path().join(".HA_VERSION"), "2026.10.4").unwrap();
    let home = from_files(folder.path());
    assert_eq!(home.version.as_deref(), Some("2026.10.4"));
}

fn prompt_of(home: &HomeDocument, satellite: Option<&str>) -> String {
    let inventory = Inventory::from_text("home.yaml", &home.to_yaml()).unwrap();
    let world = HomeAssistantWorld::builder(Arc::clone(&inventory))
        .profile(Profile::V2026_10)
        .build()
        .unwrap();
    world.at(satellite).unwrap().0.to_string()
}

const PROMPT: &str = "\
You are a voice assistant for Home Assistant.
Static Context: An overview of the areas and the devices in this smart home:
- names: Anna's lamp, reading light
  domain: light
  areas: Hall, corridor
- names: '12:30'
  domain: switch
- names: Hall lamp
  domain: light
  areas: Hall, corridor

When controlling Home Assistant always call the intent tools.
You are in area Hall (floor Ground floor) and all generic commands like 'turn on the lights' should target this area.
This device is not able to start timers.
";

#[test]
fn a_prompt_tells_names_areas_and_the_satellite() {
    let home = read_prompt(PROMPT).unwrap();
    let names: Vec<&str> = home.entities.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["Anna's lamp", "12:30", "Hall lamp"]);
    assert_eq!(home.entities[0].names, ["Anna's lamp", "reading light"]);
    assert_eq!(home.areas[0].aliases, ["corridor"]);
    assert_eq!(home.floors[0].name, "Ground floor");
    assert!(!home.satellites["satellite"].supports_timers);
    let indented: Vec<String> = PROMPT.lines().map(|line| format!("    {line}\n")).collect();
    let indented = indented.concat();
    assert_eq!(read_prompt(&indented).unwrap(), home);
    let escaped = PROMPT.replace('\n', "\\n");
    assert_eq!(read_prompt(&escaped).unwrap(), home);
}

#[test]
fn the_recorded_prompt_lists_the_same_again() {
    let offer = &RECORDED["offers"][0];
    let recorded = offer["prompt"].as_str().unwrap();
    let home = read_prompt(recorded).unwrap();
    let made = prompt_of(&home, Some("satellite"));
    let lines = |text: &str| -> Vec<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&made), lines(recorded));
}

#[test]
fn a_text_that_lists_no_home_is_refused() {
    let told = read_prompt("You are a pirate.").unwrap_err().to_string();
    assert!(told.contains("does not list a home"), "{told}");
}
