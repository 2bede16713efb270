//! What every world offers, and the world of declared tools with canned replies.

mod declared;
mod world;

pub use declared::{CannedReply, DeclaredWorld};
pub use world::{ToolReply, World, WorldState};
