//! From a file of SQL to a database in memory.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Batch, Connection, Error, MAIN_DB, Result};

use super::guard::MEMORY;
use super::today;

/// What is wrong with a script, and in which line from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptProblem {
    pub(super) line: usize,
    pub(super) why: String,
}

/// Runs a script in a fresh database and gives the bytes of that database.
pub(super) fn run(
    script: &str,
    today: Option<Date>,
) -> std::result::Result<Vec<u8>, ScriptProblem> {
    run_within(script, LONGEST, today)
}

fn run_within(
    script: &str,
    time: Duration,
    today: Option<Date>,
) -> std::result::Result<Vec<u8>, ScriptProblem> {
    let connection = fresh(time, today);
    let mut connection = connection.map_err(|error| ScriptProblem::new(script, 0, &error))?;
    carry_out(script, &connection)?;
    let image = connection.serialize(MAIN_DB).map(|data| data.to_vec());
    image.map_err(|error| ScriptProblem::new(script, 0, &error))
}

fn carry_out(script: &str, connection: &Connection) -> std::result::Result<(), ScriptProblem> {
    let mut done = 0;
    let mut statements = Batch::new(connection, script);
    loop {
        let next = statements.next().map_err(|error| ScriptProblem::new(script, done, &error))?;
        let Some(mut statement) = next else { return Ok(()) };
        let text = statement.expanded_sql().unwrap_or_default();
        // The engine gives no places for errors at run time, so the statement is found by its text.
        let start = done + script[done..].find(&text).unwrap_or_default();
        done = start + text.len();
        step(&mut statement).map_err(|error| ScriptProblem::new(script, start, &error))?;
    }
}

/// How long a script may run.
const LONGEST: Duration = Duration::from_secs(30);
/// How many steps of the engine pass between two looks at the clock.
const STEPS: i32 = 10_000;
/// How much a database may hold, in pages of 4 KiB: four times what is kept, so that a script may
/// make more than it leaves.
const MOST_PAGES: i64 = 32 << 10;
/// Pragmas that lift the bounds.
const LIFTING: [&str; 4] = ["max_page_count", "page_size", "hard_heap_limit", "soft_heap_limit"];

/// A database in memory that a script cannot leave, and that it cannot fill without end.
fn fresh(time: Duration, today: Option<Date>) -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    if let Some(day) = today {
        today::hold(&connection, day)?;
    }
    // The bounds come before the authorizer, which ignores such pragmas from then on.
    connection.pragma_update(None, "max_page_count", MOST_PAGES)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "hard_heap_limit", MEMORY)?;
    let end = Instant::now() + time;
    connection.progress_handler(STEPS, Some(move || Instant::now() >= end))?;
    let guard = |context: AuthContext<'_>| match context.action {
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => Authorization::Deny,
        // Not denied, because dumps begin with such lines, and without effect.
        AuthAction::Pragma { pragma_name, .. }
            if LIFTING.iter().any(|name| pragma_name.eq_ignore_ascii_case(name)) =>
        {
            Authorization::Ignore
        }
        _ => Authorization::Allow,
    };
    connection.authorizer(Some(guard))?;
    Ok(connection)
}

fn step(statement: &mut rusqlite::Statement<'_>) -> Result<()> {
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

impl ScriptProblem {
    /// Places an error of a statement that starts somewhere after `at`.
    fn new(script: &str, at: usize, error: &Error) -> Self {
        let rest = script.get(at..).unwrap_or_default();
        let (offset, why) = match error {
            Error::SqlInputError { msg, offset, .. } => {
                (usize::try_from(*offset).unwrap_or_default(), msg.clone())
            }
            Error::SqliteFailure(_, Some(message)) => (start_of_statement(rest), message.clone()),
            other => (start_of_statement(rest), other.to_string()),
        };
        let before = script.get(..at + offset).unwrap_or(script);
        Self { line: 1 + before.matches('\n').count(), why }
    }
}

/// Where a statement begins behind white space and comments.
fn start_of_statement(text: &str) -> usize {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with("--") {
            rest.split_once('\n').map(|(_, after)| after)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map(|(_, after)| after)
        } else {
            None
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return text.len() - rest.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(script: &str) -> ScriptProblem {
        run(script, None).unwrap_err()
    }

    #[test]
    fn a_script_becomes_a_database() {
        let image =
            run("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);\n-- done\n", None).unwrap();
        assert!(image.starts_with(b"SQLite format 3\0"));
    }

    #[test]
    fn an_error_has_the_line_of_its_token() {
        let found = problem("CREATE TABLE t (a);\n\n-- rows\nINSERT INTO t\n  VALUSE (1);\n");
        assert_eq!(found.line, 5, "{found:?}");
        assert!(found.why.contains("VALUSE"), "{found:?}");
    }

    #[test]
    fn an_error_without_a_token_has_the_line_of_its_statement() {
        let script = "CREATE TABLE t (a UNIQUE);\nINSERT INTO t VALUES (1);\n\n-- again; so\n\
                      /* really */ INSERT INTO t VALUES (1);\n";
        let found = problem(script);
        assert_eq!((found.line, found.why.as_str()), (5, "UNIQUE constraint failed: t.a"));
    }

    #[test]
    fn a_script_cannot_fill_the_memory() {
        let script = "PRAGMA max_page_count = 1000000000;\nCREATE TABLE t (a);\nINSERT INTO t \
                      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                      SELECT randomblob(900000) FROM n;";
        let found = problem(script);
        // Not that it takes too long, which it would as well.
        assert_eq!((found.line, found.why.as_str()), (3, "database or disk is full"));
    }

    #[test]
    fn a_script_cannot_run_for_ever() {
        let start = Instant::now();
        let script = "CREATE TABLE t (a);\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 \
                      FROM n) SELECT count(*) FROM n;";
        let found = run_within(script, Duration::from_millis(500), None).unwrap_err();
        assert_eq!((found.line, found.why.as_str()), (2, "interrupted"));
        assert!(start.elapsed() < LONGEST, "{:?}", start.elapsed());
    }

    #[test]
    fn a_script_stays_in_its_database() {
        let found = problem("CREATE TABLE t (a);\nATTACH 'other.db' AS other;");
        assert_eq!((found.line, found.why.as_str()), (2, "not authorized"));
        assert!(run("CREATE TABLE t (a); VACUUM INTO 'copy.db'", None).is_err());
    }
}
