//! A log's file and the members that were found in it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_core::{CaseId, Run, Trial, TrialId};

use crate::archive::{
    Depth, Entries, FIRST_PARTS, FoundMembers, MemberEntry, MemberError, ReadAt, Scan, Unpacker,
    is_there, open_log, read_directory, scan, scan_from,
};
use crate::inspect::{
    FIRST_PARTS_END, ForeignSample, Header, OwnParts, OwnSample, WantedParts, is_sample_member,
    plain_json, read_first_parts, read_header, read_trial, read_written, readable, sample_member,
};
use crate::{LogError, TrialRecord, TrialSummary};

/// The most a header may unpack to: it lists every case.
pub(crate) const HEADER_LIMIT: u64 = 1 << 30;
/// The most a sample may unpack to.
pub(crate) const SAMPLE_LIMIT: u64 = 1 << 30;
/// The most a list of summaries may unpack to.
pub(crate) const SUMMARIES_LIMIT: u64 = 4 << 30;

/// How many members by a wrong name are looked at for a head.
const MOST_HEADERS: usize = 16;

pub(crate) const WRONG_NAME: &str = "it has a wrong name";
const SUPERSEDING: &str = "it cannot be read, and the record before it counts";

/// Marks the name of a sample that cannot be read, beside one that can.
const DAMAGED: &str = " (damaged)";

pub(crate) const START: &str = "_journal/start.json";
pub(crate) const HEADER: &str = "header.json";
pub(crate) const SUMMARIES: &str = "summaries.json";
pub(crate) const REDUCTIONS: &str = "reductions.json";
pub(crate) const JOURNAL: &str = "_journal/summaries/";

/// A log's file and its members.
#[derive(Debug)]
pub(crate) struct LogSource {
    pub(crate) path: PathBuf,
    pub(crate) file: Box<dyn ReadAt>,
    pub(crate) entries: Entries,
    /// Whether the file ends in a directory, as a finished one does.
    pub(crate) closed: bool,
    /// Where the last member that was found ends, if the file was gone through.
    pub(crate) end: u64,
    /// Stretches of the file in which members must have been.
    pub(crate) lost: Vec<(u64, u64)>,
    /// Members that are damaged and may still hold a trial that can be read.
    pub(crate) damaged: Vec<(Box<str>, MemberEntry)>,
}

impl LogSource {
    /// Opens a log by its directory, or without one by scanning.
    pub(crate) fn open(path: &Path) -> Result<Self, LogError> {
        let file = open_log(path).map_err(LogError::io("read", path))?;
        let length = file.size().map_err(LogError::io("read", path))?;
        let found = match read_directory(&*file, length).map_err(LogError::io("read", path))? {
            Some(found) => return Ok(Self::closed(path, file, found)),
            None => scan(&*file, length, Depth::LastVerified, SAMPLE_LIMIT)
                .map_err(LogError::io("read", path))?,
        };
        Ok(Self::scanned(path, file, found))
    }

    /// A log that ends in a directory.
    pub(crate) fn closed(path: &Path, file: Box<dyn ReadAt>, found: FoundMembers) -> Self {
        let FoundMembers { entries, superseded } = found;
        let path = path.to_owned();
        let (lost, damaged) = (Vec::new(), Vec::new());
        Self { path, file, entries, closed: true, end: 0, lost, damaged }.settled(superseded)
    }

    /// A log that was gone through.
    pub(crate) fn scanned(path: &Path, file: Box<dyn ReadAt>, found: Scan) -> Self {
        let Scan { members: FoundMembers { entries, superseded }, end, lost, damaged } = found;
        let damaged = damaged.into_iter().map(|record| (record.name, record.entry)).collect();
        let path = path.to_owned();
        Self { path, file, entries, closed: false, end, lost, damaged }.settled(superseded)
    }

    /// A log that was gone through with every checksum verified.
    pub(crate) fn verified(path: &Path, file: Box<dyn ReadAt>) -> Result<Self, LogError> {
        let io = || LogError::io("resume", path);
        let length = file.size().map_err(io())?;
        let found = scan(&*file, length, Depth::Verified, SAMPLE_LIMIT).map_err(io())?;
        let known = found.members.entries.values();
        let known = known.chain(found.members.superseded.iter().map(|(_, entry)| entry));
        // By place, not by name: the name may be what is damaged.
        let known: BTreeSet<u64> = known.map(|entry| entry.offset).collect();
        // A member whose own header is damaged may be whole by what the directory says of it.
        let listed = read_directory(&*file, length).map_err(io())?.unwrap_or_default();
        let hidden = listed.entries.into_iter().filter(|(_, entry)| !known.contains(&entry.offset));
        let mut source = Self::scanned(path, file, found);
        source.damaged.extend(hidden);
        Ok(source)
    }

