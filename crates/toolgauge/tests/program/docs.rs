//! The documentation: its links lead somewhere.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

mod links;
mod pages;
