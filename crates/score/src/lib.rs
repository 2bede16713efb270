//! Scorers: a case and a transcript in, an outcome out.
//!
//! [`Scorer`] finds a scorer by name and judges whole transcripts. [`ToolCallScorer`] says right
//! or wrong in six dimensions; [`PartialScorer`] says how near; [`EndStateScorer`] judges what
//! calls led to and [`WireScorer`] whether replies can be used at all. The first two compare arguments with one
//! engine, and both name a typed cause for every lost point. Nothing here reads a clock, a file
//! or the environment.

mod scorer;

mod evidence;
mod failure_pattern;
mod partial;
mod state;
mod tool_call;
mod wire;

mod assignment;
mod call_loss;
mod explanation;
mod matching;
mod python_text;
mod scalar;
mod shown;
mod text;

pub use evidence::Evidence;
pub use failure_pattern::FailurePattern;
pub use partial::{Pairing, PartialScorer};
pub use scorer::Scorer;
pub use state::{EndStateScorer, EndStates, Played, PlayedAnswer, Rehearsal, rehearsals};
pub use tool_call::{Comparison, ToolCallScorer};
pub use wire::WireScorer;
