//! The baseline: a deterministic tool caller without a model, for any suite.
//!
//! It ranks the offered tools by how much they sound like the request, fills their arguments by
//! their schemas, and abstains where it understands too little. It knows nothing of any suite's
//! answers, so what it scores is the floor that a model has to beat.

mod fill;
mod findings;
mod index;
mod indexed_tool;
mod inquiry;
mod memory;
mod names;
mod part;
mod quantity;
mod ranking;
mod request;
mod schema;
mod sql;
mod subject;
mod tables;
mod thesaurus;
mod words;

pub use subject::BaselineSubject;
