//! The names a system prompt tells about: devices and areas in lists, fields of records, quoted
//! words. A request that mentions one of them most likely means it.

use std::collections::HashMap;

use super::words::{RequestWord, identifier_stems, stems};

/// The key of a name that stood in a list without one.
const NAME_KEY: &str = "name";

/// Names longer than this are sentences.
const MAX_WORDS: usize = 6;

/// One name the prompt tells about.
#[derive(Debug)]
struct NameEntry {
    key: String,
    text: String,
    stems: Vec<String>,
    record: usize,
}

/// All names a prompt tells about.
#[derive(Debug, Default)]
pub(super) struct Names {
    entries: Vec<NameEntry>,
    by_stem: HashMap<String, Vec<usize>>,
    records: Vec<Vec<(String, String)>>,
}

/// A name that a request mentions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MentionedName<'a> {
    /// What the prompt calls it: `name`, `area`, `domain`.
    pub(super) key: &'a str,
    /// The name as the prompt writes it.
    pub(super) text: &'a str,
    /// Which words of the request mention it.
    pub(super) words: Vec<usize>,
    /// Whether each of its words was said.
    pub(super) whole: bool,
    /// The record it stands in.
    pub(super) record: usize,
}

impl Names {
    /// Reads the names of a system prompt.
    pub(super) fn new(prompt: &str) -> Self {
        let mut names = Self::default();
        let mut reader = PromptReader::default();
        for line in prompt.lines() {
            reader.read(line, &mut names);
        }
        for quoted in quoted_names(prompt) {
            let record = names.open_record();
            names.add(record, NAME_KEY, &quoted);
        }
        names
    }

    fn open_record(&mut self) -> usize {
        self.records.push(Vec::new());
        self.records.len() - 1
    }

    /// Adds the value of a field; several values with commas between them are aliases, and the
    /// first one stands for all.
    fn add(&mut self, record: usize, key: &str, value: &str) {
        let value = value.trim().trim_start_matches('[').trim_end_matches(']');
        let aliases: Vec<&str> = value.split(',').map(bare).filter(|a| !a.is_empty()).collect();
        let Some(&first) = aliases.first() else { return };
        self.records[record].push((key.to_owned(), first.to_owned()));
        for alias in aliases {
            self.add_entry(NameEntry {
                key: key.to_owned(),
                text: first.to_owned(),
                stems: stems(&alias.replace('_', " ")),
                record,
            });
        }
    }

    fn add_entry(&mut self, entry: NameEntry) {
        if entry.stems.is_empty() || entry.stems.len() > MAX_WORDS {
            return;
        }
        let at = self.entries.len();
        let first = self.by_stem.entry(entry.stems[0].clone()).or_default();
        let known = |other: &usize| {
            let other = &self.entries[*other];
            other.key == entry.key && other.stems == entry.stems
        };
        if first.iter().any(known) {
            return;
        }
        for stem in &entry.stems {
            let places = self.by_stem.entry(stem.clone()).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
        self.entries.push(entry);
    }

    /// What a record says under a key.
    pub(super) fn field(&self, record: usize, key: &str) -> Option<&str> {
        let fields = self.records.get(record)?;
        fields.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// The names a request mentions, the surest first: whole names before parts of names, long
    /// ones before short ones, and otherwise in the order of the prompt.
    pub(super) fn mentions(&self, words: &[RequestWord]) -> Vec<MentionedName<'_>> {
        let mut hits: Vec<(usize, Vec<usize>)> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            for &entry in self.by_stem.get(&word.stem).map_or(&[][..], Vec::as_slice) {
                match hits.iter_mut().find(|(known, _)| *known == entry) {
                    Some((_, places)) => places.push(at),
                    None => hits.push((entry, vec![at])),
                }
            }
        }
        let mut found: Vec<(usize, MentionedName<'_>)> =
            hits.into_iter().filter_map(|(entry, at)| self.mention(entry, at, words)).collect();
        found.sort_by(|(entry_a, a), (entry_b, b)| {
            let rank = |m: &MentionedName<'_>| (m.whole, m.words.len());
            rank(b).cmp(&rank(a)).then(entry_a.cmp(entry_b))
        });
        let found: Vec<MentionedName<'_>> = found.into_iter().map(|(_, mention)| mention).collect();
        // `living room` is the area, and no part of the name of all that is in it.
        let covered = |part: &MentionedName<'_>| {
            found.iter().any(|other| {
                other.whole
                    && other.key != part.key
                    && part.words.iter().all(|at| other.words.contains(at))
            })
        };
        found.iter().filter(|mention| mention.whole || !covered(mention)).cloned().collect()
    }

