//! Reads how cases are put to a subject.

use serde_json::Value;

use crate::fields::{FieldNames, ObjectFields};
use crate::nearest::suggest;
use crate::suite::{LoopLimits, SolverSpec};

pub(crate) static SOLVER: FieldNames = FieldNames {
    noun: "a solver",
    fields: &["kind", "max_turns", "max_tokens", "max_seconds"],
    synonyms: &[("timeout", "max_seconds"), ("turns", "max_turns")],
};

pub(crate) const SOLVERS: &[&str] = &["capture", "loop"];

/// Reads the solver of a suite.
pub(crate) fn read_solver(fields: &mut ObjectFields<'_>) -> SolverSpec {
    let trail = fields.trail.key("solver");
    let findings = fields.findings;
    let Some(value) = fields.take("solver") else { return SolverSpec::default() };
    let (kind, limits) = match value {
        Value::String(kind) => (Some(kind), LoopLimits::default()),
        value => {
            let Some(mut fields) = ObjectFields::open(value, &SOLVER, &trail, findings) else {
                return SolverSpec::default();
            };
            let turns = fields.whole("max_turns", 1);
            let default = LoopLimits::default();
            let limits = LoopLimits {
                max_turns: turns
                    .map_or(default.max_turns, |turns| u32::try_from(turns).unwrap_or(u32::MAX)),
                max_tokens: fields.whole("max_tokens", 1),
                max_seconds: fields.amount("max_seconds"),
            };
            (fields.required_text("kind", "it takes `capture` or `loop`"), limits)
        }
    };
    match kind.as_deref() {
        Some("loop") => SolverSpec::Loop(limits),
        Some("capture") if limits != LoopLimits::default() => {
            let hint = "write `kind: loop`, or leave the limits out".to_owned();
            findings.error_with(&trail, "only a loop has limits", hint);
            SolverSpec::Capture
        }
        Some("capture") | None => SolverSpec::Capture,
        Some(other) => {
            let hint = suggest(other, "solvers", SOLVERS);
            findings.error_with(&trail, format!("unknown solver `{other}`"), hint);
            SolverSpec::Capture
        }
    }
}
