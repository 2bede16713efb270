//! What an answer claims: its numbers, dates, names and quoted phrases.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use toolgauge_core::english::{MONTHS, WEEKDAYS};

use crate::reading::{Item, ItemContent, TextReader};

/// Something an answer claims.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim<'a> {
    /// The words of the answer.
    pub(super) text: &'a str,
    /// What it claims.
    pub(super) kind: ClaimKind,
    /// The words around it, by which a label is known.
    pub(super) around: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ClaimKind {
    /// A number or a date.
    Value(ItemContent),
    Name,
    /// A phrase in quotes.
    Quote,
}

/// Everything an answer claims, in order of kind and place.
pub(super) fn claims<'a>(text: &'a str, reader: &TextReader) -> Vec<Claim<'a>> {
    let items = reader.read(text);
    let quotes = quotes(text);
    let quoted = Spans::new(quotes.iter());
    let mut claims: Vec<Claim<'a>> = Vec::new();
    for quote in &quotes {
        claims.push(Claim {
            text: &text[quote.clone()],
            kind: ClaimKind::Quote,
            around: Vec::new(),
        });
    }
    for (at, item) in items.iter().enumerate() {
        if !quoted.hold(&item.place) && is_value(text, item) {
            let around = around(text, &items, at);
            let kind = ClaimKind::Value(item.content.clone());
            claims.push(Claim { text: &text[item.place.clone()], kind, around });
        }
    }
    // A month or a unit written large is part of its value and no name beside it.
    let values = Spans::new(
        items
            .iter()
            .filter(|item| matches!(item.content, ItemContent::Date(_) | ItemContent::Number(_)))
            .map(|item| &item.place),
    );
    for name in names(text) {
        if !quoted.hold(&name) && !values.touch(&name) {
            claims.push(Claim { text: &text[name], kind: ClaimKind::Name, around: Vec::new() });
        }
    }
    // The same claim made twice is one claim.
    let mut seen = HashSet::new();
    claims.retain(|claim| {
        let words = match &claim.kind {
            ClaimKind::Value(_) => String::new(),
            ClaimKind::Name | ClaimKind::Quote => claim.text.to_lowercase(),
        };
        // Numbers are told apart by how they are shown, since floating numbers have no hash.
        seen.insert((format!("{:?}", claim.kind), words))
    });
    claims
}

/// Places in a text, ready to be asked in a moment whether another one lies among them.
struct Spans {
    starts: Vec<usize>,
    /// The farthest end of all places up to each one.
    ends: Vec<usize>,
}

impl Spans {
    /// Places in the order of their starts.
    fn new<'r>(places: impl Iterator<Item = &'r Range<usize>>) -> Self {
        let mut spans = Self { starts: Vec::new(), ends: Vec::new() };
        for place in places {
            let farthest = spans.ends.last().copied().unwrap_or(0);
            spans.starts.push(place.start);
            spans.ends.push(farthest.max(place.end));
        }
        spans
    }

    /// Whether one of the places holds all of another one.
    fn hold(&self, place: &Range<usize>) -> bool {
        let before = self.starts.partition_point(|start| *start <= place.start);
        before > 0 && self.ends[before - 1] >= place.end
    }

    /// Whether one of the places has something in common with another one.
    fn touch(&self, place: &Range<usize>) -> bool {
        let before = self.starts.partition_point(|start| *start < place.end);
        before > 0 && self.ends[before - 1] > place.start
    }
}

/// Phrases in quotes that are long enough to be quoted from somewhere.
fn quotes(text: &str) -> Vec<Range<usize>> {
    static QUOTE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""([^"\n]{3,300})"|“([^”\n]{3,300})”|«([^»\n]{3,300})»"#)
            .expect("the expression is valid")
    });
    let inner = |found: regex::Captures<'_>| {
        (1..=3).find_map(|group| found.get(group).map(|group| group.range()))
    };
    QUOTE.captures_iter(text).filter_map(inner).collect()
}

/// Whether an item is a number or date that stands for something: not the mark of a list, not a
/// small number in words.
fn is_value(text: &str, item: &Item) -> bool {
    match &item.content {
        ItemContent::Date(_) => true,
        ItemContent::Number(number) => {
            let written = &text[item.place.clone()];
            let in_words = !written.contains(|c: char| c.is_ascii_digit());
            if in_words {
                // Small numbers in words are used loosely (`one of them`, `the two`).
                return number.value >= 13.0 || number.unit.is_some();
            }
            !is_list_mark(text, item)
        }
        _ => false,
    }
}

/// `1.` or `2)` at the beginning of a line.
fn is_list_mark(text: &str, item: &Item) -> bool {
    let line = text[..item.place.start].rfind('\n').map_or(0, |end| end + 1);
    let before = text[line..item.place.start].trim_matches([' ', '\t', '#', '*', '-', '>', '(']);
    let behind = &text[item.place.end..];
    before.is_empty()
        && (behind.starts_with(". ") || behind.starts_with(')') || behind.starts_with(".\n"))
}

