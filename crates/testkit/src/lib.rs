//! What the tests of every crate share: a server with faults, builders, snapshot filters.

mod server;

pub use server::{Received, Response, Server};
