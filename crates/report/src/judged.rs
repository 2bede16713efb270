//! What scorers found, added up: the part of a run's numbers that each of its tiers has too.

use indexmap::IndexMap;
use toolgauge_core::{Outcome, Score, UnscoredReason, Verdict};
use toolgauge_log::TrialSummary;

use crate::case_stream::CaseNumber;
use crate::rate::{CaseValues, Rate};

/// Values by a name.
pub(crate) type NamedValues = IndexMap<String, CaseValues>;

/// What scorers found.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScorerResults {
    /// How many trials could not be scored, by reason.
    pub(crate) unscored: IndexMap<String, usize>,
    /// By the scorer that counts.
    pub(crate) score: CaseValues,
    /// By further scorers.
    pub(crate) scorers: NamedValues,
    /// The verdicts that apply.
    pub(crate) dimensions: NamedValues,
}

impl ScorerResults {
    /// Takes one trial into account.
    pub(crate) fn add(&mut self, case: CaseNumber, trial: &TrialSummary) {
        let mut outcomes = trial.outcomes.iter();
        match outcomes.next() {
            Some((_, Outcome::Scored(score))) => {
                self.score.add(case, score.value);
                self.add_dimensions(case, score);
            }
            Some((_, Outcome::Unscored(reason))) => self.add_unscored(why(reason)),
            None => self.add_unscored("not scored"),
        }
        for (scorer, outcome) in outcomes {
            if let Outcome::Scored(score) = outcome {
                named(&mut self.scorers, scorer).add(case, score.value);
                self.add_dimensions(case, score);
            }
        }
    }

    fn add_dimensions(&mut self, case: CaseNumber, score: &Score) {
        for (dimension, verdict) in &score.dimensions {
            let value = match verdict {
                Verdict::Correct => 1.0,
                Verdict::Incorrect => 0.0,
                Verdict::NotApplicable => continue,
            };
            named(&mut self.dimensions, dimension.as_str()).add(case, value);
        }
    }

    fn add_unscored(&mut self, why: &str) {
        *self.unscored.entry(why.to_owned()).or_default() += 1;
    }
}

/// Why a trial is unscored that a scorer has nothing to say of.
pub(crate) const NOTHING_EXPECTED: &str = "nothing expected";

fn why(reason: &UnscoredReason) -> &str {
    match reason {
        UnscoredReason::Failed(failure) => failure.kind.name(),
        UnscoredReason::NothingExpected => NOTHING_EXPECTED,
        UnscoredReason::NoValue => "no value recorded",
    }
}

/// The values of that name, which may be the first.
pub(crate) fn named<'a>(map: &'a mut NamedValues, name: &str) -> &'a mut CaseValues {
    let place = match map.get_index_of(name) {
        Some(place) => place,
        None => map.insert_full(name.to_owned(), CaseValues::default()).0,
    };
    &mut map[place]
}

/// The rate of each.
pub(crate) fn rates(values: &NamedValues) -> IndexMap<String, Rate> {
    values.iter().filter_map(|(name, values)| Some((name.clone(), values.rate()?))).collect()
}
