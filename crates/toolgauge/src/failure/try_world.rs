//! Why calls cannot be tried by hand.

use toolgauge_business::{DatabaseError, DocumentError};
use toolgauge_home_assistant::generate::HomeSuiteError;
use toolgauge_home_assistant::{InventoryError, SettingError};

/// Why calls cannot be tried.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TryFailure {
    /// The inventory cannot be used.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    /// The home cannot be spoken to like this.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No suite can be made for the home.
    #[error(transparent)]
    HomeSuite(#[from] HomeSuiteError),
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The documents cannot be used.
    #[error(transparent)]
    Documents(#[from] DocumentError),
    /// A line is no call.
    #[error("line {line} is not a call: {why}")]
    NotACall {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}
