//! Scorers by example, by property, and against an independent program.

mod classic;
mod documented;
mod partial;
mod peer_packages;
mod peers;
mod properties;
mod sizes;
mod tool_calls;
