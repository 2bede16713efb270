//! Models over real sockets: recorded answers, faults, secrets.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod faults;
mod recordings;
mod support;
