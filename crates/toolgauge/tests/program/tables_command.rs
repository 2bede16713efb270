//! `toolgauge export --format` and `toolgauge sql`, through the real binary.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use toolgauge_tables::TableName;

/// A folder with a run of five cases, twice each, in `logs`.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.done(&["run", "everyday", "--limit", "5", "--trials", "2", "--log-dir", "logs"]);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn toolgauge(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
        command.args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1");
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.toolgauge(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {told}");
        told
    }

    /// What a command says that must end with this status.
    fn refused(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.toolgauge(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        told
    }

    /// The files of a table.
    fn files(&self, table: &str) -> Vec<PathBuf> {
        files(&self.path(table))
    }

    /// The records of a table of CSV, the names first.
    fn records(&self, table: &str) -> Vec<Vec<String>> {
        let mut records = Vec::new();
        for file in self.files(table) {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(file).unwrap();
            let read = reader.records().map(|record| record.unwrap());
            let read = read.map(|record| record.iter().map(str::to_owned).collect::<Vec<_>>());
            records.extend(read.skip(usize::from(!records.is_empty())));
        }
        records
    }

    /// A column of a table of CSV.
    fn column(&self, table: &str, name: &str) -> Vec<String> {
        let records = self.records(table);
        let place = records[0].iter().position(|known| known == name).unwrap();
        records[1..].iter().map(|record| record[place].clone()).collect()
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn tables_have_the_documented_columns_and_a_row_for_each_thing() {
    let project = Project::new();
    let told = project.done(&["export", "logs", "--format", "csv", "-o", "tables"]);
    assert!(told.contains("10 trials of 1 log are in tables"), "{told}");
    for table in TableName::ALL.into_iter().filter(|table| *table != TableName::Transcripts) {
        let name = format!("tables/{}", table.name());
        let columns: Vec<&str> = table.file_columns().map(|column| column.name).collect();
        assert_eq!(project.records(&name)[0], columns, "{name}");
        let file = &project.files(&name)[0];
        let parts: Vec<_> = file.strip_prefix(project.path(&name)).unwrap().iter().collect();
        assert_eq!(parts[0], "suite=everyday");
        assert!(parts[1].to_str().unwrap().starts_with("date=20"), "{file:?}");
    }
    assert!(project.files("tables/transcripts").is_empty());
    assert_eq!(project.column("tables/runs", "status"), ["success"]);
    let mut trials = project.column("tables/trials", "trial");
    trials.sort();
    assert_eq!(trials, [["1"; 5], ["2"; 5]].concat());
    let sum = |name: &str| -> usize {
        project.column("tables/trials", name).iter().map(|it| it.parse::<usize>().unwrap()).sum()
    };
    assert_eq!(sum("value"), 2, "one case of five passes, twice");
    assert_eq!(sum("calls"), project.records("tables/calls").len() - 1);
    assert!(project.records("tables/losses").len() > 8);
}

#[test]
fn summaries_and_samples_give_the_same_rows() {
    let project = Project::new();
    for (tables, folder) in [("trials", "by-summaries"), ("trials,calls", "by-samples")] {
        project.done(&["export", "logs", "--format", "csv", "-o", folder, "--tables", tables]);
    }
    assert_eq!(project.records("by-summaries/trials"), project.records("by-samples/trials"));
    assert!(project.files("by-summaries/calls").is_empty());
}

#[test]
fn exporting_again_replaces_the_tables_of_a_log_and_keeps_those_of_others() {
    let project = Project::new();
    let export = ["export", "logs", "--format", "csv", "-o", "tables"];
    project.done(&export);
    project.done(&["run", "everyday", "--limit", "3", "--log-dir", "logs"]);
    project.done(&export);
    assert_eq!(project.records("tables/trials").len() - 1, 13);
    assert_eq!(project.files("tables/trials").len(), 2);
}

#[test]
fn shards_are_one_run_and_their_merged_log_is_not_counted_again() {
    let project = Project(tempfile::tempdir().unwrap());
    for shard in ["1/2", "2/2"] {
        project.done(&["run", "everyday", "--limit", "6", "--log-dir", "logs", "--shard", shard]);
    }
    project.done(&["merge", "logs", "-o", "logs/merged.eval"]);
    project.done(&["export", "logs", "--format", "csv", "-o", "tables"]);
    assert_eq!(project.column("tables/runs", "cases"), ["6"]);
    assert_eq!(project.records("tables/trials").len() - 1, 6);
}

#[test]
fn a_log_that_cannot_be_read_is_named_and_the_others_are_written() {
    let project = Project::new();
    std::fs::write(project.path("logs/torn.eval"), "no log").unwrap();
    let told = project.refused(3, &["export", "logs", "--format", "csv", "-o", "tables"]);
    assert!(told.contains("torn.eval"), "{told}");
    assert_eq!(project.records("tables/trials").len() - 1, 10);
    let told = project.refused(2, &["export", "logs/torn.eval", "--format", "csv", "-o", "none"]);
    assert!(told.contains("torn.eval") && !project.path("none").exists(), "{told}");
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_is_touched() {
    let project = Project::new();
    std::fs::write(project.path("taken"), "mine").unwrap();
    let told = project.refused(2, &["export", "logs", "--format", "csv", "-o", "taken"]);
    assert!(told.contains("`taken`: it is a file"), "{told}");
    assert_eq!(std::fs::read_to_string(project.path("taken")).unwrap(), "mine");
    let told = project.refused(2, &["export", "logs", "--format", "xlsx", "-o", "tables"]);
    assert!(told.contains("parquet, arrow, csv"), "{told}");
    let told = project.refused(2, &["export", "logs", "--format", "csv"]);
    assert!(told.contains("--output"), "{told}");
    let told = project.refused(2, &["export", "logs"]);
    assert!(told.contains("--to") && told.contains("--format"), "{told}");
    let arguments = ["export", "logs", "--format", "csv", "-o", "tables", "--tables", "steps"];
    let told = project.refused(2, &arguments);
    assert!(told.contains("transcripts"), "{told}");
    assert!(!project.path("tables").exists());
}

/// Parquet, Arrow and DataFusion would double the first build.
#[test]
fn a_build_without_parquet_and_sql_says_which_builds_have_them() {
    let project = Project::new();
    if cfg!(not(feature = "tables")) {
        for format in ["parquet", "arrow"] {
            let told = project.refused(2, &["export", "logs", "--format", format, "-o", "tables"]);
            assert!(told.contains("--features tables") && told.contains("packages"), "{told}");
        }
        assert!(!project.path("tables").exists());
    }
    if cfg!(not(feature = "sql")) {
        let told = project.refused(2, &["sql", "SELECT 1"]);
        assert!(told.contains("--features sql") && told.contains(".deb"), "{told}");
    }
}
