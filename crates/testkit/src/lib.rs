//! What the tests of every crate share: a server with faults, a log that means harm, a terminal.

pub mod hostile;
mod server;
#[cfg(unix)]
mod terminal;

pub use server::{Received, Response, Server};
#[cfg(unix)]
pub use terminal::Terminal;
