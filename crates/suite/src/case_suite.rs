//! Suites that come from no suite file, such as the questions of another benchmark.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Map;
use toolgauge_core::{ArgumentRules, Case};

use crate::hash::hash;
use crate::source::SuiteFiles;
use crate::suite::{Sampling, SolverSpec, Suite, WorldSpec};

impl Suite {
    /// A suite of cases that come from no suite file, and have tools of their own.
    pub fn of_cases(name: String, scorers: Vec<String>, cases: Vec<Arc<Case>>) -> Self {
        let mut suite = Self {
            files: SuiteFiles::none(&name),
            name,
            description: String::new(),
            version: None,
            hash: String::new(),
            world: WorldSpec::default(),
            tools: Vec::new(),
            replies: IndexMap::new(),
            system: None,
            variables: Map::new(),
            solver: SolverSpec::Capture,
            scorers,
            rules: ArgumentRules::default(),
            variants: IndexMap::new(),
            trials: 1,
            latency_budget: None,
            quick: Vec::new(),
            sampling: Sampling::default(),
            cases,
            origins: Vec::new(),
            file_names: Vec::new(),
            tool_origins: Vec::new(),
            all_tools_read: true,
        };
        suite.hash = hash(&suite);
        suite
    }
}
