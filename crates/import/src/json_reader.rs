//! A JSON file read value by value, however long it is: only one value is in memory.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::python_json::{Node, ScanStop, Scanner, build, build_members, decode, members, parse};
use crate::{ImportError, ResultKind, file};

/// The longest single value that is read. The longest in published results has 4 MB.
const LONGEST: usize = 256 << 20;

/// How much of a file is in sight. A value that lies in there is read in one pass.
const SIGHT: usize = 1 << 18;

/// Through how many levels a value that is passed over is walked; what is deeper is read whole.
const WALKED: usize = 3;

/// A file that is read from its beginning to its end. What it is made of is asked for step by step:
/// `begin`, `key` and `item` walk through objects and lists, `value` and `skip` read what stands
/// there.
pub(crate) struct JsonReader {
    path: PathBuf,
    kind: ResultKind,
    file: BufReader<File>,
    /// The bytes of the value that was read last.
    text: Vec<u8>,
    line: usize,
    /// The objects and lists around the place, each with whether nothing was read of it yet.
    around: Vec<bool>,
}

impl JsonReader {
    pub(crate) fn open(path: &Path, kind: ResultKind) -> Result<Self, ImportError> {
        let file = file::open(path)?;
        let mut reader = Self {
            path: path.to_owned(),
            kind,
            file: BufReader::with_capacity(SIGHT, file),
            text: Vec::new(),
            line: 1,
            around: Vec::new(),
        };
        let start = reader.file.fill_buf().map_err(ImportError::io(path))?;
        // Some editors put a mark of the byte order in front.
        let mark = if start.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        reader.file.consume(mark);
        Ok(reader)
    }

    /// Says what is wrong with the file as a whole.
    pub(crate) fn wrong(&self, why: impl Into<String>) -> ImportError {
        ImportError::unfit(&self.path, self.kind, why)
    }

    /// Says what is wrong near the place.
    pub(crate) fn wrong_here(&self, why: impl Into<String>) -> ImportError {
        ImportError::Line { path: self.path.clone(), line: self.line, why: why.into() }
    }

    fn expected(&self, what: &str) -> ImportError {
        self.wrong_here(format!("is not JSON: {what} is expected"))
    }

    fn ended(&self) -> ImportError {
        self.wrong("it ends in the middle of a value")
    }

