//! A Git repository as a part of the end state. Without dates and without the hashes of commits,
//! which hold dates.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::super::setups::inside;
use super::{Thing, Things};

/// How many commits of a branch are looked at.
const MOST_COMMITS: &str = "500";

/// The current branch, the index, what is not committed, and every branch with its commits.
pub(super) fn things(folder: &Path, path: &str) -> Result<Things, String> {
    let place = inside(folder, path)?;
    let mut things = Things::new();
    if !place.join(".git").exists() {
        return Ok(things);
    }
    let git = |arguments: &[&str]| run(&place, arguments);
    let branch = git(&["symbolic-ref", "-q", "--short", "HEAD"]);
    let branch = branch.map_or_else(|_| "(detached)".to_owned(), |name| name.trim().to_owned());
    let itself = BTreeMap::from([
        ("branch".to_owned(), branch.into()),
        ("index".to_owned(), listed(&git(&["ls-files", "--stage", "--abbrev=8"])?)),
        ("status".to_owned(), listed(&git(&["status", "--porcelain"])?)),
    ]);
    things.insert(path.to_owned(), Thing::Properties(itself));
    let names = "--format=%(refname)";
    let refs = git(&["for-each-ref", names, "refs/heads", "refs/tags", "refs/stash"])?;
    for name in refs.lines() {
        let format = "--format=%s %T";
        let log = git(&["log", "--reverse", "-n", MOST_COMMITS, format, "--abbrev=8", name, "--"])?;
        let commits: Vec<Value> = log.lines().map(|line| short(line).into()).collect();
        let shown = name.trim_start_matches("refs/heads/").trim_start_matches("refs/");
        things.insert(format!("{path} {shown}"), Thing::with("commits", commits));
    }
    Ok(things)
}

/// A commit with the first digits of its tree: its last word.
fn short(line: &str) -> String {
    match line.rsplit_once(' ') {
        Some((subject, tree)) => format!("{subject} {}", tree.get(..8).unwrap_or(tree)),
        None => line.to_owned(),
    }
}

fn listed(text: &str) -> Value {
    text.lines().map(|line| line.replace('\t', " ")).collect()
}

fn run(place: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(place).args(arguments).stdin(Stdio::null());
    command.env_clear().env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    // To look must not write.
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.output().map_err(|error| format!("git could not be run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
