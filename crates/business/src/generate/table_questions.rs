//! What can be asked of tables.

use super::candidate::{Candidate, CandidateProof, CellForm};
use super::table::{AskedTable, ForeignKey};
use super::wording::{date_words, name, plural, singular, text, with_article, words};

/// Names that nothing should have, to ask for what is not there.
const ABSENT: [&str; 4] = ["Quillfeather 97", "Zanthorpe Annex", "Umberwick 3", "Yarrowgate North"];

/// Every question that may be asked of these tables.
pub(super) fn candidates(tables: &[AskedTable]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for table in tables {
        counts(table, &mut found);
        measures(table, &mut found);
        lookups(table, &mut found);
        extremes(table, &mut found);
        for link in &table.links {
            if let Some(other) = tables.iter().find(|other| other.name == link.table) {
                belonging(table, link, other, &mut found);
            }
        }
    }
    found
}

/// A question of a table whose answer is the one cell that a query finds.
fn asked(
    kind: &'static str,
    table: &AskedTable,
    (say, reference): (String, String),
    (sql, form): (String, CellForm),
) -> Candidate {
    let category = words(&table.name);
    let name = format!("{kind} {}", say.trim_end_matches('?'));
    Candidate { kind, category, name, say, reference, proof: CandidateProof::Query { sql, form } }
}

fn counts(table: &AskedTable, found: &mut Vec<Candidate>) {
    let (from, things) = (name(&table.name), plural(&table.name));
    let say = format!("How many {things} are there?");
    let reference = format!("There are {{}} {things}.");
    let sql = format!("SELECT COUNT(*) FROM {from}");
    found.push(asked("count", table, (say, reference), (sql, CellForm::Number)));
    for (column, values) in &table.categories {
        for value in values {
            let label = words(column);
            let say = format!("How many {things} have the {label} {value}?");
            let reference = format!("{{}} {things} have the {label} {value}.");
            let sql =
                format!("SELECT COUNT(*) FROM {from} WHERE {} = {}", name(column), text(value));
            found.push(asked("count-by", table, (say, reference), (sql, CellForm::Number)));
        }
    }
    for (column, years) in &table.dates {
        for year in years {
            let label = with_article(&date_words(column));
            let say = format!("How many {things} have {label} in {year}?");
            let reference = format!("{{}} {things} have {label} in {year}.");
            let sql = format!(
                "SELECT COUNT(*) FROM {from} WHERE {} LIKE {}",
                name(column),
                text(&format!("{year}-%"))
            );
            found.push(asked("count-year", table, (say, reference), (sql, CellForm::Number)));
        }
    }
}

/// Whether numbers of a column add up to something.
fn adds_up(column: &str) -> bool {
    const RATES: [&str; 9] =
        ["rate", "percent", "pct", "ratio", "share", "age", "score", "rank", "level"];
    !words(column).split(' ').any(|word| RATES.contains(&word))
}

fn measures(table: &AskedTable, found: &mut Vec<Candidate>) {
    let (from, things) = (name(&table.name), plural(&table.name));
    for column in &table.measures {
        let (label, own) = (words(column), name(column));
        if adds_up(column) {
            let say = format!("What is the total {label} of all {things}?");
            let reference = format!("The total {label} of all {things} is {{}}.");
            let sql = format!("SELECT ROUND(SUM({own}), 2) FROM {from}");
            found.push(asked("sum", table, (say, reference), (sql, CellForm::Number)));
        }
        let say = format!("What is the average {label} of the {things}, to two decimals?");
        let reference = format!("The average {label} of the {things} is {{}}.");
        let sql = format!("SELECT ROUND(AVG({own}), 2) FROM {from}");
        found.push(asked("average", table, (say, reference), (sql, CellForm::Mean)));
    }
}

