//! Puts the git revision and the target into the binary, so that `--version` and every log can
//! name them.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TOOLGAUGE_REVISION");
    println!("cargo:rerun-if-changed=build.rs");
    // A build from an archive has no git; whoever packs it can name the revision.
    let given = std::env::var("TOOLGAUGE_REVISION").ok().filter(|revision| !revision.is_empty());
    // A revision in the binary means that every commit compiles again what names it. Whoever
    // develops commits often and knows what they run, so only optimised builds name theirs.
    let is_development = std::env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    let revision = match given {
        Some(revision) => revision,
        None if is_development => "development".to_owned(),
        None => git_revision().unwrap_or_else(|| "unknown".to_owned()),
    };
    println!("cargo:rustc-env=TOOLGAUGE_REVISION={revision}");
    println!("cargo:rustc-env=TOOLGAUGE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}

fn git_revision() -> Option<String> {
    // Written at every commit and checkout, unlike `HEAD`, which often holds the name of a branch.
    if let Some(path) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&path).exists()
    {
        println!("cargo:rerun-if-changed={path}");
    }
    // In an archive that was unpacked inside another repository, git would name a commit of that.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// What git prints, if it knows.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
