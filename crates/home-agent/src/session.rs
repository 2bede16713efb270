//! One connection to a test instance, and what is done over it.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolgauge_core::public_address;
use toolgauge_home_import::{HomeConnection, HomeToken};

use crate::chat_log::{ChatLog, ChatLogEvent};
use crate::lists::{ListAnswer, Lists, repairs};
use crate::observed::States;
use crate::pipeline::{self, PipelineRun};
use crate::processed::Processed;
use crate::rest::Rest;
use crate::{CaseStart, EntityState, HomeAgentError, arrange};

/// The entity that marks a test instance: a toggle that is on.
pub const MARK: &str = "input_boolean.toolgauge_test_instance";

/// Service calls go on after the answer of the assistant; states are read until they rest.
const PAUSE: Duration = Duration::from_millis(150);
/// How often they are read at most: a cover may take a minute to open.
const MOST_READS: usize = 400;

/// A connection to a test instance.
pub(crate) struct Session {
    connection: HomeConnection,
    rest: Rest,
    url: String,
    /// What the lists held when the run began, once it was looked at.
    pub(crate) lists: Option<Lists>,
    /// The devices of satellites that were asked for.
    devices: HashMap<String, Option<String>>,
    /// Whether it has voice pipelines, as far as is known.
    has_pipelines: bool,
    /// How long an answer may take.
    patience: Duration,
}

#[derive(Deserialize)]
struct Agents {
    agents: Vec<AgentEntry>,
}

#[derive(Deserialize)]
struct AgentEntry {
    id: String,
}

#[derive(Deserialize)]
struct RegistryEntry {
    #[serde(default)]
    device_id: Option<String>,
}

impl Session {
    /// Connects, and refuses a home that is not marked.
    pub(crate) async fn open(
        url: &str,
        token: &HomeToken,
        patience: Duration,
    ) -> Result<Self, HomeAgentError> {
        let connection = HomeConnection::open(url, token, patience).await?;
        let rest = Rest::new(url, token)?;
        let url = public_address(url);
        let (devices, lists, has_pipelines) = (HashMap::new(), None, true);
        let mut session = Self { connection, rest, url, lists, devices, has_pipelines, patience };
        session.states().await?;
        Ok(session)
    }

