//! Goes through the summaries of a log, from its lists where they are current and from the
//! samples where they are not.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::archive::{MemberEntry, Unpacker};
use crate::inspect::{ForeignSummary, SummaryRecord, plain_json, sample_member};
use crate::source::{LogSource, SUMMARIES, SUMMARIES_LIMIT, TrialReader, WRONG_NAME, is_misnamed};
use crate::{LogError, TrialSummary, is_address};

/// The most lists that are read at once.
const MOST_THREADS: usize = 8;

/// The longest list that is read whole from a store, in bytes: all of it is in memory at once.
const LONGEST_WHOLE: u64 = 32 << 20;

/// The summaries of a log, one after another, in the order of the file. What cannot be read is
/// an error in its place, and the others go on.
#[derive(Debug)]
pub struct Summaries<'a> {
    source: &'a LogSource,
    own: bool,
    lists: VecDeque<(&'a str, &'a MemberEntry)>,
    /// Of each member, whether its summary was given.
    given: Vec<bool>,
    /// Whether a list held a summary that is not current.
    stale: bool,
    ready: VecDeque<TrialSummary>,
    /// The samples of toolgauge's that a list names and that are not there.
    missing: BTreeSet<String>,
    /// The lists that cannot be read.
    unreadable: Vec<&'a str>,
    /// The next member to look at once the lists are through.
    next: usize,
    /// How many of the stretches that cannot be read were told.
    lost: usize,
    reader: TrialReader,
}

impl<'a> Summaries<'a> {
    pub(crate) fn new(source: &'a LogSource, own: bool) -> Self {
        let mut lists: VecDeque<_> = source.journal().into();
        // The whole list is the last thing written; in an unclosed file it may be of an
        // earlier part of the run.
        let whole = source.entries.get(SUMMARIES).filter(|_| source.closed);
        // toolgauge reads its journal: its lists are small and can be told current from stale. In a
        // store each of them would cost a request.
        let is_one_request =
            |whole: &MemberEntry| is_address(&source.path) && whole.size <= LONGEST_WHOLE;
        let is_better = |whole: &&MemberEntry| !own || lists.is_empty() || is_one_request(whole);
        if let Some(whole) = whole.filter(is_better) {
            lists = VecDeque::from([(SUMMARIES, whole)]);
        }
        Self {
            source,
            own,
            lists,
            given: vec![false; source.entries.len()],
            stale: false,
            ready: VecDeque::new(),
            missing: BTreeSet::new(),
            unreadable: Vec::new(),
            next: 0,
            lost: 0,
            reader: TrialReader::new(),
        }
    }

    /// The summaries of what stands behind the members that are known, and behind the stretches
    /// that were lost already.
    pub(crate) fn since(source: &'a LogSource, own: bool, known: usize, lost: usize) -> Self {
        let mut new = Self { lost, next: known, ..Self::new(source, own) };
        new.given[..known.min(source.entries.len())].fill(true);
        new.lists.retain(|(name, _)| {
            source.entries.get_index_of(*name).is_some_and(|place| place >= known)
        });
        new
    }

    /// Hands every summary to `take`, in the same order, while others are being read. Faster than
    /// going through them one by one, since reading and taking go on side by side.
    pub fn for_each_ahead(mut self, mut take: impl FnMut(Result<TrialSummary, LogError>)) {
        let (source, own) = (self.source, self.own);
        let lists: Vec<_> = self.lists.drain(..).collect();
        let count = threads(lists.len());
        thread::scope(|scope| {
            let lists = &lists;
            let readers: Vec<_> = (0..count)
                .map(|first| {
                    // One list ahead for each thread bounds the memory, however slow `take` is.
                    let (sender, receiver) = mpsc::sync_channel(1);
                    scope.spawn(move || {
                        let mut unpacker = Unpacker::new();
                        lists.iter().skip(first).step_by(count).try_for_each(|list| {
                            sender.send(read_list(source, own, &mut unpacker, *list))
                        })
                    });
                    receiver
                })
                .collect();
            for place in 0..lists.len() {
                // Lists were dealt out in turn, so asking the threads in turn gives the order of
                // the file.
                let list = readers[place % count].recv().unwrap_or_default();
                self.accept(lists[place].0, list);
                self.ready.drain(..).map(Ok).for_each(&mut take);
            }
        });
        self.by_ref().for_each(take);
    }

    /// The summaries that the lists hold.
    pub(crate) fn next_listed(&mut self) -> Option<TrialSummary> {
        while self.ready.is_empty() && !self.lists.is_empty() {
            self.take_lists();
        }
        self.ready.pop_front()
    }

    /// Whether one of the lists read so far held a summary of a trial that was run again since.
    pub(crate) fn has_stale(&self) -> bool {
        self.stale
    }

    /// The lists read so far that are none, although their checksums match.
    pub(crate) fn unreadable(&self) -> &[&'a str] {
        &self.unreadable
    }

    /// Takes note of what a list holds.
    fn accept(&mut self, name: &'a str, list: Option<ListRead>) {
        let Some(list) = list else {
            self.unreadable.push(name);
            // The journal says the same.
            if self.own && name == SUMMARIES {
                self.lists = self.source.journal().into();
            }
            return;
        };
        self.stale |= list.stale;
        self.missing.extend(list.missing);
        for (place, summary) in list.current {
            // A trial that two lists name is given once, and the writer counts everything anew.
            if std::mem::replace(&mut self.given[place], true) {
                self.stale = true;
            } else {
                self.ready.push_back(summary);
            }
        }
    }

