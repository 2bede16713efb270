//! Reads runs for comparisons: logs of toolgauge and Inspect AI, and result files of other tools.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use toolgauge_core::Run;
use toolgauge_log::{Damage, Log, LogError, TrialSummary};
use toolgauge_report::RunSide;
use toolgauge_score::PeerScorer;

use crate::error::EngineError;
use crate::readable_log::ReadableLog;
use crate::rescoring::something_read;
use crate::settings::Settings;

/// Names by which the scorers of a result file may be asked for, each with its own name: the reward
/// as τ-bench calls it, and the partial credit of `toolgauge partial`.
const OTHER_NAMES: [(&str, &str); 2] = [("reward", PeerScorer::TAU_BENCH), ("partial", "tau")];

/// Reads several runs at once, as many as there are processors, in the order they are named.
pub fn read_all(
    paths: &[PathBuf],
    scorer: Option<&str>,
    settings: &Settings,
) -> Result<Vec<RunSide>, EngineError> {
    let at_once = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut sides = Vec::with_capacity(paths.len());
    for few in paths.chunks(at_once) {
        let read: Vec<Result<RunSide, EngineError>> = thread::scope(|scope| {
            let readers: Vec<_> =
                few.iter().map(|path| scope.spawn(move || read(path, scorer, settings))).collect();
            let join = |reader: thread::ScopedJoinHandle<'_, _>| match reader.join() {
                Ok(side) => side,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            readers.into_iter().map(join).collect()
        });
        for side in read {
            sides.push(side?);
        }
    }
    Ok(sides)
}

/// Reads one run. The judgement of `scorer` is compared; without one, that of its first scorer.
pub fn read(
    path: &Path,
    scorer: Option<&str>,
    settings: &Settings,
) -> Result<RunSide, EngineError> {
    let begin = |run: &Run| {
        let scorer = scorer.map(|name| scorer_of(run, name)).transpose()?;
        let label = path.display().to_string();
        Ok(RunSide::new(label, run, scorer).graded(settings.grades).priced(settings.price_of(run)))
    };
    let take = |side: &mut RunSide, trial: Result<&TrialSummary, &LogError>| match trial {
        Ok(trial) => side.add(trial),
        Err(error) => side.add_damaged(error),
    };
    Ok(each_trial(path, begin, take)?.finished())
}

/// Goes through the trials of a run, whatever kind of file it is in. A sample of a log that cannot
/// be read is an error in its place.
pub fn each_trial<T>(
    path: &Path,
    begin: impl FnOnce(&Run) -> Result<T, EngineError>,
    mut add: impl FnMut(&mut T, Result<&TrialSummary, &LogError>),
) -> Result<T, EngineError> {
    let readable = ReadableLog::of(path)?;
    let log = Log::open(readable.path())?;
    let mut all = begin(log.run())?;
    let (mut damage, mut readable) = (Damage::default(), 0);
    log.summaries().for_each_ahead(|trial| {
        match &trial {
            Ok(_) => readable += 1,
            Err(error) => damage.note(error),
        }
        add(&mut all, trial.as_ref());
    });
    something_read(path, &damage, readable)?;
    Ok(all)
}

/// The scorer of a run that somebody names, by its own name or another.
fn scorer_of<'a>(run: &'a Run, name: &str) -> Result<&'a str, EngineError> {
    let known = |name: &str| run.scorers.iter().find(|known| *known == name).map(String::as_str);
    let other = || OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, own)| *own);
    known(name).or_else(|| known(other()?)).ok_or_else(|| EngineError::NoSuchScorer {
        name: name.to_owned(),
        known: run.scorers.clone(),
    })
}
