//! Settings in layers: flags > `TOOLGAUGE_*` > `toolgauge.toml` > the embedded `default.toml`.
//!
//! Each layer is a TOML table; a higher one is laid over a lower one, and the result is read once
//! into plain structs. Commands never see flags or the environment.

mod addresses;
mod layer;
mod seconds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use toolgauge_core::{REDACTED, Run, looks_like_key, names_a_secret, public_address};
use toolgauge_log::local_path;
use toolgauge_report::{Thresholds, TokenPrice};
use toolgauge_suite::Sampling;
use toolgauge_world::{check_regular, read_text};

pub use self::addresses::Addresses;
pub use self::layer::Layer;
pub use self::seconds::Seconds;
use crate::chatbot_name::public_name;
use crate::error::EngineError;
use crate::keys;

/// The settings of a project, looked for in the folder the program runs in.
pub const FILE: &str = "toolgauge.toml";

/// Every setting with its default and what it means.
pub const DEFAULTS: &str = include_str!("default.toml");

/// The files that a command reads, the settings of the project among them.
pub fn with_file<'a>(named: impl IntoIterator<Item = &'a PathBuf>) -> Vec<&'a Path> {
    named.into_iter().map(PathBuf::as_path).chain([Path::new(FILE)]).collect()
}

/// What a run needs to know, with nothing left open.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `[run]`: what is run, how often and into which folder.
    pub run: RunSettings,
    /// `[server]`: where models are and how they are spoken to.
    pub server: ServerSettings,
    /// `[sampling]`: how tokens are drawn.
    pub sampling: SamplingSettings,
    /// `[limits]`: how long and how often something is tried.
    pub limits: LimitSettings,
    /// From where on a question passes or is partial.
    pub grades: Thresholds,
    /// `[embeddings]`: the server that tells how alike texts are, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<EmbeddingSettings>,
    /// What a million tokens cost, by model.
    #[serde(default)]
    pub price: IndexMap<String, Price>,
}

/// `[run]`: what is run, how often and into which folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// Empty where a server is named and no model: then the server is asked what it has.
    pub model: Vec<String>,
    /// The folder of the logs.
    pub log_dir: String,
    /// How many trials each case gets.
    pub trials: u32,
    /// How many trials run at once.
    pub concurrency: usize,
    /// The half-width at which an adaptive run has seen enough; not given, runs are not adaptive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// The trials an adaptive run may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
}

/// `[server]`: where models are and how they are spoken to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The address of the server, or of several that serve the same model.
    pub base_url: Addresses,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// The environment variable that holds the key.
    pub key_variable: String,
    /// Whether answers are streamed.
    pub stream: bool,
    /// Whether any model may answer, whatever its name.
    pub any_model: bool,
    /// Whether requests and responses are kept in the log.
    pub keep_wire: bool,
    /// The most bytes that an answer may have.
    pub max_response_bytes: usize,
    /// The program that is started for GGUF files; `llama-server` on the PATH when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llama_server: Option<PathBuf>,
    /// Flags for a llama.cpp server that is started.
    pub llama_flags: Vec<String>,
}

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Chat completions, as llama.cpp, vLLM, Ollama, LM Studio and OpenAI speak them.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// `[sampling]`: left out, each is the server's own choice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplingSettings {
    /// How freely tokens are drawn; at 0 the likeliest is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of probability that tokens are drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens one answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// What a server that knows seeds draws its random numbers from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether tools must, may or must not be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<String>,
    /// Whether several calls may come in one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
}

/// `[limits]`, times in seconds; 0 means no limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// How long one request may take.
    pub attempt_timeout: Seconds,
    /// How long a stream may be silent.
    pub idle_timeout: Seconds,
    /// How long a trial may take.
    pub trial_timeout: Seconds,
    /// The turns a loop may take; the suite's choice when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// How often a request is sent again.
    pub retries: u32,
    /// The most requests in a minute; 0 means no limit.
    pub requests_per_minute: u32,
    /// The most tokens in a minute; 0 means no limit.
    pub tokens_per_minute: u32,
    /// How long a server that does not answer is waited for.
    pub patience: Seconds,
    /// How long to wait between two uploads of a log that goes to an object store.
    pub upload_interval: Seconds,
    /// After how many first trials that all fail alike a run stops.
    pub same_failures: usize,
    /// How long trials may take to end after Ctrl-C.
    pub grace: Seconds,
}

/// `[embeddings]`: the server that tells how alike texts are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingSettings {
    /// Its address.
    pub base_url: String,
    /// The model to ask for; the server's own when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The environment variable that holds its key; none is sent when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the prompt that came from a cache; as `input` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// Tokens of the answer.
    pub output: f64,
}

impl Price {
    fn of_tokens(self) -> TokenPrice {
        let Self { input, cached, output } = self;
        TokenPrice { input, cached: cached.unwrap_or(input), output }
    }
}

