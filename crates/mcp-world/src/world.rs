//! The servers as a world.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Map, Value};
use toolgauge_core::{Case, Tool, Transcript, WorldWords};
use toolgauge_world::{World, WorldState};

use crate::bench::Benches;
use crate::config::{McpConfig, Replay};
use crate::offer::Offer;
use crate::patterns;
use crate::recording::Recording;
use crate::shared::{Answering, PreparedSetup, Shared};
use crate::snapshot::Setup;
use crate::trial::McpTrial;

/// Why there is no such world.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct McpWorldError(pub String);

/// A world of MCP servers, running or recorded.
pub struct McpWorld {
    shared: Arc<Shared>,
    by_name: HashMap<String, usize>,
    cautions: Vec<String>,
}

impl McpWorld {
    /// A world that answers from a recording.
    pub fn replayed(
        config: &McpConfig,
        setups: Vec<Setup>,
        recording: Recording,
    ) -> Result<Self, McpWorldError> {
        let nearest = config.replay == Replay::Nearest;
        let recording = Arc::new(RwLock::new(recording));
        Self::new(config, setups, recording, Answering::Recording { nearest })
    }

    /// A world of running servers. Stops short of servers that lack what was recorded of them.
    pub fn live(
        config: &McpConfig,
        setups: Vec<Setup>,
        benches: Arc<dyn Benches>,
        recorded: Option<&Recording>,
    ) -> Result<Self, McpWorldError> {
        let recording = benches.recording();
        if let Some(recorded) = recorded {
            let now = recording.read().unwrap_or_else(PoisonError::into_inner);
            let differences = now.servers.differences(&recorded.servers);
            if !differences.is_empty() {
                return Err(McpWorldError(format!(
                    "the servers are not those that were recorded: {}",
                    differences.join("; ")
                )));
            }
        }
        Self::new(config, setups, recording, Answering::Servers(benches))
    }

    fn new(
        config: &McpConfig,
        setups: Vec<Setup>,
        recording: Arc<RwLock<Recording>>,
        answering: Answering,
    ) -> Result<Self, McpWorldError> {
        let servers = recording.read().unwrap_or_else(PoisonError::into_inner).servers.clone();
        let offer = Offer::new(&servers, config).map_err(McpWorldError)?;
        let setups = if setups.is_empty() { vec![Setup::default()] } else { setups };
        let setups: Vec<PreparedSetup> = setups
            .into_iter()
            .map(|setup| PreparedSetup { made_of: setup.made_of(), setup })
            .collect();
        let by_name = setups.iter().enumerate().map(|(at, it)| (it.setup.name.clone(), at));
        let by_name = by_name.collect();
        let has_state = !config.state.is_empty();
        let shared = Shared { offer, setups, answering, recording, has_state };
        let mut world = Self { shared: Arc::new(shared), by_name, cautions: Vec::new() };
        world.cautions = world.stale_setups();
        Ok(world)
    }

    fn stale_setups(&self) -> Vec<String> {
        if matches!(self.shared.answering, Answering::Servers(_)) {
            return Vec::new();
        }
        (0..self.shared.setups.len()).filter_map(|at| self.shared.start(at).err()).collect()
    }

    fn setup_of(&self, case: &Case) -> Result<usize, String> {
        match case.metadata.get("setup") {
            None => Ok(0),
            Some(Value::String(name)) => self.by_name.get(name).copied().ok_or_else(|| {
                let known: Vec<&str> =
                    self.shared.setups.iter().map(|it| it.setup.name.as_str()).collect();
                format!("there is no setup `{name}` (known: {})", known.join(", "))
            }),
            Some(_) => Err("`setup` is the name of a setup".to_owned()),
        }
    }

    fn trial(&self, case: &Case, is_rehearsal: bool) -> Box<dyn WorldState> {
        let setup = self.setup_of(case);
        Box::new(McpTrial::new(Arc::clone(&self.shared), setup, is_rehearsal))
    }
}

impl World for McpWorld {
    fn tools(&self, _case: &Case) -> Arc<[Tool]> {
        Arc::clone(&self.shared.offer.tools)
    }

    fn briefing(&self, _case: &Case) -> Option<Arc<str>> {
        None
    }

    fn complaints(&self, case: &Case) -> Vec<String> {
        self.setup_of(case).err().into_iter().collect()
    }

    fn cautions(&self) -> Vec<String> {
        self.cautions.clone()
    }

    fn words(&self) -> &WorldWords {
        &patterns::WORDS
    }

    fn shown_patterns(&self, case: &Case, transcript: &Transcript) -> Vec<&'static str> {
        patterns::shown(&self.shared.offer, case, transcript)
    }

    fn has_state(&self) -> bool {
        self.shared.has_state
    }

    fn may_take_long(&self) -> bool {
        matches!(self.shared.answering, Answering::Servers(_))
    }

    fn enter(&self, case: &Case) -> Box<dyn WorldState> {
        self.trial(case, false)
    }

    fn rehearse(&self, case: &Case) -> Box<dyn WorldState> {
        self.trial(case, true)
    }
}

impl Drop for McpWorld {
    fn drop(&mut self) {
        if let Answering::Servers(benches) = &self.shared.answering {
            benches.keep();
        }
    }
}

/// What the suite says, from its own words.
impl McpConfig {
    /// Reads what stands under `world` beside its kind.
    pub fn read(config: &Map<String, Value>) -> Result<Self, String> {
        let config: Self = serde_json::from_value(Value::Object(config.clone()))
            .map_err(|error| error.to_string())?;
        if !config.workspace.starts_with('/') || config.workspace.len() < 2 {
            return Err("`workspace` is a path such as `/workspace`".to_owned());
        }
        if !(config.seconds > 0.0 && config.seconds <= 3600.0) {
            return Err(format!("`seconds` is a number above 0, not {}", config.seconds));
        }
        Ok(config)
    }
}
