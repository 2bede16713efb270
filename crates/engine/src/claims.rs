//! Chunks of a plan that workers take as they get to them. No worker knows of the others: a chunk is
//! taken by creating its claim where there is none, in a folder or in an object store.
//!
//! A claim holds until its lease ends, and its owner renews the lease. A claim whose lease ended is
//! not changed: the next generation of it is created, which only one worker can do. So all that is
//! asked of a store is to create an object where there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use toolgauge_core::ShardNumber;
use toolgauge_log::{address, local_path, stores};
use toolgauge_runner::StopSignal;
use uuid::Uuid;

/// Where claims are kept, into how many chunks the plan is cut, and for how long a chunk is taken.
#[derive(Clone, Debug)]
pub struct ClaimRequest {
    /// A folder or an address, the same for all workers.
    pub place: PathBuf,
    /// How many chunks; by the number of cases if it is not given.
    pub chunks: Option<u32>,
    /// How long a claim holds without being renewed.
    pub lease: Duration,
}

/// A chunk of the usual size has so many cases.
const CASES: usize = 25;
/// The most chunks that a plan is cut into unless more are asked for: each has a log of its own.
const MOST_CHUNKS: usize = 64;

impl ClaimRequest {
    /// Into how many chunks so many cases are cut.
    pub(crate) fn chunks(&self, cases: usize) -> u32 {
        let usual = cases.div_ceil(CASES).clamp(1, MOST_CHUNKS);
        self.chunks.unwrap_or_else(|| u32::try_from(usual).unwrap_or(1))
    }
}

/// Small files in a folder or in a store.
#[derive(Debug)]
enum ClaimPlace {
    Folder(PathBuf),
    Store(String),
}

impl ClaimPlace {
    fn at(&self, name: &str) -> String {
        match self {
            Self::Folder(folder) => folder.join(name).display().to_string(),
            Self::Store(folder) => format!("{folder}/{name}"),
        }
    }

    /// Creates a file where there is none; whether there was none.
    fn create(&self, name: &str, content: &[u8]) -> io::Result<bool> {
        let created = match self {
            Self::Store(_) => stores()?.create(&self.at(name), content),
            Self::Folder(folder) => written(folder, content).and_then(|file| {
                // Whole at once: whoever sees the name can read what is in it.
                file.persist_noclobber(self.at(name)).map(drop).map_err(|error| error.error)
            }),
        };
        match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            created => created.map(|()| true),
        }
    }

    /// Puts a file in place of the one that is there.
    fn put(&self, name: &str, content: &[u8]) -> io::Result<()> {
        match self {
            Self::Store(_) => stores()?.put(&self.at(name), content),
            Self::Folder(folder) => {
                written(folder, content)?.persist(self.at(name)).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }

    fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        match self {
            Self::Store(_) => stores()?.get(&self.at(name)),
            Self::Folder(_) => fs::read(self.at(name)),
        }
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let name = |path: &Path| path.file_name()?.to_str().map(str::to_owned);
        match self {
            Self::Store(folder) => {
                let listed = stores()?.list(folder)?;
                Ok(listed.iter().filter_map(|found| name(&found.path)).collect())
            }
            Self::Folder(folder) => {
                fs::create_dir_all(folder)?;
                let entries = fs::read_dir(folder)?;
                Ok(entries.filter_map(|entry| name(&entry.ok()?.path())).collect())
            }
        }
    }
}

fn written(folder: &Path, content: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    Ok(file)
}

/// What a claim says.
#[derive(Debug, Serialize, Deserialize)]
struct Claim {
    worker: String,
    /// When the lease ends, in milliseconds since 1970.
    until: u64,
    /// Whether the chunk is finished.
    done: bool,
}

/// The claims of one plan, as one worker sees them.
#[derive(Debug)]
pub(crate) struct Claims {
    place: Arc<ClaimPlace>,
    /// What names of claims begin with.
    plan: String,
    of: u32,
    worker: String,
    lease: Duration,
    /// Chunks that are known to be finished.
    done: BTreeSet<u32>,
}

/// What there is to do.
pub(crate) enum NextChunk {
    /// This chunk, which nobody else has.
    Taken(ClaimedChunk),
    /// Others have all that is left.
    Held,
    /// Nothing: every chunk is finished.
    AllDone,
}

impl Claims {
    /// The claims of a plan that is cut into so many chunks.
    pub(crate) fn new(request: &ClaimRequest, plan: &str, of: u32) -> Self {
        let place = match address(&request.place) {
            Some(address) => ClaimPlace::Store(address.trim_end_matches('/').to_owned()),
            None => ClaimPlace::Folder(local_path(&request.place)),
        };
        Self {
            place: Arc::new(place),
            plan: plan.to_owned(),
            of,
            worker: Uuid::new_v4().simple().to_string(),
            lease: request.lease,
            done: BTreeSet::new(),
        }
    }

