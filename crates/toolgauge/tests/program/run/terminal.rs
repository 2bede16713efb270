//! What a person sees while a run is going: on a real terminal, and in a file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use toolgauge_log::Log;
use toolgauge_testkit::{self as testkit, Response, Terminal};

use crate::run::{Server, only_log, run, suite, text, toolgauge, trials};

/// A server that answers every case at once but one, and that one after so long.
struct Slow {
    server: testkit::Server,
    _runtime: tokio::runtime::Runtime,
}

fn slow(sentence: &'static str, pause: Duration) -> Slow {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let answer = json!({"choices": [{"finish_reason": "stop", "message": {"content": "no"}}]});
    let server = runtime.block_on(testkit::Server::start(move |request| {
        let answer = Response::json(200, &answer);
        let body = String::from_utf8_lossy(&request.body);
        if body.contains(&format!("{sentence}\"")) { answer.after(pause) } else { answer }
    }));
    Slow { server, _runtime: runtime }
}

impl Slow {
    fn run(&self, folder: &Path, more: &[&str]) -> Command {
        let base = ["run", ".", "-m", "any", "-c", "2", "--base-url", self.server.url()];
        toolgauge(folder, &[&base[..], more].concat())
    }
}

/// The rows of a screen that show a bar.
fn bars(screen: &str) -> Vec<&str> {
    screen.lines().filter(|line| line.contains("/20 ")).collect()
}

fn is_closed(log: &Path) -> bool {
    Log::open(log).unwrap().is_finished()
}

#[test]
fn a_bar_moves_names_the_slowest_and_leaves_nothing_behind() {
    let folder = suite(20);
    let server = slow("say the number 7", Duration::from_secs(5));
    let mut terminal = Terminal::run(&server.run(folder.path(), &[]), 30, 120);
    let screen = terminal.wait_for(|screen| screen.contains("n-7#1 for 3 s"));
    let [bar] = bars(&screen)[..] else { panic!("{screen}") };
    assert!(
        bar.contains("19/20 (") && bar.contains(" left) 19 lost points, score 0.000 ["),
        "{bar}"
    );
    assert!(bar.contains('█'), "{bar}");
    assert_eq!(terminal.end().code(), Some(0));
    let written = terminal.written();
    for ended in ["n-0#1 for", "n-6#1 for", "n-19#1 for"] {
        assert!(!written.contains(ended), "{ended}: {written}");
    }
    let screen = terminal.screen();
    assert!(
        bars(&screen).is_empty() && screen.starts_with("numbers · any · 20 trials"),
        "{screen}"
    );
    let (_, column, seen) = terminal.cursor();
    assert!(column == 0 && seen, "the cursor is at column {column}");
}

#[test]
fn a_narrow_terminal_keeps_the_bar_on_one_row() {
    let folder = suite(20);
    let server = slow("say the number 7", Duration::from_secs(4));
    let watch = |columns: u16, least: &str| {
        let mut terminal = Terminal::run(&server.run(folder.path(), &[]), 24, columns);
        let screen = terminal.wait_for(|screen| screen.contains("19/20"));
        assert!(screen.starts_with(least), "{columns}: {screen}");
        std::thread::sleep(Duration::from_millis(800));
        let screen = terminal.screen();
        let rows: Vec<&str> = screen.lines().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(rows.len(), 1, "{columns}: {screen}");
        assert_eq!(terminal.end().code(), Some(0));
        assert!(!terminal.screen().contains("/20 "), "{columns}: {}", terminal.screen());
    };
    // Each waits for the slow trial, so they do it together.
    std::thread::scope(|scope| {
        scope.spawn(|| watch(80, "00:00:0"));
        scope.spawn(|| watch(40, "19/20 19 lost points, score"));
        scope.spawn(|| watch(12, "19/20 1…"));
    });
}

