//! What a file or a folder is, told by what it holds. Nothing is guessed: a file that fits no kind
//! is refused with what was seen in it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::python_json::Scanner;
use crate::{ImportError, ResultKind, bfcl};

/// How much of a file is looked at.
const GLANCE: u64 = 1 << 20;

/// The kind of result that lies in a file or a folder.
pub fn detect(path: &Path) -> Result<ResultKind, ImportError> {
    let unknown =
        |seen: &str| ImportError::Unknown { path: path.to_owned(), seen: seen.to_owned() };
    if path.is_dir() {
        let results = path.join("results.json");
        if results.is_file() && matches!(detect(&results), Ok(ResultKind::Tau2)) {
            return Ok(ResultKind::Tau2);
        }
        let found = bfcl::has_results(path)?.then_some(ResultKind::Bfcl);
        return found.ok_or_else(|| unknown("the folder holds no result file of a known kind"));
    }
    let glance = Glance::at(path)?;
    // The name tells the category, without which such a file means nothing.
    if bfcl::is_result_name(path) && glance.has_all(&["id", "result"]) {
        return Ok(ResultKind::Bfcl);
    }
    if bfcl::is_result_name(path) && glance.has_all(&["accuracy", "total_count"]) {
        return Ok(ResultKind::Bfcl);
    }
    glance.kind().ok_or_else(|| unknown(&glance.describe()))
}

/// What a file looks like, for a message that refuses it.
pub fn describe(path: &Path) -> Result<String, ImportError> {
    Ok(Glance::at(path)?.describe())
}

/// The beginning of a file.
enum Glance {
    Nothing,
    /// One object, or one a line, with its keys as far as they are in sight.
    Object(Vec<String>),
    /// A list, with the keys of its first item if that is an object.
    List(Option<Vec<String>>),
    /// Something else, and what.
    Other(&'static str),
}

impl Glance {
    fn at(path: &Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(ImportError::io(path))?;
        let mut start = Vec::new();
        file.take(GLANCE).read_to_end(&mut start).map_err(ImportError::io(path))?;
        let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
        let text = text.trim_ascii_start();
        Ok(match text.first() {
            None => Self::Nothing,
            Some(b'{') => Self::Object(keys(text)),
            Some(b'[') => {
                let first = text[1..].trim_ascii_start();
                Self::List(first.starts_with(b"{").then(|| keys(first)))
            }
            Some(_) if text.starts_with(b"PK") => Self::Other("a zip archive, as logs are"),
            Some(_) if std::str::from_utf8(&text[..text.len().min(64)]).is_ok() => {
                Self::Other("text that is not JSON")
            }
            Some(_) => Self::Other("binary data"),
        })
    }

    fn has_all(&self, wanted: &[&str]) -> bool {
        let Self::Object(keys) = self else { return false };
        wanted.iter().all(|wanted| keys.iter().any(|key| key == wanted))
    }

    /// The kind that the file is by its content alone.
    fn kind(&self) -> Option<ResultKind> {
        // Tasks may be longer than what is in sight, so that simulations may be out of it.
        let is_tau2 = self.has_all(&["simulations", "tasks"])
            || self.has_all(&["simulation_index", "tasks"])
            || self.has_all(&["info", "tasks"]);
        is_tau2.then_some(ResultKind::Tau2)
    }

    fn describe(&self) -> String {
        match self {
            Self::Nothing => "it is empty".into(),
            Self::Object(keys) if keys.is_empty() => {
                "it begins as an object and is not JSON".into()
            }
            Self::Object(_) if self.has_all(&["id", "result"]) => {
                "it looks like a result of BFCL, whose name would be \
                 `BFCL_v4_<category>_result.json`"
                    .into()
            }
            Self::Object(keys) => format!("it looks like {}", named(keys, "an object")),
            Self::List(Some(keys)) if keys.iter().any(|key| key == "traj") => {
                "it looks like a result of τ-bench, which `toolgauge partial` reads".into()
            }
            Self::List(Some(keys)) => format!("it looks like {}", named(keys, "a list of objects")),
            Self::List(None) => "it looks like a list that holds no objects".into(),
            Self::Other(what) => format!("it looks like {what}"),
        }
    }
}

/// The keys of an object, as far as they are within sight.
fn keys(text: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let mut scanner = Scanner::new(text);
    // What is cut off behind the last key that is seen is no matter here.
    let _ = scanner.members(|scanner, key| {
        keys.push(key.text().into_owned());
        scanner.value().map(drop)
    });
    keys
}

fn named(keys: &[String], what: &str) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = keys.iter().take(SHOWN).map(|key| format!("`{key}`")).collect();
    let more = if keys.len() > SHOWN { ", …" } else { "" };
    format!("{what} with the keys {}{more}", shown.join(", "))
}
