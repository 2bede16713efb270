//! An answer cut into passages: what was asked for, what should not be there, and the rest.

use toolgauge_core::{ExpectedAnswer, Keyword, Loss};

use super::is_objection;

/// A part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerPassage<'a> {
    pub(super) text: &'a str,
    /// `None` for what nobody has asked for and nobody objects to.
    pub(super) sort: Option<Sort>,
}

/// Why a passage is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It is a keyword.
    Asked,
    /// A scorer took points off for it.
    Objected,
}

/// How many phrases are looked for, and how many bytes an answer may have times each of them.
const MOST_PHRASES: usize = 200;

/// Cuts an answer into passages. Only what stands there as it is written in the suite is marked
/// as asked for: a scorer may have understood more.
pub(super) fn find<'a>(
    text: &'a str,
    answer: &ExpectedAnswer,
    losses: &[&Loss],
) -> Vec<AnswerPassage<'a>> {
    let asked = answer.keywords.iter().flat_map(|keyword| match keyword {
        Keyword::Text(text) => std::slice::from_ref(text),
        Keyword::AnyOf(texts) => texts,
        Keyword::Not(_) | Keyword::Regex(_) => &[],
    });
    let asked = asked.map(|phrase| (phrase.as_str(), Sort::Asked));
    let objected = losses.iter().filter(|loss| is_objection(loss));
    let objected = objected.filter_map(|loss| loss.actual.as_ref()?.as_str());
    let phrases = asked.chain(objected.map(|phrase| (phrase, Sort::Objected)));
    let folded = text.to_ascii_lowercase();
    let mut found: Vec<(usize, usize, Sort)> = Vec::new();
    for (phrase, sort) in phrases.take(MOST_PHRASES) {
        let phrase = phrase.trim().to_ascii_lowercase();
        let places = folded.match_indices(&phrase).filter(|_| !phrase.is_empty());
        let places = places.map(|(start, _)| (start, start + phrase.len(), sort));
        found.extend(places.filter(|(start, end, _)| stands_alone(text, *start, *end)));
    }
    // The longer of two that begin at one place says more.
    found.sort_by_key(|(start, end, sort)| (*start, usize::MAX - end, *sort == Sort::Asked));
    cut(text, &found)
}

/// Whether what stands before and behind a place does not belong to it: `7` is not in `17`.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let joins = |outside: Option<char>, inside: Option<char>| {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        is_word(outside) && is_word(inside)
    };
    let found = &text[start..end];
    !joins(text[..start].chars().next_back(), found.chars().next())
        && !joins(text[end..].chars().next(), found.chars().next_back())
}

fn cut<'a>(text: &'a str, found: &[(usize, usize, Sort)]) -> Vec<AnswerPassage<'a>> {
    let mut passages = Vec::new();
    let mut at = 0;
    for (start, end, sort) in found {
        if *start < at {
            continue;
        }
        passages.push(AnswerPassage { text: &text[at..*start], sort: None });
        passages.push(AnswerPassage { text: &text[*start..*end], sort: Some(*sort) });
        at = *end;
    }
    passages.push(AnswerPassage { text: &text[at..], sort: None });
    passages.retain(|passage| !passage.text.is_empty());
    passages
}
