//! Which cell of which matrix a run is.

use serde::{Deserialize, Serialize};
use toolgauge_report::CellName;

/// Which matrix a run belongs to, and which of its cells it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatrixCell {
    pub name: String,
    pub cell: CellName,
}
