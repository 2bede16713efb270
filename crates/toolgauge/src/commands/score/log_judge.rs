//! The model that judges before the scorers do.

use std::path::Path;

use toolgauge_core::{Case, Transcript};
use toolgauge_runner::Judge;

use super::args::Args;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// The model that judges before the scorers do, if one was asked for.
pub(super) struct LogJudge(Option<(Judge, tokio::runtime::Runtime)>);

impl LogJudge {
    /// The judge that was asked for; its memory is beside the log unless said otherwise.
    pub(super) fn of(
        args: &Args,
        log: &Path,
        settings: &Settings,
        printer: &mut Printer,
    ) -> Result<Self, Failure> {
        let mut settings = settings.clone();
        settings.run.log_dir = log.parent().unwrap_or(Path::new("")).display().to_string();
        let Some(order) = args.judge.order(&settings)? else { return Ok(Self(None)) };
        let runtime = tokio::runtime::Runtime::new()?;
        let settings = runtime.block_on(crate::judge_flags::reached(&order, &settings, printer));
        Ok(Self(Some((order.build(&settings)?, runtime))))
    }

    /// Whether nobody was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Has the votes cast on a trial.
    pub(super) fn judge(&self, case: &Case, transcript: &mut Transcript) {
        if let Some((judge, runtime)) = &self.0 {
            runtime.block_on(judge.judge(case, transcript));
        }
    }
}
