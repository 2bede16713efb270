//! What was typed, as a layer of settings.

use std::path::PathBuf;

use toml::{Table, Value};

use crate::failure::Failure;
use crate::settings::Settings;

/// Flags as a layer of settings: only what was given is in it.
#[derive(Debug, Default)]
pub(crate) struct Layer(Table);

impl Layer {
    /// Puts a value into a section, if there is one.
    #[must_use]
    pub(crate) fn with(
        mut self,
        section: &str,
        key: &str,
        value: Option<impl Into<Value>>,
    ) -> Self {
        if let Some(value) = value {
            let section = self.0.entry(section).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(section) = section {
                section.insert(key.to_owned(), value.into());
            }
        }
        self
    }

    /// The layer, to be laid over the others.
    pub(crate) fn table(self) -> Table {
        self.0
    }
}

/// The folder of logs: the one that was named, else that of the settings.
pub(crate) fn log_folder(named: Option<&str>) -> Result<PathBuf, Failure> {
    let layer = Layer::default().with("run", "log_dir", named);
    Ok(PathBuf::from(Settings::resolve(&[layer.table()])?.run.log_dir))
}
