//! Goes through the summaries of a log, from its lists where they are current and from the
//! samples where they are not.

use std::collections::VecDeque;
use std::thread;

use crate::archive::{Entry, Unpacker};
use crate::inspect::{ForeignSummary, SummaryRecord, plain_json};
use crate::source::{SUMMARIES, SUMMARIES_LIMIT, Source, TrialReader};
use crate::{LogError, TrialSummary};

/// The most lists that are read at once.
const MOST_THREADS: usize = 8;

/// The summaries of a log, one after another, in the order of the file.
#[derive(Debug)]
pub struct Summaries<'a> {
    source: &'a Source,
    own: bool,
    lists: VecDeque<(&'a str, &'a Entry)>,
    /// Of each member, whether its summary was given.
    given: Vec<bool>,
    ready: VecDeque<TrialSummary>,
    /// The next member to look at once the lists are through.
    next: usize,
    reader: TrialReader,
}

impl<'a> Summaries<'a> {
    pub(crate) fn new(source: &'a Source, own: bool) -> Self {
        let mut lists: VecDeque<_> = source.journal().into();
        let whole = source.entries.get(SUMMARIES).filter(|_| source.closed);
        // toolgauge reads its journal: its lists are small and can be told current from stale.
        if let Some(whole) = whole.filter(|_| !own || lists.is_empty()) {
            lists = VecDeque::from([(SUMMARIES, whole)]);
        }
        Self {
            source,
            own,
            lists,
            given: vec![false; source.entries.len()],
            ready: VecDeque::new(),
            next: 0,
            reader: TrialReader::new(),
        }
    }

    /// Reads as many lists as there are processors, each on one of them.
    fn take_lists(&mut self) {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let count = self.lists.len().min(processors).min(MOST_THREADS);
        let (source, own) = (self.source, self.own);
        let lists: Vec<_> = self.lists.drain(..count).collect();
        let read = match lists.as_slice() {
            [list] => vec![read_list(source, own, *list)],
            lists => thread::scope(|scope| {
                let threads: Vec<_> = lists
                    .iter()
                    .map(|list| scope.spawn(|| read_list(source, own, *list)))
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
            }),
        };
        for (place, summary) in read.into_iter().flatten() {
            if !std::mem::replace(&mut self.given[place], true) {
                self.ready.push_back(summary);
            }
        }
    }

    /// The samples that no list has, once all summaries were given.
    pub(crate) fn unlisted(&self) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        let unlisted = self.source.entries.iter().zip(&self.given).filter(|(_, given)| !**given);
        let members = unlisted.map(|((name, entry), _)| (&**name, entry));
        members.filter(|(name, _)| Source::is_sample(name))
    }

    /// The summary of the next sample that no list has.
    fn take_sample(&mut self) -> Option<Result<TrialSummary, LogError>> {
        while self.next < self.given.len() {
            let place = self.next;
            self.next += 1;
            let (name, entry) = self.source.entries.get_index(place)?;
            if !self.given[place] && Source::is_sample(name) {
                return Some(self.reader.summary(self.source, name, entry));
            }
        }
        None
    }
}

/// Reads one list: the summaries that are current, each with the place of its sample. A list
/// that is damaged is no loss, because the samples are read in its place.
fn read_list(source: &Source, own: bool, list: (&str, &Entry)) -> Vec<(usize, TrialSummary)> {
    let mut unpacker = Unpacker::new();
    let Ok(text) = source.unpack(&mut unpacker, list.0, list.1, SUMMARIES_LIMIT) else {
        return Vec::new();
    };
    let text = plain_json(text);
    let current = |(case, trial): (&str, u32)| current(source, case, trial, list);
    if own {
        let records: Vec<SummaryRecord> = serde_json::from_slice(&text).unwrap_or_default();
        let records = records.into_iter();
        records
            .filter_map(|record| Some((current(record.trial())?, record.into_summary()?)))
            .collect()
    } else {
        let records: Vec<ForeignSummary> = serde_json::from_slice(&text).unwrap_or_default();
        let records = records.into_iter();
        records
            .filter_map(|record| Some((current(record.trial())?, record.into_summary())))
            .collect()
    }
}

/// The place of the sample that a summary in `list` is of, if it is current.
///
/// A journal's list is written after its samples. If a sample stands behind the list, it was run
/// again since, and the summary is of the run before.
fn current(source: &Source, case: &str, trial: u32, list: (&str, &Entry)) -> Option<usize> {
    let place = source.place(case, trial)?;
    let (_, sample) = source.entries.get_index(place)?;
    (list.0 == SUMMARIES || sample.offset < list.1.offset).then_some(place)
}

impl Iterator for Summaries<'_> {
    type Item = Result<TrialSummary, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(summary) = self.ready.pop_front() {
                return Some(Ok(summary));
            }
            if self.lists.is_empty() {
                return self.take_sample();
            }
            self.take_lists();
        }
    }
}
