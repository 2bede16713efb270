//! Which of the models that were run to take.

use indexmap::IndexMap;
use toolgauge_core::{CellName, RunEntry};
use toolgauge_engine::{ReadableLog, public_name};
use toolgauge_log::Log;
use toolgauge_report::{ChoiceTally, ModelChoice};

use crate::cell::Finished;
use crate::failure::Failure;
use crate::matrix::CellResult;

/// The choice between the models of several runs of one suite, if its cases are to be done in a
/// certain time: whoever set a limit wants to know who keeps it.
pub(super) fn of_runs(results: &[Finished]) -> Result<Option<ModelChoice>, Failure> {
    let mut tallies = IndexMap::new();
    for log in results.iter().flat_map(|result| &result.logs) {
        let readable = ReadableLog::of(log)?;
        let log = Log::open(readable.path())?;
        let run = log.run();
        let variant = run.variant.as_ref().map(|variant| format!(" · {variant}"));
        let name = public_name(&run.subject.name) + &variant.unwrap_or_default();
        add(&mut tallies, name, &log);
    }
    Ok(choice(tallies))
}

/// The same for the cells of a matrix. Tiers of one model are taken together.
pub(super) fn of_cells(cells: &[CellResult]) -> Result<Option<ModelChoice>, Failure> {
    let mut tallies = IndexMap::new();
    for CellResult { name, finished } in cells {
        for log in &finished.logs {
            add(&mut tallies, without_tier(name), &Log::open(log)?);
        }
    }
    Ok(choice(tallies))
}

fn add(tallies: &mut IndexMap<String, ChoiceTally>, name: String, log: &Log) {
    let tally =
        tallies.entry(name).or_insert_with_key(|name| ChoiceTally::new(name.clone(), log.run()));
    // What cannot be read is told with the summary of its log.
    log.summaries().flatten().for_each(|trial| tally.add(&trial));
}

fn choice(tallies: IndexMap<String, ChoiceTally>) -> Option<ModelChoice> {
    let tallies: Vec<ChoiceTally> = tallies.into_values().collect();
    let limited = |tally: &ChoiceTally| RunEntry::LatencyBudget.of(tally.run()).is_some();
    let suites = tallies.iter().map(|tally| &tally.run().suite.name);
    let is_one_suite = suites.collect::<std::collections::BTreeSet<_>>().len() == 1;
    if !is_one_suite || !tallies.iter().all(limited) {
        return None;
    }
    ModelChoice::of(tallies)
}

/// What a cell is of, apart from its tier.
fn without_tier(name: &CellName) -> String {
    let context = name.context.map(|tokens| format!("{tokens} tokens"));
    let parts = [name.quantisation.clone(), context, name.prompt.clone()];
    let parts = std::iter::once(name.model.clone()).chain(parts.into_iter().flatten());
    parts.collect::<Vec<_>>().join(" · ")
}
