//! What was odd about an answer, gathered while it is read.

use std::collections::BTreeSet;

use toolgauge_core::Oddity;

/// The odd things seen in one answer, each once and in a fixed order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oddities(BTreeSet<Oddity>);

impl Oddities {
    /// Notes an oddity.
    pub(crate) fn note(&mut self, oddity: Oddity) {
        self.0.insert(oddity);
    }

    /// Notes an oddity if it is there.
    pub(crate) fn note_if(&mut self, there: bool, oddity: Oddity) {
        if there {
            self.note(oddity);
        }
    }

    /// All of them.
    pub(crate) fn into_list(self) -> Vec<Oddity> {
        self.0.into_iter().collect()
    }
}
