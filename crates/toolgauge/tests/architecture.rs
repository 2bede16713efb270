//! The crates and the edges between them are the architecture; this test keeps it true.

use std::collections::{BTreeMap, BTreeSet};

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
        "toolgauge",
        &[
            "baseline",
            "business",
            "core",
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
