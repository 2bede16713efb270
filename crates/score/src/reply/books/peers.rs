//! What a row comes to beside another row of its kind: `exactly as much as Ben`.

use std::cmp::Ordering;

use toolgauge_core::{BookRecord, Cause, ExpectedFact, Loss, WorldThing};

use crate::reading::is_same;
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::judge::numbers;
use crate::reply::words::{book_stem, phrase_at};
use crate::reply::{Reply, loss};

/// Words in front of the name of another one, and how the first one is to it.
const COMPARING: [(&[&str], Ordering); 12] = [
    (&["as", "much", "as"], Ordering::Equal),
    (&["as", "many", "as"], Ordering::Equal),
    (&["the", "same", "as"], Ordering::Equal),
    (&["same", "amount", "as"], Ordering::Equal),
    (&["more", "than"], Ordering::Greater),
    (&["higher", "than"], Ordering::Greater),
    (&["larger", "than"], Ordering::Greater),
    (&["ahead", "of"], Ordering::Greater),
    (&["less", "than"], Ordering::Less),
    (&["lower", "than"], Ordering::Less),
    (&["smaller", "than"], Ordering::Less),
    (&["behind"], Ordering::Less),
];

/// Words for a place in an order.
const PLACES: [(&str, usize); 4] = [("second", 1), ("third", 2), ("fourth", 3), ("fifth", 4)];
const LARGEST: [&str; 5] = ["largest", "biggest", "highest", "most", "top"];
const SMALLEST: [&str; 4] = ["smallest", "lowest", "least", "fewest"];

/// How many rows a table has at most in which things have a place.
const MOST_ROWS: usize = 200;

impl Reply {
    /// A comparison of the one that was asked for with another one that their rows refute.
    pub(super) fn wrong_beside_peer(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let [wanted] = numbers(facts)[..] else { return None };
        let rows: Vec<&BookRecord> = context.rows().collect();
        let own: Vec<(&BookRecord, &str)> = rows
            .iter()
            .filter(|row| is_spoken_of(row, context))
            .filter_map(|row| {
                let of = |(_, number): &&(String, f64)| is_same(number.abs(), wanted.abs());
                let (column, _) = row.numbers.iter().find(of)?;
                Some((*row, column.as_str()))
            })
            .collect();
        // A figure that several rows have is none of one thing.
        let [(row, column)] = own[..] else { return None };
        let alike: Vec<&BookRecord> =
            rows.into_iter().filter(|other| other.source == row.source).collect();
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            self.compares_with_other(clause, (row, column), &alike)
                || self.gives_wrong_place(clause, wanted, (row, column), &alike)
        })?;
        Some(loss(Cause::WrongAnswer, "what the other row says", self.quote(clause)))
    }

    /// `Exactly as much as Ben`, whose row has another figure.
    fn compares_with_other(
        &self,
        clause: &Clause,
        (row, column): (&BookRecord, &str),
        alike: &[&BookRecord],
    ) -> bool {
        let texts = self.texts_of(clause);
        let found = COMPARING.iter().find_map(|(words, order)| {
            Some((phrase_at(&texts, words)? + words.len(), words, *order))
        });
        let Some((behind, words, order)) = found else { return false };
        let start = clause.words.start;
        let name: Vec<String> = (start + behind..clause.words.end)
            .take_while(|at| self.is_capital(*at))
            .map(|at| book_stem(&self.words[at].text))
            .collect();
        let is_multiple = texts[..behind - words.len()].iter().any(|word| {
            matches!(*word, "twice" | "half" | "times" | "almost" | "nearly" | "about" | "not")
        });
        if name.is_empty() || is_multiple {
            return false;
        }
        let has_name = |other: &&&BookRecord| {
            let words: Vec<String> =
                WorldThing::words_of(&other.text).iter().map(|word| book_stem(word)).collect();
            name.iter().all(|word| words.contains(word))
        };
        let days = |row: &BookRecord| -> Vec<String> {
            let cells = row.cells.iter().map(|(_, cell)| cell.clone());
            cells.filter(|cell| crate::reply::words::date(cell).is_some()).collect()
        };
        let mut peers: Vec<&&BookRecord> = alike.iter().filter(has_name).collect();
        if peers.len() > 1 {
            peers.retain(|peer| days(peer) == days(row));
        }
        let figure = |row: &BookRecord| {
            row.numbers.iter().find(|(name, _)| name == column).map(|(_, figure)| figure.abs())
        };
        let ([peer], Some(own)) = (&peers[..], figure(row)) else { return false };
        figure(peer).is_some_and(|other| {
            let real = if is_same(own, other) { Ordering::Equal } else { own.total_cmp(&other) };
            real != order
        })
    }

    /// `Which makes her the second largest member`, where she is the third.
    fn gives_wrong_place(
        &self,
        clause: &Clause,
        wanted: f64,
        (row, column): (&BookRecord, &str),
        alike: &[&BookRecord],
    ) -> bool {
        let texts = self.texts_of(clause);
        let noun = row.source.trim_end_matches('s').replace("ie", "y");
        let said = texts.windows(2).enumerate().find_map(|(at, pair)| {
            let place = PLACES.iter().find(|(word, _)| *word == pair[0]).map(|(_, place)| *place);
            let (place, most) = match place {
                Some(place) => (place, pair[1]),
                None if pair[0] == "the" => (0, pair[1]),
                None => return None,
            };
            let behind = &texts[(at + 2).min(texts.len())..];
            let is_of_it = behind.iter().take(2).any(|word| book_stem(word) == book_stem(&noun))
                || behind
                    .windows(2)
                    .any(|pair| pair[0] == "of" && matches!(pair[1], "all" | "them"));
            let is_most = LARGEST.contains(&most);
            (is_of_it && (is_most || SMALLEST.contains(&most))).then_some((place, is_most))
        });
        let Some((place, is_most)) = said else { return false };
        // Of many payments those of one day and sort are set beside each other.
        let is_peer = |other: &&&BookRecord| {
            let same = |column: &str| {
                let cell = |row: &BookRecord| {
                    row.cells.iter().find(|(name, _)| name == column).map(|(_, cell)| cell.clone())
                };
                cell(row) == cell(other)
            };
            let is_kind = |column: &str| {
                matches!(column, "category" | "kind")
                    || column.split('_').any(|part| matches!(part, "date" | "on"))
            };
            alike.len() <= MOST_ROWS
                || row.cells.iter().filter(|(name, _)| is_kind(name)).all(|(name, _)| same(name))
        };
        let figures = alike.iter().filter(is_peer).filter_map(|row| {
            row.numbers.iter().find(|(name, _)| name == column).map(|(_, figure)| figure.abs())
        });
        let own = wanted.abs();
        let before = figures.filter(|figure| {
            !is_same(*figure, own) && if is_most { *figure > own } else { *figure < own }
        });
        before.count() != place
    }
}

/// Whether the request names what a row is about by two of its words.
fn is_spoken_of(row: &BookRecord, context: &Context<'_>) -> bool {
    let cells = row.cells.iter().map(|(_, cell)| WorldThing::words_of(cell));
    let mut names = cells.filter(|words| words.len() > 1);
    names.any(|words| context.question.windows(words.len()).any(|window| window == words))
}
