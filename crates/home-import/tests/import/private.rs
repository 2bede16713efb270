//! A private home keeps its shape and nothing of its names.

use std::collections::BTreeSet;

use toolgauge_home_assistant::Inventory;
use toolgauge_home_import::{HomeDocument, assemble, make_private, read_live};

use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges};

use super::token;

async fn recorded() -> HomeDocument {
    let server = HomeServer::start(HomeServerChanges::default()).await;
    let records = read_live(&server.url, &token()).await.unwrap();
    assemble(&records, jiff::Timestamp::UNIX_EPOCH)
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().count() > 2).map(str::to_lowercase).collect()
}

/// Every text of a home that somebody wrote.
fn written(home: &HomeDocument) -> Vec<String> {
    let mut texts: Vec<String> = home.satellites.keys().cloned().collect();
    for floor in &home.floors {
        texts.extend([floor.id.clone(), floor.name.clone()]);
        texts.extend(floor.aliases.clone());
    }
    for area in &home.areas {
        texts.extend([area.id.clone(), area.name.clone()]);
        texts.extend(area.aliases.clone());
    }
    for entity in &home.entities {
        texts.push(entity.entity_id.split_once('.').unwrap().1.to_owned());
        texts.push(entity.name.clone());
        texts.extend(entity.names.clone());
        texts.extend(entity.description.clone());
        let items = entity.items.iter().flatten();
        texts.extend(items.map(|item| item["summary"].as_str().unwrap().to_owned()));
        let fields = entity.fields.iter().flatten();
        texts.extend(fields.map(|(_, field)| field["description"].to_string()));
    }
    texts
}

/// Words of Home Assistant's own: domains, keys, classes, states.
fn common(home: &HomeDocument) -> BTreeSet<String> {
    let mut bare = home.clone();
    bare.floors.clear();
    bare.areas.clear();
    bare.satellites.clear();
    for entity in &mut bare.entities {
        entity.entity_id = format!("{}.", entity.domain());
        entity.name.clear();
        entity.names.clear();
        entity.area_id = None;
        entity.description = None;
        entity.items = None;
        entity.fields = None;
    }
    let own = "dims closes left floor the and all off for where required selector minimum maximum slider satellites floors \
               areas aliases area level number summary status completed needs action description \
               fields items names device supports timers private name every";
    words(&bare.to_yaml()).union(&words(own)).cloned().collect()
}

#[tokio::test]
async fn no_word_of_a_name_is_left() {
    let home = recorded().await;
    for seed in 0..5 {
        let private = make_private(&home, seed);
        let text = private.to_yaml();
        let left = words(&text);
        let common = common(&private);
        for original in written(&home) {
            let mut own = words(&original);
            own.retain(|word| !common.contains(word));
            let kept: Vec<&String> = own.intersection(&left).collect();
            assert!(kept.is_empty(), "{kept:?} of \"{original}\" with seed {seed}");
        }
        assert!(!text.contains("Berlin") && private.zone.as_deref() == Some("UTC"));
    }
}

#[tokio::test]
async fn shape_and_relations_stay() {
    let home = recorded().await;
    let private = make_private(&home, 7);
    assert_eq!(private, make_private(&home, 7), "the same seed gives the same names");
    assert_ne!(private, make_private(&home, 8));
    let inventory = Inventory::from_text("home.yaml", &private.to_yaml()).unwrap();
    assert_eq!(inventory.entities().len(), home.entities.len());
    for (own, other) in home.entities.iter().zip(&private.entities) {
        assert_eq!(own.domain(), other.domain());
        assert_eq!(own.exposed, other.exposed);
        assert_eq!(own.names.len(), other.names.len());
        let place = |home: &HomeDocument, id: &Option<String>| {
            home.areas.iter().position(|area| Some(&area.id) == id.as_ref())
        };
        assert_eq!(place(&home, &own.area_id), place(&private, &other.area_id));
        let count = |name: &str| name.split(' ').count();
        assert_eq!(count(&own.name), count(&other.name), "{} {}", own.name, other.name);
        let capital = |name: &str| name.starts_with(char::is_uppercase);
        assert_eq!(capital(&own.name), capital(&other.name), "{} {}", own.name, other.name);
    }
    // Nele has a room and a lamp in it, under whatever name.
    let room = private.areas.iter().find(|area| area.name.contains("'s ")).unwrap();
    let (person, _) = room.name.split_once("'s ").unwrap();
    assert!(private.entities.iter().any(|entity| entity.name.starts_with(&format!("{person}'s "))));
}
