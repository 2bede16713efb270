//! `toolgauge run`, through the real binary, against a real server on loopback.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod business;
mod chatbots;
#[cfg(target_os = "linux")]
mod decision;
mod decoys;
mod echoes;
#[cfg(unix)]
mod endless;
mod faults;
mod feedback;
mod golden;
mod grades;
mod inspect;
#[cfg(unix)]
mod interrupted;
mod judging;
#[cfg(target_os = "linux")]
mod leftovers;
mod likeness;
#[cfg(target_os = "linux")]
mod limits;
mod matrix;
mod messages;
mod prompt_cache;
mod replay;
mod results;
mod resume;
mod secrets;
mod servers;
mod set_up;
mod shards;
#[cfg(unix)]
mod stopping;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod watching;
#[cfg(target_os = "linux")]
mod widths;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_core::Trial;
use toolgauge_log::Log;

/// The program, to be run in a folder with nothing of this machine's settings.
fn toolgauge(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    for variable in ["OPENAI_API_KEY", "TOOLGAUGE_MODEL", "TOOLGAUGE_BASE_URL"] {
        command.env_remove(variable);
    }
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    toolgauge(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A suite of so many cases, each asking for its own number, and a script that gets every third
/// one wrong.
fn suite(cases: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = "name: numbers\ntools:\n  - name: say\n    description: Says a number\n    \
                 parameters: {type: object, properties: {n: {type: integer}}, required: [n]}\n\
                 cases: cases.ndjson\n";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let mut lines = std::fs::File::create(folder.path().join("cases.ndjson")).unwrap();
    let mut script = std::fs::File::create(folder.path().join("script.ndjson")).unwrap();
    for n in 0..cases {
        let say = format!("say the number {n}");
        let expect = json!({"calls": [{"tool": "say", "arguments": {"n": n}}]});
        let tags = json!({"parity": if n % 2 == 0 { "even" } else { "odd" }});
        let case = json!({"id": format!("n-{n}"), "say": say, "expect": expect, "tags": tags});
        writeln!(lines, "{case}").unwrap();
        let said = if n % 3 == 0 { n + 1 } else { n };
        let call = json!({"name": "say", "arguments": {"n": said}});
        writeln!(script, "{}", json!({"request": say, "calls": [call]})).unwrap();
    }
    folder
}

/// A server that answers from the suite's script.
struct Server {
    child: Child,
    base_url: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::serving(folder, &[&["--script", "script.ndjson"], arguments].concat())
    }

    /// A server that answers as a run was answered.
    fn replaying(folder: &Path, log: &Path) -> Self {
        Self::serving(folder, &["--replay", log.to_str().unwrap()])
    }

    fn serving(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = toolgauge(folder, &["serve", "--port", "0"]);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").unwrap().trim_end();
        let base_url = format!("{address}/v1");
        Self { child, base_url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The only log in the folder's `logs`.
fn only_log(folder: &Path) -> PathBuf {
    let logs: Vec<PathBuf> = std::fs::read_dir(folder.join("logs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    logs[0].clone()
}

/// How many trials the logs of a folder hold, those of a run that is going on included.
fn finished(folder: &Path) -> usize {
    let logs = folder.join("logs");
    let logs = toolgauge_log::list(&logs)
        .into_iter()
        .flatten()
        .filter_map(|log| Log::open(&log.ok()?.path).ok());
    logs.map(|log| log.summaries().count()).sum()
}

/// Every trial of a log, by name.
fn trials(log: &Path) -> BTreeMap<String, Trial> {
    let trials = Log::open(log).unwrap();
    let trials = trials.trials().map(|trial| trial.unwrap());
    trials.map(|trial| (trial.id().to_string(), trial)).collect()
}

/// What a trial came to, timings apart.
fn result(trial: &Trial) -> Value {
    json!({"messages": trial.transcript.messages, "outcomes": trial.outcomes})
}

/// What every trial of a log came to, timings apart.
fn results(log: &Path) -> BTreeMap<String, Value> {
    trials(log).iter().map(|(id, trial)| (id.clone(), result(trial))).collect()
}
