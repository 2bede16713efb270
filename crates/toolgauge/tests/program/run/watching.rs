//! `summary --watch` beside a run that is going: on a real terminal, and in a file.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use tempfile::TempDir;
use toolgauge_testkit::{Terminal, wait_until};

use crate::run::{Server, only_log, run, suite, text, toolgauge, trials};

/// A run that is going, a tenth of a second a trial; ended when dropped.
struct Going {
    folder: TempDir,
    log: PathBuf,
    child: Child,
    _server: Server,
}

fn going(cases: usize) -> Going {
    let folder = suite(cases);
    let server = Server::start(folder.path(), &["--latency", "100ms"]);
    let arguments = ["run", ".", "-m", "any", "--quiet", "--base-url", &server.base_url];
    let mut command = toolgauge(folder.path(), &arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let logs = folder.path().join("logs");
    wait_until(|| logs.read_dir().is_ok_and(|mut logs| logs.next().is_some()));
    let log = only_log(folder.path());
    Going { folder, log, child, _server: server }
}

impl Going {
    fn watched(&self, rows: u16, columns: u16) -> Terminal {
        let log = self.log.to_str().unwrap();
        Terminal::run(&toolgauge(self.folder.path(), &["summary", log, "--watch"]), rows, columns)
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many trials a drawing tells of; it must be the only one on the screen.
fn told(screen: &str) -> Option<usize> {
    let headings: Vec<&str> =
        screen.lines().filter(|line| line.contains("numbers · any · ")).collect();
    assert!(headings.len() <= 1, "{screen}");
    let words = headings.first()?.split(" · ").last()?;
    words.split(' ').next()?.parse().ok()
}

/// Waits for two drawings with an increasing number of trials; gives the later screen.
fn two_drawings(terminal: &Terminal) -> String {
    let drawn = |screen: &str| screen.contains("score so far");
    let first = told(&terminal.wait_for(drawn)).unwrap();
    terminal.wait_for(|screen| drawn(screen) && told(screen).is_some_and(|n| n > first + 5))
}

#[test]
fn the_numbers_are_drawn_in_place_and_end_with_the_run() {
    let going = going(50);
    let mut terminal = going.watched(40, 100);
    let screen = two_drawings(&terminal);
    assert!(screen.starts_with("numbers · any · "), "{screen}");
    assert!(screen.contains("of 50 trials: unfinished"), "{screen}");
    assert_eq!(screen.matches("score so far").count(), 1, "{screen}");
    assert_eq!(terminal.end().code(), Some(0));
    let screen = terminal.screen();
    assert_eq!(told(&screen), Some(50), "{screen}");
    assert!(!screen.contains("unfinished") && !screen.contains("score so far"), "{screen}");
    let (_, column, seen) = terminal.cursor();
    assert!(column == 0 && seen, "{column}");
    let again = run(going.folder.path(), &["summary", going.log.to_str().unwrap(), "--watch"]);
    assert!(again.status.success(), "a run that has ended is told at once");
}

#[test]
fn a_small_terminal_shows_what_it_has_place_for() {
    let going = going(80);
    for (rows, columns) in [(12, 60), (8, 34)] {
        let terminal = going.watched(rows, columns);
        let screen = two_drawings(&terminal);
        assert!(screen.starts_with("numbers · any · "), "{screen}");
        assert!(screen.lines().count() <= usize::from(rows), "{screen}");
        let last = screen.lines().rfind(|line| !line.is_empty()).unwrap();
        assert!(last.trim_start().starts_with("score so far"), "{screen}");
    }
}

#[test]
fn ctrl_c_ends_the_watching_and_leaves_the_screen_and_the_run_alone() {
    let mut going = going(60);
    let mut terminal = going.watched(40, 100);
    two_drawings(&terminal);
    terminal.press("\u{3}");
    assert_eq!(terminal.end().code(), Some(130), "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(told(&screen).is_some() && !screen.contains("^C"), "{screen}");
    let (row, column, seen) = terminal.cursor();
    let drawn = screen.trim_end().lines().count();
    assert!(column == 0 && seen && usize::from(row) == drawn, "{row} {column} {drawn}\n{screen}");
    assert!(going.child.wait().unwrap().success());
    assert_eq!(trials(&going.log).len(), 60);
}

fn lines_of(log: &Path, folder: &Path) -> (String, String) {
    let output = run(folder, &["summary", log.to_str().unwrap(), "--watch"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn where_there_is_no_terminal_each_change_is_a_line() {
    let going = going(50);
    let (said, warned) = lines_of(&going.log, going.folder.path());
    assert!(!said.contains('\u{1b}') && warned.is_empty(), "{said}{warned}");
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(" of 50 trials, ")).collect();
    assert!(lines.len() >= 2 && lines.iter().all(|line| line.ends_with(" unscored")), "{said}");
    let counts: Vec<usize> =
        lines.iter().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    assert!(counts.is_sorted() && counts.len() == lines.len(), "{said}");
    assert!(said.contains("numbers · any · 50 trials\n"), "{said}");
}

#[test]
fn a_summary_of_a_run_that_goes_on_says_so() {
    let mut going = going(100);
    let (folder, log) = (going.folder.path().to_owned(), going.log.display().to_string());
    let summary = || run(&folder, &["summary", &log]);
    let during = text(&summary().stderr);
    assert!(during.contains("is still being written: its run goes on"), "{during}");
    going.child.kill().unwrap();
    going.child.wait().unwrap();
    let after = text(&summary().stderr);
    assert!(after.contains("was not closed: its run was killed"), "{after}");
}

#[test]
fn a_run_that_is_killed_ends_the_watching_too() {
    let mut going = going(100);
    let terminal = going.watched(40, 100);
    two_drawings(&terminal);
    going.child.kill().unwrap();
    going.child.wait().unwrap();
    let mut terminal = terminal;
    assert_eq!(terminal.end().code(), Some(0));
    let screen = terminal.screen();
    assert!(screen.contains("was not closed: its run was killed"), "{screen}");
    assert!(told(&screen).is_some_and(|n| n < 100) && !screen.contains("so far"), "{screen}");
}
