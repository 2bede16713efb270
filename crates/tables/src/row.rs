//! A row of a table, of which columns take their values.

use std::borrow::Cow;

use toolgauge_core::Loss;
use toolgauge_log::{AnswerRecord, CallRecord, TurnRecord};

use crate::facts::{LogFacts, TrialFacts};

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(crate) log: &'a LogFacts,
    /// Nothing in rows about a run.
    pub(crate) trial: Option<&'a TrialFacts<'a>>,
    pub(crate) item: Item<'a>,
}

/// What of a trial a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    /// All of it.
    Whole,
    Call(MadeCall<'a>),
    Loss {
        scorer: &'a str,
        loss: &'a Loss,
    },
    Turn {
        place: usize,
        turn: &'a TurnRecord<'a>,
    },
}

/// A call, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeCall<'a> {
    /// Its place among all calls of the trial, from 0.
    pub(crate) place: usize,
    /// The place of its message among those of the subject, from 1.
    pub(crate) turn: usize,
    pub(crate) call: &'a CallRecord<'a>,
    /// What the tool answered, if it did.
    pub(crate) answer: Option<&'a AnswerRecord<'a>>,
    /// How long it took, where that is known.
    pub(crate) seconds: Option<f64>,
}

impl<'a> Row<'a> {
    /// The row of a run.
    pub fn of_run(log: &'a LogFacts) -> Self {
        Self { log, trial: None, item: Item::Whole }
    }

    /// The row of a trial.
    pub fn of_trial(log: &'a LogFacts, trial: &'a TrialFacts<'a>) -> Self {
        Self { log, trial: Some(trial), item: Item::Whole }
    }

    pub(crate) fn about(self, item: Item<'a>) -> Self {
        Self { item, ..self }
    }

    pub(crate) fn call(&self) -> Option<MadeCall<'a>> {
        match self.item {
            Item::Call(call) => Some(call),
            _ => None,
        }
    }

    pub(crate) fn loss(&self) -> Option<&'a Loss> {
        match self.item {
            Item::Loss { loss, .. } => Some(loss),
            _ => None,
        }
    }

    pub(crate) fn turn(&self) -> Option<&'a TurnRecord<'a>> {
        match self.item {
            Item::Turn { turn, .. } => Some(turn),
            _ => None,
        }
    }
}

/// A text that is borrowed, as a column of texts gives it.
#[expect(clippy::unnecessary_wraps, reason = "a column may give nothing")]
pub(crate) fn lent(text: &str) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(text))
}

/// A count of things in memory.
pub(crate) fn count(things: usize) -> Option<u64> {
    u64::try_from(things).ok()
}
