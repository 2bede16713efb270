//! An imported home gives the prompt and the tools of the instance it comes from.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_home_assistant::{HomeAssistantWorld, Inventory, Profile};
use toolgauge_home_import::{HomeDocument, assemble, read_live};

use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges, RECORDED};

use super::token;

async fn imported(changes: HomeServerChanges) -> (HomeDocument, HomeServer) {
    let server = HomeServer::start(changes).await;
    let records = read_live(&server.url, &token()).await.unwrap();
    (assemble(&records, jiff::Timestamp::UNIX_EPOCH), server)
}

/// Tools as they are sent, but for one list that Home Assistant itself orders by chance.
fn sent(tools: &Value) -> String {
    let mut tools = tools.clone();
    for tool in tools.as_array_mut().unwrap() {
        let steps = tool.pointer_mut("/function/parameters/properties/volume_step/anyOf");
        for choice in steps.and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(list) = choice.get_mut("enum").and_then(Value::as_array_mut) {
                list.sort_by_key(Value::to_string);
            }
        }
    }
    tools.to_string()
}

fn assert_offers_equal(home: &HomeDocument) {
    for offer in RECORDED["offers"].as_array().unwrap() {
        let mut home = home.clone();
        let satellite = offer["satellite"].as_str();
        // The one thing that no read tells.
        if let Some(satellite) = satellite {
            home.satellites[satellite].supports_timers = offer["supports_timers"] == json!(true);
        }
        let inventory = Inventory::from_text("home.yaml", &home.to_yaml()).unwrap();
        assert!(inventory.warnings().is_empty(), "{:?}", inventory.warnings());
        let world = HomeAssistantWorld::builder(Arc::clone(&inventory))
            .profile(Profile::V2026_10)
            .build()
            .unwrap();
        let (prompt, tools) = world.at(satellite).unwrap();
        assert_eq!(&*prompt, offer["prompt"].as_str().unwrap(), "{satellite:?}");
        let tools = tools.iter().map(|tool| {
            let mut function = json!({"name": tool.name, "parameters": tool.parameters});
            if !tool.description.is_empty() {
                function["description"] = json!(tool.description);
            }
            json!({"type": "function", "function": function})
        });
        assert_eq!(sent(&tools.collect()), sent(&offer["tools"]), "{satellite:?}");
    }
}

#[tokio::test]
async fn prompts_and_tools_are_those_of_the_instance_to_the_letter() {
    let (home, _) = imported(HomeServerChanges::default()).await;
    assert_offers_equal(&home);
}

#[tokio::test]
async fn without_administrator_rights_only_the_unregistered_is_unknown_and_named() {
    let (home, _) =
        imported(HomeServerChanges { not_admin: true, ..HomeServerChanges::default() }).await;
    let unknown = home.unknown.join("\n");
    assert!(unknown.contains("administrator may ask: light.wild"), "{unknown}");
    let mut home = home;
    let wild = home.entities.iter_mut().find(|entity| entity.entity_id == "light.wild").unwrap();
    assert!(!wild.exposed);
    wild.exposed = true;
    assert_offers_equal(&home);
}

/// Every message that may ever be sent. None of them changes anything.
const READS: &[&str] = &[
    "auth",
    "config/floor_registry/list",
    "config/area_registry/list",
    "config/device_registry/list",
    "config/entity_registry/list",
    "config/entity_registry/get_entries",
    "homeassistant/expose_entity/list",
    "get_states",
    "get_config",
    "get_services",
    "todo/item/list",
];

#[tokio::test]
async fn nothing_but_reads_is_ever_sent() {
    for not_admin in [false, true] {
        let (_, server) =
            imported(HomeServerChanges { not_admin, ..HomeServerChanges::default() }).await;
        let sent = server.sent();
        assert!(sent.len() >= READS.len(), "{sent:?}");
        for message in &sent {
            let kind = message["type"].as_str().unwrap();
            assert!(READS.contains(&kind), "`{kind}` is not known to be a read");
        }
        let tokens = sent.iter().filter(|message| message.get("access_token").is_some());
        assert_eq!(tokens.count(), 1, "the token is sent once, to log in");
    }
}

#[tokio::test]
async fn a_home_of_5000_entities_is_imported_whole() {
    let mut states = RECORDED["answers"]["get_states"]["result"].as_array().unwrap().clone();
    let template = states.iter().find(|state| state["entity_id"] == "light.ceiling").unwrap();
    let more: Vec<Value> = (0..5000)
        .map(|number| {
            let mut state = template.clone();
            state["entity_id"] = json!(format!("light.number_{number}"));
            state["attributes"]["friendly_name"] = json!(format!("Number {number}"));
            state
        })
        .collect();
    let exposed = more.iter().map(|state| {
        (state["entity_id"].as_str().unwrap().to_owned(), json!({"conversation": true}))
    });
    let exposed: serde_json::Map<String, Value> = exposed.collect();
    states.extend(more);
    let answers = json!({
        "get_states": states,
        "homeassistant/expose_entity/list": {"exposed_entities": exposed},
    });
    let (home, _) = imported(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    assert_eq!(home.exposed(), 5000);
    let inventory = Inventory::from_text("home.yaml", &home.to_yaml()).unwrap();
    assert_eq!(inventory.entities().len(), home.entities.len());
}

#[tokio::test]
async fn nothing_secret_or_personal_is_kept_that_no_prompt_needs() {
    let mut states = RECORDED["answers"]["get_states"]["result"].as_array().unwrap().clone();
    let light = states.iter_mut().find(|state| state["entity_id"] == "light.ceiling").unwrap();
    light["attributes"]["entity_picture"] = json!("/api/camera_proxy/x?token=open-sesame");
    light["attributes"]["access_token"] = json!("open-sesame");
    light["attributes"]["latitude"] = json!(48.123_456);
    let (home, server) = imported(HomeServerChanges {
        answers: json!({"get_states": states}),
        ..HomeServerChanges::default()
    })
    .await;
    let text = home.to_yaml();
    for secret in
        ["open-sesame", "48.123456", toolgauge_testkit::home_assistant::TOKEN, &server.url]
    {
        assert!(!text.contains(secret), "{secret}");
    }
}
