//! A matrix: one suite on models × quantisations × contexts × prompts × tiers, read from a file.

mod form;
mod load;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Map, Value};

#[cfg(test)]
pub(crate) use self::form::{LIMITS, MATRIX, MODEL, PROMPT};
pub use self::load::load_matrix;
use crate::suite::{Sampling, Suite};

/// One suite on several models in several ways.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Its name; its logs are kept in a folder of that name.
    pub name: String,
    /// The suite, as it is named: a folder or file seen from the matrix, or a shipped suite.
    pub suite: String,
    /// The folder that paths in the file start from.
    pub folder: PathBuf,
    /// How often each case is executed, if the matrix says so.
    pub trials: Option<u32>,
    /// The scorers; none leaves the choice to the suite.
    pub scorers: Vec<String>,
    /// The models, in their order.
    pub models: Vec<MatrixModel>,
    /// The prompts by name; one without a name if the file has none.
    pub prompts: IndexMap<String, MatrixPrompt>,
    /// The tiers; none takes the suite's cases as they are.
    pub tiers: Vec<String>,
    /// What bounds each trial.
    pub limits: MatrixLimits,
}

/// A model that a matrix compares with others.
#[derive(Clone, Debug)]
pub struct MatrixModel {
    /// What tables call it.
    pub name: String,
    /// Where it is to be had.
    pub place: ModelPlace,
    /// The prompts it is run with.
    pub prompts: Vec<String>,
    /// How its answers are sampled.
    pub sampling: Sampling,
}

/// Where a model of a matrix is to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelPlace {
    /// In GGUF files, for each of which a server is started.
    Files {
        /// The files by quantisation.
        quantisations: IndexMap<String, PathBuf>,
        /// The contexts to give its servers, in tokens; none leaves it to the server.
        contexts: Vec<u64>,
        /// Further flags for its servers.
        flags: Vec<String>,
    },
    /// At a server that runs already, or within the program (`baseline`, `script:FILE`).
    Elsewhere {
        /// The name it is asked for by.
        model: String,
        /// Where; the run's own server when not given.
        base_url: Option<String>,
        /// The environment variable that holds the key.
        key_variable: Option<String>,
    },
}

/// A prompt of a matrix: a variant of the suite, or changes to its world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixPrompt {
    /// A variant of the suite.
    pub variant: Option<String>,
    /// What is changed about the suite's world.
    pub world: Map<String, Value>,
}

/// What bounds each trial of a matrix.
///
/// The defaults are those of the published runs of ha-voice-bench, so that results compare; a
/// model that thinks needs more, and 60 seconds is what they gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixLimits {
    /// Seconds one HTTP attempt may take.
    pub attempt_timeout: f64,
    /// How often a request is tried again.
    pub retries: u32,
    /// Seconds one trial may take, if that is bounded.
    pub trial_timeout: Option<f64>,
}

impl Default for MatrixLimits {
    fn default() -> Self {
        Self { attempt_timeout: 15.0, retries: 1, trial_timeout: None }
    }
}

/// What a matrix is checked against.
pub struct MatrixSurroundings<'a> {
    /// The suite of a name, as the matrix gives it; none if it cannot be read.
    pub suite: &'a dyn Fn(&str, &Path) -> Option<Suite>,
    /// The names of scorers that a matrix may ask for.
    pub scorers: &'a [&'a str],
}
