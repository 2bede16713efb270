//! Every kind of bad suite has a folder, and a snapshot of what is said about it.

use std::fs;
use std::path::Path;

use toolgauge_suite::{Problems, SuiteSource, check_declared, draft};

const SCORERS: [&str; 2] = ["tool_calls", "partial"];

/// Everything that is wrong with a suite: its files and, as far as it can be read, its answers.
fn problems(path: &Path) -> Problems {
    let draft = draft(&SuiteSource::Path(path.to_owned()));
    match &draft.suite {
        Some(suite) => draft.problems.and(check_declared(suite, &SCORERS)),
        None => draft.problems,
    }
}

#[test]
fn every_bad_suite_is_told_what_is_wrong_with_it() {
    let mut names: Vec<String> = fs::read_dir("tests/bad")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 20, "the fixtures are gone");
    for name in names {
        let problems = problems(&Path::new("tests/bad").join(&name));
        assert!(!problems.is_empty(), "nothing is said about `{name}`");
        insta::assert_snapshot!(name, problems.to_string());
    }
}

#[test]
fn a_suite_that_is_not_there_is_named() {
    insta::assert_snapshot!(problems(Path::new("tests/bad/nowhere")));
}

#[test]
fn a_folder_without_a_suite_file_is_named() {
    insta::assert_snapshot!(problems(Path::new("tests")));
}
