//! The cases of a shard, and the logs that it left before.

use std::path::PathBuf;

use serde_json::{Map, json};
use toolgauge_core::{CaseId, RunEntry, Shard, ShardNumber};
use toolgauge_log::LogError;
use toolgauge_score::Scorer;
use toolgauge_suite::Sampling;

use super::Cell;
use super::open_log::OpenLog;
use crate::error::EngineError;
use crate::log_home::LogHome;
use crate::settings::Settings;
use crate::{shards, worlds};

/// The cases of a shard.
pub(super) struct CellPart {
    pub(super) number: ShardNumber,
    /// Their places among all cases.
    places: Vec<usize>,
}

impl CellPart {
    pub(super) fn pick<T: Clone>(&self, all: &[T]) -> Vec<T> {
        self.places.iter().filter_map(|place| all.get(*place).cloned()).collect()
    }

    /// The entry that the head of a variant's log gets.
    pub(super) fn entry(&self, cell: &Cell, variant: Option<&str>) -> Result<Shard, EngineError> {
        Ok(Shard {
            plan: cell.plan_hash(variant)?,
            number: self.number,
            cases: cell.cases.len(),
            places: self.places.clone(),
        })
    }

    /// The name of the log of a variant.
    fn file_name(&self, cell: &Cell, variant: Option<&str>) -> Result<PathBuf, EngineError> {
        let entry = self.entry(cell, variant)?;
        let id = shards::shard_id(&entry.plan, self.number);
        Ok(toolgauge_log::shard_file_name(&cell.suite.name, &id, self.number))
    }
}

impl Cell {
    /// The part of the plan that is run, if not the whole.
    pub(super) fn part(&self) -> Result<Option<CellPart>, EngineError> {
        let Some(number) = self.invocation.shard else { return Ok(None) };
        if number.of as usize > self.cases.len() {
            let cases = self.cases.len();
            return Err(EngineError::TooManyShards { of: number.of, cases });
        }
        // By the prompts of the first variant, so that all variants of a shard have the same cases.
        let variant = self.variants.first().and_then(Option::as_deref);
        let world = worlds::build(&self.suite, variant)?;
        let briefings = self.briefings(variant, world.as_ref())?;
        let cases: Vec<CaseId> = self.cases.iter().map(|case| case.id.clone()).collect();
        let places = shards::split(&cases, &briefings, number);
        Ok(Some(CellPart { number, places }))
    }

    /// The logs that a shard left before, one for each variant that has one.
    pub(super) fn earlier_logs(
        &self,
        part: Option<&CellPart>,
        home: &LogHome,
    ) -> Result<Vec<Option<OpenLog>>, EngineError> {
        let Some(part) = part else { return Ok(self.variants.iter().map(|_| None).collect()) };
        let mut logs = Vec::new();
        for variant in &self.variants {
            let name = part.file_name(self, variant.as_deref())?;
            let path = home.find(&name)?;
            logs.push(match path.map(|path| OpenLog::open(&path)) {
                // Killed before its first member was written.
                None | Some(Err(EngineError::Log(LogError::NotALog { .. }))) => None,
                Some(opened) => Some(opened?),
            });
        }
        Ok(logs)
    }

    /// What makes the plan of a variant what it is, as a hash. Where the server is, how many trials
    /// run at once and where logs go may differ between shards.
    pub(super) fn plan_hash(&self, variant: Option<&str>) -> Result<String, EngineError> {
        let asked = self.invocation.for_log()?;
        let scorers = self.scorers()?;
        let judge = self.invocation.judge.as_ref();
        let cases: Vec<&CaseId> = self.cases.iter().map(|case| &case.id).collect();
        let entries = ["model", "world", "body", "fixes", RunEntry::Chatbot.name()];
        let entries: Vec<_> = entries.into_iter().map(|name| asked.get(name)).collect();
        let Settings { server, limits, run, .. } = self.invocation.settings.without_secrets();
        Ok(shards::plan_hash(&json!({
            "suite": self.suite.identity(),
            "variant": variant,
            "cases": cases,
            "trials": run.trials,
            "scorers": scorers.iter().map(Scorer::name).collect::<Vec<_>>(),
            "asked": entries,
            "judge": judge.map(|judge| (&judge.model, judge.votes, &judge.rubric)),
            "sampling": Sampling { extra: Map::new(), ..self.sampling(variant) },
            "server": (server.protocol, server.stream, &server.llama_flags),
            "max_turns": limits.max_turns,
            "program": crate::VERSION,
        })))
    }
}
