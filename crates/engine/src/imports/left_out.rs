//! Runs that cannot be read, beside others that can.

use std::path::Path;

use crate::error::EngineError;

/// Why runs of one input cannot be read. A folder may hold some of these, but not only such; a file
/// that was named must be readable.
pub struct LeftOut {
    is_folder: bool,
    errors: Vec<EngineError>,
}

impl LeftOut {
    /// Nothing is left out of the input yet.
    pub fn of(input: &Path) -> Self {
        Self { is_folder: input.is_dir(), errors: Vec::new() }
    }

    /// Leaves a run out, if others may lie beside it.
    pub fn add(&mut self, error: EngineError) -> Result<(), EngineError> {
        if !self.is_folder {
            return Err(error);
        }
        // Several runs may need the same file.
        let told = error.to_string();
        if self.errors.iter().all(|known| known.to_string() != told) {
            self.errors.push(error);
        }
        Ok(())
    }

    /// What was left out beside so many runs that were read.
    pub fn beside(self, read: usize) -> Result<Vec<EngineError>, EngineError> {
        let mut errors = self.errors;
        if read == 0 && !errors.is_empty() { Err(errors.swap_remove(0)) } else { Ok(errors) }
    }
}
