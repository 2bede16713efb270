//! Servers that run: started once, used by one trial after the other, each with a folder of its
//! own.

mod client;
mod ground;
mod output;
mod probes;
mod process;
mod setups;
mod slot;
mod variables;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;

use self::ground::Ground;
use self::slot::{LiveBench, Slots};
use crate::bench::{Bench, Benches, Fault};
use crate::config::{McpConfig, ServerConfig};
use crate::recording::{RecordedServers, Recording, RecordingFiles};
use crate::snapshot::Setup;

/// What a suite says of the servers to start.
pub struct LiveSuite {
    /// What it says of its world.
    pub config: McpConfig,
    /// The servers.
    pub servers: IndexMap<String, ServerConfig>,
    /// The setups; at least one.
    pub setups: Vec<Setup>,
    /// The folder that the recording is written to.
    pub folder: Option<PathBuf>,
    /// What was recorded before.
    pub recorded: Option<Recording>,
}

/// Running servers, as many as trials need at once.
pub struct LiveBenches {
    slots: Arc<Slots>,
    recording: Arc<RwLock<Recording>>,
    recorded: Option<Recording>,
    folder: Option<PathBuf>,
    made_of: HashMap<String, String>,
}

impl LiveBenches {
    /// Starts every server once, to see whether it starts and what it offers.
    pub fn start(suite: LiveSuite) -> Result<Self, Fault> {
        let LiveSuite { config, servers, mut setups, folder, recorded } = suite;
        if setups.is_empty() {
            setups.push(Setup::default());
        }
        let made_of = setups.iter().map(|setup| (setup.name.clone(), setup.made_of())).collect();
        let first = setups[0].name.clone();
        let slots = Arc::new(Slots::new(Ground::new(config, servers, setups)?));
        let mut bench = LiveBench::take(Arc::clone(&slots), &first)?;
        let mut offered = RecordedServers::default();
        for name in slots.ground.servers.keys() {
            offered.servers.insert(name.clone(), bench.offer(name)?);
        }
        // Servers that are started later must offer the same.
        slots.ground.offered.get_or_init(|| offered.clone());
        let recording = Recording::of(offered);
        let recording = Arc::new(RwLock::new(recording));
        Ok(Self { slots, recording, recorded, folder, made_of })
    }

    /// Writes what was recorded over what was recorded before.
    pub fn write(&self) -> Result<(), Fault> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let recording = self.recording.read().unwrap_or_else(PoisonError::into_inner);
        if recording.is_empty() {
            return Ok(());
        }
        let nothing = Recording::default();
        let whole = recording.over(self.recorded.as_ref().unwrap_or(&nothing), &self.made_of);
        let RecordingFiles { tools, states, calls } = whole.write();
        let failed = |error: std::io::Error| {
            Fault(format!("cannot write the recording to `{}`: {error}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        for (name, text) in RecordingFiles::NAMES.into_iter().zip([tools, states, calls]) {
            let path = folder.join(name);
            // Not in place: a recording that is cut off in the middle is worse than an old one.
            let whole = folder.join(format!(".{name}.new"));
            std::fs::write(&whole, text)
                .and_then(|()| std::fs::rename(&whole, &path))
                .map_err(failed)?;
        }
        Ok(())
    }
}

impl Benches for LiveBenches {
    fn recording(&self) -> Arc<RwLock<Recording>> {
        Arc::clone(&self.recording)
    }

    fn take(&self, setup: &str) -> Result<Box<dyn Bench>, Fault> {
        Ok(Box::new(LiveBench::take(Arc::clone(&self.slots), setup)?))
    }

    fn keep(&self) {
        // Told by whoever ends the servers, who writes once more.
        let _ = self.write();
    }
}
