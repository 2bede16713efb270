//! What every world offers, the world of declared tools with canned replies, and decoys in any
//! world.

mod declared;
mod decoys;
mod regular_file;
mod world;

pub use declared::{CannedReply, DeclaredWorld};
pub use decoys::{Decoy, DecoyWorld};
pub use regular_file::{check_regular, read_regular, read_text};
pub use world::{ProofFound, ToolReply, World, WorldState};
