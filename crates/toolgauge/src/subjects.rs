//! From the name of a model to a subject that answers.

pub(crate) mod chatbot;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolgauge_log::Log;
use toolgauge_model::{
    Anthropic, AnthropicSettings, BaselineSubject, Briefing, Connection, Endpoint, HttpChatbot,
    Limits, LlamaServer, LlamaSettings, OpenAi, OpenAiSettings, Recording, ReplaySubject, Request,
    RetryPolicy, Script, ScriptedSubject, Secret, ServerFacts, Subject,
};
use toolgauge_suite::Sampling;

use crate::failure::Failure;
use crate::settings::{Protocol, SamplingSettings, Settings};

/// The subject that needs no model.
pub(crate) const BASELINE: &str = "baseline";

/// What a subject is built from.
pub(crate) struct Order<'a> {
    pub(crate) model: &'a str,
    pub(crate) settings: &'a Settings,
    pub(crate) sampling: Sampling,
    pub(crate) key: Option<Secret>,
}

/// A subject, and the server behind it if there is one.
pub(crate) struct Host {
    pub(crate) subject: Arc<dyn Subject>,
    server: Option<Server>,
}

enum Server {
    OpenAi(Arc<OpenAi>),
    Anthropic(Arc<Anthropic>),
    Chatbot(Arc<HttpChatbot>),
}

impl Host {
    /// The exact body that would be sent, where something is sent at all.
    pub(crate) fn request_body(&self, request: &Request<'_>) -> Option<Vec<u8>> {
        match self.server.as_ref()? {
            Server::OpenAi(server) => Some(server.request_body(request)),
            Server::Anthropic(server) => Some(server.request_body(request)),
            Server::Chatbot(_) => None,
        }
    }

    /// A look at the server before the first trial. Tells what may spoil the run, and fails on
    /// what would fail every trial.
    ///
    /// A llama.cpp server also reads the prompt once, so that no trial pays for a cold cache.
    pub(crate) async fn greet(
        &self,
        briefing: Option<&Arc<Briefing>>,
    ) -> Result<Vec<String>, Failure> {
        let facts: ServerFacts = match &self.server {
            None => return Ok(Vec::new()),
            Some(Server::OpenAi(server)) => server.preflight().await?,
            Some(Server::Anthropic(server)) => server.preflight().await?,
            Some(Server::Chatbot(chatbot)) => {
                chatbot.preflight().await?;
                return Ok(Vec::new());
            }
        };
        let name = self.subject.identity().name;
        let mut warnings: Vec<String> =
            facts.warnings(&name).iter().map(ToString::to_string).collect();
        if let (Some(Server::OpenAi(server)), Some(briefing)) = (&self.server, briefing)
            && facts.serves_one_model
        {
            let slots = facts.slots.and_then(|slots| usize::try_from(slots).ok()).unwrap_or(1);
            if let Err(failure) = server.warm(briefing, slots).await {
                warnings
                    .push(format!("the prompt could not be read in advance: {}", failure.message));
            }
        }
        Ok(warnings)
    }
}

/// Builds the subject a name stands for.
pub(crate) fn build(order: Order<'_>) -> Result<Host, Failure> {
    if order.model == BASELINE {
        return Ok(without_server(BaselineSubject::new()));
    }
    if let Some(file) = order.model.strip_prefix("script:") {
        return Ok(without_server(scripted(file)?));
    }
    if let Some(log) = order.model.strip_prefix("replay:") {
        return Ok(without_server(replay(Path::new(log))?));
    }
    if let Some(spec) = chatbot::described(order.model)? {
        return chatbot::build(spec, order.settings);
    }
    match order.settings.server.protocol {
        Protocol::OpenAi => openai(order),
        Protocol::Anthropic => anthropic(order),
    }
}

/// Starts a llama.cpp server if the model is a GGUF file, and points the settings to it.
pub(crate) async fn start_llama(
    model: &mut String,
    settings: &mut Settings,
) -> Result<Option<LlamaServer>, Failure> {
    let file = Path::new(&*model);
    if file.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("gguf")) {
        return Ok(None);
    }
    let llama = LlamaSettings {
        program: settings.server.llama_server.clone(),
        flags: settings.server.llama_flags.clone(),
        ..LlamaSettings::new(file)
    };
    let server = LlamaServer::start(&llama).await?;
    settings.server.base_url = server.endpoint().to_string();
    settings.server.protocol = Protocol::OpenAi;
    if let Some(name) = file.file_stem() {
        *model = name.to_string_lossy().into_owned();
    }
    Ok(Some(server))
}

