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
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

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
    /// Whether the files hold everything, so that lines may be added to them. Held while they are
    /// written.
    is_whole: Mutex<bool>,
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
        let mut recording = Recording::of(offered);
        if folder.is_some() {
            recording.take_added();
        }
        let recording = Arc::new(RwLock::new(recording));
        let is_whole = Mutex::new(false);
        Ok(Self { slots, recording, recorded, folder, made_of, is_whole })
    }

    /// Writes what was recorded over what was recorded before.
    pub fn write(&self) -> Result<(), Fault> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut is_whole = self.is_whole.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.write_whole(folder);
        *is_whole = written.is_ok();
        written.map_err(|error| {
            Fault(format!("cannot write the recording to `{}`: {error}", folder.display()))
        })
    }

    fn write_whole(&self, folder: &Path) -> std::io::Result<()> {
        let mut recording = self.recording.write().unwrap_or_else(PoisonError::into_inner);
        if recording.is_empty() {
            return Ok(());
        }
        let nothing = Recording::default();
        let whole = recording.over(self.recorded.as_ref().unwrap_or(&nothing), &self.made_of);
        recording.take_added();
        drop(recording);
        let RecordingFiles { tools, states, calls } = whole.write();
        fs::create_dir_all(folder)?;
        for (name, text) in RecordingFiles::NAMES.into_iter().zip([tools, states, calls]) {
            // Not in place: a recording that is cut off in the middle is worse than an old one.
            let whole = folder.join(format!(".{name}.new"));
            fs::write(&whole, text)?;
            fs::rename(&whole, folder.join(name))?;
        }
        Ok(())
    }

    /// Adds what is new to the files, which must hold everything else. States come before the
    /// calls that lead to them.
    fn add(&self, folder: &Path) -> std::io::Result<()> {
        let added = self.recording.write().unwrap_or_else(PoisonError::into_inner).take_added();
        let [_, states, calls] = RecordingFiles::NAMES;
        for (name, lines) in [(states, &added.states), (calls, &added.calls)] {
            if !lines.is_empty() {
                let mut file = fs::OpenOptions::new().append(true).open(folder.join(name))?;
                file.write_all(lines.as_bytes())?;
            }
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

    fn note(&self) {
        let Some(folder) = &self.folder else { return };
        let mut is_whole = self.is_whole.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever ends the servers writes once more, and says what fails.
        *is_whole = *is_whole && self.add(folder).is_ok() || self.write_whole(folder).is_ok();
    }

    fn keep(&self) {
        // Told by whoever ends the servers, who writes once more.
        let _ = self.write();
    }
}
