//! The exceptions that the package raises.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};
use toolgauge_engine::EngineError;
use toolgauge_suite::Problems;

create_exception!(
    toolgauge,
    ToolgaugeError,
    PyValueError,
    "Something given to toolgauge is wrong."
);
create_exception!(
    toolgauge,
    MessageError,
    ToolgaugeError,
    "A message has a form that is not known."
);
create_exception!(
    toolgauge,
    ExpectationError,
    ToolgaugeError,
    "An expectation or a tool cannot be read."
);

/// What to do next goes on a line of its own, as on the command line.
pub(crate) fn hinted(message: impl Display, hint: impl Display) -> String {
    format!("{message}\n  hint: {hint}")
}

/// All problems at once, each with the way to the value it is about.
pub(crate) fn expectation(problems: &Problems) -> PyErr {
    let lines = problems.iter().map(|problem| {
        let message = format!("`{}`: {}", problem.file, problem.message);
        match &problem.hint {
            Some(hint) => hinted(message, hint),
            None => message,
        }
    });
    ExpectationError::new_err(lines.collect::<Vec<_>>().join("\n"))
}

/// A failure of the engine, with what to do next.
pub(crate) fn engine_failure(error: EngineError) -> PyErr {
    let hint = match &error {
        // What the function raised says more than where to look for a server.
        EngineError::EveryTrialFails { .. } => None,
        other => other.hint(),
    };
    let message = toolgauge_engine::with_source(&error);
    ToolgaugeError::new_err(match hint {
        Some(hint) => hinted(message, hint),
        None => message,
    })
}

/// Any other failure, in its own words.
pub(crate) fn failure(error: impl Display) -> PyErr {
    ToolgaugeError::new_err(error.to_string())
}
