//! Tiers for people: one column each.

use std::fmt::{self, Display};

use super::table;
use crate::harmless::line;
use crate::render::tables;
use crate::tiers::Tiers;

impl Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(f, &tables::figures(self))?;
        table::write(f, &tables::failure_patterns(self))?;
        let kinds = tables::disagreements(self);
        if !kinds.is_empty() {
            writeln!(f)?;
        }
        for kind in kinds {
            writeln!(f, "  {}", kind.line(|case| line(case).into_owned()))?;
        }
        match &self.curve {
            None => Ok(()),
            Some(curve) => {
                writeln!(f)?;
                curve.fmt(f)
            }
        }
    }
}
