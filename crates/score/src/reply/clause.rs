//! Sentences and clauses: the pieces in which a reply claims one thing each.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::pattern::{is_act, words_of_sections};
use super::words::Word;

/// A piece of a sentence with at most one claim in it.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// Its words, by their numbers in the reply.
    pub(super) words: Range<usize>,
    /// Its place in the plain text.
    pub(super) place: Range<usize>,
    /// The number of its sentence.
    pub(super) sentence: usize,
    /// Whether it is the first of its sentence.
    pub(super) is_first: bool,
    /// Whether its sentence ends with a question mark.
    pub(super) is_question: bool,
}

/// Words that begin another clause wherever they stand.
const DIVIDERS: &[&str] = &[
    "but",
    "however",
    "although",
    "though",
    "because",
    "while",
    "whereas",
    "which",
    "so",
    "otherwise",
    "since",
    "yet",
    "unless",
];

/// Words that begin another clause behind a comma.
const STARTERS: &[&str] = &[
    "i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "the", "a", "an", "and",
    "or", "yes", "no", "not", "nor", "who", "as", "with", "from", "up", "down", "instead",
    "rather", "sorry", "please", "would", "could", "can", "will", "let", "if", "then", "all",
    "none", "only", "my", "your", "our", "their", "his", "her", "is", "are", "was", "were", "has",
    "have", "had", "did", "do", "does", "here", "what", "nothing", "shall", "should", "okay", "ok",
    "good", "right", "alright", "both", "now", "its", "yours", "though", "where", "who's", "each",
    "every",
];

/// Words that are a clause of their own in front of a comma.
const HEADS: &[&str] = &[
    "yes",
    "no",
    "nope",
    "yeah",
    "yep",
    "ja",
    "nein",
    "oui",
    "non",
    "sí",
    "si",
    "sorry",
    "okay",
    "ok",
    "well",
    "done",
    "sure",
    "sadly",
    "unfortunately",
    "right",
    "correct",
    "indeed",
];

/// Words that begin another clause behind `and`.
const SUBJECTS: &[&str] = &["i", "you", "he", "she", "it", "we", "they", "there", "that", "this"];

/// Short forms whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "st", "mr", "mrs", "ms", "dr", "ave", "blvd", "rd", "inc", "co", "ltd", "corp", "vs", "approx",
    "e.g", "i.e", "jr", "sr",
];

/// The clauses of a plain text with these words.
pub(super) fn clauses(plain: &str, words: &[Word]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for (sentence, place) in sentences(plain).into_iter().enumerate() {
        let asks = plain[place.clone()].trim_end().ends_with(['?', '？']);
        let first = words.partition_point(|word| word.place.start < place.start);
        let last = words.partition_point(|word| word.place.start < place.end);
        let mut start = first;
        for at in first + 1..=last {
            if at == last || divides(plain, words, start, at) {
                if start < at {
                    clauses.push(Clause {
                        words: start..at,
                        place: words[start].place.start..words[at - 1].place.end,
                        sentence,
                        is_first: start == first,
                        is_question: asks && (at == last || asks_from(&words[start..at])),
                    });
                }
                start = at;
            }
        }
    }
    clauses
}

/// Words that a clause of a question begins with. Other clauses before the last one of a question
/// are statements: `I've locked it, is that okay?`
const ASKING: &[&str] = &[
    "which", "what", "who", "whom", "whose", "where", "when", "why", "how", "do", "did", "does",
    "is", "are", "was", "would", "should", "shall", "could", "can", "will", "may", "or", "and",
    "want", "have",
];

fn asks_from(words: &[Word]) -> bool {
    words.first().is_some_and(|word| ASKING.contains(&word.text.as_str()))
}

/// Whether another clause begins with the word at this number.
fn divides(plain: &str, words: &[Word], start: usize, at: usize) -> bool {
    let between = &plain[words[at - 1].place.end..words[at].place.start];
    if between.contains([':', '(', ')', '/']) {
        return true;
    }
    let word = words[at].text.as_str();
    if DIVIDERS.contains(&word) && !(word == "so" && words[at - 1].text == "not") {
        // `no, so far none` and `not so cold` go on; `yet` alone belongs to what is before it.
        return word != "yet" || between.contains(',');
    }
    if between.contains(',') {
        // `No, someone left it open` does not deny what follows.
        if at - start == 1 && HEADS.contains(&words[start].text.as_str()) {
            return true;
        }
        return STARTERS.contains(&word) || is_act(word, 2);
    }
    let next = words.get(at + 1).map(|next| next.text.as_str());
    // `You cannot use it as it is unavailable`, but not `the same as it was`.
    if word == "as" && next.is_some_and(|next| SUBJECTS.contains(&next)) {
        let is_state = |word: &Word| matches!(word.text.as_str(), "is" | "are");
        return words.get(at + 2).is_some_and(is_state)
            && !matches!(words[at - 1].text.as_str(), "as" | "same" | "so" | "just" | "left");
    }
    word == "and"
        && (next.is_some_and(|next| SUBJECTS.contains(&next)) || joins_clauses(words, start, at))
}

/// Verbs by which a clause is known to be whole.
static FINITE: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words_of_sections(include_str!("tables/finite.txt"), &["both", "joined"]));

/// Whether `and` joins two clauses with a verb each and not two things.
fn joins_clauses(words: &[Word], start: usize, at: usize) -> bool {
    let is_finite = |word: &Word| FINITE.contains(word.text.as_str());
    let before = &words[start..at];
    let behind = &words[at + 1..(at + 6).min(words.len())];
    before.iter().any(is_finite) && behind.iter().any(is_finite)
}

/// The places of sentences.
pub(super) fn sentences(plain: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut start = 0;
    for (at, sign) in plain.char_indices() {
        if !matches!(sign, '.' | '!' | '?' | '？' | ';' | '\n') {
            continue;
        }
        let end = at + sign.len_utf8();
        if sign == '.' && !is_full_stop(&plain[start..at], &plain[end..]) {
            continue;
        }
        // Signs that follow each other end one sentence.
        let goes_on = plain[end..].starts_with(['.', '!', '?', '？']);
        if goes_on {
            continue;
        }
        if !plain[start..end].trim().is_empty() {
            places.push(start..end);
        }
        start = end;
    }
    if !plain[start..].trim().is_empty() {
        places.push(start..plain.len());
    }
    places
}

/// Whether a full stop ends a sentence, by what stands on both sides of it.
fn is_full_stop(before: &str, behind: &str) -> bool {
    let Some(next) = behind.chars().next() else { return true };
    // A point inside a number, an address or `e.g.`.
    if !(next.is_whitespace() || matches!(next, '"' | ')' | '\'')) {
        return false;
    }
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let last = last.to_lowercase();
    let begins_anew = behind.trim_start().starts_with(char::is_uppercase);
    if matches!(last.as_str(), "a.m" | "p.m") {
        // The point may belong to the abbreviation, end the sentence, or both; the next letter
        // decides.
        return begins_anew;
    }
    !ABBREVIATIONS.contains(&last.as_str())
}
