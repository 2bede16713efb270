//! Reads a suite: its files, the list of those opened, and the problems found.

use std::cell::RefCell;
use std::io;

use serde_json::{Value, json};
use toolgauge_document::SyntaxProblem;

use crate::document::{self, FileFormat};
use crate::source::SuiteFiles;
use crate::trail::{FileNumber, Origin, Spot, SuiteFindings, Trail};

/// The files of a suite while it is read.
pub(crate) struct SuiteReader {
    pub(crate) files: SuiteFiles,
    pub(crate) findings: SuiteFindings,
    names: RefCell<Vec<String>>,
}

impl SuiteReader {
    /// A reader that has opened nothing but the suite file.
    pub(crate) fn new(files: SuiteFiles) -> Self {
        let names = RefCell::new(vec![files.main.clone()]);
        Self { files, findings: SuiteFindings::default(), names }
    }

    /// The number of a file, which is new unless it was opened before.
    pub(crate) fn number(&self, path: &str) -> FileNumber {
        let mut names = self.names.borrow_mut();
        names.iter().position(|name| name == path).unwrap_or_else(|| {
            names.push(path.to_owned());
            names.len() - 1
        })
    }

    /// The files opened so far, and everything found.
    pub(crate) fn clear(self) -> (SuiteFiles, Vec<String>, SuiteFindings) {
        (self.files, self.names.into_inner(), self.findings)
    }

    /// Reads and parses the suite file.
    pub(crate) fn suite_file(&self) -> Option<Value> {
        let main = self.files.main.clone();
        // A file of lines has no place for a head, so one is made up around its cases.
        if FileFormat::of(&main) == Some(FileFormat::Lines) {
            return Some(suite_of_lines(&main));
        }
        let trail = Origin::document(0).trail();
        if FileFormat::of(&main) == Some(FileFormat::Table) {
            let file = main.rsplit('/').next().unwrap_or(&main);
            let hint = format!(
                "name it in a suite file, `cases: [{file}]`, beside `name` and the rest \
                 (`toolgauge init --template table` writes an example); golden questions \
                 (`question`, `expected_keywords`, …) are a suite by themselves as a `.jsonl` file, \
                 one row of JSON per line"
            );
            let message = "this is a table: it can hold the cases of a suite, but is no suite";
            self.findings.error_with(&trail, message, hint);
            return None;
        }
        let bytes = self.files.read(&main);
        let bytes = bytes.map_err(|error| self.unreadable(&main, &error, &trail)).ok()?;
        let format = FileFormat::of(&main).unwrap_or(FileFormat::Yaml);
        let value = self.parsed(0, &bytes, format)?;
        if value.is_null() {
            let hint = "it needs at least `name`, `tools` and `cases`".to_owned();
            self.findings.error_with(&trail, "the suite file is empty", hint);
            return None;
        }
        Some(value)
    }

    /// Reads and parses a file of YAML or JSON that the place at `trail` refers to.
    pub(crate) fn document(&self, path: &str, trail: &Trail<'_>) -> Option<(FileNumber, Value)> {
        let format = self.format(path, trail)?;
        let bytes = self.files.read(path);
        let bytes = bytes.map_err(|error| self.unreadable(path, &error, trail)).ok()?;
        let number = self.number(path);
        self.parsed(number, &bytes, format).map(|value| (number, value))
    }

    /// Reads a file of text that the place at `trail` refers to.
    pub(crate) fn text(&self, path: &str, trail: &Trail<'_>) -> Option<(FileNumber, String)> {
        let bytes = self.files.read(path);
        let bytes = bytes.map_err(|error| self.unreadable(path, &error, trail)).ok()?;
        let number = self.number(path);
        match toolgauge_document::text(&bytes) {
            Ok(text) => Some((number, text.to_owned())),
            Err(problem) => self.malformed(number, problem),
        }
    }

    /// The format of a file that the place at `trail` refers to.
    pub(crate) fn format(&self, path: &str, trail: &Trail<'_>) -> Option<FileFormat> {
        let format = FileFormat::of(path);
        if format.is_none() {
            let hint = format!("its name should end in {}", FileFormat::ENDINGS);
            let message = format!("`{path}` is in no known format");
            self.findings.error_with(trail, message, hint);
        }
        format
    }

    /// Notes that a file cannot be read, where it is referred to.
    pub(crate) fn unreadable(&self, path: &str, error: &io::Error, trail: &Trail<'_>) {
        let (message, hint) = match error.kind() {
            io::ErrorKind::NotFound => (
                format!("there is no file `{path}`"),
                Some(format!("it is looked for at `{}`", self.files.shown(path))),
            ),
            _ => (format!("`{path}` cannot be read: {error}"), None),
        };
        self.findings.error_with(trail, message, hint);
    }

    fn parsed(&self, number: FileNumber, bytes: &[u8], format: FileFormat) -> Option<Value> {
        let parsed = toolgauge_document::text(bytes).and_then(|text| document::parse(text, format));
        parsed.map_or_else(|problem| self.malformed(number, problem), Some)
    }

    /// Notes that a file is not what its name says.
    pub(crate) fn malformed<T>(&self, number: FileNumber, problem: SyntaxProblem) -> Option<T> {
        let spot = Spot::exact(number, problem.line, problem.column);
        self.findings.error_at(spot, problem.message, None);
        None
    }
}

/// The suite that a file of cases is by itself: nothing but those cases, under the file's name.
fn suite_of_lines(main: &str) -> Value {
    let stem = main.rsplit_once('.').map_or(main, |(stem, _)| stem);
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = stem.chars().map(|c| if good(c) { c } else { '-' }).collect();
    let name = if name.is_empty() { "cases".to_owned() } else { name };
    json!({"name": name, "cases": main})
}
