//! Why a command could not do its work, and what to try next.

mod partial;
mod report;
mod try_world;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use toolgauge_core::CaseId;
use toolgauge_engine::{EngineError, choices, with_source};
use toolgauge_feedback::FeedbackError;
use toolgauge_feedback::promotion::PromotionError;
use toolgauge_home_import::HomeImportError;
use toolgauge_import::ImportError;
use toolgauge_log::{LogError, OutputError, TranscriptError};
use toolgauge_model::{ConnectionError, EndpointError, PostError};
use toolgauge_report::GateError;
use toolgauge_report::number::counted;
#[cfg(feature = "sql")]
use toolgauge_sql::QueryError;
use toolgauge_suite::{SelectionError, TemplateError};
use toolgauge_tables::TableError;
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
    /// The asynchronous runtime could not be started, so that nothing ran.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[source] io::Error),
    /// A folder that should be new has something in it.
    #[error("`{}` is not empty", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that would be overwritten was not made by us.
    #[error("`{}` is there already, and was not made by `toolgauge generate --home`", path.display())]
    NotMade {
        /// The file.
        path: PathBuf,
    },
    /// Partial credit cannot be given.
    #[error(transparent)]
    Partial(#[from] PartialFailure),
    /// A log should go into a file that no log is named like.
    #[error("`{}` cannot be the name of a log", path.display())]
    NotALogName {
        /// The file.
        path: PathBuf,
    },
    /// What should be arguments of `run` is none.
    #[error("`toolgauge run` does not take these arguments: {why}")]
    RunArguments {
        /// What is wrong with them.
        why: String,
    },
    /// Only one log can be followed.
    #[error("`--watch` follows one log at a time")]
    WatchesOne,
    /// An agent cannot be served.
    #[cfg(feature = "mcp")]
    #[error(transparent)]
    Mcp(#[from] toolgauge_mcp_server::McpServerError),
    /// An optional part of the program was not compiled.
    #[cfg(not(feature = "mcp"))]
    #[error("this toolgauge was built without the MCP server")]
    NoMcp,
    /// An optional part of the program was not compiled.
    #[cfg(not(feature = "sql"))]
    #[error("this toolgauge was built without SQL")]
    NoSql,
    /// A question in SQL has no answer.
    #[cfg(feature = "sql")]
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Tables cannot be written.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// A report cannot be written.
    #[error(transparent)]
    Report(#[from] ReportFailure),
    /// Calls cannot be tried.
    #[error(transparent)]
    Try(#[from] TryFailure),
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
    /// Other machines would see the viewer, and nothing keeps anybody out.
    #[error("to listen on {address}, the viewer needs a password")]
    OpenViewer {
        /// The address.
        address: IpAddr,
    },
    /// The password of the viewer cannot be used.
    #[error("the password in `{}` cannot be used: {why}", file.display())]
    PasswordFile {
        /// The file.
        file: PathBuf,
        /// Why not.
        why: String,
    },
    /// The model answers without being sent anything.
    #[error("`{model}` gets no request over HTTP, so there is none to show")]
    NothingSent {
        /// The model.
        model: String,
    },
    /// The viewer cannot be shown.
    #[error("{}", with_source(.0))]
    View(#[from] ViewError),
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
    /// Nobody was named to judge.
    #[error("no judge is named")]
    NoJudge,
    /// The runs have too little in common.
    #[error("the runs share fewer than two scored cases")]
    NothingShared,
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
    /// There is nothing that questions could be made about.
    #[error("questions are about a database or documents")]
    NoDataToAsk,
    /// A home is not made of a database.
    #[error("`--database` and `--documents` are for `toolgauge generate questions`")]
    DataForHome,
    /// The data hold nothing that a template asks for.
    #[error("nothing can be asked of these data")]
    NothingToAsk,
    /// No comments have this theme.
    #[error("there is no theme `{name}`")]
    NoSuchTheme {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// Themes that share a name.
    #[error("several themes are called `{name}`")]
    SeveralThemes {
        /// The name.
        name: String,
        /// The names that tell them apart.
        known: Vec<String>,
    },
    /// An opinion that says nothing.
    #[error("feedback needs a thumb, a comment or a correction")]
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
    /// The run is done, and what came of it could not be read or written.
    #[error("the run is in its log, but could not be reported: {why}")]
    Unreported {
        /// What happened.
        why: String,
    },
    /// Nothing that was named holds a result of a tool.
    #[error("there is no result of a known tool among {}", counted(*passed_over, "file"))]
    NoResults {
        /// How many files were looked at.
        passed_over: usize,
    },
    /// The folder of questions is not there.
    #[error("there is no folder `{}`", folder.display())]
    NoData {
        /// The folder.
        folder: PathBuf,
    },
    /// A log holds one run.
    #[error("`{}` can hold one run, and {runs} were found", log.display())]
    OneLogForRuns {
        /// The log.
        log: PathBuf,
        /// How many runs there are.
        runs: usize,
    },
    /// Only spans can be sent.
    #[error("`--endpoint` takes spans, and `{form}` has none")]
    NotSpans {
        /// The form that was asked for.
        form: &'static str,
    },
    /// A collector did not take what it was sent.
    #[error(transparent)]
    Post(#[from] PostError),
    /// A home cannot be imported.
    #[error(transparent)]
    HomeImport(#[from] HomeImportError),
    /// What a run may fail by as well: a file, a log, a selection, a server, the run itself.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What a command meets itself and the engine knows is told in the engine's words.
macro_rules! through_engine {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Engine(error.into())
            }
        }
    )*};
}

through_engine!(
    LogError,
    OutputError,
    ImportError,
    SelectionError,
    TemplateError,
    EndpointError,
    ConnectionError
);

impl Failure {
    /// A file that could not be read, written or created.
    pub(crate) fn file(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        EngineError::file(action, path, source).into()
    }

    /// A failure after the last trial. What could not be read or written then is no reason to say
    /// that nothing ran.
    pub(crate) fn after_run(self) -> Self {
        match self {
            Self::Engine(
                EngineError::OutputFile(_) | EngineError::Log(_) | EngineError::File { .. },
            ) => Self::Unreported { why: self.to_string() },
            other => other,
        }
    }

    /// What the process exits with.
    pub(crate) fn exit_status(&self) -> ExitStatus {
        match self {
            // Some trials were run and are in the log; the rest is missing.
            Self::Engine(EngineError::RunStopped { .. } | EngineError::NotUploaded { .. })
            | Self::Unreported { .. } => ExitStatus::SomeUnscored,
            Self::Engine(EngineError::Interrupted) => ExitStatus::Interrupted,
            _ => ExitStatus::NothingRan,
        }
    }

    /// What to do next, where there is something to say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NoRuns { suite, folder, known } if known.is_empty() => {
                let folder = folder.display();
                Some(format!("`toolgauge run {suite} --log-dir {folder}` makes one"))
            }
            Self::NoRuns { known, .. } => Some(choices(known)),
            Self::NotALogName { .. } => Some("names of logs end in `.eval`".to_owned()),
            Self::NoJudge => Some("name a model: `--judge MODEL`".to_owned()),
            Self::NoSuchPlan { .. } => {
                Some(format!("name a file, or one of: {}", FaultPlan::PRESETS.join(", ")))
            }
            Self::NoFeedback { .. } => {
                Some("`toolgauge feedback add LOG CASE --up` gives some".to_owned())
            }
            Self::NoDataToAsk => {
                Some("add `--database FILE`, `--documents FOLDER` or both".to_owned())
            }
            Self::NothingToAsk => Some(
                "a table needs two rows, and a document labels or headings with amounts or dates"
                    .to_owned(),
            ),
            Self::NoSuchTheme { known, .. } if known.is_empty() => {
                Some("a theme is what at least two comments share".to_owned())
            }
            Self::NoSuchTheme { known, .. } => Some(format!("there are: {}", known.join(", "))),
            Self::SeveralThemes { known, .. } => {
                Some(format!("name one as `{}`", known.join("` or `")))
            }
            Self::NoSuchFeedback { .. } => Some("`toolgauge feedback list` shows all".to_owned()),
            Self::NothingSaid => {
                Some("give `--up`, `--down`, `--comment` or `--correction`".to_owned())
            }
            Self::OpenViewer { .. } => Some(
                "add `--token`, which makes one, or `--password-file FILE`; without `--bind` only \
                 this machine can reach the viewer"
                    .to_owned(),
            ),
            Self::Bind { .. } => Some("`--port 0` takes any port that is free".to_owned()),
            Self::Partial(failure) => failure.hint(),
            #[cfg(not(feature = "mcp"))]
            Self::NoMcp => Some(
                "the packages have it; in a clone, `cargo build --release --features mcp` adds it"
                    .to_owned(),
            ),
            #[cfg(not(feature = "sql"))]
            Self::NoSql => Some(
                "the archive, the npm package, the .deb and the image have it; in a clone, `cargo \
                 build --release --features sql` adds it; `toolgauge export --format csv` gives the \
                 same tables to an engine of yours"
                    .to_owned(),
            ),
            Self::Tables(TableError::NotBuilt { .. }) => Some(
                "the packages have it; in a clone, `cargo build --release --features tables` adds \
                 it; `--format csv` works in every build"
                    .to_owned(),
            ),
            Self::Report(failure) => Some(failure.hint()),
            Self::Gate(error) => Some(error.hint()),
            Self::NothingPinned { .. } => {
                Some("name two logs, or pin one with `toolgauge baseline set last`".to_owned())
            }
            Self::NotMade { .. } => {
                Some("move it away first, or name another folder with `-o`".to_owned())
            }
            Self::NotEmpty { .. } => Some("name a folder that does not exist yet".to_owned()),
            Self::Unreported { .. } => Some("`toolgauge summary LOG` reads it again".to_owned()),
            Self::HomeImport(error) => error.hint(),
            Self::NotSpans { .. } => Some("add `--to otlp`".to_owned()),
            Self::NoResults { .. } => {
                Some("docs/peers.md names the tools whose results are read".to_owned())
            }
            Self::OneLogForRuns { .. } => Some("name a folder with `--output`".to_owned()),
            Self::Engine(error) => error.hint(),
            _ => None,
        }
    }

    /// Whether the reader of our output went away.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
