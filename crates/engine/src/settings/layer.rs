//! Some settings, to be laid over others.

use toml::{Table, Value};

/// A layer of settings: only what was given is in it.
#[derive(Debug, Default)]
pub struct Layer(Table);

impl Layer {
    /// Puts a value into a section, if there is one.
    #[must_use]
    pub fn with(mut self, section: &str, key: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            let section = self.0.entry(section).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(section) = section {
                section.insert(key.to_owned(), value.into());
            }
        }
        self
    }

    /// The layer, to be laid over the others.
    pub fn table(self) -> Table {
        self.0
    }
}
