//! Puts the shards of one plan together into one log. Samples are copied as they are packed.

mod copy;
mod error;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;
use toolgauge_core::{CaseId, MergedShards, PromptReads, Run, RunEntry, RunId, Shard, ShardNumber};

pub use self::error::MergeError;
use crate::archive::MemberEntry;
use crate::inspect::sample_member;
use crate::{Log, LogError, LogWriter, RunStatus, UnfinishedFile};

/// How many digits of the plan's hash name the merged run.
const ID_DIGITS: usize = 22;

/// Whether trials may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// Every planned trial must be there.
    Refused,
    /// What is missing is told in the head of the merged log.
    Allowed,
}

/// Logs that are shards of one plan.
#[derive(Debug)]
pub struct ShardSet {
    /// By the number of the shard.
    logs: Vec<Log>,
    /// The cases that the logs name, by their place in the plan.
    cases: BTreeMap<usize, CaseId>,
    merged: MergedShards,
    /// The shards that lack trials, with how many they lack.
    unfinished: Vec<(PathBuf, usize)>,
    /// Of each log and each of its members, whether another log has the same sample.
    repeated: Vec<BTreeSet<usize>>,
}

impl ShardSet {
    /// Opens logs, and refuses those that do not belong together: shards of other plans, and shards
    /// that hold different records of the same trial.
    pub fn open(paths: &[PathBuf]) -> Result<Self, MergeError> {
        let mut opened = Vec::new();
        for path in paths {
            let mut log = Log::open(path)?;
            let shard = log.run().shard().filter(|_| log.is_own());
            let shard = shard.ok_or_else(|| MergeError::NotAShard { path: path.clone() })?;
            // It names the place of each case, and as JSON these take more memory than all else.
            log.run_mut().settings.remove(RunEntry::Shard.name());
            opened.push((shard, log));
        }
        opened.sort_by_key(|(shard, _)| shard.number.index);
        let Some((first, log)) = opened.first() else { return Err(MergeError::Nothing) };
        for (shard, other) in &opened[1..] {
            if let Some(what) = difference((first, log), (shard, other)) {
                let [first, other] = [log, other].map(|log| log.path().to_owned());
                return Err(MergeError::OtherPlan { first, other, what });
            }
        }
        let cases = cases(&opened)?;
        let repeated = repeated(&opened)?;
        let mut set = Self {
            merged: MergedShards {
                plan: first.plan.clone(),
                of: first.number.of,
                missing: Vec::new(),
                missing_trials: 0,
            },
            cases,
            unfinished: Vec::new(),
            repeated,
            logs: Vec::new(),
        };
        set.note_gaps(&opened);
        set.logs = opened.into_iter().map(|(_, log)| log).collect();
        // The set knows the cases of all.
        set.logs.iter_mut().for_each(|log| log.run_mut().cases = Arc::default());
        Ok(set)
    }

    /// Finds out which shards and trials are missing.
    fn note_gaps(&mut self, shards: &[(Shard, Log)]) {
        let Some((first, log)) = shards.first() else { return };
        let trials = log.run().trials;
        let there: BTreeSet<u32> = shards.iter().map(|(shard, _)| shard.number.index).collect();
        self.merged.missing =
            (1..=first.number.of).filter(|index| !there.contains(index)).collect();
        let unknown = first.cases.saturating_sub(self.cases.len());
        let mut missing = unknown.saturating_mul(trials as usize);
        for (_, log) in shards {
            let planned = log.run().cases.iter();
            let planned = planned.flat_map(|case| (1..=trials).map(move |trial| (case, trial)));
            let lacks = planned.filter(|(case, trial)| {
                let has = |log: &Log| log.source().place(case.as_str(), *trial).is_some();
                // A shard may be there twice, as two copies of one file.
                !has(log) && !shards.iter().any(|(_, other)| has(other))
            });
            let lacks = lacks.count();
            if lacks > 0 {
                self.unfinished.push((log.path().to_owned(), lacks));
                missing += lacks;
            }
        }
        self.merged.missing_trials = missing;
    }

    /// What is known of the plan, and what of it is missing.
    pub fn merged(&self) -> &MergedShards {
        &self.merged
    }

    /// Whether every planned trial is there.
    pub fn is_complete(&self) -> bool {
        self.merged.missing.is_empty() && self.merged.missing_trials == 0
    }

    /// The head of the merged log: that of a run of the whole plan. Takes the cases.
    fn head(&mut self) -> Option<Run> {
        let cases = std::mem::take(&mut self.cases).into_values().collect();
        let first = self.logs.first()?.run();
        let mut run = Run { cases, ..first.clone() };
        run.id = RunId::new(self.merged.plan.get(..ID_DIGITS).unwrap_or(&self.merged.plan));
        RunEntry::Merged.put(&mut run.settings, json!(self.merged));
        let mut reads: Option<PromptReads> = None;
        for log in self.logs.iter().map(Log::run) {
            run.created = run.created.min(log.created);
            if let Some(read) = RunEntry::PromptReads.read::<PromptReads>(log) {
                reads = Some(reads.unwrap_or_default().plus(read));
            }
            for warning in &log.warnings {
                if !run.warnings.contains(warning) {
                    run.warnings.push(warning.clone());
                }
            }
        }
        if let Some(reads) = reads {
            RunEntry::PromptReads.put(&mut run.settings, json!(reads));
        }
        if !self.is_complete() {
            run.warnings.push(self.gaps());
        }
        Some(run)
    }