    /// Reads as many lists as there are processors, each on one of them.
    fn take_lists(&mut self) {
        let count = threads(self.lists.len()).min(self.lists.len());
        let (source, own) = (self.source, self.own);
        let lists: Vec<_> = self.lists.drain(..count).collect();
        let read = match lists.as_slice() {
            [list] => vec![read_list(source, own, &mut Unpacker::new(), *list)],
            lists => thread::scope(|scope| {
                let threads: Vec<_> = lists
                    .iter()
                    .map(|list| scope.spawn(|| read_list(source, own, &mut Unpacker::new(), *list)))
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
            }),
        };
        for ((name, _), list) in lists.into_iter().zip(read) {
            self.accept(name, list);
        }
    }

    /// The samples that no list has, once all summaries were given.
    pub(crate) fn unlisted(&self) -> impl Iterator<Item = (&'a str, &'a MemberEntry)> {
        let unlisted = self.source.entries.iter().zip(&self.given).filter(|(_, given)| !**given);
        let members = unlisted.map(|((name, entry), _)| (&**name, entry));
        members.filter(|(name, _)| LogSource::is_sample(name))
    }

    /// The summary of the next sample that no list has.
    fn take_sample(&mut self) -> Option<Result<TrialSummary, LogError>> {
        while self.next < self.given.len() {
            let place = self.next;
            self.next += 1;
            let (name, entry) = self.source.entries.get_index(place)?;
            if self.given[place] {
                continue;
            }
            if LogSource::is_sample(name) {
                return Some(self.read_sample(name, entry));
            }
            if self.own && is_misnamed(name) {
                let read = self.read_sample(name, entry);
                let other = |_| self.source.damage(name, WRONG_NAME);
                return Some(read.map_err(|error| match error {
                    LogError::Misnamed { .. } => error,
                    error => other(error),
                }));
            }
        }
        self.lost += 1;
        if let Some(stretch) = self.source.lost.get(self.lost - 1) {
            return Some(Err(self.source.lost_stretch(stretch)));
        }
        // What is missing must have been in those stretches, if there are any.
        let missing = self.missing.pop_first().filter(|_| self.source.lost.is_empty())?;
        Some(Err(self.source.damage(&missing, "a list names it, and it is not there")))
    }

    fn read_sample(&mut self, name: &str, entry: &MemberEntry) -> Result<TrialSummary, LogError> {
        let summary = self.reader.summary(self.source, name, entry);
        if let Err(LogError::Misnamed { trial, .. }) = &summary {
            // It is here, if by another name; once is enough.
            self.missing.remove(&sample_member(trial.case.as_str(), trial.trial));
        }
        summary
    }
}

/// How many threads to read so many lists with: at least one.
fn threads(lists: usize) -> usize {
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    lists.min(processors).clamp(1, MOST_THREADS)
}

/// What a list held.
#[derive(Debug, Default)]
struct ListRead {
    /// The summaries that are current, each with the place of its sample.
    current: Vec<(usize, TrialSummary)>,
    /// Whether there were others.
    stale: bool,
    /// The samples it names that are not there, if the log is toolgauge's own.
    missing: Vec<String>,
}

/// Reads one list. `None` for one that is damaged: it is no loss, because the samples are read in
/// its place.
fn read_list(
    source: &LogSource,
    own: bool,
    unpacker: &mut Unpacker,
    list: (&str, &MemberEntry),
) -> Option<ListRead> {
    let text = source.unpack(unpacker, list.0, list.1, SUMMARIES_LIMIT).ok()?;
    let text = plain_json(text).ok()?;
    let (mut held, mut kept, mut missing) = (0, Vec::new(), Vec::new());
    let current = |(case, trial): (&str, u32)| current(source, case, trial, list);
    let read = if own {
        each(&text, |record: SummaryRecord<'_>| {
            held += 1;
            let (case, trial) = record.trial();
            if source.place(case, trial).is_none() {
                missing.push(sample_member(case, trial));
            }
            kept.extend(current((case, trial)).zip(record.into_summary()));
        })
    } else {
        each(&text, |record: ForeignSummary<'_>| {
            held += 1;
            kept.extend(current(record.trial()).map(|place| (place, record.into_summary())));
        })
    };
    // A list that breaks off gives nothing: its samples are then read themselves, and none twice.
    read?;
    Some(ListRead { stale: held == 0 || held > kept.len(), current: kept, missing })
}

/// Hands over the items of a list as they are read, so that they are not all held at once;
/// `None` if something is wrong with the list.
fn each<'a, T: Deserialize<'a>>(text: &'a str, take: impl FnMut(T)) -> Option<()> {
    struct Items<T, F>(F, PhantomData<T>);
    impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Items<T, F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of summaries")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
            while let Some(item) = items.next_element()? {
                (self.0)(item);
            }
            Ok(())
        }
    }
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_seq(Items(take, PhantomData)).ok()?;
    json.end().ok()
}

/// The place of the sample that a summary in `list` is of, if it is current.
///
/// A journal's list is written after its samples. If a sample stands behind the list, it was run
/// again since, and the summary is of the run before.
fn current(
    source: &LogSource,
    case: &str,
    trial: u32,
    list: (&str, &MemberEntry),
) -> Option<usize> {
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
