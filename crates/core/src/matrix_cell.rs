//! Which cell of which matrix a run is.

use serde::{Deserialize, Serialize};

/// Which matrix a run belongs to, and which of its cells it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatrixCell {
    /// The matrix, as its file names it.
    pub name: String,
    /// The model, the prompt and the rest that the run was made with.
    pub cell: CellName,
}

/// What tells one cell of a matrix from the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellName {
    /// The model, as the matrix calls it.
    pub model: String,
    /// Its quantisation, if the matrix names one.
    pub quantisation: Option<String>,
    /// The context its server was given, in tokens.
    pub context: Option<u64>,
    /// The prompt, as the matrix calls it.
    pub prompt: Option<String>,
    /// The tier, in suites that have tiers.
    pub tier: Option<String>,
}
