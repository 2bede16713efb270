//! The tables of a database as far as questions can be asked of them.

use serde_json::Value;

use super::wording::{name, words};
use crate::database::Database;

/// As many tables and columns as are looked at.
const MOST: usize = 60;
/// As many names as are known of the things in a table.
const MOST_NAMES: usize = 60;
/// The longest name of a thing, in letters.
const LONGEST_NAME: u64 = 48;
/// The most values of a column by which things are told apart.
const MOST_VALUES: u64 = 8;

/// What can be asked of a table.
pub(super) struct AskedTable {
    pub(super) name: String,
    /// The column by which one thing is told from all others, as a person would.
    pub(super) naming: Option<String>,
    /// The names of things, where there is such a column.
    pub(super) names: Vec<String>,
    /// Columns of numbers.
    pub(super) measures: Vec<String>,
    /// Columns with few values, and these.
    pub(super) categories: Vec<(String, Vec<String>)>,
    /// Columns of days, and the years that occur in them.
    pub(super) dates: Vec<(String, Vec<String>)>,
    pub(super) links: Vec<ForeignKey>,
}

/// A column that says which thing of another table belongs to one of this.
pub(super) struct ForeignKey {
    pub(super) column: String,
    /// The other table and its column.
    pub(super) table: String,
    pub(super) to: String,
}

struct ColumnFacts {
    name: String,
    is_key: bool,
    is_unique: bool,
    distinct: u64,
    content: ColumnContent,
    longest: u64,
}

/// What all cells of a column are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnContent {
    Numbers,
    Years,
    Texts,
    Days,
    Mixed,
}

/// The tables, in the order they were made. What cannot be read in time is left out.
pub(super) fn read(database: &Database) -> Vec<AskedTable> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
               AND sql IS NOT NULL ORDER BY rowid";
    let names = texts(database, sql);
    names.into_iter().take(MOST).filter_map(|name| read_table(database, name)).collect()
}

fn read_table(database: &Database, table: String) -> Option<AskedTable> {
    let quoted = name(&table);
    let rows = number(&cells(database, &format!("SELECT COUNT(*) FROM {quoted}"))?[0])?;
    // Of a single row nothing can be counted or compared.
    if rows < 2 {
        return None;
    }
    let links = links(database, &quoted);
    let columns = columns(database, &quoted, rows);
    let is_link = |column: &str| links.iter().any(|link| link.column == column);
    let naming = naming(&columns);
    let values = |sql: String| texts(database, &sql);
    let names = naming.as_ref().map(|column| {
        let column = name(column);
        values(format!("SELECT {column} FROM {quoted} ORDER BY {column} LIMIT {MOST_NAMES}"))
    });
    let measures = columns.iter().filter(|it| it.is_measure() && !is_link(&it.name));
    let few = |it: &&ColumnFacts| it.is_category(rows) && !is_link(&it.name);
    let categories = columns.iter().filter(few).map(|it| {
        let column = name(&it.name);
        let sql = format!("SELECT DISTINCT {column} FROM {quoted} WHERE {column} <> '' ORDER BY 1");
        (it.name.clone(), values(sql))
    });
    let dates = columns.iter().filter(|it| it.content == ColumnContent::Days).map(|it| {
        let column = name(&it.name);
        let sql =
            format!("SELECT DISTINCT substr({column}, 1, 4) FROM {quoted} ORDER BY 1 LIMIT 12");
        (it.name.clone(), values(sql))
    });
    Some(AskedTable {
        measures: measures.map(|it| it.name.clone()).collect(),
        categories: categories.collect(),
        dates: dates.collect(),
        names: names.unwrap_or_default(),
        naming,
        name: table,
        links,
    })
}

