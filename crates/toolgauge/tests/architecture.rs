//! The crates and the edges between them are the architecture; this test keeps it true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Which crate may use which, as in ARCHITECTURE.md.
const EDGES: &[(&str, &[&str])] = &[
    ("toolgauge-core", &[]),
    ("toolgauge-stats", &[]),
    ("toolgauge-suite", &["core"]),
    ("toolgauge-world", &["core"]),
    ("toolgauge-model", &["core"]),
    ("toolgauge-baseline", &["core"]),
    ("toolgauge-score", &["core"]),
    ("toolgauge-log", &["core"]),
    ("toolgauge-import", &["core"]),
    ("toolgauge-feedback", &["core", "log"]),
    ("toolgauge-home-assistant", &["core", "world"]),
    ("toolgauge-business", &["core", "world"]),
    ("toolgauge-runner", &["core", "score", "world"]),
    ("toolgauge-report", &["core", "import", "log", "stats"]),
    ("toolgauge-view", &["core", "feedback", "log", "report"]),
    ("toolgauge-serve", &["core", "runner", "suite", "world"]),
    ("toolgauge-testkit", &["core"]),
    (
        "toolgauge-engine",
        &[
            "baseline",
            "business",
            "core",
            "home-assistant",
            "log",
            "model",
            "report",
            "runner",
            "score",
            "stats",
            "suite",
            "world",
        ],
    ),
    (
        "toolgauge",
        &[
            "baseline",
            "business",
            "core",
            "engine",
            "feedback",
            "home-assistant",
            "import",
            "log",
            "model",
            "report",
            "runner",
            "score",
            "serve",
            "stats",
            "suite",
            "view",
            "world",
        ],
    ),
];

#[test]
fn crates_use_only_the_crates_below_them() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata runs");
    let mut found = BTreeMap::new();
    for package in metadata.workspace_packages() {
        let edges: BTreeSet<&str> = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == DependencyKind::Normal)
            .filter_map(|dependency| dependency.name.strip_prefix("toolgauge-"))
            .collect();
        found.insert(package.name.as_str(), edges);
    }
    let wanted: BTreeMap<&str, BTreeSet<&str>> =
        EDGES.iter().map(|(name, edges)| (*name, edges.iter().copied().collect())).collect();
    assert_eq!(found, wanted);
}

/// A figure that no command shows is one that nobody can check.
#[test]
fn every_public_function_of_stats_is_used_by_the_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies in a folder");
    let mut program = String::new();
    for folder in std::fs::read_dir(crates).expect("the crates can be listed").flatten() {
        if folder.file_name() != "stats" {
            sources(&folder.path().join("src")).iter().for_each(|text| program.push_str(text));
        }
    }
    let words: BTreeSet<&str> = program.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut unused = Vec::new();
    for text in sources(&crates.join("stats/src")) {
        let public = text.split("pub fn ").skip(1).chain(text.split("pub const fn ").skip(1));
        let names = public.filter_map(|rest| rest.split(['(', '<']).next());
        unused.extend(names.filter(|name| !words.contains(name)).map(str::to_owned));
    }
    assert_eq!(unused, Vec::<String>::new(), "nothing but tests calls these");
}

/// The text of every source file below a folder, without the tests inside.
fn sources(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path.ends_with("tests.rs")
        {
            let text = std::fs::read_to_string(&path).expect("a source file is text");
            found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
        }
    }
    found
}
