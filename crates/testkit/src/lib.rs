//! What the tests of every crate share: a server with faults, a log that means harm, a terminal, patience, a sample.

pub mod home_assistant;
pub mod home_replay;
pub mod hostile;
mod length;
pub mod llama;
mod llama_cache;
mod patience;
mod server;
mod skipped;
#[cfg(unix)]
mod terminal;

#[cfg(feature = "kubernetes")]
pub use k8s_openapi as kubernetes;
pub use length::{long_or, some_of};
pub use llama_cache::{LlamaCache, PromptRead};
pub use patience::wait_until;
pub use server::{Received, Response, Server};
pub use skipped::{skip_check, skipped_checks};
#[cfg(unix)]
pub use terminal::Terminal;
