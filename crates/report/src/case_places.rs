//! The cases of a run by number.

use std::sync::Arc;

use indexmap::IndexSet;
use toolgauge_core::{CaseId, CaseTable, Run};

use crate::case_stream::CaseNumber;

/// The cases of a run by their places in its plan, and behind them those that were met beside it.
/// The names of the plan are shared with the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct CasePlaces {
    planned: Arc<[CaseId]>,
    table: CaseTable,
    beside: IndexSet<CaseId>,
}

impl CasePlaces {
    pub(crate) fn of(run: &Run) -> Self {
        let planned = Arc::clone(&run.cases);
        Self { table: CaseTable::of(&planned), planned, beside: IndexSet::new() }
    }

    /// The place of a case in the plan, if it is planned.
    pub(crate) fn planned(&self, case: &CaseId) -> Option<usize> {
        self.table.find(case, &self.planned)
    }

    /// The place of a case that was met.
    pub(crate) fn place(&self, case: &CaseId) -> Option<usize> {
        let beside = || self.beside.get_index_of(case);
        self.planned(case).or_else(|| beside().map(|place| self.planned.len() + place))
    }

    /// The number of a case, which may be met for the first time.
    pub(crate) fn number(&mut self, case: &CaseId) -> CaseNumber {
        let number = self
            .place(case)
            .unwrap_or_else(|| self.planned.len() + self.beside.insert_full(case.clone()).0);
        CaseNumber(u32::try_from(number).expect("a run has fewer than four billion cases"))
    }

    /// The case of that number.
    pub(crate) fn case(&self, number: CaseNumber) -> Option<&CaseId> {
        let place = number.0 as usize;
        let beside = || self.beside.get_index(place - self.planned.len());
        self.planned.get(place).or_else(beside)
    }
}