    /// Tells which of several samples of one name the name belongs to. Names have no checksum: by
    /// a wrong bit one trial may bear the name of another, and what it says of itself counts. And
    /// a trial that was run again may be unreadable: then the record before it counts. What does
    /// not count is kept under a name that no sample has, so that it is reported.
    fn settled(mut self, superseded: Vec<(Box<str>, MemberEntry)>) -> Self {
        let mut reader = TrialReader::new();
        // From the last to the first, so that the latest record that names itself rightly wins.
        for (name, older) in superseded.into_iter().rev().filter(|(name, _)| Self::is_sample(name))
        {
            let Some(newer) = self.entries.get(&name).copied() else { continue };
            let mut flaw = |entry: &MemberEntry| match reader.read(&self, &name, entry) {
                Err(LogError::Misnamed { .. }) => Some(""),
                Err(error) if error.is_damage() => Some(DAMAGED),
                _ => None,
            };
            let newer_flaw = flaw(&newer);
            let (flawed, flaw) = match (newer_flaw, flaw(&older)) {
                // Neither can be read: the last one counts, as everywhere.
                (Some(DAMAGED), Some(DAMAGED)) | (None, None | Some(DAMAGED)) => continue,
                (Some(flaw), _) => (newer, flaw),
                (None, Some(flaw)) => (older, flaw),
            };
            if flawed == newer {
                self.entries.insert(name.clone(), older);
            }
            let other = format!("{name}{flaw} at byte {}", flawed.offset);
            self.entries.insert(other.into(), flawed);
        }
        self
    }

    /// Takes in what came to the file since, and looks at nothing else of it. Members keep their
    /// places, and new ones follow. `false`, and nothing is changed, if what was known is not all
    /// there any more, or was replaced: then the file must be read anew.
    pub(crate) fn read_on(&mut self) -> Result<bool, LogError> {
        let path = self.path.clone();
        let io = || LogError::io("read", &path);
        let file = open_log(&path).map_err(io())?;
        let length = file.size().map_err(io())?;
        // The first and the last member stand for all: a file that was replaced differs in the
        // first, one that was cut and continued in the last.
        let ends = [self.entries.first(), self.entries.last()];
        for (name, entry) in ends.into_iter().flatten() {
            if !is_there(&*file, name, entry).map_err(io())? {
                return Ok(false);
            }
        }
        // A finished log does not grow, and one that became shorter is another file.
        if self.closed || length < self.end {
            return Ok(false);
        }
        if let Some(found) = read_directory(&*file, length).map_err(io())? {
            let known = found.entries.iter().zip(&self.entries).filter(|(now, then)| now == then);
            // Indexes into the members are kept by whoever reads on, so a directory in another
            // order is no continuation.
            if known.count() < self.entries.len() || !found.superseded.is_empty() {
                return Ok(false);
            }
            let lost = std::mem::take(&mut self.lost);
            *self = Self { lost, ..Self::closed(&path, file, found) };
            return Ok(true);
        }
        let new = scan_from(&*file, self.end..length, Depth::LastVerified, SAMPLE_LIMIT);
        let mut new = new.map_err(io())?;
        // A replaced trial would have to be taken out of figures that were added up already.
        let repeated = new.members.entries.keys().any(|name| self.entries.contains_key(name));
        if repeated || !new.members.superseded.is_empty() {
            return Ok(false);
        }
        self.file = file;
        self.entries.append(&mut new.members.entries);
        self.end = new.end;
        self.lost.append(&mut new.lost);
        Ok(true)
    }

    /// The run as the end of an earlier part of it described it: with all that was found out until
    /// then. Absent where no part came to its end, or what it wrote is damaged.
    pub(crate) fn run_so_far(&self) -> Option<Arc<Run>> {
        let entry = self.entries.get(HEADER)?;
        Some(self.read_header(HEADER, entry).ok().filter(|header| header.own)?.run)
    }

