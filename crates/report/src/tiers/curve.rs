//! Accuracy against the size of the world.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::WorldWords;

use super::Tier;
use crate::rate::Rate;

/// How accuracy changes with the size of the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccuracyCurve {
    /// The tiers whose size is known, the smallest first.
    pub points: Vec<CurvePoint>,
    /// What the things are called that a size counts.
    #[serde(skip)]
    pub things: String,
}

/// The accuracy at one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The name of the tier.
    pub tier: String,
    /// How many things there are in its world.
    pub size: u64,
    /// The mean of each scorer.
    pub accuracy: IndexMap<String, Rate>,
}

impl AccuracyCurve {
    /// The curve through these tiers; absent unless two sizes are known.
    pub(super) fn of(tiers: &[Tier], words: &WorldWords) -> Option<Self> {
        let point = |tier: &Tier| {
            let accuracy = tier.accuracy.iter().filter(|(scorer, _)| *scorer != "wire");
            Some(CurvePoint {
                tier: tier.name.clone(),
                size: tier.size.filter(|size| *size > 0)?,
                accuracy: accuracy.map(|(scorer, rate)| (scorer.clone(), *rate)).collect(),
            })
        };
        let mut points: Vec<CurvePoint> = tiers.iter().filter_map(point).collect();
        points.sort_by_key(|point| point.size);
        let several =
            points.first().map(|point| point.size) < points.last().map(|point| point.size);
        several.then(|| Self { points, things: words.things.to_string() })
    }
}
