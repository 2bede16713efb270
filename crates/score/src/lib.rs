//! Scorers: a case and a transcript in, an outcome out.
//!
//! [`Scorer`] finds a scorer by name and judges whole transcripts. [`ToolCallScorer`] says right
//! or wrong in six dimensions; [`PartialScorer`] says how near; [`EndStateScorer`] judges what
//! calls led to and [`WireScorer`] whether replies can be used at all. The first two compare
//! arguments with one engine, and both name a typed cause for every lost point. Answers in words
//! are judged by [`ChatbotScorer`], [`KeywordScorer`], [`RetrievalScorer`], [`GroundingScorer`],
//! [`LatencyScorer`] and [`JudgeScorer`]. Nothing here reads a clock, a file or the environment.

mod scorer;

mod end_states;
mod evidence;
mod partial;
mod peers;
mod state;
mod tool_call;
mod wire;

mod chatbot;
mod grounding;
mod judge;
mod keywords;
mod latency;
mod retrieval;

mod assignment;
mod call_loss;
mod explanation;
mod made_calls;
mod matching;
mod python_text;
mod reading;
mod recall;
mod reply;
mod scalar;
mod shown;
mod text;

#[cfg(test)]
mod answer_properties;

pub use chatbot::{
    ChatbotScorer, ErrorSign, QualityRule, ToolRule, Weights, demanded_keywords, error_in_answer,
};
pub use end_states::{EndStates, PatternSighting, Played, PlayedAnswer};
pub use evidence::Evidence;
pub use explanation::shown_value;
pub use grounding::GroundingScorer;
pub use judge::JudgeScorer;
pub use keywords::{KeywordRule, KeywordScorer, keyword_found, likened_phrases};
pub use latency::LatencyScorer;
pub use matching::Matcher;
pub use partial::{CallPairing, PartialScorer};
pub use peers::{PeerScorer, recorded_outcome};
pub use reply::example_answer;
pub use retrieval::RetrievalScorer;
pub use scorer::Scorer;
pub use state::{EndStateScorer, Rehearsal, allowances, rehearsals};
pub use text::found_in;
pub use tool_call::{CallComparison, ToolCallScorer};
pub use wire::WireScorer;
