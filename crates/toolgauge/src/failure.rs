//! Why a command could not do its work, and what to try next.

mod partial;
mod report;
mod try_world;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use toolgauge_core::{CaseId, FailureKind, TrialFailure};
use toolgauge_feedback::FeedbackError;
use toolgauge_feedback::promotion::PromotionError;
use toolgauge_log::{LogError, OutputError, TranscriptError};
use toolgauge_model::{ConnectionError, EndpointError, LlamaError, PreflightError, ScriptError};
use toolgauge_report::GateError;
use toolgauge_runner::RubricError;
use toolgauge_suite::{Problems, SelectionError, TemplateError};
use toolgauge_view::ViewError;

use crate::ExitStatus;
use toolgauge_serve::{FaultPlan, PlanError};

pub(crate) use partial::PartialFailure;
pub(crate) use report::ReportFailure;
pub(crate) use try_world::TryFailure;

/// Why a command could not do its work. Errors of the crates are wrapped as they are, so that
/// each message is written once, where it is known best.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The result could not be printed.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        /// `read`, `write`, `create`.
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An output file could not be written, or must not be.
    #[error("{}", with_source(.0))]
    OutputFile(#[from] OutputError),
    /// A folder that should be new has something in it.
    #[error("`{}` is not empty", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The settings cannot be used.
    #[error("the settings cannot be used: {message}")]
    Settings {
        /// What is wrong with them.
        message: String,
    },
    /// No suite has this name.
    #[error("there is no suite `{name}`, neither here nor among those shipped")]
    NoSuchSuite {
        /// What was asked for.
        name: String,
        /// The names of the shipped suites.
        shipped: Vec<String>,
    },
    /// The suite does not check.
    #[error("the suite `{name}` has problems and is not run\n{}", listed(problems))]
    BadSuite {
        /// The suite.
        name: String,
        /// What is wrong with it.
        problems: Problems,
    },
    /// The file of a matrix cannot be used.
    #[error("the matrix has problems and is not run\n{}", listed(problems))]
    BadMatrix {
        /// What is wrong with it.
        problems: Problems,
    },
    /// A suite asks for a world that does not exist.
    #[error("there is no world `{kind}`")]
    NoSuchWorld {
        /// What was asked for.
        kind: String,
        /// The worlds there are.
        known: Vec<String>,
    },
    /// What a suite says of its world cannot be used.
    #[error("{why}")]
    BadWorld {
        /// What is wrong with it.
        why: String,
    },
    /// No scorer has this name.
    #[error("there is no scorer `{name}`")]
    NoSuchScorer {
        /// What was asked for.
        name: String,
        /// The scorers there are.
        known: Vec<String>,
    },
    /// Faults are to be put right in a scorer that does not judge.
    #[error("`--fix` mends the scorer `tool_calls_classic`, which is not asked for")]
    NothingToFix,
    /// The suite has no such variant.
    #[error("the suite has no variant `{name}`")]
    NoSuchVariant {
        /// What was asked for.
        name: String,
        /// The variants there are.
        known: Vec<String>,
    },
    /// Partial credit cannot be given.
    #[error(transparent)]
    Partial(#[from] PartialFailure),
    /// Only one log can be followed.
    #[error("`--watch` follows one log at a time")]
    WatchesOne,
    /// A report cannot be written.
    #[error(transparent)]
    Report(#[from] ReportFailure),
    /// Calls cannot be tried.
    #[error(transparent)]
    Try(#[from] TryFailure),
    /// The selection leaves no case.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The system prompt cannot be made.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The base URL cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The server cannot be asked.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The server would fail every trial.
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    /// The llama.cpp server could not be started.
    #[error("{}", with_source(.0))]
    Llama(#[from] LlamaError),
    /// A script of answers cannot be used.
    #[error("`{file}`: {error}")]
    Script {
        /// The script.
        file: String,
        /// What is wrong with it.
        error: ScriptError,
    },
    /// The description of a chatbot cannot be used.
    #[error("the chatbot cannot be asked\n{}", listed(problems))]
    BadChatbot {
        /// What is wrong with it.
        problems: Problems,
    },
    /// A line does not start anything.
    #[error("`command:{program}` is not a command")]
    BadCommand {
        /// Its first word; what follows may be a key.
        program: String,
    },
    /// The program of a chatbot is not there.
    #[error("there is no program `{program}`")]
    NoSuchProgram {
        /// The program.
        program: String,
    },
    /// What should be the name of a variable is none; it is not shown, for it may be the key.
    #[error("what should name the variable that holds the key is no name of a variable")]
    NotAVariable,
    /// A variable that is asked for is not set.
    #[error("the environment has no variable `{name}`")]
    NoSuchVariable {
        /// The variable.
        name: String,
    },
    /// A file of transcripts cannot be read.
    #[error("`{}`: {error}", file.display())]
    Transcripts {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: TranscriptError,
    },
    /// A transcript belongs to a case that the suite does not have.
    #[error("the suite `{suite}` has no case `{case}`")]
    UnknownCase {
        /// The case.
        case: CaseId,
        /// The suite.
        suite: String,
    },
    /// A plan of faults cannot be used.
    #[error("`{file}`: {error}")]
    Plan {
        /// The plan.
        file: String,
        /// What is wrong with it.
        error: PlanError,
    },
    /// No plan of faults has this name.
    #[error("there is no fault plan `{name}`, neither a file nor a preset")]
    NoSuchPlan {
        /// What was asked for.
        name: String,
    },
    /// The address is taken, or not ours to take.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// Which address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The model answers without being sent anything.
    #[error("`{model}` is not asked over a wire, so that there is no request to show")]
    NothingSent {
        /// The model.
        model: String,
    },
    /// A log cannot be read or written.
    #[error("{}", with_source(.0))]
    Log(#[from] LogError),
    /// The viewer cannot be shown.
    #[error("{}", with_source(.0))]
    View(#[from] ViewError),
    /// A results file, or another small file, cannot be read.
    #[error("`{}` cannot be read: {why}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A gate makes no sense.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// No run is pinned to compare with.
    #[error("no run of `{suite}` is pinned in `{}` to compare with", folder.display())]
    NothingPinned {
        /// The suite.
        suite: String,
        /// The folder of the logs.
        folder: PathBuf,
    },
    /// A rubric cannot be used.
    #[error("`{}`: {error}", file.display())]
    Rubric {
        /// The rubric.
        file: PathBuf,
        /// What is wrong with it.
        error: RubricError,
    },
    /// Nobody was named to judge.
    #[error("nobody is named to judge")]
    NoJudge,
    /// The runs have too little in common.
    #[error("the runs share fewer than two scored cases")]
    NothingShared,
    /// There is no log to go on with.
    #[error("there is no log in `{}`", folder.display())]
    NoLogs {
        /// The folder.
        folder: PathBuf,
    },
    /// A suite has no runs to show.
    #[error("there is no run of `{suite}` in `{}`", folder.display())]
    NoRuns {
        /// The suite.
        suite: String,
        /// The folder.
        folder: PathBuf,
        /// The suites that have runs there.
        known: Vec<String>,
    },
    /// Feedback cannot be kept or read.
    #[error("{}", with_source(.0))]
    Feedback(#[from] FeedbackError),
    /// Nobody gave feedback yet.
    #[error("there is no feedback in `{}`", folder.display())]
    NoFeedback {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no feedback of this number.
    #[error("there is no feedback number {number}")]
    NoSuchFeedback {
        /// The number.
        number: i64,
    },
    /// An opinion that says nothing.
    #[error("nothing is said: neither a thumb, nor a comment, nor a correction")]
    NothingSaid,
    /// The log that feedback is about is not there.
    #[error("the log of the run that the feedback is about is not in `{}`", folder.display())]
    RunIsGone {
        /// The folder.
        folder: PathBuf,
    },
    /// A correction cannot become a case.
    #[error("{}", with_source(.0))]
    Promotion(#[from] PromotionError),
    /// A log cannot be continued.
    #[error("`{}` cannot be resumed: {why}", log.display())]
    CannotResume {
        /// The log.
        log: PathBuf,
        /// What stands in the way.
        why: String,
    },
    /// More trials are asked for than a run may have.
    #[error("{planned} trials are more than the {most} that a run may have")]
    TooManyTrials {
        /// How many.
        planned: usize,
        /// How many there may be.
        most: usize,
    },
    /// The user stopped the run before anything of it was under way.
    #[error("interrupted before the first trial")]
    Interrupted,
    /// The run is done, and what came of it could not be read or written.
    #[error("the run is in its log, but could not be reported: {why}")]
    Unreported {
        /// What happened.
        why: String,
    },
    /// A server is named, and no model of it.
    #[error("no model is named, and the server {}", match offered.len() {
        0 => "does not say which it has".to_owned(),
        many => format!("offers {many}"),
    })]
    NoModelNamed {
        /// The models that it offers.
        offered: Vec<String>,
    },
    /// Every one of the first trials failed in the same way.
    #[error("{}: {}", every_trial_failed(*trials), failure.message)]
    EveryTrialFails {
        /// The model or chatbot, as it was named.
        model: String,
        /// How many trials failed.
        trials: usize,
        /// What the first one ran into.
        failure: TrialFailure,
    },
    /// The run could not go on.
    #[error("the run was stopped: {why}")]
    RunStopped {
        /// What happened.
        why: String,
    },
}

impl Failure {
    /// A file that could not be read, written or created.
    pub(crate) fn file(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { action, path: path.into(), source }
    }

    /// A run that could not go on, with all that is known of why.
    pub(crate) fn run_stopped(error: &dyn std::error::Error) -> Self {
        Self::RunStopped { why: with_source(error) }
    }

    /// A failure after the last trial. What could not be read or written then is no reason to say
    /// that nothing ran.
    pub(crate) fn after_run(self) -> Self {
        match self {
            Self::Log(_) | Self::OutputFile(_) | Self::File { .. } => {
                Self::Unreported { why: self.to_string() }
            }
            other => other,
        }
    }

    /// What the process exits with.
    pub(crate) fn exit_status(&self) -> ExitStatus {
        match self {
            // Some trials were run and are in the log; the rest is missing.
            Self::RunStopped { .. } | Self::Unreported { .. } => ExitStatus::SomeUnscored,
            Self::Interrupted => ExitStatus::Interrupted,
            _ => ExitStatus::NothingRan,
        }
    }

    /// What to do next, where there is something to say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchSuite { shipped, .. } => {
                Some(format!("name a folder or file, or one of: {}", shipped.join(", ")))
            }
            Self::NoRuns { known, .. }
            | Self::NoSuchWorld { known, .. }
            | Self::NoSuchScorer { known, .. }
            | Self::NoSuchVariant { known, .. }
            | Self::Template(TemplateError::UnknownVariant { known, .. }) => Some(choices(known)),
            Self::Rubric { .. } => {
                Some("write one criterion a line, such as `accuracy 40: it is true`".to_owned())
            }
            Self::NoJudge => Some("name a model: `--judge MODEL`".to_owned()),
            Self::BadCommand { .. } => {
                Some("write it as in a shell, such as `command:python bot.py`".to_owned())
            }
            Self::NoSuchProgram { .. } => {
                Some("is it installed and on the PATH? a path to it works too".to_owned())
            }
            Self::NoSuchVariable { .. } => {
                Some("the chatbot's headers ask for it; set it before the run".to_owned())
            }
            Self::NotAVariable => Some(
                "give the name, such as `OPENAI_API_KEY`, and put the key into that variable"
                    .to_owned(),
            ),
            Self::NoSuchPlan { .. } => {
                Some(format!("name a file, or one of: {}", FaultPlan::PRESETS.join(", ")))
            }
            Self::NoFeedback { .. } => {
                Some("`toolgauge feedback add LOG CASE --up` gives some".to_owned())
            }
            Self::NoSuchFeedback { .. } => Some("`toolgauge feedback list` shows all".to_owned()),
            Self::NothingSaid => {
                Some("give `--up`, `--down`, `--comment` or `--correction`".to_owned())
            }
            Self::Bind { .. } => Some("`--port 0` takes any port that is free".to_owned()),
            Self::NothingToFix => Some("add `--scorer tool_calls_classic`".to_owned()),
            Self::Partial(failure) => failure.hint(),
            Self::Report(failure) => Some(failure.hint()),
            Self::Selection(error) => error.hint().map(str::to_owned),
            Self::Gate(error) => Some(error.hint()),
            Self::NothingPinned { .. } => {
                Some("name two logs, or pin one with `toolgauge baseline set LOG`".to_owned())
            }
            Self::Preflight(error) => Some(error.hint()),
            Self::Llama(error) => error.hint().map(str::to_owned),
            Self::Settings { .. } => {
                Some("`toolgauge config --defaults` explains every setting".to_owned())
            }
            Self::Log(LogError::Io { source, path, .. }) => log_hint(path, source.kind()),
            Self::OutputFile(
                OutputError::Input { .. } | OutputError::Log { .. } | OutputError::LogName { .. },
            ) => Some("name another file".to_owned()),
            Self::NotEmpty { .. } => Some("name a folder that does not exist yet".to_owned()),
            Self::NoLogs { .. } => Some(
                "name the folder of the logs; runs keep them in `logs`, or where `--log-dir` says"
                    .to_owned(),
            ),
            Self::Unreported { .. } => Some("`toolgauge summary LOG` reads it again".to_owned()),
            Self::NoModelNamed { offered } => Some(match offered.as_slice() {
                [] => "name it with `-m NAME`; `-m baseline` measures the baseline".to_owned(),
                names => format!("name one with `-m`: {}", names[..names.len().min(20)].join(", ")),
            }),
            Self::EveryTrialFails { model, failure, .. } => Some(set_up_hint(model, failure.kind)),
            Self::RunStopped { .. } => {
                Some("what was finished is in the log; `--resume last` goes on".to_owned())
            }
            _ => None,
        }
    }

    /// Whether the reader of our output went away.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn every_trial_failed(trials: usize) -> String {
    match trials {
        1 => "the only trial failed, so that nothing was measured".to_owned(),
        2 => "both trials failed in the same way, so that nothing was measured".to_owned(),
        many => format!("the first {many} trials failed in the same way, so the run was stopped"),
    }
}

/// What to look at when every trial fails in this way.
fn set_up_hint(model: &str, kind: FailureKind) -> String {
    let is_chatbot = model.starts_with("chatbot:") || model.starts_with("command:");
    let look = match kind {
        FailureKind::OtherModel => {
            return "name the model as the server does; `--any-model` runs on regardless"
                .to_owned();
        }
        FailureKind::UnreadableAnswer | FailureKind::Reported if is_chatbot => {
            "describe where the text is under `answer` in the chatbot's file (docs/chatbots.md)"
        }
        FailureKind::Refused if is_chatbot => "check the chatbot's URL, method and body",
        FailureKind::UnreadableAnswer => "does `--base-url` lead to an OpenAI-compatible server?",
        FailureKind::ContextOverflow | FailureKind::Timeout => {
            toolgauge_report::advice(kind.name()).unwrap_or_default()
        }
        _ => "check the address, the model and how the server was started",
    };
    format!("{look}; `--same-failures 0` runs on regardless")
}

/// What may have been meant by a log that cannot be read.
fn log_hint(path: &Path, why: io::ErrorKind) -> Option<String> {
    match why {
        io::ErrorKind::IsADirectory => {
            let folder = path.display();
            Some(format!("name a log in it; `toolgauge view {folder}` shows what there is"))
        }
        io::ErrorKind::NotFound => {
            Some("runs keep their logs in `logs`, or where `--log-dir` says".to_owned())
        }
        _ => None,
    }
}

fn choices(known: &[String]) -> String {
    match known {
        [] => "there are none".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    }
}

fn listed(problems: &Problems) -> String {
    problems.iter().map(|problem| format!("  {problem}")).collect::<Vec<_>>().join("\n")
}

/// A message followed by those of its sources, so that nothing a person needs is left out.
fn with_source(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