    fn mention(
        &self,
        entry: usize,
        mut places: Vec<usize>,
        words: &[RequestWord],
    ) -> Option<(usize, MentionedName<'_>)> {
        let name = &self.entries[entry];
        let said = |stem: &&String| places.iter().any(|&at| words[at].stem == **stem);
        let count = name.stems.iter().filter(said).count();
        let whole = count == name.stems.len();
        // People leave words out of long names; three in five is more than two names have in
        // common.
        let mostly = count >= 2 && count * 5 >= name.stems.len() * 3;
        if !whole && !mostly && !self.is_only_head(name, &places, words) {
            return None;
        }
        places.retain(|&at| !words[at].stop || count > 1);
        if places.iter().all(|&at| words[at].stop) {
            return None;
        }
        let NameEntry { key, text, record, .. } = name;
        Some((entry, MentionedName { key, text, words: places, whole, record: *record }))
    }

    /// Whether the last word of a name was said and no other name ends in it: `the TV` where
    /// there is only `Living room TV`.
    fn is_only_head(&self, name: &NameEntry, places: &[usize], words: &[RequestWord]) -> bool {
        let Some(head) = name.stems.last() else { return false };
        let said = places.iter().any(|&at| words[at].stem == *head && !words[at].stop);
        let ends_so = |at: &&usize| {
            let other = &self.entries[**at];
            other.key == name.key && other.stems.last() == Some(head)
        };
        said && name.key == NAME_KEY
            && self.by_stem.get(head).is_some_and(|at| at.iter().filter(ends_so).count() == 1)
    }
}

/// Reads lists and records line by line: `- names: Kitchen light`, `areas: Kitchen, Hall`,
/// `light.kitchen:` with indented fields, `- Kitchen light`.
#[derive(Default)]
struct PromptReader {
    record: Option<usize>,
    column: usize,
    heading: Option<String>,
}

impl PromptReader {
    fn read(&mut self, line: &str, names: &mut Names) {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let item = ["- ", "* ", "• "].iter().find_map(|bullet| trimmed.strip_prefix(bullet));
        let column = line.len() - item.unwrap_or(trimmed).len();
        let text = item.unwrap_or(trimmed).trim_end();
        if text.is_empty() {
            self.record = None;
            return;
        }
        match text.split_once(':') {
            Some((key, "")) => self.head(key, indent, names),
            Some((key, value)) if is_key(key) && is_value(value) => {
                self.field(item.is_some(), column, (key, value), names);
            }
            _ if item.is_some() => self.item(text, names),
            _ => self.record = None,
        }
    }

    /// A line that ends in a colon opens a record (`light.kitchen:`) or a list (`Areas:`).
    fn head(&mut self, key: &str, indent: usize, names: &mut Names) {
        if self.record.is_some() && indent > 0 {
            return;
        }
        self.record = None;
        self.heading = None;
        if let Some((kind, _)) = key.split_once('.').filter(|_| !key.contains(' ')) {
            let record = names.open_record();
            names.add(record, "domain", kind);
            self.record = Some(record);
            self.column = usize::MAX;
        } else if key.split_whitespace().count() <= 2 {
            self.heading = Some(key_stem(key));
        }
    }

    fn field(&mut self, begins: bool, column: usize, pair: (&str, &str), names: &mut Names) {
        let record = match self.record {
            Some(record) if !begins => record,
            _ => {
                self.column = usize::MAX;
                names.open_record()
            }
        };
        self.record = Some(record);
        if self.column == usize::MAX {
            self.column = column;
        }
        // Deeper fields describe what a record is like, not what it is called.
        if column == self.column {
            names.add(record, &key_stem(pair.0), pair.1);
        }
    }

    fn item(&mut self, text: &str, names: &mut Names) {
        self.record = None;
        let name = text.split_once(" (").map_or(text, |(name, _)| name);
        if name.split_whitespace().count() <= MAX_WORDS && !name.ends_with(['.', '!', '?']) {
            let record = names.open_record();
            let key = self.heading.clone().unwrap_or_else(|| NAME_KEY.into());
            names.add(record, &key, name);
        }
    }
}

