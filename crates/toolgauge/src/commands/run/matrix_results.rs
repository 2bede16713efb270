//! What a matrix came to: the leaderboard of its cells, and where their logs are.

use std::fmt::{self, Display};
use std::path::PathBuf;

use serde::Serialize;
use toolgauge_core::CellName;
use toolgauge_report::Leaderboard;

use crate::failure::Failure;
use crate::followed_log;
use crate::matrix::{CellResult, cell_line};
use crate::settings::Settings;

/// The leaderboard of a matrix, and the log of each cell.
#[derive(Serialize)]
pub(crate) struct MatrixResults {
    matrix: String,
    leaderboard: Leaderboard,
    logs: Vec<CellLog>,
    /// Whether text lists the logs.
    #[serde(skip)]
    full: bool,
}

#[derive(Serialize)]
struct CellLog {
    cell: CellName,
    log: PathBuf,
}

impl MatrixResults {
    /// The results of these cells, read from their logs.
    pub(crate) fn of(
        matrix: String,
        ran: &[CellResult],
        settings: &Settings,
        full: bool,
    ) -> Result<Self, Failure> {
        let (mut cells, mut logs) = (Vec::new(), Vec::new());
        for CellResult { name, finished } in ran {
            for log in &finished.logs {
                cells.push((name.clone(), followed_log::summary_of(log, settings)?.0));
                logs.push(CellLog { cell: name.clone(), log: log.clone() });
            }
        }
        Ok(Self { matrix, leaderboard: Leaderboard::of(cells), logs, full })
    }

    /// The leaderboard as a page of Markdown.
    pub(crate) fn markdown(&self) -> String {
        format!("# {}\n\n{}", self.matrix, self.leaderboard.markdown())
    }

    /// Whether some trial of some cell is missing or could not be scored.
    pub(crate) fn has_unscored(&self) -> bool {
        let places = &self.leaderboard.places;
        places.iter().any(|place| place.unscored > 0 || place.trials < place.planned)
    }
}

impl Display for MatrixResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.matrix)?;
        self.leaderboard.fmt(f)?;
        for CellLog { cell, log } in self.logs.iter().filter(|_| self.full) {
            writeln!(f, "  {}  {}", log.display(), cell_line(cell))?;
        }
        let Some(folder) = self.logs.first().and_then(|first| first.log.parent()) else {
            return Ok(());
        };
        writeln!(f, "\n  next       toolgauge view {} (browser)", folder.display())
    }
}
