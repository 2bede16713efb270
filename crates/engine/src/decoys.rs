//! Tools of real MCP servers, to stand among those of any suite.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use toolgauge_core::Tool;
use toolgauge_suite::Suite;
use toolgauge_world::{Decoy, DecoyWorld, World};

use crate::error::EngineError;

/// The tools of real servers, as `tools/decoys.py` asked them.
static POOL: LazyLock<Arc<[Decoy]>> = LazyLock::new(|| {
    let servers: Vec<PoolServer> =
        serde_json::from_str(include_str!("decoys/pool.json")).expect("the tests read the pool");
    let tools = servers.into_iter().flat_map(|PoolServer { server, tools }| {
        tools.into_iter().map(move |tool| Decoy { server: server.clone(), tool })
    });
    tools.collect()
});

/// The tools of one server.
#[derive(Deserialize)]
struct PoolServer {
    /// What its tools are named after.
    server: String,
    tools: Vec<Tool>,
}

/// The world of a suite, with decoys if it says how many.
pub(crate) fn around(world: Arc<dyn World>, suite: &Suite) -> Result<Arc<dyn World>, EngineError> {
    let counts = suite.decoys().map_err(|why| EngineError::BadWorld { why })?;
    let Some(most) = counts.last() else { return Ok(world) };
    let world = DecoyWorld::new(world, Arc::clone(&POOL));
    let mut seen = HashSet::new();
    for case in &suite.cases {
        if !seen.insert(world.tools(case).as_ptr().addr()) {
            continue;
        }
        let available = world.available(case);
        if *most > available {
            let case = case.id.clone();
            return Err(EngineError::TooManyDecoys { asked: *most, case, available });
        }
    }
    Ok(Arc::new(world))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_has_real_schemas_and_the_notice_names_every_server() {
        assert!(POOL.len() >= 200, "{}", POOL.len());
        for Decoy { server, tool } in POOL.iter() {
            let name = format!("{server}__{}", tool.name);
            let fits = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
            assert!(name.len() <= 64 && name.chars().all(fits), "{name}");
            assert_eq!(tool.parameters["type"], "object", "{name}");
        }
        let servers: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("decoys/pool.json")).unwrap();
        for server in &servers {
            let [package, version, license] =
                ["package", "version", "license"].map(|key| server[key].as_str().unwrap());
            let line = format!("{package} {version}, {license}");
            assert!(include_str!("../../../NOTICE").contains(&line), "{line}");
        }
    }
}
