//! What people say about trials: a SQLite file beside the logs, and cases made from corrections.

mod lines;
pub mod promotion;
mod store;

pub use lines::{FeedbackLineError, read_lines};
pub use store::{FILE_NAME, FeedbackEntry, FeedbackError, FeedbackStore};
