//! What a suite may say of a world of MCP servers, and the world it makes.

#[cfg(feature = "mcp")]
mod live;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{Case, Expectation, Message, Tool};
use toolgauge_mcp_world::{
    McpConfig, McpWorld, Recording, RecordingFiles, Replay, ServerConfig, Setup, servers,
};
use toolgauge_suite::Suite;
use toolgauge_world::World;

use crate::error::EngineError;
use crate::trusted_folders::TrustedFolders;

/// Whether whoever started this process lets suites start commands.
static COMMANDS_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Whether suites in folders that the user trusts may start theirs.
static TRUST_COUNTS: AtomicBool = AtomicBool::new(false);

/// Who is told what is started.
static TOLD: Mutex<Option<fn(&str)>> = Mutex::new(None);

/// Lets suites start the commands and ask the addresses that they name, for the rest of this
/// process. It is no setting: a log that is judged again must not start anything.
pub fn allow_commands() {
    COMMANDS_ALLOWED.store(true, Ordering::Relaxed);
}

/// Lets suites in [`TrustedFolders`] start theirs, for the rest of this process.
pub fn allow_trusted_commands() {
    TRUST_COUNTS.store(true, Ordering::Relaxed);
}

/// Has somebody told of all that suites start, before it is started.
pub fn tell_commands(to: fn(&str)) {
    *TOLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(to);
}

/// Ends every server that was started, and says what of them could not be written down.
pub fn end_servers() -> Vec<String> {
    #[cfg(feature = "mcp")]
    return live::end();
    #[cfg(not(feature = "mcp"))]
    Vec::new()
}

/// Builds the world, or says what is wrong with what the suite says of it.
pub(super) fn build(suite: &Suite, config: &Map<String, Value>) -> Result<McpWorld, EngineError> {
    let wrong = |why: String| bad(format!("the world of `{}`: {why}", suite.name));
    let config = McpConfig::read(config).map_err(wrong)?;
    let reached = match &config.servers {
        Value::String(file) => servers(&json(suite, file).map_err(bad)?),
        given => servers(given),
    };
    let reached = reached.map_err(wrong)?;
    let setups = setups(suite, &config).map_err(bad)?;
    let recording = config.recording.as_deref().map(|folder| recording(suite, folder));
    let recording = recording.transpose().map_err(bad)?.flatten();
    if config.replay == Replay::Live {
        return started(suite, &config, &reached, &setups, recording.as_ref());
    }
    let suite = suite.name.clone();
    let recording = recording.ok_or(EngineError::NotRecorded { suite })?;
    McpWorld::replayed(&config, setups, recording).map_err(|error| bad(error.to_string()))
}

fn bad(why: String) -> EngineError {
    EngineError::BadWorld { why }
}

/// The world of servers that are started, if they may be.
fn started(
    suite: &Suite,
    config: &McpConfig,
    reached: &IndexMap<String, ServerConfig>,
    setups: &[Setup],
    recording: Option<&Recording>,
) -> Result<McpWorld, EngineError> {
    let runs = setups.iter().flat_map(|setup| setup.run.iter().cloned());
    let commands: Vec<String> = reached.values().map(shown).chain(runs).collect();
    if !COMMANDS_ALLOWED.load(Ordering::Relaxed) && !is_trusted(suite)? {
        return Err(EngineError::NotAllowed { suite: suite.name.clone(), commands });
    }
    #[cfg(feature = "mcp")]
    {
        tell(format!("`{}` starts: {}", suite.name, commands.join("; ")));
        live::world(suite, config, reached, setups, recording).map_err(bad)
    }
    #[cfg(not(feature = "mcp"))]
    {
        let _ = (config, recording);
        Err(EngineError::NoServers)
    }
}

/// Whether the user trusts the folder of a suite, and all that was read for it elsewhere.
fn is_trusted(suite: &Suite) -> Result<bool, EngineError> {
    let Some(folder) = suite.folder().filter(|_| TRUST_COUNTS.load(Ordering::Relaxed)) else {
        return Ok(false);
    };
    let trusted = TrustedFolders::load_for_suites()?;
    Ok(trusted.hold(folder) && suite.outside_files().iter().all(|file| trusted.hold(file)))
}

/// Tells once what is started.
#[cfg(feature = "mcp")]
fn tell(text: String) {
    static STARTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let told = *TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(told), false) = (told, started.contains(&text)) {
        told(&text);
        started.push(text);
    }
}