/// The words of the clause around an item, as stems.
fn around(text: &str, items: &[Item], at: usize) -> Vec<String> {
    const REACH: usize = 6;
    let ends = |between: &str| between.contains(['.', ';', '\n', '!', '?']);
    let mut words = Vec::new();
    let mut edge = items[at].place.start;
    for item in items[..at].iter().rev().take(REACH) {
        if item.place.end > edge || ends(&text[item.place.end..edge]) {
            break;
        }
        edge = item.place.start;
        if let ItemContent::Word(word) = &item.content {
            words.push(word.clone());
        }
    }
    let mut edge = items[at].place.end;
    // Labels stand before their values more often than behind them.
    for item in items[at + 1..].iter().take(REACH / 2) {
        if item.place.start < edge || ends(&text[edge..item.place.start]) {
            break;
        }
        edge = item.place.end;
        if let ItemContent::Word(word) = &item.content {
            words.push(word.clone());
        }
    }
    words
}

/// Words that begin sentences and name nobody.
const BEGINNINGS: &[&str] = &[
    "a",
    "according",
    "additionally",
    "after",
    "all",
    "also",
    "although",
    "an",
    "and",
    "any",
    "as",
    "at",
    "based",
    "because",
    "before",
    "but",
    "by",
    "currently",
    "during",
    "each",
    "for",
    "from",
    "furthermore",
    "given",
    "he",
    "her",
    "here",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "is",
    "it",
    "its",
    "let",
    "moreover",
    "my",
    "no",
    "note",
    "of",
    "on",
    "one",
    "only",
    "or",
    "our",
    "overall",
    "per",
    "please",
    "she",
    "since",
    "so",
    "some",
    "thanks",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "to",
    "total",
    "under",
    "unfortunately",
    "we",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "with",
    "would",
    "yes",
    "you",
    "your",
];

/// Words that are written large and are no names of their own.
const NO_NAMES: &[&str] = &[
    "i", "i'm", "i've", "i'll", "ok", "okay", "n/a", "usd", "eur", "gbp", "jan", "feb", "mar",
    "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

/// Sequences of words that are written large, headings and labels left out.
fn names(text: &str) -> Vec<Range<usize>> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        let word = r"\p{Lu}[\p{L}\p{M}\p{N}'’]*(?:-\p{Lu}[\p{L}\p{M}\p{N}]*)*";
        let between = r"(?:[ \u{a0}](?:(?:of|and|the|for|de|van|von|&)[ \u{a0}]){0,2})";
        Regex::new(&format!("{word}(?:{between}{word})*")).expect("the expression is valid")
    });
    let mut names = Vec::new();
    for found in NAME.find_iter(text) {
        let line = text[..found.start()].rfind('\n').map_or(0, |end| end + 1);
        let is_heading = text[line..].trim_start().starts_with('#');
        let behind = text[found.end()..].trim_start_matches(['*', '_', ' ']);
        if is_heading || behind.starts_with(':') {
            continue;
        }
        let begins = begins_sentence(text, found.start());
        names.extend(trimmed(text, found.range(), begins));
    }
    names
}

fn begins_sentence(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '*', '_', '"', '“', '(', '-', '>', '•']);
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n', ';', '|'])
}

/// The name without a first word that only begins the sentence; nothing if no name is left.
fn trimmed(text: &str, mut place: Range<usize>, begins: bool) -> Option<Range<usize>> {
    let lower = |word: &str| word.to_lowercase().replace('’', "'");
    loop {
        let name = &text[place.clone()];
        let (first, rest) = match name.split_once([' ', '\u{a0}']) {
            Some((first, rest)) => (first, Some(rest)),
            None => (name, None),
        };
        let word = lower(first);
        let says_nothing = says_nothing(&word);
        match rest {
            Some(rest) if says_nothing || !first.starts_with(char::is_uppercase) => {
                place.start = place.end - rest.len();
            }
            None if says_nothing => return None,
            // A single word at the beginning of a sentence is large anyway.
            None if begins && !is_marked(first) => return None,
            None if !first.starts_with(char::is_uppercase) => return None,
            _ => break,
        }
    }
    let owned = text[place.clone()].strip_suffix("'s").or(text[place.clone()].strip_suffix("’s"));
    if let Some(owned) = owned {
        place.end = place.start + owned.len();
    }
    (text[place.clone()].chars().count() > 1).then_some(place)
}

fn says_nothing(word: &str) -> bool {
    [BEGINNINGS, NO_NAMES, &MONTHS, &WEEKDAYS].iter().any(|words| words.contains(&word))
}

/// Whether a word is written as names and codes are: several large letters, or a digit.
fn is_marked(word: &str) -> bool {
    word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit())
}
