//! A suite that nobody wrote: the servers of a file, and cases.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use toolgauge_suite::{EmbeddedFiles, SuiteSource};

use crate::error::EngineError;

/// How such a suite is named: `mcp:SERVERS@CASES`.
const PREFIX: &str = "mcp:";

/// The name of the suite of these servers and these cases.
pub(super) fn name(servers: &Path, cases: &Path) -> String {
    format!("{PREFIX}{}@{}", servers.display(), cases.display())
}

/// The suite by that name, where it is one of these.
pub(super) fn find(name: &str) -> Option<Result<SuiteSource, EngineError>> {
    let (servers, cases) = name.strip_prefix(PREFIX)?.split_once('@')?;
    Some(source(Path::new(servers), Path::new(cases)))
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> EngineError {
    EngineError::BadWorld { why: format!("cannot read `{}`: {why}", path.display()) }
}

/// The servers of a file, by name, each to be started where the file is.
pub(super) fn servers_of(file: &Path) -> Result<Value, EngineError> {
    let text = fs::read(file).map_err(|error| unreadable(file, &error))?;
    let map: Value = serde_json::from_slice(&text).map_err(|error| unreadable(file, &error))?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let folder = folder.map_err(|error| unreadable(file, &error))?;
    Ok(at_home(map, &folder))
}

fn source(servers: &Path, cases: &Path) -> Result<SuiteSource, EngineError> {
    let servers = servers_of(servers)?;
    let read = fs::read(cases).map_err(|error| unreadable(cases, &error))?;
    let extension = cases.extension().and_then(|it| it.to_str()).unwrap_or("yaml");
    let cases = format!("cases.{extension}");
    let suite = json!({
        "name": "mcp",
        "world": {
            "kind": "mcp",
            "servers": servers,
            "replay": "live",
            // What starts servers keeps its packages there.
            "env": {"HOME": "${HOME:-/}"},
        },
        "solver": "loop",
        "scorers": ["tool_calls"],
        "cases": cases,
    });
    let mut files = EmbeddedFiles::default();
    files.insert("suite.json".to_owned(), suite.to_string().into_bytes().into());
    files.insert(cases, read.into());
    Ok(SuiteSource::embedded("mcp", files))
}

/// The servers, started where their file is: its paths are meant from there.
fn at_home(mut map: Value, folder: &Path) -> Value {
    let key = ["mcpServers", "servers"].into_iter().find(|key| map.get(key).is_some());
    let servers = match key {
        Some(key) => map[key].take(),
        None => map,
    };
    let Value::Object(mut servers) = servers else { return servers };
    for server in servers.values_mut().filter_map(Value::as_object_mut) {
        let own = server.get("cwd").and_then(Value::as_str).unwrap_or_default();
        let cwd = folder.join(own).display().to_string();
        server.insert("cwd".to_owned(), cwd.into());
    }
    Value::Object(servers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_started_where_their_file_is() {
        let map =
            json!({"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "cwd": "in"}}});
        let at = at_home(map, Path::new("/project"));
        assert_eq!(
            (&at["a"]["cwd"], &at["b"]["cwd"]),
            (&json!("/project/"), &json!("/project/in"))
        );
    }
}
