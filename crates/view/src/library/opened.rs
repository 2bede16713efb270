//! A log that is ready to be shown.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use toolgauge_core::{CaseId, Run, Trial, TrialId};
use toolgauge_log::{Log, LogError, MergeError, TrialSummary};
use toolgauge_report::chart::{Distribution, TierScore};
use toolgauge_report::{Summary, SummaryTally, Thresholds, TokenPrice};

use super::{LoadProgress, since};
use crate::brief::LogBrief;
use crate::index::{IndexBuilder, TrialIndex, TrialRow};
use crate::log_folder::{FileStamp, LogFile};
use crate::query::CaseQuery;
use crate::search::TranscriptSearch;

/// A log that grows is not read again before this time has passed.
const SOONEST: Duration = Duration::from_millis(400);
/// Nor before so many times what reading it again took.
const SHARE: u32 = 4;

/// A log that is ready to be shown. Its trials stay in the file until they are asked for.
#[derive(Debug)]
pub(crate) struct OpenedLog {
    /// The name of the file.
    pub(crate) name: String,
    /// The state of the file it was read in.
    pub(crate) stamp: FileStamp,
    /// What the table of runs says.
    pub(crate) brief: Arc<LogBrief>,
    /// The numbers.
    pub(crate) summary: Summary,
    /// The trials in columns.
    pub(crate) index: TrialIndex,
    /// What finds words in the transcripts, which those that read on share.
    pub(crate) search: Arc<TranscriptSearch>,
    /// How the times of trials are spread: all together, then by the size of the world.
    pub(crate) times: (Option<Distribution>, Vec<Distribution>),
    /// What tokens cost, where that is known.
    pub(crate) price: Option<TokenPrice>,
    /// What graded questions are held to.
    pub(crate) graded: Thresholds,
    run: Arc<Run>,
    /// The file, which those that read on share: what they have seen of it stays true.
    log: Arc<RwLock<Log>>,
    /// Its trials added up, while more may come: whoever reads on takes them along.
    tally: Mutex<Option<SummaryTally>>,
    read: Instant,
    /// How long to wait before it is read again.
    pause: Duration,
    /// The folder of a log that was put together of shards.
    #[expect(dead_code, reason = "it is removed when the log is let go")]
    made: Option<TempDir>,
}

/// What a log that is read on has in common with what it was.
struct SharedParts {
    log: Arc<RwLock<Log>>,
    search: Arc<TranscriptSearch>,
    price: Option<TokenPrice>,
    graded: Thresholds,
}

/// What the settings say of every log.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogTerms {
    /// What tokens cost, by the name of the subject.
    pub(crate) prices: BTreeMap<String, TokenPrice>,
    /// What graded questions are held to.
    pub(crate) graded: Thresholds,
}

impl OpenedLog {
    /// Reads a log. Trials that cannot be read are counted and left out.
    pub(super) fn read(
        name: &str,
        file: &LogFile,
        terms: &LogTerms,
        progress: &LoadProgress,
    ) -> Result<Self, MergeError> {
        let (log, made) = file.open()?;
        let price = terms.prices.get(&log.run().subject.name).copied();
        let graded = terms.graded;
        progress.expect(log.len());
        let mut tally = SummaryTally::of(log.run());
        let mut index = IndexBuilder::behind(TrialIndex::default(), graded);
        log.summaries().for_each_ahead(|trial| {
            progress.advance();
            take(trial, &mut tally, &mut index);
        });
        let log = Arc::new(RwLock::new(log));
        let shared = SharedParts { log, search: Arc::default(), price, graded };
        Ok(Self { made, ..Self::of(name, file, shared, (tally, index)) })
    }

