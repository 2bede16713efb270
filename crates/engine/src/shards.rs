//! Splits a plan into shards, so that several processes can share the work without talking to each
//! other: the split is a pure function of the plan.

use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};
use toolgauge_core::{Briefing, CaseId, RunId, ShardNumber};

use crate::error::EngineError;
use crate::prompt_order;

/// How many digits of a plan's hash are part of the name of a run.
const ID_DIGITS: usize = 18;

/// Which shard is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// This one: `3/16`.
    Number(ShardNumber),
    /// The one that the scheduler's variables name: `auto`, or of a stated count `auto/16`.
    Auto {
        /// How many shards there are, where the variables need not say.
        of: Option<u32>,
    },
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of = match text.strip_prefix("auto") {
            None => return text.parse().map(Self::Number),
            Some("") => return Ok(Self::Auto { of: None }),
            Some(of) => of.strip_prefix('/').and_then(|of| of.parse().ok()),
        };
        let of = of.filter(|of| *of > 0).ok_or("write `auto` or auto/COUNT, such as auto/16")?;
        Ok(Self::Auto { of: Some(of) })
    }
}

/// The variables by which a scheduler tells a process which task of an array it is.
struct ArrayVariables {
    index: &'static str,
    /// Of how many, where a variable says that of the whole array and not of one submission.
    of: Option<&'static str>,
    /// The number of the first task.
    first: u32,
}

const fn variables(index: &'static str, of: Option<&'static str>, first: u32) -> ArrayVariables {
    ArrayVariables { index, of, first }
}

/// In the order in which they are looked for: a job array comes before the ranks inside a job.
/// `SLURM_ARRAY_TASK_COUNT` is not among them, because it counts the tasks of one submission: two
/// failed shards submitted again make it 2.
const KNOWN: [ArrayVariables; 9] = [
    variables("SLURM_ARRAY_TASK_ID", None, 0),
    variables("JOB_COMPLETION_INDEX", None, 0),
    variables("AWS_BATCH_JOB_ARRAY_INDEX", Some("AWS_BATCH_JOB_ARRAY_SIZE"), 0),
    variables("PBS_ARRAY_INDEX", None, 0),
    variables("PBS_ARRAYID", None, 0),
    variables("CI_NODE_INDEX", Some("CI_NODE_TOTAL"), 1),
    variables("CIRCLE_NODE_INDEX", Some("CIRCLE_NODE_TOTAL"), 0),
    variables("BUILDKITE_PARALLEL_JOB", Some("BUILDKITE_PARALLEL_JOB_COUNT"), 0),
    variables("RANK", Some("WORLD_SIZE"), 0),
];

impl ShardChoice {
    /// The shard that is meant, by the variables of the environment where it is to be found out.
    pub fn resolve(
        self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ShardNumber, EngineError> {
        let stated = match self {
            Self::Number(number) => return Ok(number),
            Self::Auto { of } => of,
        };
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let found = KNOWN.iter().find_map(|known| Some((known, set(known.index)?)));
        let (known, index) = found.ok_or(EngineError::NoArrayTask)?;
        let bad = |why: String| EngineError::BadArrayTask { variable: known.index, why };
        let number = |name: &str, text: &str| {
            text.trim().parse::<u32>().map_err(|_| bad(format!("`{name}` is `{text}`, no number")))
        };
        let index = number(known.index, &index)?;
        let counted = known.of.and_then(|name| Some((name, set(name)?)));
        let counted = counted.map(|(name, text)| number(name, &text)).transpose()?;
        let of = match (stated, counted) {
            (Some(stated), Some(counted)) if stated != counted => {
                return Err(bad(format!("it is of {counted} tasks, and {stated} are asked for")));
            }
            (Some(of), _) | (None, Some(of)) => of,
            (None, None) => return Err(EngineError::NoShardCount { variable: known.index }),
        };
        let shard = index.checked_sub(known.first).and_then(|index| index.checked_add(1));
        let shard = shard.and_then(|shard| ShardNumber::new(shard, of));
        shard.ok_or_else(|| {
            let (first, last) = (known.first, (of + known.first).saturating_sub(1));
            bad(format!("it is {index}, and tasks are counted from {first} to {last}"))
        })
    }
}

/// The places of one shard's cases among all cases, in the order of the cases.
///
/// Shards differ by one case at most. Cases that share a prompt follow each other before the cut,
/// so that a shard has few prompts and its server reads each of them seldom. Within a prompt they
/// are in an order that looks random: neighbours in a suite are often equally hard.
pub(crate) fn split(
    cases: &[CaseId],
    briefings: &[Arc<Briefing>],
    number: ShardNumber,
) -> Vec<usize> {
    let mut order: Vec<(usize, u32)> =
        cases.iter().map(|case| crc32fast::hash(case.as_str().as_bytes())).enumerate().collect();
    order.sort_by(|(a, a_hash), (b, b_hash)| {
        let prompts = match (briefings.get(*a), briefings.get(*b)) {
            (Some(a), Some(b)) => prompt_order::compare(a, b),
            _ => Ordering::Equal,
        };
        // By name last, so that the order of the suite never counts.
        prompts.then_with(|| a_hash.cmp(b_hash)).then_with(|| cases[*a].cmp(&cases[*b]))
    });
    let (index, of) = (number.index as usize, number.of as usize);
    let cut = |shard: usize| cases.len() * shard / of;
    let mut places: Vec<usize> =
        order[cut(index - 1)..cut(index)].iter().map(|(place, _)| *place).collect();
    places.sort_unstable();
    places
}

/// The hash of all that makes a plan what it is, as hexadecimal digits.
pub(crate) fn plan_hash(plan: &Value) -> String {
    let digest = Sha256::digest(plan.to_string());
    // Half of it is enough to tell plans apart, and gives file names of a bearable length.
    let half = digest.iter().take(16).fold(0, |half: u128, byte| half << 8 | u128::from(*byte));
    format!("{half:032x}")
}

/// The name of a shard's run: always the same for the same part of the same plan.
pub(crate) fn shard_id(plan: &str, number: ShardNumber) -> RunId {
    let plan = plan.get(..ID_DIGITS).unwrap_or(plan);
    RunId::new(format!("{plan}{:04x}{:04x}", number.of, number.index))
}

#[cfg(test)]
mod tests;
