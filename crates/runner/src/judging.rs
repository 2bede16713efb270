//! What the scorers say of one transcript, on another thread when that may take long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{
    Arguments, Briefing, Case, FailureKind, Message, Outcome, SchemaViolation, StateChange,
    Transcript, TrialFailure, UnscoredReason,
};
use toolgauge_score::{EndStates, Evidence, Scorer};
use toolgauge_world::World;

use crate::play::end_states;
use crate::tool_schemas::ToolSchemas;

/// About how many bytes a transcript may have to be judged at once.
const SMALL: usize = 16 * 1024;
/// What each value and each call counts for, however short it is.
const EACH: usize = 16;

/// All that judging one transcript needs.
pub(crate) struct Judging {
    pub(crate) world: Arc<dyn World>,
    pub(crate) scorers: Arc<[Scorer]>,
    pub(crate) case: Arc<Case>,
    pub(crate) briefing: Arc<Briefing>,
    pub(crate) schemas: Arc<ToolSchemas>,
    pub(crate) transcript: Arc<Transcript>,
}

/// What judging came to.
#[derive(Default)]
pub(crate) struct JudgedTrial {
    /// What the calls changed in the world.
    pub(crate) changes: Vec<StateChange>,
    /// How its arguments break the schemas of the tools.
    pub(crate) violations: Vec<SchemaViolation>,
    /// What each scorer says.
    pub(crate) outcomes: IndexMap<String, Outcome>,
}

impl Judging {
    /// Whether judging takes no time worth a thread.
    pub(crate) fn is_quick(&self) -> bool {
        let mut left = SMALL;
        // To see what calls led to is to make them again.
        !self.world.may_take_long()
            && self.transcript.messages.iter().all(|message| fits(message, &mut left))
    }

    /// Judges. A scorer that panics costs its own outcome.
    pub(crate) fn judge(self) -> JudgedTrial {
        // Once for all scorers: playing the calls is the costly part.
        let states = self.end_states();
        let changes = states.as_ref().map(EndStates::changes).unwrap_or_default();
        let books = self.scorers.iter().any(Scorer::reads_books).then(|| self.world.books());
        let books = books.flatten();
        let evidence = Evidence::new(&self.case, &self.briefing.tools, &self.transcript)
            .with_states(states.as_ref())
            .with_books(books.as_ref());
        let judgement = |scorer: &Scorer| {
            // Scorers read what models wrote, and one that meets a surprise must not end a night of
            // trials.
            let judged = catch_unwind(AssertUnwindSafe(|| scorer.judge(&evidence)));
            let failed =
                || Outcome::Unscored(UnscoredReason::Failed(internal("the scorer panicked")));
            (scorer.name().to_owned(), judged.unwrap_or_else(|_panic| failed()))
        };
        let outcomes = self.scorers.iter().map(judgement).collect();
        let violations = self.schemas.violations(&self.briefing.tools, &self.transcript);
        JudgedTrial { changes, violations, outcomes }
    }

    /// Judges on another thread, which is left behind when it takes longer than this.
    pub(crate) async fn judge_beside(self, limit: Duration) -> JudgedTrial {
        let scorers = Arc::clone(&self.scorers);
        // One task drives all trials; judging a long answer on it would stop them all meanwhile.
        let judging = tokio::task::spawn_blocking(move || self.judge());
        let failure = match tokio::time::timeout(limit, judging).await {
            Ok(Ok(judged)) => return judged,
            Ok(Err(_)) => internal("the answer could not be judged"),
            Err(_) => TrialFailure {
                kind: FailureKind::Timeout,
                message: format!("judging the answer took longer than {} s", limit.as_secs_f64()),
            },
        };
        let unscored = |scorer: &Scorer| {
            (scorer.name().to_owned(), Outcome::Unscored(UnscoredReason::Failed(failure.clone())))
        };
        JudgedTrial { outcomes: scorers.iter().map(unscored).collect(), ..JudgedTrial::default() }
    }

    /// What the calls led to, if the world has a state and there is something to judge.
    fn end_states(&self) -> Option<EndStates> {
        let failure = self.transcript.failure.as_ref();
        let failed = failure.is_some_and(|failure| failure.kind.is_infrastructure());
        if failed || !self.world.has_state() {
            return None;
        }
        // A panic of the world leaves no end states, and the scorers that need them say so.
        let played = || end_states(self.world.as_ref(), &self.case, &self.transcript);
        catch_unwind(AssertUnwindSafe(played)).ok().flatten()
    }
}

/// A defect of our own.
pub(crate) fn internal(message: &str) -> TrialFailure {
    TrialFailure { kind: FailureKind::Internal, message: message.to_owned() }
}

/// Takes a message off what is left; whether there was enough.
fn fits(message: &Message, left: &mut usize) -> bool {
    match message {
        Message::Assistant(message) => {
            take(message.content.len(), left)
                && take(message.reasoning.as_ref().map_or(0, String::len), left)
                && message.calls.iter().all(|call| {
                    take(call.name.len(), left)
                        && match &call.arguments {
                            Arguments::Object(object) => object.iter().all(|(key, value)| {
                                take(key.len(), left) && value_fits(value, left)
                            }),
                            Arguments::Malformed { raw, .. } => take(raw.len(), left),
                        }
                })
        }
        Message::Tool(message) => take(message.content.len(), left),
        _ => true,
    }
}

fn value_fits(value: &Value, left: &mut usize) -> bool {
    match value {
        Value::String(text) => take(text.len(), left),
        Value::Array(items) => items.iter().all(|item| value_fits(item, left)),
        Value::Object(object) => {
            object.iter().all(|(key, value)| take(key.len(), left) && value_fits(value, left))
        }
        _ => take(0, left),
    }
}

fn take(bytes: usize, left: &mut usize) -> bool {
    let rest = left.checked_sub(bytes.saturating_add(EACH));
    *left = rest.unwrap_or(0);
    rest.is_some()
}
