//! What the simulator knows of the home: how each case finds it, and what calls do to it.

use serde_json::{Map, Value};
use toolgauge_core::{CaseId, ToolCall};

use crate::EntityState;

/// The home of a suite, to bring the real one into its states and to hold the two against each
/// other.
pub trait SimulatedHome: Send + Sync {
    /// The entities that the assistant may use.
    fn exposed(&self) -> Vec<String>;

    /// How a case finds the home; `None` for a case that is not known.
    fn start(&self, case: &CaseId) -> Option<CaseStart>;

    /// What calls change in a case: by entity, by property, the value before and after.
    fn changes(&self, case: &CaseId, calls: &[ToolCall]) -> Map<String, Value>;
}

/// How a case finds the home.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseStart {
    /// The `assist_satellite` entity of the device that is spoken to, if one is.
    pub satellite: Option<String>,
    /// The exposed entities.
    pub entities: Vec<EntityState>,
}
