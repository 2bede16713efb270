//! Folders as trials find them: made once, then copied.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use super::process::{bare_environment, end_group, own_group};
use crate::bench::Fault;
use crate::snapshot::Setup;

/// How long a command of a setup may take.
const COMMAND: Duration = Duration::from_mins(1);

/// The setups, and those that are made.
pub(super) struct Setups {
    all: Vec<Setup>,
    place: PathBuf,
    env: IndexMap<String, String>,
    made: Mutex<HashMap<String, PathBuf>>,
}

impl Setups {
    pub(super) fn new(setups: Vec<Setup>, place: PathBuf, env: IndexMap<String, String>) -> Self {
        Self { all: setups, place, env, made: Mutex::default() }
    }

    /// Makes a folder what a setup says, whatever was in it before.
    pub(super) fn lay_out(&self, name: &str, folder: &Path) -> Result<(), Fault> {
        let template = self.template(name)?;
        let copied = empty(folder).and_then(|()| copy(&template, folder));
        copied.map_err(|error| Fault(format!("cannot lay out the setup `{name}`: {error}")))
    }

    fn template(&self, name: &str) -> Result<PathBuf, Fault> {
        // Held while it is made, so that it is made once.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(name) {
            return Ok(known.clone());
        }
        let (at, setup) = self
            .all
            .iter()
            .enumerate()
            .find(|(_, setup)| setup.name == name)
            .ok_or_else(|| Fault(format!("there is no setup `{name}`")))?;
        let folder = self.place.join(at.to_string());
        let wrong = |why: String| Fault(format!("the setup `{name}`: {why}"));
        self.make(setup, &folder).map_err(wrong)?;
        made.insert(name.to_owned(), folder.clone());
        Ok(folder)
    }

    fn make(&self, setup: &Setup, folder: &Path) -> Result<(), String> {
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        for (path, bytes) in &setup.files {
            let file = inside(folder, path)?;
            let parent = file.parent().unwrap_or(folder);
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&file, bytes));
            written.map_err(|error| format!("`{path}`: {error}"))?;
        }
        for (path, sql) in &setup.sql {
            let file = inside(folder, path)?;
            let made = rusqlite::Connection::open(file).and_then(|it| it.execute_batch(sql));
            made.map_err(|error| format!("the SQL of `{path}`: {error}"))?;
        }
        for line in &setup.run {
            self.run(line, folder)?;
        }
        Ok(())
    }

    fn run(&self, line: &str, folder: &Path) -> Result<(), String> {
        let words = shlex::split(line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| format!("`{line}` is no command"))?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(folder).stdin(Stdio::null());
        bare_environment(&mut command, &self.env);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        own_group(&mut command);
        let failed = |error: io::Error| format!("`{line}` could not be run: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let until = Instant::now() + COMMAND;
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if Instant::now() > until => {
                    end_group(child.id());
                    let _ = child.wait();
                    return Err(format!("`{line}` took longer than {} s", COMMAND.as_secs()));
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        if status.success() {
            return Ok(());
        }
        let mut complaint = Vec::new();
        if let Some(stderr) = child.stderr.take() {
            let _ = io::Read::read_to_end(&mut io::Read::take(stderr, 4096), &mut complaint);
        }
        Err(format!("`{line}` failed ({status}): {}", String::from_utf8_lossy(&complaint).trim()))
    }
}

/// A path within a folder, and nowhere else.
pub(super) fn inside(folder: &Path, path: &str) -> Result<PathBuf, String> {
    let path = Path::new(path);
    let is_inside =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_inside { Ok(folder.join(path)) } else { Err(format!("`{}` leads out", path.display())) }
}

/// Takes everything out of a folder, which stays: servers know it.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&target)?;
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
