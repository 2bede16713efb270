//! A simple query for a question: the table that sounds most like it, with what it names as
//! filters.

use std::collections::BTreeSet;

use toolgauge_core::english::MONTHS;

use super::tables::{ColumnKind, SchemaTable, TableColumn};
use super::words::{RequestWord, stem, stems, words};

/// How much a word counts by where it stands in a table.
const TABLE_WEIGHT: f64 = 2.0;
const COLUMN_WEIGHT: f64 = 1.0;
const VALUE_WEIGHT: f64 = 0.7;

/// The share of a question's words that the table must know for a query to be made, unless the
/// table itself is named.
const LEAST_KNOWN: f64 = 0.3;

/// How many rows are asked for.
const ROWS: usize = 10;

/// How many tables are joined at most.
const MOST_JOINED: usize = 6;

/// Words that ask for a figure, by what is made of it.
const FIGURES: [(&[&str], &str); 3] = [
    (
        &["total", "altogether", "sum", "overall", "combined", "spend", "spent", "collect", "earn"],
        "SUM",
    ),
    (&["average", "mean", "typical"], "AVG"),
    (&["count", "number"], "COUNT"),
];

/// Words that ask for one end of an order.
const HIGHEST: &[&str] =
    &["highest", "most", "largest", "biggest", "maximum", "latest", "newest", "longest"];
const LOWEST: &[&str] =
    &["lowest", "least", "smallest", "cheapest", "minimum", "earliest", "oldest", "shortest"];

/// A question taken apart for a query.
struct QueryRequest {
    words: Vec<RequestWord>,
    /// The stems that say something, names and dates apart.
    stems: BTreeSet<String>,
    /// What is called by its name.
    names: Vec<String>,
    /// A year, or a year and a month, as dates begin.
    date: Option<String>,
}

/// A query for a question, if one of the tables is about it.
pub(super) fn query(tables: &[SchemaTable], question: &str) -> Option<String> {
    let asked = QueryRequest::new(question);
    let scored = tables.iter().map(|table| (score(tables, table, &asked), table));
    let ((score, named, known), table) =
        scored.fold(None, |best: Option<((f64, bool, f64), &SchemaTable)>, next| match best {
            Some(best) if best.0.0 >= next.0.0 => Some(best),
            _ => Some(next),
        })?;
    (score > 0.0 && (named || known >= LEAST_KNOWN)).then(|| write(tables, table, &asked))
}

impl QueryRequest {
    fn new(question: &str) -> Self {
        let words = words(question);
        let (mut names, mut spoken_for) = (Vec::new(), vec![false; words.len()]);
        let month = words.iter().position(|word| MONTHS.contains(&word.text.as_str()));
        let is_year = |word: &RequestWord| {
            word.text.len() == 4
                && (word.text.starts_with("19") || word.text.starts_with("20"))
                && word.text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let year = words.iter().position(is_year);
        for at in month.iter().chain(&year) {
            spoken_for[*at] = true;
        }
        let date = year.map(|at| match month {
            Some(month) => {
                let number = MONTHS.iter().position(|name| *name == words[month].text);
                format!("{}-{:02}", words[at].text, number.unwrap_or(0) + 1)
            }
            None => words[at].text.clone(),
        });
        // The first word of a question has a capital and is no name.
        let mut at = 1;
        while at < words.len() {
            let mut end = at;
            while end < words.len() && words[end].capital && !spoken_for[end] {
                end += 1;
            }
            if end > at {
                names.push(question[words[at].start..words[end - 1].end].to_owned());
                spoken_for[at..end].fill(true);
            }
            at = end.max(at) + 1;
        }
        let free = words.iter().zip(&spoken_for).filter(|(word, taken)| !word.stop && !**taken);
        let stems = free.map(|(word, _)| word.stem.clone()).collect();
        Self { words, stems, names, date }
    }

    fn says(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(&word.text.as_str()))
    }

    fn says_in_a_row(&self, list: &[&str]) -> bool {
        self.words.windows(list.len()).any(|run| run.iter().zip(list).all(|(w, l)| w.text == *l))
    }

    fn figure(&self) -> Option<&'static str> {
        if self.says_in_a_row(&["how", "many"]) {
            return Some("COUNT");
        }
        let asked = FIGURES.iter().find(|(list, _)| self.says(list)).map(|(_, figure)| *figure);
        let paid = self.says_in_a_row(&["how", "much"])
            && self.says(&["did", "pay", "paid", "receive", "received"]);
        asked.or(paid.then_some("SUM"))
    }
}

