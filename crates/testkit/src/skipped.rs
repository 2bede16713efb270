//! Checks that this machine cannot make: named at once, and again at the end of the test run.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

/// Leaves out the check of the calling test because this machine lacks what it `needs`. Fails where
/// the environment variable `required_by` is 1.
///
/// # Panics
///
/// When the check is required.
pub fn skip_check(needs: &str, required_by: &str) {
    let required = std::env::var(required_by).is_ok_and(|flag| flag == "1");
    assert!(!required, "{required_by} is set, and this check needs {needs}");
    // The thread of a test has its name.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{test}: needs {needs}\n");
    // Not by a macro: the test harness keeps back what those of a passing test print.
    let _ = std::io::stderr().write_all(format!("SKIPPED {line}").as_bytes());
    if let Some(file) = list() {
        let file = OpenOptions::new().create(true).append(true).open(file);
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

/// The checks that were left out so far in this test run, in the order of their names. Forgets them.
pub fn skipped_checks() -> Vec<String> {
    let Some(file) = list() else { return Vec::new() };
    let lines = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The list of one test run: all its binaries have the same parent, which is cargo.
#[cfg(unix)]
fn list() -> Option<PathBuf> {
    let run = std::os::unix::process::parent_id();
    let binary = std::env::current_exe().ok()?;
    Some(binary.parent()?.join(format!("skipped-checks-{run}.txt")))
}

/// Elsewhere a process does not know its parent, and a skipped check is named once.
#[cfg(not(unix))]
fn list() -> Option<PathBuf> {
    None
}
