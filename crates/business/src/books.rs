//! All rows and passages as one list, to hold details of an answer against.

use std::collections::HashMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row};
use serde_json::Value;
use toolgauge_core::{BookRecord, Books};

use super::database::Database;
use super::documents::Documents;
use super::rows::cell;
use super::schema;

/// How many rows are gone through. A larger database is one that nobody reads as a whole.
const MOST_ROWS: usize = 20_000;
/// How many bytes of words are read, and how many are kept.
const MOST_BYTES: usize = 8 << 20;
/// How far a row tells of what it points to: a payment of its lease, of its tenant and its unit, of
/// its property.
const DEEPEST: usize = 3;

/// Everything that a database and documents say; `None` where that is too much.
pub(super) fn books(database: Option<&Database>, documents: Option<&Documents>) -> Option<Books> {
    let mut records = Vec::new();
    if let Some(database) = database {
        // A database that cannot be read now is not known as a whole.
        records.extend(database.with_connection(rows).ok()??);
    }
    records.extend(documents.into_iter().flat_map(passages));
    let bytes: usize = records.iter().map(|record| record.text.len()).sum();
    (bytes <= MOST_BYTES).then_some(Books { records })
}

/// The passages of documents, each with the headings it stands under.
fn passages(documents: &Documents) -> impl Iterator<Item = BookRecord> {
    documents.iter().flat_map(|document| {
        document.passages.iter().map(|passage| BookRecord {
            source: document.id.clone(),
            text: format!("{}\n{}\n{}", document.title, passage.headings.join("\n"), passage.text),
            ..BookRecord::default()
        })
    })
}

/// A table, read.
struct Table {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// What its columns point to.
    points: Pointers,
}

/// Of each column that points to a table: which one, and its rows by the value that is pointed to.
type Pointers = HashMap<usize, (usize, HashMap<String, usize>)>;

fn rows(connection: &Connection) -> Result<Option<Vec<BookRecord>>> {
    let mut tables = Vec::new();
    let mut rest = Rest { rows: MOST_ROWS, bytes: MOST_BYTES };
    for name in schema::table_names(connection)? {
        let Some(table) = read(connection, &name, &mut rest)? else { return Ok(None) };
        tables.push(table);
    }
    for at in 0..tables.len() {
        let points = points(connection, &tables, &tables[at])?;
        tables[at].points = points;
    }
    // What many rows point to is told with each of them.
    let (mut records, mut bytes) = (Vec::new(), 0);
    for (table, own) in tables.iter().enumerate() {
        for row in 0..own.rows.len() {
            let record = record(&tables, table, row);
            bytes += record.text.len();
            if bytes > MOST_BYTES {
                return Ok(None);
            }
            records.push(record);
        }
    }
    Ok(Some(records))
}

/// How much may still be read.
struct Rest {
    rows: usize,
    bytes: usize,
}

impl Rest {
    /// Takes a row out of it, if there is so much left.
    fn take(&mut self, row: &Row<'_>, columns: usize) -> Result<bool> {
        let mut bytes = 0;
        for at in 0..columns {
            if let ValueRef::Text(text) = row.get_ref(at)? {
                bytes += text.len();
            }
        }
        let left = (self.rows.checked_sub(1), self.bytes.checked_sub(bytes));
        let (Some(rows), Some(bytes)) = left else { return Ok(false) };
        *self = Self { rows, bytes };
        Ok(true)
    }
}

/// A whole table, if it is not more than this.
fn read(connection: &Connection, name: &str, rest: &mut Rest) -> Result<Option<Table>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {}", quoted(name)))?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        if !rest.take(row, columns.len())? {
            return Ok(None);
        }
        let cells = (0..columns.len()).map(|at| row.get_ref(at).map(cell));
        rows.push(cells.collect::<Result<Vec<Value>>>()?);
    }
    Ok(Some(Table { name: name.to_owned(), columns, rows, points: HashMap::new() }))
}