#[test]
fn quiet_and_dumb_terminals_see_no_bar() {
    let folder = suite(20);
    let server = slow("say the number 7", Duration::from_secs(1));
    let mut terminal = Terminal::run(&server.run(folder.path(), &["--quiet"]), 30, 100);
    assert_eq!(terminal.end().code(), Some(0));
    let written = terminal.written();
    assert!(written.contains("20 trials") && !written.contains("/20 "), "{written}");
    // `env` comes after the terminal has said what it is.
    let mut dumb = Command::new("env");
    let command = server.run(folder.path(), &[]);
    dumb.arg("TERM=dumb").arg(command.get_program()).args(command.get_args());
    let mut terminal = Terminal::run(dumb.current_dir(folder.path()), 30, 100);
    assert_eq!(terminal.end().code(), Some(0));
    assert!(!terminal.written().contains("/20 "), "{}", terminal.written());
}

#[test]
fn where_there_is_no_terminal_a_plain_line_comes_now_and_then() {
    let folder = suite(20);
    let server = slow("say the number 7", Duration::from_secs(12));
    let mut command = server.run(folder.path(), &[]);
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    let said = text(&output.stderr);
    assert!(!said.contains('\u{1b}') && !said.contains('\r'), "{said}");
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(" of 20 trials")).collect();
    let [during, last] = lines[..] else { panic!("{said}") };
    assert!(during.contains(" s: 19 of 20 trials, 19 lost points, score 0.000 ["), "{said}");
    assert!(during.ends_with(", n-7#1 for 10 s") || during.ends_with(", n-7#1 for 9 s"), "{said}");
    assert!(last.contains("20 of 20 trials") && !last.contains(" for "), "{said}");
    let quiet = run(folder.path(), &["run", ".", "-m", "script:script.ndjson", "--quiet"]);
    assert_eq!(text(&quiet.stderr), "");
}

/// A run of many cases that take a while each, on a terminal, once some have ended.
fn under_way(latency: &str) -> (TempDir, Server, Terminal) {
    let folder = suite(200);
    let server = Server::start(folder.path(), &["--latency", latency]);
    let arguments = ["run", ".", "-m", "any", "-c", "4", "--base-url", &server.base_url];
    let terminal = Terminal::run(&toolgauge(folder.path(), &arguments), 40, 120);
    (folder, server, terminal)
}

#[test]
fn ctrl_c_lets_trials_end_and_leaves_a_closed_log_and_a_clean_terminal() {
    let (folder, _server, mut terminal) = under_way("300ms");
    terminal.wait_for(|screen| screen.contains("8/200"));
    terminal.press("\u{3}");
    let status = terminal.end();
    let screen = terminal.screen();
    assert_eq!(status.code(), Some(130), "{screen}");
    let told = "stopping: trials under way may end; press Ctrl-C again to stop now";
    assert_eq!(screen.lines().filter(|line| *line == told).count(), 1, "{screen}");
    assert!(!screen.contains("/200 (") && !screen.contains("^C"), "{screen}");
    assert!(screen.contains("--resume"), "{screen}");
    assert!(terminal.cursor().2 && terminal.cursor().1 == 0, "{screen}");
    let log = only_log(folder.path());
    assert!(is_closed(&log));
    let finished = trials(&log).len();
    assert!((8..200).contains(&finished), "{finished}");
    assert!(screen.contains(&format!("{finished} of 200 trials: unfinished")), "{screen}");
}

#[test]
fn ctrl_c_twice_stops_at_once_and_still_closes_the_log() {
    let (folder, _server, mut terminal) = under_way("30s");
    terminal.wait_for(|screen| screen.contains("#1 for "));
    let start = Instant::now();
    terminal.press("\u{3}");
    terminal.wait_for(|screen| screen.contains("press Ctrl-C again"));
    terminal.press("\u{3}");
    let status = terminal.end();
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
    let screen = terminal.screen();
    assert_eq!(status.code(), Some(130), "{screen}");
    assert!(!screen.contains("0/200 ") && !screen.contains("^C"), "{screen}");
    assert!(terminal.cursor().2 && terminal.cursor().1 == 0, "{screen}");
    let log = only_log(folder.path());
    assert!(is_closed(&log));
    assert_eq!(trials(&log).len(), 0);
}
