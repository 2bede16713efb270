//! An object that is read in ranges. What a request brought is kept, and requests grow while an
//! object is gone through, so that a whole log takes few of them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use toolgauge_log::ReadAt;

use crate::clients::{Bucket, StoreClients};

/// How much of the end is read first: the directory of a log with a thousand samples.
pub(crate) const TAIL: u64 = 128 << 10;
/// The least that is asked for: a request takes as long for one byte.
const LEAST: u64 = 64 << 10;
/// The most that is asked for beyond what is wanted.
const MOST: u64 = 4 << 20;
/// How much is kept of what was read.
const KEPT: usize = 16 << 20;

/// An object in a store.
#[derive(Debug)]
pub(crate) struct StoredObject {
    pub(crate) clients: StoreClients,
    pub(crate) bucket: Arc<Bucket>,
    pub(crate) key: object_store::path::Path,
    pub(crate) size: u64,
    /// The last bytes, where a log has its directory.
    pub(crate) tail: Bytes,
    pub(crate) read: Mutex<RecentBlocks>,
    /// The whole object, if its store knows no ranges.
    pub(crate) whole: OnceLock<File>,
}

/// What was read lately.
#[derive(Debug, Default)]
pub(crate) struct RecentBlocks(VecDeque<Block>);

#[derive(Clone, Debug)]
struct Block {
    start: u64,
    bytes: Bytes,
}

impl Block {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// The bytes from a place on, if they are in this block.
    fn from(&self, offset: u64) -> Option<Bytes> {
        let from = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (from < self.bytes.len()).then(|| self.bytes.slice(from..))
    }
}

impl RecentBlocks {
    fn find(&self, offset: u64) -> Option<Bytes> {
        self.0.iter().find_map(|block| block.from(offset))
    }

    /// How much to ask for at a place: more where something just before it was read.
    fn ahead(&self, offset: u64) -> u64 {
        let before = self.0.iter().filter(|block| block.start <= offset);
        let near = before.filter(|block| offset - block.end().min(offset) <= LEAST);
        let longest = near.map(|block| block.bytes.len() as u64).max();
        longest.map_or(LEAST, |longest| (longest * 2).clamp(LEAST, MOST))
    }

    fn keep(&mut self, block: Block) {
        self.0.push_back(block);
        let mut kept: usize = self.0.iter().map(|block| block.bytes.len()).sum();
        while kept > KEPT && self.0.len() > 1 {
            kept -= self.0.pop_front().map_or(0, |block| block.bytes.len());
        }
    }
}

impl StoredObject {
    /// The bytes from a place on, at least one and as many as are at hand; `wanted` of them if they
    /// must be asked for.
    fn bytes(&self, offset: u64, wanted: u64) -> io::Result<Bytes> {
        let tail = Block { start: self.size - self.tail.len() as u64, bytes: self.tail.clone() };
        if let Some(found) = tail.from(offset) {
            return Ok(found);
        }
        let recent = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = recent().find(offset) {
            return Ok(found);
        }
        // The lock is not held while the store is asked: others read elsewhere in the meantime.
        let length = wanted.max(recent().ahead(offset));
        let end = offset.saturating_add(length).min(tail.start);
        let (bytes, _) = self.clients.read_range(&self.bucket, &self.key, offset..end)?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        recent().keep(Block { start: offset, bytes: bytes.clone() });
        Ok(bytes)
    }

    /// The whole object as a file, for a store that sends all of it whatever is asked for.
    fn download(&self) -> io::Result<&File> {
        if let Some(file) = self.whole.get() {
            return Ok(file);
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(&self.clients.read_whole(&self.bucket, &self.key)?)?;
        Ok(self.whole.get_or_init(|| file))
    }
}

impl ReadAt for StoredObject {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if let Some(file) = self.whole.get() {
            return file.read_at(buffer, offset);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            let at = offset + filled as u64;
            if at >= self.size {
                break;
            }
            let wanted = (buffer.len() - filled) as u64;
            let found = match self.bytes(at, wanted) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    return self.download()?.read_at(buffer, offset);
                }
                found => found?,
            };
            let taken = found.len().min(buffer.len() - filled);
            buffer[filled..filled + taken].copy_from_slice(&found[..taken]);
            filled += taken;
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u64, length: usize) -> Block {
        Block { start, bytes: Bytes::from(vec![0; length]) }
    }

    #[test]
    fn requests_grow_while_an_object_is_gone_through() {
        let mut read = RecentBlocks::default();
        let (mut at, mut requests) = (0, 0);
        while at < 64 << 20 {
            let length = read.ahead(at);
            read.keep(block(at, usize::try_from(length).unwrap()));
            (at, requests) = (at + length, requests + 1);
        }
        assert!(requests < 25, "{requests}");
        assert_eq!(read.ahead(1 << 40), LEAST);
        assert!(read.0.iter().map(|block| block.bytes.len()).sum::<usize>() <= KEPT);
    }

    #[test]
    fn what_was_read_is_found_again() {
        let mut read = RecentBlocks::default();
        read.keep(block(100, 50));
        assert_eq!(read.find(120).unwrap().len(), 30);
        assert!(read.find(150).is_none() && read.find(99).is_none());
    }
}
