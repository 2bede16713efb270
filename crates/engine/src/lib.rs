//! The engine: a suite, a subject and an observer in, a log out.
//!
//! [`Evaluation`] is the front door for programs. What lies behind it is public as well, because
//! the command needs every part: settings, suites, worlds, subjects, judges, matrices, resumed
//! runs, checks of golds, imported results and pinned runs.

pub mod adaptive;
pub mod aftermath;
pub mod baselines;
pub mod cell;
mod chatbot_name;
pub mod claims;
mod decoys;
pub mod earlier_run;
mod error;
mod evaluation;
mod file_handles;
pub mod floors;
pub mod followed_log;
pub mod gold_check;
pub mod gold_transcript;
mod hints;
pub mod imports;
pub mod invocation;
mod journal;
pub mod judges;
pub mod junit;
pub mod keys;
pub mod labelled;
pub mod last_log;
pub mod likeness;
mod log_home;
mod log_target;
pub mod matrix;
mod observer;
pub mod partial_credit;
mod prompt_order;
mod proofs;
mod readable_log;
pub mod recorded;
pub mod reported;
pub mod rescoring;
pub mod scorers;
pub mod server_check;
pub mod settings;
pub mod shard_logs;
pub mod shards;
pub mod sides;
pub mod subjects;
pub mod suites;
mod tier_differences;
mod trusted_folders;
mod waiting;
pub mod worlds;

pub use chatbot_name::{public_name, with_agent};
pub use error::{EngineError, UnreadableHead, with_source};
pub use evaluation::{Evaluated, Evaluation};
pub use hints::choices;
pub use log_target::LogTarget;
pub use observer::{Observer, Unobserved};
pub use readable_log::{ReadableLog, write_inspect_json};
pub use settings::{Seconds, Settings};
pub use trusted_folders::TrustedFolders;
pub use waiting::Waiting;

/// The git revision this was built from; `development` if it was built without optimisation.
pub const REVISION: &str = env!("TOOLGAUGE_REVISION");

/// The version and the git revision.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TOOLGAUGE_REVISION"), ")");

/// The platform this was built for, such as `x86_64-unknown-linux-musl`.
pub const TARGET: &str = env!("TOOLGAUGE_TARGET");
