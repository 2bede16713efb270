//! The cells of a matrix, a line each.

use std::fmt::{self, Display};

use super::table;
use crate::leaderboard::Leaderboard;
use crate::render::tables;

impl Display for Leaderboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(f, &tables::leaderboard(self))?;
        writeln!(f, "\n{}", tables::LEGEND)?;
        for warning in tables::warnings(self) {
            writeln!(f, "{warning}")?;
        }
        Ok(())
    }
}
