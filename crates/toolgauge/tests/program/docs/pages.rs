//! The Markdown pages of this repository, with their headings and links.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The folder of the repository.
pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A page, named by its path in the repository with forward slashes.
pub(super) struct Page {
    pub(super) name: String,
    pub(super) text: String,
}

impl Page {
    pub(super) fn read(name: &str) -> Self {
        let text = std::fs::read_to_string(repository().join(name)).unwrap();
        Self { name: name.to_owned(), text }
    }

    /// Whether the page is a part of the book.
    pub(super) fn is_in_book(&self) -> bool {
        self.name.starts_with("docs/")
    }

    /// The lines outside of blocks of code.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut fence = None;
        self.text.lines().filter(move |line| {
            let marks = line.trim_start();
            match fence {
                None if marks.starts_with("```") => fence = Some("```"),
                Some(end) if marks == end => fence = None,
                None => return true,
                Some(_) => {}
            }
            false
        })
    }

    /// Where links and pictures point to.
    pub(super) fn links(&self) -> Vec<String> {
        static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`]*`").unwrap());
        static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\]\(([^()\s]*)\)").unwrap());
        // A link may be broken over lines, so that the whole text is searched.
        let prose = self.prose().collect::<Vec<_>>().join("\n");
        let prose = CODE.replace_all(&prose, "");
        LINK.captures_iter(&prose).map(|link| link[1].to_owned()).collect()
    }

    /// The names by which links reach the headings, as mdBook and code hosts make them.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for line in self.prose() {
            let title = line.trim_start_matches('#');
            if title.len() == line.len() || !title.starts_with(' ') {
                continue;
            }
            let anchor = anchor(title.trim());
            let times = anchors.iter().filter(|other| **other == anchor).count();
            // The second heading of the same words gets `-1`.
            anchors.push(if times == 0 { anchor } else { format!("{anchor}-{times}") });
        }
        anchors
    }
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    kept.collect::<String>().to_lowercase()
}

/// Every page that people read: those at the root, of the book, of suites and of tools.
pub(super) fn all() -> Vec<Page> {
    let mut names = Vec::new();
    markdown_files("", &mut names);
    for folder in ["suites", "tools"] {
        for entry in folders_in(folder) {
            markdown_files(&format!("{folder}/{entry}/"), &mut names);
        }
    }
    collect_below("docs/", &mut names);
    names.sort();
    names.iter().map(|name| Page::read(name)).collect()
}

fn folders_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(repository().join(folder)).unwrap().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
    folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// Adds the pages that lie in a folder, whose name ends with a slash.
fn markdown_files(folder: &str, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(repository().join(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            names.push(format!("{folder}{name}"));
        }
    }
}

fn collect_below(folder: &str, names: &mut Vec<String>) {
    markdown_files(folder, names);
    for inner in folders_in(folder) {
        collect_below(&format!("{folder}{inner}/"), names);
    }
}
