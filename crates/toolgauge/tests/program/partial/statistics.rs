//! What is printed.

use tempfile::TempDir;

use super::{fixture, run, text};

fn printed(name: &str, flags: &[&str]) -> (String, String) {
    let folder = TempDir::new().unwrap();
    std::fs::copy(fixture(name), folder.path().join(name)).unwrap();
    let output = run(folder.path(), &[&[name], flags].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_statistics_are_printed_for_people() {
    let (stdout, stderr) = printed("library.json", &[]);
    insta::assert_snapshot!("library_stdout", stdout);
    insta::assert_snapshot!("library_stderr", stderr);
}

#[test]
fn the_statistics_are_printed_for_programs() {
    let (stdout, _) = printed("library.json", &["--format", "json"]);
    insta::assert_snapshot!("library_json", stdout);
}

#[test]
fn odd_tasks_are_scored_and_named() {
    let (stdout, stderr) = printed("odd.json", &[]);
    insta::assert_snapshot!("odd_stdout", stdout);
    insta::assert_snapshot!("odd_stderr", stderr);
}

#[test]
fn no_statistics_means_none() {
    let (stdout, stderr) = printed("library.json", &["--no-stats", "-q"]);
    assert_eq!(stdout, "");
    assert_eq!(stderr, "warning: the arguments of 2 tool calls are malformed\n");
}

#[test]
fn an_empty_list_has_statistics_too() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("none.json"), "[ ]").unwrap();
    for format in ["text", "json"] {
        let output = run(folder.path(), &["none.json", "--format", format]);
        assert!(output.status.success());
        assert!(text(&output.stderr).contains("the list of tasks is empty"));
        assert!(!text(&output.stdout).contains("NaN"));
    }
    assert_eq!(std::fs::read(folder.path().join("none_partial.json")).unwrap(), b"[ ]");
}
