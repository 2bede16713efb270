//! Cases that ask nearly the same, so that one of them tells little that the other does not.

use std::collections::HashMap;

use serde::Serialize;
use toolgauge_core::CaseId;

/// Sentences of fewer words are alike too easily: *turn on the light* and *turn off the light* ask
/// for opposite things.
const FEWEST_WORDS: usize = 8;

/// Longer sentences are only known by their beginning.
const LONGEST: usize = 199;

/// How many cases of the same words are kept to compare others with.
const KEPT_ALIKE: usize = 8;

/// Cases of which each asks the same as another one but for at most one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NearDuplicates {
    /// The cases, in the order of the runs.
    pub cases: Vec<CaseId>,
    /// Whether they ask the same word for word, but for case and punctuation.
    pub same_words: bool,
    /// Whether all of them expect the same; absent where a log does not say.
    pub same_gold: Option<bool>,
}

/// A case with what it asks and a hash of what it expects.
pub(crate) struct AskedCase<'a> {
    pub(crate) case: &'a CaseId,
    pub(crate) sentence: &'a str,
    pub(crate) gold: Option<&'a str>,
    /// Cases of one group are known to be wordings of each other.
    pub(crate) group: Option<&'a str>,
}

/// All groups of cases that are nearly the same.
pub(crate) fn near_duplicates(cases: &[AskedCase<'_>]) -> Vec<NearDuplicates> {
    let words: Vec<Option<Vec<String>>> = cases.iter().map(|case| words(case.sentence)).collect();
    let mut sets = DisjointSets::new(cases.len());
    let mut seen: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for (place, words) in words.iter().enumerate() {
        let Some(words) = words else { continue };
        // Two sentences differ in at most one word if they are equal without one word each, at the
        // same place. So each is looked up by all it can be without one word.
        for left_out in 0..words.len() {
            let mut rest: Vec<&str> = words.iter().map(String::as_str).collect();
            rest[left_out] = "";
            let alike = seen.entry(rest).or_default();
            for other in alike.iter().filter(|other| !is_related(&cases[**other], &cases[place])) {
                sets.join(*other, place);
            }
            // A few stand for all that are joined with them; a suite may ask the same a thousand
            // times.
            if alike.len() < KEPT_ALIKE {
                alike.push(place);
            }
        }
    }
    let group = |places: Vec<usize>| {
        let first = places[0];
        let golds: Option<Vec<&str>> = places.iter().map(|place| cases[*place].gold).collect();
        NearDuplicates {
            cases: places.iter().map(|place| cases[*place].case.clone()).collect(),
            same_words: places.iter().all(|place| words[*place] == words[first]),
            same_gold: golds.map(|golds| golds.iter().all(|gold| *gold == golds[0])),
        }
    };
    let mut found: Vec<NearDuplicates> = sets.groups().into_iter().map(group).collect();
    // The same question with another answer is the worst: no subject can get both right.
    found.sort_by_key(|found| (!found.same_words, found.same_gold));
    found
}

fn is_related(one: &AskedCase<'_>, other: &AskedCase<'_>) -> bool {
    one.group.is_some() && one.group == other.group
}

/// The words of a sentence that is long enough to compare and known to its end.
fn words(sentence: &str) -> Option<Vec<String>> {
    if sentence.chars().count() > LONGEST {
        return None;
    }
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    (words.len() >= FEWEST_WORDS).then_some(words)
}

/// Which of several things belong together (Galler & Fischer 1964).
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        // The earlier one stays, so that groups come in the order of their first member.
        self.0[one.max(other)] = one.min(other);
    }

    /// The groups of more than one.
    fn groups(mut self) -> Vec<Vec<usize>> {
        let mut groups: indexmap::IndexMap<usize, Vec<usize>> = indexmap::IndexMap::new();
        for place in 0..self.0.len() {
            let root = self.root(place);
            groups.entry(root).or_default().push(place);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cases: &[(&str, &str, &str)]) -> Vec<(Vec<String>, bool, Option<bool>)> {
        let ids: Vec<CaseId> = cases.iter().map(|(id, ..)| CaseId::from(*id)).collect();
        let asked: Vec<AskedCase<'_>> = cases
            .iter()
            .zip(&ids)
            .map(|((_, sentence, gold), case)| AskedCase {
                case,
                sentence,
                gold: Some(gold),
                group: None,
            })
            .collect();
        near_duplicates(&asked)
            .into_iter()
            .map(|group| {
                let names = group.cases.iter().map(ToString::to_string).collect();
                (names, group.same_words, group.same_gold)
            })
            .collect()
    }

    #[test]
    fn sentences_that_differ_in_one_word_are_found() {
        let cases = [
            ("a", "What is the area of a triangle with base 10?", "1"),
            ("b", "Sort the list of numbers that I gave you.", "2"),
            ("c", "what is the area of a triangle with base 12", "3"),
            ("d", "WHAT IS THE AREA OF A TRIANGLE, with base 10!", "4"),
            ("e", "Sort it.", "5"),
            ("f", "Sort it.", "5"),
        ];
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found(&cases), [(names(&["a", "c", "d"]), false, Some(false))]);
    }

    #[test]
    fn the_same_question_with_another_answer_comes_first() {
        let cases = [
            ("a", "Please tell me the weather in Berlin on Monday morning", "1"),
            ("b", "Please tell me the weather in Munich on Monday morning", "1"),
            ("c", "How many people live in the city of Rome today", "1"),
            ("d", "How many people live in the city of Rome today?", "2"),
        ];
        let groups = found(&cases);
        assert_eq!(groups[0].0, ["c", "d"]);
        assert_eq!((groups[0].1, groups[0].2), (true, Some(false)));
        assert_eq!((groups[1].1, groups[1].2), (false, Some(true)));
    }
}
