//! What people say about trials: a SQLite file beside the logs, and cases made from corrections.

pub mod promotion;
mod store;

pub use store::{FILE_NAME, FeedbackEntry, FeedbackError, FeedbackStore};
