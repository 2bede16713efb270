//! The browser viewer: pages over a folder of logs, rendered on the server, on loopback only
//! unless told otherwise.
//!
//! [`Viewer`] says what is shown and [`serve`] shows it. State lives in the URL, everything works
//! without JavaScript, and whatever a model or a suite wrote is text and never markup.

mod assets;
mod background_cache;
mod base_path;
mod brief;
mod compared;
mod connections;
mod conversation;
mod download;
mod error;
mod feedback_access;
pub mod fuzzing;
mod glossary;
mod guard;
mod index;
mod json_tree;
mod layout;
mod library;
mod list_column;
mod log_folder;
mod login;
mod markdown;
mod pages;
mod parameters;
mod query;
mod rerun;
mod search;
mod server;
mod site;
mod sorting;

pub use base_path::BasePath;
pub use error::ViewError;
pub use guard::HostRule;
pub use login::ViewerPassword;
pub use rerun::RerunCommand;
pub use server::{Viewer, run_address, serve};
