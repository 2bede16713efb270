//! The command `toolgauge`, in the process of Python.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs a command line, the name of the program first, and gives its exit status. `starter` is a file
/// that starts the program anew.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, words: Vec<OsString>, starter: PathBuf) -> u8 {
    py.detach(|| toolgauge::run_inside(words, starter).code())
}