/// How a server is reached, as somebody sees it who decides whether it may be.
fn shown(server: &ServerConfig) -> String {
    let words = server.command.iter().chain(server.url.iter()).chain(&server.args);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn setups(suite: &Suite, config: &McpConfig) -> Result<Vec<Setup>, String> {
    let mut setups = Vec::new();
    for (name, setup) in &config.setups {
        let mut files = Vec::new();
        if let Some(folder) = &setup.copy {
            let inside = format!("{}/", folder.trim_start_matches("./").trim_end_matches('/'));
            for file in suite.files_under(folder) {
                let Some(path) = file.strip_prefix(&inside) else { continue };
                files.push((path.to_owned(), bytes(suite, &file)?));
            }
            if files.is_empty() {
                return Err(format!("the setup `{name}` copies `{folder}`, which holds no file"));
            }
        }
        let sql =
            setup.sql.iter().map(|(database, file)| Ok((database.clone(), text(suite, file)?)));
        let sql = sql.collect::<Result<_, String>>()?;
        setups.push(Setup { name: name.clone(), files, sql, run: setup.run.clone() });
    }
    Ok(setups)
}

/// What was recorded; nothing where there is no recording yet.
fn recording(suite: &Suite, folder: &str) -> Result<Option<Recording>, String> {
    let folder = folder.trim_end_matches('/');
    let [tools, states, calls] = RecordingFiles::NAMES.map(|name| format!("{folder}/{name}"));
    if suite.files_under(&tools).is_empty() {
        return Ok(None);
    }
    let files = RecordingFiles {
        tools: text(suite, &tools)?,
        states: added_text(suite, &states)?,
        calls: added_text(suite, &calls)?,
    };
    Recording::read(&files)
        .map(Some)
        .map_err(|error| format!("the recording in `{folder}`: {error}"))
}

fn bytes(suite: &Suite, file: &str) -> Result<Vec<u8>, String> {
    suite.read(file).map_err(|error| format!("cannot read `{file}`: {error}"))
}

fn text(suite: &Suite, file: &str) -> Result<String, String> {
    String::from_utf8(bytes(suite, file)?).map_err(|_| format!("`{file}` is not UTF-8"))
}

/// A file to which lines are added: a kill may cut the last one within a character.
fn added_text(suite: &Suite, file: &str) -> Result<String, String> {
    let mut bytes = bytes(suite, file)?;
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).map_err(|_| format!("`{file}` is not UTF-8"))
}

fn json(suite: &Suite, file: &str) -> Result<Value, String> {
    serde_json::from_slice(&bytes(suite, file)?).map_err(|error| format!("`{file}`: {error}"))
}

/// The cases with their tools under the names by which they are offered: a suite may call a tool
/// `server__tool` or by its bare name, whichever of the two the subject sees.
pub(super) fn reworded(cases: &[Arc<Case>], world: &dyn World) -> Vec<Arc<Case>> {
    let mut cases = cases.to_vec();
    for case in &mut cases {
        let tools = world.tools(case);
        if names(&mut Case::clone(case)).into_iter().any(|name| offered(name, &tools).is_some()) {
            for name in names(Arc::make_mut(case)) {
                if let Some(other) = offered(name, &tools) {
                    *name = other;
                }
            }
        }
    }
    cases
}

/// Every place in which a case names a tool.
fn names(case: &mut Case) -> Vec<&mut String> {
    let Expectation { calls, alternatives, answer, .. } = &mut case.expectation;
    let others = alternatives.iter_mut().flat_map(|other| &mut other.calls);
    let mut names: Vec<&mut String> =
        calls.iter_mut().flatten().chain(others).map(|call| &mut call.name).collect();
    names.extend(answer.iter_mut().flat_map(|answer| answer.tools.iter_mut().flatten()));
    for message in &mut case.input {
        match message {
            Message::Assistant(said) => {
                names.extend(said.calls.iter_mut().map(|call| &mut call.name));
            }
            Message::Tool(answer) => names.push(&mut answer.name),
            Message::System { .. } | Message::User { .. } => {}
        }
    }
    names
}

/// The name under which a tool is offered that is called otherwise; `None` where nothing is to be
/// put right.
fn offered(name: &str, tools: &[Tool]) -> Option<String> {
    let is_offered = |name: &str| tools.iter().any(|tool| tool.name == name);
    if is_offered(name) {
        return None;
    }
    if let Some((_, bare)) = name.split_once("__") {
        return is_offered(bare).then(|| bare.to_owned());
    }
    let of_server = |tool: &&Tool| tool.name.split_once("__").is_some_and(|(_, bare)| bare == name);
    let mut found = tools.iter().filter(of_server);
    match (found.next(), found.next()) {
        (Some(tool), None) => Some(tool.name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_known_by_either_name_where_only_one_can_be_meant() {
        let tool = |name: &str| Tool {
            name: name.to_owned(),
            description: String::new(),
            parameters: Value::Null,
        };
        let tools = ["list", "files__read", "web__read", "web__fetch"].map(tool);
        assert_eq!(offered("files__list", &tools).as_deref(), Some("list"));
        assert_eq!(offered("fetch", &tools).as_deref(), Some("web__fetch"));
        assert_eq!(offered("read", &tools), None);
        assert_eq!(offered("list", &tools), None);
    }
}
