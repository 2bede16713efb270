//! `toolgauge sql`: questions over many runs, in SQL.

use std::path::PathBuf;

#[cfg(feature = "sql")]
use toolgauge_report::TextTable;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::LogDirFlag;
#[cfg(feature = "sql")]
use crate::printer::Printer;

/// Ask a question over the trials of many runs, in SQL.
///
/// The tables are `runs`, `trials`, `calls`, `losses`, `turns` and `transcripts`;
/// docs/reference/tables.md lists their columns. Nothing is exported before, and only what the
/// question needs is read: conditions on suite, date and model leave out whole logs. The engine is
/// DataFusion.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The question, such as `SELECT model, avg(value) FROM trials GROUP BY model`.
    #[arg(value_name = "SELECT")]
    question: String,

    /// The logs, and folders of logs [default: the folder of logs]; `last` is the newest log.
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,

    /// In which form the answer is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: AnswerFormat,

    #[command(flatten)]
    log_dir: LogDirFlag,
}

/// In which form an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AnswerFormat {
    /// A table for people.
    Text,
    /// A list with an object for each row.
    Json,
    /// Comma-separated values.
    Csv,
}

#[cfg(not(feature = "sql"))]
pub(super) fn exec(_args: &Args) -> Result<ExitStatus, Failure> {
    Err(Failure::NoSql)
}

#[cfg(feature = "sql")]
pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = args.log_dir.settings()?;
    let opened = logs::open(&args.logs, &settings, printer)?;
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::Runtime)?;
    let answer = runtime.block_on(opened.logs.answer(&args.question))?;
    let mut text = Vec::new();
    match args.format {
        AnswerFormat::Text => {
            let table = TextTable::of(answer.columns());
            printer.print_report(&answer.rows()?.into_iter().fold(table, TextTable::row))?;
        }
        AnswerFormat::Json => {
            answer.write_json(&mut text)?;
            text.push(b'\n');
        }
        AnswerFormat::Csv => answer.write_csv(&mut text)?,
    }
    printer.print(&String::from_utf8_lossy(&text))?;
    Ok(opened.status.max(logs::tell_damage(&opened.logs, printer)))
}

#[cfg(feature = "sql")]
mod logs {
    //! The logs that a question is about.

    use std::path::{Path, PathBuf};

    use toolgauge_engine::{EngineError, ReadableLog, shard_logs};
    use toolgauge_log::is_address;
    use toolgauge_sql::{QueriedLog, QueriedLogs};
    use toolgauge_tables::Grading;

    use crate::failure::Failure;
    use crate::last_log::named_logs;
    use crate::printer::Printer;
    use crate::settings::Settings;
    use crate::{ExitStatus, summaries};

    /// Logs, and what was made to read them, which is gone when this is dropped.
    pub(super) struct OpenedLogs {
        pub(super) logs: QueriedLogs,
        pub(super) status: ExitStatus,
        _made: Vec<ReadableLog>,
    }

    /// Opens the logs that are named, or those of the folder of logs. One that cannot be read is
    /// named, and the others are asked.
    pub(super) fn open(
        named: &[PathBuf],
        settings: &Settings,
        printer: &mut Printer,
    ) -> Result<OpenedLogs, Failure> {
        let named = match named {
            [] => vec![PathBuf::from(&settings.run.log_dir)],
            named => named_logs(named, settings)?,
        };
        let mut runs = Vec::new();
        for path in named {
            if !is_address(&path) && !path.exists() && !shard_logs::is_pattern(&path) {
                return Err(EngineError::NoLogs { folder: path }.into());
            }
            runs.extend(shard_logs::runs_at(&path)?);
        }
        let (mut logs, mut made, mut status) = (Vec::new(), Vec::new(), ExitStatus::Done);
        for path in &runs {
            match open_one(path, settings) {
                Ok((readable, log)) => {
                    made.push(readable);
                    logs.push(log);
                }
                Err(failure) if runs.len() == 1 => return Err(failure),
                Err(failure) => {
                    printer.warning(failure);
                    status = ExitStatus::SomeUnscored;
                }
            }
        }
        Ok(OpenedLogs { logs: QueriedLogs::new(logs), status, _made: made })
    }

    fn open_one(path: &Path, settings: &Settings) -> Result<(ReadableLog, QueriedLog), Failure> {
        let readable = ReadableLog::of(path)?;
        let name = path.display().to_string();
        let log = QueriedLog::of_file(name, readable.path(), |run| Grading {
            thresholds: settings.grades,
            price: settings.price_of(run),
        })?;
        Ok((readable, log))
    }

    /// Says what could not be read.
    pub(super) fn tell_damage(logs: &QueriedLogs, printer: &mut Printer) -> ExitStatus {
        let damage: Vec<_> = logs.logs().iter().map(|log| (log.name(), log.damage())).collect();
        let damage = damage.iter().map(|(name, (damage, read))| (Path::new(name), damage, *read));
        summaries::tell_damage(damage, printer)
    }
}