/// What `toolgauge.toml` says, read once: its settings may be asked for with several layers on top.
#[derive(Clone, Debug, Default)]
pub struct ProjectSettings(Option<Table>);

impl ProjectSettings {
    /// Reads the file of the project, if there is one.
    pub fn read() -> Result<Self, EngineError> {
        project_file().map(Self)
    }

    /// Lays the given layers over the project's file and the defaults, the last one on top.
    pub fn with_layers(&self, layers: &[Table]) -> Result<Settings, EngineError> {
        Settings::from_layers(&self.0.iter().chain(layers).collect::<Vec<_>>())
    }
}

impl Settings {
    /// What tokens of a run's subject cost, if the settings know.
    pub fn price_of(&self, run: &Run) -> Option<TokenPrice> {
        self.price.get(&run.subject.name).map(|price| price.of_tokens())
    }

    /// What tokens cost, by the name of the subject.
    pub fn prices(&self) -> BTreeMap<String, TokenPrice> {
        self.price.iter().map(|(name, price)| (name.clone(), price.of_tokens())).collect()
    }

    /// Lays the given layers over the project's file and the defaults, the last one on top. Reads
    /// the file, so that a command calls this once.
    pub fn resolve(layers: &[Table]) -> Result<Self, EngineError> {
        ProjectSettings::read()?.with_layers(layers)
    }

    /// Lays the given layers over the defaults, the last one on top.
    ///
    /// # Panics
    ///
    /// Never: the embedded defaults are TOML, which a test asserts.
    pub fn from_layers(layers: &[&Table]) -> Result<Self, EngineError> {
        let mut settings = parse(DEFAULTS).expect("the embedded defaults are TOML");
        let has = |section: &str, key: &str| {
            layers.iter().any(|layer| layer.get(section).is_some_and(|s| s.get(key).is_some()))
        };
        // Whoever names a server wants to measure what is there, and not the baseline.
        let model_is_open = has("server", "base_url") && !has("run", "model");
        for layer in layers {
            lay_over(&mut settings, (*layer).clone());
        }
        let mut settings = read(settings)?;
        if model_is_open {
            settings.run.model.clear();
        }
        Ok(settings)
    }

    /// These settings with a layer on top.
    ///
    /// # Panics
    ///
    /// Never: settings are plain data, which TOML can hold.
    pub fn overlaid(&self, layer: &Table) -> Result<Self, EngineError> {
        let mut settings = Table::try_from(self).expect("settings are plain data");
        lay_over(&mut settings, layer.clone());
        read(settings)
    }

    /// These settings as they may be kept and shown: addresses without login and query, commands
    /// without their arguments, flags without a key.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let mut clean = self.clone();
        clean.run.model = self.run.model.iter().map(|model| public_name(model)).collect();
        clean.server.base_url = self.server.base_url.map(public_address);
        clean.server.llama_flags = public_flags(&self.server.llama_flags);
        if let Some(embeddings) = &mut clean.embeddings {
            embeddings.base_url = public_address(&embeddings.base_url);
        }
        clean
    }
}

fn read(settings: Table) -> Result<Settings, EngineError> {
    let settings = Value::Table(settings).try_into();
    let mut settings: Settings = settings.map_err(|error: toml::de::Error| bad_settings(&error))?;
    keys::check_variable(&settings.server.key_variable)?;
    let embeddings = settings.embeddings.as_ref();
    if let Some(name) = embeddings.and_then(|embeddings| embeddings.key_variable.as_deref()) {
        keys::check_variable(name)?;
    }
    if settings.run.trials == 0 || settings.run.concurrency == 0 {
        let message = "`run.trials` and `run.concurrency` are one at least".to_owned();
        return Err(EngineError::Settings { message });
    }
    check_numbers(&settings)?;
    settings.run.log_dir = local_path(Path::new(&settings.run.log_dir)).display().to_string();
    // What passes is never called partial.
    settings.grades.partial = settings.grades.partial.min(settings.grades.pass);
    Ok(settings)
}

/// Refuses numbers that would make every figure after them wrong.
fn check_numbers(settings: &Settings) -> Result<(), EngineError> {
    let refuse = |message: String| Err(EngineError::Settings { message });
    let grades = [("pass", settings.grades.pass), ("partial", settings.grades.partial)];
    for (name, value) in grades {
        if !(0.0..=1.0).contains(&value) {
            return refuse(format!("`grades.{name}` is between 0 and 1, such as 0.7, not {value}"));
        }
    }
    for (model, price) in &settings.price {
        let price = price.of_tokens();
        if ![price.input, price.cached, price.output].iter().all(|cost| *cost >= 0.0) {
            return refuse(format!("the prices of `{model}` are not all 0 or more"));
        }
    }
    let sampling = [settings.sampling.temperature, settings.sampling.top_p];
    if !sampling.into_iter().flatten().all(f64::is_finite) {
        return refuse("`sampling.temperature` and `sampling.top_p` are plain numbers".to_owned());
    }
    Ok(())
}

