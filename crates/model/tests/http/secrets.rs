//! Secrets stay where they belong: in the one header they are for.

use std::sync::Arc;

use serde_json::json;
use toolgauge_core::Subject;
use toolgauge_model::{Anthropic, AnthropicSettings, Endpoint, OpenAi, Secret};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, settings};

const SECRETS: [&str; 3] = ["sk-hunter2", "pass-word", "header-value"];

fn assert_clean(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "`{secret}` is in {text}");
    }
}

/// Answers that repeat every secret, as some servers do.
fn gossip() -> Vec<Response> {
    let words = format!("wrong: {}", SECRETS.join(" "));
    let error = json!({"error": {"message": words}});
    vec![
        Response::json(401, &error),
        Response::json(400, &error),
        Response::json(200, &error),
        Response::json(500, &error),
        Response::new(200, "text/html", format!("<title>{words}</title>")),
        Response::new(200, "text/plain", words.clone()),
        Response::new(200, "application/json", format!("{{\"a\": {words}")),
        Response::stream([format!("error: {words}\n\n")]),
        Response::with_headers(
            302,
            &[("location", &format!("https://h/{}", SECRETS.join("/")))],
            "",
        ),
        Response::hang_up(),
    ]
}

#[tokio::test]
async fn no_secret_is_in_anything_that_is_shown() {
    let count = gossip().len();
    for at in 0..count {
        let server = Server::answering(vec![gossip().swap_remove(at)]).await;
        let url = server.url().replace("http://", "http://me:pass-word@");
        let mut settings = settings(server.url(), false);
        settings.connection.endpoint = Endpoint::parse(&url).unwrap();
        settings.connection.key = Some(Secret::new("sk-hunter2"));
        settings.connection.headers.push(("x-extra".into(), Secret::new("header-value")));
        settings.connection.keep_wire = true;
        assert_clean(&format!("{settings:?}"));
        let anthropic = AnthropicSettings::new(settings.connection.clone(), "m");
        assert_clean(&format!("{anthropic:?}"));
        let subjects: [Box<dyn Subject>; 2] = [
            Box::new(OpenAi::new(settings.clone()).unwrap()),
            Box::new(Anthropic::new(anthropic).unwrap()),
        ];
        for subject in subjects {
            let result = ask(&*subject, &Arc::new(briefing(&["turn_on"]))).await;
            let failure = result.unwrap_err();
            assert_clean(&format!("{failure:?} {}", failure.message));
            assert_clean(&format!("{:?}", subject.identity()));
        }
        let subject = OpenAi::new(settings).unwrap();
        assert_clean(&format!("{subject:?}"));
        if let Err(error) = subject.preflight().await {
            assert_clean(&format!("{error:?} {error}"));
        }
        let request = &server.received()[0];
        assert_eq!(request.header("authorization"), Some("Bearer sk-hunter2"));
        assert_eq!(request.header("x-extra"), Some("header-value"));
        assert_clean(&String::from_utf8_lossy(&request.body));
        assert_clean(&request.path);
    }
}

#[tokio::test]
async fn a_password_in_the_url_is_sent_when_there_is_no_key() {
    let server = Server::answering(vec![Response::json(400, &json!({}))]).await;
    let url = server.url().replace("http://", "http://me:pass-word@");
    let subject = OpenAi::new(settings(&url, false)).unwrap();
    let _ = ask(&subject, &Arc::new(briefing(&["turn_on"]))).await;
    let received = server.received();
    assert_eq!(received[0].header("authorization"), Some("Basic bWU6cGFzcy13b3Jk"));
    assert!(received[0].header("host").is_some_and(|host| !host.contains('@')));
}
