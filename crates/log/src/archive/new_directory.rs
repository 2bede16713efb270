//! The directory of a zip file that is being written.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::entry::{LOCAL_LENGTH, get16, read_central};
use super::{MemberEntry, ReadAt};

/// So many bytes of records are in memory before they are put away.
const IN_MEMORY: usize = 1 << 18;

/// The place of a member that is in the directory no more.
const GONE: u64 = u64::MAX;

/// The members so far. Of each only a hash of its name and its place are in memory, sixteen bytes:
/// the name stands in the file, and the record waits in a file without a name until it is written.
#[derive(Debug, Default)]
pub(super) struct NewDirectory {
    /// Where members begin, by the hash of their names. A name whose hash is taken by another has
    /// the next free one.
    places: HashMap<u64, u64, BuildHasherDefault<HashItself>>,
    hasher: foldhash::fast::RandomState,
    records: CentralRecords,
    count: u64,
    /// Where members begin whose records do not count: they were replaced, or are damaged.
    left_out: BTreeSet<u64>,
}

impl NewDirectory {
    /// Where the member of that name begins, if there is one.
    pub(super) fn place(&self, name: &str, file: &File) -> io::Result<Option<u64>> {
        Ok(self.find(name, file)?.1)
    }

    /// Enters a member that stands in the file; it replaces one of the same name.
    pub(super) fn insert(
        &mut self,
        name: &str,
        entry: &MemberEntry,
        file: &File,
    ) -> io::Result<()> {
        let (key, known) = self.find(name, file)?;
        self.places.insert(key, entry.offset);
        self.records.add(name, entry);
        match known {
            Some(place) => drop(self.left_out.insert(place)),
            None => self.count += 1,
        }
        Ok(())
    }

    /// Leaves a member out.
    pub(super) fn remove(&mut self, name: &str, file: &File) -> io::Result<()> {
        let (key, known) = self.find(name, file)?;
        if let Some(place) = known {
            // The key stays taken, because other names may be looked for behind it.
            self.places.insert(key, GONE);
            self.left_out.insert(place);
            self.count -= 1;
        }
        Ok(())
    }

    /// The key under which a name is or would be, and the place of its member if there is one.
    fn find(&self, name: &str, file: &File) -> io::Result<(u64, Option<u64>)> {
        let mut key = self.hasher.hash_one(name);
        loop {
            match self.places.get(&key).copied() {
                None => return Ok((key, None)),
                Some(place) if place != GONE && is_named(file, place, name)? => {
                    return Ok((key, Some(place)));
                }
                Some(_) => key = key.wrapping_add(1),
            }
        }
    }

    /// Hands out the records in the order in which the members were entered, and says how many
    /// there are.
    pub(super) fn write(self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let Self { records, left_out, .. } = self;
        records.each_block(|block| {
            if left_out.is_empty() {
                return take(block);
            }
            let mut rest = block;
            while let Some(record) = read_central(rest) {
                let (own, others) = rest.split_at(record.length);
                if !left_out.contains(&record.entry.offset) {
                    take(own)?;
                }
                rest = others;
            }
            Ok(())
        })?;
        Ok(self.count)
    }
}

/// Whether the member that begins at a place has that name.
fn is_named(file: &File, place: u64, name: &str) -> io::Result<bool> {
    // A name that is no text is known with replacements, which are no shorter than what they replace.
    let mut head = vec![0; LOCAL_LENGTH + name.len()];
    file.read_at(&mut head, place)?;
    let (fields, found) = head.split_at(LOCAL_LENGTH);
    let found = found.get(..usize::from(get16(fields, 26)));
    Ok(found.is_some_and(|found| String::from_utf8_lossy(found) == name))
}

/// Records of the directory, in blocks of whole ones.
#[derive(Debug, Default)]
struct CentralRecords {
    /// The block that is being filled. It grows on if there is no room elsewhere.
    block: Vec<u8>,
    put_away: Option<File>,
    /// The lengths of the blocks that were put away.
    lengths: Vec<usize>,
    /// Whether a block could not be put away.
    is_stuck: bool,
}

impl CentralRecords {
    fn add(&mut self, name: &str, entry: &MemberEntry) {
        entry.write_central(name, &mut self.block);
        if self.block.len() >= IN_MEMORY && !self.is_stuck {
            // A folder for temporary files that is full or missing costs memory and nothing else.
            self.is_stuck = self.put_away().is_err();
        }
    }

