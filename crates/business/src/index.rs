//! Ranked full-text search over passages, by SQLite's own index.

use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Result, params};

use super::document::BusinessDocument;
use super::passages::Passage;

/// How many words of a query are looked at.
const MOST_WORDS: usize = 64;

/// Words that ask rather than say what is asked for. In a small folder they are rare, and would
/// count as if they meant much.
const EMPTY_WORDS: [&str; 66] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could",
    "did", "do", "does", "find", "for", "from", "give", "had", "has", "have", "how", "i", "in",
    "is", "it", "its", "list", "many", "me", "much", "my", "of", "on", "or", "our", "please", "s",
    "should", "show", "tell", "that", "the", "their", "there", "they", "this", "to", "was", "we",
    "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you",
];

/// A passage that was found.
#[derive(Clone, Copy, Debug)]
pub struct PassageHit<'d> {
    /// The document it stands in.
    pub document: &'d BusinessDocument,
    /// Which passage of the document it is, from 1.
    pub position: usize,
    /// The passage itself.
    pub passage: &'d Passage,
    /// How well it fits; more is better.
    pub score: f64,
}

/// An index over the passages of documents.
#[derive(Debug)]
pub(super) struct PassageIndex {
    /// Searches take a millisecond, so they can take turns.
    connection: Mutex<Connection>,
    /// The number of the first passage of each document, and one past the last.
    starts: Vec<usize>,
}

impl PassageIndex {
    /// Indexes documents, which are known by their position from then on.
    pub(super) fn new<'d>(documents: impl Iterator<Item = &'d BusinessDocument>) -> Result<Self> {
        // A database without a name lives in memory and moves to a file of its own if it grows.
        let mut connection = Connection::open("")?;
        connection.execute_batch(
            "CREATE VIRTUAL TABLE passages USING fts5(body, headings, name, content = '', \
             tokenize = 'porter unicode61 remove_diacritics 2')",
        )?;
        let mut starts = vec![0];
        let transaction = connection.transaction()?;
        let mut rows = 0;
        for document in documents {
            let name = format!("{} {}", document.id, document.title);
            for passage in &document.passages {
                transaction.execute(
                    "INSERT INTO passages (rowid, body, headings, name) VALUES (?1, ?2, ?3, ?4)",
                    params![row(rows), passage.text, passage.headings.join("\n"), name],
                )?;
                rows += 1;
            }
            starts.push(rows);
        }
        transaction.commit()?;
        Ok(Self { connection: Mutex::new(connection), starts })
    }

    /// The best passages as document, passage and score. An error of the engine is no result:
    /// what words a query has is no reason to fail.
    pub(super) fn search(
        &self,
        query: &str,
        document: Option<usize>,
        limit: usize,
    ) -> Vec<(usize, usize, f64)> {
        let Some(expression) = expression(query) else { return Vec::new() };
        let rows = match document {
            Some(at) => self.starts[at]..self.starts[at + 1],
            None => 0..self.starts.last().copied().unwrap_or_default(),
        };
        let found = self.ranked(&expression, rows, limit).unwrap_or_default();
        let place = |(number, score): (usize, f64)| {
            let document = self.starts.partition_point(|start| *start <= number) - 1;
            (document, number - self.starts[document], score)
        };
        found.into_iter().map(place).collect()
    }

    fn ranked(
        &self,
        expression: &str,
        rows: std::ops::Range<usize>,
        limit: usize,
    ) -> Result<Vec<(usize, f64)>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare(
            "SELECT rowid, -bm25(passages, 1.0, 1.5, 1.0) AS score FROM passages \
             WHERE passages MATCH ?1 AND rowid >= ?2 AND rowid < ?3 \
             ORDER BY score DESC, rowid LIMIT ?4",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values = params![expression, row(rows.start), row(rows.end), limit];
        let found = statement.query_map(values, |found| {
            let number: i64 = found.get(0)?;
            Ok((usize::try_from(number).unwrap_or_default(), found.get(1)?))
        })?;
        found.collect()
    }
}

fn row(number: usize) -> i64 {
    i64::try_from(number).expect("there are fewer passages than row numbers")
}

/// The words of a text that say something, in lower case; all of them if none does.
pub(super) fn words(text: &str) -> Vec<String> {
    let all = text.split(|character: char| !character.is_alphanumeric());
    let all: Vec<String> = all.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let full = |word: &&String| !EMPTY_WORDS.contains(&word.as_str());
    let some: Vec<String> = all.iter().filter(full).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// Any of the words, each in quotes: nothing in a query is read as syntax.
fn expression(query: &str) -> Option<String> {
    let words = words(query);
    let quoted: Vec<String> =
        words.iter().take(MOST_WORDS).map(|word| format!("\"{word}\"")).collect();
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::DocumentKind;

    fn index() -> PassageIndex {
        let texts = [
            ("leases/maple.md", "# Lease\nThe tenant pays rent monthly.\n## Pets\nNo dogs."),
            ("insurance.md", "# Policy\nThe insurer covers fire and NOT floods.\n"),
        ];
        let read = |(id, text): (&str, &str)| {
            BusinessDocument::read(id, DocumentKind::Markdown, text.as_bytes()).unwrap()
        };
        let documents: Vec<BusinessDocument> = texts.into_iter().map(read).collect();
        PassageIndex::new(documents.iter()).unwrap()
    }

    fn places(query: &str) -> Vec<(usize, usize)> {
        let found = index().search(query, None, 10);
        found.into_iter().map(|(document, passage, _)| (document, passage)).collect()
    }

    #[test]
    fn words_are_found_in_any_form_and_in_headings_and_names() {
        assert_eq!(places("paying tenants"), [(0, 0)]);
        assert_eq!(places("pet"), [(0, 1)]);
        assert_eq!(places("What is insured?"), [(1, 0)]);
        assert_eq!(places("maple").len(), 2);
        assert!(places("boats").is_empty());
        assert!(places("?!").is_empty());
    }

    #[test]
    fn a_search_can_stay_in_one_document() {
        let found = index().search("the rent policy", Some(1), 10);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1), (1, 0));
    }

    #[test]
    fn a_query_of_empty_words_is_still_a_query() {
        assert_eq!(words("What is the"), ["what", "is", "the"]);
        assert_eq!(words("What is the Rent?"), ["rent"]);
    }

    proptest! {
        #[test]
        fn no_query_is_a_syntax_error(query in "(\\PC|\"|\\*|:|\\^|-|NEAR|AND|NOT|OR|\\(|\\)|\u{0}| ){0,40}") {
            if let Some(expression) = expression(&query) {
                let index = index();
                prop_assert!(index.ranked(&expression, 0..10, 10).is_ok(), "{}", expression);
            }
        }
    }
}
