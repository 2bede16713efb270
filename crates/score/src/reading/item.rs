//! One thing a text says.

use std::ops::Range;

use super::date::{self, Date};
use super::number::NumberWithUnit;

/// One thing a text says, and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// What it says.
    pub(crate) content: ItemContent,
    /// Where, in bytes.
    pub(crate) place: Range<usize>,
}

/// What an item says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ItemContent {
    /// A number, with its unit.
    Number(NumberWithUnit),
    /// A place in a row: `9th`, `ninth`.
    Ordinal(u64),
    /// A day, a month of a year, or a day of a month.
    Date(Date),
    /// Any other word: its stem, or what stands for all its synonyms.
    Word(String),
}

impl ItemContent {
    /// Whether something said is what was wanted, or holds it.
    pub(crate) fn is_met_by(&self, said: &Self) -> bool {
        match (self, said) {
            (Self::Number(wanted), Self::Number(said)) => wanted.is_met_by(said),
            (Self::Number(wanted), Self::Date(said)) => wanted.is_year(said.year),
            (Self::Date(wanted), Self::Date(said)) => wanted.is_met_by(*said),
            (Self::Word(wanted), Self::Date(said)) => {
                said.month.is_some() && date::month(wanted) == said.month
            }
            // `5%` says `percent` as well.
            (Self::Word(wanted), Self::Number(said)) => {
                said.unit.is_some_and(|unit| unit.has_sign() && unit.is_called(wanted))
            }
            (wanted, said) => wanted == said,
        }
    }
}
