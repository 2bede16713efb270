//! What a reply tells, looked up in all that the world has written down.

mod acts_of_others;
mod attributes;
mod deadlines;
mod figures;
mod gone;
mod names;
mod passing;
mod peers;
mod shares;
mod sweeping;
mod weekdays;
mod words;

use toolgauge_core::{ExpectedFact, Loss};

pub(super) use self::names::is_inside_sentence;
pub(super) use self::words::is_lookable;
use super::Reply;
use super::clause::Clause;
use super::context::Context;
use super::shelf::Shelf;
use super::words::{book_stem, known_stems};

/// How many words a clause must have that could be looked up, so that they stand together in the
/// books by no accident.
const TELLING: usize = 4;

impl Reply {
    /// Whether one row, passage or document holds all words of a clause without figures.
    pub(super) fn stands_in_the_books(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause).iter().filter(|word| is_lookable(&word.text));
        let words: Vec<String> = words.map(|word| book_stem(&word.text)).collect();
        let has_figure = self.numbers_in(clause).next().is_some();
        let holds = |shelf: &Shelf| shelf.left_out(&words) == 0;
        !has_figure && words.len() >= TELLING && context.shelf().is_some_and(holds)
    }

    /// What a reply tells that the books of the world do not, in worlds with books.
    pub(super) fn against_books(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        let asked = context.request().iter().map(String::as_str);
        let known = known_stems(facts, context.all_texts().chain(asked), book_stem);
        self.sweeping_statement(&known, context)
            .or_else(|| self.guessed_cause(&known, context))
            .or_else(|| self.still_told_of(context))
            .or_else(|| self.reported_of_others(&known, shelf))
            .or_else(|| self.told_in_passing(&known, context))
            .or_else(|| self.name_in_no_book(&known, shelf))
            .or_else(|| self.name_in_other_role(&known, shelf))
            .or_else(|| self.weekday_of_no_date(facts, context))
            .or_else(|| self.attribute_of_another(context))
            .or_else(|| self.wrong_about_deadline(facts, context))
            .or_else(|| self.wrong_beside_peer(facts, context))
            .or_else(|| self.wrong_share_of_rows(facts, context))
            .or_else(|| self.untold_place(context))
            .or_else(|| self.share_of_nothing(facts, context))
            .or_else(|| self.figure_in_no_record(facts, context))
    }
}
