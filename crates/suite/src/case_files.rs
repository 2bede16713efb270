//! Collects the cases of a suite: inline, or from files of lines, lists and tables.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::BufRead;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgauge_core::{ArgumentRules, Case, CaseId, Tags};

use crate::case_form::{CaseDefaults, read_case, read_tags};
use crate::case_table::read_table;
use crate::document::FileFormat;
use crate::fields::{FieldNames, ObjectFields, kind};
use crate::golden_form;
use crate::problem::Severity;
use crate::suite_reader::SuiteReader;
use crate::trail::{FileNumber, FilePart, Origin, SuiteFinding, Trail};
use crate::voice_bench_form;

pub(crate) static CASE_FILE: FieldNames = FieldNames {
    noun: "a reference to a file of cases",
    fields: &["file", "tags", "prefix"],
    synonyms: &[],
};

static CASE_LIST: FieldNames =
    FieldNames { noun: "a file of cases", fields: &["cases", "$schema"], synonyms: &[] };

/// What the suite file says of all cases of a file.
#[derive(Clone, Debug, Default)]
struct Common {
    tags: Tags,
    prefix: String,
}

/// The cases found so far.
pub(crate) struct CaseCollector<'a> {
    reader: &'a SuiteReader,
    rules: ArgumentRules,
    more: &'a Map<String, Value>,
    seen: HashMap<CaseId, Origin>,
    pub(crate) cases: Vec<Arc<Case>>,
    pub(crate) origins: Vec<Origin>,
}

impl<'a> CaseCollector<'a> {
    /// A collector whose cases compare plain arguments by these rules, and of which scorers
    /// demand this unless a case says otherwise.
    pub(crate) fn new(
        reader: &'a SuiteReader,
        rules: ArgumentRules,
        more: &'a Map<String, Value>,
    ) -> Self {
        Self { reader, rules, more, seen: HashMap::new(), cases: Vec::new(), origins: Vec::new() }
    }

    /// Reads what stands under `cases` in the suite file.
    pub(crate) fn read(&mut self, value: Value, trail: &Trail<'_>) {
        match value {
            Value::Array(items) => {
                for (index, item) in items.into_iter().enumerate() {
                    let origin = Origin { file: 0, start: FilePart::Case(index) };
                    // A case is never a bare string and has no field `file`, so the two cannot be
                    // confused.
                    if item.is_string() || item.get("file").is_some() {
                        self.read_reference(item, &origin.trail());
                    } else {
                        self.add(item, origin, &Common::default());
                    }
                }
            }
            reference @ (Value::String(_) | Value::Object(_)) => {
                self.read_reference(reference, trail);
            }
            other => {
                let hint = "write a list of cases, or the name of a file".to_owned();
                let message = format!("`cases` is {}", kind(&other));
                self.reader.findings.error_with(trail, message, hint);
            }
        }
    }

    fn read_reference(&mut self, value: Value, trail: &Trail<'_>) {
        let findings = &self.reader.findings;
        if let Value::String(path) = value {
            return self.read_files(&path, &Common::default(), trail);
        }
        let Some(mut fields) = ObjectFields::open(value, &CASE_FILE, trail, findings) else {
            return;
        };
        let path = fields.required_text("file", "name a file of cases");
        let tags = read_tags(fields.take("tags"), &Tags::new(), &trail.key("tags"), findings);
        let prefix = fields.text("prefix").unwrap_or_default();
        if let Some(path) = path {
            self.read_files(&path, &Common { tags, prefix }, trail);
        }
    }

    /// Reads one file, or all files a glob matches.
    fn read_files(&mut self, path: &str, common: &Common, trail: &Trail<'_>) {
        let findings = &self.reader.findings;
        if !path.contains(['*', '?', '[', '{']) {
            return self.read_file(path, common, trail);
        }
        match self.reader.files.matching(path) {
            Err(error) => findings.error(trail, format!("`{path}`: {}", error.kind())),
            Ok(mut paths) => {
                // A glob such as `*.yaml` matches the suite file itself.
                paths.retain(|path| *path != self.reader.files.main);
                if paths.is_empty() {
                    let hint = "`*` stays within a folder, `**` goes below it".to_owned();
                    findings.error_with(trail, format!("no file matches `{path}`"), hint);
                }
                for path in paths {
                    self.read_file(&path, common, trail);
                }
            }
        }
    }

