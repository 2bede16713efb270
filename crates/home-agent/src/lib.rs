//! Home Assistant's own pipeline as a subject: an agent of a real Home Assistant, which the user
//! has marked as a test instance, is asked over its API.
//!
//! Before each question the states of the home are brought to those of the case; afterwards the
//! calls are read from Home Assistant's chat log, and what changed from its states.

mod agent;
mod arrange;
mod chat_log;
mod entity_state;
mod error;
mod lists;
mod observed;
mod pipeline;
mod processed;
mod rest;
mod session;
mod simulated_home;

pub use agent::{HomeAgent, HomeAgentSettings};
pub use entity_state::EntityState;
pub use error::HomeAgentError;
pub use session::MARK;
pub use simulated_home::{CaseStart, SimulatedHome};