    /// The head of the log: the final one if it was closed, else the first. One that is damaged
    /// stands in for the other.
    pub(crate) fn header(&self) -> Result<Header, LogError> {
        // A log without a directory is still being written or was resumed, and then an old header
        // may lie in it.
        let names = if self.closed { [HEADER, START] } else { [START, HEADER] };
        let mut found = names.into_iter().filter_map(|name| Some((name, self.entries.get(name)?)));
        let Some((name, entry)) = found.next() else {
            return self.misnamed_header().ok_or_else(|| LogError::NotALog {
                path: self.path.clone(),
                why: format!("it has neither `{HEADER}` nor `{START}`"),
            });
        };
        let mut header = self.read_header(name, entry).or_else(|error| match found.next() {
            Some((name, entry)) => self.read_header(name, entry).map_err(|_| error),
            None => Err(error),
        })?;
        // The header of a log that was resumed tells how an earlier part of the run ended.
        if !self.closed {
            header.status = None;
        }
        Ok(header)
    }

    /// The head of a log of toolgauge's own whose name is damaged.
    fn misnamed_header(&self) -> Option<Header> {
        let misnamed = self.misnamed().take(MOST_HEADERS);
        let mut read = misnamed.filter_map(|(name, entry)| self.read_header(name, entry).ok());
        // Any JSON of another program might pass for a head, so only toolgauge's own record counts.
        let header = read.find(|header| header.own)?;
        Some(Header { status: header.status.filter(|_| self.closed), ..header })
    }

    fn read_header(&self, name: &str, entry: &MemberEntry) -> Result<Header, LogError> {
        let mut unpacker = Unpacker::new();
        let text = self.unpack(&mut unpacker, name, entry, HEADER_LIMIT)?;
        let header = plain_json(text).and_then(|text| read_header(&text));
        header.map_err(LogError::json(&self.path, name))
    }

    /// All of a member.
    pub(crate) fn unpack<'a>(
        &self,
        unpacker: &'a mut Unpacker,
        name: &str,
        entry: &MemberEntry,
        limit: u64,
    ) -> Result<&'a [u8], LogError> {
        unpacker.whole(&*self.file, entry, limit).map_err(|error| self.damaged(name, error))
    }

    pub(crate) fn damaged(&self, name: &str, error: MemberError) -> LogError {
        damaged(&self.path, name, error)
    }

    /// The members that hold trials.
    pub(crate) fn samples(&self) -> impl Iterator<Item = (&str, &MemberEntry)> {
        let entries = self.entries.iter().filter(|(name, _)| Self::is_sample(name));
        entries.map(|(name, entry)| (&**name, entry))
    }

    /// Whether a member holds a trial.
    pub(crate) fn is_sample(name: &str) -> bool {
        Self::sample_name(name).is_some()
    }

    /// What a member that holds a trial is called without folder and ending.
    pub(crate) fn sample_name(name: &str) -> Option<&str> {
        name.strip_prefix("samples/").and_then(|name| name.strip_suffix(".json"))
    }

    /// What must have been samples, as the errors of reading them: stretches that are nothing,
    /// and in a log of toolgauge's `own` members by a name that nobody gave them.
    pub(crate) fn losses(&self, own: bool) -> impl Iterator<Item = LogError> {
        let stretches = self.lost.iter().map(|stretch| self.lost_stretch(stretch));
        let renamed = self.misnamed().filter(move |_| own);
        let why = |name: &str| if name.contains(DAMAGED) { SUPERSEDING } else { WRONG_NAME };
        stretches.chain(renamed.map(move |(name, _)| self.damage(name, why(name))))
    }

    /// Says that a stretch of the file is nothing known.
    pub(crate) fn lost_stretch(&self, (from, to): &(u64, u64)) -> LogError {
        self.damage(&format!("{} bytes from byte {from}", to - from), "nothing begins there")
    }

    /// The members by a name that toolgauge gives to none.
    pub(crate) fn misnamed(&self) -> impl Iterator<Item = (&str, &MemberEntry)> {
        let misnamed = self.entries.iter().filter(|(name, _)| is_misnamed(name));
        misnamed.map(|(name, entry)| (&**name, entry))
    }

    /// Says that a member is damaged.
    pub(crate) fn damage(&self, member: &str, why: &str) -> LogError {
        let (path, member) = (self.path.clone(), member.to_owned());
        LogError::Damaged { path, member, why: why.to_owned() }
    }

    /// Refuses a trial of toolgauge's own that is not the one its member is named after.
    pub(crate) fn check_name(&self, name: &str, case: &str, trial: u32) -> Result<(), LogError> {
        if is_sample_member(name, case, trial) {
            return Ok(());
        }
        let (path, member) = (self.path.clone(), name.to_owned());
        Err(LogError::Misnamed { path, member, trial: TrialId { case: CaseId::new(case), trial } })
    }

    /// The place of the member that holds a trial.
    pub(crate) fn place(&self, case: &str, trial: u32) -> Option<usize> {
        self.entries.get_index_of(sample_member(case, trial).as_str())
    }

    /// The lists of summaries that a run leaves while it goes on, in the order of the file.
    pub(crate) fn journal(&self) -> Vec<(&str, &MemberEntry)> {
        let lists = self.entries.iter().filter(|(name, _)| name.starts_with(JOURNAL));
        let mut lists: Vec<_> = lists.map(|(name, entry)| (&**name, entry)).collect();
        lists.sort_by_key(|(_, entry)| entry.offset);
        lists
    }
}

