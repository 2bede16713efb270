//! `toolgauge score`: judges again, without calling a model.

mod args;
mod log_judge;
mod logs;
mod transcripts;

use toolgauge_engine::rescoring::Rescored;
use toolgauge_report::Overview;

pub(crate) use self::args::Args;
use self::logs::score_log;
use self::transcripts::score_transcripts;
use crate::failure::Failure;
use crate::last_log::named_logs;
use crate::layer::Layer;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{ExitStatus, followed_log, scorers, summaries};

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    // A name that no scorer has is better known before the first log than after it.
    for name in &args.scorers {
        scorers::by_name(name)?;
    }
    let layer = args.embeddings.over(Layer::default());
    let settings = Settings::resolve(&[layer.table()])?;
    let logs = named_logs(&args.logs, &settings)?;
    let mut written = Vec::new();
    for log in &logs {
        let Rescored { log: new, summary, without_books } =
            score_log(log, args, &settings, printer)?;
        if let Some(why) = without_books {
            printer.warning(format!(
                "answers of {} are judged without the books of its suite, so that invented details \
                 may pass: {why}",
                log.display()
            ));
        }
        written.push((new, summary));
    }
    if let (Some(file), Some(suite)) = (&args.transcripts, &args.suite) {
        let log = score_transcripts(args, file, suite, &settings, printer)?;
        let (summary, _) = followed_log::summary_of(&log, &settings)?;
        written.push((log, summary));
    }
    for (log, summary) in &written {
        printer.print_report(summary)?;
        printer.print(&format!("  log        {}\n\n", log.display()))?;
    }
    if written.len() > 1 {
        printer.print_report(&Overview::of(written.iter().map(|(_, summary)| summary)))?;
    }
    // Transcripts come from no log, and none of them is damaged.
    let judged = logs.iter().zip(&written);
    let damage = judged.map(|(log, (_, judged))| (log.as_path(), &judged.damage, judged.trials));
    let unscored = summaries::unscored(written.iter().map(|(_, summary)| summary));
    Ok(summaries::tell_damage(damage, printer).max(unscored))
}
