//! The beginning of a file: enough to tell what it is.

use std::io::Read;
use std::path::Path;

use crate::python_json::{ScanStop, Scanner, decode};
use crate::{ImportError, file};

/// How much of a file is looked at.
const LENGTH: u64 = 1 << 20;
/// How much is looked at first: mostly it tells what the file is.
const FIRST_LENGTH: u64 = 1 << 16;
/// How deep the outline of its first object goes.
const DEPTH: usize = 3;
/// How many places an outline has at most.
const PLACES: usize = 4096;
/// Longer keys are passed over: no format has such, and every place below one would repeat it.
const LONGEST_KEY: usize = 100;

/// What a file begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    Nothing,
    /// One object, or one a line.
    Object,
    /// A list.
    List,
    /// Something else, and what.
    Other(&'static str),
    /// What may be a result, if somebody makes it readable.
    Unreadable(&'static str),
}

/// The beginning of a file, with an outline of its first object.
#[derive(Debug)]
pub(crate) struct Glance {
    pub(crate) beginning: Beginning,
    /// The places of the first object as far as they are in sight: `results.version`, and
    /// `spans[].tags` for those of the first item of a list. Short texts stand beside.
    outline: Vec<(String, Option<String>)>,
    /// The first line, where the file is no JSON.
    first_line: String,
}

impl Glance {
    pub(crate) fn at(path: &Path) -> Result<Self, ImportError> {
        Self::at_most(path, LENGTH)
    }

    /// A quick look, which may miss what lies behind a long first value.
    pub(crate) fn first(path: &Path) -> Result<Self, ImportError> {
        Self::at_most(path, FIRST_LENGTH)
    }

    fn at_most(path: &Path, length: u64) -> Result<Self, ImportError> {
        let file = file::open(path)?;
        let mut start = Vec::new();
        file.take(length).read_to_end(&mut start).map_err(ImportError::io(path))?;
        Ok(Self::of(&start))
    }

    fn of(start: &[u8]) -> Self {
        let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        let text = text.trim_ascii_start();
        let mut outline = Vec::new();
        let beginning = match text.first() {
            None => Beginning::Nothing,
            Some(b'{') => {
                // What is cut off behind the last place that is seen is no matter here.
                let _ = draw(&mut Scanner::new(text), text, "", DEPTH, &mut outline);
                Beginning::Object
            }
            Some(b'[') => {
                let first = text[1..].trim_ascii_start();
                if first.starts_with(b"{") {
                    let _ = draw(&mut Scanner::new(first), first, "", DEPTH, &mut outline);
                }
                Beginning::List
            }
            Some(_) if text.starts_with(b"PK") => Beginning::Other("a zip archive, as logs are"),
            Some(_) if start.starts_with(b"\x1f\x8b") => Beginning::Unreadable(
                "a file that gzip has compressed, which must be unpacked first",
            ),
            // So does the shell of Windows write what a command prints.
            Some(_) if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") => {
                Beginning::Unreadable("text in UTF-16, which must be saved in UTF-8 first")
            }
            Some(_) if std::str::from_utf8(&text[..text.len().min(64)]).is_ok() => {
                Beginning::Other("text that is not JSON")
            }
            Some(_) => Beginning::Other("binary data"),
        };
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let first_line = String::from_utf8_lossy(&line[..line.len().min(500)]).into_owned();
        Self { beginning, outline, first_line }
    }

    /// Whether the first object has this place.
    pub(crate) fn has(&self, place: &str) -> bool {
        self.outline.iter().any(|(known, _)| known == place)
    }

    /// Whether it has all of these places.
    pub(crate) fn has_all(&self, places: &[&str]) -> bool {
        places.iter().all(|place| self.has(place))
    }

    /// The short text at a place.
    pub(crate) fn text(&self, place: &str) -> &str {
        let found = self.outline.iter().find(|(known, _)| known == place);
        found.and_then(|(_, text)| text.as_deref()).unwrap_or_default()
    }

    pub(crate) fn first_line(&self) -> &str {
        &self.first_line
    }

    /// The keys of the first object itself.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let places = self.outline.iter().map(|(place, _)| place.as_str());
        places.filter(|place| !place.contains(['.', '['])).collect()
    }
}

/// Notes the places of the object that stands here.
fn draw(
    scanner: &mut Scanner<'_>,
    text: &[u8],
    prefix: &str,
    depth: usize,
    outline: &mut Vec<(String, Option<String>)>,
) -> Result<(), ScanStop> {
    scanner.members(|scanner, key| {
        let key = key.text();
        let first = scanner.peek();
        if outline.len() >= PLACES || key.len() > LONGEST_KEY {
            return scanner.value().map(drop);
        }
        let place = format!("{prefix}{key}");
        let at = outline.len();
        outline.push((place.clone(), None));
        match first {
            Some(b'{') if depth > 0 => {
                draw(scanner, text, &format!("{place}."), depth - 1, outline)
            }
            Some(b'[') if depth > 0 => {
                let mut is_first = true;
                scanner.items(|scanner| {
                    let looks = is_first && scanner.peek() == Some(b'{');
                    is_first = false;
                    if looks {
                        return draw(scanner, text, &format!("{place}[]."), depth - 1, outline);
                    }
                    scanner.value().map(drop)
                })
            }
            Some(b'"') => {
                let span = scanner.value()?;
                if span.len() < 100 {
                    outline[at].1 = Some(decode(&text[span]).into_owned());
                }
                Ok(())
            }
            _ => scanner.value().map(drop),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_reaches_into_objects_and_first_items_until_the_text_is_cut() {
        let text = br#" [{"a": {"b": "c"}, "d": [{"e": 1}, {"f": 2}], "g": ["#;
        let glance = Glance::of(text);
        assert_eq!(glance.beginning, Beginning::List);
        assert!(glance.has_all(&["a", "a.b", "d", "d[].e", "g"]));
        assert!(!glance.has("d[].f") && !glance.has("b"));
        assert_eq!((glance.text("a.b"), glance.keys()), ("c", vec!["a", "d", "g"]));
        assert_eq!(Glance::of(b"\n").beginning, Beginning::Nothing);
        let long = format!(r#"{{"{}": {{"a": 1}}, "b": 2}}"#, "k".repeat(101));
        assert_eq!(Glance::of(long.as_bytes()).keys(), ["b"]);
        assert_eq!(Glance::of(b"PK\x03").beginning, Beginning::Other("a zip archive, as logs are"));
        let is_unreadable =
            |start: &[u8]| matches!(Glance::of(start).beginning, Beginning::Unreadable(_));
        assert!(is_unreadable(b"\x1f\x8b\x08") && is_unreadable(b"\xff\xfe{\x00"));
    }
}