fn lookups(table: &AskedTable, found: &mut Vec<Candidate>) {
    let Some(naming) = &table.naming else { return };
    let (from, naming, thing) = (name(&table.name), name(naming), singular(&table.name));
    let measures = table.measures.iter().map(|column| (column, CellForm::Number));
    let dates = table.dates.iter().map(|(column, _)| (column, CellForm::Date));
    let categories =
        table.categories.iter().map(|(column, values)| (column, CellForm::Name(values.clone())));
    let columns: Vec<(&String, CellForm)> = measures.chain(dates).chain(categories).collect();
    for (column, form) in columns {
        let label = match form {
            CellForm::Date => date_words(column),
            _ => words(column),
        };
        for one in &table.names {
            let say = format!("What is the {label} of the {thing} {one}?");
            let reference = format!("The {label} of the {thing} {one} is {{}}.");
            let sql = format!("SELECT {} FROM {from} WHERE {naming} = {}", name(column), text(one));
            found.push(asked("lookup", table, (say, reference), (sql, form.clone())));
        }
        for absent in ABSENT {
            let sql = format!("SELECT 1 FROM {from} WHERE {naming} = {}", text(absent));
            let say = format!("What is the {label} of the {thing} {absent}?");
            found.push(Candidate {
                kind: "unanswerable",
                category: words(&table.name),
                name: format!("unanswerable {say}"),
                say,
                reference: format!("There is no {thing} {absent} on record."),
                proof: CandidateProof::Absent { sql },
            });
        }
    }
}

fn extremes(table: &AskedTable, found: &mut Vec<Candidate>) {
    let Some(naming) = &table.naming else { return };
    let (from, naming, thing) = (name(&table.name), name(naming), singular(&table.name));
    let numbers = table.measures.iter().map(|it| (it, words(it), ["highest", "lowest"]));
    let dates = table.dates.iter().map(|(it, _)| (it, date_words(it), ["latest", "earliest"]));
    for (column, label, [most, least]) in numbers.chain(dates) {
        let own = name(column);
        for (word, function) in [(most, "MAX"), (least, "MIN")] {
            let say = format!("Which {thing} has the {word} {label}?");
            let reference = format!("{{}} has the {word} {label}.");
            // Where two share the first place, two rows are found, and nothing is asked.
            let sql = format!(
                "SELECT {naming} FROM {from} WHERE {own} = (SELECT {function}({own}) FROM {from})"
            );
            let form = CellForm::Name(table.names.clone());
            found.push(asked("extreme", table, (say, reference), (sql, form)));
        }
    }
}

/// What belongs to what.
fn belonging(
    table: &AskedTable,
    link: &ForeignKey,
    other: &AskedTable,
    found: &mut Vec<Candidate>,
) {
    let Some(other_naming) = &other.naming else { return };
    let (things, thing) = (plural(&table.name), singular(&other.name));
    let joined = format!(
        "FROM {} AS a JOIN {} AS b ON a.{} = b.{}",
        name(&table.name),
        name(&other.name),
        name(&link.column),
        name(&link.to)
    );
    for one in &other.names {
        let of = format!("b.{} = {}", name(other_naming), text(one));
        let say = format!("How many {things} belong to the {thing} {one}?");
        let reference = format!("{{}} {things} belong to the {thing} {one}.");
        let sql = format!("SELECT COUNT(*) {joined} WHERE {of}");
        found.push(asked("join-count", table, (say, reference), (sql, CellForm::Number)));
        for column in table.measures.iter().filter(|column| adds_up(column)) {
            let label = words(column);
            let say = format!("What is the total {label} of the {things} of the {thing} {one}?");
            let reference = format!("The total {label} of the {things} of {one} is {{}}.");
            let sql = format!("SELECT ROUND(SUM(a.{}), 2) {joined} WHERE {of}", name(column));
            found.push(asked("join-sum", table, (say, reference), (sql, CellForm::Number)));
        }
    }
    let Some(naming) = &table.naming else { return };
    for one in &table.names {
        let own = singular(&table.name);
        let say = format!("Which {thing} does the {own} {one} belong to?");
        let reference = format!("The {own} {one} belongs to {{}}.");
        let sql = format!(
            "SELECT b.{} {joined} WHERE a.{} = {}",
            name(other_naming),
            name(naming),
            text(one)
        );
        let form = CellForm::Name(other.names.clone());
        found.push(asked("join-lookup", table, (say, reference), (sql, form)));
    }
}