/// What the columns of a table hold.
fn columns(database: &Database, table: &str, rows: u64) -> Vec<ColumnFacts> {
    let Ok(described) = database.query(&format!("PRAGMA table_info({table})")) else {
        return Vec::new();
    };
    let at = |column: &str| described.columns.iter().position(|name| name == column);
    let (Some(naming), Some(key)) = (at("name"), at("pk")) else { return Vec::new() };
    let read = |row: &Vec<Value>| {
        let own = row.get(naming)?.as_str()?.to_owned();
        let column = name(&own);
        let sql = format!(
            "SELECT COUNT({column}), COUNT(DISTINCT {column}), \
             SUM(typeof({column}) IN ('integer', 'real')), SUM(typeof({column}) = 'text'), \
             SUM({column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'), \
             MAX(length({column})), \
             SUM(typeof({column}) = 'integer' AND {column} BETWEEN 1800 AND 2100) FROM {table}"
        );
        let cells = cells(database, &sql)?;
        let [all, distinct, numbers, texts, dates, longest, years] =
            cells.iter().map(number).collect::<Option<Vec<u64>>>()?.try_into().ok()?;
        if all == 0 {
            return None;
        }
        let is_id = own.eq_ignore_ascii_case("id") || own.to_ascii_lowercase().ends_with("_id");
        Some(ColumnFacts {
            is_key: number(row.get(key)?)? > 0 && numbers == all || is_id,
            is_unique: all == rows && distinct == rows,
            content: match all {
                _ if dates == all => ColumnContent::Days,
                _ if years == all => ColumnContent::Years,
                _ if numbers == all => ColumnContent::Numbers,
                _ if texts == all => ColumnContent::Texts,
                _ => ColumnContent::Mixed,
            },
            name: own,
            distinct,
            longest,
        })
    };
    described.rows.iter().take(MOST).filter_map(read).collect()
}

impl ColumnFacts {
    /// Whether its numbers measure something. Two values are a yes and a no, and years are dates.
    fn is_measure(&self) -> bool {
        const NAMES: [&str; 9] =
            ["year", "zip", "postal", "phone", "code", "latitude", "longitude", "number", "month"];
        let name = words(&self.name);
        self.content == ColumnContent::Numbers
            && self.distinct > 2
            && !self.is_key
            && !name.split(' ').any(|word| NAMES.contains(&word))
    }

    /// Whether it tells things apart by a few values.
    fn is_category(&self, rows: u64) -> bool {
        self.content == ColumnContent::Texts
            && (2..=MOST_VALUES).contains(&self.distinct)
            && self.distinct * 2 <= rows
            && self.longest <= LONGEST_NAME
    }
}

/// The column by which people call the things of a table.
fn naming(columns: &[ColumnFacts]) -> Option<String> {
    const USUAL: [&str; 6] = ["name", "title", "label", "unit", "street", "address"];
    let is_name = |it: &&ColumnFacts| {
        let is_text = it.content == ColumnContent::Texts;
        is_text && it.is_unique && !it.is_key && it.longest <= LONGEST_NAME
    };
    // The first usual word that a name holds decides; other columns come after all of these.
    let rank = |it: &&ColumnFacts| {
        let name = it.name.to_ascii_lowercase();
        USUAL.iter().position(|word| name.contains(word)).unwrap_or(USUAL.len())
    };
    columns.iter().filter(is_name).min_by_key(rank).map(|it| it.name.clone())
}

/// The columns that name things of other tables.
fn links(database: &Database, table: &str) -> Vec<ForeignKey> {
    let Ok(listed) = database.query(&format!("PRAGMA foreign_key_list({table})")) else {
        return Vec::new();
    };
    let text = |row: &Vec<Value>, column: &str| {
        let at = listed.columns.iter().position(|name| name == column)?;
        row.get(at)?.as_str().map(str::to_owned)
    };
    let read = |row: &Vec<Value>| {
        let (column, other) = (text(row, "from")?, text(row, "table")?);
        // Without a column it is the key of the other table that is meant.
        let to = text(row, "to").or_else(|| key_of(database, &other))?;
        Some(ForeignKey { column, table: other, to })
    };
    listed.rows.iter().filter_map(read).collect()
}

fn key_of(database: &Database, table: &str) -> Option<String> {
    let described = database.query(&format!("PRAGMA table_info({})", name(table))).ok()?;
    let at = |column: &str| described.columns.iter().position(|name| name == column);
    let (naming, key) = (at("name")?, at("pk")?);
    let row = described.rows.iter().find(|row| row.get(key).and_then(number) == Some(1))?;
    row.get(naming)?.as_str().map(str::to_owned)
}

/// The cells of the first row.
fn cells(database: &Database, sql: &str) -> Option<Vec<Value>> {
    database.query(sql).ok()?.rows.into_iter().next().filter(|row| !row.is_empty())
}

/// The texts of the first column.
fn texts(database: &Database, sql: &str) -> Vec<String> {
    let rows = database.query(sql).map(|found| found.rows).unwrap_or_default();
    let first = |row: Vec<Value>| row.into_iter().next()?.as_str().map(str::to_owned);
    rows.into_iter().filter_map(first).collect()
}

/// A count; none where nothing was counted.
fn number(value: &Value) -> Option<u64> {
    if value.is_null() { Some(0) } else { value.as_u64() }
}
