//! What a run was asked for, in a form that its log keeps and a resumed run reads again.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgauge_core::Run;
use toolgauge_model::{Endpoint, Secret};
use toolgauge_score::Fix;
use toolgauge_suite::Sampling;

use crate::failure::Failure;
use crate::judges::JudgeOrder;
use crate::matrix_cell::MatrixCell;
use crate::settings::Settings;
use crate::subjects::chatbot;

/// Everything a run needs beside its suite's own files. Holds no secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Invocation {
    /// The suite, as it was named.
    pub(crate) suite: String,
    /// The model, as it was named.
    pub(crate) model: String,
    /// The resolved settings.
    pub(crate) settings: Settings,
    /// What is changed about the suite's world.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) world: Map<String, Value>,
    /// Fields of the request body that have no setting of their own.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) body: Map<String, Value>,
    /// The scorers asked for; none leaves the choice to the suite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) scorers: Vec<String>,
    /// The faults of the classic scorer that are put right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fixes: Vec<String>,
    /// The matrix the run is a cell of, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) matrix: Option<MatrixCell>,
    /// The model that judges answers, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) judge: Option<JudgeOrder>,
}

impl Invocation {
    /// What an earlier run was asked for, as its log keeps it.
    pub(crate) fn of(run: &Run) -> Option<Self> {
        serde_json::from_value(Value::Object(run.settings.clone())).ok()
    }

    /// The faults of the classic scorer that are put right. A rule that a later version dropped is
    /// passed over.
    pub(crate) fn fixes(&self) -> Vec<Fix> {
        self.fixes.iter().filter_map(|name| Fix::by_name(name)).collect()
    }

    /// The form a log keeps: without the credentials a URL may hold.
    pub(crate) fn for_log(&self) -> Result<Map<String, Value>, Failure> {
        let mut clean = self.clone();
        let endpoint = Endpoint::parse(&self.settings.server.base_url)?;
        clean.settings.server.base_url = endpoint.to_string();
        clean.judge = self.judge.as_ref().map(JudgeOrder::for_log).transpose()?;
        clean.model = chatbot::name_for_log(&self.model);
        let Ok(Value::Object(mut settings)) = serde_json::to_value(clean) else {
            unreachable!("an invocation is written as an object")
        };
        if let Some(spec) = chatbot::described(&self.model)? {
            let spec = serde_json::to_value(spec.without_secrets()).unwrap_or_default();
            settings.insert("chatbot".to_owned(), spec);
        }
        Ok(settings)
    }

    /// How answers are sampled: by the suite, over that by its variant, over that by the run.
    pub(crate) fn sampling(&self, suite: &Sampling, variant: Option<&Sampling>) -> Sampling {
        let asked_for =
            Sampling { extra: self.body.clone(), ..Sampling::from(&self.settings.sampling) };
        let suite = variant.map_or_else(|| suite.clone(), |variant| suite.overlaid(variant));
        suite.overlaid(&asked_for)
    }

    /// The key for the server: from the file if one is named, else from the environment.
    pub(crate) fn key(&self, file: Option<&Path>) -> Result<Option<Secret>, Failure> {
        let Some(file) = file else {
            return Ok(std::env::var(&self.settings.server.key_variable).ok().map(Secret::new));
        };
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| Failure::file("read the key from", file, error))?;
        Ok(Some(Secret::new(text)))
    }
}