/// The columns of a table that point to others.
fn points(connection: &Connection, tables: &[Table], table: &Table) -> Result<Pointers> {
    let mut statement = connection
        .prepare("SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1)")?;
    let found = statement.query_map([&table.name], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let mut points = HashMap::new();
    for pointer in found {
        let (other, from, to) = pointer?;
        let place = |table: &Table, name: &str| {
            table.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
        };
        let Some(at) = tables.iter().position(|own| own.name.eq_ignore_ascii_case(&other)) else {
            continue;
        };
        // Without a column the key is meant, which stands first by custom.
        let key = to.map_or(Some(0), |to| place(&tables[at], &to));
        let (Some(from), Some(key)) = (place(table, &from), key) else { continue };
        let rows = tables[at].rows.iter().enumerate();
        points.insert(from, (at, rows.map(|(row, cells)| (cells[key].to_string(), row)).collect()));
    }
    Ok(points)
}

/// A row in words, with what it points to, and its numbers.
fn record(tables: &[Table], table: usize, row: usize) -> BookRecord {
    let own = &tables[table];
    let mut parts = Vec::new();
    let (mut numbers, mut cells) = (Vec::new(), Vec::new());
    for (at, cell) in own.rows[row].iter().enumerate() {
        let column = &own.columns[at];
        if let Some((other, rows)) = own.points.get(&at) {
            let pointed = rows.get(&cell.to_string());
            let Some(row) = pointed else { continue };
            let name = column.trim_end_matches("_id");
            parts.push(format!("{name}: {}", names(tables, *other, *row, 1).join(", ")));
            let called = called(tables, *other, *row, 1).into_iter();
            cells.extend(called.map(|called| (name.to_owned(), called)));
            continue;
        }
        // The first column of a table numbers its rows, which says nothing.
        let is_key = at == 0 && column.ends_with("id");
        match cell {
            Value::Number(number) if !is_key => {
                numbers.extend(number.as_f64().map(|number| (column.clone(), number)));
            }
            Value::String(text) => {
                parts.push(format!("{column}: {text}"));
                cells.push((column.clone(), text.clone()));
            }
            _ => {}
        }
    }
    let text = format!("{}; {}", own.name, parts.join("; ")).replace('_', " ");
    BookRecord { source: own.name.clone(), text, numbers, cells, is_row: true }
}

/// What a row is called, and what it points to.
fn names(tables: &[Table], table: usize, row: usize, depth: usize) -> Vec<String> {
    let own = &tables[table];
    let mut found = Vec::new();
    for (at, cell) in own.rows[row].iter().enumerate() {
        match (own.points.get(&at), cell) {
            (Some((other, rows)), _) if depth < DEEPEST => {
                let pointed = rows.get(&cell.to_string());
                found.extend(
                    pointed.into_iter().flat_map(|row| names(tables, *other, *row, depth + 1)),
                );
            }
            // The days of a lease are no days of what is paid for it.
            (None, Value::String(text)) if !is_day(text) => found.push(text.clone()),
            _ => {}
        }
    }
    found
}

/// The first name of a row, and those of what it points to.
fn called(tables: &[Table], table: usize, row: usize, depth: usize) -> Vec<String> {
    let own = &tables[table];
    let cells = || own.rows[row].iter().enumerate();
    let is_name = |cell: &&Value| cell.as_str().is_some_and(|text| !is_day(text));
    let name = cells().filter(|(at, _)| !own.points.contains_key(at)).map(|(_, cell)| cell);
    let name = name.filter(is_name).find_map(Value::as_str).map(str::to_owned);
    let pointed = cells().filter(|_| depth < DEEPEST).filter_map(|(at, cell)| {
        let (other, rows) = own.points.get(&at)?;
        Some(called(tables, *other, *rows.get(&cell.to_string())?, depth + 1))
    });
    name.into_iter().chain(pointed.flatten()).collect()
}

fn is_day(text: &str) -> bool {
    text.len() == 10 && text.chars().all(|c| c.is_ascii_digit() || c == '-')
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QueryLimits;

    #[test]
    fn what_is_too_much_to_be_read_as_a_whole_is_no_book() {
        let books = |script: &str| {
            let script = script.as_bytes().to_vec();
            let database = Database::from_bytes("a.sql", script, QueryLimits::default()).unwrap();
            books(Some(&database), None)
        };
        let table = "CREATE TABLE notes (note_id INTEGER PRIMARY KEY, text TEXT, picture BLOB);";
        let notes = |count: usize| {
            let all = format!(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                               WHERE i < {count})"
            );
            format!("{table} {all} INSERT INTO notes SELECT i, 'a', NULL FROM n;")
        };
        assert_eq!(books(&notes(MOST_ROWS)).unwrap().records.len(), MOST_ROWS);
        assert_eq!(books(&notes(MOST_ROWS + 1)), None);
        // A picture is told as its size, a long text as it is.
        let insert = |count: u8, value: &str| {
            let insert = |id: u8| format!("INSERT INTO notes VALUES ({id}, {value});");
            format!("{table}{}", (0..count).map(insert).collect::<String>())
        };
        assert!(books(&insert(10, "'a', zeroblob(900000)")).is_some());
        assert_eq!(books(&insert(10, "hex(zeroblob(450000)), NULL")), None);
        // A long name that many rows point to.
        let many = "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, note_id INTEGER REFERENCES \
                    notes); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE \
                    i < 1000) INSERT INTO visits SELECT i, 1 FROM n;";
        assert_eq!(books(&format!("{}{many}", insert(2, "hex(zeroblob(10000)), NULL"))), None);
    }

    #[test]
    fn a_row_tells_what_it_points_to_and_its_numbers() {
        let script = "CREATE TABLE houses (house_id INTEGER PRIMARY KEY, name TEXT, bought_on TEXT);\
                      CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY,\
                      house_id INTEGER REFERENCES houses, paid_on TEXT, amount NUMERIC);\
                      INSERT INTO houses VALUES (1, 'Elm Court', '2018-05-31');\
                      INSERT INTO repairs VALUES (7, 1, '2025-03-04', 120.5);";
        let database =
            Database::from_bytes("a.sql", script.as_bytes().to_vec(), QueryLimits::default());
        let books = books(Some(&database.unwrap()), None).unwrap();
        let repair = &books.records[1];
        assert_eq!(repair.text, "repairs; house: Elm Court; paid on: 2025-03-04");
        let cells = [("house", "Elm Court"), ("paid_on", "2025-03-04")];
        assert_eq!(repair.cells, cells.map(|(name, cell)| (name.to_owned(), cell.to_owned())));
        assert_eq!(repair.numbers, [("amount".to_owned(), 120.5)]);
        assert!(repair.is_row);
    }
}
