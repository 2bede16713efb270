//! `toolgauge view` as a process: who is let in, and a case that is run again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn toolgauge(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.current_dir(folder).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Viewer {
    child: Child,
    host: String,
    /// What follows the host in the address that was printed.
    page: String,
}

impl Viewer {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::of("logs", folder, arguments)
    }

    fn of(place: &str, folder: &Path, arguments: &[&str]) -> Self {
        let all = [&["view", place, "--port", "0", "--no-cache"], arguments].concat();
        let mut child = toolgauge(folder, &all).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://").unwrap().trim_end();
        let (host, page) = address.split_once('/').unwrap();
        Self { child, host: host.to_owned(), page: format!("/{page}") }
    }

    fn ask(&self, line: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, length) = (&self.host, body.len());
        let head = format!("{line} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// A page, once it holds these words.
    fn page_with(&self, path: &str, words: &str) -> String {
        let began = Instant::now();
        loop {
            let page = self.ask(&format!("GET {path}"), "");
            if page.contains(words) {
                return page;
            }
            assert!(began.elapsed() < Duration::from_mins(1), "{path} never holds {words}: {page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a suite and the log of a run of it.
fn with_a_run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = toolgauge(folder.path(), &["init", "suite"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let run = ["run", "suite", "--model", "baseline", "--log-dir", "logs", "-q"];
    toolgauge(folder.path(), &run).output().unwrap();
    folder
}

fn log_names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder.join("logs")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| toolgauge_log::is_log(Path::new(name))).collect()
}

#[test]
fn other_machines_are_let_in_only_with_a_password() {
    let folder = with_a_run();
    let open = ["view", "logs", "--bind", "0.0.0.0", "--port", "0"];
    let refused = toolgauge(folder.path(), &open).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("needs a password") && words.contains("`--token`"), "{words}");
    std::fs::write(folder.path().join("short"), "1234567\n").unwrap();
    let short = ["view", "logs", "--password-file", "short", "--port", "0"];
    let short = toolgauge(folder.path(), &short).output().unwrap();
    let words = String::from_utf8(short.stderr).unwrap();
    assert!(words.contains("fewer than eight characters"), "{words}");
    let viewer = Viewer::start(folder.path(), &["--token", "--base-path", "evals"]);
    assert!(viewer.page.starts_with("/evals/?token="), "{}", viewer.page);
    assert!(viewer.ask("GET /evals/", "").starts_with("HTTP/1.1 401"));
    let entered = viewer.ask(&format!("GET {}", viewer.page), "");
    assert!(entered.starts_with("HTTP/1.1 303") && entered.contains("/evals/"), "{entered}");
}

#[test]
fn a_case_is_run_again_from_its_page() {
    let folder = with_a_run();
    let [log] = &log_names(folder.path())[..] else { panic!("one log") };
    let viewer = Viewer::start(folder.path(), &["--allow-run"]);
    let list = viewer.page_with(&format!("/run/{log}/rows?count=1"), "/case?id=");
    let case = list.split("/case?id=").nth(1).unwrap().split('&').next().unwrap();
    let page = viewer.page_with(&format!("/run/{log}/case?id={case}"), "Try again now");
    let command = format!("toolgauge run suite --model baseline --case {case}");
    assert!(page.contains(&command), "{page}");
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = format!("token={token}&log={log}&id={case}");
    let started = viewer.ask("POST /again", &form);
    assert!(started.starts_with("HTTP/1.1 303"), "{started}");
    let done = viewer.page_with("/again", "The new answer");
    assert_eq!(log_names(folder.path()).len(), 2);
    let new = done.split("href=\"").find(|link| link.contains("/case?id=") && !link.contains(log));
    assert!(new.is_some(), "{done}");
}

#[test]
fn no_feedback_is_asked_for_where_it_could_not_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"{"messages": [{"role": "user", "content": "Turn it on."}, {"role": "assistant", "content": "Done."}]}"#;
    std::fs::write(folder.path().join("talk.jsonl"), format!("{line}\n{line}\n")).unwrap();
    let viewer = Viewer::of("talk.jsonl", folder.path(), &[]);
    let cases = viewer.page_with(&format!("{}/cases", viewer.page), "/case?id=");
    let case = cases.split("href=\"").filter_map(|part| part.split('"').next());
    let case = case.into_iter().find(|link| link.contains("/case?id=")).unwrap();
    let page = viewer.page_with(&case.replace("&amp;", "&"), "Judgement");
    assert!(page.contains("gone when the viewer ends"), "{page}");
    assert!(!page.contains("name=\"correction\""), "{page}");
}

/// What a log names is not started for visitors: somebody else may have made the log.
#[cfg(unix)]
#[test]
fn a_command_that_a_log_names_is_not_started_from_its_page() {
    let folder = with_a_run();
    std::fs::remove_dir_all(folder.path().join("logs")).unwrap();
    std::fs::write(
        folder.path().join("bot.sh"),
        "echo x >> started; cat > /dev/null; echo hello\n",
    )
    .unwrap();
    let run = ["run", "suite", "--model", "command:sh bot.sh", "--log-dir", "logs", "--limit", "1"];
    toolgauge(folder.path(), &run).output().unwrap();
    let started = || std::fs::read_to_string(folder.path().join("started")).unwrap();
    let before = started();
    let [log] = &log_names(folder.path())[..] else { panic!("one log") };
    let viewer = Viewer::start(folder.path(), &["--allow-run"]);
    let list = viewer.page_with(&format!("/run/{log}/rows?count=1"), "/case?id=");
    let case = list.split("/case?id=").nth(1).unwrap().split('&').next().unwrap();
    let page =
        viewer.page_with(&format!("/run/{log}/case?id={case}"), "The viewer does not start this");
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let refused = viewer.ask("POST /again", &format!("token={token}&log={log}&id={case}"));
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    assert!(refused.contains("no model of the viewer"), "{refused}");
    assert_eq!((started(), log_names(folder.path()).len()), (before, 1));
}
