//! The engine: a suite, a subject and an observer in, a log out.
//!
//! [`Evaluation`] is the front door for programs. What lies behind it is public as well, because
//! the command needs every part: settings, suites, worlds, subjects, judges, matrices, resumed
//! runs and checks of golds.

pub mod adaptive;
pub mod cell;
mod chatbot_name;
mod error;
mod evaluation;
mod file_handles;
pub mod floors;
pub mod gold_check;
pub mod gold_transcript;
pub mod invocation;
mod journal;
pub mod judges;
pub mod keys;
pub mod labelled;
pub mod matrix;
mod observer;
mod prompt_order;
mod proofs;
pub mod recorded;
pub mod rescoring;
pub mod scorers;
pub mod settings;
pub mod subjects;
pub mod suites;
mod tier_differences;
mod waiting;
pub mod worlds;

pub use chatbot_name::public_name;
pub use error::{EngineError, UnreadableHead, with_source};
pub use evaluation::{Evaluated, Evaluation};
pub use observer::{Observer, Unobserved};
pub use settings::Settings;
pub use waiting::Waiting;

/// The git revision this was built from.
pub const REVISION: &str = env!("TOOLGAUGE_REVISION");

/// The version and the git revision.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TOOLGAUGE_REVISION"), ")");
