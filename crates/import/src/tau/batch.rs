//! Several parts of a results file at once, so that they can be handed to another thread.

use std::ops::Range;

use super::edits::Edits;
use super::skim::Skim;
use super::task::TauTask;

/// Consecutive parts of a results file, with their text. A batch is filled by
/// [`TauReader::read`](super::TauReader::read) again and again, to save allocations.
#[derive(Debug, Default)]
pub struct Batch {
    pub(super) bytes: Vec<u8>,
    places: Vec<PartPlace>,
    /// What was found in the tasks; those beyond the tasks of the batch are left from before.
    skims: Vec<Skim>,
    tasks: usize,
}

/// One part of a results file; all parts together are the file.
#[derive(Clone, Copy, Debug)]
pub enum BatchPart<'a> {
    /// Brackets, commas and white space around the tasks.
    Text(&'a [u8]),
    /// One task.
    Task(TauTask<'a>),
}

#[derive(Debug)]
enum PartPlace {
    Text(Range<usize>),
    Task { index: u64, span: Range<usize>, skim: usize },
}

impl Batch {
    /// The parts, in the order of the file.
    pub fn parts(&self) -> impl Iterator<Item = BatchPart<'_>> {
        self.places.iter().map(|place| match place {
            PartPlace::Text(span) => BatchPart::Text(&self.bytes[span.clone()]),
            PartPlace::Task { index, span, skim } => BatchPart::Task(TauTask {
                index: *index,
                text: &self.bytes[span.clone()],
                start: span.start,
                skim: &self.skims[*skim],
            }),
        })
    }

    /// How many bytes of the file the parts take.
    pub fn length(&self) -> usize {
        self.span().len()
    }

    /// The text of all parts with the edits made, piece by piece; no piece is empty.
    pub fn pieces<'a>(&'a self, edits: &'a Edits) -> Vec<&'a [u8]> {
        edits.pieces(&self.bytes, self.span())
    }

    /// Where the parts stand, each of which begins where the one before ends.
    fn span(&self) -> Range<usize> {
        let span = |place: &PartPlace| match place {
            PartPlace::Text(span) | PartPlace::Task { span, .. } => span.clone(),
        };
        let start = self.places.first().map_or(0, |first| span(first).start);
        start..self.places.last().map_or(start, |last| span(last).end)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.tasks = 0;
    }

    pub(super) fn push_text(&mut self, span: Range<usize>) {
        self.places.push(PartPlace::Text(span));
    }

    /// Adds the task that was just skimmed with [`Batch::next_skim`].
    pub(super) fn push_task(&mut self, index: u64, span: Range<usize>) {
        self.places.push(PartPlace::Task { index, span, skim: self.tasks });
        self.tasks += 1;
    }

    /// Where the findings of the next task go.
    pub(super) fn next_skim(&mut self) -> &mut Skim {
        if self.skims.len() == self.tasks {
            self.skims.push(Skim::default());
        }
        &mut self.skims[self.tasks]
    }
}
