//! Feedback for people to read at a glance.

use std::fmt::{self, Display};

use super::table::write;
use crate::compare::correlation;
use crate::feedback::{FeedbackStats, Satisfaction};
use crate::harmless::line_within;
use crate::number::counted;
use crate::render::table::{FigureCell, FigureColumn, FigureTable};

/// How many letters of an example are shown.
const EXAMPLE: usize = 90;

impl Display for FeedbackStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, trials) = (self.entries, counted(self.trials, "trial"));
        writeln!(f, "  feedback     {entries} on {} of {trials}", self.trials_with_feedback)?;
        match &self.satisfaction {
            Some(satisfaction) => writeln!(f, "  satisfied    {}", words(satisfaction))?,
            None => writeln!(f, "  satisfied    no thumbs yet")?,
        }
        writeln!(f, "  comments     {}", self.comments)?;
        writeln!(f, "  corrections  {}", self.corrections)?;
        self.scores(f)?;
        let columns = [
            FigureColumn::names("category"),
            FigureColumn::numbers("up"),
            FigureColumn::numbers("down"),
            FigureColumn::words("satisfied"),
        ];
        let rows = self.by_tag.iter().map(|(tag, satisfaction)| {
            [
                FigureCell::name(tag),
                FigureCell::words(satisfaction.up),
                FigureCell::words(satisfaction.down),
                FigureCell::words(words(satisfaction)),
            ]
        });
        write(f, &FigureTable::new("Satisfaction by category", columns).at_margin().rows(rows))?;
        self.themes(f)
    }
}

impl FeedbackStats {
    /// What the comments have in common, and how to read them.
    fn themes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = [
            FigureColumn::words("shared"),
            FigureColumn::names("theme"),
            FigureColumn::numbers("comments"),
            FigureColumn::numbers("up"),
            FigureColumn::numbers("down"),
            FigureColumn::words("for example"),
        ];
        let rows = self.themes.iter().map(|theme| {
            [
                FigureCell::words(theme.kind.name()),
                FigureCell::name(&theme.name),
                FigureCell::words(theme.comments),
                FigureCell::words(theme.up),
                FigureCell::words(theme.down),
                FigureCell::name(&line_within(&theme.example, EXAMPLE)),
            ]
        });
        write(f, &FigureTable::new("Themes of comments", columns).at_margin().rows(rows))?;
        if self.themes.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        writeln!(f, "  `toolgauge feedback list --theme NAME` lists the comments of a theme")
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(found) = &self.correlation {
            write!(f, "  correlation  {:+.2}", found.r)?;
            if let (Some(low), Some(high)) = (found.low, found.high) {
                write!(f, " [{low:+.2}, {high:+.2}]")?;
            }
            writeln!(f, " of score and thumb, over {} thumbs", found.thumbs)?;
        }
        let Some(agreement) = &self.agreement else { return Ok(()) };
        write!(f, "  agreement    {:.0} %", agreement.share * 100.0)?;
        if let Some(kappa) = agreement.kappa {
            write!(f, ", kappa {}", correlation(kappa))?;
        }
        let (kind, hard) = (agreement.passed_disliked, agreement.failed_liked);
        writeln!(f, "; {kind} pass but are disliked, {hard} fail but are liked")
    }
}

fn words(satisfaction: &Satisfaction) -> String {
    let Satisfaction { share, low, high, .. } = satisfaction;
    format!("{:.0} % [{:.0}, {:.0}]", share * 100.0, low * 100.0, high * 100.0)
}
