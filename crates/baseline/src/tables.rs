//! The tables of a database, as far as a tool's description shows them in SQL.

use super::words::identifier_stems;

/// One table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SchemaTable {
    pub(super) name: String,
    /// The stems of its name's words.
    pub(super) stems: Vec<String>,
    /// Its columns, in order.
    pub(super) columns: Vec<TableColumn>,
}

/// One column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableColumn {
    pub(super) name: String,
    /// The stems of its name's words.
    pub(super) stems: Vec<String>,
    /// What stands in it.
    pub(super) kind: ColumnKind,
    /// Whether it is the table's key.
    pub(super) key: bool,
    /// The table its values are keys of.
    pub(super) refers: Option<String>,
    /// Values that its definition or the comment on it names.
    pub(super) values: Vec<String>,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Words.
    #[default]
    Text,
    /// A quantity.
    Number,
    /// A day, a month or a year.
    Date,
}

impl SchemaTable {
    /// The column that says what a row is called.
    pub(super) fn naming(&self) -> Option<&TableColumn> {
        let named = |column: &&TableColumn| column.stems.iter().any(|stem| stem == "name");
        let text =
            |column: &&TableColumn| column.kind == ColumnKind::Text && column.refers.is_none();
        self.columns.iter().filter(text).find(named)
    }

    /// The column that is its key.
    pub(super) fn key(&self) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.key)
    }
}

/// The tables that a text creates; none where it holds no SQL.
pub(super) fn tables(text: &str) -> Vec<SchemaTable> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = lower[from..].find("create table ") {
        let start = from + at + "create table ".len();
        let Some(open) = text[start..].find('(') else { break };
        let head = text[start..start + open].split("--").next().unwrap_or_default();
        // The last word, since `IF NOT EXISTS` may stand before the name.
        let name = bare(head.split_whitespace().last().unwrap_or_default());
        let (pieces, length) = pieces(&text[start + open + 1..]);
        let mut table =
            SchemaTable { stems: identifier_stems(&name), name, ..SchemaTable::default() };
        for piece in &pieces {
            add(&mut table, piece);
        }
        if !table.columns.is_empty() {
            found.push(table);
        }
        from = start + open + 1 + length;
    }
    found
}

/// One definition between commas, with the comments that belong to it.
#[derive(Debug, Default)]
struct ColumnDefinition {
    code: String,
    comment: String,
}

/// The definitions up to the closing parenthesis, and how long they are.
fn pieces(text: &str) -> (Vec<ColumnDefinition>, usize) {
    let mut pieces = vec![ColumnDefinition::default()];
    let (mut depth, mut at, mut same_line) = (0_usize, 0, false);
    while let Some(next) = text[at..].chars().next() {
        if text[at..].starts_with("--") {
            let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
            // A comment behind the comma belongs to what stands before it on the line.
            let fresh = pieces.last().is_none_or(|piece| piece.code.trim().is_empty());
            let back = usize::from(fresh && same_line && pieces.len() > 1);
            let owner = pieces.len() - 1 - back;
            pieces[owner].comment.push_str(text[at + 2..end].trim());
            pieces[owner].comment.push(' ');
            at = end;
            continue;
        }
        let length = next.len_utf8();
        match next {
            '\'' => {
                let end = text[at + 1..].find('\'').map_or(text.len(), |length| at + length + 2);
                push(&mut pieces, &text[at..end]);
                at = end;
                continue;
            }
            ')' if depth == 0 => return (pieces, at + length),
            '(' => depth += 1,
            ')' => depth -= 1,
            '\n' => same_line = false,
            _ => {}
        }
        if next == ',' && depth == 0 {
            pieces.push(ColumnDefinition::default());
            same_line = true;
        } else {
            push(&mut pieces, &text[at..at + length]);
        }
        at += length;
    }
    (pieces, at)
}

fn push(pieces: &mut [ColumnDefinition], text: &str) {
    if let Some(last) = pieces.last_mut() {
        last.code.push_str(text);
    }
}

