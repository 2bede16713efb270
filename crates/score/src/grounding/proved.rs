//! The figure that proves an answer: what the case's own query found in the database.

use serde_json::Value;

use super::claim::{Claim, ClaimKind};
use super::returned::agrees;
use crate::reading::{Item, ItemContent, NumberWithUnit};

/// How far a figure may be off that is told roughly, as a share.
const ROUGHLY: f64 = 0.05;
/// How many times larger or smaller a figure may be that is told in the place of another. Numbers
/// that are farther off count something else.
const FARTHEST: f64 = 20.0;

/// The one figure of a proof. A proof with several does not say which of them is asked for.
pub(super) struct ProvedFigure {
    number: NumberWithUnit,
    /// The name of its column.
    column: String,
}

impl ProvedFigure {
    /// The figure of these proofs, where they find one number in one row. Nothing is no figure:
    /// people have many words for none.
    pub(super) fn of(proved: &[String]) -> Option<Self> {
        let [rows] = proved else { return None };
        let table: Value = serde_json::from_str(rows).ok()?;
        let [row] = table.get("rows")?.as_array()?.as_slice() else { return None };
        let cells = row.as_array()?.iter().enumerate();
        let mut numbers = cells.filter_map(|(at, cell)| Some((at, cell.as_f64()?)));
        let (at, value) = numbers.next().filter(|(_, value)| *value != 0.0)?;
        if numbers.next().is_some() {
            return None;
        }
        let column = table.get("columns")?.get(at)?.as_str()?.to_owned();
        Some(Self { number: NumberWithUnit::plain(value), column })
    }

    /// The claim that gives another figure in its place, in an answer that does not say the right
    /// one anywhere: the nearest. What the person said is no answer.
    pub(super) fn contradicted_by<'c, 't>(
        &self,
        claims: &'c [Claim<'t>],
        said: &[Item],
        asked: &[Item],
    ) -> Option<&'c Claim<'t>> {
        if said.iter().any(|item| self.is_told_by(&item.content)) {
            return None;
        }
        let distance = |claim: &Claim<'_>| {
            let ClaimKind::Value(content @ ItemContent::Number(number)) = &claim.kind else {
                return None;
            };
            let is_year = number.unit.is_none() && (1900.0..2100.0).contains(&number.value);
            let is_asked = asked.iter().any(|item| content.is_met_by(&item.content));
            let times = (number.value / self.number.value).abs().ln().abs();
            (!is_year && !is_asked && times <= FARTHEST.ln()).then_some(times)
        };
        let told = claims.iter().filter_map(|claim| Some((claim, distance(claim)?)));
        told.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(claim, _)| claim)
    }

    fn is_told_by(&self, content: &ItemContent) -> bool {
        let number = match content {
            ItemContent::Number(number) => number,
            ItemContent::Date(date) => return self.number.is_year(date.year),
            _ => return false,
        };
        // Money that goes out is told without its sign.
        let size = NumberWithUnit::plain(self.number.value.abs());
        let told = NumberWithUnit { value: number.value.abs(), ..*number };
        let off = (told.value - size.value).abs();
        agrees(&told, &size) || off <= ROUGHLY * size.value
    }

    /// What the proof says, for people.
    pub(super) fn shown(&self) -> Value {
        serde_json::json!({ self.column.clone(): [self.number.value.to_string()] })
    }
}