/// How well a table fits, whether it is named, and which share of the words it knows.
#[expect(clippy::cast_precision_loss, reason = "questions and schemas are short")]
fn score(tables: &[SchemaTable], table: &SchemaTable, asked: &QueryRequest) -> (f64, bool, f64) {
    let (mut score, mut named, mut known) = (0.0, false, 0);
    for stem in &asked.stems {
        let weight = weight(table, stem);
        let having = tables.iter().filter(|table| self::weight(table, stem) > 0.0).count();
        let rarity = (1.0 + tables.len() as f64 / having.max(1) as f64).ln();
        score += weight * rarity;
        named |= weight >= TABLE_WEIGHT;
        known += usize::from(weight > 0.0);
    }
    (score, named, known as f64 / asked.stems.len().max(1) as f64)
}

fn weight(table: &SchemaTable, stem: &str) -> f64 {
    let has = |stems: &[String]| stems.iter().any(|own| own == stem);
    let own = |column: &&TableColumn| !column.key && column.refers.is_none();
    let mut columns = table.columns.iter().filter(own);
    let in_values = |column: &TableColumn| column.values.iter().any(|value| has(&stems(value)));
    if has(&table.stems) {
        TABLE_WEIGHT
    } else if columns.clone().any(|column| has(&column.stems)) {
        COLUMN_WEIGHT
    } else if columns.any(in_values) {
        VALUE_WEIGHT
    } else {
        0.0
    }
}

/// A table and those it refers to, with how each is joined.
fn joined<'t>(tables: &'t [SchemaTable], table: &'t SchemaTable) -> Vec<(&'t SchemaTable, String)> {
    let mut found: Vec<(&SchemaTable, String)> = vec![(table, quoted(&table.name))];
    let mut at = 0;
    while at < found.len() && found.len() < MOST_JOINED {
        let from = found[at].0;
        for column in &from.columns {
            let Some(refers) = &column.refers else { continue };
            let target = tables.iter().find(|table| table.name.eq_ignore_ascii_case(refers));
            let Some((target, key)) = target.and_then(|target| Some((target, target.key()?)))
            else {
                continue;
            };
            if found.iter().all(|(known, _)| known.name != target.name) {
                let (one, other) = (place(from, column), place(target, key));
                found.push((
                    target,
                    format!(" LEFT JOIN {} ON {one} = {other}", quoted(&target.name)),
                ));
            }
        }
        at += 1;
    }
    found
}

fn write(tables: &[SchemaTable], table: &SchemaTable, asked: &QueryRequest) -> String {
    let all = joined(tables, table);
    // Other tables are only searched for names; without one a join would just cost columns.
    let joins = if asked.names.is_empty() { &all[..1] } else { &all };
    let mut filters: Vec<String> = Vec::new();
    for name in &asked.names {
        let text = |(table, _): &(&SchemaTable, String)| -> Vec<String> {
            let columns = table.columns.iter().filter(|column| column.kind == ColumnKind::Text);
            columns.map(|column| like(&place(table, column), &format!("%{name}%"))).collect()
        };
        filters.push(format!("({})", joins.iter().flat_map(text).collect::<Vec<_>>().join(" OR ")));
    }
    filters.retain(|filter| filter != "()");
    let valued = table.columns.iter().filter_map(|column| Some((column, value(column, asked)?)));
    filters.extend(
        valued.map(|(column, value)| format!("{} = {}", place(table, column), text(value))),
    );
    if let (Some(date), Some(column)) = (&asked.date, best(table, asked, ColumnKind::Date)) {
        filters.push(like(&place(table, column), &format!("{date}%")));
    }
    let from: String = joins.iter().map(|(_, join)| join.as_str()).collect();
    let filters = if filters.is_empty() {
        String::new()
    } else {
        format!(" WHERE {}", filters.join(" AND "))
    };
    let (selected, order) = selection(table, joins, asked);
    format!("SELECT {selected} FROM {from}{filters}{order}")
}

