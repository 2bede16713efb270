//! The look at a server before a run.

use serde_json::json;
use toolgauge_model::{
    Anthropic, AnthropicSettings, OpenAi, Preflight, PreflightError, PreflightWarning, Secret,
};
use toolgauge_testkit::{Response, Server};

use crate::support::{closed, settings};

async fn look(response: Response) -> Result<Preflight, PreflightError> {
    let server = Server::answering(vec![response]).await;
    OpenAi::new(settings(server.url(), false)).unwrap().preflight().await
}

#[tokio::test]
async fn nobody_at_home_is_said_with_a_hint() {
    let server = Server::answering(vec![]).await;
    let url = server.url().to_owned();
    drop(server);
    closed(&url).await;
    let error = OpenAi::new(settings(&url, false)).unwrap().preflight().await.unwrap_err();
    assert!(error.to_string().starts_with(&format!("nothing answers at `{url}`: ")), "{error}");
    assert!(error.hint().contains("is the server running?"));
}

#[tokio::test]
async fn a_refused_key_and_a_loading_model_are_told_apart() {
    let error = look(Response::json(401, &json!({"error": {"message": "no"}}))).await.unwrap_err();
    assert!(matches!(error, PreflightError::Unauthorized { .. }), "{error:?}");
    let error =
        look(Response::json(503, &json!({"error": {"message": "Loading"}}))).await.unwrap_err();
    assert!(matches!(error, PreflightError::NotReady { .. }), "{error:?}");
}

#[tokio::test]
async fn a_server_without_a_list_of_models_is_fine() {
    for response in [
        Response::json(404, &json!({})),
        Response::new(200, "text/html", "<html>"),
        Response::json(200, &json!({"data": []})),
    ] {
        assert_eq!(look(response).await.unwrap(), Preflight::default());
    }
}

#[tokio::test]
async fn a_model_the_server_does_not_list_is_worth_a_warning() {
    let models = json!({"data": [{"id": "a"}, {"id": "b"}]});
    let facts = look(Response::json(200, &models)).await.unwrap();
    assert_eq!(facts.warnings("b"), []);
    let [PreflightWarning::UnknownModel { model, offered }] = &facts.warnings("c")[..] else {
        panic!("no warning")
    };
    assert_eq!((model.as_str(), offered.join(" ")), ("c", "a b".into()));
}

#[tokio::test]
async fn each_protocol_shows_its_key_its_own_way() {
    let server = Server::answering(vec![Response::json(200, &json!({}))]).await;
    let mut settings = settings(server.url(), false);
    settings.connection.key = Some(Secret::new("sk-hunter2"));
    let anthropic = AnthropicSettings::new(settings.connection.clone(), "m");
    OpenAi::new(settings).unwrap().preflight().await.unwrap();
    Anthropic::new(anthropic).unwrap().preflight().await.unwrap();
    let received = server.received();
    assert_eq!(received[0].header("authorization"), Some("Bearer sk-hunter2"));
    assert_eq!(received[1].header("x-api-key"), Some("sk-hunter2"));
    assert_eq!(received[1].header("anthropic-version"), Some("2023-06-01"));
    assert!(received.iter().all(|request| request.path == "/v1/models"));
}

#[tokio::test]
async fn a_server_that_lists_too_much_is_not_said_to_be_away() {
    let list = json!({"data": [{"id": "x".repeat(3_000)}]});
    let server = Server::answering(vec![Response::json(200, &list)]).await;
    let mut settings = settings(server.url(), false);
    settings.connection.largest_answer = 1_000;
    let error = OpenAi::new(settings).unwrap().preflight().await.unwrap_err();
    assert!(matches!(error, PreflightError::Failing { .. }), "{error:?}");
    assert!(error.to_string().contains("larger than 1000 bytes"), "{error}");
    assert!(!error.hint().contains("is the server running?"), "{}", error.hint());
}
