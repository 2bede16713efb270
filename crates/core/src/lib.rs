//! The vocabulary of toolgauge: the words every other crate speaks, and nothing that acts.
//!
//! A [`Case`] says what a subject is asked and what is expected of it; a [`Transcript`] holds
//! what the subject said and called. Whatever can be turned into that pair can be scored, and
//! the judgement is an [`Outcome`]: a [`Score`] with a typed [`Loss`] for every lost point, or
//! unscored with a reason. No I/O and no async live here.

mod annotations;
mod answer;
mod background;
mod books;
mod call;
mod case;
mod case_table;
mod clock;
pub mod english;
mod expectation;
mod expected_fact;
mod failure_pattern;
mod feedback;
mod fix;
mod floors;
mod id;
pub mod json;
mod loss;
mod matrix_cell;
mod measure;
mod message;
mod oddity;
pub mod openai;
mod outcome;
mod pattern;
mod prompt_reads;
mod recorded_verdict;
mod redaction;
mod run;
mod run_entry;
pub mod schema_cost;
mod seconds;
mod server_facts;
mod shard;
mod state_change;
mod subject;
mod tool;
mod transcript;
mod trial;
mod trial_failure;
mod turn;
mod waits;
mod world_thing;

pub use annotations::Annotations;
pub use answer::{ExpectedAnswer, Keyword, Proof};
pub use background::{Background, Judgement, KeywordLikeness, SchemaViolation, ToolTime};
pub use books::{BookRecord, Books};
pub use call::{Arguments, CallOrigin, Malformation, ToolCall};
pub use case::{Case, Tags};
pub use case_table::CaseTable;
pub use clock::timestamp;
pub use expectation::{
    AcceptedWay, Alternative, ArgumentRules, CallOrder, Expectation, ExpectedCall, ExtraArguments,
    Quality, ResponseKind,
};
pub use expected_fact::{Candidates, ExpectedFact, Members};
pub use failure_pattern::{FailurePattern, WorldWords};
pub use feedback::{Feedback, Thumb};
pub use fix::Fix;
pub use floors::{Floors, PolicyScore};
pub use id::{CaseId, RunId, TrialId};
pub use json::{ArgumentPath, PathStep};
pub use loss::{Cause, Loss};
pub use matrix_cell::{CellName, MatrixCell};
pub use measure::{Better, Measure};
pub use message::{AssistantMessage, Message, ToolMessage};
pub use oddity::Oddity;
pub use outcome::{Dimension, Outcome, Score, UnscoredReason, Verdict};
pub use pattern::{ListRule, Pattern, PatternError, TextRule};
pub use prompt_reads::PromptReads;
pub use recorded_verdict::RecordedVerdict;
pub use redaction::{
    REDACTED, is_plain_header, is_plain_parameter, looks_like_key, names_a_secret, public_address,
    redact_values, secret_values,
};
pub use run::{Program, Run, SubjectIdentity, SuiteIdentity};
pub use run_entry::{RunEntry, TierFacts};
pub use server_facts::ServerFacts;
pub use shard::{MergedShards, Shard, ShardNumber};
pub use state_change::StateChange;
pub use subject::{Answer, Briefing, Reply, Request, Subject};
pub use tool::{Tool, estimated_tokens};
pub use transcript::Transcript;
pub use trial::Trial;
pub use trial_failure::{FailureKind, TrialFailure, without_ids};
pub use turn::{FailedAttempt, ServerTimings, StopReason, Timings, Turn, Usage};
pub use world_thing::{ThingPlace, WorldThing};
