//! Runs as Markdown for a pull request, and leaderboards.

mod comparison;
mod decision;
mod escape;
mod figures;
mod page;
mod run_words;
mod table;

use std::fmt::Write;

use self::escape::cell;
use crate::leaderboard::Leaderboard;
use crate::render::tables;

pub use page::page;

impl Leaderboard {
    /// The leaderboard as a table of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        table::write(&mut text, &tables::leaderboard(self), usize::MAX);
        let _ = writeln!(text, "{}", tables::LEGEND);
        for warning in tables::warnings(self) {
            let _ = writeln!(text, "\n{}", cell(&warning));
        }
        text
    }
}
