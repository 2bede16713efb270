//! A world of real MCP servers: their tools are offered as they are, every call and what it led to
//! is recorded, and recordings are replayed without the servers.

mod bench;
mod config;
#[cfg(feature = "live")]
mod live;
mod nearest;
mod offer;
mod patterns;
mod recording;
mod shared;
mod snapshot;
mod trial;
mod world;

pub use bench::{Answer, Bench, Benches, Fault};
pub use config::{Mask, McpConfig, Probes, Replay, ServerConfig, SetupConfig, ToolNames, servers};
#[cfg(feature = "live")]
pub use live::{LiveBenches, LiveSuite};
pub use recording::{
    RecordedServer, RecordedServers, RecordedTool, Recording, RecordingError, RecordingFiles,
};
pub use snapshot::{Setup, Snapshot, Thing};
pub use world::{McpWorld, McpWorldError};
