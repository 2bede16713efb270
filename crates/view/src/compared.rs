//! Runs that were compared.

use toolgauge_log::MergeError;
use toolgauge_report::{Comparison, ContestReport, RunSide, Terms, Thresholds, UnscoredRule};

use crate::library::LoadProgress;
use crate::log_folder::LogFile;

/// As many flipped cases of each kind as are listed.
const FLIPS: usize = 200;

/// What came of a comparison.
#[derive(Debug)]
pub(crate) enum Compared {
    /// Two runs.
    Two(Box<Comparison>),
    /// More than two; absent if they share too little.
    Several(Option<Box<ContestReport>>),
}

impl Compared {
    /// Compares the runs of these logs, the first with the others.
    pub(crate) fn of<'a>(
        files: impl Iterator<Item = &'a LogFile>,
        graded: Thresholds,
        progress: &LoadProgress,
    ) -> Result<Self, MergeError> {
        let sides: Vec<RunSide> =
            files.map(|file| side(file, graded, progress)).collect::<Result<_, _>>()?;
        let terms = Terms { flips_shown: Some(FLIPS), ..Terms::default() };
        Ok(match sides.as_slice() {
            [a, b] => Self::Two(Box::new(Comparison::of(a, b, &terms))),
            sides => Self::Several(
                ContestReport::of(sides, UnscoredRule::default(), &terms.resampling).map(Box::new),
            ),
        })
    }

    /// Whom it is about, by name and variant.
    pub(crate) fn subjects(&self) -> Vec<String> {
        match self {
            Self::Two(found) => vec![found.a.named(), found.b.named()],
            Self::Several(Some(found)) => {
                found.contenders.iter().map(|one| one.run.named()).collect()
            }
            Self::Several(None) => vec!["runs".to_owned()],
        }
    }
}

fn side(
    file: &LogFile,
    graded: Thresholds,
    progress: &LoadProgress,
) -> Result<RunSide, MergeError> {
    let (log, _made) = file.open()?;
    progress.expect(log.len());
    let label = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut side = RunSide::new(label, log.run(), None).graded(graded);
    log.summaries().for_each_ahead(|trial| {
        progress.advance();
        match trial {
            Ok(trial) => side.add(&trial),
            Err(error) => side.add_damaged(&error),
        }
    });
    Ok(side.finished())
}
