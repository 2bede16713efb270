//! The numbers of a run tier by tier: how a subject copes as its world grows.

mod curve;
mod safety;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use toolgauge_core::{CaseId, FailurePattern, Measure, Outcome, Run, Score, Usage};
use toolgauge_log::TrialSummary;

pub use self::curve::{AccuracyCurve, CurvePoint};
pub use self::safety::Safety;
use self::safety::SafetyTally;
use crate::judged::{ScorerResults, rates};
use crate::rate::{CaseNumber, Rate};
use crate::times::{Percentiles, Speed, TrialDurations};

/// The tag that names a case's tier.
const TIER: &str = "tier";

/// What a tier is called in a suite that has none, but whose trials show patterns and risks.
const WHOLE: &str = "all";

/// The scorer whose measures tell patterns, contradictions and risks.
const END_STATE: &str = "end_state";

/// The tiers of a run, in the order in which the suite has them.
#[derive(Clone, Debug, Serialize)]
pub struct Tiers {
    /// The tiers.
    pub tiers: Vec<Tier>,
    /// How accuracy changes with the size of the world, where several sizes are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<AccuracyCurve>,
}

/// The numbers of one tier.
#[derive(Clone, Debug, Serialize)]
pub struct Tier {
    /// Its name.
    pub name: String,
    /// How many things there are in its world, such as the entities of a home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// How many trials it has.
    pub trials: usize,
    /// How many of them could not be scored.
    pub unscored: usize,
    /// The mean of each scorer, the one that counts first.
    pub accuracy: IndexMap<String, Rate>,
    /// What the best constant policy that never calls a tool scores by the scorer that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// The share of correct verdicts among those that apply, by dimension.
    pub dimensions: IndexMap<String, Rate>,
    /// The known ways to fail that were seen, in the order of tables.
    pub patterns: Vec<PatternCount>,
    /// The cases in which calls and end state are judged differently.
    pub contradictions: Contradictions,
    /// How it went where doors, heating and alarms are at stake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<Safety>,
    /// How long trials took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Percentiles>,
    /// Tokens a second as the server reports them, median over trials.
    pub speed: Speed,
    /// Tokens of all trials together.
    pub usage: Usage,
}

/// How often a known way to fail was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternCount {
    /// Its short name.
    pub id: &'static str,
    /// The words shown to people.
    pub words: &'static str,
    /// A change worth trying against it.
    pub remedy: &'static str,
    /// In how many trials.
    pub trials: usize,
}

/// Cases in which calls and end state are judged differently, in at least one trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contradictions {
    /// The end state is right though the calls are not the expected ones.
    pub right_by_state_only: Vec<CaseId>,
    /// The calls are the expected ones though the end state is wrong.
    pub right_by_calls_only: Vec<CaseId>,
}

/// Adds trials up by tier.
#[derive(Clone, Debug, Default)]
pub(crate) struct TierTally {
    tiers: IndexMap<String, TierNumbers>,
}

#[derive(Clone, Debug, Default)]
struct TierNumbers {
    trials: usize,
    judged: ScorerResults,
    times: TrialDurations,
    usage: Usage,
    /// The first of its cases, by which tiers are put in order.
    first: Option<CaseNumber>,
    patterns: IndexMap<&'static str, usize>,
    state_only: BTreeSet<CaseNumber>,
    calls_only: BTreeSet<CaseNumber>,
    safety: SafetyTally,
}

impl TierTally {
    /// Takes one trial into account.
    pub(crate) fn add(&mut self, case: CaseNumber, trial: &TrialSummary) {
        let tier = trial.tags.get(TIER).map(String::as_str);
        let measured = trial.outcomes.get(END_STATE).and_then(Outcome::score);
        let Some(tier) = tier.or(measured.map(|_| WHOLE)) else { return };
        if !self.tiers.contains_key(tier) {
            self.tiers.insert(tier.to_owned(), TierNumbers::default());
        }
        self.tiers[tier].add(case, trial, measured);
    }

    /// The numbers of all tiers, if there is more to tell than the summary does. `cases` are
    /// those of the run, by their numbers.
    pub(crate) fn tiers(&self, run: &Run, cases: &IndexSet<CaseId>) -> Option<Tiers> {
        let worthwhile =
            self.tiers.len() > 1 || self.tiers.values().any(|numbers| !numbers.safety.is_empty());
        if !worthwhile {
            return None;
        }
        let mut numbers: Vec<(&String, &TierNumbers)> = self.tiers.iter().collect();
        numbers.sort_by_key(|(_, numbers)| numbers.first);
        let tiers: Vec<Tier> =
            numbers.into_iter().map(|(name, numbers)| numbers.tier(name, run, cases)).collect();
        let curve = AccuracyCurve::of(&tiers);
        Some(Tiers { tiers, curve })
    }
}

impl TierNumbers {
    fn add(&mut self, case: CaseNumber, trial: &TrialSummary, measured: Option<&Score>) {
        self.trials += 1;
        self.judged.add(case, trial);
        self.times.add(trial);
        self.usage = self.usage.plus(trial.usage);
        self.first = Some(self.first.map_or(case, |first| first.min(case)));
        if let Some(score) = measured {
            self.add_measures(case, trial, score);
        }
    }

    fn add_measures(&mut self, case: CaseNumber, trial: &TrialSummary, score: &Score) {
        let shows = |pattern: &&FailurePattern| score.has(Measure::Shows(**pattern));
        for pattern in FailurePattern::ALL.iter().filter(shows) {
            *self.patterns.entry(pattern.id()).or_default() += 1;
        }
        if score.has(Measure::RightByStateOnly) {
            self.state_only.insert(case);
        }
        if score.has(Measure::RightByCallsOnly) {
            self.calls_only.insert(case);
        }
        let at_stake = trial.tags.get("safety").is_some_and(|tag| tag != "no");
        self.safety.add(case, at_stake, score);
    }

    fn tier(&self, name: &str, run: &Run, cases: &IndexSet<CaseId>) -> Tier {
        let names = |numbers: &BTreeSet<CaseNumber>| {
            let name = |number: &CaseNumber| cases.get_index(number.0 as usize).cloned();
            numbers.iter().filter_map(name).collect()
        };
        let pattern = |pattern: &FailurePattern| PatternCount {
            id: pattern.id(),
            words: pattern.words(),
            remedy: pattern.remedy(),
            trials: self.patterns.get(pattern.id()).copied().unwrap_or(0),
        };
        let patterns = FailurePattern::ALL.iter().map(pattern).filter(|seen| seen.trials > 0);
        let facts = run.tier(name);
        let scorer = run.scorers.first().cloned().unwrap_or_default();
        let own = self.judged.score.rate().map(|score| (scorer, score));
        Tier {
            name: name.to_owned(),
            size: facts.size,
            trials: self.trials,
            unscored: self.judged.unscored.values().sum(),
            accuracy: own.into_iter().chain(rates(&self.judged.scorers)).collect(),
            floor: facts.floor,
            dimensions: rates(&self.judged.dimensions),
            patterns: patterns.collect(),
            contradictions: Contradictions {
                right_by_state_only: names(&self.state_only),
                right_by_calls_only: names(&self.calls_only),
            },
            safety: self.safety.safety(),
            latency: self.times.total(),
            speed: self.times.speed(),
            usage: self.usage,
        }
    }
}
