//! Contests for people to read at a glance.

use std::fmt::{self, Display};

use super::comparison::side;
use super::style::{self, is_colored};
use super::table;
use crate::compare::{CONFIDENCE, ContestReport};
use crate::harmless::line;
use crate::number::counted;
use crate::render::html::NoLinks;
use crate::render::tables;

impl Display for ContestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by_letter: Vec<_> = self.contenders.iter().collect();
        by_letter.sort_by(|one, other| one.letter.cmp(&other.letter));
        for (place, contender) in by_letter.into_iter().enumerate() {
            side(f, &contender.letter, &contender.run, place == 0)?;
        }
        for (letter, cautions) in &self.cautions {
            for caution in cautions {
                let message = format!("A and {letter}: {}", line(&caution.message));
                writeln!(f, "{}", style::caution(is_colored(f), &message))?;
            }
        }
        writeln!(f, "\n  compared over {} that all of them have", counted(self.cases, "case"))?;
        table::write(f, &tables::ranks(self, &NoLinks))?;
        table::write(f, &tables::duels(self))?;
        writeln!(f, "  * told apart: corrected p below {:.2}", CONFIDENCE.alpha())?;
        match self.alike() {
            Some(alike) => writeln!(f, "\n  cannot be told apart: {alike}"),
            None => writeln!(f, "\n  each run is told apart from every other"),
        }
    }
}
