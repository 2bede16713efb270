//! Finds the shards of a run: a folder or a pattern of them is taken as one log.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use toolgauge_log::{LogError, is_folder, log_paths, read_entries, shard_pattern};

use crate::error::EngineError;

/// The logs that a folder or a pattern of logs stands for: those of one run. `None` for the name of
/// a single file.
pub fn logs_of_run(path: &Path) -> Result<Option<Vec<PathBuf>>, EngineError> {
    let logs = if is_folder(path) {
        logs_in(path, |_| true)?
    } else if is_pattern(path) {
        matching(path)?
    } else {
        return Ok(None);
    };
    if logs.is_empty() {
        return Err(EngineError::NoLogs { folder: path.to_owned() });
    }
    one_run(path, logs).map(Some)
}

/// Every run that a path stands for: all those in a folder or of a pattern, each as a log, or as the
/// pattern of its shards. A single file is itself. Logs that cannot be read are among them, for
/// whoever opens them to name.
pub fn runs_at(path: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let logs = if is_folder(path) {
        logs_in(path, |_| true)?
    } else if is_pattern(path) {
        matching(path)?
    } else {
        return Ok(vec![path.to_owned()]);
    };
    if logs.is_empty() {
        return Err(EngineError::NoLogs { folder: path.to_owned() });
    }
    // A log that was merged of the shards beside it says nothing new.
    let mut plans = BTreeSet::new();
    let mut merged = BTreeMap::new();
    for entry in read_entries(logs.clone()).flatten() {
        plans.extend(entry.run.shard().map(|shard| shard.plan));
        merged.extend(entry.run.merged().map(|of| (entry.path, of.plan)));
    }
    let is_new = |log: &PathBuf| merged.get(log).is_none_or(|plan| !plans.contains(plan));
    as_one_run(logs.into_iter().filter(is_new).collect())
}

/// Whether a path is a pattern such as `logs/shard-*.eval`, and no file.
pub fn is_pattern(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(['*', '?', '[']) && !path.exists()
}

/// Puts one pattern in the place of all shards of a run, where all of them are named, as a shell
/// does that expands `*`. Some of them are what was asked for.
pub(crate) fn as_one_run(logs: Vec<PathBuf>) -> Result<Vec<PathBuf>, EngineError> {
    let mut named: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for log in &logs {
        if let Some(pattern) = shard_pattern(log) {
            named.entry(pattern).or_default().insert(log.clone());
        }
    }
    let mut whole = BTreeSet::new();
    for (pattern, shards) in named {
        if shards.len() > 1 && matching(&pattern)?.into_iter().collect::<BTreeSet<_>>() == shards {
            whole.insert(pattern);
        }
    }
    let mut told = BTreeSet::new();
    let one = |log: PathBuf| match shard_pattern(&log).filter(|pattern| whole.contains(pattern)) {
        Some(pattern) => told.insert(pattern.clone()).then_some(pattern),
        None => Some(log),
    };
    Ok(logs.into_iter().filter_map(one).collect())
}

fn matching(pattern: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy();
    let glob = GlobBuilder::new(&name).literal_separator(true).build();
    let glob = glob.map_err(|error| EngineError::UnreadableLog {
        path: pattern.to_owned(),
        why: error.kind().to_string(),
    })?;
    let glob = glob.compile_matcher();
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty());
    logs_in(folder.unwrap_or(Path::new(".")), |name| glob.is_match(name)).map(|logs| {
        // As a shell would write them: without a folder where none was named.
        let bare = folder.is_none();
        let name = |log: PathBuf| log.file_name().map(PathBuf::from).unwrap_or_default();
        logs.into_iter().map(|log| if bare { name(log) } else { log }).collect()
    })
}

fn logs_in(folder: &Path, fits: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, EngineError> {
    let mut logs = log_paths(folder).map_err(|error| EngineError::file("read", folder, error))?;
    logs.retain(|path| fits(&path.file_name().unwrap_or_default().to_string_lossy()));
    Ok(logs)
}

/// The shards among logs, if they are of one run, or the only log. A log that was merged of the
/// shards beside it says nothing new.
fn one_run(path: &Path, logs: Vec<PathBuf>) -> Result<Vec<PathBuf>, EngineError> {
    let (mut shards, mut others, mut merged): (BTreeMap<String, Vec<PathBuf>>, Vec<_>, Vec<_>) =
        Default::default();
    for (log, entry) in logs.clone().into_iter().zip(read_entries(logs)) {
        let run = match entry {
            Ok(entry) => entry.run,
            // A shard that was only just begun has no head yet, and no trial.
            Err(LogError::NotALog { .. }) if shard_pattern(&log).is_some() => continue,
            Err(error) => return Err(error.into()),
        };
        match (run.shard(), run.merged()) {
            (Some(shard), _) => shards.entry(shard.plan).or_default().push(log),
            (None, Some(of)) => merged.push((of.plan, log)),
            (None, None) => others.push(log),
        }
    }
    others.extend(
        merged.into_iter().filter(|(plan, _)| !shards.contains_key(plan)).map(|(_, log)| log),
    );
    let runs = shards.len() + others.len();
    match (shards.pop_first(), others.pop()) {
        (Some((_, shards)), None) if runs == 1 => Ok(shards),
        (None, Some(log)) if runs == 1 => Ok(vec![log]),
        (None, None) => Err(EngineError::NoLogs { folder: path.to_owned() }),
        _ => Err(EngineError::SeveralRuns { file: path.to_owned(), runs }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_of_one_run_share_a_pattern() {
        let name = "logs/shard-03-of-16_home-assistant_0123456789abcdef0100100003.eval";
        let pattern = "logs/shard-*-of-16_home-assistant_0123456789abcdef010010*.eval";
        assert_eq!(shard_pattern(Path::new(name)), Some(PathBuf::from(pattern)));
        assert!(is_pattern(Path::new(pattern)));
        for other in ["logs/run.eval", "shard-1.eval", "shard-x-of-2_s_0001.eval", "shard-1-of-2"] {
            assert_eq!(shard_pattern(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn a_folder_stands_for_all_its_runs_and_shards_are_one_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        put("a.eval");
        put("shard-1-of-2_s_abcdefabcdefabcdef00020001.eval");
        put("shard-2-of-2_s_abcdefabcdefabcdef00020002.eval");
        put("b.eval");
        put("notes.txt");
        let runs = runs_at(folder.path()).unwrap();
        let names: Vec<_> = runs.iter().map(|run| run.file_name().unwrap()).collect();
        assert_eq!(names, ["a.eval", "b.eval", "shard-*-of-2_s_abcdefabcdefabcdef0002*.eval"]);
        let one = folder.path().join("a.eval");
        assert_eq!(runs_at(&one).unwrap(), [one]);
    }

    #[test]
    fn all_shards_are_one_run_and_some_are_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let shard = |index: u32| {
            let name = format!("shard-{index}-of-3_s_abcdefabcdefabcdef0003{index:04x}.eval");
            folder.path().join(name)
        };
        for index in 1..=3 {
            std::fs::write(shard(index), "").unwrap();
        }
        let other = folder.path().join("run.eval");
        let all = vec![shard(1), other.clone(), shard(2), shard(3)];
        let pattern = shard_pattern(&shard(1)).unwrap();
        assert_eq!(as_one_run(all).unwrap(), [pattern, other]);
        let some = vec![shard(1), shard(3)];
        assert_eq!(as_one_run(some.clone()).unwrap(), some);
    }
}
