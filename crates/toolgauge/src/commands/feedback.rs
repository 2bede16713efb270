//! `toolgauge feedback`: what people think of answers, kept beside the logs.

mod import;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Subcommand;
use toolgauge_core::{CaseId, Feedback, Thumb, TrialId, timestamp};
use toolgauge_engine::EngineError;
use toolgauge_feedback::{FeedbackEntry, FeedbackStore, promotion};
use toolgauge_log::{Log, is_address};
use toolgauge_report::{FeedbackTally, TextTable, Theme};

use self::import::import;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::last_log::{named_log, optional_log};
use crate::layer::with_log_dir;
use crate::printer::Printer;
use crate::{ExitStatus, scorers};

/// Keep what people think of answers: thumbs, comments, corrected answers.
///
/// Feedback is kept in a SQLite file in the folder of the logs; the viewer writes to the same
/// file. One person has one opinion of a trial: giving another replaces it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: FeedbackCommand,

    /// Where logs are kept [default: logs].
    #[arg(long, global = true, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,
}

#[derive(Debug, Subcommand)]
enum FeedbackCommand {
    Add(Opinion),
    /// Keep feedback from a file, one JSON object per line.
    ///
    /// A line is what `export` writes. With `--log`, `run` and `suite` may be left out, and
    /// `question` may replace `case`:
    /// `{"question": "…", "thumb": "down", "correction": "…"}`.
    Import {
        /// The file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The run that lines without one are about; `last` is the newest log.
        #[arg(long, value_name = "LOG")]
        log: Option<PathBuf>,
    },
    /// Print all feedback, one JSON object per line.
    Export {
        /// Only that of this suite.
        #[arg(long, value_name = "SUITE")]
        suite: Option<String>,
    },
    /// Print how satisfied people are, what they write about, and whether the scores agree with them.
    ///
    /// Comments are put into themes: those whose trials lost points for the same cause or called the
    /// same tool, those of one category, and those that share a word.
    Stats {
        /// Only that of this suite.
        #[arg(long, value_name = "SUITE")]
        suite: Option<String>,
        /// The tag by which feedback is grouped.
        #[arg(long, value_name = "TAG", default_value = "category")]
        by: String,
        /// Compare thumbs with this scorer, such as `judge` [default: the first of each run].
        #[arg(long, value_name = "NAME")]
        scorer: Option<String>,
        /// In which form the result is printed.
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: OutputFormat,
    },
    /// List feedback with its numbers.
    List {
        /// Only the comments of this theme, as `stats` names it; `tool search` where a category or a
        /// word is called `search` as well.
        #[arg(long, value_name = "NAME")]
        theme: Option<String>,
        /// The tag that themes of categories go by.
        #[arg(long, value_name = "TAG", default_value = "category", requires = "theme")]
        by: String,
    },
    /// Make a case of a correction and add it to a suite's file of cases.
    ///
    /// A correction that is a JSON object becomes the expectation itself. Any other text becomes
    /// the reference answer, and the figures in it the keywords.
    Promote {
        /// The number of the feedback, as `list` shows it.
        #[arg(value_name = "NUMBER")]
        number: i64,
        /// The suite, or its file of cases: `.yaml`, `.json`, `.ndjson`, `.jsonl` or `.csv`.
        #[arg(long, value_name = "FILE")]
        into: PathBuf,
        /// The name of the new case [default: the old one's, with `-corrected`].
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
}

/// Say what you think of a trial.
#[derive(Debug, clap::Args)]
struct Opinion {
    /// The log of the run; `last` is the newest one.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The case.
    #[arg(value_name = "CASE")]
    case: String,
    /// Which execution of the case.
    #[arg(long, value_name = "N", default_value_t = 1)]
    trial: u32,
    /// You like the answer.
    #[arg(long, conflicts_with = "down")]
    up: bool,
    /// You do not.
    #[arg(long)]
    down: bool,
    /// What you have to say.
    #[arg(long, value_name = "TEXT", default_value = "")]
    comment: String,
    /// What the answer should have been: words, or an expectation as JSON.
    #[arg(long, value_name = "TEXT")]
    correction: Option<String>,
    /// Who you are.
    #[arg(long, value_name = "NAME", env = "TOOLGAUGE_AUTHOR", default_value = "")]
    author: String,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = with_log_dir(args.log_dir.as_deref())?;
    let folder = PathBuf::from(&settings.run.log_dir);
    match &args.what {
        FeedbackCommand::Add(opinion) => {
            let log = named_log(&opinion.log, &settings)?;
            let number = add(opinion, &log, args.log_dir.is_some().then_some(&folder))?;
            printer.note(format!("kept as number {number}"));
        }
        FeedbackCommand::Import { file, log } => {
            let log = optional_log(log.as_deref(), &settings)?;
            let kept = import(file, log.as_deref(), &folder)?;
            printer.note(format!("{kept} kept"));
        }
        FeedbackCommand::Export { suite } => {
            for entry in entries(&folder, suite.as_deref())? {
                let line = serde_json::to_string(&entry.feedback).expect("it is plain data");
                printer.print(&(line + "\n"))?;
            }
        }
        FeedbackCommand::Stats { suite, by, scorer, format } => {
            if let Some(name) = scorer {
                scorers::by_name(name)?;
            }
            let said = entries(&folder, suite.as_deref())?.into_iter();
            let said = FeedbackTally::of(said.map(|entry| entry.feedback));
            let stats = tally(&folder, said.against(scorer.as_deref()), by, printer)?.stats();
            match format {
                OutputFormat::Json => printer.print_json(&stats)?,
                OutputFormat::Text => printer.print_report(&stats)?,
            }
        }
        FeedbackCommand::List { theme, by } => {
            let mut shown = entries(&folder, None)?;
            if let Some(theme) = theme {
                shown = of_theme(&folder, shown, theme, by, printer)?;
            }
            printer.print_report(&listed(&shown))?;
        }
        FeedbackCommand::Promote { number, into, id } => {
            let id = promote(&folder, *number, into, id.as_deref())?;
            printer.note(format!("`{id}` added; `toolgauge check` says whether it is valid"));
        }
    }
    Ok(ExitStatus::Done)
}

/// Keeps an opinion in the folder of its log, unless another is named.
fn add(opinion: &Opinion, path: &Path, folder: Option<&PathBuf>) -> Result<i64, Failure> {
    let log = Log::open(path)?;
    let case = CaseId::new(&opinion.case);
    let trial = TrialId { case: case.clone(), trial: opinion.trial };
    // What is said must be about something.
    log.trial(&trial)?;
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.map_or(beside.unwrap_or(Path::new(".")), PathBuf::as_path);
    let thumb = match (opinion.up, opinion.down) {
        (true, _) => Some(Thumb::Up),
        (_, true) => Some(Thumb::Down),
        _ => None,
    };
    if thumb.is_none() && opinion.comment.is_empty() && opinion.correction.is_none() {
        return Err(Failure::NothingSaid);
    }
    let feedback = Feedback {
        run: log.run().id.clone(),
        suite: log.run().suite.name.clone(),
        case,
        trial: opinion.trial,
        author: opinion.author.clone(),
        thumb,
        comment: opinion.comment.clone(),
        correction: opinion.correction.clone(),
        at: timestamp(SystemTime::now()),
    };
    if is_address(folder) {
        let why = "feedback is kept in a folder of this machine; name one with `--log-dir`";
        let error = io::Error::new(io::ErrorKind::Unsupported, why);
        return Err(EngineError::file("write to", folder, error).into());
    }
    Ok(FeedbackStore::open(folder)?.add(&feedback)?)
}

fn entries(folder: &Path, suite: Option<&str>) -> Result<Vec<FeedbackEntry>, Failure> {
    let Some(store) = FeedbackStore::open_existing(folder)? else {
        return Err(Failure::NoFeedback { folder: folder.to_owned() });
    };
    let mut entries = store.all()?;
    entries.retain(|entry| suite.is_none_or(|suite| entry.feedback.suite == suite));
    Ok(entries)
}

/// Feedback brought together with the trials it is about.
fn tally(
    folder: &Path,
    mut tally: FeedbackTally,
    tag: &str,
    printer: &mut Printer,
) -> Result<FeedbackTally, Failure> {
    for log in toolgauge_log::list(folder)? {
        let log = match log {
            Ok(log) => log,
            Err(error) => {
                printer.warning(Failure::from(error));
                continue;
            }
        };
        if !tally.mentions(&log.run.id) {
            continue;
        }
        let run = &log.run.id;
        let log = Log::open(&log.path)?;
        for trial in log.summaries() {
            let added = trial.and_then(|trial| {
                tally.add(run, &trial, tag);
                // Few trials have comments, and only their transcripts are read.
                if tally.has_comment(run, &trial.id) {
                    tally.add_calls(run, &log.trial(&trial.id)?);
                }
                Ok(())
            });
            if let Err(error) = added {
                printer.warning(Failure::from(error));
            }
        }
    }
    Ok(tally)
}

/// Of all feedback, the comments of a theme.
fn of_theme(
    folder: &Path,
    entries: Vec<FeedbackEntry>,
    name: &str,
    tag: &str,
    printer: &mut Printer,
) -> Result<Vec<FeedbackEntry>, Failure> {
    let said = FeedbackTally::of(entries.iter().map(|entry| entry.feedback.clone()));
    let themes = tally(folder, said, tag, printer)?.stats().themes;
    let called: Vec<&Theme> = themes.iter().filter(|theme| theme.is_called(name)).collect();
    let name = name.to_owned();
    let places: BTreeSet<usize> = match called.as_slice() {
        [] => {
            let known = themes.into_iter().map(|theme| theme.name).collect();
            return Err(Failure::NoSuchTheme { name, known });
        }
        [theme] => theme.entries.iter().copied().collect(),
        several => {
            let known = several.iter().map(|theme| theme.full_name()).collect();
            return Err(Failure::SeveralThemes { name, known });
        }
    };
    let numbered = entries.into_iter().enumerate();
    Ok(numbered.filter(|(at, _)| places.contains(at)).map(|(_, entry)| entry).collect())
}

/// Feedback with its numbers. The suite is named where there are several.
fn listed(entries: &[FeedbackEntry]) -> TextTable {
    let suites: BTreeSet<&str> =
        entries.iter().map(|entry| entry.feedback.suite.as_str()).collect();
    let is_named = suites.len() > 1;
    let mut table = TextTable::new(&cells(["", "suite", "trial", "thumb", "said"], is_named), &[]);
    for FeedbackEntry { id, feedback } in entries {
        let thumb = feedback.thumb.map_or("", Thumb::name);
        let said = [feedback.comment.as_str(), feedback.correction.as_deref().unwrap_or_default()];
        let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
        let (number, trial) = (format!("{id:>4}"), feedback.trial_id().to_string());
        let said = said.join(" → ");
        let row = [number.as_str(), &feedback.suite, &trial, thumb, &said];
        table = table.row(cells(row, is_named));
    }
    table
}

/// The cells of a line, with or without that of the suite.
fn cells([number, suite, rest @ ..]: [&str; 5], is_named: bool) -> Vec<&str> {
    [number].into_iter().chain(is_named.then_some(suite)).chain(rest).collect()
}

fn promote(folder: &Path, number: i64, into: &Path, id: Option<&str>) -> Result<String, Failure> {
    let store = FeedbackStore::open_existing(folder)?
        .ok_or_else(|| Failure::NoFeedback { folder: folder.to_owned() })?;
    let no_such = || Failure::NoSuchFeedback { number };
    let feedback = store.get(number)?.ok_or_else(no_such)?.feedback;
    let logs = toolgauge_log::list(folder)?.filter_map(Result::ok);
    let log = logs.into_iter().find(|log| log.run.id == feedback.run);
    let log = log.ok_or_else(|| Failure::RunIsGone { folder: folder.to_owned() })?;
    let trial = Log::open(&log.path)?.trial(&feedback.trial_id())?;
    let id = id.map_or_else(|| format!("{}-corrected", feedback.case), str::to_owned);
    let case = promotion::promoted(&trial.case, &feedback, &id)?;
    promotion::append(into, &case)?;
    Ok(id)
}
