//! Importing homes: over the wire from recorded answers, from files, from a prompt.

mod equal;
mod private;
mod refused;
mod server;
mod sources;
