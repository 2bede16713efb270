//! Gates for people to read.

use std::fmt::{self, Display};

use crate::gate::GateResult;
use crate::harmless::line;

impl Display for GateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gate `{}`: {}: {}", line(&self.gate), self.word(), line(&self.message))?;
        for flip in &self.broken_cases {
            write!(f, "\n    broken: {}", line(flip.case.as_str()))?;
            if !flip.reason.is_empty() {
                write!(f, ": {}", line(&flip.reason))?;
            }
        }
        match self.broken - self.broken_cases.len() {
            0 => Ok(()),
            more => write!(f, "\n    and {more} more"),
        }
    }
}