    fn name(&self, index: u32, generation: u32) -> String {
        format!("claim-{}-{index}-of-{}.{generation}", self.plan, self.of)
    }

    /// The latest generation of each claim that was ever made.
    fn generations(&self) -> io::Result<BTreeMap<u32, u32>> {
        let mut latest: BTreeMap<u32, u32> = BTreeMap::new();
        for name in self.place.names()? {
            let Some(rest) = name.strip_prefix(&format!("claim-{}-", self.plan)) else { continue };
            let Some((index, rest)) = rest.split_once("-of-") else { continue };
            let Some((of, generation)) = rest.split_once('.') else { continue };
            let numbers = (index.parse().ok(), of.parse::<u32>().ok(), generation.parse().ok());
            if let (Some(index), Some(of), Some(generation)) = numbers
                && of == self.of
            {
                let known = latest.entry(index).or_insert(generation);
                *known = generation.max(*known);
            }
        }
        Ok(latest)
    }

    /// Takes the next chunk that nobody has.
    pub(crate) fn take(&mut self, stop: &StopSignal) -> io::Result<NextChunk> {
        let latest = self.generations()?;
        for index in 1..=self.of {
            if self.done.contains(&index) {
                continue;
            }
            let generation = match latest.get(&index) {
                None => 0,
                Some(generation) => match self.look(index, *generation)? {
                    Some(next) => next,
                    None => continue,
                },
            };
            let name = self.name(index, generation);
            let began = Instant::now();
            let content = claim(&self.worker, self.lease, false);
            // An answer may get lost, so that the second try finds what the first one made.
            let taken = self.place.create(&name, &content)?
                || self.read(&name)?.is_some_and(|claim| claim.worker == self.worker);
            if taken && let Some(number) = ShardNumber::new(index, self.of) {
                let next = self.name(index, generation + 1);
                let claimed = Renewal {
                    place: self.place.clone(),
                    worker: self.worker.clone(),
                    lease: self.lease,
                    name,
                    next,
                };
                return Ok(NextChunk::Taken(claimed.start(number, began, stop)));
            }
        }
        Ok(if self.done.len() == self.of as usize { NextChunk::AllDone } else { NextChunk::Held })
    }

    /// The generation by which a claim can be taken over; `None` where it holds or is done.
    fn look(&mut self, index: u32, generation: u32) -> io::Result<Option<u32>> {
        let Some(claim) = self.read(&self.name(index, generation))? else { return Ok(None) };
        if claim.done {
            self.done.insert(index);
            return Ok(None);
        }
        // Clocks of machines differ. The owner gives up when its lease ends, and others wait for
        // half as long again.
        let over = claim.until.saturating_add(millis(self.lease / 2));
        Ok((now() > over).then_some(generation + 1))
    }

