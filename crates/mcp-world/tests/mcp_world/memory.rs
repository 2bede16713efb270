//! Servers that are a map in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgauge_mcp_world::{
    Answer, Bench, Benches, Fault, RecordedServer, RecordedServers, RecordedTool, Recording, Setup,
    Snapshot, Thing,
};

/// The one setup there is.
pub(crate) fn setups() -> Vec<Setup> {
    let files = vec![("a".to_owned(), b"1".to_vec())];
    vec![Setup { name: "desk".to_owned(), files, ..Setup::default() }]
}

/// A server with two tools, which counts how often it is asked.
pub(crate) struct Memory {
    recording: Arc<RwLock<Recording>>,
    asked: Arc<AtomicUsize>,
}

impl Memory {
    pub(crate) fn start() -> Arc<Self> {
        let tool = |name: &str, required: &[&str]| RecordedTool {
            name: name.to_owned(),
            description: format!("{name}s a note"),
            input_schema: json!({
                "type": "object",
                "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
                "required": required,
            }),
            annotations: Map::from_iter([
                ("readOnlyHint".to_owned(), json!(name == "read")),
                ("destructiveHint".to_owned(), json!(name == "write")),
            ]),
        };
        let tools = vec![tool("read", &["name"]), tool("write", &["name", "text"])];
        let server = RecordedServer { tools, ..RecordedServer::default() };
        let servers = RecordedServers { servers: IndexMap::from([("desk".to_owned(), server)]) };
        let recording = Recording::of(servers);
        Arc::new(Self { recording: Arc::new(RwLock::new(recording)), asked: Arc::default() })
    }

    pub(crate) fn recorded(&self) -> Recording {
        self.recording.read().unwrap().clone()
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Benches for Memory {
    fn recording(&self) -> Arc<RwLock<Recording>> {
        Arc::clone(&self.recording)
    }

    fn take(&self, setup: &str) -> Result<Box<dyn Bench>, Fault> {
        assert_eq!(setup, "desk");
        let notes = BTreeMap::from([("a".to_owned(), "1".to_owned())]);
        Ok(Box::new(Notes { notes, asked: Arc::clone(&self.asked) }))
    }

    fn note(&self) {}

    fn keep(&self) {}
}

struct Notes {
    notes: BTreeMap<String, String>,
    asked: Arc<AtomicUsize>,
}

impl Bench for Notes {
    fn call(
        &mut self,
        server: &str,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, Fault> {
        assert_eq!(server, "desk");
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = |name: &str| arguments[name].as_str().unwrap().to_owned();
        let name = text("name");
        if name == "crash" {
            return Err(Fault("`desk` ended in the middle of a call".to_owned()));
        }
        if tool == "write" {
            self.notes.insert(name, text("text"));
            return Ok(Answer { content: "written".to_owned(), failed: false });
        }
        Ok(match self.notes.get(&name) {
            Some(text) => Answer { content: text.clone(), failed: false },
            None => Answer { content: format!("there is no `{name}`"), failed: true },
        })
    }

    fn look(&mut self) -> Result<Snapshot, Fault> {
        let notes = self.notes.iter();
        let files = notes.map(|(name, text)| (name.clone(), Thing::with("content", text.as_str())));
        Ok(Snapshot::from([("files".to_owned(), files.collect())]))
    }
}
