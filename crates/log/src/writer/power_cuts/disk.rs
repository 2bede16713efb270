//! A disk that remembers what it was asked, refuses what it is told to, and can be looked at as
//! it would be after a power cut.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::archive::Storage;

/// What was done to a file.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Write {
        offset: u64,
        bytes: Vec<u8>,
    },
    Cut(u64),
    Sync,
    /// The name of the file reached the disk.
    Name,
}

/// Everything that was done to a file so far, by all who had it open.
pub(super) type Timeline = Arc<Mutex<Vec<Operation>>>;

/// Which operation goes wrong, counted from the first attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) kind: FaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// One operation is refused, without effect.
    Once,
    /// This operation and all after it are.
    FromHere,
    /// A write takes only half, and all after it are refused.
    HalfThenFull,
    /// A write takes only half, and nothing else is wrong.
    Half,
}

#[derive(Debug)]
pub(super) struct Disk {
    file: File,
    timeline: Timeline,
    attempts: Arc<Mutex<usize>>,
    fault: Option<Fault>,
}

/// What a fault makes of an operation.
enum Fate {
    Done,
    Halved,
    Refused,
}

impl Disk {
    pub(super) fn open(path: &Path, timeline: &Timeline) -> Self {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).unwrap();
        Self { file, timeline: Arc::clone(timeline), attempts: Arc::default(), fault: None }
    }

    /// Lets one operation go wrong. `attempts` are counted over all that have the file open.
    pub(super) fn with_fault(mut self, fault: Option<Fault>, attempts: &Arc<Mutex<usize>>) -> Self {
        self.fault = fault;
        self.attempts = Arc::clone(attempts);
        self
    }

    fn fate(&self) -> Fate {
        let mut attempts = self.attempts.lock().unwrap();
        let now = *attempts;
        *attempts += 1;
        let Some(Fault { at, kind }) = self.fault else { return Fate::Done };
        match kind {
            FaultKind::Once if now == at => Fate::Refused,
            FaultKind::FromHere if now >= at => Fate::Refused,
            FaultKind::HalfThenFull if now > at => Fate::Refused,
            FaultKind::Half | FaultKind::HalfThenFull if now == at => Fate::Halved,
            _ => Fate::Done,
        }
    }

    fn note(&self, operation: Operation) {
        self.timeline.lock().unwrap().push(operation);
    }

    fn unless_refused(&self, operation: Operation) -> io::Result<()> {
        if matches!(self.fate(), Fate::Refused) {
            return Err(full());
        }
        self.note(operation);
        Ok(())
    }
}

fn full() -> io::Error {
    io::Error::from(io::ErrorKind::StorageFull)
}

impl Storage for Disk {
    fn file(&self) -> &File {
        &self.file
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let bytes = match self.fate() {
            Fate::Done => bytes,
            Fate::Halved => &bytes[..bytes.len().div_ceil(2)],
            Fate::Refused => return Err(full()),
        };
        self.file.write_all_at(bytes, offset)?;
        self.note(Operation::Write { offset, bytes: bytes.to_vec() });
        Ok(bytes.len())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.unless_refused(Operation::Cut(length))?;
        self.file.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.unless_refused(Operation::Sync)
    }

    fn sync_folder(&self) -> io::Result<()> {
        self.unless_refused(Operation::Name)
    }
}

/// How much of an operation survives that the disk was not yet made to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Survival {
    Whole,
    /// Only so many bytes at the beginning.
    Beginning(usize),
    /// Only every second sector, from the first or from the second.
    Sectors(usize),
    /// Nothing, and the file is as long as if it had: its bytes are zero.
    Zeros,
    Nothing,
}

/// What a disk writes at once.
const SECTOR: usize = 512;

/// The bytes of a file after some operations, each as far as it survived.
pub(super) fn image<'a>(operations: impl Iterator<Item = (&'a Operation, Survival)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (operation, survival) in operations {
        match operation {
            Operation::Write { offset, bytes: new } => {
                write(&mut bytes, usize::try_from(*offset).unwrap(), new, survival);
            }
            Operation::Cut(length) if survival == Survival::Whole => {
                bytes.resize(usize::try_from(*length).unwrap(), 0);
            }
            _ => {}
        }
    }
    bytes
}

fn write(bytes: &mut Vec<u8>, offset: usize, new: &[u8], survival: Survival) {
    let kept = match survival {
        Survival::Nothing | Survival::Beginning(0) => return,
        Survival::Beginning(length) => &new[..length.min(new.len())],
        _ => new,
    };
    let end = offset + kept.len();
    bytes.resize(bytes.len().max(end), 0);
    match survival {
        Survival::Zeros => {}
        Survival::Sectors(first) => {
            // Sectors are those of the disk, not of the write.
            for at in offset..end {
                if (at / SECTOR) % 2 == first {
                    bytes[at] = kept[at - offset];
                }
            }
        }
        _ => bytes[offset..end].copy_from_slice(kept),
    }
}

/// Up to where operations are surely kept: behind the last sync of a file whose name is kept.
pub(super) fn durable(operations: &[Operation]) -> usize {
    let (mut named, mut synced, mut durable) = (false, 0, 0);
    for (index, operation) in operations.iter().enumerate() {
        match operation {
            Operation::Sync => synced = index + 1,
            Operation::Name => named = true,
            _ => continue,
        }
        if named {
            durable = synced;
        }
    }
    durable
}