/// Whether a member other than a sample is called as toolgauge calls it.
pub(crate) fn is_known(name: &str) -> bool {
    [START, HEADER, SUMMARIES, REDUCTIONS].contains(&name) || name.starts_with(JOURNAL)
}

/// Whether a member is called nearly as one of toolgauge's is, but not quite.
pub(crate) fn is_misnamed(name: &str) -> bool {
    let near = name.starts_with("samples/") || name.starts_with("_journal/");
    (near || name.strip_suffix(".json").is_some()) && !is_known(name) && !LogSource::is_sample(name)
}

/// Says why a member could not be unpacked.
pub(crate) fn damaged(path: &Path, name: &str, error: MemberError) -> LogError {
    match error {
        MemberError::Io(source) => LogError::io("read", path)(source),
        other => LogError::Damaged {
            path: path.to_owned(),
            member: name.to_owned(),
            why: other.to_string(),
        },
    }
}

/// A trial, and whose sample it stood in.
pub(crate) enum SampleContent {
    Own(Box<Trial>),
    Foreign(Box<Trial>),
}

/// What a sample holds, before anything is made of it.
enum SampleRead<'a> {
    Own(OwnParts<'a>),
    Foreign(Trial),
}

/// Reads trials one after another, with buffers that are kept.
#[derive(Debug)]
pub(crate) struct TrialReader {
    unpacker: Unpacker,
    wanted: WantedParts,
    /// How long the first parts of the sample are that is being read, if it has such.
    start: Option<usize>,
    /// How much of a sample is unpacked at first where its first parts do not suffice.
    guess: u64,
}

impl TrialReader {
    pub(crate) fn new() -> Self {
        Self { unpacker: Unpacker::new(), wanted: WantedParts::All, start: None, guess: 4096 }
    }

    /// A reader of trials that lie one behind the other in one log, without the bodies of their
    /// requests and responses. It takes a fraction of the time, because they are not unpacked.
    pub(crate) fn without_bodies() -> Self {
        let unpacker = Unpacker::reading_ahead();
        Self { unpacker, wanted: WantedParts::WithoutBodies, ..Self::new() }
    }

    /// The trial in a member. Nothing is believed whose checksum was not verified, and no name
    /// that a sample of toolgauge's does not give itself.
    pub(crate) fn read(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
    ) -> Result<Trial, LogError> {
        match self.read_by_content(source, name, entry)? {
            SampleContent::Own(trial) => {
                source.check_name(name, trial.case.id.as_str(), trial.number).map(|()| *trial)
            }
            SampleContent::Foreign(trial) => Ok(*trial),
        }
    }

