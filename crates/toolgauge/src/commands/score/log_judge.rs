//! The models that are asked before the scorers judge.

use std::path::Path;
use std::sync::Arc;

use toolgauge_core::{Case, Transcript};
use toolgauge_engine::likeness;
use toolgauge_runner::{Judge, LikenessGauge};

use super::args::Args;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// The model that judges before the scorers do, and the server that compares keywords, as far as
/// they were asked for.
pub(super) struct LogJudge {
    judge: Option<Judge>,
    gauge: Option<LikenessGauge>,
    runtime: tokio::runtime::Runtime,
}

impl LogJudge {
    /// Who was asked for to look at a log again. The judge's memory is beside the log unless said
    /// otherwise.
    pub(super) fn of_log(
        args: &Args,
        log: &Path,
        settings: &Settings,
        printer: &mut Printer,
    ) -> Result<Self, Failure> {
        // What was measured stands in the log, unless somebody wants it measured again.
        let gauge = if args.embeddings.names_address() { likeness::gauge(settings)? } else { None };
        Self::of(args, gauge, log, settings, printer)
    }

    /// Who is needed to look at transcripts of these cases.
    pub(super) fn of_cases(
        args: &Args,
        cases: &[Arc<Case>],
        log: &Path,
        settings: &Settings,
        printer: &mut Printer,
    ) -> Result<Self, Failure> {
        Self::of(args, likeness::needed_by(cases, settings)?, log, settings, printer)
    }

    fn of(
        args: &Args,
        gauge: Option<LikenessGauge>,
        log: &Path,
        settings: &Settings,
        printer: &mut Printer,
    ) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Runtime::new()?;
        if let Some(gauge) = &gauge {
            runtime.block_on(likeness::check(gauge))?;
        }
        let mut settings = settings.clone();
        settings.run.log_dir = log.parent().unwrap_or(Path::new("")).display().to_string();
        let Some(order) = args.judge.order(&settings)? else {
            return Ok(Self { judge: None, gauge, runtime });
        };
        let settings = runtime.block_on(crate::judge_flags::reached(&order, &settings, printer));
        Ok(Self { judge: Some(order.build(&settings)?), gauge, runtime })
    }

    /// Whether nobody was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.judge.is_none() && self.gauge.is_none()
    }

    /// Whether a model votes.
    pub(super) fn votes(&self) -> bool {
        self.judge.is_some()
    }

    /// Has the votes cast on a trial, and its keywords compared.
    pub(super) fn judge(&self, case: &Case, transcript: &mut Transcript) {
        if let Some(judge) = &self.judge {
            self.runtime.block_on(judge.judge(case, transcript));
        }
        if let Some(gauge) = &self.gauge {
            self.runtime.block_on(gauge.measure(case, transcript));
        }
    }
}
