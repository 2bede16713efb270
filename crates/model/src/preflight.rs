//! A look at the server before the first trial, so that what would fail all of them is said once
//! and early.

use std::fmt;

use thiserror::Error;
use toolgauge_core::FailureKind;

use crate::body::Body;
use crate::endpoint::Endpoint;
use crate::exchange::Exchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::transport::Transport;

/// What a server says about itself. Much of it only llama.cpp tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// The models it offers; empty when it does not say.
    pub models: Vec<String>,
    /// Whether the requested model's name is ignored because there is only one (llama.cpp).
    pub serves_one_model: bool,
    /// Whether the model's chat template has a place for tools at all.
    pub supports_tools: Option<bool>,
    /// How many requests it works on at once.
    pub slots: Option<u64>,
    /// How many tokens a conversation may have.
    pub context_tokens: Option<u64>,
}

/// Why a run against the server would come to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PreflightError {
    /// Nobody answers there.
    #[error("nothing answers at `{endpoint}`: {why}")]
    Unreachable {
        /// Where.
        endpoint: String,
        /// What happened.
        why: String,
    },
    /// It wants a key, or another one.
    #[error("the server at `{endpoint}` does not accept the key: {why}")]
    Unauthorized {
        /// Where.
        endpoint: String,
        /// What it said.
        why: String,
    },
    /// It is there and not ready yet.
    #[error("the server at `{endpoint}` is not ready: {why}")]
    NotReady {
        /// Where.
        endpoint: String,
        /// What it said.
        why: String,
    },
    /// It fails when it is asked which models it has.
    #[error("the server at `{endpoint}` fails: {why}")]
    Failing {
        /// Where.
        endpoint: String,
        /// What it said.
        why: String,
    },
}

impl PreflightError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => {
                "is the server running? check host and port of the base URL"
            }
            Self::Unauthorized { .. } => "give the right key in the environment or a key file",
            Self::NotReady { .. } => {
                "wait until the model is loaded and try again, or give `--patience` more seconds"
            }
            Self::Failing { .. } => "what the server itself writes may say why",
        }
    }
}

/// What may spoil a run without failing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreflightWarning {
    /// The chat template has no place for tools, so the model will never see them.
    TemplateWithoutTools,
    /// The server does not list the model.
    UnknownModel {
        /// The model that was asked for.
        model: String,
        /// Those that are offered.
        offered: Vec<String>,
    },
}

/// How many models are named of all that a server offers.
const SHOWN: usize = 10;

impl fmt::Display for PreflightWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TemplateWithoutTools => f.write_str(
                "the model's chat template has no place for tools, so it will not see them; \
                 start the server with a template that has (`--chat-template-file`)",
            ),
            Self::UnknownModel { model, offered } => {
                let shown: Vec<&str> = offered.iter().take(SHOWN).map(String::as_str).collect();
                write!(f, "the server does not list `{model}`; it offers: {}", shown.join(", "))?;
                match offered.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

impl ServerFacts {
    /// What may spoil a run of this model.
    pub fn warnings(&self, model: &str) -> Vec<PreflightWarning> {
        let mut warnings = Vec::new();
        if self.supports_tools == Some(false) {
            warnings.push(PreflightWarning::TemplateWithoutTools);
        }
        let listed = self.models.is_empty() || self.models.iter().any(|known| known == model);
        if !listed && !self.serves_one_model {
            let (model, offered) = (model.to_owned(), self.models.clone());
            warnings.push(PreflightWarning::UnknownModel { model, offered });
        }
        warnings
    }
}

/// Asks a server for its models and, if it is llama.cpp, for its properties.
pub(crate) async fn ask(
    transport: &Transport,
    endpoint: &Endpoint,
) -> Result<ServerFacts, PreflightError> {
    let answer = transport.get(&endpoint.operation("models")).await;
    let exchange = answer.map_err(|failure| {
        let (endpoint, why) = (endpoint.to_string(), failure.message);
        match failure.kind {
            // Somebody answers, and at length.
            FailureKind::TooLarge => PreflightError::Failing { endpoint, why },
            _ => PreflightError::Unreachable { endpoint, why },
        }
    })?;
    let mut facts = models(transport, endpoint, &exchange)?;
    if facts.serves_one_model
        && let Ok(properties) = transport.get(&endpoint.beside("props")).await
        && let Ok(json) = Loose::parse(&Body::of(&properties).text)
    {
        facts.learn_properties(&json);
    }
    Ok(facts)
}

/// Reads the list of models. A server without one is no failure: not all have it.
fn models(
    transport: &Transport,
    endpoint: &Endpoint,
    exchange: &Exchange,
) -> Result<ServerFacts, PreflightError> {
    let body = Body::of(exchange);
    if !exchange.is_success() {
        let report = body.error_report(exchange);
        let failure = AttemptFailure::reported(&report, exchange.status, None);
        let (why, endpoint) =
            (transport.without_secrets(failure.clone()).message, endpoint.to_string());
        return match failure.kind {
            FailureKind::Unauthorized => Err(PreflightError::Unauthorized { endpoint, why }),
            FailureKind::Unavailable => Err(PreflightError::NotReady { endpoint, why }),
            FailureKind::Server => Err(PreflightError::Failing { endpoint, why }),
            _ => Ok(ServerFacts::default()),
        };
    }
    let json = Loose::parse(&body.text).unwrap_or_default();
    let listed = json.first_of(&["data", "models"]).items().iter();
    let name = |model: &Loose<'_>| model.first_of(&["id", "name"]).some_text().map(str::to_owned);
    let llama = |model: &Loose<'_>| model.get("owned_by").text() == Some("llamacpp");
    Ok(ServerFacts {
        serves_one_model: listed.len() == 1 && listed.clone().all(llama),
        models: listed.filter_map(name).collect(),
        ..ServerFacts::default()
    })
}

impl ServerFacts {
    /// Learns what llama.cpp tells at `/props`.
    fn learn_properties(&mut self, json: &Loose<'_>) {
        self.supports_tools = match json.get("chat_template_caps").get("supports_tools") {
            Loose::Bool(supports) => Some(*supports),
            _ => None,
        };
        self.slots = json.get("total_slots").count();
        self.context_tokens = json.get("default_generation_settings").get("n_ctx").count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_models_a_few_are_named() {
        let offered = (0..200_000).map(|n| format!("m{n}")).collect();
        let warning = PreflightWarning::UnknownModel { model: "x".into(), offered }.to_string();
        assert!(warning.ends_with("m8, m9 and 199990 more"), "{}", &warning[..200]);
    }
}