    /// Reads what has come to a log that was not finished. `None` if it must be read anew.
    pub(super) fn read_on(&self, file: &LogFile) -> Result<Option<Self>, LogError> {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut tally) = tally else { return Ok(None) };
        let known = self.log.write().unwrap_or_else(PoisonError::into_inner).read_on()?;
        let Some(known) = known else { return Ok(None) };
        let mut index = IndexBuilder::behind(self.index.clone(), self.graded);
        let log = self.log();
        log.summaries_since(known).for_each_ahead(|trial| take(trial, &mut tally, &mut index));
        drop(log);
        let (log, search) = (self.log.clone(), self.search.clone());
        let shared = SharedParts { log, search, price: self.price, graded: self.graded };
        Ok(Some(Self::of(&self.name, file, shared, (tally, index))))
    }

    fn of(
        name: &str,
        file: &LogFile,
        SharedParts { log: shared, search, price, graded }: SharedParts,
        (tally, index): (SummaryTally, IndexBuilder),
    ) -> Self {
        let log = shared.read().unwrap_or_else(PoisonError::into_inner);
        let mut summary = tally.summary(log.run(), price);
        summary.grades = summary.grades.map(|grades| grades.held_to(graded));
        let index = index.finish();
        let times = times(&index, &summary);
        let (run, brief) = (log.shared_run(), Arc::new(LogBrief::of(&log, file, &summary)));
        let tally = Mutex::new((!log.is_finished()).then_some(tally));
        drop(log);
        Self {
            name: name.to_owned(),
            stamp: file.stamp,
            brief,
            summary,
            search,
            price,
            graded,
            times,
            index,
            run,
            log: shared,
            tally,
            read: Instant::now(),
            pause: SOONEST,
            made: None,
        }
    }

    /// The same log, which is left alone for a while because reading it again took so long.
    pub(super) fn rested(self, took: Duration) -> Self {
        Self { pause: SOONEST.max(took * SHARE), ..self }
    }

    /// The run.
    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    fn log(&self) -> RwLockReadGuard<'_, Log> {
        self.log.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// One trial, from the file.
    pub(crate) fn trial(&self, row: TrialRow) -> Result<Trial, LogError> {
        self.log().trial(&self.trial_id(row))
    }

    /// The name of a trial.
    pub(crate) fn trial_id(&self, row: TrialRow) -> TrialId {
        TrialId { case: CaseId::new(self.index.case(row)), trial: self.index.trial(row) }
    }

    /// The trials a query asks for, in its order.
    pub(crate) fn select(&self, query: &CaseQuery) -> Vec<TrialRow> {
        self.index.select(query, |word| self.search.rows_with(word, self.index.len()))
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> PathBuf {
        self.log().path().to_owned()
    }

    /// Whether enough time has passed to read the log again if it has grown.
    pub(super) fn may_be_read_again(&self) -> bool {
        since(self.read) >= self.pause
    }

    /// About how many bytes it takes: columns, and the directory that the log keeps.
    pub(super) fn bytes(&self) -> usize {
        let tally = if self.brief.is_unfinished() { 200 * self.index.len() } else { 0 };
        self.index.bytes()
            + self.search.bytes()
            + tally
            + self.index.len() * 160
            + self.run.cases.len() * 56
    }
}

/// Takes one trial in, or notes that it cannot be read.
fn take(trial: Result<TrialSummary, LogError>, tally: &mut SummaryTally, index: &mut IndexBuilder) {
    match trial {
        Ok(trial) => {
            index.add(&trial, tally.place(&trial.id.case));
            tally.add(&trial);
        }
        Err(error) => tally.add_damaged(&error),
    }
}

/// How the times of trials are spread: all together, and by the size of the world where a tag
/// tells it.
fn times(index: &TrialIndex, summary: &Summary) -> (Option<Distribution>, Vec<Distribution>) {
    let all = Distribution::of("all trials", index.latencies());
    let tiers = TierScore::of(summary);
    let sizes = index.tags().iter().find(|tag| {
        let known = tiers.iter().all(|tier| tag.values.contains(&tier.label));
        known && tag.values.len() == tiers.len() && tiers.len() > 1
    });
    let Some(sizes) = sizes else { return (all, Vec::new()) };
    let mut by = index.latencies_by(sizes);
    let of_tier = |tier: &TierScore| {
        let place = by.iter().position(|(label, _)| *label == tier.label)?;
        Distribution::of(tier.label.clone(), by.swap_remove(place).1)
    };
    (all, tiers.iter().filter_map(of_tier).collect())
}
