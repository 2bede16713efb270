//! The front door: one suite on one subject, in a few lines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_report::Summary;
use toolgauge_runner::{Ending, StopSignal};
use toolgauge_suite::{Selection, Suite};

use crate::cell::Cell;
use crate::error::EngineError;
use crate::followed_log;
use crate::invocation::Invocation;
use crate::observer::{Observer, Unobserved};
use crate::settings::Settings;
use crate::suites;

/// One suite on one subject.
///
/// ```
/// use toolgauge_engine::Evaluation;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let logs = tempfile::tempdir()?;
/// let runtime = tokio::runtime::Runtime::new()?;
/// let evaluation = Evaluation::of_suite("everyday")?.on("baseline").logs_in(logs.path());
/// let done = runtime.block_on(evaluation.run())?;
/// let score = done.summary.score.expect("something was scored");
/// println!("{:.3} [{:.3}, {:.3}]", score.mean, score.low, score.high);
/// # assert_eq!(done.summary.trials, done.summary.planned);
/// # Ok(())
/// # }
/// ```
pub struct Evaluation {
    name: String,
    suite: Arc<Suite>,
    selection: Selection,
    settings: Settings,
    subject: String,
}

/// What an evaluation came to.
#[derive(Debug)]
pub struct Evaluated {
    /// The log of the run.
    pub log: PathBuf,
    /// How the run ended.
    pub ending: Ending,
    /// The numbers of the run.
    pub summary: Summary,
}

impl Evaluation {
    /// A suite, by the name of a shipped one or by its path, on the built-in baseline with the
    /// default settings.
    pub fn of_suite(name: &str) -> Result<Self, EngineError> {
        let suite = Arc::new(suites::load(name)?);
        let mut settings = Settings::from_layers(&[])?;
        settings.run.trials = suite.trials.max(settings.run.trials);
        let subject = crate::subjects::BASELINE.to_owned();
        Ok(Self {
            name: name.to_owned(),
            suite,
            selection: Selection::default(),
            settings,
            subject,
        })
    }

    /// The suite.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// On this subject, named as `toolgauge run --model` names it.
    #[must_use]
    pub fn on(mut self, subject: &str) -> Self {
        subject.clone_into(&mut self.subject);
        self
    }

    /// Only these cases.
    #[must_use]
    pub fn only(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// With these settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// With the log in this folder, which is made if it is not there.
    #[must_use]
    pub fn logs_in(mut self, folder: &Path) -> Self {
        self.settings.run.log_dir = folder.display().to_string();
        self
    }

    /// Runs it to its end.
    pub async fn run(self) -> Result<Evaluated, EngineError> {
        // On the heap: the future holds all that a run needs.
        Box::pin(self.run_watched(&StopSignal::default(), &Unobserved)).await
    }

    /// Runs it until it ends or is stopped, and tells an observer what happens.
    pub async fn run_watched(
        self,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Evaluated, EngineError> {
        let invocation = Invocation::new(self.name, self.subject, self.settings);
        let cell = Cell {
            cases: self.selection.select(&self.suite)?,
            suite: self.suite,
            key: invocation.key(None)?,
            invocation,
            variants: vec![None],
        };
        let mut finished = cell.run(stop, observer).await?;
        let log = finished.logs.remove(0);
        let (summary, _) = followed_log::summary_of(&log, &cell.invocation.settings)?;
        Ok(Evaluated { log, ending: finished.ending, summary })
    }
}