/// Adds what a definition says to a table.
fn add(table: &mut SchemaTable, piece: &ColumnDefinition) {
    let spaced = piece.code.replace(['(', ')'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let upper: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
    let refers = upper.iter().position(|word| word == "REFERENCES");
    let refers = refers.and_then(|at| words.get(at + 1)).map(|name| bare(name));
    match upper.first().map(String::as_str) {
        Some("FOREIGN") => {
            let name = words.get(2).map(|name| bare(name)).unwrap_or_default();
            let column = table.columns.iter_mut().find(|column| column.name == name);
            if let Some(column) = column {
                column.refers = refers;
            }
        }
        None | Some("PRIMARY" | "UNIQUE" | "CHECK" | "CONSTRAINT") => {}
        Some(_) => {
            let name = bare(words[0]);
            let stems = identifier_stems(&name);
            let kind = kind(&name, upper.get(1).map_or("", String::as_str));
            let key = upper.windows(2).any(|pair| pair == ["PRIMARY", "KEY"]);
            let values = values(piece);
            table.columns.push(TableColumn { name, stems, kind, key, refers, values });
        }
    }
}

fn kind(name: &str, declared: &str) -> ColumnKind {
    let name = name.to_lowercase();
    let dated = ["date", "_on", "_at", "month", "year"].iter().any(|end| name.ends_with(end));
    let number = ["INT", "REAL", "NUM", "DEC", "FLOA", "DOUB", "MONEY"];
    match declared {
        _ if dated => ColumnKind::Date,
        kind if number.iter().any(|start| kind.starts_with(start)) => ColumnKind::Number,
        _ => ColumnKind::Text,
    }
}

/// The values that a definition allows, or that the comment on it lists.
fn values(piece: &ColumnDefinition) -> Vec<String> {
    let quoted = piece.code.split('\'').skip(1).step_by(2);
    let listed = piece.comment.split([',', ';']).map(str::trim);
    let listed: Vec<&str> = listed.filter(|item| item.split(' ').count() <= 3).collect();
    let listed = if listed.len() > 1 { listed } else { Vec::new() };
    let values = quoted.chain(listed).filter(|value| !value.is_empty());
    values.map(str::to_owned).collect()
}

/// A name without the quotes it may be written in.
fn bare(name: &str) -> String {
    name.trim_matches(['"', '`', '[', ']', ',', ';']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str = "The tables:\nCREATE TABLE homes (  -- what we own\n  home_id INTEGER PRIMARY \
                       KEY,\n  \"name\" TEXT NOT NULL,  -- as people say it\n  price NUMERIC\n);\n\
                       CREATE TABLE IF NOT EXISTS bills (\n  bill_id INTEGER PRIMARY KEY,\n  home_id \
                       INTEGER REFERENCES homes,\n  due_on TEXT, -- a day\n  -- rent, late fee,\n  \
                       -- repairs\n  kind TEXT NOT NULL,\n  state TEXT CHECK (state IN ('open', \
                       'paid')),\n  UNIQUE (home_id, due_on)\n);";

    #[test]
    fn tables_are_read_from_a_description() {
        let [homes, bills] = tables(SQL).try_into().unwrap();
        let columns = |table: &SchemaTable| -> Vec<(String, ColumnKind)> {
            table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect()
        };
        assert_eq!(homes.name, "homes");
        assert_eq!(homes.naming().unwrap().name, "name");
        assert_eq!(homes.key().unwrap().name, "home_id");
        assert_eq!(
            columns(&bills),
            [
                ("bill_id".into(), ColumnKind::Number),
                ("home_id".into(), ColumnKind::Number),
                ("due_on".into(), ColumnKind::Date),
                ("kind".into(), ColumnKind::Text),
                ("state".into(), ColumnKind::Text),
            ]
        );
        assert_eq!(bills.columns[1].refers.as_deref(), Some("homes"));
        assert_eq!(bills.columns[3].values, ["rent", "late fee", "repairs"]);
        assert_eq!(bills.columns[4].values, ["open", "paid"]);
    }

    #[test]
    fn text_that_is_no_sql_has_no_tables() {
        assert_eq!(tables("Finds a table for two and creates table plans"), []);
        assert_eq!(
            tables("CREATE TABLE cut (a INT, b TEX"),
            tables("create table cut (a INT, b TEX)")
        );
        assert_eq!(tables("CREATE TABLE "), []);
    }
}
