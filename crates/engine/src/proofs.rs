//! Carries out the proofs of a suite: a golden answer that its own data does not hold is wrong.

use toolgauge_core::{Case, Keyword};
use toolgauge_score::keyword_found;
use toolgauge_world::World;

/// The tag that tells what kind of question a case is.
const KIND: &str = "kind";

/// Kinds of question whose right answer is in other words than the data: that it cannot be told,
/// or that the question is mistaken.
const UNTOLD: [&str; 2] = ["unanswerable", "misleading"];

/// Every proof that proves nothing, and every keyword that no proof holds.
pub(crate) fn check(case: &Case, world: &dyn World) -> Vec<String> {
    let Some(answer) = &case.expectation.answer else { return Vec::new() };
    let mut complaints = Vec::new();
    let mut texts = Vec::new();
    for (at, proof) in answer.proof.iter().enumerate() {
        match world.evidence(proof) {
            // A world without data leaves proofs to people.
            None => return Vec::new(),
            Some(Ok(found)) => texts.extend(found.texts),
            Some(Err(why)) => complaints.push(format!("proof {} of the answer: {why}", at + 1)),
        }
    }
    // Keywords are looked for in what the proofs found; with one of them broken, that is not all.
    if answer.proof.is_empty() || !complaints.is_empty() {
        return complaints;
    }
    let texts: Vec<SearchableText> = texts.iter().map(|text| SearchableText::new(text)).collect();
    let untold = case.tags.get(KIND).is_some_and(|kind| UNTOLD.contains(&kind.as_str()));
    let is_held = |word: &String| texts.iter().any(|text| text.holds(word));
    for keyword in &answer.keywords {
        match keyword {
            Keyword::Text(word) if !is_held(word) => {
                complaints.push(format!("no proof holds the keyword `{word}`"));
            }
            Keyword::AnyOf(words) if !untold && !words.iter().any(is_held) => {
                complaints.push(format!("no proof holds any of `{}`", words.join("`, `")));
            }
            // What must not be said may well stand in the data, and a pattern may be about the
            // form of the answer alone.
            _ => {}
        }
    }
    complaints
}

/// A cell, a passage or a reply, ready to be searched.
pub(crate) struct SearchableText {
    text: String,
    numbers: Vec<f64>,
}

impl SearchableText {
    pub(crate) fn new(text: &str) -> Self {
        let text = plain(text);
        let numbers = numbers(&text).into_iter().map(|number| number.value).collect();
        Self { text, numbers }
    }

    /// Whether a keyword stands in it: as it is, as the same number in fewer places, or as the
    /// same date, number or words in another form.
    fn holds(&self, word: &str) -> bool {
        self.says(&plain(word)) || keyword_found(&Keyword::Text(word.to_owned()), &self.text)
    }

    /// Whether a number stands in it, whatever its sign.
    pub(crate) fn has_number(&self, wanted: f64, tolerance: f64) -> bool {
        // A decimal fraction may lie a hair beside the edge.
        self.numbers.iter().any(|number| (number - wanted.abs()).abs() <= tolerance + 1e-9)
    }

    fn says(&self, word: &str) -> bool {
        if self.text.contains(word) {
            return true;
        }
        let bare = word.trim_start_matches('$').trim_end_matches('%').trim();
        match numbers(bare)[..] {
            [wanted] if wanted.length == bare.len() => {
                self.numbers.iter().any(|number| wanted.is_short_for(*number))
            }
            _ => false,
        }
    }
}

/// Words in lower case with single spaces between them.
fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number with how many decimals it was written with, which say how it may be rounded.
#[derive(Clone, Copy)]
struct WrittenNumber {
    value: f64,
    decimals: i32,
    length: usize,
}

impl WrittenNumber {
    /// Whether it is the other number, to as many places as it is written with. Money that goes
    /// out is told without its sign.
    fn is_short_for(self, other: f64) -> bool {
        let scale = 10_f64.powi(self.decimals);
        let (wanted, other) = ((self.value * scale).round(), other.abs() * scale);
        // A sum of binary fractions may lie a hair below the half it stands for.
        let rounded = (other + other * 1e-12).round();
        (wanted - rounded).abs() < 0.5 || (wanted - other.trunc()).abs() < 0.5
    }
}

/// The numbers of a text without their signs: digits with commas between thousands, and a
/// fraction.
fn numbers(text: &str) -> Vec<WrittenNumber> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let number = &rest[start..];
        let is_part = |character: char| character.is_ascii_digit() || ",.".contains(character);
        let end = number.find(|character| !is_part(character)).unwrap_or(number.len());
        // The comma or the full stop of a sentence behind the number.
        let written = number[..end].trim_end_matches([',', '.']);
        let decimals = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        if let (Ok(value), Ok(decimals)) =
            (written.replace(',', "").parse(), i32::try_from(decimals))
        {
            found.push(WrittenNumber { value, decimals, length: written.len() });
        }
        rest = &number[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, word: &str) -> bool {
        SearchableText::new(text).holds(word)
    }

    #[test]
    fn words_are_found_whatever_their_case_and_spacing() {
        assert!(holds("Ms. Ada\n  LUND of 900 South Street", "ada lund"));
        assert!(!holds("Ada Lund", "Ada Lundgren"));
    }

    #[test]
    fn a_number_is_found_however_it_is_written() {
        for (text, word) in [
            ("442300", "442,300"),
            ("442300.0", "$442,300"),
            ("a price of $442,300 in all", "442300.00"),
            ("-7699.25", "7,699.25"),
            ("7699.25", "7,699"),
            ("7699.75", "7,700"),
            ("1210.3899999999999", "1,210.39"),
            ("62.5", "62.5%"),
            ("2026-03-05", "March 5, 2026"),
            ("the ninth of nine", "9"),
        ] {
            assert!(holds(text, word), "{text} holds {word}");
        }
    }

    #[test]
    fn another_number_is_another_number() {
        for (text, word) in [
            ("442300", "442,301"),
            ("1442300", "442,300"),
            ("7699.25", "7,699.26"),
            ("12", "12 units"),
            ("2026-03-05", "2.5"),
        ] {
            assert!(!holds(text, word), "{text} does not hold {word}");
        }
    }
}
