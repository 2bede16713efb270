//! One task of a results file, where it stands in the text.

use super::actions::KnownActions;
use super::edits::Edits;
use super::evidence::TauTrial;
use super::skim::Skim;
use super::splice::{Additions, splice};

/// One (task, trial) of a results file, as it is written there.
#[derive(Clone, Copy, Debug)]
pub struct TauTask<'a> {
    /// Its number in the file, counted from 0.
    pub index: u64,
    /// The object, from brace to brace.
    pub text: &'a [u8],
    /// Where it begins in the bytes of its batch.
    pub(super) start: usize,
    pub(super) skim: &'a Skim,
}

impl TauTask<'_> {
    /// Whether it has anything of what a task has.
    pub fn looks_like_one(&self) -> bool {
        let Skim { reward, info, trajectory, .. } = self.skim;
        reward.is_some() || info.failed || info.actions.is_some() || !trajectory.is_missing()
    }

    /// What the task says about its trial.
    pub fn trial(&self) -> TauTrial {
        self.trial_with(&mut KnownActions::default())
    }

    /// The same, with less work where the task was read before.
    pub fn trial_with(&self, known: &mut KnownActions) -> TauTrial {
        TauTrial::of(self.text, self.skim, known)
    }

    /// Notes in the edits of its batch the members that are added to the task or, where it has
    /// them already, their new values.
    pub fn add(&self, additions: &Additions<'_>, edits: &mut Edits) {
        splice(self.text, self.start, self.skim, additions, edits);
    }

    /// Appends the task's text to `out`, with the same changes.
    pub fn write_with(&self, additions: &Additions<'_>, out: &mut Vec<u8>) {
        let mut edits = Edits::default();
        splice(self.text, 0, self.skim, additions, &mut edits);
        out.extend(edits.pieces(self.text, 0..self.text.len()).concat());
    }
}