    /// What is missing, for people.
    fn gaps(&self) -> String {
        let MergedShards { of, missing, missing_trials, .. } = &self.merged;
        let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let shards = match missing.as_slice() {
            [] => String::new(),
            [one] => format!("shard {one} of {of} is missing; "),
            several => format!("shards {} of {of} are missing; ", several.join(", ")),
        };
        match missing_trials {
            1 => format!("{shards}1 planned trial is not there"),
            many => format!("{shards}{many} planned trials are not there"),
        }
    }

    /// Writes one log of them all, and says what it holds. Nothing is left of it if that fails.
    pub fn merge(mut self, target: &Path, gaps: Gaps) -> Result<MergedShards, MergeError> {
        if gaps == Gaps::Refused && !self.is_complete() {
            return Err(MergeError::Incomplete { gaps: self.gaps(), unfinished: self.unfinished });
        }
        let run = self.head().ok_or(MergeError::Nothing)?;
        let (mut writer, unfinished) =
            UnfinishedFile::create(|| LogWriter::create(target, &run), LogWriter::path)?;
        drop(run);
        let given: Vec<Vec<AtomicBool>> = self
            .logs
            .iter()
            .zip(&self.repeated)
            .map(|(log, repeated)| {
                let members = 0..log.source().entries.len();
                members.map(|place| AtomicBool::new(repeated.contains(&place))).collect()
            })
            .collect();
        copy::copy(&self.logs, &given, &mut writer)?;
        // The end of a large log takes memory, and so do its shards, which are needed no more.
        drop((std::mem::take(&mut self.logs), given));
        // A merged run is what a single one would have been: interrupted if something is missing.
        let complete = self.is_complete();
        writer.finish(if complete { &RunStatus::Success } else { &RunStatus::Cancelled })?;
        unfinished.keep();
        Ok(self.merged)
    }
}

/// In what two shards differ that are not of one run. A shard that was judged again still names the
/// plan it was made by, so that what judged it is compared too.
fn difference((a, log): (&Shard, &Log), (b, other): (&Shard, &Log)) -> Option<&'static str> {
    let (run, other) = (log.run(), other.run());
    let entry = |entry: RunEntry| entry.of(run) == entry.of(other);
    let same = [
        ("suite", run.suite == other.suite),
        ("subject", run.subject.name == other.subject.name),
        ("variant", run.variant == other.variant),
        ("number of trials", run.trials == other.trials),
        ("scorers", run.scorers == other.scorers),
        ("options of scorers", entry(RunEntry::ScorerOptions) && entry(RunEntry::Fixes)),
        ("number of shards", a.number.of == b.number.of),
        ("number of cases", a.cases == b.cases),
        ("plan", a.plan == b.plan),
    ];
    same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
}

/// The cases that shards name, by their place in the plan.
fn cases(shards: &[(Shard, Log)]) -> Result<BTreeMap<usize, CaseId>, MergeError> {
    let mut cases = BTreeMap::new();
    for (shard, log) in shards {
        let bad = || MergeError::BadShard { path: log.path().to_owned() };
        if shard.places.len() != log.run().cases.len() {
            return Err(bad());
        }
        for (place, case) in shard.places.iter().zip(log.run().cases.iter()) {
            match cases.entry(*place) {
                Entry::Vacant(new) => drop(new.insert(case.clone())),
                Entry::Occupied(known) if known.get() == case => {}
                Entry::Occupied(_) => return Err(bad()),
            }
        }
        let ShardNumber { index, of } = shard.number;
        if ShardNumber::new(index, of).is_none() || shard.places.iter().any(|p| *p >= shard.cases) {
            return Err(bad());
        }
    }
    Ok(cases)
}

/// Of each log the members that an earlier log has too. The same trial run twice is refused: nobody
/// can say which of the two counts.
fn repeated(shards: &[(Shard, Log)]) -> Result<Vec<BTreeSet<usize>>, MergeError> {
    let mut known: HashMap<&str, (usize, &MemberEntry)> = HashMap::new();
    let mut repeated = vec![BTreeSet::new(); shards.len()];
    for (at, (_, log)) in shards.iter().enumerate() {
        for (name, entry) in log.source().samples() {
            let Some((before, other)) = known.get(name) else {
                known.insert(name, (at, entry));
                continue;
            };
            // Every record names its trial's start and an identifier of its own, so that two
            // executions never have the same checksum but by chance, and then not the same length.
            let key = |entry: &MemberEntry| (entry.crc, entry.size, entry.packed);
            if key(other) != key(entry) {
                let [first, other] = [*before, at].map(|at| shards[at].1.path().to_owned());
                let trial = trial_of(log, name).unwrap_or_else(|| name.to_owned());
                return Err(MergeError::Overlap { trial, first, other });
            }
            repeated[at].extend(log.source().entries.get_index_of(name));
        }
    }
    Ok(repeated)
}

/// The trial that a member is named after.
fn trial_of(log: &Log, member: &str) -> Option<String> {
    let run = log.run();
    let trials = || 1..=run.trials;
    run.cases.iter().find_map(|case| {
        let mut trials = trials().filter(|trial| sample_member(case.as_str(), *trial) == member);
        trials.next().map(|trial| format!("{case} ({trial})"))
    })
}

impl From<LogError> for MergeError {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}
