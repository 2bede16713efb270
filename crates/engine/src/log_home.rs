//! The folder that a run writes its logs to. Where that is in an object store, each log is written on
//! this machine first and uploaded as it grows: a store that is away loses nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use toolgauge_log::{LogError, LogWriter, ReadAt, address, stores};
use toolgauge_runner::StopSignal;

use crate::error::EngineError;
use crate::observer::Observer;
use crate::settings::Settings;

/// An upload may take one part in so many of the time: each one sends the whole log again.
const SHARE: u32 = 20;

/// How long to wait before a last upload is tried again.
const PAUSE: Duration = Duration::from_secs(2);

/// How much of the end of an object is compared with a file.
const COMPARED: u64 = 64 << 10;
/// How much is downloaded at once.
const DOWNLOADED: usize = 4 << 20;

/// Where logs are written, and where they belong.
pub(crate) struct LogHome {
    /// The folder on this machine.
    folder: PathBuf,
    /// The address of the folder in a store.
    address: Option<String>,
}

impl LogHome {
    /// The home of logs that are to be in a folder.
    pub(crate) fn new(named: &Path) -> Self {
        match address(named) {
            None => Self { folder: named.to_owned(), address: None },
            Some(address) => {
                let address = address.trim_end_matches('/').to_owned();
                let folder = journals().join(address.replacen("://", "/", 1));
                Self { folder, address: Some(address) }
            }
        }
    }

    /// The folder on this machine.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether logs go to a store.
    pub(crate) fn is_stored(&self) -> bool {
        self.address.is_some()
    }

    /// Refuses a store that cannot be asked, before anybody else is asked anything.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        let Some(address) = &self.address else { return Ok(()) };
        let listed = stores().and_then(|stores| stores.list(address));
        listed.map(drop).map_err(|error| EngineError::file("use", address, error))
    }

    /// The log of this name, as a file of this machine; `None` if there is none.
    pub(crate) fn find(&self, name: &Path) -> Result<Option<PathBuf>, EngineError> {
        let local = self.folder.join(name);
        let Some(address) = self.address_of(name) else {
            return Ok(local.exists().then_some(local));
        };
        let failed = |error| EngineError::file("read", &address, error);
        let stored = match stores().map_err(failed)?.open(&address) {
            Ok(stored) => Some(stored),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let Some(stored) = stored else { return Ok(local.exists().then_some(local)) };
        match File::open(&local) {
            // What is here is what is there, or goes on behind it.
            Ok(file) if is_beginning(&*stored, &file).map_err(failed)? => return Ok(Some(local)),
            // Another machine went on with the log. What is here stays, under another name.
            Ok(_) => fs::rename(&local, local.with_extension("eval.aside")).map_err(failed)?,
            Err(_) => {}
        }
        download(&*stored, &local).map_err(failed)?;
        Ok(Some(local))
    }

    fn address_of(&self, name: &Path) -> Option<String> {
        Some(format!("{}/{}", self.address.as_ref()?, name.display()))
    }

    /// Uploads logs for the first time, and goes on with it while they are written. A store that
    /// does not take them is refused here, before the first trial. `None` for logs that stay here.
    pub(crate) fn upload(
        &self,
        logs: &[LogWriter],
        (settings, stop): (&Settings, &StopSignal),
    ) -> Result<Option<Uploads>, EngineError> {
        if !self.is_stored() {
            return Ok(None);
        }
        let mut uploads = Vec::new();
        for log in logs {
            let file = log.path().to_owned();
            let name = file.file_name().map(PathBuf::from).unwrap_or_default();
            let address = self.address_of(&name).unwrap_or_default();
            uploads.push(Upload { file, address, written: log.written(), sent: 0 });
        }
        for upload in &mut uploads {
            upload.send().map_err(|error| upload.failure(error))?;
        }
        Ok(Some(Uploads::start(uploads, settings, stop)))
    }
}

/// A log on its way to a store.
struct Upload {
    file: PathBuf,
    address: String,
    /// How long the file is, without an entry that is being written.
    written: Arc<AtomicU64>,
    /// How much of it the store has.
    sent: u64,
}

