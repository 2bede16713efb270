//! What the head of a run holds beside the settings themselves, by name.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{Case, Fix, Floors, MatrixCell, MergedShards, Run, Shard};

/// An entry among a run's settings that is read by others than the one who resumes the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunEntry {
    /// Whether the run ends as soon as its score is known well enough.
    Adaptive,
    /// The best constant policies for the run's cases, as [`Floors`].
    Floors,
    /// What is known of each tier, as [`TierFacts`] by name.
    Tiers,
    /// The tag whose values are the tiers, if it is another than `tier`.
    TierTag,
    /// The faults of the classic scorer that are put right, as a list of [`Fix`].
    Fixes,
    /// How the chatbot was reached.
    Chatbot,
    /// The cell of a matrix that the run is, as [`MatrixCell`].
    Matrix,
    /// How answers were sampled, by suite, variant and settings together.
    Sampling,
    /// The words of the run's world, as [`WorldWords`](crate::WorldWords).
    WorldWords,
    /// How many prompt tokens the server read, as [`PromptReads`](crate::PromptReads).
    PromptReads,
    /// Within how many seconds a trial should be done, by its suite.
    LatencyBudget,
    /// The figures that another program wrote into the head of its log.
    RecordedFigures,
    /// The options that its scorers were given when it was scored again.
    ScorerOptions,
    /// Which part of a plan the run is, as [`Shard`].
    Shard,
    /// What shards the log was put together from, as [`MergedShards`].
    Merged,
}

/// What is known of a tier before its first trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TierFacts {
    /// How large its world is.
    #[serde(default)]
    pub size: Option<u64>,
    /// What the best constant policy that never calls a tool would score.
    #[serde(default)]
    pub floor: Option<f64>,
    /// About how many tokens the definitions of its tools have, in each request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_tokens: Option<u64>,
}

impl RunEntry {
    const ALL: [Self; 15] = [
        Self::Adaptive,
        Self::Floors,
        Self::Tiers,
        Self::TierTag,
        Self::Fixes,
        Self::Chatbot,
        Self::Matrix,
        Self::Sampling,
        Self::WorldWords,
        Self::PromptReads,
        Self::LatencyBudget,
        Self::RecordedFigures,
        Self::ScorerOptions,
        Self::Shard,
        Self::Merged,
    ];

    /// Whether an entry of this name is part of what a run was asked for. All others follow from
    /// its suite, its server or a later scoring, and a resumed run finds them out again.
    pub fn is_asked_for(name: &str) -> bool {
        match Self::ALL.into_iter().find(|entry| entry.name() == name) {
            None | Some(Self::Fixes | Self::Matrix) => true,
            Some(
                Self::Adaptive
                | Self::Floors
                | Self::Tiers
                | Self::TierTag
                | Self::Chatbot
                | Self::Sampling
                | Self::WorldWords
                | Self::PromptReads
                | Self::LatencyBudget
                | Self::RecordedFigures
                | Self::ScorerOptions
                | Self::Shard
                | Self::Merged,
            ) => false,
        }
    }

    /// The name used in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Floors => "floors",
            Self::Tiers => "tiers",
            Self::TierTag => "tier_tag",
            Self::Fixes => "fixes",
            Self::Chatbot => "chatbot",
            Self::Matrix => "matrix",
            Self::Sampling => "sampling",
            Self::WorldWords => "world_words",
            Self::PromptReads => "prompt_reads",
            Self::LatencyBudget => "latency_budget",
            Self::RecordedFigures => "recorded_figures",
            Self::ScorerOptions => "scorer_options",
            Self::Shard => "shard",
            Self::Merged => "merged",
        }
    }

    /// Puts the entry among the settings of a run.
    pub fn put(self, settings: &mut Map<String, Value>, value: impl Into<Value>) {
        settings.insert(self.name().to_owned(), value.into());
    }

    /// The entry as a run holds it.
    pub fn of(self, run: &Run) -> Option<&Value> {
        run.settings.get(self.name())
    }

    /// The entry, if a run holds it in this form.
    pub fn read<T: DeserializeOwned>(self, run: &Run) -> Option<T> {
        T::deserialize(self.of(run)?).ok()
    }
}

