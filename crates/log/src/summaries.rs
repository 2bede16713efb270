//! Goes through the summaries of a log, from its lists where they are current and from the
//! samples where they are not.

use std::collections::VecDeque;

use crate::archive::{Entry, Unpacker};
use crate::inspect::{ForeignSummary, SummaryRecord, plain_json};
use crate::source::{SUMMARIES, SUMMARIES_LIMIT, Source, TrialReader};
use crate::{LogError, TrialSummary};

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
    unpacker: Unpacker,
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
            unpacker: Unpacker::new(),
            reader: TrialReader::new(),
        }
    }

    /// Reads one list. A list that is damaged is no loss: the samples are read in its place.
    fn take_list(&mut self, name: &str, list: &Entry) {
        let Ok(text) = self.source.unpack(&mut self.unpacker, name, list, SUMMARIES_LIMIT) else {
            return;
        };
        let text = plain_json(text);
        if self.own {
            let records: Vec<SummaryRecord> = serde_json::from_slice(&text).unwrap_or_default();
            for record in records {
                let (case, trial) = record.trial();
                let place = self.current(case, trial, list, name);
                let summary = place.and_then(|place| Some((place, record.into_summary()?)));
                self.ready.extend(summary.map(|(place, summary)| {
                    self.given[place] = true;
                    summary
                }));
            }
        } else {
            let records: Vec<ForeignSummary> = serde_json::from_slice(&text).unwrap_or_default();
            for record in records {
                let (case, trial) = record.trial();
                if let Some(place) = self.current(case, trial, list, name) {
                    self.given[place] = true;
                    self.ready.push_back(record.into_summary());
                }
            }
        }
    }

    /// The place of the sample that a summary in `list` is of, if it is the first current one.
    ///
    /// A journal's list is written after its samples. If a sample stands behind the list, it
    /// was run again since, and the summary is of the run before.
    fn current(&self, case: &str, trial: u32, list: &Entry, name: &str) -> Option<usize> {
        let place = self.source.place(case, trial)?;
        let (_, sample) = self.source.entries.get_index(place)?;
        let fresh = name == SUMMARIES || sample.offset < list.offset;
        (fresh && !self.given[place]).then_some(place)
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

impl Iterator for Summaries<'_> {
    type Item = Result<TrialSummary, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(summary) = self.ready.pop_front() {
                return Some(Ok(summary));
            }
            match self.lists.pop_front() {
                Some((name, list)) => self.take_list(name, list),
                None => return self.take_sample(),
            }
        }
    }
}
