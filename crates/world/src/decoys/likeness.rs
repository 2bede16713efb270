//! How alike tools are, by the words of their names and descriptions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolgauge_core::Tool;

use super::Decoy;

/// A word of a name counts as much as this many of a description.
const NAME: f64 = 3.0;

/// How much each word says, and what the decoys say.
pub(super) struct Likeness {
    weights: HashMap<String, f64>,
    decoys: Vec<WordWeights>,
}

/// The words of a tool with their weights, of length 1 together.
type WordWeights = BTreeMap<String, f64>;

impl Likeness {
    /// Learns from a pool which words are rare: they say the most.
    #[expect(clippy::cast_precision_loss, reason = "a few hundred tools")]
    pub(super) fn of(pool: &[Decoy]) -> Self {
        let mut tools_with: HashMap<String, usize> = HashMap::new();
        for decoy in pool {
            let all: BTreeSet<String> = words(&text(&decoy.tool)).collect();
            for word in all {
                *tools_with.entry(word).or_default() += 1;
            }
        }
        let weight = |tools: usize| (1.0 + pool.len() as f64 / tools as f64).ln();
        let weights = tools_with.into_iter().map(|(word, tools)| (word, weight(tools))).collect();
        let mut likeness = Self { weights, decoys: Vec::new() };
        likeness.decoys = pool.iter().map(|decoy| likeness.weighed(&decoy.tool)).collect();
        likeness
    }

    /// Puts the decoys at these places of the pool in order: those that are likest to one of some
    /// tools first.
    pub(super) fn sort(&self, candidates: &mut [(usize, String)], own: &[Tool]) {
        let own: Vec<WordWeights> = own.iter().map(|tool| self.weighed(tool)).collect();
        let likest = |place: usize| {
            let decoy = &self.decoys[place];
            own.iter().map(|tool| cosine(tool, decoy)).fold(0.0, f64::max)
        };
        let likest: HashMap<usize, f64> =
            candidates.iter().map(|(place, _)| (*place, likest(*place))).collect();
        candidates.sort_by(|(one, _), (other, _)| {
            likest[other].total_cmp(&likest[one]).then(one.cmp(other))
        });
    }

    fn weighed(&self, tool: &Tool) -> WordWeights {
        let mut weighed = WordWeights::new();
        let named = words(&tool.name).map(|word| (word, NAME));
        for (word, times) in named.chain(words(&tool.description).map(|word| (word, 1.0))) {
            // A word that no decoy has is shared with none.
            let Some(weight) = self.weights.get(&word) else { continue };
            let known = weighed.entry(word).or_default();
            *known = f64::max(*known, weight * times);
        }
        let length = weighed.values().map(|weight| weight * weight).sum::<f64>().sqrt();
        for weight in weighed.values_mut() {
            *weight /= length;
        }
        weighed
    }
}

fn cosine(one: &WordWeights, other: &WordWeights) -> f64 {
    one.iter().filter_map(|(word, weight)| Some(weight * other.get(word)?)).sum()
}

fn text(tool: &Tool) -> String {
    format!("{} {}", tool.name, tool.description)
}

/// The words of a text in small letters. `readFile`, `read_file` and `read-file` are two words.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(text.len());
    let mut after_small = false;
    for letter in text.chars() {
        if letter.is_uppercase() && after_small {
            spaced.push(' ');
        }
        after_small = letter.is_lowercase();
        spaced.extend(letter.to_lowercase());
    }
    let words = spaced.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| word.len() > 2).map(str::to_owned).collect();
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_words_however_they_are_joined() {
        let read = |text| words(text).collect::<Vec<_>>();
        assert_eq!(read("HassTurnOn"), ["hass", "turn"]);
        assert_eq!(read("git__create-branch"), ["git", "create", "branch"]);
    }
}