    fn read(&self, name: &str) -> io::Result<Option<Claim>> {
        match self.place.get(name) {
            // What is no claim was put there by somebody, and is left to them.
            Ok(content) => Ok(serde_json::from_slice(&content).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How long to wait before the claims of others are looked at again.
    pub(crate) fn pause(&self) -> Duration {
        (self.lease / 6).clamp(Duration::from_millis(100), Duration::from_secs(2))
    }

    /// Takes note that a chunk was finished here.
    pub(crate) fn finished(&mut self, index: u32) {
        self.done.insert(index);
    }
}

fn claim(worker: &str, lease: Duration, done: bool) -> Vec<u8> {
    let until = now().saturating_add(millis(lease));
    let claim = Claim { worker: worker.to_owned(), until, done };
    serde_json::to_vec(&claim).expect("a claim is plain data")
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    millis(now)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What it takes to keep a claim.
struct Renewal {
    place: Arc<ClaimPlace>,
    worker: String,
    lease: Duration,
    name: String,
    /// The claim by which another would have taken over.
    next: String,
}

impl Renewal {
    /// Keeps the claim in the background until it is let go.
    fn start(self, number: ShardNumber, began: Instant, stop: &StopSignal) -> ClaimedChunk {
        let stop = StopSignal { gently: stop.gently.child_token(), now: stop.now.child_token() };
        let (end, ended) = mpsc::channel();
        let signal = stop.clone();
        let thread = thread::spawn(move || {
            let mut valid = began + self.lease;
            while ended.recv_timeout(self.lease / 3) == Err(mpsc::RecvTimeoutError::Timeout) {
                let began = Instant::now();
                // Once it ended it may be another's, whatever the store would say to a renewal.
                if began < valid && !self.is_lost() && self.renew(false).is_ok() {
                    valid = began + self.lease;
                }
                if Instant::now() >= valid {
                    signal.gently.cancel();
                    signal.now.cancel();
                    break;
                }
            }
            (self, Instant::now() < valid)
        });
        ClaimedChunk { number, stop, end, thread }
    }

    fn is_lost(&self) -> bool {
        self.place.get(&self.next).is_ok()
    }

    fn renew(&self, done: bool) -> io::Result<()> {
        self.place.put(&self.name, &claim(&self.worker, self.lease, done))
    }
}

/// A chunk that was taken.
pub(crate) struct ClaimedChunk {
    /// Which one.
    pub(crate) number: ShardNumber,
    /// Ends the work on it: when the user does, or when the claim is lost.
    pub(crate) stop: StopSignal,
    end: mpsc::Sender<()>,
    thread: JoinHandle<(Renewal, bool)>,
}

impl ClaimedChunk {
    /// Ends the claim: as finished, or so that others may have it at once. Whether it held until
    /// now.
    pub(crate) fn release(self, done: bool) -> io::Result<bool> {
        // The thread has ended by itself where the claim was lost.
        let _ = self.end.send(());
        let Ok((claim_held, held)) = self.thread.join() else { return Ok(false) };
        if !held {
            return Ok(false);
        }
        if done {
            claim_held.renew(true)?;
        } else {
            let Renewal { place, worker, name, .. } = claim_held;
            let over = Claim { worker, until: 0, done: false };
            place.put(&name, &serde_json::to_vec(&over).unwrap_or_default())?;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(folder: &Path, lease: Duration) -> Claims {
        let request = ClaimRequest { place: folder.to_owned(), chunks: None, lease };
        Claims::new(&request, "abc", 3)
    }

    fn taken(next: NextChunk) -> Option<ClaimedChunk> {
        match next {
            NextChunk::Taken(chunk) => Some(chunk),
            NextChunk::Held | NextChunk::AllDone => None,
        }
    }

    #[test]
    fn a_chunk_is_taken_by_one_worker() {
        let folder = tempfile::tempdir().unwrap();
        let stop = StopSignal::default();
        let indexes: Vec<u32> = thread::scope(|scope| {
            let workers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let mut worker = claims(folder.path(), Duration::from_mins(1));
                        let mut indexes = Vec::new();
                        while let Some(chunk) = taken(worker.take(&stop).unwrap()) {
                            indexes.push(chunk.number.index);
                            assert!(chunk.release(true).unwrap());
                        }
                        indexes
                    })
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        let mut sorted = indexes;
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 2, 3]);
        let mut last = claims(folder.path(), Duration::from_mins(1));
        assert!(matches!(last.take(&stop).unwrap(), NextChunk::AllDone));
    }

    #[test]
    fn a_lease_that_is_renewed_holds_and_one_that_is_not_runs_out() {
        let folder = tempfile::tempdir().unwrap();
        let stop = StopSignal::default();
        let lease = Duration::from_millis(300);
        let (mut a, mut b) = (claims(folder.path(), lease), claims(folder.path(), lease));
        let kept: Vec<_> = (0..3).map(|_| taken(a.take(&stop).unwrap()).unwrap()).collect();
        thread::sleep(lease * 3);
        assert!(matches!(b.take(&stop).unwrap(), NextChunk::Held));
        // A worker that was killed renews nothing.
        for chunk in kept {
            let _ = chunk.end.send(());
            let _ = chunk.thread.join();
        }
        thread::sleep(lease * 2);
        let over = taken(b.take(&stop).unwrap()).unwrap();
        assert_eq!(over.number.index, 1);
        // What is given back can be had at once.
        assert!(over.release(false).unwrap());
        assert_eq!(taken(a.take(&stop).unwrap()).unwrap().number.index, 1);
    }

    #[test]
    fn a_worker_that_lost_its_claim_stops() {
        let folder = tempfile::tempdir().unwrap();
        let lease = Duration::from_millis(300);
        let stop = StopSignal::default();
        let mut worker = claims(folder.path(), lease);
        let chunk = taken(worker.take(&stop).unwrap()).unwrap();
        fs::write(folder.path().join("claim-abc-1-of-3.1"), "{}").unwrap();
        thread::sleep(lease * 2);
        assert!(chunk.stop.now.is_cancelled() && !stop.now.is_cancelled());
        assert!(!chunk.release(true).unwrap());
    }

    #[test]
    fn plans_are_cut_by_the_number_of_cases() {
        let request = |chunks| ClaimRequest { place: "c".into(), chunks, lease: Duration::ZERO };
        let cut = |cases| request(None).chunks(cases);
        assert_eq!([cut(1), cut(46), cut(1826), cut(1_000_000)], [1, 2, 64, 64]);
        assert_eq!(request(Some(5)).chunks(46), 5);
    }
}
