//! Sentences and identifiers as lists of words, with stems that make `lights` meet `light`.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// One word of a request, and where it stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequestWord {
    /// The word in lower case, without a possessive ending.
    pub(super) text: String,
    pub(super) stem: String,
    /// Where it begins in the request, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether it carries no meaning of its own.
    pub(super) stop: bool,
    /// Whether it was written with a capital.
    pub(super) capital: bool,
}

/// Words that say nothing about which tool is meant. `on`, `off`, `up`, `down` and `all` are
/// left out on purpose: in a request to a tool they are often all the difference.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anyone",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "every",
    "everyone",
    "everything",
    "for",
    "from",
    "had",
    "has",
    "have",
    "hey",
    "how",
    "i",
    "if",
    "im",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "kindly",
    "let",
    "like",
    "may",
    "me",
    "might",
    "my",
    "of",
    "ok",
    "okay",
    "or",
    "our",
    "please",
    "shall",
    "should",
    "so",
    "some",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "us",
    "was",
    "we",
    "were",
    "what",
    "whats",
    "when",
    "where",
    "which",
    "who",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// Words after which something must follow: a request that ends in one is cut short.
const OPEN_ENDS: &[&str] =
    &["a", "an", "and", "at", "from", "in", "my", "of", "or", "the", "to", "with", "your"];

/// Whether a word in lower case carries no meaning of its own.
pub(super) fn is_stop(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a request that ends in this word is cut short.
pub(super) fn is_open_end(word: &str) -> bool {
    OPEN_ENDS.binary_search(&word).is_ok()
}

/// The words of a text. `%` and `°` count as words; a decimal point, a thousands comma and the
/// colon of a clock stay inside a number.
pub(super) fn words(text: &str) -> Vec<RequestWord> {
    let mut found = Vec::with_capacity(text.len() / 5 + 1);
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        if let Some(sign) = sign_word(first) {
            found.push(word(sign, text, start..start + first.len_utf8()));
            continue;
        }
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut last = first;
        while let Some(&(at, next)) = rest.peek() {
            let after = text[at + next.len_utf8()..].chars().next();
            if !next.is_alphanumeric() && !joins(last, next, after) {
                break;
            }
            rest.next();
            last = next;
            end = at + next.len_utf8();
        }
        let lower = text[start..end].to_lowercase();
        found.push(word(without_ending(&lower), text, start..end));
    }
    found
}

fn sign_word(sign: char) -> Option<&'static str> {
    match sign {
        '%' => Some("percent"),
        '°' => Some("degrees"),
        _ => None,
    }
}

/// Whether a sign belongs inside a word: an apostrophe between letters, a point, comma or colon
/// between digits, an underscore in an identifier.
fn joins(before: char, sign: char, after: Option<char>) -> bool {
    let Some(after) = after else { return false };
    match sign {
        '\'' | '’' => before.is_alphabetic() && after.is_alphabetic(),
        '.' | ',' | ':' => before.is_ascii_digit() && after.is_ascii_digit(),
        '_' => after.is_alphanumeric(),
        _ => false,
    }
}

fn word(text: &str, source: &str, span: std::ops::Range<usize>) -> RequestWord {
    RequestWord {
        stem: stem(text).into_owned(),
        stop: is_stop(text),
        capital: source[span.clone()].chars().next().is_some_and(char::is_uppercase),
        text: text.to_owned(),
        start: span.start,
        end: span.end,
    }
}

/// `what's` → `what`, `today’s` → `today`; `don't` stays, because it negates.
fn without_ending(word: &str) -> &str {
    match word.find(['\'', '’']) {
        Some(at) if !word.ends_with("'t") && !word.ends_with("’t") => &word[..at],
        _ => word,
    }
}

/// The stem of a word in lower case. Only ASCII letters are stemmed, which is all that the
/// English algorithm knows about.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

/// The stems of a text's words, stop words left out.
pub(super) fn content_stems(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !word.stop).map(|word| word.stem).collect()
}

/// The stems of all the words of a text.
pub(super) fn stems(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.stem).collect()
}

/// The words of an identifier, in lower case: `HassTurnOn` → `hass turn on`,
/// `get_user_id` → `get user id`, `parseHTTPReply2` → `parse http reply 2`.
pub(super) fn identifier_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut found = Vec::new();
    let mut current = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let next = letters.get(at + 1).copied();
        if begins_word(letters.get(at.wrapping_sub(1)).copied(), letter, next) {
            take_word(&mut current, &mut found);
        }
        if letter.is_alphanumeric() {
            current.extend(letter.to_lowercase());
        }
    }
    take_word(&mut current, &mut found);
    found
}

fn begins_word(before: Option<char>, letter: char, next: Option<char>) -> bool {
    let Some(before) = before else { return false };
    if !letter.is_alphanumeric() {
        return true;
    }
    let rises = before.is_lowercase() && letter.is_uppercase();
    let ends_capitals =
        before.is_uppercase() && letter.is_uppercase() && next.is_some_and(char::is_lowercase);
    rises || ends_capitals || before.is_numeric() != letter.is_numeric()
}

fn take_word(current: &mut String, found: &mut Vec<String>) {
    if !current.is_empty() {
        found.push(std::mem::take(current));
    }
}

/// The stems of an identifier's words.
pub(super) fn identifier_stems(name: &str) -> Vec<String> {
    identifier_words(name).iter().map(|word| stem(word).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn the_word_lists_are_sorted_for_binary_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(OPEN_ENDS.is_sorted());
    }

    #[test]
    fn words_keep_numbers_whole_and_lose_possessives() {
        assert_eq!(texts("What's 21.5% of 1,000?"), ["what", "21.5", "percent", "of", "1,000"]);
        assert_eq!(texts("don't wake me at 7:30."), ["don't", "wake", "me", "at", "7:30"]);
    }

    #[test]
    fn spans_point_back_into_the_text() {
        let text = "Grüße, today’s 3D-printer";
        for word in words(text) {
            let said = text[word.start..word.end].to_lowercase();
            assert!(said.starts_with(&word.text), "{said} / {}", word.text);
        }
    }

    #[test]
    fn identifiers_are_split_at_humps_and_underscores() {
        assert_eq!(identifier_words("intent__HassTurnOn"), ["intent", "hass", "turn", "on"]);
        assert_eq!(identifier_words("parseHTTPReply2"), ["parse", "http", "reply", "2"]);
        assert_eq!(identifier_words("get-user.id"), ["get", "user", "id"]);
    }

    #[test]
    fn stems_make_plural_and_singular_meet() {
        assert_eq!(stem("lights"), stem("light"));
        assert_eq!(stem("pauses"), stem("pausing"));
    }
}
