//! An OpenAI-compatible server in front of any subject, or a chatbot, with planned faults.

mod body;
mod chatbot;
mod counts;
mod delay;
mod plan;
mod responder;
mod server;
mod span;
mod wire;

pub use chatbot::Chatbot;
pub use counts::ServedCounts;
pub use delay::Delay;
pub use plan::{DrawnFaults, Fault, FaultPlan, PlanError};
pub use server::{serve, serve_chatbot};
#[doc(hidden)]
pub use wire::read_request;