fn is_key(key: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ');
    !key.is_empty() && key.split_whitespace().count() <= 2 && key.chars().all(plain)
}

fn is_value(value: &str) -> bool {
    value.starts_with(' ') && !value.ends_with(['.', '?', '!', ':']) && value.len() < 200
}

/// The last word of a key, stemmed, so that `names` and `name` are one.
fn key_stem(key: &str) -> String {
    identifier_stems(key).pop().unwrap_or_default()
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'', '`']).trim()
}

/// Short quoted texts that begin with a capital and are no sentences.
fn quoted_names(prompt: &str) -> Vec<String> {
    let mut found = Vec::new();
    for quote in ['"', '`', '\''] {
        for line in prompt.lines() {
            let pieces: Vec<&str> = line.split(quote).collect();
            // Every other piece stands between quotes; an odd quote leaves the rest in doubt.
            if pieces.len() % 2 == 1 {
                found.extend(
                    pieces
                        .iter()
                        .skip(1)
                        .step_by(2)
                        .filter(|p| is_name(p))
                        .map(|p| (*p).to_owned()),
                );
            }
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    let count = text.split_whitespace().count();
    text.starts_with(char::is_uppercase)
        && (1..=4).contains(&count)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'))
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    const HOME: &str = "You help.\nDevices:\n- names: Kitchen ceiling light, big light\n  domain: \
                        light\n  areas: Kitchen\n- names: Lamp\n  domain: light\n  areas: Living \
                        Room, lounge\n- names: Living room TV\n  domain: media_player\n";

    fn mentioned(prompt: &str, request: &str) -> Vec<(String, String)> {
        let names = Names::new(prompt);
        let words = words(request);
        let found = names.mentions(&words);
        found.into_iter().map(|m| (m.key.to_owned(), m.text.to_owned())).collect()
    }

    fn pair(key: &str, text: &str) -> (String, String) {
        (key.into(), text.into())
    }

    #[test]
    fn whole_names_come_first() {
        let found = mentioned(HOME, "turn on the kitchen ceiling light");
        assert_eq!(found[0], pair("name", "Kitchen ceiling light"));
        assert!(found.contains(&pair("area", "Kitchen")));
        assert!(found.contains(&pair("domain", "light")));
    }

    #[test]
    fn an_alias_stands_for_the_first_name() {
        assert_eq!(mentioned(HOME, "dim the big light")[0], pair("name", "Kitchen ceiling light"));
        assert_eq!(mentioned(HOME, "in the lounge"), [pair("area", "Living Room")]);
    }

    #[test]
    fn the_head_of_a_name_is_enough_when_no_other_has_it() {
        assert_eq!(mentioned(HOME, "turn off the TV"), [pair("name", "Living room TV")]);
    }

    #[test]
    fn a_record_knows_its_other_fields() {
        let names = Names::new(HOME);
        let words = words("the lamp");
        let found = names.mentions(&words);
        assert_eq!(names.field(found[0].record, "domain"), Some("light"));
        assert_eq!(names.field(found[0].record, "area"), Some("Living Room"));
    }

    #[test]
    fn records_headed_by_an_identifier_are_read() {
        let prompt = "Home:\nswitch.coffee:\n  names: Coffee Maker\n  attributes:\n    \
                      names: Nonsense\nlock.front:\n  names: Front Door Lock\n";
        let names = Names::new(prompt);
        let request = words("make nonsense with the coffee maker at the front door");
        let found = names.mentions(&request);
        let texts: Vec<&str> = found.iter().map(|m| m.text).collect();
        assert_eq!(texts, ["Coffee Maker", "Front Door Lock"]);
        assert_eq!(names.field(found[1].record, "domain"), Some("lock"));
    }

    #[test]
    fn plain_lists_and_quotes_name_things() {
        let prompt = "Rooms:\n- Attic\n- Cellar\n\nThe shop is called \"Blue Anchor\".";
        assert_eq!(mentioned(prompt, "the attic"), [pair("room", "Attic")]);
        assert_eq!(mentioned(prompt, "blue anchor please"), [pair("name", "Blue Anchor")]);
    }
}
