//! What every world offers, and the world of declared tools with canned replies.

mod declared;
mod regular_file;
mod world;

pub use declared::{CannedReply, DeclaredWorld};
pub use regular_file::{check_regular, read_regular, read_text};
pub use world::{ProofFound, ToolReply, World, WorldState};
