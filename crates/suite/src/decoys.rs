//! Cases that are asked several times, with more and more tools of other servers among their own.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{Case, CaseId};

use crate::suite::Suite;

impl Suite {
    /// With how many decoys each case is asked, by what the suite says of its world: once for each
    /// number. None for a suite that says nothing of them; an error is what is wrong with it.
    pub fn decoys(&self) -> Result<BTreeSet<usize>, String> {
        let number = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
        let counts: Option<BTreeSet<usize>> = match self.world.config.get(Case::DECOYS) {
            None => return Ok(BTreeSet::new()),
            Some(Value::Array(counts)) => counts.iter().map(number).collect(),
            Some(count) => number(count).map(|count| [count].into()),
        };
        counts.filter(|counts| !counts.is_empty()).ok_or_else(|| {
            "`decoys` is a list of whole numbers, such as [0, 10, 40], or one of them".to_owned()
        })
    }

    /// These cases with each number of decoys, the fewest first. As those of one file with several
    /// prefixes, the copies of a case are a group.
    pub(crate) fn with_decoys(&self, cases: Vec<Arc<Case>>) -> Vec<Arc<Case>> {
        let counts = self.decoys().unwrap_or_default();
        if counts.is_empty() {
            return cases;
        }
        let copies = counts.iter().flat_map(|count| {
            cases.iter().map(|case| {
                let mut copy = Case::clone(case);
                copy.id = id_with(*count, &case.id);
                copy.group = copy.group.or_else(|| Some(case.id.to_string()));
                copy.tags.insert(Case::DECOYS.to_owned(), count.to_string());
                Arc::new(copy)
            })
        });
        copies.collect()
    }

    /// Whether a case is among these, with whatever number of decoys.
    pub(crate) fn is_among(&self, case: &Case, only: &BTreeSet<CaseId>) -> bool {
        let counts = self.decoys().unwrap_or_default();
        only.contains(&case.id) || counts.iter().any(|n| only.contains(&id_with(*n, &case.id)))
    }
}

/// The name of a case with this many decoys. Without any it is the case itself.
fn id_with(decoys: usize, id: &CaseId) -> CaseId {
    match decoys {
        0 => id.clone(),
        count => CaseId::new(format!("decoys-{count}/{id}")),
    }
}
