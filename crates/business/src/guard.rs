//! What a connection may do: read, within bounds, and nothing else.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};

/// How long a single value may be, in bytes. Bounds what one function call can cost.
const LONGEST_VALUE: i32 = 1_000_000;

/// How much memory all queries of the process may take together, in bytes.
pub(super) const MEMORY: i64 = 512 << 20;

/// Pragmas that tell of tables and change nothing.
const TELLING: [&str; 7] = [
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
];

/// The pragma a full-text index asks for by itself.
const VERSION: &str = "data_version";

/// Functions that reach beyond the database.
const HARMFUL: [&str; 2] = ["load_extension", "fts3_tokenizer"];

/// A connection that can only read.
#[derive(Debug)]
pub(super) struct Guarded {
    pub(super) connection: Connection,
    denied: Denied,
}

/// What the statement at hand wanted to do and may not.
type Denied = Arc<Mutex<Option<String>>>;

impl Guarded {
    /// Takes everything but reading from a connection.
    pub(super) fn new(mut connection: Connection) -> Result<Self> {
        // Each of these alone should be enough. The data may come from anywhere, so all of them are
        // set.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.pragma_update(None, "query_only", true)?;
        // Sorting and grouping would otherwise spill to the disk, without bound.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.pragma_update(None, "hard_heap_limit", MEMORY)?;
        for (limit, value) in limits() {
            connection.set_limit(limit, value)?;
        }
        // Before the authorizer is set: it would be handed such a name by this very query.
        check_names(&connection)?;
        let denied = Denied::default();
        let notes = Arc::clone(&denied);
        let guard = move |context: AuthContext<'_>| authorize(&context.action, &notes);
        connection.authorizer(Some(guard))?;
        Ok(Self { connection, denied })
    }

    /// What the last statement was denied, if it was.
    pub(super) fn take_denied(&self) -> Option<String> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Refuses a database in whose schema a name is not UTF-8. The library panics when it hands such
/// a name to the authorizer, and without the authorizer nothing may be asked.
fn check_names(connection: &Connection) -> Result<()> {
    let mut statement = connection.prepare("SELECT name, tbl_name, sql FROM sqlite_master")?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            if let ValueRef::Text(text) = row.get_ref(column)? {
                str::from_utf8(text).map_err(|error| Error::Utf8Error(column, error))?;
            }
        }
    }
    Ok(())
}

fn limits() -> [(Limit, i32); 9] {
    [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (Limit::SQLITE_LIMIT_COLUMN, 500),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
        (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        // Long patterns with many wildcards take time that no handler can stop.
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
}

fn authorize(action: &AuthAction<'_>, denied: &Denied) -> Authorization {
    let allowed = match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !HARMFUL.iter().any(|name| function_name.eq_ignore_ascii_case(name))
        }
        AuthAction::Pragma { pragma_name, .. } => {
            let mut allowed = TELLING.iter().chain([&VERSION]);
            allowed.any(|name| pragma_name.eq_ignore_ascii_case(name))
        }
        _ => false,
    };
    if allowed {
        return Authorization::Allow;
    }
    let mut noted = denied.lock().unwrap_or_else(PoisonError::into_inner);
    // The first thing denied is what the statement is about; others follow from it.
    noted.get_or_insert_with(|| wording(action));
    Authorization::Deny
}

/// What an action would do, to follow "the statement would".
fn wording(action: &AuthAction<'_>) -> String {
    match action {
        // Statements that create or drop something are first seen writing to the schema.
        AuthAction::Insert { table_name: "sqlite_master" | "sqlite_temp_master" }
        | AuthAction::Delete { table_name: "sqlite_master" | "sqlite_temp_master" } => {
            "change the schema".to_owned()
        }
        AuthAction::Insert { table_name } => format!("insert into `{table_name}`"),
        AuthAction::Update { table_name, .. } => format!("update `{table_name}`"),
        AuthAction::Delete { table_name } => format!("delete from `{table_name}`"),
        AuthAction::Attach { .. } => "attach a database".to_owned(),
        AuthAction::Detach { .. } => "detach a database".to_owned(),
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            "open or end a transaction".to_owned()
        }
        AuthAction::Function { function_name } => format!("call `{function_name}`"),
        AuthAction::Pragma { pragma_name, .. } => {
            format!("use the pragma `{pragma_name}` (allowed: {})", TELLING.join(", "))
        }
        _ => "change the schema".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_utf8_is_refused_before_anything_is_asked() {
        let made = Connection::open_in_memory().unwrap();
        made.execute_batch("CREATE TABLE plain (zzzz INTEGER)").unwrap();
        made.execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = CAST(x'435245415445205441424c4520706c61696e2028ff2922' AS TEXT)",
        )
        .unwrap();
        // Asking would make the library panic, which is caught and yet seen on stderr.
        let error = Guarded::new(made).unwrap_err();
        assert!(matches!(error, Error::Utf8Error(..)), "{error:?}");
    }
}
