//! The exit statuses, which scripts rely on.

use std::process::ExitCode;

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Everything asked for was done.
    Done,
    /// A gate failed, or trials that failed leave it open.
    GateFailed,
    /// Nothing was run: bad flags, a bad suite, a bad file.
    NothingRan,
    /// The work is done, but some trials could not be scored, or not be read from their log.
    SomeUnscored,
    /// The run was interrupted; its log can be resumed.
    Interrupted,
}

impl ExitStatus {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::GateFailed => 1,
            Self::NothingRan => 2,
            Self::SomeUnscored => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
