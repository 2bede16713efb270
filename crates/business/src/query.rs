//! One query: what it may take, and what comes of it.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use rusqlite::{Connection, ErrorCode};

use super::guard::Guarded;
use super::rows::{Rows, cell, row_text};

/// How many steps of the engine pass between two looks at the clock.
const STEPS: i32 = 1_000;

/// How much a query may take and give, and on which day it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// How long it may run.
    pub time: Duration,
    /// How many rows are shown of its result.
    pub rows: usize,
    /// How many bytes of JSON are shown of its result.
    pub bytes: usize,
    /// The day that SQL takes for today, in place of the clock's.
    pub today: Option<Date>,
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(2), rows: 200, bytes: 64_000, today: None }
    }
}

/// Why a query has no answer. Said to the model, so that it can do better.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// Nothing is asked.
    #[error("there is no statement in it; write one SELECT statement")]
    Empty,
    /// More than one thing is asked.
    #[error("only one statement at a time is run; send the others on their own")]
    Several,
    /// The statement does more than read.
    #[error("the database is read-only: the statement would {0}")]
    NotAllowed(String),
    /// It takes too long.
    #[error("stopped after {0:.1} s; ask for less, or join on keys")]
    TooSlow(f64),
    /// A value or what is needed to compute the rows is too large.
    #[error("the result or a value in it is too large; ask for less")]
    TooLarge,
    /// Not even one row can be shown.
    #[error("the first row alone has more than {0} bytes; select fewer or shorter columns")]
    LongRow(usize),
    /// The engine does not understand it.
    #[error("{0}")]
    Sql(String),
}

/// Carries out one statement on a connection.
pub(super) fn ask(
    guarded: &mut Guarded,
    sql: &str,
    limits: QueryLimits,
) -> Result<Rows, QueryError> {
    let end = Instant::now() + limits.time;
    let clock = guarded.connection.progress_handler(STEPS, Some(move || Instant::now() >= end));
    clock.map_err(|error| QueryError::Sql(wording(&error)))?;
    // What an earlier statement on this connection was denied must not be told of this one.
    drop(guarded.take_denied());
    read(&guarded.connection, sql, limits).map_err(|error| match error {
        QueryRefusal::Query(error) => error,
        QueryRefusal::Engine(error) => match (guarded.take_denied(), error.sqlite_error_code()) {
            // The engine only says that it was not authorized; what was denied says more.
            (Some(what), _) => QueryError::NotAllowed(what),
            (None, Some(ErrorCode::OperationInterrupted)) => {
                QueryError::TooSlow(limits.time.as_secs_f64())
            }
            (None, Some(ErrorCode::TooBig | ErrorCode::OutOfMemory)) => QueryError::TooLarge,
            (None, _) => engine_error(&error),
        },
    })
}

/// Why no rows could be read.
enum QueryRefusal {
    Query(QueryError),
    Engine(rusqlite::Error),
}

impl From<rusqlite::Error> for QueryRefusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<QueryError> for QueryRefusal {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

fn read(connection: &Connection, sql: &str, limits: QueryLimits) -> Result<Rows, QueryRefusal> {
    let mut statement = connection.prepare(sql)?;
    if statement.expanded_sql().is_none_or(|text| text.is_empty()) {
        return Err(QueryError::Empty.into());
    }
    // The authorizer has said so already; the engine's own word is the second lock.
    if statement.column_count() == 0 || !statement.readonly() {
        return Err(QueryError::NotAllowed("do something else than read".to_owned()).into());
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let width = columns.len();
    let mut found = Rows { columns, ..Rows::default() };
    let mut bytes = 0;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if found.rows.len() == limits.rows {
            let shown = limits.rows;
            let advice = "aggregate, filter, or use LIMIT and OFFSET";
            found.cut = Some(format!("only the first {shown} rows are shown; {advice}"));
            break;
        }
        let cells = (0..width).map(|at| row.get_ref(at).map(cell));
        let cells = cells.collect::<rusqlite::Result<Vec<_>>>()?;
        bytes += row_text(&cells).len() + 1;
        if bytes > limits.bytes {
            let shown = found.rows.len();
            if shown == 0 {
                return Err(QueryError::LongRow(limits.bytes).into());
            }
            let most = limits.bytes;
            found.cut = Some(format!(
                "only the first {shown} rows are shown, as many as fit into {most} bytes; \
                 select fewer columns or rows"
            ));
            break;
        }
        found.rows.push(cells);
    }
    Ok(found)
}

fn engine_error(error: &rusqlite::Error) -> QueryError {
    match error {
        rusqlite::Error::MultipleStatement => QueryError::Several,
        other => QueryError::Sql(wording(other)),
    }
}

/// What the engine says, without the statement, which the reader has.
pub(super) fn wording(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}
