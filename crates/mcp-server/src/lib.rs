//! The tools that a coding agent uses over MCP: run, summary, compare, failing cases, check, prompt.
//!
//! Each call runs one command of `toolgauge` as a child process and returns what it prints. So an
//! agent sees what a person sees, a command that fails does not end the server, and nothing but the
//! protocol reaches stdout. An agent never names a program: it chooses among models that the person
//! who started the server named, and among files below one folder.
#![cfg(feature = "sdk")]

mod child;
mod error;
mod folder;
mod server;
mod tools;

pub use error::McpServerError;
pub use server::{McpServer, serve_stdio};
