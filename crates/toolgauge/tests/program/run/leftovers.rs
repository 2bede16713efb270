//! Nothing that toolgauge starts outlives it, however it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use toolgauge_testkit::wait_until;

use crate::run::{run, suite, text, toolgauge};

/// A program that writes the numbers of its processes into `pids`: its own, that of a child that
/// opened a session of its own, and that of a grandchild of it.
fn program(folder: &TempDir, then: &str) -> String {
    let script = format!(
        "#!/bin/sh\nsetsid sh -c 'sleep 600 & echo $! >> pids; echo $$ >> pids; wait' \
         </dev/null >/dev/null 2>&1 &\necho $$ >> pids\n\
         while [ $(wc -l < pids) -lt 3 ]; do sleep 0.1; done\n{then}\n"
    );
    let path = folder.path().join("program");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn processes(folder: &Path) -> Vec<String> {
    let listed = fs::read_to_string(folder.join("pids")).unwrap_or_default();
    listed.lines().map(str::to_owned).collect()
}

/// Whether a process is there and not merely waiting to be noticed.
fn lives(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

#[test]
fn a_session_that_a_command_opened_ends_with_the_run() {
    let folder = suite(1);
    let model = format!("command:{}", program(&folder, "echo 1"));
    let output = run(folder.path(), &["run", ".", "-m", &model]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let processes = processes(folder.path());
    assert_eq!(processes.len(), 3);
    wait_until(|| !processes.iter().any(|process| lives(process)));
}

#[test]
fn commands_and_servers_end_when_toolgauge_is_killed() {
    for server in [false, true] {
        let folder = suite(1);
        let program = program(&folder, "exec sleep 600");
        fs::write(folder.path().join("m.gguf"), "GGUF").unwrap();
        let chatbot = format!("command:{program}");
        let arguments = if server {
            vec!["run", ".", "-m", "m.gguf", "--llama-server", &program]
        } else {
            vec!["run", ".", "-m", &chatbot]
        };
        let mut command = toolgauge(folder.path(), &arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until(|| processes(folder.path()).len() == 3);
        let killed = Command::new("kill").args(["-KILL", &child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        child.wait().unwrap();
        let processes = processes(folder.path());
        wait_until(|| !processes.iter().any(|process| lives(process)));
    }
}
