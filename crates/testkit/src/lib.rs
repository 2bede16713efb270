//! What the tests of every crate share: a server with faults, a log that means harm.

pub mod hostile;
mod server;

pub use server::{Received, Response, Server};