    /// Hands over what tables show of the trial in a member, under the same conditions.
    pub(crate) fn read_record(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
        mut take: impl FnMut(TrialRecord<'_>),
    ) -> Result<(), LogError> {
        self.start(source, name, entry)?;
        if let Some(record) = self.first_parts().and_then(read_written) {
            source.check_name(name, &record.case, record.number)?;
            take(record);
            return Ok(());
        }
        self.read_as(source, name, entry, |sample| {
            let record = match sample {
                SampleRead::Foreign(trial) => trial.into(),
                SampleRead::Own(parts) => {
                    let record = parts.into_record()?;
                    if let Err(error) = source.check_name(name, &record.case, record.number) {
                        return Ok(Err(error));
                    }
                    record
                }
            };
            take(record);
            Ok(Ok(()))
        })?
    }

    /// The trial in a member, whatever the member is called.
    pub(crate) fn read_by_content(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
    ) -> Result<SampleContent, LogError> {
        self.start(source, name, entry)?;
        self.read_as(source, name, entry, |sample| {
            Ok(match sample {
                SampleRead::Own(parts) => SampleContent::Own(Box::new(parts.into_trial()?)),
                SampleRead::Foreign(trial) => SampleContent::Foreign(Box::new(trial)),
            })
        })
    }

    /// Unpacks the first parts of a member, if it says what parts it has.
    fn start(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
    ) -> Result<(), LogError> {
        let start = self.unpacker.start(&*source.file, entry, FIRST_PARTS, FIRST_PARTS_END);
        self.start = start.map_err(|error| source.damaged(name, error))?.map(<[u8]>::len);
        Ok(())
    }

    /// The first parts that were unpacked.
    fn first_parts(&self) -> Option<&str> {
        self.start.map(|length| readable(self.unpacker.text(length)))
    }

    /// Makes something of the sample in a member, the first parts of which were unpacked.
    fn read_as<T>(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
        mut make: impl FnMut(SampleRead<'_>) -> serde_json::Result<T>,
    ) -> Result<T, LogError> {
        let json = |error| LogError::json(&source.path, name)(error);
        if let Some(start) = self.first_parts() {
            if let Some(parts) = read_first_parts(start, self.wanted)
                && let Ok(made) = make(SampleRead::Own(parts))
            {
                return Ok(made);
            }
            // The first parts were not enough, so a guess below their length would be wasted work.
            self.guess = self.guess.max(guess_after(start.len()));
        }
        if let Some(made) = self.read_beginning(source, name, entry, &mut make)? {
            return Ok(made);
        }
        let text = source.unpack(&mut self.unpacker, name, entry, SAMPLE_LIMIT)?;
        let text = plain_json(text).map_err(json)?;
        let sample = match read_trial(&text, self.wanted).map_err(json)? {
            OwnSample::Trial(parts, _) => SampleRead::Own(*parts),
            OwnSample::Short | OwnSample::Foreign => {
                let sample: ForeignSample<'_> = serde_json::from_str(&text).map_err(json)?;
                SampleRead::Foreign(sample.into_trial())
            }
        };
        make(sample).map_err(json)
    }

    /// Makes something of no more of the sample's text in memory than it takes.
    fn read_beginning<T>(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
        make: &mut impl FnMut(SampleRead<'_>) -> serde_json::Result<T>,
    ) -> Result<Option<T>, LogError> {
        let damaged = |error| source.damaged(name, error);
        while entry.method == 8 && self.guess < entry.size {
            let length = self.unpacker.beginning(entry, self.guess).map_err(damaged)?;
            // A cut may go through a number or a letter, so no error counts before the text is
            // whole, and nothing that ends at the cut.
            match read_trial(readable(self.unpacker.text(length)), self.wanted) {
                Ok(OwnSample::Trial(parts, taken)) if taken < length => {
                    self.guess = guess_after(taken);
                    // Only the beginning was unpacked, and the checksum is about all of it.
                    self.unpacker.verify(entry).map_err(damaged)?;
                    // What fails here fails in the whole text as well, which then says why.
                    return Ok(make(SampleRead::Own(*parts)).ok());
                }
                // Another program's sample is read whole, so a longer beginning would not help.
                Ok(OwnSample::Foreign) => break,
                // Doubling would reach the whole sample, which the caller unpacks anyway.
                _ if entry.size / 2 < self.guess => break,
                _ => self.guess *= 2,
            }
        }
        Ok(None)
    }

    pub(crate) fn summary(
        &mut self,
        source: &LogSource,
        name: &str,
        entry: &MemberEntry,
    ) -> Result<TrialSummary, LogError> {
        self.read(source, name, entry).map(|trial| TrialSummary::of(&trial))
    }
}

/// How much to unpack of the next sample, when this one took so much: samples of a run are
/// alike, and unpacking a little too much costs less than unpacking twice.
fn guess_after(taken: usize) -> u64 {
    let taken = taken as u64;
    taken + taken / 4 + 256
}

/// Says that a log holds no such trial.
pub(crate) fn no_such_trial(source: &LogSource, trial: &TrialId) -> LogError {
    LogError::NoSuchTrial { path: source.path.clone(), trial: trial.clone() }
}
