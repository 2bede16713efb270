//! The browser viewer: pages over a folder of logs, rendered on the server, on loopback only
//! unless told otherwise.
//!
//! [`Viewer`] says what is shown and [`serve`] shows it. State lives in the URL, everything works
//! without JavaScript, and whatever a model or a suite wrote is text and never markup.

mod assets;
mod background_cache;
mod brief;
mod compared;
mod connections;
mod conversation;
mod error;
mod feedback_access;
mod guard;
mod index;
mod layout;
mod library;
mod log_folder;
mod pages;
mod parameters;
mod query;
mod server;
mod site;
mod sorting;

pub use error::ViewError;
pub use guard::HostRule;
pub use server::{Viewer, run_address, serve};
