//! What servers answered, in plain files that compare line by line: in which state, to which call,
//! and to which state it led.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::snapshot::canonical_arguments;

/// What servers said of themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedServers {
    /// By the names that the suite gives them.
    pub servers: IndexMap<String, RecordedServer>,
}

/// What one server said of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedServer {
    /// Its own name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// Its tools, in its order.
    pub tools: Vec<RecordedTool>,
}

/// A tool as its server describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedTool {
    /// Its name.
    pub name: String,
    /// What it says it does.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its arguments.
    #[serde(rename = "inputSchema")]
    pub input_schema: Value,
    /// What the server says about its effects.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub annotations: Map<String, Value>,
}

impl RecordedTool {
    /// Whether the server says that a call changes nothing.
    pub fn is_read_only(&self) -> bool {
        self.says("readOnlyHint")
    }

    /// Whether the server says that a call may destroy something.
    pub fn is_destructive(&self) -> bool {
        !self.is_read_only() && self.says("destructiveHint")
    }

    fn says(&self, hint: &str) -> bool {
        self.annotations.get(hint) == Some(&Value::Bool(true))
    }
}

impl RecordedServers {
    /// What these servers lack of those that were recorded, or have otherwise. More tools than
    /// before are no loss, but calls of others may now go to them.
    pub fn differences(&self, recorded: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        for (name, before) in &recorded.servers {
            let Some(now) = self.servers.get(name) else { continue };
            for tool in &before.tools {
                let of = format!("`{}` of `{name}`", tool.name);
                match now.tools.iter().find(|other| other.name == tool.name) {
                    None => differences.push(format!("{of} is gone")),
                    Some(other) if other.input_schema != tool.input_schema => {
                        let (was, is) = (&tool.input_schema, &other.input_schema);
                        differences.push(format!("{of} takes other arguments: {is}, before {was}"));
                    }
                    Some(_) => {}
                }
            }
        }
        differences
    }
}

/// A state that was met.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedState {
    /// Its name.
    pub(crate) state: Arc<str>,
    /// The setup that it began with.
    pub(crate) setup: String,
    /// For the beginning itself: what the setup was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) made_of: Option<String>,
    /// How it differs from the beginning; nothing where nothing is looked at.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub(crate) end: Arc<Value>,
    /// What changed since the beginning, once somebody has asked.
    #[serde(skip)]
    pub(crate) changes: OnceLock<Arc<Value>>,
}

fn is_nothing(end: &Arc<Value>) -> bool {
    end.is_null()
}

impl PartialEq for RecordedState {
    fn eq(&self, other: &Self) -> bool {
        let Self { state, setup, made_of, end, changes: _ } = self;
        (state, setup, made_of, end) == (&other.state, &other.setup, &other.made_of, &other.end)
    }
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedCall {
    /// The state in which it was made.
    #[serde(rename = "in")]
    pub(crate) state: Arc<str>,
    /// The tool, as `server__tool`.
    pub(crate) tool: String,
    /// Its arguments.
    pub(crate) arguments: Map<String, Value>,
    /// What the server answered.
    pub(crate) reply: String,
    /// Whether the server said that it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) failed: bool,
    /// The state it led to, if another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<Arc<str>>,
}

/// The three files of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordingFiles {
    /// `tools.json`.
    pub tools: String,
    /// `states.ndjson`.
    pub states: String,
    /// `calls.ndjson`.
    pub calls: String,
}

impl RecordingFiles {
    /// The names of the files, in the order of the fields.
    pub const NAMES: [&str; 3] = ["tools.json", "states.ndjson", "calls.ndjson"];

    /// Whether there is nothing in them.
    pub fn is_empty(&self) -> bool {
        [&self.tools, &self.states, &self.calls].iter().all(|text| text.is_empty())
    }
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("`{file}` line {line}: {error}")]
pub struct RecordingError {
    /// The file.
    pub file: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub error: serde_json::Error,
}

/// What was recorded: states, and the calls that lead from one to another.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The servers and their tools.
    pub servers: RecordedServers,
    states: BTreeMap<Arc<str>, Arc<RecordedState>>,
    /// Where each setup begins.
    starts: HashMap<String, Arc<RecordedState>>,
    calls: BTreeMap<String, Arc<RecordedCall>>,
    by_tool: HashMap<String, Vec<Arc<RecordedCall>>>,
    /// The lines of what was added since somebody asked, where somebody does.
    added: Option<RecordingFiles>,
}

impl Recording {
    /// A recording of these servers in which nothing was called yet.
    pub fn of(servers: RecordedServers) -> Self {
        Self { servers, ..Self::default() }
    }

    /// Reads the files of a recording.
    pub fn read(files: &RecordingFiles) -> Result<Self, RecordingError> {
        let [tools, states, calls] = RecordingFiles::NAMES;
        let servers = serde_json::from_str(&files.tools).map_err(|error| RecordingError {
            file: tools,
            line: error.line(),
            error,
        })?;
        let mut recording = Self::of(servers);
        for state in lines::<RecordedState>(states, &files.states)? {
            recording.add_state(state);
        }
        for call in lines::<RecordedCall>(calls, &files.calls)? {
            recording.add_call(call);
        }
        Ok(recording)
    }

