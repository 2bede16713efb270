//! Where the points went: losses added up by cause, by tool and by argument.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{Cause, Loss};

/// Where the points went. Each list begins with what cost most.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LossReport {
    /// All points lost; one task can lose one point.
    pub points: f64,
    /// By what went wrong.
    pub by_cause: Vec<CauseLosses>,
    /// By the tool that should have been called, or was called where none should have been.
    pub by_tool: Vec<ToolLosses>,
    /// By argument, positions in lists left open. Losses that concern no single argument are
    /// not in this list.
    pub by_argument: Vec<ArgumentLosses>,
    /// Losses left out of the last two lists because the file names too many tools or
    /// arguments.
    pub unlisted: u64,
}

/// What one cause cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CauseLosses {
    /// The cause.
    pub cause: Cause,
    /// The points lost by it.
    pub points: f64,
    /// How often it was met, at no cost included.
    pub count: u64,
}

/// What was lost at one tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolLosses {
    /// The tool.
    pub tool: String,
    /// The points lost at it.
    pub points: f64,
    /// How many losses there were.
    pub count: u64,
}

/// What was lost at one argument.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArgumentLosses {
    /// The tool.
    pub tool: String,
    /// The path to the argument: `passengers[].first_name`.
    pub argument: String,
    /// The points lost at it.
    pub points: f64,
    /// How many losses there were.
    pub count: u64,
}

/// How many different tools, and arguments of one tool, are told apart. A file that makes up
/// names without end must not take memory without end.
const MOST_NAMES: usize = 1_000;

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    points: f64,
    count: u64,
}

impl Sum {
    fn add(&mut self, points: f64) {
        self.points += points;
        self.count += 1;
    }
}

#[derive(Clone, Debug, Default)]
struct ToolTally {
    all: Sum,
    arguments: IndexMap<String, Sum>,
}

/// The losses so far.
#[derive(Clone, Debug, Default)]
pub(super) struct LossTally {
    points: f64,
    causes: BTreeMap<Cause, Sum>,
    tools: IndexMap<String, ToolTally>,
    unlisted: u64,
}

impl LossTally {
    pub(super) fn add(&mut self, losses: &[Loss]) {
        for loss in losses {
            self.points += loss.points;
            self.causes.entry(loss.cause).or_default().add(loss.points);
            if let Some(tool) = &loss.tool {
                self.add_at_tool(tool, loss);
            }
        }
    }

    fn add_at_tool(&mut self, tool: &str, loss: &Loss) {
        let Some(tally) = entry(&mut self.tools, tool) else {
            self.unlisted += 1;
            return;
        };
        tally.all.add(loss.points);
        if loss.path.is_root() {
            return;
        }
        match entry(&mut tally.arguments, &loss.path.without_positions()) {
            Some(sum) => sum.add(loss.points),
            None => self.unlisted += 1,
        }
    }

    pub(super) fn finish(self) -> LossReport {
        let causes = self.causes.into_iter();
        let mut by_cause: Vec<CauseLosses> = causes
            .map(|(cause, sum)| CauseLosses { cause, points: sum.points, count: sum.count })
            .collect();
        by_cause.sort_by(|a, b| b.points.total_cmp(&a.points));
        let mut by_tool = Vec::new();
        let mut by_argument = Vec::new();
        for (tool, tally) in self.tools {
            by_argument.extend(tally.arguments.into_iter().map(|(argument, sum)| ArgumentLosses {
                tool: tool.clone(),
                argument,
                points: sum.points,
                count: sum.count,
            }));
            by_tool.push(ToolLosses { tool, points: tally.all.points, count: tally.all.count });
        }
        // By name where points are level, so that the order of the file does not show.
        by_tool.sort_by(|a, b| b.points.total_cmp(&a.points).then_with(|| a.tool.cmp(&b.tool)));
        by_argument.sort_by(|a, b| {
            let by_name = || (&a.tool, &a.argument).cmp(&(&b.tool, &b.argument));
            b.points.total_cmp(&a.points).then_with(by_name)
        });
        LossReport { points: self.points, by_cause, by_tool, by_argument, unlisted: self.unlisted }
    }
}

/// The entry of `name`, made if there is room for it.
fn entry<'m, V: Default>(map: &'m mut IndexMap<String, V>, name: &str) -> Option<&'m mut V> {
    if !map.contains_key(name) {
        if map.len() >= MOST_NAMES {
            return None;
        }
        map.insert(name.to_owned(), V::default());
    }
    map.get_mut(name)
}
