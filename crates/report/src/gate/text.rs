//! Gates for people to read.

use std::fmt::{self, Display};

use super::GateResult;

impl Display for GateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.passed { "passed" } else { "failed" };
        write!(f, "gate `{}` {word}: {}", self.gate, self.message)?;
        for flip in &self.broken_cases {
            write!(f, "\n    broken: {}", flip.case)?;
            if !flip.reason.is_empty() {
                write!(f, ": {}", flip.reason)?;
            }
        }
        match self.broken - self.broken_cases.len() {
            0 => Ok(()),
            more => write!(f, "\n    and {more} more"),
        }
    }
}