/// Flags with the values of those that are named like secrets taken out: `--api-key K` and
/// `--api-key=K`.
pub fn public_flags(flags: &[String]) -> Vec<String> {
    let mut is_secret = false;
    let mut public = Vec::new();
    for flag in flags {
        let (name, value) = flag.split_once('=').map_or((&**flag, None), |(n, v)| (n, Some(v)));
        public.push(match value {
            _ if is_secret || looks_like_key(flag) => REDACTED.to_owned(),
            Some(_) if names_a_secret(name) => format!("{name}={REDACTED}"),
            _ => flag.clone(),
        });
        // What follows a secret's flag is its value, even if it looks like a flag itself.
        is_secret = !is_secret && value.is_none() && flag.starts_with('-') && names_a_secret(name);
    }
    public
}

/// The largest file of settings that is read, in bytes.
const LARGEST: u64 = 16 << 20;

fn project_file() -> Result<Option<Table>, EngineError> {
    if !Path::new(FILE).exists() {
        return Ok(None);
    }
    // Whoever made the folder made this file: it may be no pipe that every command waits for.
    let text = check_regular(Path::new(FILE)).and_then(|()| read_text(Path::new(FILE), LARGEST));
    let text = text.map_err(|error| EngineError::file("read", FILE, error))?;
    parse(&text).map(Some).map_err(|error| bad_settings(&error))
}

fn parse(text: &str) -> Result<Table, toml::de::Error> {
    toml::from_str(text)
}

fn bad_settings(error: &toml::de::Error) -> EngineError {
    EngineError::Settings { message: error.to_string().trim_end().to_owned() }
}

/// The name that a setting has now, beside others of its table that `is_known` knows.
pub(crate) fn current_name(name: &str, is_known: impl Fn(&str) -> bool) -> &str {
    // The old name of `grades.partial`, which older files and logs still have.
    if name == "warn" && is_known("partial") { "partial" } else { name }
}

/// Puts the values of `upper` over those of `lower`, table by table.
fn lay_over(lower: &mut Table, upper: Table) {
    for (key, value) in upper {
        let key = current_name(&key, |name| lower.contains_key(name)).to_owned();
        match (lower.get_mut(&key), value) {
            (Some(Value::Table(lower)), Value::Table(upper)) => lay_over(lower, upper),
            (_, value) => {
                lower.insert(key, value);
            }
        }
    }
}

impl From<&SamplingSettings> for Sampling {
    fn from(settings: &SamplingSettings) -> Self {
        Self {
            temperature: settings.temperature,
            top_p: settings.top_p,
            max_tokens: settings.max_tokens,
            seed: settings.seed,
            tool_choice: settings.tool_choice.clone().map(serde_json::Value::from),
            parallel_tool_calls: settings.parallel_tool_calls,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_spoil_every_figure_are_refused() {
        for text in [
            "[grades]\npass = 70",
            "[grades]\npartial = -1.0",
            "[price.m]\ninput = -3.0\noutput = 1.0",
            "[sampling]\ntemperature = nan",
        ] {
            let layer = parse(text).unwrap();
            assert!(Settings::from_layers(&[&layer]).is_err(), "{text}");
        }
    }

    #[test]
    fn the_embedded_defaults_are_whole() {
        let settings = Settings::resolve(&[]).unwrap();
        assert_eq!(settings.run.model, ["baseline"]);
        // The default of a connection is the one that the file names.
        assert_eq!(settings.limits.retries, toolgauge_model::RetryPolicy::default().retries);
        assert_eq!(settings.grades, Thresholds::default());
    }

    #[test]
    fn the_old_name_of_a_threshold_is_understood() {
        let layer = parse("[grades]\nwarn = 0.5").unwrap();
        let grades = Settings::from_layers(&[&layer]).unwrap().grades;
        assert_eq!(grades, Thresholds { partial: 0.5, ..Thresholds::default() });
    }

    #[test]
    fn a_higher_layer_wins_value_by_value() {
        let layer = parse("[run]\ntrials = 3\n[sampling]\ntemperature = 0.5").unwrap();
        let settings = Settings::resolve(&[layer]).unwrap();
        assert_eq!(settings.run.trials, 3);
        assert_eq!(settings.sampling.temperature, Some(0.5));
        assert_eq!(settings.run.concurrency, 1);
    }

    #[test]
    fn flags_are_shown_without_their_keys() {
        let flags = ["--jinja", "--api-key", "hunter2", "--api-key=hunter2", "-ngl", "99"];
        let public = ["--jinja", "--api-key", REDACTED, "--api-key=[redacted]", "-ngl", "99"];
        assert_eq!(public_flags(&flags.map(str::to_owned)), public);
    }

    #[test]
    fn an_unknown_setting_is_named() {
        let layer = parse("[run]\ntrails = 3").unwrap();
        let message = Settings::resolve(&[layer]).unwrap_err().to_string();
        assert!(message.contains("trails"), "{message}");
    }
}
