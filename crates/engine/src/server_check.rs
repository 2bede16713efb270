//! What the author of an MCP server should know about its tools: what a model cannot follow, and
//! which tools a model takes for each other.

mod confused;
mod lint;
mod questions;
mod schemas;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

pub use toolgauge_mcp_world::{Recording, RecordingFiles};

pub use self::confused::{ToolMixUps, mix_ups};
pub use self::lint::lint;
pub use self::questions::{CASES, DESCRIBED, questions};
use crate::error::EngineError;

/// What was recorded of servers in a folder: their tools, and replies where there are some.
pub fn recorded(folder: &Path) -> Result<Recording, EngineError> {
    let [tools, states, calls] = RecordingFiles::NAMES.map(|name| folder.join(name));
    let unreadable = |path: &Path, error| EngineError::file("read", path, error);
    // A list of tools alone can be checked too.
    let optional = |path: &Path| match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| unreadable(path, error)),
    };
    let files = RecordingFiles {
        tools: fs::read_to_string(&tools).map_err(|error| unreadable(&tools, error))?,
        states: optional(&states)?,
        calls: optional(&calls)?,
    };
    Recording::read(&files).map_err(|error| EngineError::BadWorld {
        why: format!("the recording in `{}`: {error}", folder.display()),
    })
}

/// Starts or asks servers, in builds that can.
#[cfg(not(feature = "mcp"))]
pub fn asked(_servers: &serde_json::Value, _tries: bool) -> Result<Recording, EngineError> {
    Err(EngineError::NoServers)
}

/// Starts or asks these servers, as `.mcp.json` names them, and says what they offer. With
/// `tries`, the tools that only read and need no argument are called.
#[cfg(feature = "mcp")]
pub fn asked(servers: &serde_json::Value, tries: bool) -> Result<Recording, EngineError> {
    use toolgauge_mcp_world::{Benches as _, LiveBenches, LiveSuite, McpConfig};

    let bad = |why: String| EngineError::BadWorld { why };
    // What starts servers keeps its packages there.
    let env = serde_json::json!({"HOME": "${HOME:-/}"});
    let config = serde_json::json!({"servers": servers, "env": env});
    let config = McpConfig::read(config.as_object().unwrap_or(&serde_json::Map::new()));
    let config = config.map_err(bad)?;
    let servers = toolgauge_mcp_world::servers(servers).map_err(bad)?;
    let suite = LiveSuite { config, servers, setups: Vec::new(), folder: None, recorded: None };
    let benches = LiveBenches::start(suite).map_err(|fault| bad(fault.to_string()))?;
    let kept = benches.recording();
    let mut recording = kept.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    if tries {
        for (server, of) in recording.servers.servers.clone() {
            for tool in of.tools.iter().filter(|tool| tool.is_read_only()) {
                if schemas::required(&tool.input_schema).next().is_some() {
                    continue;
                }
                let answered = benches
                    .take("")
                    .and_then(|mut bench| bench.call(&server, &tool.name, &serde_json::Map::new()));
                let answer = answered.map_err(|fault| bad(fault.to_string()))?;
                let name = format!("{server}__{}", tool.name);
                recording.add_reply(&name, answer.content, answer.failed);
            }
        }
    }
    Ok(recording)
}
