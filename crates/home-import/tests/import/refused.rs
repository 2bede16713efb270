//! What cannot be imported is told, with what to do, and leaves nothing behind.

use serde_json::json;
use toolgauge_home_import::{HomeImportError, HomeToken, assemble, read_live, write_home};

use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges, TOKEN};

use super::token;

async fn refusal(changes: HomeServerChanges) -> HomeImportError {
    let server = HomeServer::start(changes).await;
    match read_live(&server.url, &token()).await {
        Ok(records) => {
            assemble(&records, jiff::Timestamp::UNIX_EPOCH).require_exposed().unwrap_err()
        }
        Err(error) => error,
    }
}

fn assert_tells(error: &HomeImportError, message: &str, hint: &str) {
    let told = error.to_string();
    assert!(told.contains(message), "{told}");
    let hinted = error.hint().unwrap_or_default();
    assert!(hinted.contains(hint), "{hinted}");
}

#[tokio::test]
async fn a_wrong_token_is_told() {
    let server = HomeServer::start(HomeServerChanges::default()).await;
    let error = read_live(&server.url, &HomeToken::new("wrong")).await.unwrap_err();
    assert_tells(&error, "does not accept the token", "Long-lived access tokens");
}

#[tokio::test]
async fn a_token_that_is_repeated_is_neither_kept_nor_told() {
    let name = format!("Kitchen {TOKEN}");
    let answers = json!({"config/area_registry/list": [{"area_id": "k", "name": name}]});
    let server =
        HomeServer::start(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    let records = read_live(&server.url, &token()).await.unwrap();
    let home = assemble(&records, jiff::Timestamp::UNIX_EPOCH).to_yaml();
    assert!(home.contains("Kitchen [redacted]") && !home.contains(TOKEN));
    let answers = json!({"config/area_registry/list": TOKEN});
    let error = refusal(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    assert!(!format!("{error} {error:?}").contains(TOKEN), "{error}");
}

#[tokio::test]
async fn an_address_with_a_login_is_refused_without_repeating_it() {
    let error = read_live("http://me:hunter2@127.0.0.1:9", &token()).await.unwrap_err();
    assert_tells(&error, "a name or password does not belong in it", "as in the browser");
    let error_at_page = read_live("http://127.0.0.1:9/?code=hunter2", &token()).await.unwrap_err();
    assert!(!format!("{error} {error_at_page}").contains("hunter2"), "{error} {error_at_page}");
}

#[tokio::test]
async fn an_address_nobody_answers_at_is_told() {
    let error = read_live("http://127.0.0.1:9", &token()).await.unwrap_err();
    assert_tells(&error, "cannot reach Home Assistant at `http://127.0.0.1:9`", "browser");
}

#[tokio::test]
async fn a_version_that_is_too_old_is_told_before_anything_is_read() {
    let server = HomeServer::start(HomeServerChanges {
        version: "2025.12.1".to_owned(),
        ..HomeServerChanges::default()
    })
    .await;
    let error = read_live(&server.url, &token()).await.unwrap_err();
    assert_tells(&error, "Home Assistant 2025.12.1 is too old", "2026.2 or later");
    assert_eq!(server.sent().len(), 1, "only the token was sent");
}

#[tokio::test]
async fn a_home_in_which_nothing_is_exposed_is_told() {
    let answers = json!({"homeassistant/expose_entity/list": {"exposed_entities": {}}});
    let error = refusal(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    assert_tells(&error, "nothing in this home is exposed", "Voice assistants, Expose");
}

#[tokio::test]
async fn an_empty_home_is_told() {
    let answers = json!({"get_states": [], "config/entity_registry/list": [],
        "config/entity_registry/get_entries": {}});
    let error = refusal(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    assert_tells(&error, "(0 entities were found)", "Expose");
}

#[tokio::test]
async fn a_connection_that_breaks_off_is_told() {
    let error =
        refusal(HomeServerChanges { breaks_at: "get_states", ..HomeServerChanges::default() })
            .await;
    assert_tells(&error, "the connection to Home Assistant was lost", "nothing was written");
}

#[tokio::test]
async fn an_answer_of_another_shape_is_told_by_its_request() {
    let answers = json!({"config/area_registry/list": {"areas": []}});
    let error = refusal(HomeServerChanges { answers, ..HomeServerChanges::default() }).await;
    assert_tells(&error, "the answer to `config/area_registry/list` cannot be read", "version");
}

#[tokio::test]
async fn a_folder_in_use_is_left_as_it_is() {
    let server = HomeServer::start(HomeServerChanges::default()).await;
    let records = read_live(&server.url, &token()).await.unwrap();
    let home = assemble(&records, jiff::Timestamp::UNIX_EPOCH);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let error = write_home(folder.path(), &home).unwrap_err();
    assert_tells(&error, "is not empty", "new folder");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let fresh = folder.path().join("a/b");
    write_home(&fresh, &home).unwrap();
    let left: Vec<_> = std::fs::read_dir(folder.path().join("a")).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing half-written lies beside it: {left:?}");
    assert_eq!(std::fs::read_to_string(fresh.join("home.yaml")).unwrap(), home.to_yaml());
}