    /// The files, sorted, so that equal recordings are equal files.
    pub fn write(&self) -> RecordingFiles {
        // A line for each, and the same order whichever trial was first.
        fn lines<'r, T: Serialize + 'r>(items: impl Iterator<Item = &'r Arc<T>>) -> String {
            items.map(|item| line(item)).collect()
        }
        let tools = serde_json::to_string_pretty(&self.servers).unwrap_or_default() + "\n";
        let states = lines(self.states.values());
        RecordingFiles { tools, states, calls: lines(self.calls.values()) }
    }

    /// Gives the lines of what was added since this was called last, to be put behind those that
    /// are written. The first call only begins to watch.
    pub fn take_added(&mut self) -> RecordingFiles {
        self.added.replace(RecordingFiles::default()).unwrap_or_default()
    }

    /// What was recorded before, with all of this in its place where both have something. Of
    /// `current` setups, only what began as they do now is kept.
    #[must_use]
    pub fn over(&self, before: &Self, current: &HashMap<String, String>) -> Self {
        let mut whole = Self::of(before.servers.clone());
        whole.servers.servers.extend(self.servers.servers.clone());
        let is_current = |setup: &String| {
            let start = before.starts.get(setup).and_then(|start| start.made_of.as_ref());
            start.is_some() && start == current.get(setup)
        };
        for state in before.states.values().filter(|state| is_current(&state.setup)) {
            whole.add_state(RecordedState::clone(state));
        }
        let known = |call: &&Arc<RecordedCall>| whole.states.contains_key(&call.state);
        let calls: Vec<Arc<RecordedCall>> = before.calls.values().filter(known).cloned().collect();
        for call in calls.iter().chain(self.calls.values()) {
            whole.add_call(Arc::clone(call));
        }
        for state in self.states.values() {
            whole.add_state(RecordedState::clone(state));
        }
        whole
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty() && self.calls.is_empty()
    }

    /// How many calls were recorded.
    pub fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Every reply that was recorded, with its tool as `server__tool`.
    pub fn replies(&self) -> impl Iterator<Item = (&str, &str)> {
        self.calls.values().map(|call| (call.tool.as_str(), call.reply.as_str()))
    }

    /// Notes what a tool answered when it was called without arguments.
    pub fn add_reply(&mut self, tool: &str, reply: String, failed: bool) {
        let (state, tool, arguments) = ("".into(), tool.to_owned(), Map::new());
        self.add_call(RecordedCall { state, tool, arguments, reply, failed, to: None });
    }

    /// Where a setup begins.
    pub(crate) fn start(&self, setup: &str) -> Option<Arc<RecordedState>> {
        self.starts.get(setup).cloned()
    }

    pub(crate) fn state(&self, name: &str) -> Option<Arc<RecordedState>> {
        self.states.get(name).cloned()
    }

    /// What a call was answered in a state; its arguments in their canonical form.
    pub(crate) fn call(
        &self,
        state: &str,
        tool: &str,
        arguments: &str,
    ) -> Option<&Arc<RecordedCall>> {
        self.calls.get(&place(state, tool, arguments))
    }

