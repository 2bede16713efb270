//! Scorers: a case and a transcript in, an outcome out.
//!
//! [`Scorer`] finds a scorer by name and judges whole transcripts. [`ToolCallScorer`] says right
//! or wrong in six dimensions; [`PartialScorer`] says how near. Both compare arguments with one
//! engine, and both name a typed cause for every lost point. Nothing here reads a clock, a file
//! or the environment.

mod scorer;

mod partial;
mod tool_call;

mod assignment;
mod call_loss;
mod explanation;
mod matching;
mod python_text;
mod scalar;
mod shown;
mod text;

pub use partial::{Pairing, PartialScorer};
pub use scorer::Scorer;
pub use tool_call::{Comparison, ToolCallScorer};
