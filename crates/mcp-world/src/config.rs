//! What a suite says of its servers.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What stands under `world` beside its kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpConfig {
    /// The servers: the name of a file, or the map itself.
    pub servers: Value,
    /// How tools are named.
    #[serde(default)]
    pub names: ToolNames,
    /// The tools that are offered, by server; a server that is not named offers all.
    #[serde(default)]
    pub offer: IndexMap<String, Vec<String>>,
    /// What tools are said to do in place of what their servers say.
    #[serde(default)]
    pub describe: IndexMap<String, String>,
    /// How the subject sees the folder of a trial.
    #[serde(default = "workspace")]
    pub workspace: String,
    /// Variables that all servers and setups get.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// How the folder of a trial begins, by name. A case names one, else it is the first.
    #[serde(default)]
    pub setups: IndexMap<String, SetupConfig>,
    /// What the end state is.
    #[serde(default)]
    pub state: Probes,
    /// What is hidden in replies.
    #[serde(default)]
    pub mask: Vec<Mask>,
    /// The servers that keep state in memory, and are started anew for every trial.
    #[serde(default)]
    pub fresh: Vec<String>,
    /// How long a call may take.
    #[serde(default = "seconds")]
    pub seconds: f64,
    /// The folder of the recording.
    pub recording: Option<String>,
    /// Who answers calls.
    #[serde(default)]
    pub replay: Replay,
}

fn workspace() -> String {
    "/workspace".to_owned()
}

fn seconds() -> f64 {
    30.0
}

/// How tools are named to the subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolNames {
    /// `server__tool`.
    #[default]
    Prefixed,
    /// The bare name, where no other server has it too.
    Plain,
}

/// Who answers calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replay {
    /// The recording, and only what was recorded with these arguments in this state.
    #[default]
    Strict,
    /// The recording; where a call was not recorded, the nearest one of the tool.
    Nearest,
    /// The servers, whose answers are recorded.
    Live,
}

/// How the folder of a trial begins: files are copied, then databases made, then commands run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetupConfig {
    /// The folder that is copied.
    pub copy: Option<String>,
    /// Databases, each with the SQL script that makes it.
    pub sql: IndexMap<String, String>,
    /// Command lines that are run in the folder.
    pub run: Vec<String>,
}

/// What the end state is. Paths are within the folder of the trial.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Probes {
    /// Folders whose files count.
    pub files: Names,
    /// Whether files must agree byte by byte.
    pub exact: bool,
    /// Files of lines whose order does not count.
    pub lines: Names,
    /// SQLite databases.
    pub sqlite: Names,
    /// Git repositories.
    pub git: Names,
    /// Calls whose answers count.
    pub calls: Vec<ProbeCall>,
    /// Addresses whose answers count.
    pub http: Names,
}

impl Probes {
    /// Whether nothing is looked at, so that there is no end state.
    pub fn is_empty(&self) -> bool {
        let names = [&self.files, &self.lines, &self.sqlite, &self.git, &self.http];
        names.iter().all(|names| names.0.is_empty()) && self.calls.is_empty()
    }
}

/// A name, or a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Names(pub Vec<String>);

impl TryFrom<Value> for Names {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let name = |value: Value| match value {
            Value::String(name) => Ok(name),
            _ => Err("expected a name, or a list of names"),
        };
        match value {
            Value::Array(items) => Ok(Self(items.into_iter().map(name).collect::<Result<_, _>>()?)),
            other => Ok(Self(vec![name(other)?])),
        }
    }
}

/// A call whose answer is part of the end state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeCall {
    /// The tool, as `server__tool`.
    pub tool: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// What is hidden in replies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// A regular expression.
    pub pattern: String,
    /// What stands in its place.
    #[serde(default)]
    pub with: String,
}

/// How one server is reached.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ServerConfig {
    /// The program that is started.
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its variables.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// The folder it is started in; else that of the trial.
    pub cwd: Option<String>,
    /// `stdio`, `http` or another word for one of them.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its address, where it is not started.
    pub url: Option<String>,
    /// What is sent with every request to the address.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
}

/// The servers of a map as everybody has it: under `mcpServers`, under `servers`, or the map
/// itself.
pub fn servers(value: &Value) -> Result<IndexMap<String, ServerConfig>, String> {
    let map = ["mcpServers", "servers"].iter().find_map(|key| value.get(key)).unwrap_or(value);
    let map = map.as_object().ok_or("`servers` is a map from names to servers")?;
    let mut servers = IndexMap::new();
    for (name, value) in map {
        let server: ServerConfig = serde_json::from_value(value.clone())
            .map_err(|error| format!("the server `{name}`: {error}"))?;
        match (&server.command, &server.url, server.kind.as_deref()) {
            (_, _, Some("sse")) => {
                return Err(format!(
                    "the server `{name}` speaks the old transport `sse`, which is not supported"
                ));
            }
            (Some(_), None, _) | (None, Some(_), _) => {}
            _ => return Err(format!("the server `{name}` needs a `command` or a `url`")),
        }
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(is_good) || name.contains("__") {
            return Err(format!(
                "`{name}` cannot be the name of a server: it takes letters, digits, `-` and `_`"
            ));
        }
        servers.insert(name.clone(), server);
    }
    if servers.is_empty() {
        return Err("there is no server".to_owned());
    }
    Ok(servers)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_form_of_the_map_is_read() {
        let one = json!({"files": {"command": "server", "args": ["${WORK}"]}});
        let read = servers(&one).unwrap();
        assert_eq!(read["files"].args, ["${WORK}"]);
        assert_eq!(servers(&json!({"mcpServers": one})).unwrap(), read);
        assert_eq!(servers(&json!({"servers": one, "inputs": []})).unwrap(), read);
        let http = json!({"web": {"type": "http", "url": "http://127.0.0.1:1/mcp"}});
        assert_eq!(servers(&http).unwrap()["web"].url.as_deref(), Some("http://127.0.0.1:1/mcp"));
    }

    #[test]
    fn what_cannot_be_reached_is_named() {
        let why = |value: Value| servers(&value).unwrap_err();
        assert_eq!(why(json!({"a": {}})), "the server `a` needs a `command` or a `url`");
        assert_eq!(why(json!({})), "there is no server");
        assert!(why(json!({"a__b": {"command": "x"}})).contains("cannot be the name"));
        assert!(why(json!({"a": {"type": "sse", "url": "http://x"}})).contains("old transport"));
    }
}
