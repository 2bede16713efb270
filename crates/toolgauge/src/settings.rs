//! Settings in layers: flags > `TOOLGAUGE_*` > `toolgauge.toml` > the embedded `default.toml`.
//!
//! Each layer is a TOML table; a higher one is laid over a lower one, and the result is read once
//! into plain structs. Commands never see flags or the environment.

mod seconds;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use toolgauge_core::{REDACTED, looks_like_key, names_a_secret, public_address};
use toolgauge_report::Thresholds;
use toolgauge_suite::Sampling;

pub(crate) use self::seconds::Seconds;
use crate::failure::Failure;
use crate::keys;
use crate::subjects::chatbot::public_name;

/// The settings of a project, looked for in the folder the program runs in.
pub(crate) const FILE: &str = "toolgauge.toml";

/// Every setting with its default and what it means.
pub(crate) const DEFAULTS: &str = include_str!("default.toml");

/// The files that a command reads, the settings of the project among them.
pub(crate) fn with_file<'a>(named: impl IntoIterator<Item = &'a PathBuf>) -> Vec<&'a Path> {
    named.into_iter().map(PathBuf::as_path).chain([Path::new(FILE)]).collect()
}

/// What a run needs to know, with nothing left open.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) run: RunSettings,
    pub(crate) server: ServerSettings,
    #[serde(default)]
    pub(crate) sampling: SamplingSettings,
    pub(crate) limits: LimitSettings,
    /// From where on a question passes or warns.
    #[serde(default)]
    pub(crate) grades: Thresholds,
    /// What a million tokens cost, by model.
    #[serde(default)]
    pub(crate) price: IndexMap<String, Price>,
}

/// `[run]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunSettings {
    /// Empty where a server is named and no model: then the server is asked what it has.
    pub(crate) model: Vec<String>,
    pub(crate) log_dir: String,
    pub(crate) trials: u32,
    pub(crate) concurrency: usize,
    /// The half-width at which an adaptive run has seen enough; not given, runs are not adaptive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<f64>,
    /// The trials an adaptive run may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<usize>,
}

/// `[server]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerSettings {
    pub(crate) base_url: String,
    pub(crate) protocol: Protocol,
    pub(crate) key_variable: String,
    pub(crate) stream: bool,
    /// Whether any model may answer, whatever its name.
    #[serde(default)]
    pub(crate) any_model: bool,
    pub(crate) keep_wire: bool,
    pub(crate) max_response_bytes: usize,
    /// The program that is started for GGUF files; `llama-server` on the PATH when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) llama_server: Option<PathBuf>,
    pub(crate) llama_flags: Vec<String>,
}

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Protocol {
    /// Chat completions, as llama.cpp, vLLM, Ollama, LM Studio and OpenAI speak them.
    #[value(name = "openai")]
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// `[sampling]`: left out, each is the server's own choice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SamplingSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_choice: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parallel_tool_calls: Option<bool>,
}

/// `[limits]`, times in seconds; 0 means no limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitSettings {
    pub(crate) attempt_timeout: Seconds,
    /// Logs from before there was this setting are resumed with its default.
    #[serde(default = "usual_idle_timeout")]
    pub(crate) idle_timeout: Seconds,
    pub(crate) trial_timeout: Seconds,
    /// The turns a loop may take; the suite's choice when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_turns: Option<u32>,
    pub(crate) retries: u32,
    pub(crate) requests_per_minute: u32,
    pub(crate) tokens_per_minute: u32,
    pub(crate) patience: Seconds,
    /// After how many first trials that all fail alike a run stops.
    #[serde(default = "usual_same_failures")]
    pub(crate) same_failures: usize,
    pub(crate) grace: Seconds,
}

fn usual_idle_timeout() -> Seconds {
    Seconds::new(60)
}

fn usual_same_failures() -> usize {
    5
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Price {
    pub(crate) input: f64,
    /// Tokens of the prompt that came from a cache; as `input` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cached: Option<f64>,
    pub(crate) output: f64,
}

impl Settings {
    /// Lays the given layers over the project's file and the defaults, the last one on top.
    pub(crate) fn resolve(layers: &[Table]) -> Result<Self, Failure> {
        let mut settings = parse(DEFAULTS).expect("the embedded defaults are TOML");
        let file = project_file()?;
        let layers: Vec<&Table> = file.iter().chain(layers).collect();
        let has = |section: &str, key: &str| {
            layers.iter().any(|layer| layer.get(section).is_some_and(|s| s.get(key).is_some()))
        };
        // Whoever names a server wants to measure what is there, and not the baseline.
        let model_is_open = has("server", "base_url") && !has("run", "model");
        for layer in layers {
            lay_over(&mut settings, layer.clone());
        }
        let mut settings = read(settings)?;
        if model_is_open {
            settings.run.model.clear();
        }
        Ok(settings)
    }

    /// These settings with a layer on top.
    pub(crate) fn overlaid(&self, layer: &Table) -> Result<Self, Failure> {
        let mut settings = Table::try_from(self).expect("settings are plain data");
        lay_over(&mut settings, layer.clone());
        read(settings)
    }

    /// These settings as they may be kept and shown: addresses without login and query, commands
    /// without their arguments, flags without a key.
    pub(crate) fn without_secrets(&self) -> Self {
        let mut clean = self.clone();
        clean.run.model = self.run.model.iter().map(|model| public_name(model)).collect();
        clean.server.base_url = public_address(&self.server.base_url);
        clean.server.llama_flags = public_flags(&self.server.llama_flags);
        clean
    }
}

fn read(settings: Table) -> Result<Settings, Failure> {
    let settings = Value::Table(settings).try_into();
    let settings: Settings = settings.map_err(|error: toml::de::Error| bad_settings(&error))?;
    keys::check_variable(&settings.server.key_variable)?;
    Ok(settings)
}

/// Flags with the values of those that are named like secrets taken out: `--api-key K` and
/// `--api-key=K`.
pub(crate) fn public_flags(flags: &[String]) -> Vec<String> {
    let mut is_secret = false;
    let mut public = Vec::new();
    for flag in flags {
        let (name, value) = flag.split_once('=').map_or((&**flag, None), |(n, v)| (n, Some(v)));
        public.push(match value {
            _ if is_secret || looks_like_key(flag) => REDACTED.to_owned(),
            Some(_) if names_a_secret(name) => format!("{name}={REDACTED}"),
            _ => flag.clone(),
        });
        is_secret = !is_secret && value.is_none() && flag.starts_with('-') && names_a_secret(name);
    }
    public
}

fn project_file() -> Result<Option<Table>, Failure> {
    if !Path::new(FILE).exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(FILE).map_err(|error| Failure::file("read", FILE, error))?;
    parse(&text).map(Some).map_err(|error| bad_settings(&error))
}

fn parse(text: &str) -> Result<Table, toml::de::Error> {
    toml::from_str(text)
}

fn bad_settings(error: &toml::de::Error) -> Failure {
    Failure::Settings { message: error.to_string().trim_end().to_owned() }
}

/// Puts the values of `upper` over those of `lower`, table by table.
fn lay_over(lower: &mut Table, upper: Table) {
    for (key, value) in upper {
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
    fn the_embedded_defaults_are_whole() {
        let settings = Settings::resolve(&[]).unwrap();
        assert_eq!(settings.run.model, ["baseline"]);
        assert_eq!(settings.limits.retries, 4);
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
