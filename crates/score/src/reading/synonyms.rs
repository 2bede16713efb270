//! Words and phrases that mean the same: those of a suite, and a shipped list.

use std::collections::HashMap;
use std::sync::LazyLock;

use indexmap::IndexSet;
use serde_json::Value;

use super::word;

/// How many words a phrase may have for its parts to be said otherwise.
const LONGEST_PHRASE: usize = 8;

/// In how many ways a phrase is looked for at most: its parts multiply.
const MOST_WAYS: usize = 256;

/// Groups of words and phrases that mean the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Synonyms {
    own: Groups,
}

/// Groups, by the stems of their members.
#[derive(Clone, Debug, Default)]
struct Groups {
    /// The stem that stands for a word of a group, by the word's stem.
    words: HashMap<String, String>,
    /// What each group says, as it is written.
    phrases: Vec<Vec<String>>,
    /// Where a phrase, word by word in stems, is found.
    members: HashMap<Vec<String>, usize>,
}

static SHIPPED: LazyLock<Groups> = LazyLock::new(|| {
    let lines = include_str!("synonyms.txt").lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Groups::new(lines.map(|line| line.split(',').map(|word| word.trim().to_owned()).collect()))
});

impl Groups {
    fn new(groups: impl Iterator<Item = Vec<String>>) -> Self {
        let mut made = Self::default();
        for group in groups {
            let number = made.phrases.len();
            let stems: Vec<Vec<String>> = group.iter().map(|phrase| stems(phrase)).collect();
            let single = stems.iter().filter(|stems| stems.len() == 1).map(|stems| &stems[0]);
            let standing = single.clone().next().cloned();
            for stem in single {
                let standing = standing.clone().unwrap_or_default();
                // The first group that has a word keeps it, so the result does not depend on later
                // groups.
                made.words.entry(stem.clone()).or_insert(standing);
            }
            for stems in stems {
                made.members.entry(stems).or_insert(number);
            }
            made.phrases.push(group);
        }
        made
    }

    fn others(&self, stems: &Vec<String>) -> &[String] {
        self.members.get(stems).map_or(&[], |group| &self.phrases[*group])
    }
}

fn stems(phrase: &str) -> Vec<String> {
    let words = phrase.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty()).map(|word| word::stem(&word::lower(word))).collect()
}

impl Synonyms {
    /// The groups a suite gives: `[[rent, dues], …]` or `{rent: [dues], …}`.
    pub(crate) fn of(value: Option<&Value>) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts = |value: &Value| match value {
            Value::Array(items) => items.iter().filter_map(text).collect(),
            other => text(other).into_iter().collect::<Vec<_>>(),
        };
        let groups: Vec<Vec<String>> = match value {
            Some(Value::Array(groups)) => groups.iter().map(texts).collect(),
            Some(Value::Object(groups)) => groups
                .iter()
                .map(|(word, others)| [vec![word.clone()], texts(others)].concat())
                .collect(),
            _ => Vec::new(),
        };
        Self { own: Groups::new(groups.into_iter()) }
    }

    /// The stem that stands for a stem and all its synonyms.
    pub(super) fn standing_for(&self, stem: String) -> String {
        let own = self.own.words.get(&stem).cloned().unwrap_or(stem);
        SHIPPED.words.get(&own).cloned().unwrap_or(own)
    }

    /// The phrase itself, and every other way to say it.
    pub(super) fn ways_to_say(&self, phrase: &str) -> Vec<String> {
        let stems = stems(phrase);
        let mut ways = vec![phrase.to_owned()];
        for other in self.own.others(&stems).iter().chain(SHIPPED.others(&stems)) {
            if !ways.contains(other) {
                ways.push(other.clone());
            }
        }
        self.add_partly_replaced(phrase, &mut ways);
        ways
    }

    /// Adds the ways in which parts of a phrase are said otherwise: `property heat pump` for
    /// `real estate boiler`. One word for one other is left to the stems.
    fn add_partly_replaced(&self, phrase: &str, ways: &mut Vec<String>) {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        // No keyword is longer, and the work grows with the square of the length.
        if !(2..=LONGEST_PHRASE).contains(&words.len()) {
            return;
        }
        // How to say what begins at each word, from the last word to the first.
        let mut endings = vec![IndexSet::new(); words.len() + 1];
        endings[words.len()].insert(String::new());
        for start in (0..words.len()).rev() {
            let mut said = IndexSet::new();
            said.extend(joined(words[start], &endings[start + 1]));
            for end in start + 1..=words.len() {
                let part = stems(&words[start..end].join(" "));
                let others = self.own.others(&part).iter().chain(SHIPPED.others(&part));
                for other in others.filter(|other| part.len() > 1 || other.contains(' ')) {
                    said.extend(joined(other, &endings[end]));
                }
            }
            said.truncate(MOST_WAYS);
            endings[start] = said;
        }
        for way in endings.swap_remove(0) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
}

/// A beginning before each of some endings.
fn joined(beginning: &str, endings: &IndexSet<String>) -> impl Iterator<Item = String> {
    endings.iter().map(move |ending| format!("{beginning} {ending}").trim_end().to_owned())
}