    fn read_file(&mut self, path: &str, common: &Common, trail: &Trail<'_>) {
        match self.reader.format(path, trail) {
            None => {}
            Some(FileFormat::Lines | FileFormat::Table) => {
                let suite = self.reader;
                let table = FileFormat::of(path) == Some(FileFormat::Table);
                match suite.files.open(path) {
                    Err(error) => suite.unreadable(path, &error, trail),
                    Ok(reader) if table => self.read_rows(reader, suite.number(path), common),
                    Ok(reader) => self.read_lines(reader, suite.number(path), common),
                }
            }
            Some(FileFormat::Yaml | FileFormat::Json) => {
                if let Some((file, value)) = self.reader.document(path, trail) {
                    self.read_list(value, file, common);
                }
            }
        }
    }

    fn read_lines(&mut self, mut reader: impl BufRead, file: FileNumber, common: &Common) {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            match reader.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    let trail = Origin { file, start: FilePart::Row(number) }.trail();
                    self.reader.findings.error(&trail, format!("cannot read on: {error}"));
                    break;
                }
            }
            let parsed = toolgauge_document::text(&line).and_then(|text| match text.trim() {
                "" => Ok(Value::Null),
                text => toolgauge_document::parse_json(text),
            });
            match parsed {
                Ok(Value::Null) => {}
                Ok(value) => {
                    self.add(value, Origin { file, start: FilePart::Line(number) }, common);
                }
                Err(mut problem) => {
                    // The parser has seen one line only and calls it the first.
                    problem.line = number;
                    self.reader.malformed::<()>(file, problem);
                }
            }
        }
    }

    fn read_rows(&mut self, reader: impl BufRead, file: FileNumber, common: &Common) {
        let suite = self.reader;
        read_table(reader, file, &suite.findings, &mut |value, line| {
            self.add(value, Origin { file, start: FilePart::Row(line) }, common);
        });
    }

    fn read_list(&mut self, value: Value, file: FileNumber, common: &Common) {
        let findings = &self.reader.findings;
        let trail = Origin::document(file).trail();
        let (items, start): (_, fn(usize) -> FilePart) = match value {
            Value::Array(items) => (items, FilePart::Item),
            Value::Object(_) => {
                let fields = ObjectFields::open(value, &CASE_LIST, &trail, findings);
                (
                    fields.and_then(|mut fields| fields.list("cases")).unwrap_or_default(),
                    FilePart::Case,
                )
            }
            other => {
                let hint = "write one case after the other, each beginning with `- id:`".to_owned();
                let message = format!("a file of cases holds a list, but this is {}", kind(&other));
                findings.error_with(&trail, message, hint);
                return;
            }
        };
        for (index, item) in items.into_iter().enumerate() {
            self.add(item, Origin { file, start: start(index) }, common);
        }
    }

    fn add(&mut self, value: Value, origin: Origin, common: &Common) {
        let defaults = CaseDefaults {
            rules: self.rules,
            more: self.more,
            tags: &common.tags,
            prefix: &common.prefix,
        };
        let trail = origin.trail();
        // Rows of other programs become rows of ours first, so that one reader checks them all.
        let value = voice_bench_form::converted(value);
        let is_taken =
            |id: &str| self.seen.contains_key(&CaseId::new(format!("{}{id}", common.prefix)));
        let value = golden_form::converted(value, &is_taken, &trail, &self.reader.findings);
        let reading = read_case(value, &defaults, &trail, &self.reader.findings);
        let Some(id) = reading.id else { return };
        match self.seen.entry(id) {
            Entry::Vacant(entry) => {
                // Even if the case itself is wrong, so that a second one of its name is told of as
                // well.
                entry.insert(origin);
                if let Some(case) = reading.case {
                    self.cases.push(Arc::new(case));
                    self.origins.push(origin);
                }
            }
            Entry::Occupied(entry) => {
                let first = entry.get().trail();
                self.reader.findings.push(SuiteFinding {
                    severity: Severity::Error,
                    spot: trail.key("id").spot(),
                    message: format!("the id `{}` is given twice", entry.key()),
                    hint: None,
                    related: Some(("it is first given at", first.key("id").spot())),
                });
            }
        }
    }
}
