//! Runs suites: puts cases to subjects, carries out their calls, scores, and tells what happens
//! as one stream of events. Knows no terminal and no file.

mod breaker;
mod event;
mod first_trials;
mod judge;
mod judging;
mod likeness;
mod plan;
mod play;
mod run;
mod solver;
mod tool_schemas;
mod trial;

pub use breaker::Patience;
pub use event::{EventSink, RunEvent, SinkError};
#[doc(hidden)]
pub use first_trials::SameFailures;
pub use judge::check_judge_words;
pub use judge::{Criterion, Judge, Preference, Rubric, RubricError, Trace, Verdicts};
pub use likeness::{Embedder, LikenessGauge};
pub use plan::{Arm, Briefings, Job, Plan, Procedure};
pub use play::{end_states, play, proved};
pub use run::{Ending, RunLimits, StopSignal, run};
pub use solver::{Allowance, Solver};
pub use tool_schemas::ToolSchemas;
