//! A look at the server before the first trial, so that what would fail all of them is said once
//! and early.

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;
use toolgauge_core::{FailureKind, ServerFacts};

use crate::body::BodyText;
use crate::endpoint::Endpoint;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::model_name::{is_listed_as, same_model};
use crate::quote::quote;
use crate::transport::Transport;

/// What was found in a look at a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preflight {
    /// The models it offers, each by one name; empty when it does not say.
    pub models: Vec<String>,
    /// Every name it knows a model by, other names for the same model included.
    pub names: Vec<String>,
    /// Every name by which it may mean the model that is asked for.
    pub synonyms: Vec<String>,
    /// Whether there are more models than it listed.
    pub has_more: bool,
    /// Whether the requested model's name is ignored because there is only one (llama.cpp).
    pub serves_one_model: bool,
    /// What it says of itself.
    pub facts: ServerFacts,
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
    /// It offers other models than the one asked for.
    #[error("the server at `{endpoint}` has no model `{model}`")]
    UnknownModel {
        /// Where.
        endpoint: String,
        /// The model that was asked for.
        model: String,
        /// Those that are offered.
        offered: Vec<String>,
    },
}

impl PreflightError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::Unreachable { .. } => "is the server running? check host and port of its address",
            Self::Unauthorized { .. } => {
                "give the right key: in the variable that `--key-variable` names \
                 (`OPENAI_API_KEY` by default), or in a file with `--key-file`"
            }
            Self::NotReady { .. } => {
                "wait until the model is loaded and try again, or give `--patience` more seconds"
            }
            Self::Failing { .. } => "what the server itself writes may say why",
            Self::UnknownModel { offered, .. } => {
                let offered = shortened(offered);
                return format!("it offers: {offered}; `--any-model` asks it regardless");
            }
        };
        hint.to_owned()
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
    /// The server answers in another name, which may be a longer form of the same.
    OtherModel {
        /// The model that was asked for.
        asked: String,
        /// The one that replied.
        replied: String,
    },
}

impl PreflightWarning {
    /// What the name in a reply means for a run that asks for a model; none where both stand for
    /// the same one.
    pub fn of_reply(asked: &str, replied: &str) -> Option<Self> {
        let is_other = !asked.is_empty() && !replied.is_empty() && !same_model(asked, replied);
        is_other.then(|| Self::OtherModel { asked: asked.to_owned(), replied: replied.to_owned() })
    }
}

/// What llama.cpp's server is called.
const LLAMA: &str = "llama.cpp";

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
                write!(f, "the server does not list `{model}`; it offers: {}", shortened(offered))
            }
            Self::OtherModel { asked, replied } => {
                write!(f, "`{asked}` was asked for, and `{}` answered", quote(replied))
            }
        }
    }
}

/// As many names as fit into a message.
fn shortened(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).map(|name| quote(name));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl Preflight {
    /// Whether the server's list contradicts that it has this model.
    pub fn lacks(&self, model: &str) -> bool {
        let listed = self.names.iter().any(|name| is_listed_as(name, model));
        !self.names.is_empty() && !self.has_more && !listed
    }

    /// What may spoil a run of this model.
    pub fn warnings(&self, model: &str) -> Vec<PreflightWarning> {
        let mut warnings = Vec::new();
        if self.facts.supports_tools == Some(false) {
            warnings.push(PreflightWarning::TemplateWithoutTools);
        }
        if self.lacks(model) {
            let (model, offered) = (model.to_owned(), self.models.clone());
            warnings.push(PreflightWarning::UnknownModel { model, offered });
        }
        warnings
    }
}

/// Asks a server for its models and, if it is llama.cpp, for the properties of the one that is to
/// be measured.
pub(crate) async fn ask(
    transport: &Transport,
    endpoint: &Endpoint,
    model: &str,
) -> Result<Preflight, PreflightError> {
    let answer = transport.get(&endpoint.operation("models")).await;
    let exchange = answer.map_err(|failure| {
        let (endpoint, why) = (endpoint.to_string(), failure.message);
        match failure.kind {
            // Somebody answers, and at length.
            FailureKind::TooLarge => PreflightError::Failing { endpoint, why },
            _ => PreflightError::Unreachable { endpoint, why },
        }
    })?;
    let mut found = models(transport, endpoint, &exchange, model)?;
    if found.facts.software.as_deref() != Some(LLAMA) {
        return Ok(found);
    }
    // llama.cpp's own page. One that serves several models tells of each under its name, and of
    // itself where none is named.
    let mut page = endpoint.beside("props");
    let named = found.facts.model.as_ref().filter(|_| !found.serves_one_model);
    if let Some(model) = named {
        page.query_pairs_mut().append_pair("model", model);
    }
    if let Ok(properties) = transport.get(&page).await
        && properties.is_success()
        && let Ok(json) = Loose::parse(&BodyText::of(&properties).text)
    {
        learn_properties(&mut found.facts, &json);
    }
    Ok(found)
}

