//! Whether something was done in time, by the row that has its day and its deadline.

use std::collections::BTreeSet;

use toolgauge_core::{BookRecord, Cause, ExpectedFact, Loss, WorldThing};

use crate::reading::Date;
use crate::reply::clause::Clause;
use crate::reply::context::Context;
use crate::reply::judge::dates;
use crate::reply::words::{book_stem, date, phrase_at};
use crate::reply::{Reply, loss};

/// What is said of that which was done before its deadline.
const EARLY: [&[&str]; 16] = [
    &["before", "the", "due", "date"],
    &["before", "its", "due", "date"],
    &["before", "the", "deadline"],
    &["before", "its", "deadline"],
    &["ahead", "of", "the", "deadline"],
    &["ahead", "of", "its", "deadline"],
    &["ahead", "of", "the", "due", "date"],
    &["ahead", "of", "schedule"],
    &["ahead", "of", "time"],
    &["before", "it", "was", "due"],
    &["days", "early"],
    &["weeks", "early"],
    &["days", "ahead"],
    &["on", "time"],
    &["in", "time"],
    &["punctually"],
];

/// What is said of that which was done behind it.
const LATE: [&[&str]; 20] = [
    &["day", "late"],
    &["week", "late"],
    &["month", "late"],
    &["months", "late"],
    &["after", "the", "due", "date"],
    &["after", "its", "due", "date"],
    &["after", "the", "deadline"],
    &["after", "its", "deadline"],
    &["past", "the", "due", "date"],
    &["past", "its", "due", "date"],
    &["past", "the", "deadline"],
    &["past", "its", "deadline"],
    &["past", "due"],
    &["after", "it", "was", "due"],
    &["days", "late"],
    &["weeks", "late"],
    &["too", "late"],
    &["missed", "the", "deadline"],
    &["missing", "the", "deadline"],
    &["behind", "schedule"],
];

/// How many words a row must share with the request or the answer to be the one that is meant.
const SHARED: usize = 2;

impl Reply {
    /// `Filed on March 5, eleven days past its due date`, where the deadline was March 16.
    pub(super) fn wrong_about_deadline(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let clause = self.clauses.iter().filter(|c| self.is_plain_statement(c)).find(|clause| {
            let words = self.texts_of(clause);
            let says = |phrases: &[&[&str]]| {
                phrases.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            };
            match (says(&EARLY), says(&LATE)) {
                (true, false) => self.is_past_its_day(clause, true, facts, context),
                (false, true) => self.is_past_its_day(clause, false, facts, context),
                _ => false,
            }
        })?;
        Some(loss(Cause::WrongAnswer, "what the deadline says", self.quote(clause)))
    }

    /// Whether the question takes the other for granted, or the rows with the day that is told do.
    fn is_past_its_day(
        &self,
        clause: &Clause,
        is_early: bool,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> bool {
        let asks_late =
            context.question.iter().any(|word| matches!(word.as_str(), "late" | "overdue"));
        let is_of_one =
            context.question.iter().any(|word| matches!(word.as_str(), "which" | "why"));
        if is_early && asks_late && is_of_one {
            return true;
        }
        let own = self.dates().into_iter();
        let own = own.filter(|date| self.clauses[date.clause].sentence == clause.sentence);
        let mut days: Vec<Date> = own.map(|date| date.value).collect();
        if days.is_empty() {
            days = dates(facts);
        }
        let spoken: Vec<String> = context
            .topic()
            .chain(self.words.iter().map(|word| word.text.as_str()))
            .filter(|word| word.len() > 3 && !matches!(*word, "paid" | "done" | "open" | "late"))
            .map(book_stem)
            .collect();
        let rows = context.rows().filter_map(|row| {
            let (due, done) = due_and_done(row)?;
            let cells = row.cells.iter().flat_map(|(_, cell)| WorldThing::words_of(cell));
            let words: BTreeSet<String> = cells.map(|word| book_stem(&word)).collect();
            let shared = words.iter().filter(|word| spoken.contains(word)).count();
            let is_told = days.iter().any(|day| day.day.is_some() && day.is_met_by(done));
            (is_told && shared >= SHARED).then_some((shared, order(done) <= order(due)))
        });
        // The row that shares most words is the one that is meant.
        let rows: Vec<(usize, bool)> = rows.collect();
        let most = rows.iter().map(|(shared, _)| *shared).max().unwrap_or_default();
        let mut meant = rows.iter().filter(|(shared, _)| *shared == most).peekable();
        meant.peek().is_some() && meant.all(|(_, in_time)| *in_time != is_early)
    }
}

fn order(date: Date) -> (Option<u32>, Option<u32>, Option<u32>) {
    (date.year, date.month, date.day)
}

/// The deadline of a row, and the day on which it was met.
fn due_and_done(row: &BookRecord) -> Option<(Date, Date)> {
    let with = |names: &[&str]| {
        let named = |column: &str| column.split('_').any(|part| names.contains(&part));
        let cell = row.cells.iter().find(|(column, _)| named(column));
        cell.and_then(|(_, cell)| date(cell))
    };
    Some((with(&["due", "deadline"])?, with(&["completed", "paid", "filed", "done"])?))
}
