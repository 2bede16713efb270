//! A folder with servers of its own, for one trial after the other.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::client::Client;
use super::ground::Ground;
use super::probes;
use crate::bench::{Answer, Bench, Fault};
use crate::recording::RecordedServer;
use crate::snapshot::Snapshot;

/// A folder, and the servers that know it.
struct Slot {
    folder: PathBuf,
    clients: HashMap<String, Client>,
}

/// All slots that no trial has.
pub(super) struct Slots {
    // First, so that servers are ended before the threads that their clients run on.
    free: Mutex<Vec<Slot>>,
    pub(super) ground: Ground,
}

impl Slots {
    pub(super) fn new(ground: Ground) -> Self {
        Self { free: Mutex::default(), ground }
    }

    fn take(&self) -> Result<Slot, Fault> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free {
            Some(slot) => Ok(slot),
            None => Ok(Slot { folder: self.ground.new_folder()?, clients: HashMap::new() }),
        }
    }
}

/// A slot while a trial has it.
pub(super) struct LiveBench {
    slots: Arc<Slots>,
    /// Nothing after something broke: such servers are not used again.
    slot: Option<Slot>,
}

impl LiveBench {
    /// A slot that is laid out afresh.
    pub(super) fn take(slots: Arc<Slots>, setup: &str) -> Result<Self, Fault> {
        let mut slot = slots.take()?;
        for name in &slots.ground.fresh {
            slot.clients.remove(name);
        }
        slots.ground.setups.lay_out(setup, &slot.folder)?;
        Ok(Self { slots, slot: Some(slot) })
    }

    /// What a server says of itself; starts it if it does not run yet.
    pub(super) fn offer(&mut self, server: &str) -> Result<RecordedServer, Fault> {
        self.with_client(server, |client, _, _| Ok(client.offered().clone()))
    }

    /// Does something with the client of a server. A fault ends all servers of the slot.
    fn with_client<T>(
        &mut self,
        server: &str,
        work: impl FnOnce(&mut Client, &Ground, &str) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let ground = &self.slots.ground;
        let mut slot = self.slot.take().ok_or_else(gone)?;
        let folder = slot.folder.to_string_lossy().into_owned();
        if !slot.clients.contains_key(server) {
            let config = ground.servers.get(server).ok_or_else(gone)?;
            let client = Client::reach(ground, server, config, &folder)?;
            let before = ground.offered.get().and_then(|all| all.servers.get(server));
            if before.is_some_and(|before| before.tools != client.offered().tools) {
                return Err(Fault(format!(
                    "`{server}` offers other tools than when it was started first"
                )));
            }
            slot.clients.insert(server.to_owned(), client);
        }
        let client = slot.clients.get_mut(server).ok_or_else(gone)?;
        let done = work(client, ground, &folder)?;
        self.slot = Some(slot);
        Ok(done)
    }
}

impl Bench for LiveBench {
    fn call(
        &mut self,
        server: &str,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, Fault> {
        self.with_client(server, |client, ground, folder| {
            let real = |text: &str| ground.to_real(text, folder);
            let Value::Object(arguments) = map_texts(&Value::Object(arguments.clone()), &real)
            else {
                return Err(gone());
            };
            let answer = client.call(ground, tool, arguments)?;
            Ok(Answer { content: ground.seen_reply(&answer.content, folder), ..answer })
        })
    }

    fn look(&mut self) -> Result<Snapshot, Fault> {
        let folder = self.slot.as_ref().ok_or_else(gone)?.folder.clone();
        let slots = Arc::clone(&self.slots);
        let mut call = |server: &str, tool: &str, arguments: &Map<String, Value>| {
            self.call(server, tool, arguments)
        };
        probes::look(&slots.ground, &folder, &mut call)
    }
}

impl Drop for LiveBench {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.slots.free.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
        }
    }
}

fn gone() -> Fault {
    Fault("the servers are gone".to_owned())
}

/// A value with all its texts replaced, keys left as they are.
fn map_texts(value: &Value, with: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(with(text)),
        Value::Array(items) => items.iter().map(|item| map_texts(item, with)).collect(),
        Value::Object(map) => {
            let each = map.iter().map(|(key, value)| (key.clone(), map_texts(value, with)));
            Value::Object(each.collect())
        }
        other => other.clone(),
    }
}