/// What is asked for, and in which order.
fn selection(
    table: &SchemaTable,
    joins: &[(&SchemaTable, String)],
    asked: &QueryRequest,
) -> (String, String) {
    let number = best(table, asked, ColumnKind::Number);
    match (asked.figure(), number) {
        (Some("COUNT"), _) | (Some(_), None) => return ("COUNT(*)".to_owned(), String::new()),
        (Some(figure), Some(column)) => {
            return (format!("{figure}({})", place(table, column)), String::new());
        }
        (None, _) => {}
    }
    let names = joins[1..].iter().filter_map(|(table, _)| Some(place(table, table.naming()?)));
    let own = format!("{}.*", quoted(&table.name));
    let selected: Vec<String> = names.chain([own]).collect();
    let direction = match (asked.says(HIGHEST), asked.says(LOWEST)) {
        (true, _) => Some("DESC"),
        (false, true) => Some("ASC"),
        (false, false) => None,
    };
    let order = match (direction, number.or_else(|| best(table, asked, ColumnKind::Date))) {
        (Some(direction), Some(column)) => {
            format!(" ORDER BY {} {direction} LIMIT 1", place(table, column))
        }
        _ => format!(" LIMIT {ROWS}"),
    };
    (selected.join(", "), order)
}

/// The column of a kind that the question names, else the first one.
fn best<'t>(
    table: &'t SchemaTable,
    asked: &QueryRequest,
    kind: ColumnKind,
) -> Option<&'t TableColumn> {
    let fits =
        |column: &&TableColumn| column.kind == kind && !column.key && column.refers.is_none();
    let said =
        |column: &TableColumn| column.stems.iter().filter(|s| asked.stems.contains(*s)).count();
    let columns = table.columns.iter().filter(fits);
    let amount =
        |column: &TableColumn| usize::from(column.stems.iter().any(|s| *s == stem("amount")));
    // Reversed, because of equal ones the last is taken, and the first column should win.
    columns.rev().max_by_key(|column| (said(column), amount(column)))
}

/// The value of a column that the question says in full, the longest one.
fn value<'t>(column: &'t TableColumn, asked: &QueryRequest) -> Option<&'t str> {
    let said = |value: &&String| {
        let stems = stems(value);
        !stems.is_empty() && stems.iter().all(|stem| asked.stems.contains(stem))
    };
    let values = column.values.iter().filter(said);
    values.max_by_key(|value| value.len()).map(String::as_str)
}

fn like(place: &str, pattern: &str) -> String {
    format!("{place} LIKE {}", text(pattern))
}

fn place(table: &SchemaTable, column: &TableColumn) -> String {
    format!("{}.{}", quoted(&table.name), quoted(&column.name))
}

fn quoted(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::super::tables::tables;
    use super::*;

    const SCHEMA: &str = "CREATE TABLE homes (home_id INTEGER PRIMARY KEY, name TEXT, city TEXT, price \
                          NUMERIC, built_year INTEGER);\nCREATE TABLE rooms (room_id INTEGER PRIMARY KEY, \
                          home_id INTEGER REFERENCES homes, floor_name TEXT);\nCREATE TABLE payments (\n  \
                          payment_id INTEGER PRIMARY KEY,\n  home_id INTEGER REFERENCES homes,\n  paid_on \
                          TEXT,\n  category TEXT, -- repairs, late fee, rent\n  amount NUMERIC\n);";

    fn asked(question: &str) -> String {
        query(&tables(SCHEMA), question).unwrap_or_else(|| "nothing".to_owned())
    }

    #[test]
    fn questions_become_queries() {
        for (question, sql) in [
            ("How many homes do we own?", "SELECT COUNT(*) FROM homes"),
            ("What is the average price of a home?", "SELECT AVG(homes.price) FROM homes"),
            (
                "How much did we spend on repairs in March 2025?",
                "SELECT SUM(payments.amount) FROM payments WHERE payments.category = 'repairs' AND \
                 payments.paid_on LIKE '2025-03%'",
            ),
            (
                "Which home has the highest price?",
                "SELECT homes.* FROM homes ORDER BY homes.price DESC LIMIT 1",
            ),
            (
                "List the rooms of Maple O'Hara House",
                "SELECT homes.name, rooms.* FROM rooms LEFT JOIN homes ON rooms.home_id = \
                 homes.home_id WHERE (rooms.floor_name LIKE '%Maple O''Hara House%' OR homes.name LIKE \
                 '%Maple O''Hara House%' OR homes.city LIKE '%Maple O''Hara House%') LIMIT 10",
            ),
        ] {
            assert_eq!(asked(question), sql, "{question}");
        }
    }

    #[test]
    fn what_no_table_is_about_is_not_asked() {
        assert_eq!(asked("Who won the match yesterday?"), "nothing");
        assert_eq!(asked(""), "nothing");
    }
}
