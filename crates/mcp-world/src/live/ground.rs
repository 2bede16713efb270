//! What all slots share.

use std::future::Future;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indexmap::IndexMap;
use regex::Regex;
use tokio::runtime::Runtime;

use super::setups::Setups;
use super::variables::Variables;
use crate::bench::Fault;
use crate::config::{McpConfig, Probes, ServerConfig};
use crate::recording::RecordedServers;
use crate::snapshot::Setup;

/// How long a server may take to start. Packages may have to be unpacked first.
pub(super) const START: Duration = Duration::from_mins(2);

/// What all slots share.
pub(super) struct Ground {
    /// Runs the clients. Calls come from threads that may wait.
    runtime: Option<Runtime>,
    /// The servers, with all variables put in but the folder of a trial.
    pub(super) servers: IndexMap<String, ServerConfig>,
    pub(super) setups: Setups,
    pub(super) probes: Probes,
    pub(super) fresh: Vec<String>,
    pub(super) limit: Duration,
    /// What the servers offered when they were started first.
    pub(super) offered: OnceLock<RecordedServers>,
    workspace: String,
    masks: Vec<(Regex, String)>,
    variables: Variables,
    slots: AtomicUsize,
    // Last, so that servers are gone before their folders.
    root: tempfile::TempDir,
}

impl Ground {
    pub(super) fn new(
        config: McpConfig,
        servers: IndexMap<String, ServerConfig>,
        setups: Vec<Setup>,
    ) -> Result<Self, Fault> {
        let failed = |error: std::io::Error| Fault(format!("cannot prepare to start: {error}"));
        for name in &config.fresh {
            if !servers.contains_key(name) {
                return Err(Fault(format!("`fresh` names `{name}`, which is no server")));
            }
        }
        let mut variables = Variables::default();
        let env = put_in_all(&config.env, &mut variables)?;
        let mut planned = IndexMap::new();
        for (name, server) in servers {
            planned.insert(name, planned_server(server, &env, &mut variables)?);
        }
        let mask = |mask: &crate::config::Mask| {
            let pattern = Regex::new(&mask.pattern)
                .map_err(|error| Fault(format!("the mask `{}`: {error}", mask.pattern)))?;
            Ok((pattern, mask.with.clone()))
        };
        let masks = config.mask.iter().map(mask).collect::<Result<_, Fault>>()?;
        let root = tempfile::Builder::new().prefix("toolgauge-mcp-").tempdir().map_err(failed)?;
        let place = root.path().canonicalize().map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(failed)?;
        Ok(Self {
            runtime: Some(runtime),
            servers: planned,
            setups: Setups::new(setups, place.join("setups"), env),
            probes: config.state,
            fresh: config.fresh,
            limit: Duration::from_secs_f64(config.seconds),
            offered: OnceLock::new(),
            workspace: config.workspace,
            masks,
            variables,
            slots: AtomicUsize::new(0),
            root,
        })
    }

    /// A folder that no trial has used.
    pub(super) fn new_folder(&self) -> Result<PathBuf, Fault> {
        let number = self.slots.fetch_add(1, Ordering::Relaxed);
        let failed = |error: std::io::Error| Fault(format!("cannot make a folder: {error}"));
        let folder =
            self.root.path().canonicalize().map_err(failed)?.join(format!("slot-{number}"));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        Ok(folder)
    }

    /// Has the clients' own threads do something, and waits for it so long at most.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = channel();
        let task = self.runtime.as_ref()?.spawn(async move {
            let _ = sender.send(work.await);
        });
        match receiver.recv_timeout(limit) {
            Ok(done) => Some(done),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                task.abort();
                None
            }
        }
    }

    /// A text of the subject, as servers know the places it names.
    pub(super) fn to_real(&self, text: &str, folder: &str) -> String {
        replace_path(text, &self.workspace, folder)
    }

    /// A text of a server, as the subject may see it.
    pub(super) fn to_seen(&self, text: &str, folder: &str) -> String {
        self.variables.hide(text.replace(folder, &self.workspace))
    }

    /// A reply of a server, as the subject may see it.
    pub(super) fn seen_reply(&self, text: &str, folder: &str) -> String {
        let mut text = self.to_seen(text, folder);
        for (pattern, with) in &self.masks {
            if pattern.is_match(&text) {
                text = pattern.replace_all(&text, with.as_str()).into_owned();
            }
        }
        text
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Whoever drops this may be a task of another runtime, which must not wait.
            runtime.shutdown_background();
        }
    }
}

fn put_in_all(
    env: &IndexMap<String, String>,
    variables: &mut Variables,
) -> Result<IndexMap<String, String>, Fault> {
    let each = env.iter().map(|(name, value)| Ok((name.clone(), put_in(value, variables)?)));
    each.collect()
}

fn put_in(text: &str, variables: &mut Variables) -> Result<String, Fault> {
    variables.put_in(text, |name| std::env::var(name).ok())
}

fn planned_server(
    server: ServerConfig,
    env: &IndexMap<String, String>,
    variables: &mut Variables,
) -> Result<ServerConfig, Fault> {
    let ServerConfig { command, args, env: own, cwd, kind, url, headers } = server;
    let mut optional = |text: Option<String>| text.map(|text| put_in(&text, variables)).transpose();
    let (command, cwd, url) = (optional(command)?, optional(cwd)?, optional(url)?);
    let args = args.iter().map(|text| put_in(text, variables)).collect::<Result<_, _>>()?;
    let mut all = env.clone();
    all.extend(put_in_all(&own, variables)?);
    let headers = put_in_all(&headers, variables)?;
    Ok(ServerConfig { command, args, env: all, cwd, kind, url, headers })
}

/// Replaces a path where it stands whole or at the beginning of a longer one, and not within
/// another word.
fn replace_path(text: &str, path: &str, with: &str) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let end = at + path.len();
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_whole = !rest[end..].starts_with(goes_on);
        written.push_str(&rest[..at]);
        written.push_str(if is_whole { with } else { path });
        rest = &rest[end..];
    }
    written + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_workspace_itself_is_replaced() {
        let text = "/workspace/a, /workspaces/b, \"/workspace\" and /workspace-2";
        let replaced = "/tmp/1/a, /workspaces/b, \"/tmp/1\" and /workspace-2";
        assert_eq!(replace_path(text, "/workspace", "/tmp/1"), replaced);
    }
}
