//! The crates and the edges between them are the architecture; this test keeps it true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};
use regex::Regex;

/// Which crate may use which, as in ARCHITECTURE.md.
const EDGES: &[(&str, &[&str])] = &[
    ("toolgauge-core", &[]),
    ("toolgauge-stats", &[]),
    ("toolgauge-document", &[]),
    ("toolgauge-suite", &["core", "document"]),
    ("toolgauge-world", &["core"]),
    ("toolgauge-model", &["core"]),
    ("toolgauge-baseline", &["core"]),
    ("toolgauge-score", &["core"]),
    ("toolgauge-log", &["core"]),
    ("toolgauge-import", &["core"]),
    ("toolgauge-home-import", &[]),
    ("toolgauge-home-agent", &["core", "home-import"]),
    ("toolgauge-feedback", &["core", "log"]),
    ("toolgauge-home-assistant", &["core", "document", "score", "world"]),
    ("toolgauge-business", &["core", "world"]),
    ("toolgauge-mcp-world", &["core", "world"]),
    ("toolgauge-runner", &["core", "score", "world"]),
    ("toolgauge-report", &["core", "import", "log", "stats"]),
    ("toolgauge-tables", &["core", "log", "report"]),
    ("toolgauge-sql", &["core", "log", "tables"]),
    ("toolgauge-view", &["core", "feedback", "log", "report"]),
    ("toolgauge-serve", &["core", "runner", "suite", "world"]),
    ("toolgauge-mcp-server", &[]),
    ("toolgauge-stores", &["log"]),
    ("toolgauge-testkit", &["core"]),
    (
        "toolgauge-fuzzing",
        &[
            "business",
            "core",
            "engine",
            "feedback",
            "home-assistant",
            "home-import",
            "import",
            "log",
            "model",
            "report",
            "runner",
            "score",
            "serve",
            "suite",
            "view",
            "world",
        ],
    ),
    (
        "toolgauge-engine",
        &[
            "baseline",
            "business",
            "core",
            "home-agent",
            "home-assistant",
            "home-import",
            "import",
            "log",
            "mcp-world",
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
            "home-import",
            "import",
            "log",
            "mcp-server",
            "model",
            "report",
            "runner",
            "score",
            "serve",
            "sql",
            "stats",
            "stores",
            "suite",
            "tables",
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

/// Every further binary costs a link, and its tests wait for those of the one before.
#[test]
fn the_tests_of_a_crate_are_one_binary() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies in a folder");
    let mut wrong = Vec::new();
    for folder in std::fs::read_dir(crates).expect("the crates can be listed").flatten() {
        let Ok(entries) = std::fs::read_dir(folder.path().join("tests")) else { continue };
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        let file = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "rs");
        wrong.extend(paths.iter().filter(file).cloned());
        let binaries = paths.into_iter().filter(|path| path.join("main.rs").exists());
        wrong.extend(binaries.skip(1));
    }
    assert_eq!(wrong, Vec::<PathBuf>::new(), "these belong into `tests/<name>/main.rs`");
}

/// No crate of ours has unsafe code: the workspace forbids it, and every crate takes its lints
/// from there and adds none of its own.
#[test]
fn unsafe_code_is_forbidden_in_every_crate() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata runs");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a manifest can be read");
    let workspace = read(metadata.workspace_root.join("Cargo.toml").as_std_path());
    let rust = workspace.split("[workspace.lints.rust]").nth(1).expect("there are lints of rustc");
    let rust = rust.split("\n[").next().unwrap_or_default();
    assert!(rust.contains("\nunsafe_code = \"forbid\"\n"), "{rust}");
    for package in metadata.workspace_packages() {
        let manifest = read(package.manifest_path.as_std_path());
        let lints: Vec<&str> = manifest.split("\n[lints").skip(1).collect();
        assert!(
            matches!(lints[..], [own] if own.starts_with("]\nworkspace = true\n")),
            "`{}` does not take the lints of the workspace",
            package.name
        );
    }
}

/// A figure that no command shows is one that nobody can check.
#[test]
fn every_public_function_of_stats_is_used_by_the_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies in a folder");
    let mut program = String::new();
    for folder in std::fs::read_dir(crates).expect("the crates can be listed").flatten() {
        if folder.file_name() != "stats" {
            program.extend(sources(&folder.path().join("src")));
        }
    }
    // The Python package is a program too, in a workspace of its own.
    program.extend(sources(&crates.join("../python/src")));
    let words: BTreeSet<&str> = program.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut unused = Vec::new();
    for text in sources(&crates.join("stats/src")) {
        let public = text.split("pub fn ").skip(1).chain(text.split("pub const fn ").skip(1));
        let names = public.filter_map(|rest| rest.split(['(', '<']).next());
        unused.extend(names.filter(|name| !words.contains(name)).map(str::to_owned));
    }
    assert_eq!(unused, Vec::<String>::new(), "nothing but tests calls these");
}