/// Reads the list of models. A server without one is no failure: not all have it.
fn models(
    transport: &Transport,
    endpoint: &Endpoint,
    exchange: &HttpExchange,
    model: &str,
) -> Result<Preflight, PreflightError> {
    let body = BodyText::of(exchange);
    if !exchange.is_success() {
        let report = body.error_report(exchange);
        let failure = AttemptFailure::reported(&report, exchange.status, None);
        let (why, endpoint) =
            (transport.without_secrets(failure.clone()).message, endpoint.to_string());
        return match failure.kind {
            FailureKind::Unauthorized => Err(PreflightError::Unauthorized { endpoint, why }),
            FailureKind::Unavailable => Err(PreflightError::NotReady { endpoint, why }),
            FailureKind::Server => Err(PreflightError::Failing { endpoint, why }),
            // A 404 and the like: the server has no list, and may answer requests all the same.
            _ => Ok(Preflight::default()),
        };
    }
    Ok(of_list(&Loose::parse(&body.text).unwrap_or_default(), model))
}

/// What a list of models says, also of the one that is to be measured.
pub(crate) fn of_list(json: &Loose<'_>, asked: &str) -> Preflight {
    let listed = json.first_of(&["data", "models"]).items();
    // One that can load several tells of each whether it did.
    let serves = |model: &Loose<'_>| software(model).as_deref() == Some(LLAMA);
    let serves_one = |model: &Loose<'_>| serves(model) && !model.has("status");
    let models: Vec<String> = listed.iter().filter_map(own_name).collect();
    Preflight {
        serves_one_model: matches!(listed, [model] if serves_one(model)),
        names: models.iter().cloned().chain(listed.iter().flat_map(aliases)).collect(),
        models,
        synonyms: synonyms(listed, asked),
        // Anthropic's list has pages.
        has_more: matches!(json.get("has_more"), Loose::Bool(true)),
        facts: entry_of(listed, asked).map(of_model).unwrap_or_default(),
    }
}

/// The entry of the model that is asked for; none where several may be meant.
fn entry_of<'a, 'b>(listed: &'a [Loose<'b>], asked: &str) -> Option<&'a Loose<'b>> {
    let named = |meant: &dyn Fn(&str) -> bool| {
        let is_such = |model: &&Loose<'_>| {
            own_name(model).into_iter().chain(aliases(model)).any(|name| meant(&name))
        };
        let mut such = listed.iter().filter(is_such);
        such.next().filter(|_| such.next().is_none())
    };
    match listed {
        [model] => Some(model),
        _ => named(&|name| name == asked).or_else(|| named(&|name| same_model(name, asked))),
    }
}

/// The names of the model that is asked for. vLLM lists it once by each name, all with the same
/// `root`, and replies in the first.
fn synonyms(listed: &[Loose<'_>], asked: &str) -> Vec<String> {
    let Some(entry) = entry_of(listed, asked) else { return Vec::new() };
    let root = |model: &Loose<'_>| model.get("root").some_text().map(str::to_owned);
    let named = |model: &Loose<'_>| own_name(model).into_iter().chain(aliases(model));
    match root(entry) {
        None => named(entry).collect(),
        Some(name) => {
            let same = listed.iter().filter(|model| root(model).as_ref() == Some(&name));
            same.flat_map(named).chain([name.clone()]).collect()
        }
    }
}

/// Further names of a listed model.
fn aliases(model: &Loose<'_>) -> Vec<String> {
    let aliases = model.get("aliases").items().iter();
    aliases.filter_map(|alias| alias.some_text().map(str::to_owned)).collect()
}

/// The name of the server that a listed model is said to be owned by.
fn software(model: &Loose<'_>) -> Option<String> {
    model.get("owned_by").some_text().map(|owner| match owner {
        "llamacpp" => LLAMA.to_owned(),
        other => quote(other),
    })
}

fn own_name(model: &Loose<'_>) -> Option<String> {
    model.first_of(&["id", "name"]).some_text().map(str::to_owned)
}

/// What a list says of a model; llama.cpp says most, under `meta`.
fn of_model(model: &Loose<'_>) -> ServerFacts {
    let meta = model.get("meta");
    ServerFacts {
        software: software(model),
        model: own_name(model),
        model_bytes: meta.get("size").count(),
        parameters: meta.get("n_params").count(),
        quantisation: meta.get("ftype").some_text().map(quote),
        context_tokens: meta.get("n_ctx").count().or_else(|| model.get("max_model_len").count()),
        ..ServerFacts::default()
    }
}

/// Learns what llama.cpp tells at `/props`.
pub(crate) fn learn_properties(facts: &mut ServerFacts, json: &Loose<'_>) {
    facts.supports_tools = match json.get("chat_template_caps").get("supports_tools") {
        Loose::Bool(supports) => Some(*supports),
        _ => None,
    };
    facts.slots = json.get("total_slots").count();
    let context = json.get("default_generation_settings").get("n_ctx").count();
    facts.context_tokens = context.or(facts.context_tokens);
    facts.build = json.get("build_info").some_text().map(quote);
    // The folders say where somebody keeps his models, and nothing about the model.
    facts.model_file = json
        .get("model_path")
        .some_text()
        .map(|path| quote(path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(path)));
    let quantisation = json.get("model_ftype").some_text().map(quote);
    facts.quantisation = quantisation.or(facts.quantisation.take());
    let template = json.get("chat_template").some_text();
    facts.chat_template = template.map(|template| {
        let hash = Sha256::digest(template.as_bytes());
        // Six bytes tell templates apart, and fit a line.
        hash.iter().take(6).fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
    });
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
