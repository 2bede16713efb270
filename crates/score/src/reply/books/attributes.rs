//! What a row says of its thing, told of another thing: the bank of one account for that of another.

use std::collections::HashMap;

use toolgauge_core::{BookRecord, Cause, Loss, WorldThing};

use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::words::phrase_at;
use crate::reply::{Reply, loss};

/// How many rows a table has at most whose rows are things: accounts, members, leases. Of many
/// payments any two things may have something in common.
const MOST_ROWS: usize = 200;

/// Words of a clause that sets one thing beside another.
const BESIDE: [&str; 14] = [
    "than",
    "unlike",
    "except",
    "besides",
    "followed",
    "ahead",
    "behind",
    "versus",
    "not",
    "respectively",
    "and",
    "or",
    "next",
    "other",
];

/// A cell with its words.
struct Cell<'a> {
    column: &'a str,
    words: Vec<String>,
}

impl Reply {
    /// `The reserve is at Fenwick Bank`, where it is at another bank by its row.
    pub(super) fn attribute_of_another(&self, context: &Context<'_>) -> Option<Loss> {
        let mut tables: HashMap<&str, Vec<Vec<Cell<'_>>>> = HashMap::new();
        for row in context.rows() {
            tables.entry(&row.source).or_default().push(cells(row));
        }
        tables.retain(|_, rows| rows.len() <= MOST_ROWS);
        let figures = self.numbers();
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let texts = self.texts_of(clause);
            // A list has a figure for each of its things.
            let is_list =
                figures.iter().filter(|said| clause.place.contains(&said.place.start)).nth(2);
            !texts.iter().any(|word| BESIDE.contains(word))
                && is_list.is_none()
                && tables.values().any(|rows| self.mixes_rows(clause, rows, context))
        })?;
        Some(loss(Cause::WrongAnswer, "what its row says", self.quote(clause)))
    }

    /// Whether a clause names the value of one row and the thing of another, and no row has both.
    fn mixes_rows(&self, clause: &Clause, rows: &[Vec<Cell<'_>>], context: &Context<'_>) -> bool {
        let texts = self.texts_of(clause);
        let says = |words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            phrase_at(&texts, &words)
        };
        let asked =
            |words: &[String]| context.question.windows(words.len()).any(|window| window == words);
        let told = |words: &[String]| {
            let reference = context.reference();
            reference.is_some_and(|reference| !reference.places_of(words).is_empty())
        };
        // A name of several words that nobody gave.
        let is_new_name = |cell: &&Cell<'_>| {
            cell.words.len() > 1
                && says(&cell.words).is_some_and(|at| self.is_capital(clause.words.start + at))
                && !asked(&cell.words)
                && !told(&cell.words)
        };
        let by_pronoun = texts.iter().take(3).any(|word| {
            matches!(*word, "he" | "she" | "it" | "its" | "his" | "her" | "coming" | "at" | "from")
        });
        rows.iter().flatten().filter(is_new_name).any(|value| {
            let has_value = |row: &&Vec<Cell<'_>>| row.iter().any(|cell| cell.words == value.words);
            let is_thing = |cell: &&Cell<'_>| {
                cell.column != value.column
                    && identifies(cell, rows)
                    && !cell.words.iter().any(|word| value.words.contains(word))
            };
            let things = rows.iter().flatten().filter(is_thing);
            let named: Vec<&Cell<'_>> =
                things.clone().filter(|c| says(&c.words).is_some()).collect();
            let meant = if named.is_empty() && by_pronoun {
                things.filter(|cell| cell.words.len() > 1 && asked(&cell.words)).collect()
            } else {
                named
            };
            let is_of = |thing: &&Cell<'_>| {
                let mut own = rows.iter().filter(has_value);
                own.any(|row| row.iter().any(|cell| cell.words == thing.words))
            };
            !meant.is_empty() && !meant.iter().any(is_of)
        })
    }
}

/// Whether a cell tells one thing from the others: nothing else in its column is called so, or it is
/// a name of several words of which the table has few rows.
fn identifies(cell: &Cell<'_>, rows: &[Vec<Cell<'_>>]) -> bool {
    const FEW: usize = 3;
    let of_column = rows
        .iter()
        .filter(|row| row.iter().any(|own| own.column == cell.column && own.words == cell.words));
    let count = of_column.count();
    let is_long = cell.words.iter().any(|word| word.len() > 4);
    is_long && (count == 1 || cell.words.len() > 1 && count <= FEW)
}

/// The cells of a row that are words, and no days.
fn cells(row: &BookRecord) -> Vec<Cell<'_>> {
    let words = row
        .cells
        .iter()
        .map(|(column, cell)| Cell { column: column.as_str(), words: WorldThing::words_of(cell) });
    let is_named = |cell: &Cell<'_>| {
        !cell.words.is_empty()
            && cell.words.len() <= 4
            && cell.words.iter().all(|word| word.chars().all(|c| c.is_alphabetic() || c == '\''))
    };
    words.filter(is_named).collect()
}