    /// The next byte that is not white space.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            let chunk = self.file.fill_buf().map_err(ImportError::io(&self.path))?;
            let Some(first) = chunk.first().copied() else { return Ok(None) };
            if !first.is_ascii_whitespace() {
                return Ok(Some(first));
            }
            self.line += usize::from(first == b'\n');
            self.file.consume(1);
        }
    }

    fn take(&mut self, wanted: u8, what: &str) -> Result<(), ImportError> {
        match self.peek()? {
            Some(found) if found == wanted => {
                self.file.consume(1);
                Ok(())
            }
            Some(_) => Err(self.expected(what)),
            None => Err(self.ended()),
        }
    }

    /// Goes into the object or list that stands here.
    pub(crate) fn begin(&mut self, bracket: u8) -> Result<(), ImportError> {
        self.take(bracket, if bracket == b'{' { "an object" } else { "a list" })?;
        self.around.push(true);
        Ok(())
    }

    /// Whether another member or item follows. If not, the object or list is left.
    fn goes_on(&mut self, bracket: u8) -> Result<bool, ImportError> {
        let first = self.around.last().copied().unwrap_or(true);
        if self.peek()? == Some(bracket) {
            self.file.consume(1);
            self.around.pop();
            return Ok(false);
        }
        if !first {
            self.take(b',', "a comma")?;
        }
        if let Some(first) = self.around.last_mut() {
            *first = false;
        }
        Ok(true)
    }

    /// The key of the next member of an object; `None` at its end, which is left then.
    pub(crate) fn key(&mut self) -> Result<Option<String>, ImportError> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        match self.peek()? {
            Some(b'"') => {}
            Some(_) => return Err(self.expected("a key")),
            None => return Err(self.ended()),
        }
        let key = match self.in_sight(|scanner, text| Ok(decode(&text[scanner.value()?]).into()))? {
            Some(key) => key,
            None => decode(self.raw()?).into_owned(),
        };
        self.take(b':', "a colon")?;
        Ok(Some(key))
    }

    /// Whether a list has another item; at its end it is left.
    pub(crate) fn item(&mut self) -> Result<bool, ImportError> {
        self.goes_on(b']')
    }

    /// The value that stands here.
    pub(crate) fn value(&mut self) -> Result<Value, ImportError> {
        if let Some(value) = self.in_sight(|scanner, _| build(scanner))? {
            return Ok(value);
        }
        self.read()?;
        parse(&self.text).map_err(|stop| self.stopped(&stop))
    }

    /// What is made of the value that stands here, without a copy of its texts.
    pub(crate) fn made<T>(
        &mut self,
        mut make: impl FnMut(&Node<'_>) -> T,
    ) -> Result<T, ImportError> {
        let made = self.in_sight(|scanner, _| Node::read(scanner).map(|node| make(&node)))?;
        if let Some(made) = made {
            return Ok(made);
        }
        self.read()?;
        let node = Node::parse(&self.text).map_err(|stop| self.stopped(&stop))?;
        Ok(make(&node))
    }

    /// Of the object that stands here the members of these names; of anything else all. What is
    /// left out must be JSON all the same.
    pub(crate) fn members(&mut self, names: &[&str]) -> Result<Value, ImportError> {
        if let Some(value) = self.in_sight(|scanner, _| build_members(scanner, names))? {
            return Ok(value);
        }
        self.read()?;
        members(&self.text, names).map_err(|stop| self.stopped(&stop))
    }

    /// The text of the value that stands here, which must be JSON.
    pub(crate) fn raw(&mut self) -> Result<&[u8], ImportError> {
        self.read()?;
        self.check_text()?;
        Ok(&self.text)
    }

    /// The text of the value that was read last.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Passes over the value that stands here, which must be JSON all the same.
    pub(crate) fn skip(&mut self) -> Result<(), ImportError> {
        self.skip_within(WALKED)
    }

    /// A list of all results may be as long as the file: it is passed over item by item, so that
    /// only one is in memory.
    fn skip_within(&mut self, levels: usize) -> Result<(), ImportError> {
        match self.peek()? {
            Some(bracket @ b'{') if levels > 0 => {
                self.begin(bracket)?;
                while self.key()?.is_some() {
                    self.skip_within(levels - 1)?;
                }
                Ok(())
            }
            Some(bracket @ b'[') if levels > 0 => {
                self.begin(bracket)?;
                while self.item()? {
                    self.skip_within(levels - 1)?;
                }
                Ok(())
            }
            _ => self.check(),
        }
    }

    fn check(&mut self) -> Result<(), ImportError> {
        if self.in_sight(|scanner, _| scanner.value().map(drop))?.is_some() {
            return Ok(());
        }
        self.read()?;
        self.check_text()
    }

    /// Whether the text that was read last is one value.
    fn check_text(&self) -> Result<(), ImportError> {
        Scanner::new(&self.text).value().map(drop).map_err(|stop| self.stopped(&stop))
    }

    /// Nothing may follow.
    pub(crate) fn end(&mut self) -> Result<(), ImportError> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.wrong_here("something follows the end of the value")),
        }
    }

    fn stopped(&self, stop: &ScanStop) -> ImportError {
        let before = &self.text[..stop.at.min(self.text.len())];
        let lines = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        let why = format!("is not JSON: {} is expected", stop.wanted);
        // The reader stands behind the value already.
        let line = self.line - lines(&self.text) + lines(before);
        ImportError::Line { path: self.path.clone(), line, why }
    }

    /// Reads the value that stands here where it lies. `None` if not all of it is in sight, or if
    /// something is wrong with it, which reading it as text then tells.
    fn in_sight<T>(
        &mut self,
        read: impl FnOnce(&mut Scanner<'_>, &[u8]) -> Result<T, ScanStop>,
    ) -> Result<Option<T>, ImportError> {
        // A number or a word has no end of its own.
        if !matches!(self.peek()?, Some(b'{' | b'[' | b'"')) {
            return Ok(None);
        }
        let chunk = self.file.fill_buf().map_err(ImportError::io(&self.path))?;
        let mut scanner = Scanner::new(chunk);
        let Ok(value) = read(&mut scanner, chunk) else { return Ok(None) };
        let used = scanner.offset();
        self.line += memchr::memchr_iter(b'\n', &chunk[..used]).count();
        self.file.consume(used);
        Ok(Some(value))
    }

    /// Brings the bytes of the next value into `text`. Brackets are only counted here: whoever
    /// builds or scans the value finds what is wrong within.
    fn read(&mut self) -> Result<(), ImportError> {
        self.text.clear();
        if self.peek()?.is_none() {
            return Err(self.ended());
        }
        let mut state = ValueState::default();
        loop {
            let chunk = self.file.fill_buf().map_err(ImportError::io(&self.path))?;
            if chunk.is_empty() {
                // Only a number or a word has no end of its own.
                return if state.is_scalar() { Ok(()) } else { Err(self.ended()) };
            }
            let (used, done) = state.advance(chunk);
            self.text.extend_from_slice(&chunk[..used]);
            self.line += memchr::memchr_iter(b'\n', &chunk[..used]).count();
            self.file.consume(used);
            if done {
                return Ok(());
            }
            if self.text.len() > LONGEST {
                return Err(self.wrong_here("holds a value of more than 256 MB"));
            }
        }
    }
}

