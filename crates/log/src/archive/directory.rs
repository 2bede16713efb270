//! Reads the directory at the end of a zip file.

use std::io;

use super::entry::{
    CENTRAL_LENGTH, END, END_LENGTH, END64, LOCATOR64, get16, get32, get64, read_central,
};
use super::{FoundMembers, ReadAt};

/// A directory larger than this is taken for a lie.
const LARGEST: u64 = 4 << 30;

/// The members by the directory; `None` where the file does not end in one.
pub(crate) fn read_directory(file: &dyn ReadAt, length: u64) -> io::Result<Option<FoundMembers>> {
    let Some((start, size)) = find_directory(file, length)? else { return Ok(None) };
    let mut bytes = Vec::new();
    let Ok(size) = usize::try_from(size) else { return Ok(None) };
    bytes.resize(size, 0);
    if file.read_at(&mut bytes, start)? < size {
        return Ok(None);
    }
    // The count at the end is not asked: the records say themselves how many they are.
    // Room for names of ordinary length: growing moves everything.
    let mut found = FoundMembers::default();
    found.entries.reserve(size / (CENTRAL_LENGTH + 24));
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let Some(record) = read_central(rest) else { return Ok(None) };
        // Members lie before the directory. One that claims otherwise shows that this is not the
        // directory, and the file is scanned instead.
        if record.entry.offset >= start {
            return Ok(None);
        }
        let Some(next) = rest.get(record.length..) else { return Ok(None) };
        found.add(record);
        rest = next;
    }
    Ok(Some(found))
}

/// Where the directory begins and how long it is.
fn find_directory(file: &dyn ReadAt, length: u64) -> io::Result<Option<(u64, u64)>> {
    // The last record may be followed by a comment of up to 65,535 bytes, and by nothing else.
    let reach = length.min((END_LENGTH + usize::from(u16::MAX)) as u64);
    let mut tail = vec![0; usize::try_from(reach).expect("at most 64 KiB")];
    let tail_start = length - reach;
    file.read_at(&mut tail, tail_start)?;
    // The signature may also occur in the comment or in packed data, so the last one whose comment
    // reaches exactly to the end of the file is taken.
    for at in memchr::memmem::rfind_iter(&tail, &END) {
        let Some(end) = tail.get(at..).filter(|end| end.len() >= END_LENGTH) else { continue };
        if END_LENGTH + usize::from(get16(end, 20)) != end.len() {
            continue;
        }
        let end_at = tail_start + at as u64;
        let (size, start) = (u64::from(get32(end, 12)), u64::from(get32(end, 16)));
        let (start, size, bound) = match read_end64(file, end_at)? {
            Some((start, size, at)) => (start, size, at),
            None => (start, size, end_at),
        };
        // A directory that reaches into its own end record cannot be right. An empty one is an end
        // record of which a power cut left the beginning: the rest of it reads as zeros.
        let fits = start.checked_add(size).is_some_and(|end| end <= bound);
        return Ok((fits && (1..=LARGEST).contains(&size)).then_some((start, size)));
    }
    Ok(None)
}

/// The 64-bit form of the end, if there is one before `end_at`: start, size, its own place.
fn read_end64(file: &dyn ReadAt, end_at: u64) -> io::Result<Option<(u64, u64, u64)>> {
    let mut locator = [0; 20];
    let Some(locator_at) = end_at.checked_sub(20) else { return Ok(None) };
    file.read_at(&mut locator, locator_at)?;
    if !locator.starts_with(&LOCATOR64) {
        return Ok(None);
    }
    let at = get64(&locator, 8);
    let mut end = [0; 56];
    if at >= locator_at || file.read_at(&mut end, at)? < end.len() || !end.starts_with(&END64) {
        return Ok(None);
    }
    Ok(Some((get64(&end, 48), get64(&end, 40), at)))
}