    /// Every call of a tool.
    pub(crate) fn calls_of(&self, tool: &str) -> &[Arc<RecordedCall>] {
        self.by_tool.get(tool).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn add_state(&mut self, state: RecordedState) -> Arc<RecordedState> {
        let state = Arc::new(state);
        if state.made_of.is_some() {
            self.starts.insert(state.setup.clone(), Arc::clone(&state));
        } else if let Some(known) = self.states.get(&state.state) {
            // The beginning, come back to, stays the beginning.
            return Arc::clone(known);
        }
        let before = self.states.insert(Arc::clone(&state.state), Arc::clone(&state));
        if let Some(added) = self.added.as_mut().filter(|_| before.as_ref() != Some(&state)) {
            added.states.push_str(&line(&state));
        }
        state
    }

    pub(crate) fn add_call(&mut self, call: impl Into<Arc<RecordedCall>>) {
        let call = call.into();
        let place = place(&call.state, &call.tool, &canonical_arguments(&call.arguments));
        let of_tool = self.by_tool.entry(call.tool.clone()).or_default();
        let before = self.calls.insert(place, Arc::clone(&call));
        if let Some(added) = self.added.as_mut().filter(|_| before.as_ref() != Some(&call)) {
            added.calls.push_str(&line(&call));
        }
        match before {
            Some(before) => {
                if let Some(at) = of_tool.iter().position(|other| Arc::ptr_eq(other, &before)) {
                    of_tool[at] = call;
                }
            }
            None => of_tool.push(call),
        }
    }
}

fn place(state: &str, tool: &str, arguments: &str) -> String {
    [state, tool, arguments].join("\n")
}

fn line<T: Serialize>(item: &Arc<T>) -> String {
    serde_json::to_string(item).unwrap_or_default() + "\n"
}

fn lines<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, RecordingError> {
    let mut read = Vec::new();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(item) => read.push(item),
            // The last line of a run that was killed may be cut off.
            Err(error) if error.is_eof() && !line.ends_with('\n') => {}
            Err(error) => return Err(RecordingError { file, line: at + 1, error }),
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state(name: &str, setup: &str, made_of: Option<&str>) -> RecordedState {
        RecordedState {
            state: name.into(),
            setup: setup.to_owned(),
            made_of: made_of.map(str::to_owned),
            end: json!({"files": {}}).into(),
            ..RecordedState::default()
        }
    }

    fn call(state: &str, path: &str, reply: &str) -> RecordedCall {
        let arguments = Map::from_iter([("path".to_owned(), json!(path))]);
        let (state, tool) = (state.into(), "files__read".to_owned());
        RecordedCall { state, tool, arguments, reply: reply.to_owned(), failed: false, to: None }
    }

    fn recording(made_of: &str, reply: &str) -> Recording {
        let mut recording = Recording::default();
        recording.add_state(state(&format!("start-{made_of}"), "desk", Some(made_of)));
        recording.add_call(call(&format!("start-{made_of}"), "b", reply));
        recording.add_call(call(&format!("start-{made_of}"), "a", reply));
        recording
    }

    #[test]
    fn a_recording_reads_what_it_writes_in_an_order_of_its_own() {
        let written = recording("1", "x").write();
        let paths: Vec<&str> = written.calls.lines().map(|line| &line[line.len() - 17..]).collect();
        assert!(paths[0] < paths[1], "{}", written.calls);
        assert_eq!(Recording::read(&written).unwrap().write(), written);
        assert!(!written.calls.contains("failed"), "{}", written.calls);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        let mut files = recording("1", "x").write();
        files.calls.push_str("{\"in\": 1}\n");
        let error = Recording::read(&files).unwrap_err().to_string();
        assert!(error.starts_with("`calls.ndjson` line 3: "), "{error}");
    }

    #[test]
    fn lines_that_are_added_one_by_one_read_as_the_whole() {
        let mut recording = Recording::default();
        assert!(recording.take_added().is_empty());
        let mut files = RecordingFiles { tools: recording.write().tools, ..Default::default() };
        recording.add_state(state("start", "desk", Some("1")));
        for (path, reply) in [("b", "x"), ("a", "x"), ("a", "x"), ("b", "y")] {
            recording.add_call(call("start", path, reply));
            let added = recording.take_added();
            files.states.push_str(&added.states);
            files.calls.push_str(&added.calls);
        }
        assert_eq!(files.calls.lines().count(), 3, "what is known is not added: {}", files.calls);
        assert_eq!(Recording::read(&files).unwrap().write(), recording.write());
    }

    #[test]
    fn a_last_line_that_was_cut_off_is_passed_over() {
        let whole = recording("1", "x").write();
        let mut files = whole.clone();
        files.calls.push_str("{\"in\": \"start-1\", \"to");
        assert_eq!(Recording::read(&files).unwrap().write(), whole);
    }

    #[test]
    fn newer_answers_win_and_what_began_otherwise_is_left_behind() {
        let current = HashMap::from([("desk".to_owned(), "1".to_owned())]);
        let whole = recording("1", "new").over(&recording("1", "old"), &current);
        assert_eq!(whole.calls(), 2);
        assert!(!whole.write().calls.contains("old"));
        let current = HashMap::from([("desk".to_owned(), "2".to_owned())]);
        let whole = recording("2", "new").over(&recording("1", "old"), &current);
        assert_eq!((whole.calls(), whole.start("desk").unwrap().state.as_ref()), (2, "start-2"));
    }

    #[test]
    fn lost_tools_and_other_arguments_are_told_and_new_tools_are_not() {
        let tool = |name: &str, kind: &str| RecordedTool {
            name: name.to_owned(),
            input_schema: json!({"type": kind}),
            ..RecordedTool::default()
        };
        let servers = |tools: Vec<RecordedTool>| RecordedServers {
            servers: IndexMap::from([(
                "files".to_owned(),
                RecordedServer { tools, ..RecordedServer::default() },
            )]),
        };
        let before = servers(vec![tool("read", "object"), tool("write", "object")]);
        let now = servers(vec![tool("read", "array"), tool("list", "object")]);
        let told = now.differences(&before);
        let other = "`read` of `files` takes other arguments: ";
        assert_eq!(
            told[0],
            format!("{other}{{\"type\":\"array\"}}, before {{\"type\":\"object\"}}")
        );
        assert_eq!(told[1..], ["`write` of `files` is gone"]);
        assert_eq!(before.differences(&before), Vec::<String>::new());
    }
}