impl Upload {
    /// Sends the log, if it has grown.
    fn send(&mut self) -> io::Result<()> {
        let length = self.written.load(Ordering::Acquire);
        if length == self.sent {
            return Ok(());
        }
        let file = File::open(&self.file)?;
        // Two processes may have begun the same shard on two machines, where no lock tells them of
        // each other: what is there must be a beginning of what is here.
        match stores()?.open(&self.address) {
            Ok(there) if !is_beginning(&*there, &file)? => {
                return Err(io::ErrorKind::ResourceBusy.into());
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        stores()?.upload(&file, length, &self.address)?;
        self.sent = length;
        Ok(())
    }

    fn failure(&self, error: io::Error) -> EngineError {
        if error.kind() == io::ErrorKind::ResourceBusy {
            return LogError::Busy { path: PathBuf::from(&self.address) }.into();
        }
        EngineError::file("write", &self.address, error)
    }
}

/// The logs of a run, which are uploaded while it goes.
pub(crate) struct Uploads {
    logs: Arc<Mutex<Vec<Upload>>>,
    end: mpsc::Sender<()>,
    thread: JoinHandle<()>,
}

impl Uploads {
    fn start(logs: Vec<Upload>, settings: &Settings, stop: &StopSignal) -> Self {
        let logs = Arc::new(Mutex::new(logs));
        let (end, ended) = mpsc::channel();
        let (shared, every) = (logs.clone(), settings.limits.upload_interval.duration());
        let stop = stop.gently.clone();
        let thread = thread::spawn(move || {
            let mut pause = every;
            while ended.recv_timeout(pause) == Err(mpsc::RecvTimeoutError::Timeout) {
                let began = Instant::now();
                for log in &mut *shared.lock().unwrap_or_else(PoisonError::into_inner) {
                    // A store that is away is asked again the next time; the last time tells.
                    if let Err(error) = log.send()
                        && error.kind() == io::ErrorKind::ResourceBusy
                    {
                        stop.cancel();
                        return;
                    }
                }
                pause = every.max(began.elapsed() * SHARE);
            }
        });
        Self { logs, end, thread }
    }

    /// Uploads what the logs came to, and removes them from this machine. A store that is away is
    /// waited for; if it stays away, the logs are kept and named.
    pub(crate) async fn finish(
        self,
        (settings, stop): (&Settings, &StopSignal),
        observer: &dyn Observer,
    ) -> Result<Vec<PathBuf>, EngineError> {
        // The thread may have ended by itself, and then there is nobody to tell.
        let _ = self.end.send(());
        let _ = self.thread.join();
        let logs = std::mem::take(&mut *self.logs.lock().unwrap_or_else(PoisonError::into_inner));
        let deadline = Instant::now() + settings.limits.patience.duration();
        let mut addresses = Vec::new();
        for mut log in logs {
            // A run that measured nothing removes its log, and so does its place in the store.
            if !log.file.exists() {
                let _ = stores().and_then(|stores| stores.remove(&log.address));
                continue;
            }
            let mut told = false;
            while let Err(error) = log.send() {
                let is_busy = error.kind() == io::ErrorKind::ResourceBusy;
                if is_busy || Instant::now() >= deadline || stop.gently.is_cancelled() {
                    let why = log.failure(error).to_string();
                    return Err(EngineError::NotUploaded { file: log.file, why });
                }
                if !told {
                    observer.warning(&format!("{}; trying again", log.failure(error)));
                    told = true;
                }
                tokio::time::sleep(PAUSE).await;
            }
            // It is where it belongs; what stays here does no harm.
            let _ = fs::remove_file(&log.file);
            addresses.push(PathBuf::from(log.address));
        }
        Ok(addresses)
    }
}

/// Whether a file begins with what an object holds, by the object's end.
fn is_beginning(object: &dyn ReadAt, file: &File) -> io::Result<bool> {
    let size = object.size()?;
    if size > file.size()? {
        return Ok(false);
    }
    let length = usize::try_from(size.min(COMPARED)).unwrap_or_default();
    let (mut there, mut here) = (vec![0; length], vec![0; length]);
    let from = size - length as u64;
    let read = (object.read_at(&mut there, from)?, file.read_at(&mut here, from)?);
    Ok(read == (length, length) && there == here)
}

fn download(object: &dyn ReadAt, file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut part = tempfile::NamedTempFile::new_in(folder)?;
    let (mut at, mut bytes) = (0, vec![0; DOWNLOADED]);
    while at < object.size()? {
        let read = object.read_at(&mut bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        io::Write::write_all(&mut part, &bytes[..read])?;
        at += read as u64;
    }
    part.persist(file).map(drop).map_err(|error| error.error)
}

/// The folder of logs that are on their way to a store. No cache: what is here may be nowhere else.
fn journals() -> PathBuf {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = variable("XDG_STATE_HOME").filter(|folder| folder.is_absolute());
    let state = state.or_else(|| variable("LOCALAPPDATA"));
    let state = state.or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.unwrap_or_else(std::env::temp_dir).join("toolgauge/journals")
}
