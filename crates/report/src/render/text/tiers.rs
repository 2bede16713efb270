//! Tiers for people: one column each.

use std::fmt::{self, Display};

use comfy_table::Cell;

use super::table::{self, number};
use crate::harmless::line;
use crate::render::tiers::Disagreement;
use crate::tiers::Tiers;

impl Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figures(f)?;
        self.patterns(f)?;
        self.contradictions(f)?;
        match &self.curve {
            None => Ok(()),
            Some(curve) => write!(f, "\n{curve}"),
        }
    }
}

impl Tiers {
    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = table::plain();
        let names = self.tiers.iter().map(|tier| number(line(&tier.name)));
        table.set_header(std::iter::once(Cell::new("  tier")).chain(names));
        for (name, told) in self.figure_rows() {
            let name = Cell::new(format!("  {}", line(&name)));
            table.add_row(std::iter::once(name).chain(told.into_iter().map(number)));
        }
        table::write(f, &table)
    }

    fn patterns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = self.pattern_rows();
        if patterns.is_empty() {
            return Ok(());
        }
        let mut table = table::plain();
        let names = self.tiers.iter().map(|tier| number(line(&tier.name)));
        let title = std::iter::once(Cell::new("  failure pattern"));
        table.set_header(title.chain(names).chain([Cell::new("worth trying")]));
        for (pattern, counts) in patterns {
            let name = Cell::new(format!("  {:<3} {}", pattern.id, pattern.words));
            let counts = counts.into_iter().map(number);
            table.add_row(std::iter::once(name).chain(counts).chain([Cell::new(pattern.remedy)]));
        }
        table::write(f, &table)
    }

    fn contradictions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.disagreements();
        if !kinds.is_empty() {
            writeln!(f)?;
        }
        let told = |kind: &Disagreement<'_>| kind.line(|case| line(case).into_owned());
        kinds.iter().try_for_each(|kind| writeln!(f, "  {}", told(kind)))
    }
}
