//! Suites in a business world: checked against their own data, and run on it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{only_log, run, text, trials};

const DATABASE: &str = "
CREATE TABLE leases (unit TEXT PRIMARY KEY, tenant TEXT, rent NUMERIC);
INSERT INTO leases VALUES ('2A', 'Ada Lund', 1450), ('3B', 'Ben Ortiz', 1210.5);
";

const CASES: &str = "
- id: rent
  say: What is the rent of 2A?
  expect:
    answer:
      tools: [query_database]
      keywords: ['$1,450', Ada Lund]
      proof:
        - sql: SELECT tenant, rent FROM leases WHERE unit = '2A'
- id: pets
  say: Are pets allowed?
  expect:
    answer:
      tools: [search_document_content]
      keywords: [{any_of: [one cat, a single cat]}, {not: dog}]
      documents: [leases/2a.md]
      proof:
        - document: leases/2a.md
          passage: 'One cat is allowed, and no dog.'
- id: garage
  say: Who rents the garage?
  tags: {kind: unanswerable}
  expect:
    answer:
      keywords: [{any_of: [no record, not known]}]
      proof:
        - {sql: SELECT 1 FROM leases WHERE unit = 'garage', empty: true}
";

/// A small company with its questions.
fn company(cases: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = "name: company\nworld: {kind: business, database: books.sql, documents: papers}\n\
                 solver: {kind: loop, max_turns: 4}\nsystem: You answer for a landlord.\n\
                 cases: cases.yaml\n";
    fs::create_dir_all(folder.path().join("papers/leases")).unwrap();
    let files = [
        ("suite.yaml", suite),
        ("books.sql", DATABASE),
        ("cases.yaml", cases),
        ("papers/leases/2a.md", "# Lease of 2A\n\n## Pets\n\nOne cat is allowed,\nand no dog.\n"),
        ("papers/notice.html", "<p>The water is off on Monday.</p>"),
    ];
    for (file, text) in files {
        fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

fn check(folder: &Path) -> String {
    let output = run(folder, &["check", "."]);
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn a_suite_whose_proofs_hold_checks() {
    let folder = company(CASES);
    let told = check(folder.path());
    assert!(told.starts_with(".: 3 cases, no problem\n"), "{told}");
}

#[test]
fn every_golden_answer_that_is_wrong_is_told_with_its_line() {
    let cases = CASES
        .replace("'$1,450', Ada Lund", "'$1,540', Ben Ortiz")
        .replace("[one cat, a single cat]", "[two cats]")
        .replace("documents: [leases/2a.md]", "documents: [leases/2b.md]")
        .replace("'garage', empty", "'3B', empty");
    let folder = company(&cases);
    insta::assert_snapshot!("wrong_golden_answers", check(folder.path()));
}

#[test]
fn a_proof_that_does_not_run_is_told() {
    let cases = CASES
        .replace("SELECT tenant, rent FROM leases WHERE unit = '2A'", "DELETE FROM leases")
        .replace("and no dog.'", "and one dog.'");
    let folder = company(&cases);
    insta::assert_snapshot!("proofs_that_do_not_run", check(folder.path()));
}

#[test]
fn what_is_wrong_with_a_script_is_told_with_its_line() {
    let folder = company(CASES);
    let script = DATABASE.replace("INSERT INTO leases", "INSERT INTO rents");
    fs::write(folder.path().join("books.sql"), script).unwrap();
    let told = check(folder.path());
    assert!(told.contains("./books.sql:3: no such table: rents"), "{told}");
}

#[test]
fn a_document_that_cannot_be_read_is_warned_of() {
    let folder = company(CASES);
    fs::write(folder.path().join("papers/scan.pdf"), "%PDF-1.4 and no more").unwrap();
    let told = check(folder.path());
    assert!(told.contains("suite.yaml:2"), "{told}");
    assert!(told.contains("warning: `scan.pdf` is left out: it is no PDF"), "{told}");
    assert!(told.contains("0 errors, 1 warning\n"), "{told}");
}

#[test]
fn calls_are_carried_out_on_the_data_and_their_sources_are_kept() {
    let folder = company(CASES);
    let call = |name: &str, arguments: Value| json!([{"name": name, "arguments": arguments}]);
    let sql = json!({"sql": "SELECT rent FROM leases WHERE unit = '2A'"});
    let evil = json!({"sql": "DELETE FROM leases"});
    let script = [
        json!({"id": "rent", "turns": [
            {"calls": call("query_database", evil)},
            {"calls": call("query_database", sql)},
            {"text": "It is $1,450."},
        ]}),
        json!({"id": "pets", "turns": [
            {"calls": call("search_document_content", json!({"query": "pets allowed"}))},
            {"text": "One cat."},
        ]}),
        json!({"id": "garage", "text": "There is no record of a garage."}),
    ];
    let script = script.map(|line| line.to_string()).join("\n");
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    let output = run(folder.path(), &["run", ".", "-m", "script:script.ndjson"]);
    // What is judged of the answers is no matter here.
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    let trials = trials(&only_log(folder.path()));
    let said = |id: &str| {
        let trial = trials.iter().find(|(name, _)| name.starts_with(id)).unwrap().1;
        serde_json::to_string(&trial.transcript).unwrap()
    };
    let rent = said("rent");
    assert!(rent.contains("read-only: the statement would delete from `leases`"), "{rent}");
    assert!(rent.contains(r#"\"rows\":[[1450]]"#), "{rent}");
    let pets = &trials.iter().find(|(name, _)| name.starts_with("pets")).unwrap().1.transcript;
    assert_eq!(pets.background.sources, ["leases/2a.md"]);
    assert_eq!(pets.background.tool_times.len(), 1);
    assert_eq!(fs::read_to_string(folder.path().join("books.sql")).unwrap(), DATABASE);
}

#[test]
fn figures_of_an_answer_are_held_against_the_database_by_the_proof_of_the_case() {
    let folder = company(CASES);
    let script = [
        json!({"id": "rent", "text": "Ada Lund pays $1,450 for 2A."}),
        json!({"id": "pets", "text": "One cat is allowed, for a fee of $35."}),
        json!({"id": "garage", "text": "There is no record of it."}),
    ];
    let script = script.map(|line| line.to_string()).join("\n");
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    let arguments = ["run", ".", "-m", "script:script.ndjson", "--scorer", "grounding"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let values = |log: &Path| {
        let value = |id: &str| {
            let trials = trials(log);
            let trial = trials.iter().find(|(name, _)| name.starts_with(id)).unwrap().1;
            trial.outcomes["grounding"].value().unwrap()
        };
        (value("rent"), value("pets"))
    };
    let log = only_log(folder.path());
    assert_eq!(values(&log), (1.0, 0.0), "no tool was called, and the proof knows no fee");
    // The rows are in the log: the database may have changed or gone since.
    fs::remove_file(folder.path().join("books.sql")).unwrap();
    let output = run(folder.path(), &["score", log.to_str().unwrap(), "--log-dir", "again"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let again = fs::read_dir(folder.path().join("again")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(values(&again), (1.0, 0.0));
}

#[test]
fn answers_are_held_against_the_books_and_it_is_told_where_these_are_gone() {
    let cases = "
- id: rent
  say: Who rents 2A?
  expect:
    answer:
      reference: Ada Lund rents 2A.
      facts: [{set: [Ada Lund]}]
      proof:
        - sql: SELECT tenant FROM leases WHERE unit = '2A'
";
    let folder = company(cases);
    let says = json!({"id": "rent", "text": "Ada Lund, who took over from Walter Kline."});
    fs::write(folder.path().join("script.ndjson"), says.to_string()).unwrap();
    let arguments = ["run", ".", "-m", "script:script.ndjson", "--scorer", "chatbot"];
    let output = run(folder.path(), &arguments);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(told.contains("Walter"), "{told}");
    let log = only_log(folder.path());
    let again = |to: &str| {
        let output = run(folder.path(), &["score", log.to_str().unwrap(), "--log-dir", to]);
        (text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(again("first").1, "");
    fs::remove_file(folder.path().join("books.sql")).unwrap();
    let (_, warned) = again("second");
    assert!(warned.contains("are judged without the books of its suite"), "{warned}");
    assert!(warned.contains("books.sql"), "{warned}");
}
