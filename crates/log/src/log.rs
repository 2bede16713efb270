//! A log opened for reading: toolgauge's own or Inspect's, finished or not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_core::{Run, RunId, Shard, ShardNumber, Trial, TrialId};

use crate::inspect::Header;
use crate::source::{LogSource, TrialReader, no_such_trial};
use crate::{Damage, HeaderFigure, LogError, RunStatus, Summaries, TrialSummary};

/// A log. Nothing of it but its head and its directory is in memory.
#[derive(Debug)]
pub struct Log {
    source: LogSource,
    header: Header,
}

impl Log {
    /// Opens a log. One that was never finished is opened by scanning for its complete trials.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let source = LogSource::open(path)?;
        let header = source.header()?;
        Ok(Self { source, header })
    }

    /// Takes in what came to the file since, and reads nothing else of it. Tells how much was
    /// known before; `None`, and nothing is changed, if the log must be opened anew: it was
    /// finished, or another file is in its place, or a trial was run again.
    pub fn read_on(&mut self) -> Result<Option<ReadSoFar>, LogError> {
        let known = ReadSoFar { members: self.source.entries.len(), lost: self.source.lost.len() };
        if !self.source.read_on()? {
            return Ok(None);
        }
        if self.source.closed {
            self.header = self.source.header()?;
        }
        Ok(Some(known))
    }

    /// The summaries of the trials that came since this much was known.
    pub fn summaries_since(&self, known: ReadSoFar) -> Summaries<'_> {
        Summaries::since(&self.source, self.header.own, known.members, known.lost)
    }

    pub(crate) fn source(&self) -> &LogSource {
        &self.source
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.source.path
    }

    /// The run. Of a log that Inspect wrote, as much of it as can be told.
    pub fn run(&self) -> &Run {
        &self.header.run
    }

    /// The run, for those who know parts of it already and need them here no more.
    pub(crate) fn run_mut(&mut self) -> &mut Run {
        Arc::make_mut(&mut self.header.run)
    }

    /// The run, for those who outlive the log or its next [`Self::read_on`].
    pub fn shared_run(&self) -> Arc<Run> {
        self.header.run.clone()
    }

    /// Whether toolgauge wrote the log.
    pub fn is_own(&self) -> bool {
        self.header.own
    }

    /// How the run ended; `None` if it never did.
    pub fn status(&self) -> Option<&RunStatus> {
        self.header.status.as_ref()
    }

    /// Whether the run came to an end, of whatever kind.
    pub fn is_finished(&self) -> bool {
        self.header.status.is_some()
    }

    /// Whether the log was closed, though how its run ended cannot be read.
    pub fn has_damaged_header(&self) -> bool {
        self.source.closed && !self.is_finished()
    }

    /// The figures in the header.
    pub fn figures(&self) -> &[HeaderFigure] {
        &self.header.figures
    }

    /// How many trials the log holds.
    pub fn len(&self) -> usize {
        self.source.samples().count()
    }

    /// Whether the log holds no trial.
    pub fn is_empty(&self) -> bool {
        self.source.samples().next().is_none()
    }

    /// One trial.
    pub fn trial(&self, id: &TrialId) -> Result<Trial, LogError> {
        let place = self.source.place(id.case.as_str(), id.trial);
        let found = place.and_then(|place| self.source.entries.get_index(place));
        let (name, entry) = found.ok_or_else(|| no_such_trial(&self.source, id))?;
        TrialReader::new().read(&self.source, name, entry)
    }

    /// Every trial, one at a time, in the order of the file. One that cannot be read is an error
    /// in its place, and the others go on.
    pub fn trials(&self) -> impl Iterator<Item = Result<Trial, LogError>> {
        let mut reader = TrialReader::new();
        let read = move |(name, entry)| reader.read(&self.source, name, entry);
        self.source.samples().map(read).chain(self.source.losses(self.header.own).map(Err))
    }

    /// Every trial's summary, one at a time, in the order of the file.
    pub fn summaries(&self) -> Summaries<'_> {
        Summaries::new(&self.source, self.header.own)
    }

    /// Every trial's summary, in the order of the plan: by case, and the trials of a case one
    /// after another. What the plan does not know comes last, by name; what cannot be read is left
    /// out and told.
    pub fn sorted_summaries(&self) -> (Vec<TrialSummary>, Damage) {
        let mut damage = Damage::default();
        let mut summaries = Vec::new();
        for summary in self.summaries() {
            match summary {
                Ok(summary) => summaries.push(summary),
                Err(error) => damage.note(&error),
            }
        }
        let cases = self.header.run.cases.iter().enumerate();
        let places: std::collections::HashMap<_, _> =
            cases.map(|(place, case)| (case, place)).collect();
        summaries.sort_by_cached_key(|summary| {
            let place = places.get(&summary.id.case).copied();
            // A planned trial needs no name to be sorted by, so none is copied.
            let unplanned = place.is_none().then(|| summary.id.case.clone());
            (place.unwrap_or(usize::MAX), unplanned, summary.id.trial)
        });
        (summaries, damage)
    }
}

/// How much of a log was known before it was read on.
#[derive(Clone, Copy, Debug)]
pub struct ReadSoFar {
    members: usize,
    lost: usize,
}

/// What names of shards begin with.
const SHARD: &str = "shard-";

/// How many digits of a shard's name are its own number, before the ending.
const OWN_DIGITS: usize = 4;

/// How much of a suite's name is part of the file's, in bytes. No system takes names of more than
/// 255, and results of other tools name their suites as they like.
const LONGEST_SUITE: usize = 100;

/// The name Inspect gives the file of such a run, so that it can list it without opening it.
pub fn file_name(run: &Run) -> PathBuf {
    if let Some(Shard { number, .. }) = run.shard() {
        return shard_file_name(&run.suite.name, &run.id, number);
    }
    // Inspect writes its times with an offset. Colons are not allowed in names on Windows.
    let created = format!("{:.0}", run.created).replace(':', "-").replace('Z', "-00-00");
    name_of_parts(&created, &run.suite.name, &run.id)
}

/// The name of the file of a shard. Its number stands in the place of the time: the same shard of
/// the same plan always has the same name, by which it is found again.
pub fn shard_file_name(suite: &str, id: &RunId, number: ShardNumber) -> PathBuf {
    let ShardNumber { index, of } = number;
    let width = of.to_string().len();
    name_of_parts(&format!("{SHARD}{index:0width$}-of-{of}"), suite, id)
}

/// The pattern that the names of all shards of a run match, for the log of one of them; `None` for
/// other logs.
pub fn shard_pattern(log: &Path) -> Option<PathBuf> {
    let name = log.file_name()?.to_str()?.strip_suffix(".eval")?;
    let (number, rest) = name.strip_prefix(SHARD)?.split_once("-of-")?;
    let own = rest.len().checked_sub(OWN_DIGITS).filter(|end| rest.is_char_boundary(*end))?;
    let is_shard =
        number.parse::<u32>().is_ok() && rest[own..].chars().all(|digit| digit.is_ascii_hexdigit());
    is_shard.then(|| log.with_file_name(format!("{SHARD}*-of-{}*.eval", &rest[..own])))
}

fn name_of_parts(first: &str, suite: &str, id: &RunId) -> PathBuf {
    let plain = |text: &str| -> String {
        let keep = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
        text.chars().map(keep).collect()
    };
    let suite = plain(suite);
    let suite = &suite[..suite.floor_char_boundary(LONGEST_SUITE)];
    format!("{first}_{suite}_{}.eval", plain(id.as_str())).into()
}
