//! What a run was asked for, in a form that its log keeps and a resumed run reads again.

mod recorded;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolgauge_core::{Fix, MatrixCell, RunEntry, ShardNumber, redact_values};
use toolgauge_model::{Endpoint, Secret};
use toolgauge_suite::Sampling;

pub use self::recorded::{PassedOver, RecordedInvocation};
use crate::chatbot_name::public_name;
use crate::error::EngineError;
use crate::judges::JudgeOrder;
use crate::keys;
use crate::settings::Settings;
use crate::subjects::chatbot;
use crate::subjects::is_at_server;

/// What a log leaves out because it may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// Login and query of a chatbot's address, or the arguments of a command.
    Model,
    /// Login and query of the server's address.
    BaseUrl,
    /// The key among the flags of a llama.cpp server.
    LlamaFlags,
    /// Login and query of the judge's address.
    Judge,
    /// A field of the request body.
    Body(String),
}

/// Everything a run needs beside its suite's own files. Holds no secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invocation {
    /// The suite, as it was named.
    pub suite: String,
    /// The model, as it was named.
    pub model: String,
    /// The resolved settings.
    pub settings: Settings,
    /// What is changed about the suite's world.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub world: Map<String, Value>,
    /// Fields of the request body that have no setting of their own.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub body: Map<String, Value>,
    /// The scorers asked for; none leaves the choice to the suite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scorers: Vec<String>,
    /// The faults of the classic scorer that are put right.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "Fix::list")]
    pub fixes: Vec<Fix>,
    /// The matrix the run is a cell of, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<MatrixCell>,
    /// The model that judges answers, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeOrder>,
    /// The part of the plan that is run, if not the whole. The head of a log says it in an entry of
    /// its own, together with the plan.
    #[serde(skip)]
    pub shard: Option<ShardNumber>,
    /// What the log leaves out of all this; empty before it is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

impl Invocation {
    /// What asks a model for all that a suite says, and for nothing else.
    pub fn new(suite: impl Into<String>, model: impl Into<String>, settings: Settings) -> Self {
        Self {
            suite: suite.into(),
            model: model.into(),
            settings,
            world: Map::new(),
            body: Map::new(),
            scorers: Vec::new(),
            fixes: Vec::new(),
            matrix: None,
            judge: None,
            shard: None,
            left_out: Vec::new(),
        }
    }

    /// The form a log keeps: without what may be a secret. What was left out is named, so that a
    /// resumed run asks for it.
    pub fn for_log(&self) -> Result<Map<String, Value>, EngineError> {
        let mut clean = self.clone();
        for address in self.settings.server.base_url.iter() {
            Endpoint::parse(address)?;
        }
        clean.settings = self.settings.without_secrets();
        clean.judge = self.judge.as_ref().map(JudgeOrder::for_log);
        clean.model = public_name(&self.model);
        for (name, value) in &mut clean.body {
            // With its name, because the name decides whether a value counts as a secret.
            let mut field = json!({name: value.take()});
            if redact_values(&mut field) {
                clean.left_out.push(LeftOut::Body(name.clone()));
            }
            *value = field[name].take();
        }
        let server = |settings: &Settings| settings.server.clone();
        let (whole, kept) = (server(&self.settings), server(&clean.settings));
        let shortened = [
            (clean.model != self.model, LeftOut::Model),
            // Who does not ask that server need not give its address again.
            (kept.base_url != whole.base_url && is_at_server(&self.model), LeftOut::BaseUrl),
            (kept.llama_flags != whole.llama_flags, LeftOut::LlamaFlags),
            (clean.judge != self.judge, LeftOut::Judge),
        ];
        clean.left_out.extend(shortened.into_iter().filter(|(is, _)| *is).map(|(_, what)| what));
        let Ok(Value::Object(mut settings)) = serde_json::to_value(clean) else {
            unreachable!("an invocation is written as an object")
        };
        if let Some(spec) = chatbot::described(&self.model)? {
            let spec = serde_json::to_value(spec.without_secrets()).unwrap_or_default();
            RunEntry::Chatbot.put(&mut settings, spec);
        }
        Ok(settings)
    }

    /// How answers are sampled: by the suite, over that by its variant, over that by the run.
    pub fn sampling(&self, suite: &Sampling, variant: Option<&Sampling>) -> Sampling {
        let asked_for =
            Sampling { extra: self.body.clone(), ..Sampling::from(&self.settings.sampling) };
        let suite = variant.map_or_else(|| suite.clone(), |variant| suite.overlaid(variant));
        suite.overlaid(&asked_for)
    }

    /// The key for the server: from the file if one is named, else from the environment.
    pub fn key(&self, file: Option<&Path>) -> Result<Option<Secret>, EngineError> {
        keys::key(&self.settings.server.key_variable, file)
    }
}
