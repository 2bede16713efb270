//! Models over real sockets: recorded answers, faults, secrets.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod anthropic;
mod chatbot;
mod faults;
mod keep_alive;
#[cfg(unix)]
mod llama;
mod preflight;
mod recordings;
mod secrets;
mod silence;
mod support;
