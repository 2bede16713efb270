//! What a scorer is given to judge by.

use toolgauge_core::{Case, Tool, Transcript};

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
}

impl<'a> Evidence<'a> {
    /// Evidence from a transcript alone.
    pub fn new(case: &'a Case, tools: &'a [Tool], transcript: &'a Transcript) -> Self {
        Self { case, tools, transcript, states: None }
    }

    /// The same evidence, with what the calls did.
    #[must_use]
    pub fn with_states(mut self, states: Option<&'a EndStates>) -> Self {
        self.states = states;
        self
    }
}
