//! The native module of toolgauge's Python package.
//!
//! Thin: it turns Python values into toolgauge's own, calls its crates, and turns the results
//! back. What is computed is computed by the same code as in the binary.

mod comparison;
mod errors;
mod gate;
mod logs;
mod messages;
mod outcome;
mod plain_value;
mod program;
mod project;
mod run;
mod scoring;
mod session_log;
mod suite;
mod table;

use pyo3::pymodule;

/// The parts of `toolgauge` that are compiled.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::comparison::{Comparison, compare_logs};
    #[pymodule_export]
    use crate::errors::{ExpectationError, MessageError, ToolgaugeError};
    #[pymodule_export]
    use crate::gate::Gate;
    #[pymodule_export]
    use crate::logs::{Logs, read_logs};
    #[pymodule_export]
    use crate::outcome::{Loss, Outcome};
    #[pymodule_export]
    use crate::program::run_program;
    #[pymodule_export]
    use crate::run::{RunResult, run_suite};
    #[pymodule_export]
    use crate::scoring::{Scorer, score, scorer_names};
    #[pymodule_export]
    use crate::session_log::{plain_json, plain_messages, write_session_log};
    #[pymodule_export]
    use crate::suite::{Suite, WorldSession, suite_names};
    #[pymodule_export]
    use crate::table::Table;
}
