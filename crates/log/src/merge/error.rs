//! Why logs cannot be put together.

use std::path::PathBuf;

use crate::LogError;

/// Why logs cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of the logs cannot be read, or the new one not written.
    #[error(transparent)]
    Log(LogError),
    /// There is no log.
    #[error("there is no shard to merge")]
    Nothing,
    /// A log that is no shard.
    #[error("`{}` is no shard of a run", path.display())]
    NotAShard {
        /// The log.
        path: PathBuf,
    },
    /// What a log says of its part cannot be true.
    #[error("`{}` does not say rightly which part of its plan it is", path.display())]
    BadShard {
        /// The log.
        path: PathBuf,
    },
    /// Two shards are of different plans.
    #[error("`{}` and `{}` are shards of different runs: they differ in the {what}", first.display(), other.display())]
    OtherPlan {
        /// One of them.
        first: PathBuf,
        /// The other.
        other: PathBuf,
        /// In what they differ.
        what: &'static str,
    },
    /// Two shards hold different records of the same trial.
    #[error("`{}` and `{}` hold different records of the trial `{trial}`", first.display(), other.display())]
    Overlap {
        /// The trial.
        trial: String,
        /// One of them.
        first: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Planned trials are missing.
    #[error("{gaps}{}", listed(unfinished))]
    Incomplete {
        /// What is missing.
        gaps: String,
        /// The shards that lack trials, with how many they lack.
        unfinished: Vec<(PathBuf, usize)>,
    },
    /// A sample cannot be copied.
    #[error("`{member}` in log `{}` cannot be copied", path.display())]
    Damaged {
        /// The log.
        path: PathBuf,
        /// The name of the sample in the archive.
        member: String,
    },
}

fn listed(unfinished: &[(PathBuf, usize)]) -> String {
    let line = |(path, lacks): &(PathBuf, usize)| format!("\n  `{}` lacks {lacks}", path.display());
    unfinished.iter().map(line).collect()
}
