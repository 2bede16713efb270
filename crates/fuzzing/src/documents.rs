//! Documents and databases.

use std::sync::LazyLock;
use std::time::Duration;

use toolgauge_business::{BusinessDocument, Database, DocumentKind, Documents, QueryLimits};

use crate::text;

/// Less than usual, so that a fuzzer does not wait.
const LIMITS: QueryLimits =
    QueryLimits { time: Duration::from_millis(300), rows: 20, bytes: 4_000, today: None };

fn read(kind: DocumentKind, input: &[u8]) {
    let Ok(document) = BusinessDocument::read("folder/name.x", kind, input) else { return };
    assert!(!document.text.trim().is_empty(), "a document without text is refused");
    assert!(document.first_line().chars().count() <= 120);
    assert!(!document.passages.is_empty(), "what has text has a passage");
}

pub(crate) fn pdf(input: &[u8]) {
    read(DocumentKind::Pdf, input);
}

pub(crate) fn html(input: &[u8]) {
    read(DocumentKind::Html, input);
}

pub(crate) fn markdown(input: &[u8]) {
    read(DocumentKind::Markdown, input);
    read(DocumentKind::Text, input);
}

/// A table that is found by its words.
pub(crate) fn csv(input: &[u8]) {
    read(DocumentKind::Csv, input);
    if let Ok(found) = Documents::from_files("f", [("a.csv".to_owned(), input.to_vec())]) {
        let words = text(input).split([',', '\n']).next().unwrap_or_default();
        let _ = found.search(words, None, 3);
    }
}

pub(crate) fn database(input: &[u8]) {
    let Ok(database) = Database::from_bytes("a.sqlite", input.to_vec(), LIMITS) else { return };
    assert!(!database.schema().is_empty());
    let _ = database.query("SELECT * FROM t");
    let _ = database.query("SELECT name, sql FROM sqlite_schema");
}

pub(crate) fn sql_script(input: &[u8]) {
    if let Ok(database) = Database::from_bytes("a.sql", input.to_vec(), LIMITS) {
        assert!(!database.schema().is_empty());
    }
}

static BOOKS: LazyLock<Database> = LazyLock::new(|| {
    let script = b"CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, amount REAL);
        INSERT INTO t VALUES (1, 'rent', 1200.5), (2, 'water', 80);";
    Database::from_bytes("a.sql", script.to_vec(), LIMITS).expect("the script is right")
});

/// A query changes nothing, whatever it is.
pub(crate) fn sql(input: &[u8]) {
    if let Ok(rows) = BOOKS.query(text(input)) {
        assert!(rows.rows.len() <= LIMITS.rows);
    }
    let count = BOOKS.query("SELECT count(*), sum(amount) FROM t").map(|rows| rows.to_json());
    assert!(count.is_ok_and(|json| json.contains("1280.5")), "the table is as it was");
}
