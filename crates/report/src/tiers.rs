//! The numbers of a run tier by tier: how a subject copes as its world grows.

mod curve;
mod safety;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{CaseId, FailurePattern, Measure, Outcome, Run, Score, Usage, WorldWords};
use toolgauge_log::{TrialSummary, world_words};

pub use self::curve::{AccuracyCurve, CurvePoint};
pub use self::safety::Safety;
use self::safety::SafetyTally;
use crate::case_places::CasePlaces;
use crate::case_stream::CaseNumber;
use crate::judged::{ScorerResults, rates};
use crate::rate::Rate;
use crate::times::{Percentiles, Speed, TrialDurations};

/// What a tier is called in a suite that has none, but whose trials show patterns and risks.
const WHOLE: &str = "all";

/// The scorer whose measures tell patterns, contradictions and risks.
const END_STATE: &str = "end_state";

/// The tiers of a run, in the order in which the suite has them.
#[derive(Clone, Debug, Serialize)]
pub struct Tiers {
    /// The tag whose values are the tiers: `tier`, or `decoys` for the number of tools of other
    /// servers among those of a case.
    pub tag: &'static str,
    /// The tiers, in the order of their first cases.
    pub tiers: Vec<Tier>,
    /// How accuracy changes with the size of the world, where several sizes are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<AccuracyCurve>,
    /// The words of the run's world.
    #[serde(skip)]
    pub words: WorldWords,
}

/// The numbers of one tier.
#[derive(Clone, Debug, Serialize)]
pub struct Tier {
    /// The value of the tag, or `all` in a suite without tiers.
    pub name: String,
    /// How many things there are in its world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// How many trials of its cases there are, scored or not.
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
    /// How it went where a mistake may do harm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<Safety>,
    /// How long trials took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Percentiles>,
    /// Tokens a second as the server reports them, median over trials.
    pub speed: Speed,
    /// Tokens of all trials together.
    pub usage: Usage,
    /// About how many tokens the definitions of its tools have, in each request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition_tokens: Option<u64>,
}

/// How often a known way to fail was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternCount {
    /// Its short name.
    pub id: String,
    /// The words shown to people.
    pub words: String,
    /// A change worth trying against it.
    pub remedy: String,
    /// In how many trials of the tier it was seen.
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
    words: WorldWords,
    tag: &'static str,
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
    /// In how many trials each of the world's failure patterns was seen, in their order.
    patterns: Vec<usize>,
    state_only: BTreeSet<CaseNumber>,
    calls_only: BTreeSet<CaseNumber>,
    safety: SafetyTally,
}

impl TierTally {
    /// A tally for the trials of a run.
    pub(crate) fn of(run: &Run) -> Self {
        Self { words: world_words(run), tag: run.tier_tag(), tiers: IndexMap::new() }
    }

    /// Takes one trial into account.
    pub(crate) fn add(&mut self, case: CaseNumber, trial: &TrialSummary) {
        let tier = trial.tags.get(self.tag).map(String::as_str);
        let measured = trial.outcomes.get(END_STATE).and_then(Outcome::score);
        let Some(tier) = tier.or(measured.map(|_| WHOLE)) else { return };
        if !self.tiers.contains_key(tier) {
            let patterns = vec![0; self.words.failure_patterns.len()];
            let none = TierNumbers { patterns, ..TierNumbers::default() };
            self.tiers.insert(tier.to_owned(), none);
        }
        self.tiers[tier].add(case, trial, measured, &self.words.failure_patterns);
    }

    /// The numbers of all tiers, if there is more to tell than the summary does. `cases` are
    /// those of the run, by their numbers.
    pub(crate) fn tiers(&self, run: &Run, cases: &CasePlaces) -> Option<Tiers> {
        let worthwhile =
            self.tiers.len() > 1 || self.tiers.values().any(|numbers| !numbers.safety.is_empty());
        if !worthwhile {
            return None;
        }
        let mut numbers: Vec<(&String, &TierNumbers)> = self.tiers.iter().collect();
        numbers.sort_by_key(|(_, numbers)| numbers.first);
        let patterns = &self.words.failure_patterns;
        let tier = |(name, numbers): (&String, &TierNumbers)| Tier {
            patterns: numbers.seen(patterns),
            ..numbers.tier(name, run, cases)
        };
        let tiers: Vec<Tier> = numbers.into_iter().map(tier).collect();
        let curve = AccuracyCurve::of(&tiers, &self.words);
        Some(Tiers { tag: self.tag, tiers, curve, words: self.words.clone() })
    }
}

impl TierNumbers {
    fn add(
        &mut self,
        case: CaseNumber,
        trial: &TrialSummary,
        measured: Option<&Score>,
        patterns: &[FailurePattern],
    ) {
        self.trials += 1;
        self.judged.add(case, trial);
        self.times.add(trial);
        self.usage = self.usage.plus(trial.usage);
        self.first = Some(self.first.map_or(case, |first| first.min(case)));
        if let Some(score) = measured {
            for (pattern, seen) in patterns.iter().zip(&mut self.patterns) {
                *seen += usize::from(score.shows(pattern));
            }
            self.add_measures(case, trial, score);
        }
    }

    fn add_measures(&mut self, case: CaseNumber, trial: &TrialSummary, score: &Score) {
        if score.has(Measure::RightByStateOnly) {
            self.state_only.insert(case);
        }
        if score.has(Measure::RightByCallsOnly) {
            self.calls_only.insert(case);
        }
        let at_stake = trial.tags.get("safety").is_some_and(|tag| tag != "no");
        self.safety.add(case, at_stake, score);
    }

    /// The failure patterns that were seen.
    fn seen(&self, patterns: &[FailurePattern]) -> Vec<PatternCount> {
        let counts = patterns.iter().zip(&self.patterns).filter(|(_, trials)| **trials > 0);
        let count = |(pattern, trials): (&FailurePattern, &usize)| PatternCount {
            id: pattern.id.to_string(),
            words: pattern.words.to_string(),
            remedy: pattern.remedy.to_string(),
            trials: *trials,
        };
        counts.map(count).collect()
    }

    fn tier(&self, name: &str, run: &Run, cases: &CasePlaces) -> Tier {
        let names = |numbers: &BTreeSet<CaseNumber>| {
            let name = |number: &CaseNumber| cases.case(*number).cloned();
            numbers.iter().filter_map(name).collect()
        };
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
            patterns: Vec::new(),
            contradictions: Contradictions {
                right_by_state_only: names(&self.state_only),
                right_by_calls_only: names(&self.calls_only),
            },
            safety: self.safety.safety(),
            latency: self.times.total(),
            speed: self.times.speed(),
            usage: self.usage,
            definition_tokens: facts.definition_tokens,
        }
    }
}
