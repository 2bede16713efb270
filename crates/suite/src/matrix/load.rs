//! From the file of a matrix to the matrix.

use std::path::Path;

use super::{Matrix, MatrixSurroundings, form};
use crate::locate::locate;
use crate::problem::{Problems, Severity, SuiteProblem};
use crate::source::{SuiteFiles, SuiteSource};
use crate::suite_reader::SuiteReader;

/// Reads a matrix. What is wrong with its file is told all at once.
pub fn load_matrix(file: &Path, surroundings: &MatrixSurroundings<'_>) -> Result<Matrix, Problems> {
    let files = match SuiteFiles::find(&SuiteSource::Path(file.to_owned())) {
        Ok(files) if !file.is_dir() => files,
        found => return Err(unreadable(file, found.err().map(|(_, error)| error))),
    };
    let reader = SuiteReader::new(files);
    let matrix = reader.suite_file().and_then(|value| form::read(&reader, value, surroundings));
    let (files, names, findings) = reader.clear();
    let problems = locate(findings, &files, &names);
    match matrix {
        Some(matrix) if !problems.has_errors() => Ok(matrix),
        _ => Err(problems),
    }
}

fn unreadable(file: &Path, error: Option<std::io::Error>) -> Problems {
    let message = match error {
        Some(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "there is no such file".into()
        }
        Some(error) => format!("the matrix cannot be read: {error}"),
        None => "this is a folder, but a matrix is a file".to_owned(),
    };
    Problems::from_iter([SuiteProblem {
        severity: Severity::Error,
        file: file.display().to_string(),
        line: None,
        column: None,
        message,
        hint: Some("`docs/matrix.md` shows one".to_owned()),
    }])
}
