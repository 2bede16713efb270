//! A database that can be asked and not changed.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, MAIN_DB, OpenFlags};
use toolgauge_world::{check_regular, read_regular};

use super::guard::Guarded;
use super::query::{QueryError, QueryLimits, ask, wording};
use super::rows::Rows;
use super::{schema, script, today};

/// How large a database in memory may be. Each connection holds one of its own.
const LARGEST_IMAGE: usize = 32 << 20;
/// The longest script that is read: what it makes would not fit either.
const LARGEST_SCRIPT: u64 = 64 << 20;

/// How long after its time a query is given up that no look at the clock has stopped: one call
/// of a function on long values cannot be interrupted.
const GRACE: Duration = Duration::from_millis(250);

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Unreadable {
        /// The file that the suite names.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The script does not run.
    #[error("{file}:{line}: {why}")]
    Script {
        /// The script.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the engine said.
        why: String,
    },
    /// The file is no database.
    #[error("`{file}` cannot be opened as a SQLite database: {why}")]
    NotADatabase {
        /// The file that the suite names.
        file: String,
        /// What the engine said.
        why: String,
    },
    /// The script makes more than is kept in memory.
    #[error(
        "`{file}` makes a database of {megabytes} MB, more than the {} MB that are kept in memory; \
         make a file of it once (`sqlite3 company.db < {file}`) and name that",
        LARGEST_IMAGE >> 20
    )]
    TooLarge {
        /// The file that the suite names.
        file: String,
        /// How large the database would be.
        megabytes: usize,
    },
    /// There is nothing to ask for.
    #[error("`{file}` has no table")]
    NoTable {
        /// The file that the suite names.
        file: String,
    },
}

/// A database that can be asked and not changed. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Database {
    shared: Arc<SharedDatabase>,
}

#[derive(Debug)]
struct SharedDatabase {
    place: DatabaseLocation,
    schema: String,
    idle: Mutex<Vec<Guarded>>,
    limits: QueryLimits,
}

/// Where the data is.
#[derive(Debug)]
enum DatabaseLocation {
    File(PathBuf),
    Memory(Vec<u8>),
}

impl Database {
    /// A database file on disk. It may change while it is asked, by others.
    pub fn open(path: &Path, limits: QueryLimits) -> Result<Self, DatabaseError> {
        let shown = path.display().to_string();
        // An absolute path cannot be taken for one of SQLite's URIs.
        let found = check_regular(path).and_then(|()| path.canonicalize());
        let found =
            found.map_err(|source| DatabaseError::Unreadable { file: shown.clone(), source })?;
        Self::at(DatabaseLocation::File(found), &shown, limits)
    }

    /// The file at a path: a script is run, anything else is opened as a database.
    pub fn from_path(path: &Path, limits: QueryLimits) -> Result<Self, DatabaseError> {
        if !is_script(&path.to_string_lossy()) {
            return Self::open(path, limits);
        }
        let file = path.display().to_string();
        let bytes = read_regular(path, LARGEST_SCRIPT)
            .map_err(|source| DatabaseError::Unreadable { file: file.clone(), source })?;
        Self::from_bytes(&file, bytes, limits)
    }

    /// The content of a file: a script is run, anything else is taken for a database.
    pub fn from_bytes(
        file: &str,
        bytes: Vec<u8>,
        limits: QueryLimits,
    ) -> Result<Self, DatabaseError> {
        let mut image = if is_script(file) { run_script(file, &bytes, limits)? } else { bytes };
        if image.len() > LARGEST_IMAGE {
            let megabytes = image.len() >> 20;
            return Err(DatabaseError::TooLarge { file: file.to_owned(), megabytes });
        }
        // In memory there is no room for a write-ahead log: these bytes of the header ask for one.
        if let Some(versions) = image.get_mut(18..20) {
            versions.fill(1);
        }
        Self::at(DatabaseLocation::Memory(image), file, limits)
    }

    fn at(place: DatabaseLocation, file: &str, limits: QueryLimits) -> Result<Self, DatabaseError> {
        let not_a_database = |error: rusqlite::Error| DatabaseError::NotADatabase {
            file: file.to_owned(),
            why: wording(&error),
        };
        let guarded = place.connect(limits).map_err(not_a_database)?;
        let schema = schema::describe(&guarded.connection).map_err(not_a_database)?;
        if schema.is_empty() {
            return Err(DatabaseError::NoTable { file: file.to_owned() });
        }
        let idle = Mutex::new(vec![guarded]);
        Ok(Self { shared: Arc::new(SharedDatabase { place, schema, idle, limits }) })
    }

    /// The tables and their columns, as the statements that make them.
    pub fn schema(&self) -> &str {
        &self.shared.schema
    }

    /// How much a query may take and give.
    pub fn limits(&self) -> QueryLimits {
        self.shared.limits
    }

    /// Looks at a connection, for what no query of a subject asks.
    pub(super) fn with_connection<T>(
        &self,
        look: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let guarded = self.shared.take()?;
        let found = look(&guarded.connection);
        self.shared.give_back(guarded);
        found
    }

    /// Asks for rows. Whatever the query is, it changes nothing and ends in time.
    pub fn query(&self, sql: &str) -> Result<Rows, QueryError> {
        let limits = self.shared.limits;
        let guarded = self.shared.take().map_err(|error| QueryError::Sql(wording(&error)))?;
        let (answer, answered) = mpsc::sync_channel(1);
        let sql = sql.to_owned();
        // A thread of its own, so that a query that cannot be interrupted can be left behind.
        let asked = thread::Builder::new().name("query".into()).spawn(move || {
            let mut guarded = guarded;
            let rows = ask(&mut guarded, &sql, limits);
            // Nobody listens any more if the query was given up.
            drop(answer.send((guarded, rows)));
        });
        asked.map_err(|error| QueryError::Sql(error.to_string()))?;
        match answered.recv_timeout(limits.time + GRACE) {
            Ok((guarded, rows)) => {
                self.shared.give_back(guarded);
                rows
            }
            // The connection stays with its thread, and the next query gets another one.
            Err(RecvTimeoutError::Timeout) => Err(QueryError::TooSlow(limits.time.as_secs_f64())),
            Err(RecvTimeoutError::Disconnected) => {
                Err(QueryError::Sql("the query could not be carried out".to_owned()))
            }
        }
    }
}

/// Whether a file holds statements, by its name.
fn is_script(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sql"))
}

fn run_script(file: &str, bytes: &[u8], limits: QueryLimits) -> Result<Vec<u8>, DatabaseError> {
    let placed = |line, why| DatabaseError::Script { file: file.to_owned(), line, why };
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        placed(line, "the text is not UTF-8".to_owned())
    })?;
    script::run(text, limits.today).map_err(|problem| placed(problem.line, problem.why))
}

impl SharedDatabase {
    fn take(&self) -> rusqlite::Result<Guarded> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| self.place.connect(self.limits), Ok)
    }

    fn give_back(&self, guarded: Guarded) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(guarded);
    }
}

impl DatabaseLocation {
    fn connect(&self, limits: QueryLimits) -> rusqlite::Result<Guarded> {
        let connection = match self {
            Self::File(path) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(path, flags)?
            }
            Self::Memory(image) => {
                let mut connection = Connection::open_in_memory()?;
                let bytes = Cursor::new(image);
                connection.deserialize_read_exact(MAIN_DB, bytes, image.len(), true)?;
                connection
            }
        };
        // Another program may be writing to the file at this moment.
        connection.busy_timeout(limits.time)?;
        if let Some(day) = limits.today {
            today::hold(&connection, day)?;
        }
        Guarded::new(connection)
    }
}