impl Run {
    /// Whether the run ends as soon as its score is known well enough, so that it may have fewer
    /// trials than planned.
    pub fn is_adaptive(&self) -> bool {
        // Logs from before there was an entry hold the precision to reach among the settings.
        let before = || self.settings.get("settings")?.get("run")?.get("until");
        match RunEntry::Adaptive.read(self) {
            Some(adaptive) => adaptive,
            None => before().is_some_and(|until| !until.is_null()),
        }
    }

    /// The best constant policies, in logs that name them.
    pub fn floors(&self) -> Option<Floors> {
        RunEntry::Floors.read(self)
    }

    /// Forgets every floor: floors count for one scorer alone.
    pub fn forget_floors(&mut self) {
        self.floor = None;
        self.settings.remove(RunEntry::Floors.name());
        let tiers = self.settings.get_mut(RunEntry::Tiers.name()).and_then(Value::as_object_mut);
        for tier in tiers.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
            tier.remove("floor");
        }
    }

    /// The faults of the classic scorer that were put right.
    pub fn fixes(&self) -> Vec<Fix> {
        RunEntry::Fixes.of(self).and_then(|fixes| Fix::list(fixes).ok()).unwrap_or_default()
    }

    /// Notes which faults of the classic scorer are put right.
    pub fn set_fixes(&mut self, fixes: &[Fix]) {
        RunEntry::Fixes.put(&mut self.settings, json!(fixes));
    }

    /// The cell of a matrix that the run is, if it is one.
    pub fn matrix_cell(&self) -> Option<MatrixCell> {
        RunEntry::Matrix.read(self)
    }

    /// Which part of a plan the run is, if it is one.
    pub fn shard(&self) -> Option<Shard> {
        RunEntry::Shard.read(self)
    }

    /// The shards that the log was put together from, if it was.
    pub fn merged(&self) -> Option<MergedShards> {
        RunEntry::Merged.read(self)
    }

    /// The tag whose values are the tiers of the run.
    pub fn tier_tag(&self) -> &'static str {
        let by_decoys = RunEntry::TierTag.of(self).is_some_and(|tag| tag == Case::DECOYS);
        if by_decoys { Case::DECOYS } else { Case::TIER }
    }

    /// What is known of a tier.
    pub fn tier(&self, name: &str) -> TierFacts {
        let facts = RunEntry::Tiers.of(self).and_then(|tiers| tiers.get(name));
        facts.and_then(|facts| TierFacts::deserialize(facts).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolicyScore;

    fn run(settings: &Value) -> Run {
        let program = json!({"version": "1", "revision": "r"});
        serde_json::from_value(json!({
            "id": "r", "created": "2026-01-01T00:00:00Z", "cases": [], "trials": 1, "scorers": [],
            "suite": {"name": "s", "hash": "h", "size": 0},
            "subject": {"name": "m", "provider": "p"},
            "settings": settings, "program": program,
        }))
        .unwrap()
    }

    #[test]
    fn a_run_says_that_it_is_adaptive_in_new_logs_and_in_old_ones() {
        assert!(run(&json!({"adaptive": true})).is_adaptive());
        assert!(run(&json!({"settings": {"run": {"until": 0.05}}})).is_adaptive());
        assert!(!run(&json!({"settings": {"run": {"trials": 3}}})).is_adaptive());
        assert!(!run(&json!({})).is_adaptive());
    }

    #[test]
    fn a_tier_is_read_as_it_is_written_and_may_be_unknown() {
        let facts = TierFacts { size: Some(30), floor: Some(0.25), ..TierFacts::default() };
        let mut head = run(&json!({}));
        RunEntry::Tiers.put(&mut head.settings, json!({"small": facts}));
        assert_eq!(head.settings["tiers"], json!({"small": {"size": 30, "floor": 0.25}}));
        assert_eq!(head.tier("small"), facts);
        assert_eq!(head.tier("large"), TierFacts::default());
    }

    #[test]
    fn floors_are_read_as_they_are_written_and_can_be_forgotten() {
        let policy = PolicyScore { policy: "calls nothing and says nothing".into(), score: 0.25 };
        let floors = Floors { without_calls: policy, with_calls: None };
        let mut head = run(&json!({"tiers": {"small": {"size": 30, "floor": 0.25}}}));
        head.floor = Some(0.25);
        RunEntry::Floors.put(&mut head.settings, json!(floors));
        assert_eq!(head.floors(), Some(floors));
        head.forget_floors();
        assert_eq!((head.floor, head.floors()), (None, None));
        assert_eq!(head.tier("small"), TierFacts { size: Some(30), ..TierFacts::default() });
    }
}
