//! Puts the git revision into the binary, so that `--version` and every log can name it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TOOLGAUGE_REVISION");
    for file in ["HEAD", "index"] {
        let path = format!("../../.git/{file}");
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // A build from an archive has no git; whoever packs it can name the revision.
    let revision = std::env::var("TOOLGAUGE_REVISION").ok().or_else(git_revision);
    println!("cargo:rustc-env=TOOLGAUGE_REVISION={}", revision.as_deref().unwrap_or("unknown"));
}

fn git_revision() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let revision = text.trim();
    (output.status.success() && !revision.is_empty()).then(|| revision.to_owned())
}
