//! A trial as its sample holds it, for whoever goes through many of them.

use std::borrow::Cow;

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{
    Case, Dimension, Loss, Outcome, Score, ToolTime, Trial, TrialFailure, UnscoredReason, Verdict,
};

use crate::{MessageRecord, TurnRecord};

/// Things by name, in their order.
pub type NamedRecords<'a, T> = IndexMap<Cow<'a, str>, T, foldhash::fast::RandomState>;

/// A trial as its sample holds it: what tables show of it. Texts are borrowed from the log where
/// they can be. What the case expects, its own tools and settings and the bodies of requests are
/// left out, and are not even read.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRecord<'a> {
    /// The name of the case.
    pub case: Cow<'a, str>,
    /// Which execution of the case it is, counted from 1.
    pub number: u32,
    /// What was put to the subject.
    pub input: Vec<MessageRecord<'a>>,
    /// What the case is about.
    pub tags: NamedRecords<'a, Cow<'a, str>>,
    /// The group of cases it belongs to.
    pub group: Option<Cow<'a, str>>,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// What was said after the case's own input.
    pub messages: Vec<MessageRecord<'a>>,
    /// One entry for each request that was answered, in order.
    pub turns: Vec<TurnRecord<'a>>,
    /// Why it ended early, if it did.
    pub failure: Option<TrialFailure>,
    /// How long each call took, where that is known.
    pub tool_times: Vec<ToolTime>,
    /// The judgements by scorer.
    pub outcomes: NamedRecords<'a, OutcomeRecord<'a>>,
}

impl TrialRecord<'_> {
    /// The text of the message to answer.
    pub fn sentence(&self) -> &str {
        self.input.last().map_or("", MessageRecord::content)
    }
}

/// What a scorer said of a trial, as far as tables show it.
#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeRecord<'a> {
    /// The trial could be judged.
    Scored(ScoredRecord<'a>),
    /// It could not, and this is why.
    Unscored(Cow<'a, UnscoredReason>),
}

/// How well a trial went, as far as tables show it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredRecord<'a> {
    /// From 0 to 1.
    pub value: f64,
    /// What was judged on its own.
    pub dimensions: Vec<(Dimension, Verdict)>,
    /// Every lost point.
    pub losses: Cow<'a, [Loss]>,
    /// One or a few sentences for a person.
    pub explanation: Cow<'a, str>,
}

impl<'a> OutcomeRecord<'a> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<f64> {
        self.score().map(|score| score.value)
    }

    /// The score, if there is one.
    pub fn score(&self) -> Option<&ScoredRecord<'a>> {
        match self {
            Self::Scored(score) => Some(score),
            Self::Unscored(_) => None,
        }
    }
}

impl<'a> From<&'a Outcome> for OutcomeRecord<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Scored(Score { value, dimensions, losses, explanation, .. }) => {
                Self::Scored(ScoredRecord {
                    value: *value,
                    dimensions: dimensions.iter().map(|(name, it)| (name.clone(), *it)).collect(),
                    losses: Cow::Borrowed(losses),
                    explanation: Cow::Borrowed(explanation),
                })
            }
            Outcome::Unscored(reason) => Self::Unscored(Cow::Borrowed(reason)),
        }
    }
}

impl From<Outcome> for OutcomeRecord<'_> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Scored(Score { value, dimensions, losses, explanation, .. }) => {
                let dimensions = dimensions.into_iter().collect();
                let (losses, explanation) = (losses.into(), explanation.into());
                Self::Scored(ScoredRecord { value, dimensions, losses, explanation })
            }
            Outcome::Unscored(reason) => Self::Unscored(Cow::Owned(reason)),
        }
    }
}

impl From<Trial> for TrialRecord<'_> {
    fn from(trial: Trial) -> Self {
        let Case { id, input, tags, group, .. } = std::sync::Arc::unwrap_or_clone(trial.case);
        let (transcript, outcomes) = (trial.transcript, trial.outcomes);
        Self {
            case: Cow::Owned(id.to_string()),
            number: trial.number,
            input: input.into_iter().map(MessageRecord::from).collect(),
            tags: tags.into_iter().map(|(name, tag)| (name.into(), tag.into())).collect(),
            group: group.map(Cow::Owned),
            started: trial.started,
            ended: trial.ended,
            messages: transcript.messages.into_iter().map(MessageRecord::from).collect(),
            turns: transcript.turns.into_iter().map(TurnRecord::from).collect(),
            failure: transcript.failure,
            tool_times: transcript.background.tool_times,
            outcomes: outcomes.into_iter().map(|(name, it)| (name.into(), it.into())).collect(),
        }
    }
}
