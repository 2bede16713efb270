//! `toolgauge generate questions`: golden questions that the data themselves prove.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const DATABASE: &str = "
CREATE TABLE properties (property_id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT, built INTEGER);
CREATE TABLE leases (lease_id INTEGER PRIMARY KEY, property_id INTEGER REFERENCES properties, unit TEXT,
    monthly_rent NUMERIC, start_date TEXT);
INSERT INTO properties VALUES (1, 'Maple Court', 'flats', 1912), (2, 'O''Hara House', 'house', 1954),
    (3, 'Mill Lane', 'house', 1988), (4, 'Oak Row', 'flats', 2001);
INSERT INTO leases VALUES (1, 1, '2A', 1450, '2025-03-01'), (2, 1, '3B', 1210.5, '2024-07-15'),
    (3, 2, 'whole', 2400, '2025-11-01'), (4, 4, 'R1', 990, '2023-01-01');
";

const LEASE: &str =
    "# Lease of 2A\n\n- Late fee: $50\n- Notice: 60 days\n\n## Pets\n\nA cat costs $35 a month.\n";

fn toolgauge(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

fn company() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("books.sql"), DATABASE).unwrap();
    fs::create_dir(folder.path().join("papers")).unwrap();
    fs::write(folder.path().join("papers/lease.md"), LEASE).unwrap();
    folder
}

const DATA: [&str; 4] = ["--database", "books.sql", "--documents", "papers"];

fn generated(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let all = [&["generate", "questions"], &DATA[..], arguments].concat();
    let output = toolgauge(folder, &all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let named = arguments.iter().position(|argument| *argument == "-o").unwrap();
    let text = fs::read_to_string(folder.join(arguments[named + 1]).join("questions.jsonl"));
    text.unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_question_is_proved_by_the_data_and_the_suite_runs() {
    let folder = company();
    let questions = generated(folder.path(), &["-o", "asked", "--count", "400"]);
    let answer = |say: &str| {
        let asked = questions.iter().find(|question| question["say"] == say);
        asked.unwrap_or_else(|| panic!("{say} is not asked"))["expect"]["answer"].clone()
    };
    let rent = answer("What is the monthly rent of the lease 3B?");
    assert_eq!(rent["facts"][0]["number"], 1210.5);
    assert_eq!(rent["proof"][0]["sql"], "SELECT monthly_rent FROM leases WHERE unit = '3B'");
    assert_eq!(answer("How many properties are there?")["facts"][0]["number"], 4);
    assert_eq!(answer("How many properties have the kind house?")["facts"][0]["number"], 2);
    assert_eq!(
        answer("How many leases belong to the property Maple Court?")["facts"][0]["number"],
        2
    );
    let total = answer("What is the total monthly rent of the leases of the property Maple Court?");
    assert_eq!(total["facts"][0]["number"], 2660.5);
    let highest = answer("Which lease has the highest monthly rent?");
    assert_eq!(highest["facts"][0]["one"], "whole");
    assert_eq!(answer("What is the start date of the lease 2A?")["facts"][0]["date"], "2025-03-01");
    let owner = answer("Which property does the lease whole belong to?");
    assert_eq!(owner["facts"][0]["one"], "O'Hara House");
    let fee = answer("According to “Lease of 2A”, what is the late fee?");
    assert_eq!(
        (&fee["facts"][0]["number"], &fee["documents"][0]),
        (&50.into(), &"lease.md".into())
    );
    let kinds: BTreeSet<&str> =
        questions.iter().map(|question| question["tags"]["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains("unanswerable") && kinds.len() >= 10, "{kinds:?}");

    let check = toolgauge(folder.path(), &["check", "asked"]);
    let told = String::from_utf8_lossy(&check.stdout);
    // The data stay where they are, outside the new folder, of which `check` warns.
    assert!(check.status.success() && told.contains("asked: 0 errors"), "{told}");
    let run = toolgauge(folder.path(), &["run", "asked", "-m", "baseline", "--limit", "20"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    // The proof is run, and not believed.
    let books = DATABASE.replace("1210.5", "1310.5");
    fs::write(folder.path().join("books.sql"), books).unwrap();
    let check = toolgauge(folder.path(), &["check", "asked"]);
    let told = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(told.contains("no proof holds the keyword `1210.5`"), "{told}");
}

#[test]
fn an_amount_may_be_rounded_as_people_do_and_not_be_a_cent_off() {
    let folder = company();
    let questions = generated(folder.path(), &["-o", "asked", "--count", "400"]);
    let say = "What is the monthly rent of the lease 3B?";
    let asked = questions.iter().find(|question| question["say"] == say).unwrap();
    let id = asked["id"].as_str().unwrap();
    for (said, is_right) in [
        ("It is $1,210.50.", true),
        ("It is 1210.5 dollars.", true),
        ("It is $1,211.", true),
        ("It is about $1,210.", true),
        ("It is $1,210.51.", false),
        ("It is $1,210.05.", false),
        ("It is $1,212.", false),
        ("It is $1,201.50.", false),
    ] {
        let line = serde_json::json!({"id": id, "text": said}).to_string();
        fs::write(folder.path().join("script.ndjson"), line).unwrap();
        let arguments = ["run", "asked", "--case", id, "-m", "script:script.ndjson"];
        let run = toolgauge(folder.path(), &[&arguments[..], &["--format", "json"]].concat());
        let printed: Value = serde_json::from_slice(&run.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
        let quality = printed[0]["summary"]["measures"]["keyword_share"]["mean"].as_f64();
        assert_eq!(quality, Some(f64::from(u8::from(is_right))), "{said}");
    }
}

#[test]
fn a_seed_gives_the_same_questions_and_another_one_others() {
    let folder = company();
    let questions = |folder_name: &str, seed: &str| {
        generated(folder.path(), &["-o", folder_name, "--count", "12", "--seed", seed])
    };
    let first = questions("a", "1");
    assert_eq!(first.len(), 12);
    assert_eq!(first, questions("b", "1"));
    assert_ne!(first, questions("c", "2"));
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = company();
    fs::write(folder.path().join("empty.sql"), "CREATE TABLE t (x TEXT);").unwrap();
    for (arguments, why) in [
        (vec!["questions"], "questions are about a database or documents"),
        (vec!["questions", "--database", "empty.sql"], "nothing can be asked of these data"),
        (vec!["questions", "--database", "none.db"], "cannot read `none.db`"),
        (
            vec!["home-assistant", "--database", "books.sql"],
            "are for `toolgauge generate questions`",
        ),
    ] {
        let output = toolgauge(folder.path(), &[&["generate"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(why), "{told}");
    }
    assert!(!folder.path().join("questions-0").exists());
}
