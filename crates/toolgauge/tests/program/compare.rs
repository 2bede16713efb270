//! `toolgauge compare`, `report`, `cases`, `baseline`, gates and adaptive runs, through the real
//! binary, on logs made by scripted subjects.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod adaptive;
mod comparing;
mod damage;
mod gates;
mod hostile;
#[cfg(target_os = "linux")]
mod outputs;
mod reporting;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::json;
use tempfile::TempDir;

/// The rooms of the made-up home; a case each, half of them in a tier of their own.
const CASES: usize = 24;

/// A folder with a suite of light switches, where models can be scripted.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let suite = "name: lights\nversion: \"1\"\nsystem: You switch lights.\ntools:\n  - name: \
                     set_light\n    description: Switches a light\n    parameters:\n      type: \
                     object\n      properties: {room: {type: string}, on: {type: boolean}}\n      \
                     required: [room, on]\nvariants:\n  terse: {system: Be terse.}\n  loud: \
                     {system: BE LOUD.}\ncases: cases.ndjson\n";
        std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
        let mut lines = std::fs::File::create(folder.path().join("cases.ndjson")).unwrap();
        for n in 0..CASES {
            let call = json!({"tool": "set_light", "arguments": {"room": room(n), "on": true}});
            let tier = if n < CASES / 2 { "small" } else { "large" };
            let case = json!({
                "id": room(n),
                "say": format!("turn on the light in {}", room(n)),
                "expect": {"calls": [call]},
                "tags": {"tier": tier},
            });
            writeln!(lines, "{case}").unwrap();
        }
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn toolgauge(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
        command.args(arguments).current_dir(self.path());
        command.env("NO_COLOR", "1").stdin(Stdio::null());
        for variable in ["TOOLGAUGE_MODEL", "TOOLGAUGE_LOG_DIR", "TOOLGAUGE_TRIALS"] {
            command.env_remove(variable);
        }
        command.output().unwrap()
    }

    /// Writes the script of a subject that gets these cases wrong.
    fn script(&self, name: &str, wrong: impl Fn(usize) -> bool) -> String {
        let answer = |n: usize| {
            let call =
                json!({"name": "set_light", "arguments": {"room": room(n), "on": !wrong(n)}});
            json!({"id": room(n), "calls": [call]}).to_string()
        };
        let script: Vec<String> = (0..CASES).map(answer).collect();
        std::fs::write(self.path().join(name), script.join("\n")).unwrap();
        format!("script:{name}")
    }

    /// Runs the suite on such a subject and gives its log, under a name of its own.
    fn run(&self, name: &str, wrong: impl Fn(usize) -> bool) -> String {
        let model = self.script(&format!("{name}.ndjson"), wrong);
        let folder = format!("made-{name}");
        let output =
            self.toolgauge(&["run", "suite.yaml", "-q", "-m", &model, "--log-dir", &folder]);
        assert!(output.status.code().unwrap() != 2, "{}", text(&output.stderr));
        let log = only_log(&self.path().join(folder));
        std::fs::rename(log, self.path().join(format!("{name}.eval"))).unwrap();
        format!("{name}.eval")
    }
}

fn room(n: usize) -> String {
    format!("room-{n:02}")
}

fn only_log(folder: &Path) -> PathBuf {
    let logs = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> =
        logs.filter(|path| path.extension().is_some_and(|end| end == "eval")).collect();
    assert_eq!(logs.len(), 1);
    logs.pop().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What was printed, for snapshots: times and the names of logs differ from run to run.
fn steady(output: &Output) -> String {
    let status = output.status.code().unwrap();
    let printed =
        format!("status {status}\n{}\n---- stderr\n{}", text(&output.stdout), text(&output.stderr));
    let lines = printed.lines().filter(|line| !line.trim_start().starts_with("latency"));
    // The heading of the table of times goes with it.
    let lines = lines.filter(|line| !line.trim_start().starts_with("median A"));
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}
