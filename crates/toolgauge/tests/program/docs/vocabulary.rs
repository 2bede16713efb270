//! One vocabulary: a case passes, is partial, fails or is unscored, wherever it is spoken of.

use std::path::{Path, PathBuf};

use regex::Regex;

/// Other words for the same things, with the word to use.
const OTHER_WORDS: [(&str, &str); 6] = [
    (r"(right|correct|successful|passed|solved|good|green) (case|trial)s?", "cases that pass"),
    (r"(case|trial)s? (succeed|succeeds|succeeded)", "the case passes"),
    (r"(wrong|incorrect|unsuccessful|unsolved|bad|red) (case|trial)s?", "cases that fail"),
    (r"(half|partly|partially) (right|correct|passed|solved)", "partial"),
    (r"ungraded|unjudged|not graded|without a grade", "unscored"),
    (r"test cases?|test items?", "case"),
];

/// Where the words of other tools are explained by ours.
const THEIRS: [&str; 1] = ["| test, test case, sample, golden |"];

/// Files below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                files(&path, endings, found);
            }
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            found.push(path);
        }
    }
}

/// The lines of a text in which other words are used, each with the word to use.
fn other_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (pattern, word) in OTHER_WORDS {
        let pattern = Regex::new(&format!(r"(?i)\b({pattern})\b")).unwrap();
        let lines = text.lines().filter(|line| !THEIRS.iter().any(|own| line.starts_with(own)));
        let lines = lines.filter(|line| pattern.is_match(line));
        found.extend(lines.map(|line| format!("write \"{word}\": {}", line.trim())));
    }
    found
}

#[test]
fn docs_help_and_outputs_use_one_vocabulary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The reference has the help of every command, and snapshots have what commands print.
    let mut paths = vec![root.join("README.md")];
    files(&root.join("docs"), &[".md"], &mut paths);
    files(&root.join("crates"), &[".snap"], &mut paths);
    assert!(paths.len() > 60, "{} files", paths.len());
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let of_file = other_words(&text);
        found.extend(of_file.into_iter().map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn other_words_are_noticed() {
    assert_eq!(other_words("7 correct cases").len(), 1);
    assert_eq!(other_words("Two test cases are half right.").len(), 2);
    assert!(other_words("7 of 9 cases pass, 1 partial, 1 unscored").is_empty());
}
