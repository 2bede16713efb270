//! Importing homes: over the wire from recorded answers, from files, from a prompt.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod equal;
mod private;
mod refused;
mod server;
mod sources;