fn without_server(subject: impl Subject + 'static) -> Host {
    Host { subject: Arc::new(subject), server: None }
}

/// The subject that answers from a script.
pub(crate) fn scripted(file: &str) -> Result<ScriptedSubject, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::file("read", file, error))?;
    let script = Script::parse(&text);
    let script = script.map_err(|error| Failure::Script { file: file.into(), error })?;
    Ok(ScriptedSubject::new(file, script))
}

fn replay(path: &Path) -> Result<ReplaySubject, Failure> {
    let log = Log::open(path)?;
    let alone = matches!(&*log.run().subject.provider, "chatbot" | "command");
    let recorded = if alone { Recording::of_chatbot } else { Recording::of };
    let mut recordings = Vec::new();
    for trial in log.trials() {
        let trial = trial?;
        recordings.push((trial.id(), recorded(&trial.transcript)));
    }
    Ok(ReplaySubject::new(&log.run().subject, recordings))
}

fn openai(order: Order<'_>) -> Result<Host, Failure> {
    let Sampling { temperature, top_p, max_tokens, seed, .. } = order.sampling;
    let connection = connection(order.settings, order.key)?;
    let subject = Arc::new(OpenAi::new(OpenAiSettings {
        stream: order.settings.server.stream,
        temperature,
        top_p,
        max_tokens,
        seed,
        tool_choice: order.sampling.tool_choice,
        parallel_tool_calls: order.sampling.parallel_tool_calls,
        extra: order.sampling.extra,
        ..OpenAiSettings::new(connection, order.model)
    })?);
    Ok(Host { subject: Arc::<OpenAi>::clone(&subject), server: Some(Server::OpenAi(subject)) })
}

fn anthropic(order: Order<'_>) -> Result<Host, Failure> {
    let connection = connection(order.settings, order.key)?;
    let usual = AnthropicSettings::new(connection, order.model);
    let sampling = order.sampling;
    let subject = Arc::new(Anthropic::new(AnthropicSettings {
        stream: order.settings.server.stream,
        temperature: sampling.temperature,
        top_p: sampling.top_p,
        max_tokens: sampling.max_tokens.unwrap_or(usual.max_tokens),
        tool_choice: sampling.tool_choice.map(anthropic_choice),
        extra: sampling.extra,
        ..usual
    })?);
    Ok(Host {
        subject: Arc::<Anthropic>::clone(&subject),
        server: Some(Server::Anthropic(subject)),
    })
}

/// Anthropic's form of a choice that is written in OpenAI's words.
fn anthropic_choice(choice: Value) -> Value {
    match choice.as_str() {
        Some("required") => json!({"type": "any"}),
        Some(word) => json!({"type": word}),
        None => choice,
    }
}

/// How the server of these settings is reached.
fn connection(settings: &Settings, key: Option<Secret>) -> Result<Connection, Failure> {
    Ok(connection_to(Endpoint::parse(&settings.server.base_url)?, settings, key))
}

/// How a server is reached with the patience of these settings.
pub(crate) fn connection_to(
    endpoint: Endpoint,
    settings: &Settings,
    key: Option<Secret>,
) -> Connection {
    let limits = &settings.limits;
    let per_minute = Limits::per_minute(
        NonZeroU32::new(limits.requests_per_minute),
        NonZeroU32::new(limits.tokens_per_minute),
    );
    Connection {
        key,
        timeout: duration(limits.attempt_timeout).unwrap_or(Duration::MAX),
        idle_timeout: duration(limits.idle_timeout).unwrap_or(Duration::MAX),
        largest_answer: settings.server.max_response_bytes,
        idle_connections: settings.run.concurrency,
        retry: RetryPolicy { retries: limits.retries, ..RetryPolicy::default() },
        limits: Arc::new(per_minute),
        keep_wire: settings.server.keep_wire,
        ..Connection::to(endpoint)
    }
}

/// A time in seconds as settings have it; 0 means no limit.
pub(crate) fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero())
}

impl From<&SamplingSettings> for Sampling {
    fn from(settings: &SamplingSettings) -> Self {
        Self {
            temperature: settings.temperature,
            top_p: settings.top_p,
            max_tokens: settings.max_tokens,
            seed: settings.seed,
            tool_choice: settings.tool_choice.clone().map(Value::from),
            parallel_tool_calls: settings.parallel_tool_calls,
            ..Self::default()
        }
    }
}
