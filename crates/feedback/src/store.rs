//! What people think of trials, kept in a SQLite file beside the logs.
//!
//! One person has one opinion of a trial: giving another replaces it. The command line and the
//! viewer write to the same file, at the same time if need be.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use serde::Serialize;
use toolgauge_core::{CaseId, Feedback, RunId, Thumb};

/// The name of the file in the folder of the logs.
pub const FILE_NAME: &str = "feedback.sqlite";

/// The version of the tables. Files of a later version are refused rather than guessed at.
const VERSION: i32 = 1;

/// How long to wait for another process that writes. A person waits for the page meanwhile.
const PATIENCE: Duration = Duration::from_secs(2);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS feedback (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        suite TEXT NOT NULL,
        case_id TEXT NOT NULL,
        trial INTEGER NOT NULL,
        author TEXT NOT NULL,
        thumb TEXT CHECK (thumb IN ('up', 'down')),
        comment TEXT NOT NULL,
        correction TEXT,
        at TEXT NOT NULL,
        UNIQUE (run, case_id, trial, author)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS feedback_by_suite ON feedback (suite, case_id);
";

const COLUMNS: &str = "id, run, suite, case_id, trial, author, thumb, comment, correction, at";

/// Feedback as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeedbackEntry {
    /// Its number in the file.
    pub id: i64,
    /// What was said.
    pub feedback: Feedback,
}

/// Why feedback could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum FeedbackError {
    /// SQLite refused.
    #[error("cannot {doing} feedback in `{}`", path.display())]
    Sqlite {
        /// What was being done: `open`, `read`, `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is a link, a device or a folder, and what is kept would end up elsewhere.
    #[error("`{}` is not a regular file; feedback is not kept through links", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// A later toolgauge made the file.
    #[error("`{}` was made by a later toolgauge (version {found} of its tables)", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i32,
    },
}

impl FeedbackError {
    /// Whether another process is writing, so that a later try may succeed.
    pub fn is_busy(&self) -> bool {
        let Self::Sqlite { source: rusqlite::Error::SqliteFailure(error, _), .. } = self else {
            return false;
        };
        matches!(error.code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    }
}

/// The feedback file of a folder of logs.
#[derive(Debug)]
pub struct FeedbackStore {
    path: PathBuf,
    connection: Connection,
}

impl FeedbackStore {
    /// Opens the feedback of a folder of logs, and makes the file if there is none.
    pub fn open(folder: &Path) -> Result<Self, FeedbackError> {
        Self::connect(folder, OpenFlags::default())
    }

    /// Opens the feedback of a folder of logs if anybody gave any.
    pub fn open_existing(folder: &Path) -> Result<Option<Self>, FeedbackError> {
        if folder.join(FILE_NAME).symlink_metadata().is_err() {
            return Ok(None);
        }
        let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
        Self::connect(folder, flags).map(Some)
    }

    fn connect(folder: &Path, flags: OpenFlags) -> Result<Self, FeedbackError> {
        let path = folder.join(FILE_NAME);
        // Asked of the name itself: SQLite would follow a link out of the folder.
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(FeedbackError::NotAFile { path });
        }
        let fail = |source| FeedbackError::Sqlite { doing: "open", path: path.clone(), source };
        let connection = Connection::open_with_flags(&path, flags).map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        let version: i32 =
            connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(fail)?;
        if version > VERSION {
            return Err(FeedbackError::TooNew { path, found: version });
        }
        if version < VERSION {
            connection.execute_batch(TABLES).map_err(fail)?;
            connection.pragma_update(None, "user_version", VERSION).map_err(fail)?;
        }
        Ok(Self { path, connection })
    }

    /// Keeps what somebody thinks of a trial, in the place of what they thought before.
    pub fn add(&self, feedback: &Feedback) -> Result<i64, FeedbackError> {
        let Feedback { run, suite, case, trial, author, thumb, comment, correction, at } = feedback;
        let sql = "INSERT INTO feedback
                (run, suite, case_id, trial, author, thumb, comment, correction, at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (run, case_id, trial, author) DO UPDATE SET
                suite = ?2, thumb = ?6, comment = ?7, correction = ?8, at = ?9
            RETURNING id";
        let thumb = thumb.map(Thumb::name);
        let values = params![
            run.as_str(),
            suite,
            case.as_str(),
            trial,
            author,
            thumb,
            comment,
            correction,
            at.to_string()
        ];
        self.connection.query_row(sql, values, |row| row.get(0)).map_err(self.fail("write"))
    }

    /// Keeps all of these or, if something fails, none.
    pub fn add_all(&self, all: &[Feedback]) -> Result<(), FeedbackError> {
        // One transaction also waits for the disk once, not once for each entry.
        let transaction = self.connection.unchecked_transaction().map_err(self.fail("write"))?;
        for feedback in all {
            self.add(feedback)?;
        }
        transaction.commit().map_err(self.fail("write"))
    }

    /// Forgets one entry; tells whether there was one.
    pub fn remove(&self, id: i64) -> Result<bool, FeedbackError> {
        let removed = self.connection.execute("DELETE FROM feedback WHERE id = ?1", [id]);
        Ok(removed.map_err(self.fail("write"))? > 0)
    }

    /// One entry by its number.
    pub fn get(&self, id: i64) -> Result<Option<FeedbackEntry>, FeedbackError> {
        let sql = format!("SELECT {COLUMNS} FROM feedback WHERE id = ?1");
        self.connection.query_row(&sql, [id], entry).optional().map_err(self.fail("read"))
    }

    /// Everything, in the order it was first given.
    pub fn all(&self) -> Result<Vec<FeedbackEntry>, FeedbackError> {
        self.select("ORDER BY id", params![])
    }

    /// What was said of the trials of a run.
    pub fn of_run(&self, run: &RunId) -> Result<Vec<FeedbackEntry>, FeedbackError> {
        self.select("WHERE run = ?1 ORDER BY id", params![run.as_str()])
    }

    /// What was said of the trials of a case in a run.
    pub fn of_case(&self, run: &RunId, case: &CaseId) -> Result<Vec<FeedbackEntry>, FeedbackError> {
        let which = "WHERE run = ?1 AND case_id = ?2 ORDER BY trial, id";
        self.select(which, params![run.as_str(), case.as_str()])
    }

    fn select(
        &self,
        which: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<FeedbackEntry>, FeedbackError> {
        let sql = format!("SELECT {COLUMNS} FROM feedback {which}");
        let read = || -> rusqlite::Result<Vec<FeedbackEntry>> {
            self.connection.prepare(&sql)?.query_map(values, entry)?.collect()
        };
        read().map_err(self.fail("read"))
    }

    fn fail(&self, doing: &'static str) -> impl FnOnce(rusqlite::Error) -> FeedbackError {
        let path = self.path.clone();
        move |source| FeedbackError::Sqlite { doing, path, source }
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<FeedbackEntry> {
    let thumb: Option<String> = row.get(6)?;
    let at: String = row.get(9)?;
    let feedback = Feedback {
        run: RunId::new(row.get::<_, String>(1)?),
        suite: row.get(2)?,
        case: CaseId::new(row.get::<_, String>(3)?),
        trial: row.get(4)?,
        author: row.get(5)?,
        thumb: thumb.as_deref().and_then(Thumb::named),
        comment: row.get(7)?,
        correction: row.get(8)?,
        // Written by `add`; a file changed by hand still opens.
        at: at.parse().unwrap_or(Timestamp::UNIX_EPOCH),
    };
    Ok(FeedbackEntry { id: row.get(0)?, feedback })
}

#[cfg(test)]
mod tests;
