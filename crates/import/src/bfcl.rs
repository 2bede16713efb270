//! Results of the Berkeley Function Calling Leaderboard, of its present editions and that of 2024.
//!
//! A result file has the answers of one model to one category of questions. The questions and the
//! accepted answers are elsewhere (`--data`), and the verdicts in a score file beside, which lists
//! those that failed.

mod call;
mod case;
mod data;
mod files;
mod functions;
mod questions;
mod run;
mod scores;
mod shape;
mod transcript;

use std::path::Path;

use self::files::{FoundFiles, ResultFile, find_files};
pub use self::questions::BfclQuestions;
use self::run::BfclRun;
use crate::{FoundRun, ImportError, ImportOptions, ImportedRun, ResultKind};

/// Which edition of the leaderboard a file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edition {
    /// `gorilla_openfunctions_v1_test_…`, of 2024.
    V1,
    /// `BFCL_v2_…` and later, by its number.
    Later(u32),
}

impl Edition {
    fn scorer(self) -> &'static str {
        match self {
            Self::V1 => "bfcl_v1",
            Self::Later(_) => "bfcl",
        }
    }

    fn suite(self) -> String {
        match self {
            Self::V1 => "bfcl-v1".into(),
            Self::Later(number) => format!("bfcl-v{number}"),
        }
    }
}

/// Whether a file is named as BFCL names its results or scores.
pub(crate) fn is_result_name(path: &Path) -> bool {
    ResultFile::of(path).is_some() || files::result_of_score(path).is_some()
}

/// Whether a folder has results of BFCL.
pub(crate) fn has_results(folder: &Path) -> Result<bool, ImportError> {
    Ok(!find_files(folder)?.files.is_empty())
}

/// The runs in a file or a folder: one for each folder of results and each model.
pub(crate) fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<FoundRun>, ImportError> {
    let FoundFiles { files, closed } = find_files(path)?;
    if files.is_empty() && closed.is_empty() {
        let why = "no file is named `BFCL_v4_<category>_result.json`, or as its first edition names \
                   them, so that the category of its questions is not known";
        return Err(ImportError::unfit(path, ResultKind::Bfcl, why));
    }
    let mut runs: Vec<FoundRun> = Vec::new();
    let mut rest = files.as_slice();
    while let Some(first) = rest.first() {
        let same = |file: &&ResultFile| file.run() == first.run();
        let (of_run, others) = rest.split_at(rest.iter().take_while(same).count());
        let run = BfclRun::open(of_run.to_vec(), options.data.as_deref());
        runs.push(run.map(|run| Box::new(run) as Box<dyn ImportedRun>));
        rest = others;
    }
    runs.extend(closed.into_iter().map(Err));
    Ok(runs)
}
