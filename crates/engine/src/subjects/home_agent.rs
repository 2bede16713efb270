//! From an address and an agent to a subject that asks Home Assistant.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use toolgauge_core::{Case, CaseId, ToolCall, WorldThing};
use toolgauge_home_agent::{
    CaseStart, EntityState, HomeAgent, HomeAgentError, HomeAgentSettings, SimulatedHome,
};
use toolgauge_home_import::HomeToken;
use toolgauge_world::World;

use super::host::{Host, Server};
use crate::error::EngineError;
use crate::settings::Settings;

/// The variable that holds the token, the same as for `toolgauge home import`.
const TOKEN: &str = "HASS_TOKEN";

/// Cases and the world they are played in.
pub struct PlayedCases {
    /// The world.
    pub world: Arc<dyn World>,
    /// The cases.
    pub cases: Vec<Arc<Case>>,
}

/// The home of a suite, entered case by case.
struct SuiteHome {
    world: Arc<dyn World>,
    cases: HashMap<CaseId, Arc<Case>>,
}

/// Builds the subject; nothing is sent yet.
pub(super) fn build(
    url: &str,
    agent: Option<&str>,
    settings: &Settings,
    played: Option<PlayedCases>,
) -> Result<Host, EngineError> {
    let played = played.filter(|played| played.world.has_state()).ok_or_else(|| {
        let why = "only suites of a home can be put to Home Assistant".to_owned();
        EngineError::BadWorld { why }
    })?;
    let token = HomeToken::from_environment(TOKEN).map_err(HomeAgentError::from)?;
    let cases = played.cases.into_iter().map(|case| (case.id.clone(), case)).collect();
    let agent = Arc::new(HomeAgent::new(HomeAgentSettings {
        url: url.to_owned(),
        agent: agent.map(str::to_owned),
        token,
        patience: settings.limits.attempt_timeout.limit().unwrap_or(Duration::MAX),
        keep_wire: settings.server.keep_wire,
        home: Arc::new(SuiteHome { world: played.world, cases }),
    }));
    Ok(Server::HomeAgent(agent).into())
}

impl SimulatedHome for SuiteHome {
    fn exposed(&self) -> Vec<String> {
        // Cases of several tiers are played in homes of several sizes.
        let ids = self.cases.values().flat_map(|case| self.world.enter(case).things().clone());
        let ids: BTreeSet<String> = ids.map(|thing| thing.id.clone()).collect();
        ids.into_iter().collect()
    }

    fn start(&self, case: &CaseId) -> Option<CaseStart> {
        let case = self.cases.get(case)?;
        let entity = |thing: &Arc<WorldThing>| EntityState {
            entity_id: thing.id.clone(),
            state: thing.state.clone(),
            attributes: thing.attributes.clone(),
        };
        let entities = self.world.enter(case).things().iter().map(entity).collect();
        Some(CaseStart { satellite: self.world.spoken_to(case), entities })
    }

    fn changes(&self, case: &CaseId, calls: &[ToolCall]) -> Map<String, Value> {
        let Some(case) = self.cases.get(case) else { return Map::new() };
        let mut home = self.world.enter(case);
        for call in calls {
            home.call(call);
        }
        match home.state_changes().map(Arc::unwrap_or_clone) {
            Some(Value::Object(changes)) => changes,
            _ => Map::new(),
        }
    }
}
