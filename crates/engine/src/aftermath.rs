//! What is said about runs once they are over: how their variants compare.

use serde::Serialize;
use toolgauge_report::{Comparison, ContestReport, Terms};

use crate::cell::Finished;
use crate::error::EngineError;
use crate::settings::Settings;
use crate::sides;

/// How the variants of one run compare.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aftermath {
    /// Of two variants.
    Comparison(Box<Comparison>),
    /// Of several.
    Contest(ContestReport),
}

impl Aftermath {
    /// The comparison of two variants, if that is what it is.
    pub fn comparison(self) -> Option<Comparison> {
        match self {
            Self::Comparison(comparison) => Some(*comparison),
            Self::Contest(_) => None,
        }
    }
}

impl std::fmt::Display for Aftermath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Comparison(comparison) => comparison.fmt(f),
            Self::Contest(contest) => contest.fmt(f),
        }
    }
}

/// How the variants of a run compare; absent for a run of one, or where they share too little.
pub fn of_variants(
    finished: &Finished,
    settings: &Settings,
) -> Result<Option<Aftermath>, EngineError> {
    if finished.logs.len() < 2 {
        return Ok(None);
    }
    let sides = sides::read_all(&finished.logs, None, settings)?;
    let terms = Terms { flips_shown: Some(10), ..Terms::default() };
    Ok(match sides.as_slice() {
        [a, b] => Some(Aftermath::Comparison(Box::new(Comparison::of(a, b, &terms)))),
        _ => ContestReport::of(&sides, terms.unscored, &terms.resampling).map(Aftermath::Contest),
    })
}
