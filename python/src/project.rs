//! The settings of the project, as the program finds them.

use pyo3::PyResult;
use serde_json::{Value, json};
use toolgauge_engine::Settings;

use crate::errors::{ToolgaugeError, engine_failure, hinted};

/// Variables of the environment that are settings: the section and the key of each.
const VARIABLES: [(&str, &str, &str); 12] = [
    ("TOOLGAUGE_BASE_URL", "server", "base_url"),
    ("TOOLGAUGE_PROTOCOL", "server", "protocol"),
    ("TOOLGAUGE_KEY_VARIABLE", "server", "key_variable"),
    ("TOOLGAUGE_STREAM", "server", "stream"),
    ("TOOLGAUGE_ANY_MODEL", "server", "any_model"),
    ("TOOLGAUGE_LLAMA_SERVER", "server", "llama_server"),
    ("TOOLGAUGE_LOG_DIR", "run", "log_dir"),
    ("TOOLGAUGE_TRIALS", "run", "trials"),
    ("TOOLGAUGE_CONCURRENCY", "run", "concurrency"),
    ("TOOLGAUGE_TEMPERATURE", "sampling", "temperature"),
    ("TOOLGAUGE_MAX_TOKENS", "sampling", "max_tokens"),
    ("TOOLGAUGE_SEED", "sampling", "seed"),
];

/// The settings that hold here: `toolgauge.toml`, the environment over it, and what is given, in the
/// form of that file, over both.
pub(crate) fn settings(given: Value) -> PyResult<Settings> {
    let mut environment = json!({});
    for (variable, section, key) in VARIABLES {
        let Some(text) = std::env::var(variable).ok().filter(|text| !text.is_empty()) else {
            continue;
        };
        environment[section][key] = match key {
            "stream" | "any_model" => json!(!matches!(text.as_str(), "0" | "false" | "no" | "off")),
            "trials" | "concurrency" | "temperature" | "max_tokens" | "seed" => {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            _ => Value::String(text),
        };
    }
    let refused = |error: serde_json::Error| {
        let hint = "write them as in `toolgauge.toml`: {\"sampling\": {\"temperature\": 0}}";
        ToolgaugeError::new_err(hinted(format!("the settings cannot be used: {error}"), hint))
    };
    let layers = [environment, given].map(serde_json::from_value);
    let [environment, given] = layers;
    Settings::resolve(&[environment.map_err(refused)?, given.map_err(refused)?])
        .map_err(engine_failure)
}
