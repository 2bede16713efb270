//! `docs/reference/json.md` names every field that commands print, and the versions.

use std::collections::BTreeSet;
use std::process::Command;

use regex::Regex;
use serde_json::Value;

use super::pages::{Page, repository};

const PAGE: &str = "docs/reference/json.md";

/// What a command prints about the demo logs of the repository.
fn printed(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(arguments).args(["--format", "json"]).current_dir(repository().join("docs/demo"));
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

/// The fields that the tables in the section of a command name.
fn documented(command: &str) -> BTreeSet<String> {
    let page = Page::read(PAGE).text;
    let start = page.find(&format!("\n## `{command}`\n")).unwrap() + 1;
    let section = &page[start..];
    let section = &section[..section[1..].find("\n## ").map_or(section.len(), |end| end + 1)];
    // Fields stand in the first column, and in sentences about objects that have no table.
    let name = Regex::new("`([a-z_]+)`").unwrap();
    name.captures_iter(section).map(|name| name[1].to_owned()).collect()
}

#[track_caller]
fn assert_documented(command: &str, objects: &[&Value]) {
    let documented = documented(command);
    for object in objects {
        let fields = object.as_object().unwrap().keys();
        let missing: Vec<&String> = fields.filter(|field| !documented.contains(*field)).collect();
        assert!(missing.is_empty(), "{PAGE} does not name {missing:?} of `{command}`");
    }
}

#[track_caller]
fn assert_version(row: &str, printed: &Value) {
    let page = Page::read(PAGE).text;
    let row = page.lines().find(|line| line.starts_with(row)).unwrap();
    let version = printed["version"].as_u64().unwrap();
    assert!(row.ends_with(&format!("| {version} |")), "version {version}: {row}");
}

const A: &str = "everyday-baseline.eval";
const B: &str = "everyday-qwen2.5-coder-0.5b.eval";

#[test]
fn every_field_of_the_json_of_commands_is_documented() {
    let summary = &printed(&["summary", A])[0];
    assert_documented("summary", &[summary, &summary["summary"]]);
    assert_version("| [`summary`]", summary);
    let comparison = &printed(&["compare", A, B]);
    assert_documented("compare", &[comparison, &comparison["comparison"]]);
    assert_version("| [`compare`](#compare), two", &comparison["comparison"]);
    let contest = &printed(&["compare", A, B, A]);
    assert_documented("compare", &[contest, &contest["contest"]]);
    assert_version("| [`compare`](#compare), three", &contest["contest"]);
    let cases = &printed(&["cases", A, B]);
    assert_documented("cases", &[cases]);
    assert_version("| [`cases`]", cases);
    let history = &printed(&["history", "everyday", "--log-dir", "."]);
    assert_documented("history", &[history, &history["runs"][0]]);
    assert_documented("check", &[&printed(&["check", "everyday"])[0]]);
    assert_documented("list", &[&printed(&["list"])]);
    let report = &printed(&["report", A, B, "-o", "-"]);
    assert_documented("report", &[report]);
    assert_version("| [`report -o FILE.json`]", report);
}
