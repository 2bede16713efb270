//! Contests for people to read at a glance.

use std::fmt::{self, Display};

use comfy_table::Cell;

use super::comparison::side;
use super::table::{number, plain, write};
use crate::compare::{CONFIDENCE, ContestReport, signed};
use crate::harmless::line;
use crate::number::counted;

impl Display for ContestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by_letter: Vec<_> = self.contenders.iter().collect();
        by_letter.sort_by(|one, other| one.letter.cmp(&other.letter));
        for contender in by_letter {
            side(f, &contender.letter, &contender.run)?;
        }
        for (letter, cautions) in &self.cautions {
            for caution in cautions {
                let message = caution.message.replace("in B", &format!("in {letter}"));
                writeln!(f, "  ! A and {letter}: {}", line(&message))?;
            }
        }
        writeln!(f, "\n  compared over {} that all of them have", counted(self.cases, "case"))?;
        self.ranks(f)?;
        self.matrix(f)?;
        let groups: Vec<String> = self.groups.iter().map(|group| group.join(" ")).collect();
        writeln!(f, "\n  cannot be told apart: {}", groups.join(" | "))
    }
}

impl ContestReport {
    fn ranks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = plain();
        table.set_header(["  rank", "", "score", "95 % interval", "ranks", "best"]);
        for contender in &self.contenders {
            let (best, worst) = (contender.best_rank, contender.worst_rank);
            table.add_row([
                number(contender.rank),
                Cell::new(&contender.letter),
                number(format!("{:.3}", contender.score)),
                Cell::new(format!("[{:.3}, {:.3}]", contender.low, contender.high)),
                Cell::new(if best == worst {
                    best.to_string()
                } else {
                    format!("{best}–{worst}")
                }),
                number(format!("{:.0} %", contender.probability_best * 100.0)),
            ]);
        }
        write(f, &table)
    }

    /// The row's score less the column's, with a star where they can be told apart.
    fn matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<&str> = self.contenders.iter().map(|c| c.letter.as_str()).collect();
        let mut table = plain();
        let header = std::iter::once("  row − column").chain(letters.iter().copied());
        table.set_header(header);
        for row in &letters {
            let mut cells = vec![Cell::new(format!("  {row}"))];
            cells.extend(letters.iter().map(|column| number(self.duel(row, column))));
            table.add_row(cells);
        }
        write(f, &table)?;
        let level = CONFIDENCE.alpha();
        writeln!(f, "  * told apart: corrected p below {level:.2}")
    }

    fn duel(&self, row: &str, column: &str) -> String {
        let found = self.duels.iter().find_map(|duel| {
            let sign = match (duel.a == row && duel.b == column, duel.a == column && duel.b == row)
            {
                (true, _) => -1.0,
                (_, true) => 1.0,
                _ => return None,
            };
            let star = if duel.told_apart { "*" } else { "" };
            Some(format!("{}{star}", signed(sign * duel.difference)))
        });
        found.unwrap_or_default()
    }
}
