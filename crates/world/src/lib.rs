//! The worlds a subject can act in: the tools it may call, what it is told about them, and what
//! happens when it calls them.

pub mod business;
mod declared;
pub mod home_assistant;
mod world;

pub use declared::{CannedReply, DeclaredWorld};
pub use world::{ToolReply, World, WorldState};