    async fn ask<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        message: Value,
    ) -> Result<T, HomeAgentError> {
        let answer = self.connection.ask(kind, message).await?;
        answer.map_err(|refusal| HomeAgentError::refused(kind, refusal))
    }

    /// The states of everything. Each time the mark is looked for: turning it off ends a run.
    pub(crate) async fn states(&mut self) -> Result<States, HomeAgentError> {
        let states: Vec<EntityState> = self.ask("get_states", json!({})).await?;
        let states: States =
            states.into_iter().map(|state| (state.entity_id.clone(), state)).collect();
        let is_marked = states.get(MARK).is_some_and(|mark| mark.state == "on");
        if is_marked {
            Ok(states)
        } else {
            Err(HomeAgentError::NotMarked { url: self.url.clone() })
        }
    }

    /// The states once nothing changes any more.
    pub(crate) async fn settled(&mut self) -> Result<States, HomeAgentError> {
        let mut states = self.states().await?;
        for _ in 0..MOST_READS {
            tokio::time::sleep(PAUSE).await;
            let later = self.states().await?;
            if later == states {
                break;
            }
            states = later;
        }
        Ok(states)
    }

    /// The agents that can be asked.
    pub(crate) async fn agents(&mut self) -> Result<Vec<String>, HomeAgentError> {
        let agents: Agents = self.ask("conversation/agent/list", json!({})).await?;
        Ok(agents.agents.into_iter().map(|agent| agent.id).collect())
    }

    /// The device a satellite belongs to.
    pub(crate) async fn device(
        &mut self,
        satellite: &str,
    ) -> Result<Option<String>, HomeAgentError> {
        if let Some(known) = self.devices.get(satellite) {
            return Ok(known.clone());
        }
        let message = json!({"entity_id": satellite});
        let entry: RegistryEntry = self.ask("config/entity_registry/get", message).await?;
        self.devices.insert(satellite.to_owned(), entry.device_id.clone());
        Ok(entry.device_id)
    }

    /// Brings the home into the states of a case and hands them back as they are then.
    pub(crate) async fn arrange(&mut self, start: &CaseStart) -> Result<States, HomeAgentError> {
        self.restore_lists(start).await?;
        let now = self.states().await?;
        let wrong = arrange::differing(&start.entities, &now);
        if wrong.is_empty() {
            return Ok(now);
        }
        // Devices first. A Home Assistant without scenes refuses, and states can still be set.
        let _ = self.call("scene", "apply", None, arrange::scene(&wrong)).await;
        let now = self.settled().await?;
        let wrong = arrange::differing(&start.entities, &now);
        if wrong.is_empty() {
            return Ok(now);
        }
        for wanted in wrong {
            self.rest.set_state(&arrange::reported(wanted, &now)).await?;
        }
        self.states().await
    }

    /// Puts every list back to what it held when the run began.
    async fn restore_lists(&mut self, start: &CaseStart) -> Result<(), HomeAgentError> {
        let ids = start.entities.iter().filter(|entity| entity.domain() == "todo");
        let mut found = Lists::new();
        for id in ids.map(|entity| entity.entity_id.clone()) {
            // A list whose integration is away keeps its items to itself.
            let answer = self.ask::<ListAnswer>("todo/item/list", json!({"entity_id": id})).await;
            if let Ok(answer) = answer {
                found.insert(id, answer.items);
            }
        }
        let Some(wanted) = self.lists.clone() else {
            self.lists = Some(found);
            return Ok(());
        };
        for (id, items) in &found {
            for (service, data) in repairs(wanted.get(id).unwrap_or(items), items) {
                self.call("todo", service, Some(id), data).await?;
            }
        }
        Ok(())
    }

    async fn call(
        &mut self,
        domain: &str,
        service: &str,
        target: Option<&str>,
        data: Value,
    ) -> Result<(), HomeAgentError> {
        let mut message = json!({"domain": domain, "service": service, "service_data": data});
        if let Some(entity) = target {
            message["target"] = json!({"entity_id": entity});
        }
        self.ask::<Value>("call_service", message).await.map(drop)
    }

    /// Puts a question to an agent: through a voice pipeline, which tells what comes as it comes,
    /// or directly where Home Assistant has no pipelines.
    pub(crate) async fn process(&mut self, question: Value) -> Result<Processed, HomeAgentError> {
        const KIND: &str = "assist_pipeline/run";
        if self.has_pipelines {
            let request = pipeline::run_request(&question, self.patience);
            let mut run = PipelineRun::new();
            match self.connection.events(KIND, request, |event| run.note(&event)).await? {
                Ok(()) => return Ok(run.processed()),
                Err(refusal) if refusal.code == "unknown_command" => self.has_pipelines = false,
                Err(refusal) => return Err(HomeAgentError::refused(KIND, refusal)),
            }
        }
        self.ask("conversation/process", question).await
    }

    /// What the chat log says of a conversation; `None` for one that broke off, which Home
    /// Assistant does not keep.
    pub(crate) async fn chat_log(
        &mut self,
        conversation: &str,
    ) -> Result<Option<ChatLog>, HomeAgentError> {
        const KIND: &str = "conversation/chat_log/subscribe";
        let message = json!({"conversation_id": conversation});
        let event = self.connection.first_event::<ChatLogEvent>(KIND, message).await?;
        match event {
            Ok(event) => Ok(Some(event.data)),
            Err(refusal) if refusal.code == "not_found" => Ok(None),
            Err(refusal) => Err(HomeAgentError::refused(KIND, refusal)),
        }
    }

    /// Stops all timers.
    pub(crate) async fn stop_timers(&self) {
        self.rest.stop_timers().await;
    }
}
