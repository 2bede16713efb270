//! Home Assistant's world held against what the real one was recorded to say and do.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod confusions;
mod effects;
mod generated;
mod homes;
mod inventories;
mod oddities;
mod prompts;
mod properties;
mod recordings;
mod replay;
mod rules;
mod worlds;
