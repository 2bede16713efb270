//! Scorers by example, by property, and against an independent program.

mod classic;
mod documented;
mod partial;
mod properties;
mod tool_calls;
