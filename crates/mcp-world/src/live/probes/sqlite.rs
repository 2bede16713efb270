//! A SQLite database as a part of the end state.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::super::setups::inside;
use super::files::digits;
use super::{Thing, Things};

/// How many rows are looked at.
const MOST_ROWS: usize = 20_000;

/// Every row of every table, and the tables themselves.
pub(super) fn things(folder: &Path, path: &str) -> Result<Things, String> {
    let file = inside(folder, path)?;
    if !file.exists() {
        return Ok(Things::new());
    }
    read(&file, path)
        .map_err(|error| error.to_string())?
        .ok_or_else(|| format!("it has more than {MOST_ROWS} rows"))
}

fn read(file: &Path, name: &str) -> rusqlite::Result<Option<Things>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(file, flags)?;
    let mut tables = database.prepare(
        "SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let tables = tables.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let mut things = Things::new();
    for table in tables {
        let (table, kind, sql) = table?;
        things.insert(format!("{name} {table}"), Thing::with("schema", sql.unwrap_or_default()));
        if kind == "table" && !rows(&database, name, &table, &mut things)? {
            return Ok(None);
        }
    }
    Ok(Some(things))
}

/// Adds the rows of a table; whether there are not too many.
fn rows(
    database: &Connection,
    name: &str,
    table: &str,
    things: &mut Things,
) -> rusqlite::Result<bool> {
    let quoted = format!("\"{}\"", table.replace('"', "\"\""));
    let mut keys =
        database.prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?;
    let keys = keys.query_map([table], |row| row.get::<_, String>(0))?;
    let keys: Vec<String> = keys.collect::<Result<_, _>>()?;
    // A table without a key of its own has one that nobody sees.
    let columns = if keys.is_empty() { "rowid, *" } else { "*" };
    let mut select = database.prepare(&format!("SELECT {columns} FROM {quoted}"))?;
    let names: Vec<String> = select.column_names().map(str::to_owned).collect();
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if things.len() >= MOST_ROWS {
            return Ok(false);
        }
        let mut values = BTreeMap::new();
        let mut key = Vec::new();
        for (at, column) in names.iter().enumerate() {
            let value = value(row.get_ref(at)?);
            let is_hidden = keys.is_empty() && at == 0;
            if is_hidden || keys.contains(column) {
                key.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
            if !is_hidden {
                values.insert(column.clone(), value);
            }
        }
        let thing = format!("{name} {table} {}", key.join(" "));
        things.insert(thing, Thing::Properties(values));
    }
    Ok(true)
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => format!("({} bytes, {})", bytes.len(), digits(bytes)).into(),
    }
}