    fn put_away(&mut self) -> io::Result<()> {
        let file = match &mut self.put_away {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.block)?;
        self.lengths.push(self.block.len());
        self.block.clear();
        Ok(())
    }

    fn each_block(self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(mut file) = self.put_away {
            file.seek(SeekFrom::Start(0))?;
            let mut block = Vec::new();
            for length in self.lengths {
                block.resize(length, 0);
                file.read_exact(&mut block)?;
                take(&block)?;
            }
        }
        take(&self.block)
    }
}

/// The hash of a key that is one already.
#[derive(Debug, Default)]
struct HashItself(u64);

impl Hasher for HashItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::LOCAL;

    /// A file with so many members, and its directory.
    fn entered(count: u64) -> (File, NewDirectory) {
        let (mut file, mut directory) = (tempfile::tempfile().unwrap(), NewDirectory::default());
        for number in 0..count {
            add(&mut file, &mut directory, &name(number));
        }
        (file, directory)
    }

    fn name(number: u64) -> String {
        format!("samples/case-{number}_epoch_1.json")
    }

    fn add(file: &mut File, directory: &mut NewDirectory, name: &str) {
        let offset = file.seek(SeekFrom::End(0)).unwrap();
        let entry = MemberEntry { offset, packed: 0, size: 0, crc: 0, method: 8 };
        let mut local = Vec::new();
        entry.write_local(name, &[], &mut local);
        assert!(local.starts_with(&LOCAL));
        file.write_all(&local).unwrap();
        directory.insert(name, &entry, file).unwrap();
    }

    fn written(directory: NewDirectory) -> (u64, Vec<(String, u64)>) {
        let (mut bytes, mut found) = (Vec::new(), Vec::new());
        let take = |block: &[u8]| {
            bytes.extend_from_slice(block);
            Ok(())
        };
        let count = directory.write(take).unwrap();
        let mut rest = &bytes[..];
        while let Some(record) = read_central(rest) {
            found.push((record.name.into(), record.entry.offset));
            rest = &rest[record.length..];
        }
        assert!(rest.is_empty());
        (count, found)
    }

    #[test]
    fn every_member_is_written_once_however_many_there_are() {
        let (file, directory) = entered(10_000);
        assert!(directory.records.lengths.len() > 1, "some were put away");
        assert!(directory.records.block.len() < IN_MEMORY);
        assert!(directory.place(&name(9_999), &file).unwrap().is_some());
        assert_eq!(directory.place(&name(10_000), &file).unwrap(), None);
        let (count, found) = written(directory);
        assert_eq!((count, found.len()), (10_000, 10_000));
        assert!(found.iter().zip(0..).all(|((found, _), number)| *found == name(number)));
    }

    #[test]
    fn of_several_members_of_one_name_the_last_counts_and_what_is_removed_does_not() {
        let (mut file, mut directory) = entered(5_000);
        add(&mut file, &mut directory, &name(7));
        directory.remove(&name(4_000), &file).unwrap();
        directory.remove(&name(4_001), &file).unwrap();
        add(&mut file, &mut directory, &name(4_001));
        let last = directory.place(&name(7), &file).unwrap().unwrap();
        assert_eq!(directory.place(&name(4_000), &file).unwrap(), None);
        let (count, found) = written(directory);
        assert_eq!((count, found.len()), (4_999, 4_999));
        assert_eq!(found.iter().filter(|(found, _)| *found == name(7)).count(), 1);
        assert!(
            found.contains(&(name(7), last)) && !found.iter().any(|(it, _)| *it == name(4_000))
        );
    }

    #[test]
    fn names_of_one_hash_are_told_apart() {
        let (mut file, mut directory) = entered(3);
        // As if the hash of a new name were taken by another member.
        let taken = directory.place(&name(0), &file).unwrap().unwrap();
        let hash = directory.hasher.hash_one("other");
        directory.places.insert(hash, taken);
        assert_eq!(directory.place("other", &file).unwrap(), None);
        add(&mut file, &mut directory, "other");
        assert!(directory.place("other", &file).unwrap().is_some_and(|place| place != taken));
        assert_eq!(directory.place(&name(0), &file).unwrap(), Some(taken));
    }

    #[test]
    fn a_member_takes_few_bytes_of_memory() {
        assert_eq!(size_of::<(u64, u64)>(), 16);
        let (_, directory) = entered(100_000);
        // Keys, places and a byte each, with the room that a table leaves free.
        assert!(directory.places.capacity() < 300_000 && directory.records.block.len() < IN_MEMORY);
    }
}
