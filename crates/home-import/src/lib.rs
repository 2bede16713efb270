//! Somebody's own home as an inventory: read from a running Home Assistant, from a copy of its
//! files, or from the text of a prompt.
//!
//! Nothing is ever changed in a home that is read: [`ReadRequest`] lists all that an import can
//! send. [`HomeConnection`] can send more; only what measures a test instance uses it.

mod address;
mod assemble;
mod connection;
mod default_state;
mod document;
mod error;
mod folder;
pub mod fuzzing;
mod live;
mod names;
mod private;
mod prompt_text;
mod records;
mod request;
mod socket;
mod storage;
mod token;
mod wire;

pub use assemble::assemble;
pub use connection::HomeConnection;
pub use document::{AreaDocument, EntityDocument, FloorDocument, HomeDocument, SatelliteDocument};
pub use error::HomeImportError;
pub use folder::{HOME_FILE, check_target, write_home};
pub use live::read_live;
pub use private::make_private;
pub use prompt_text::read_prompt;
pub use records::HomeRecords;
pub use request::ReadRequest;
pub use storage::read_storage;
pub use token::HomeToken;
pub use wire::Refusal;
