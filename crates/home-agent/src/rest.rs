//! The two things that only the REST API can do: set a state, and stop timers.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use toolgauge_home_import::HomeToken;

use crate::{EntityState, HomeAgentError};

/// How long an answer may take; no model has part in it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Home Assistant's REST API.
pub(crate) struct Rest {
    client: Client,
    base: String,
    token: String,
}

impl Rest {
    /// The API at an address as people know it.
    pub(crate) fn new(url: &str, token: &HomeToken) -> Result<Self, HomeAgentError> {
        // Whoever installed a provider before has the say.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A redirect or a proxy would carry the token to a place nobody named.
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .map_err(|error| HomeAgentError::State {
                entity: String::new(),
                why: error.without_url().to_string(),
            })?;
        Ok(Self { client, base: host_of(url), token: token.expose().to_owned() })
    }

    /// Sets a state as if the device had reported it. The device itself stays as it is.
    pub(crate) async fn set_state(&self, wanted: &EntityState) -> Result<(), HomeAgentError> {
        let body = json!({"state": wanted.state, "attributes": wanted.attributes});
        let path = format!("/api/states/{}", wanted.entity_id);
        self.post(&path, &body)
            .await
            .map_err(|why| HomeAgentError::State { entity: wanted.entity_id.clone(), why })
    }

    /// Stops all timers. A Home Assistant that has none says so with an error, which is as good.
    pub(crate) async fn stop_timers(&self) {
        let _ = self.post("/api/intent/handle", &json!({"name": "HassCancelAllTimers"})).await;
    }

    async fn post(&self, path: &str, body: &Value) -> Result<(), String> {
        let request = self.client.post(format!("{}{path}", self.base)).bearer_auth(&self.token);
        let sent =
            request.header("content-type", "application/json").body(body.to_string()).send().await;
        match sent {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) if answer.status() == StatusCode::UNAUTHORIZED => {
                Err("the token's owner may not do that".to_owned())
            }
            Ok(answer) => Err(format!("status {}", answer.status())),
            Err(error) => Err(error.without_url().to_string()),
        }
    }
}

/// An address without what follows the host: in a browser's address bar that names a page.
fn host_of(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn addresses_of_pages_lead_to_the_api() {
        for url in ["http://home:8123", "http://home:8123/", "http://home:8123/lovelace/0?x=1"] {
            assert_eq!(host_of(url), "http://home:8123");
        }
    }
}
