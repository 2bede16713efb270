//! What is known of the server behind a run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a server says of itself, as far as it does. Most of it only llama.cpp tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerFacts {
    /// The program: `llama.cpp`, or what a list of models says of its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    /// Its build: `b1-0c1e570`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The name by which it lists the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The file the model was loaded from, without its folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_file: Option<String>,
    /// The size of that file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_bytes: Option<u64>,
    /// How many parameters the model has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// How its weights are kept: `Q4_K - Medium`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantisation: Option<String>,
    /// How many tokens a conversation may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// How many requests it works on at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<u64>,
    /// A hash of the chat template, to tell templates apart by: the first 12 digits of SHA-256.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_template: Option<String>,
    /// Whether that template has a place for tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_tools: Option<bool>,
    /// The flags it was started with, where this program started it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl ServerFacts {
    /// Every fact that is known, by name, in the order it is shown.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let tools = self.supports_tools.map(|has| if has { "yes" } else { "no" }.to_owned());
        let flags = (!self.flags.is_empty()).then(|| self.flags.join(" "));
        let facts = [
            ("software", self.software.clone()),
            ("build", self.build.clone()),
            ("model", self.model.clone()),
            ("model file", self.model_file.clone()),
            ("model bytes", number(self.model_bytes)),
            ("parameters", number(self.parameters)),
            ("quantisation", self.quantisation.clone()),
            ("context", number(self.context_tokens)),
            ("slots", number(self.slots)),
            ("chat template", self.chat_template.clone()),
            ("template has tools", tools),
            ("flags", flags),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// What a reader wants to know first, in one line.
impl fmt::Display for ServerFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = [self.software.as_deref(), self.build.as_deref()];
        let program = program.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let parts = [
            Some(program).filter(|program| !program.is_empty()),
            // The file says which quantisation was loaded; the name in a list often does not.
            self.model_file.clone().or_else(|| self.model.clone()),
            self.quantisation.clone(),
            self.context_tokens.map(|tokens| format!("context {tokens}")),
            self.chat_template.as_ref().map(|hash| format!("template {hash}")),
            (!self.flags.is_empty()).then(|| self.flags.join(" ")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
    }
}
