//! Home Assistant's world held against what the real one was recorded to say and do.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "home_assistant/calls.rs"]
mod calls;
#[path = "home_assistant/homes.rs"]
mod homes;
#[path = "home_assistant/inventories.rs"]
mod inventories;
#[path = "home_assistant/prompts.rs"]
mod prompts;
#[path = "home_assistant/properties.rs"]
mod properties;
#[path = "home_assistant/recordings.rs"]
mod recordings;
#[path = "home_assistant/rules.rs"]
mod rules;
#[path = "home_assistant/worlds.rs"]
mod worlds;
