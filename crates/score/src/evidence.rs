//! What a scorer is given to judge by.

use std::sync::Arc;

use toolgauge_core::{Books, Case, Tool, Transcript};

use crate::end_states::EndStates;

/// Everything a judgement may rest on.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What was asked for.
    pub case: &'a Case,
    /// The tools that were offered; none given means that none is held to be undeclared.
    pub tools: &'a [Tool],
    /// What was said and called.
    pub transcript: &'a Transcript,
    /// What the calls did, in worlds that have a state.
    pub states: Option<&'a EndStates>,
    /// Everything the world has written down, in worlds with books.
    pub books: Option<&'a Arc<Books>>,
}

impl<'a> Evidence<'a> {
    /// Evidence from a transcript alone.
    pub fn new(case: &'a Case, tools: &'a [Tool], transcript: &'a Transcript) -> Self {
        Self { case, tools, transcript, states: None, books: None }
    }

    /// The same evidence, with what the calls did.
    #[must_use]
    pub fn with_states(mut self, states: Option<&'a EndStates>) -> Self {
        self.states = states;
        self
    }

    /// The same evidence, with what the world has written down.
    #[must_use]
    pub fn with_books(mut self, books: Option<&'a Arc<Books>>) -> Self {
        self.books = books;
        self
    }
}
