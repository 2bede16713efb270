//! The native module of toolgauge's Python package.
//!
//! Thin: it turns Python values into toolgauge's own, calls its crates, and turns the results
//! back. What is computed is computed by the same code as in the binary.

mod errors;
mod messages;
mod outcome;
mod plain_value;
mod scoring;

use pyo3::pymodule;

/// The parts of `toolgauge` that are compiled.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::errors::{ExpectationError, MessageError, ToolgaugeError};
    #[pymodule_export]
    use crate::outcome::{Loss, Outcome};
    #[pymodule_export]
    use crate::scoring::{Scorer, score, scorer_names};
}
