//! Scorers: a case and a transcript in, an outcome out.

mod assignment;
mod matching;
mod partial;
mod scalar;
mod shown;
mod text;

pub use partial::{Pairing, PartialScorer};
