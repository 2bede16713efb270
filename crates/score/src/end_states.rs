//! What the calls of a trial led to, for the scorer that judges by it.

use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{FailurePattern, WorldThing};

/// What calls led to: the end of a world in which they were played, and what it answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// The end state: by kind, either things with their changed properties (each the value
    /// before and after), or lists of what there is.
    pub end: Arc<Value>,
    /// What the calls changed: by thing, by property, a list of the value before and after. A
    /// thing that is one value has that list itself.
    pub changes: Arc<Value>,
    /// What the tools answered, in order.
    pub answers: Vec<PlayedAnswer>,
    /// Why the world could not answer all calls, so that the end says nothing.
    pub broken: Option<String>,
}

/// What a tool answered when calls were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedAnswer {
    /// The answer, as a subject would see it.
    pub content: String,
    /// Whether the tool refused or failed.
    pub failed: bool,
}

/// What the calls of a trial led to, beside what every accepted way would have led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndStates {
    /// The end of the world if nothing is called.
    pub untouched: Arc<Value>,
    /// The accepted ways: the expectation's own, where it has calls, then its alternatives.
    pub expected: Vec<Played>,
    /// The calls that were made.
    pub actual: Played,
    /// Further ends that each accepted way allows, in the order of `expected`: a number at both
    /// ends of its tolerance, and each value that is accepted in place of another.
    pub allowed: Vec<Vec<Arc<Value>>>,
    /// The things of the world as the calls that were made left them.
    pub things: Vec<Arc<WorldThing>>,
    /// The touched things with which a mistake may do harm, by their ids.
    pub guarded: Vec<String>,
    /// The known ways to fail in this world, and whether the trial shows them.
    pub patterns: Vec<PatternSighting>,
}

/// A known way to fail, and whether a trial shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSighting {
    /// The way to fail.
    pub pattern: FailurePattern,
    /// Whether the trial shows it. The scorer passes over failures of trials that it finds right.
    pub seen: bool,
}
