//! What a reply tells, looked up in all that the world has written down.

mod acts_of_others;
mod figures;
mod names;
mod sweeping;
mod words;

use toolgauge_core::{ExpectedFact, Loss};

use super::Reply;
use super::context::Context;

impl Reply {
    /// What a reply tells that the books of the world do not, in worlds with books.
    pub(super) fn against_books(
        &self,
        facts: &[ExpectedFact],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let shelf = context.shelf()?;
        let known = words::known_stems(facts, context);
        self.sweeping_statement(&known, context)
            .or_else(|| self.guessed_cause(&known, context))
            .or_else(|| self.reported_of_others(&known, shelf))
            .or_else(|| self.name_in_no_book(&known, shelf))
            .or_else(|| self.name_in_other_role(&known, shelf))
            .or_else(|| self.figure_in_no_record(facts, context))
    }
}
