//! Keys: from the name of a variable or a file to a secret.

use std::path::Path;

use serde_json::Value;
use toolgauge_core::{looks_like_key, names_a_secret, secret_values};
use toolgauge_model::Secret;
use toolgauge_world::read_text;

use crate::error::EngineError;

/// More is no key: somebody named another file.
const LARGEST_KEY: u64 = 1 << 20;

/// The key in a file if one is named, else in a variable of the environment. An empty one is none.
pub fn key(variable: &str, file: Option<&Path>) -> Result<Option<Secret>, EngineError> {
    let text = match file {
        Some(file) => read_text(file, LARGEST_KEY)
            .map_err(|error| EngineError::file("read the key from", file, error))?,
        None => std::env::var(variable).unwrap_or_default(),
    };
    Ok(Secret::unless_empty(text))
}

/// The keys that a command finds in its environment, by the names of their variables.
pub(crate) fn in_environment() -> Vec<Secret> {
    // Through the system's own words, because a variable need not be text.
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        names_a_secret(name.to_str()?).then(|| value.into_string().ok()).flatten()
    });
    variables.filter_map(Secret::unless_empty).collect()
}

/// The keys among the arguments of a command: `--key K`, `--key=K`, and what looks like one.
pub(crate) fn in_arguments(line: &[String]) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut words = line.iter().skip(1).peekable();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((&**word, None), |(n, v)| (n, Some(v)));
        if names_a_secret(name) && name.starts_with('-') {
            found.extend(value.or(words.peek().map(|next| next.as_str())));
        }
        found.extend(value.into_iter().chain([&**word]).filter(|text| looks_like_key(text)));
    }
    found.into_iter().filter_map(Secret::unless_empty).collect()
}

/// The keys in what is sent.
pub(crate) fn in_value(sent: Option<&Value>) -> Vec<Secret> {
    sent.map(secret_values).unwrap_or_default().into_iter().map(Secret::new).collect()
}

/// Refuses what cannot be the name of a variable, because it is probably the key itself, which
/// the log would then keep.
pub fn check_variable(name: &str) -> Result<(), EngineError> {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_name && !looks_like_key(name) { Ok(()) } else { Err(EngineError::NotAVariable) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_taken_for_the_name_of_a_variable() {
        for name in ["OPENAI_API_KEY", "_x", "key2", "GROQ_KEY_2025", ""] {
            assert!(check_variable(name).is_ok(), "{name}");
        }
        for key in ["sk-abc", "sk_live_abc123", "2key", "a b", "0123456789abcdef0123456789abcdef"] {
            let message = check_variable(key).unwrap_err().to_string();
            assert!(!message.contains(key), "{message}");
        }
    }
}
