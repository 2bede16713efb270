//! From files to a suite.

use crate::hash;
use crate::locate::locate;
use crate::manifest::read_suite;
use crate::problem::{Problems, Severity, SuiteProblem};
use crate::source::{SuiteFiles, SuiteSource};
use crate::suite::Suite;
use crate::suite_reader::SuiteReader;
use crate::trail::Origin;

/// What could be read of a suite, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct LoadedSuite {
    /// The suite, as far as it could be read: whole if no problem is an error.
    pub suite: Option<Suite>,
    /// Everything that is wrong with its files.
    pub problems: Problems,
}

/// Reads a suite, keeping what can be read even where something is wrong, so that the rest can
/// still be checked.
pub fn draft(source: &SuiteSource) -> LoadedSuite {
    let files = match SuiteFiles::find(source) {
        Ok(files) => files,
        Err((file, error)) => return LoadedSuite { suite: None, problems: no_suite(file, &error) },
    };
    let reader = SuiteReader::new(files);
    let suite = reader.suite_file().and_then(|value| read_suite(&reader, value));
    // Where cases could not be read, their own problems say why there are none.
    if suite.as_ref().is_some_and(|suite| suite.cases.is_empty()) && reader.findings.len() == 0 {
        let trail = Origin::document(0).trail();
        reader.findings.error(&trail.key("cases"), "the suite has no cases");
    }
    let (files, names, findings) = reader.clear();
    let problems = locate(findings, &files, &names);
    let suite = suite.map(|mut suite| {
        suite.file_names = names;
        suite.hash = hash::hash(&suite);
        suite
    });
    LoadedSuite { suite, problems }
}

/// Reads a suite. What is wrong with its files is told all at once.
///
/// A suite that loads is well formed; whether its answers make sense is for
/// [`check`](crate::check) to say.
pub fn load(source: &SuiteSource) -> Result<Suite, Problems> {
    match draft(source) {
        LoadedSuite { suite: Some(suite), problems } if !problems.has_errors() => Ok(suite),
        LoadedSuite { problems, .. } => Err(problems),
    }
}

fn no_suite(file: String, error: &std::io::Error) -> Problems {
    let hint = "a suite is a folder with a `suite.yaml` in it, or a single suite file";
    let (message, hint) = match error.kind() {
        std::io::ErrorKind::NotFound if error.get_ref().is_none() => {
            ("there is no such suite".to_owned(), None)
        }
        std::io::ErrorKind::NotFound => (format!("this is not a suite: {error}"), Some(hint)),
        _ => (format!("the suite cannot be read: {error}"), None),
    };
    let hint = hint.map(str::to_owned);
    let severity = Severity::Error;
    Problems::from_iter([SuiteProblem { severity, file, line: None, column: None, message, hint }])
}
