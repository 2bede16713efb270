//! From the name of a model to a subject that answers.

pub mod chatbot;
mod connection;
mod home_agent;
mod host;
pub mod llama;
mod pool;
mod servers;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_baseline::BaselineSubject;
use toolgauge_log::Log;
use toolgauge_model::{
    Anthropic, AnthropicSettings, Connection, OpenAi, OpenAiSettings, PromptSlots, Recording,
    ReplaySubject, Script, ScriptedSubject, Secret,
};
use toolgauge_suite::Sampling;
use toolgauge_world::read_text;

use self::connection::connection;
pub use self::home_agent::PlayedCases;
use self::host::Server;
pub use self::host::{FirstPrompt, Host, ServerCheck};
pub use self::servers::{ServerShare, Servers};
use crate::chatbot_name::{self, HOME_ASSISTANT};
use crate::error::EngineError;
use crate::settings::{Protocol, Settings};

/// The subject that needs no model.
pub const BASELINE: &str = "baseline";

/// What a subject is built from.
pub struct SubjectOptions<'a> {
    /// The model, as it was named.
    pub model: &'a str,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// How answers are sampled.
    pub sampling: Sampling,
    /// The key for the server.
    pub key: Option<Secret>,
    /// What is known of the servers, shared by all subjects that ask them.
    pub servers: Arc<Servers>,
    /// The cases and their world, for a subject that acts in a world of its own.
    pub played: Option<PlayedCases>,
}

/// Builds the subject a name stands for.
pub fn build(order: SubjectOptions<'_>) -> Result<Host, EngineError> {
    if order.model == BASELINE {
        return Ok(Host::without_server(BaselineSubject::new()));
    }
    if let Some(file) = order.model.strip_prefix("script:") {
        return Ok(Host::without_server(scripted(file)?));
    }
    if let Some(log) = order.model.strip_prefix("replay:") {
        return Ok(Host::without_server(replay(Path::new(log))?));
    }
    if let Some((url, agent)) = chatbot_name::home_agent(order.model) {
        return home_agent::build(url, agent, order.settings, order.played);
    }
    // Asked before the protocol: these prefixes name no model of a server.
    if let Some(spec) = chatbot::described(order.model)? {
        return chatbot::build(spec, order.settings);
    }
    check_name(order.model)?;
    let mut servers = Vec::new();
    for (number, address) in order.settings.server.base_url.iter().enumerate() {
        let connection = connection(&order, address)?;
        servers.push(match order.settings.server.protocol {
            Protocol::OpenAi => openai(&order, connection, order.servers.slots_of(number))?,
            Protocol::Anthropic => anthropic(&order, connection)?,
        });
    }
    Ok(match <[Server; 1]>::try_from(servers) {
        Ok([server]) => server.into(),
        Err(servers) => Host::of(servers, &order.servers, order.settings.run.concurrency),
    })
}

/// Refuses what no server calls a model: an address, or the file of a chatbot. Neither is repeated,
/// since an address may hold a key.
fn check_name(model: &str) -> Result<(), EngineError> {
    let is_address = model.starts_with("http://") || model.starts_with("https://");
    let is_description = [".yaml", ".yml"].iter().any(|ending| model.ends_with(ending));
    if is_address || is_description && Path::new(model).is_file() {
        return Err(EngineError::ChatbotAsModel);
    }
    Ok(())
}

/// Whether a model is asked at the address of the settings: it neither answers by itself, nor has
/// an address or a server of its own.
pub fn is_at_server(model: &str) -> bool {
    let elsewhere = ["script:", "replay:", "chatbot:", "command:", HOME_ASSISTANT];
    model != BASELINE
        && !elsewhere.iter().any(|kind| model.starts_with(kind))
        && !llama::is_file(Path::new(model))
}

/// The longest script that is read, in bytes.
const LARGEST_SCRIPT: u64 = 1 << 30;

/// The subject that answers from a script.
pub fn scripted(file: &str) -> Result<ScriptedSubject, EngineError> {
    let text = read_text(Path::new(file), LARGEST_SCRIPT)
        .map_err(|error| EngineError::file("read", file, error))?;
    let script = Script::parse(&text);
    let script = script.map_err(|error| EngineError::Script { file: file.into(), error })?;
    Ok(ScriptedSubject::new(file, script))
}

fn replay(path: &Path) -> Result<ReplaySubject, EngineError> {
    let log = Log::open(path)?;
    let alone = log.run().subject.calls_its_own_tools();
    let recorded = if alone { Recording::of_chatbot } else { Recording::of };
    let mut recordings = Vec::new();
    for trial in log.trials() {
        let trial = trial?;
        recordings.push((trial.id(), recorded(&trial.transcript)));
    }
    Ok(ReplaySubject::new(&log.run().subject, recordings))
}

/// The model to measure where a server was named and no model: the only one that it lists.
pub async fn only_model(settings: &Settings, key: Option<Secret>) -> Result<String, EngineError> {
    let (sampling, servers) = (Sampling::default(), Arc::default());
    let order = SubjectOptions { model: "", settings, sampling, key, servers, played: None };
    // The others are asked for the same model before the run.
    let connection = connection(&order, settings.server.base_url.first())?;
    let found = match settings.server.protocol {
        Protocol::OpenAi => OpenAi::new(OpenAiSettings::new(connection, ""))?.preflight().await?,
        Protocol::Anthropic => {
            Anthropic::new(AnthropicSettings::new(connection, ""))?.preflight().await?
        }
    };
    match <[String; 1]>::try_from(found.models) {
        // One model on the first page of several is not the only one.
        Ok([model]) if !found.has_more => Ok(model),
        Ok(offered) => Err(EngineError::NoModelNamed { offered: offered.to_vec() }),
        Err(offered) => Err(EngineError::NoModelNamed { offered }),
    }
}

fn openai(
    order: &SubjectOptions<'_>,
    connection: Connection,
    slots: Arc<PromptSlots>,
) -> Result<Server, EngineError> {
    let Sampling { temperature, top_p, max_tokens, seed, .. } = order.sampling;
    Ok(Server::OpenAi(Arc::new(OpenAi::new(OpenAiSettings {
        stream: order.settings.server.stream,
        temperature,
        top_p,
        max_tokens,
        seed,
        tool_choice: order.sampling.tool_choice.clone(),
        parallel_tool_calls: order.sampling.parallel_tool_calls,
        extra: order.sampling.extra.clone(),
        slots,
        ..OpenAiSettings::new(connection, order.model)
    })?)))
}

fn anthropic(order: &SubjectOptions<'_>, connection: Connection) -> Result<Server, EngineError> {
    let usual = AnthropicSettings::new(connection, order.model);
    let sampling = order.sampling.clone();
    Ok(Server::Anthropic(Arc::new(Anthropic::new(AnthropicSettings {
        stream: order.settings.server.stream,
        temperature: sampling.temperature,
        top_p: sampling.top_p,
        max_tokens: sampling.max_tokens.unwrap_or(usual.max_tokens),
        tool_choice: sampling.tool_choice.map(anthropic_choice),
        extra: sampling.extra,
        ..usual
    })?)))
}

/// Anthropic's form of a choice that is written in OpenAI's words.
fn anthropic_choice(choice: Value) -> Value {
    match choice.as_str() {
        Some("required") => json!({"type": "any"}),
        Some(word) => json!({"type": word}),
        None => choice,
    }
}
