//! Servers that run for the rest of the process: a suite is checked, then run, by the same ones.

use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use toolgauge_mcp_world::{
    Benches, LiveBenches, LiveSuite, McpConfig, McpWorld, Recording, ServerConfig, Setup,
};
use toolgauge_suite::Suite;

/// What runs, by what was asked for.
static RUNNING: Mutex<Vec<(String, Arc<LiveBenches>)>> = Mutex::new(Vec::new());

/// The world of servers that run, or are started now.
pub(super) fn world(
    suite: &Suite,
    config: &McpConfig,
    servers: &IndexMap<String, ServerConfig>,
    setups: &[Setup],
    recorded: Option<&Recording>,
) -> Result<McpWorld, String> {
    let folder = config.recording.as_ref().zip(suite.folder());
    let folder = folder.map(|(name, folder)| folder.join(name));
    // How tools are named and which are offered does not matter to the servers.
    let McpConfig { workspace, env, state, mask, fresh, seconds, .. } = config;
    let made_of: Vec<String> = setups.iter().map(Setup::made_of).collect();
    let asked =
        format!("{:?}", (&folder, servers, workspace, env, state, mask, fresh, seconds, made_of));
    // Held while they start, so that they are started once.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let known = running.iter().find(|(key, _)| *key == asked);
    let benches = if let Some((_, known)) = known {
        Arc::clone(known)
    } else {
        let (config, recorded) = (config.clone(), recorded.cloned());
        let (servers, setups) = (servers.clone(), setups.to_vec());
        let suite = LiveSuite { config, servers, setups, folder, recorded };
        let started = Arc::new(LiveBenches::start(suite).map_err(|fault| fault.to_string())?);
        running.push((asked, Arc::clone(&started)));
        started
    };
    let benches: Arc<dyn Benches> = benches;
    McpWorld::live(config, setups.to_vec(), benches, recorded).map_err(|error| error.to_string())
}

/// Ends what runs, and says what could not be written down.
pub(super) fn end() -> Vec<String> {
    let ended = std::mem::take(&mut *RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
    ended.iter().filter_map(|(_, benches)| benches.write().err()).map(|it| it.to_string()).collect()
}