/// A world brings its own words, so that adding one edits no crate below it. Old logs are read by
/// the words of then, which stand in a file of data beside the code.
#[test]
fn no_word_of_one_world_stands_in_the_crates_below_the_worlds() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let words = Regex::new(
        r#"(?x) (?i: home[\s_-]?assistant) | \bHass[A-Z] | (?i: \bentit(?:y|ies)\b) | device_class
        | (?i: \b(?:thermostat|alarm_control_panel|valve|garage|lamp)s?\b)
        | "(?:lock|cover|climate|light|switch|fan|scene|script|media_player)" | "F\d+[pL]?""#,
    )
    .expect("the pattern is valid");
    // The words by which replies are read, and a benchmark that names the tools of its own world.
    let exempt = ["score/reply", "score/state/wording", "score/tool_call/classic"];
    let mut found = Vec::new();
    for name in ["core", "stats", "world", "score", "log", "runner", "report"] {
        for (module, code) in Files::read(&crates.join(name).join("src")).0 {
            let file = format!("{name}/{}", module.join("/"));
            if !exempt.iter().any(|exempt| file.starts_with(exempt)) {
                found.extend(
                    words.find_iter(&code).map(|word| format!("{file}: {}", word.as_str())),
                );
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
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

/// Files of one crate import one way: no circle of files that need each other. A module and the
/// files in its folder count as one, because a folder exists to part a large file.
#[test]
fn files_of_a_crate_import_one_way() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut circles = Vec::new();
    for entry in std::fs::read_dir(crates).expect("the crates can be listed") {
        let source = entry.expect("a folder can be listed").path().join("src");
        let files = Files::read(&source);
        circles.extend(files.circle().map(|circle| format!("{}: {circle}", source.display())));
    }
    assert_eq!(circles, Vec::<String>::new());
}

/// What computes a figure must not know how it is shown, so that the figure is the same in every
/// form.
#[test]
fn figures_do_not_depend_on_their_renderings() {
    let files = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/src"));
    let is_rendering = |module: &[String]| module.first().is_some_and(|name| name == "render");
    let figures = files.0.iter().filter(|(module, _)| !is_rendering(module));
    let wrong = figures.filter(|(module, code)| {
        files.imports(module, code).iter().any(|import| is_rendering(import))
    });
    let wrong: Vec<String> = wrong.map(|(module, _)| module.join("/")).collect();
    assert_eq!(wrong, Vec::<String>::new(), "these import from `render`");
}

/// The modules of a crate by their paths, such as `["html", "page"]`, with their code.
struct Files(BTreeMap<Vec<String>, String>);

impl Files {
    fn read(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![source.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("a folder can be listed").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let module = path
                        .strip_prefix(source)
                        .expect("it lies in the folder")
                        .with_extension("");
                    let module: Vec<String> =
                        module.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                    let code = std::fs::read_to_string(&path).expect("source is text");
                    // Tests may look anywhere.
                    let code = code.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                    files.insert(module, code);
                }
            }
        }
        files.retain(|module, _| {
            module.last().is_none_or(|name| !["lib", "main", "tests"].contains(&name.as_str()))
        });
        Self(files)
    }

    /// The files that a file names by `crate::` or `super::`, those above and below it left out.
    fn imports(&self, module: &[String], code: &str) -> BTreeSet<&Vec<String>> {
        let path = Regex::new(r"\b(crate|super(?:::super)*)((?:::[a-z_0-9]+)*)(?:::\{([^;]*?)\})?")
            .expect("the pattern is valid");
        let code: String =
            code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let named = path.captures_iter(&code).flat_map(|found| {
            let climbed = found[1].matches("super").count();
            let start = if climbed == 0 { 0 } else { module.len().saturating_sub(climbed) };
            let mut place = module[..start].to_vec();
            place.extend(found[2].split("::").skip(1).map(str::to_owned));
            let group = found.get(3).map_or("", |group| group.as_str());
            let items: Vec<&str> = group.split(',').map(str::trim).collect();
            let paths = items.into_iter().map(move |item| {
                let item = item.split("::").map(str::to_owned);
                place.iter().cloned().chain(item).collect::<Vec<String>>()
            });
            // The longest beginning of a path that is a file; what follows is an item in it.
            paths
                .filter_map(|place| {
                    (1..=place.len())
                        .rev()
                        .find_map(|length| self.0.get_key_value(&place[..length]))
                })
                .collect::<Vec<_>>()
        });
        let apart = |other: &Vec<String>| !other.starts_with(module) && !module.starts_with(other);
        named.map(|(other, _)| other).filter(|other| apart(other)).collect()
    }

    /// A circle, if there is one: what is left when files that import nothing more are taken away.
    fn circle(&self) -> Option<String> {
        let mut left: BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> =
            self.0.iter().map(|(module, code)| (module, self.imports(module, code))).collect();
        loop {
            let before = left.len();
            let rest: BTreeSet<&Vec<String>> = left.keys().copied().collect();
            left.retain(|_, imports| imports.iter().any(|import| rest.contains(import)));
            if left.len() == before {
                break;
            }
        }
        let names: Vec<String> = left.keys().map(|module| module.join("/")).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}