/// How far a value was read.
#[derive(Default)]
struct ValueState {
    depth: usize,
    in_text: bool,
    escaped: bool,
    begun: bool,
}

impl ValueState {
    fn is_scalar(&self) -> bool {
        self.begun && self.depth == 0 && !self.in_text
    }

    /// How many bytes belong to the value, and whether it ends with them.
    fn advance(&mut self, chunk: &[u8]) -> (usize, bool) {
        let mut place = 0;
        while let Some(byte) = chunk.get(place).copied() {
            if self.in_text {
                match self.within_text(&chunk[place..]) {
                    Some(used) => place += used,
                    None => break,
                }
                if self.depth == 0 && !self.in_text {
                    return (place, true);
                }
                continue;
            }
            match byte {
                b'"' | b'{' | b'[' | b',' | b' ' | b'\n' | b'\r' | b'\t' if self.is_scalar() => {
                    return (place, true);
                }
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth == 0 => {
                    return (place.max(usize::from(!self.begun)), true);
                }
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return (place + 1, true);
                    }
                }
                _ => {}
            }
            self.begun = true;
            place += 1;
        }
        (chunk.len(), false)
    }

    /// Goes on to the end of the text, or to what is escaped in it. `None` if there is neither.
    fn within_text(&mut self, rest: &[u8]) -> Option<usize> {
        if self.escaped {
            self.escaped = false;
            return Some(1);
        }
        let place = memchr::memchr2(b'"', b'\\', rest)?;
        self.escaped = rest[place] == b'\\';
        self.in_text = self.escaped;
        Some(place + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_whether_or_not_they_are_in_sight() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        // Some end in sight, some behind it, and one is longer than what can be seen at once.
        let lengths = [10, SIGHT / 3, SIGHT / 2, SIGHT / 2, SIGHT - 5, 2 * SIGHT, 7];
        let line = |length: &usize| format!("{{\"a\":\n\"{}\"}}\n", "x".repeat(*length));
        let mut text: String = lengths.iter().map(line).collect();
        text.push_str("{\"a\":\n[1 2]}\n");
        std::fs::write(&path, text).unwrap();
        let mut reader = JsonReader::open(&path, ResultKind::OpenAi).unwrap();
        for (place, length) in lengths.iter().enumerate() {
            let value = match place % 3 {
                0 => reader.value(),
                1 => reader.members(&["a"]),
                _ => reader.made(|node| node.picked(&["a"])),
            };
            assert_eq!(value.unwrap()["a"].as_str().map(str::len), Some(*length));
        }
        let error = reader.value().unwrap_err();
        assert!(matches!(error, ImportError::Line { line: 16, .. }), "{error}");
    }
}
