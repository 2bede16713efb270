//! The head of a log, and the name of its run.

use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Map, json};
use toolgauge_core::{Briefing, Case, Program, Run, RunEntry, RunId, SubjectIdentity, timestamp};
use toolgauge_suite::Sampling;
use toolgauge_world::World;
use uuid::Uuid;

use super::Cell;
use crate::error::EngineError;
use crate::floors::{self, BestPolicies};
use crate::worlds;

/// A name for a run, by which runs sort in the order they were started.
pub fn new_run_id(created: Timestamp) -> RunId {
    // Not by the clock itself: before 1970 that would panic.
    let seconds = u64::try_from(created.as_second()).unwrap_or(0);
    let nanoseconds = u32::try_from(created.subsec_nanosecond()).unwrap_or(0);
    let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanoseconds);
    RunId::new(Uuid::new_v7(time).simple().to_string())
}

impl Cell {
    /// The head of a variant's log.
    pub fn head(
        &self,
        variant: Option<&str>,
        subject: SubjectIdentity,
        world: &dyn World,
        briefings: &[Arc<Briefing>],
    ) -> Result<Run, EngineError> {
        let scorers = self.scorers()?;
        // Where cases are told different things, the head has nothing to say for all of them. Prompt
        // and tools apart: decoys change the tools alone.
        let first = briefings.first();
        let system = first.and_then(|first| first.system.as_deref());
        let system = system.filter(|it| briefings.iter().all(|b| b.system.as_deref() == Some(*it)));
        let tools = first.map(|first| &first.tools);
        let tools = tools.filter(|it| briefings.iter().all(|b| Arc::ptr_eq(it, &b.tools)));
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world);
        let mut settings = self.invocation.for_log()?;
        let each: Vec<&Case> = cases.iter().map(|case| &**case).collect();
        let first = scorers.first();
        let best = first.and_then(|first| BestPolicies::search(&each, world, first));
        let floors = best.as_ref().and_then(|best| best.floors(|_| true));
        if let Some(floors) = &floors {
            RunEntry::Floors.put(&mut settings, json!(floors));
        }
        let has_decoys = self.has_decoys();
        let tag = if has_decoys { Case::DECOYS } else { Case::TIER };
        if has_decoys {
            RunEntry::TierTag.put(&mut settings, tag);
        }
        let tiers = floors::tiers(tag, &cases, world, best.as_ref());
        if !tiers.is_empty() {
            RunEntry::Tiers.put(&mut settings, tiers);
        }
        // A world with a state has measures of its own, which reports read by these words.
        if world.has_state() || has_decoys {
            RunEntry::WorldWords.put(&mut settings, json!(world.words()));
        }
        if let Some(seconds) = self.suite.latency_budget {
            RunEntry::LatencyBudget.put(&mut settings, seconds);
        }
        if self.invocation.settings.run.until.is_some() {
            RunEntry::Adaptive.put(&mut settings, true);
        }
        // Fields of the request body may be secrets; they stand with the settings, redacted.
        let sampling = Sampling { extra: Map::new(), ..self.sampling(variant) };
        RunEntry::Sampling.put(&mut settings, json!(sampling));
        let created = timestamp(SystemTime::now());
        Ok(Run {
            id: new_run_id(created),
            created,
            suite: self.suite.identity(),
            subject,
            server: None,
            warnings: Vec::new(),
            max_tokens: self.sampling(variant).max_tokens,
            variant: variant.map(str::to_owned),
            cases: self.cases.iter().map(|case| case.id.clone()).collect(),
            trials: self.invocation.settings.run.trials,
            scorers: scorers.iter().map(|scorer| scorer.name().to_owned()).collect(),
            system_prompt: system.map(str::to_owned),
            tools: tools.map(|tools| tools.to_vec()).unwrap_or_default(),
            floor: floors.map(|floors| floors.without_calls.score),
            settings,
            program: Program {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                revision: crate::REVISION.to_owned(),
            },
        })
    }
}
