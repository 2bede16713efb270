//! What a model is told of the tables, taken from the database itself.

use std::fmt::Write as _;

use rusqlite::{Connection, Result};

/// How much is told at most, in bytes: a model reads all of it in every turn.
const LONGEST: usize = 16_000;

/// The tables and views, as the statements that make them; as names and columns where these
/// would be too long; empty if there are none.
pub(super) fn describe(connection: &Connection) -> Result<String> {
    let tables = tables(connection)?;
    let statements: Vec<String> = tables.iter().map(|table| tidy(&table.statement)).collect();
    let whole = statements.join("\n");
    if whole.len() <= LONGEST {
        return Ok(whole);
    }
    let mut text = String::new();
    for (at, table) in tables.iter().enumerate() {
        let line = columns(connection, &table.name)?;
        if text.len() + line.len() > LONGEST {
            let left = tables.len() - at;
            write!(text, "and {left} more tables: see `sqlite_schema`").expect("text takes all");
            break;
        }
        text += &line;
    }
    Ok(text)
}

/// The names of the tables, without views: what these show stands in the tables already.
pub(super) fn table_names(connection: &Connection) -> Result<Vec<String>> {
    let mut found = tables(connection)?;
    found.retain(|table| {
        table.statement.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("create table"))
    });
    Ok(found.into_iter().map(|table| table.name).collect())
}

struct TableDefinition {
    name: String,
    statement: String,
}

/// Tables and views in the order they were made, without those that only serve others.
fn tables(connection: &Connection) -> Result<Vec<TableDefinition>> {
    let sql = "SELECT s.name, s.sql FROM sqlite_schema s \
               JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name \
               WHERE s.type IN ('table', 'view') AND l.type <> 'shadow' \
               AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND s.sql IS NOT NULL ORDER BY s.rowid";
    let mut statement = connection.prepare(sql)?;
    let rows = statement
        .query_map([], |row| Ok(TableDefinition { name: row.get(0)?, statement: row.get(1)? }))?;
    rows.collect()
}

/// A statement without white space at the ends of its lines, and with an end.
fn tidy(statement: &str) -> String {
    let lines: Vec<&str> = statement.lines().map(str::trim_end).collect();
    let last_is_comment = lines.last().is_some_and(|line| line.contains("--"));
    lines.join("\n") + if last_is_comment { "\n;" } else { ";" }
}

/// A table as its name and its columns with their types.
fn columns(connection: &Connection, table: &str) -> Result<String> {
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_xinfo(?1)")?;
    let rows = statement.query_map([table], |row| {
        let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(if kind.is_empty() { name } else { format!("{name} {kind}") })
    })?;
    let columns = rows.collect::<Result<Vec<_>>>()?;
    Ok(format!("{table}({})\n", columns.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_told_as_they_were_made_with_their_comments() {
        let connection = Connection::open_in_memory().unwrap();
        let script = "CREATE TABLE units (\n  unit_id INTEGER PRIMARY KEY,   \n  rent REAL -- a month\n);\
                      CREATE VIEW dear AS SELECT * FROM units;\
                      CREATE VIRTUAL TABLE notes USING fts5(body);\
                      CREATE INDEX by_rent ON units(rent);";
        connection.execute_batch(script).unwrap();
        let text = describe(&connection).unwrap();
        assert_eq!(
            text,
            "CREATE TABLE units (\n  unit_id INTEGER PRIMARY KEY,\n  rent REAL -- a month\n);\n\
             CREATE VIEW dear AS SELECT * FROM units;\n\
             CREATE VIRTUAL TABLE notes USING fts5(body);"
        );
    }

    #[test]
    fn many_tables_are_told_briefly() {
        let connection = Connection::open_in_memory().unwrap();
        for at in 0..900 {
            let comment = "-- what this is for\n".repeat(3);
            let sql = format!("CREATE TABLE table_{at} (id INTEGER, {comment} note TEXT)");
            connection.execute_batch(&sql).unwrap();
        }
        let text = describe(&connection).unwrap();
        assert!(text.starts_with("table_0(id INTEGER, note TEXT)\n"), "{text}");
        assert!(text.ends_with("more tables: see `sqlite_schema`"), "{text}");
        assert!(text.len() < LONGEST + 100);
    }
}
