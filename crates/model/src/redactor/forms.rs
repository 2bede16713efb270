//! The forms in which a secret comes back.

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The shortest secret that is told from the ordinary words of an answer.
const SHORTEST_CLEAR: usize = 6;

/// Letters alone are a word up to this length, digits alone a number.
const LONGEST_WORD: usize = 15;
const LONGEST_NUMBER: usize = 9;

/// The shortest secret of which pieces are searched for, and how long those pieces are.
const SHORTEST_CUT: usize = 12;
const PIECE: Range<usize> = 8..16;

/// The shortest stretch of base64 that is searched for.
const SHORTEST_CODE: usize = 7;

/// One form of a secret.
#[derive(Clone, Debug)]
pub(super) struct SecretForm {
    /// All of it.
    pub(super) whole: Vec<u8>,
    /// The part that is searched for.
    pub(super) part: Range<usize>,
    /// Whether it stands inside base64 whose beginning and end depend on what is around it.
    pub(super) is_code: bool,
}

impl SecretForm {
    fn of(whole: &[u8], part: Range<usize>) -> Self {
        Self { whole: whole.to_vec(), part, is_code: false }
    }

    /// Whether all of it is searched for.
    pub(super) fn is_whole(&self) -> bool {
        !self.is_code && self.part == (0..self.whole.len())
    }

    /// What was found, followed to both sides as far as the secret goes on.
    pub(super) fn extended(&self, text: &[u8], found: Range<usize>) -> Range<usize> {
        if self.is_code {
            let is_code = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
            let before = text[..found.start].iter().rev().take_while(|byte| is_code(byte)).count();
            let after = text[found.end..].iter().take_while(|byte| is_code(byte)).count();
            return found.start - before..found.end + after;
        }
        let (ahead, behind) = (&self.whole[..self.part.start], &self.whole[self.part.end..]);
        let same = |(a, b): &(&u8, &u8)| a == b;
        let before = text[..found.start].iter().rev().zip(ahead.iter().rev()).take_while(same);
        let after = text[found.end..].iter().zip(behind).take_while(same);
        found.start - before.count()..found.end + after.count()
    }
}

/// Whether a secret may be meant otherwise in an answer: it is short, a word or a number.
pub(super) fn is_ordinary(secret: &str) -> bool {
    let all = |is: fn(&u8) -> bool| secret.bytes().all(|byte| is(&byte));
    secret.len() < SHORTEST_CLEAR
        || (secret.len() <= LONGEST_WORD && secret.chars().all(char::is_alphabetic))
        || (secret.len() <= LONGEST_NUMBER && all(u8::is_ascii_digit))
}

/// Every form that is searched for in a text as it stands. Escapes are undone before.
pub(super) fn forms(secret: &str) -> Vec<SecretForm> {
    let bytes = secret.as_bytes();
    let mut forms = vec![SecretForm::of(bytes, 0..bytes.len())];
    if secret.contains(' ') {
        // As a form writes it.
        let joined = secret.replace(' ', "+");
        forms.push(SecretForm::of(joined.as_bytes(), 0..joined.len()));
    }
    forms.extend(pieces(secret).into_iter().map(|part| SecretForm::of(bytes, part)));
    // The base64 of a word is short enough to occur by chance.
    if !is_ordinary(secret) {
        forms.extend((0..3).flat_map(|offset| codes(bytes, offset)));
    }
    forms
}

/// The beginning and the end of a long secret, each enough to know it by.
fn pieces(secret: &str) -> Vec<Range<usize>> {
    if secret.len() < SHORTEST_CUT || !secret.is_ascii() {
        return Vec::new();
    }
    let length = (secret.len() / 2).clamp(PIECE.start, PIECE.end);
    let ends = [0..length, secret.len() - length..secret.len()];
    ends.into_iter().filter(|piece| is_telling(&secret[piece.clone()])).collect()
}

/// Whether a piece is no word that people use.
fn is_telling(piece: &str) -> bool {
    let has = |is: fn(&char) -> bool| piece.chars().any(|c| is(&c));
    let kinds = [has(char::is_ascii_lowercase), has(char::is_ascii_uppercase)];
    let others = [has(char::is_ascii_digit), has(char::is_ascii_punctuation)];
    kinds.into_iter().chain(others).filter(|is| *is).count() > 1
}

/// The base64 of a text that holds the secret after so many bytes (modulo 3), as far as it does
/// not depend on what is around it.
fn codes(secret: &[u8], offset: usize) -> Vec<SecretForm> {
    let padded = [&[0_u8; 2][..offset], secret].concat();
    // Base64 takes six bits per letter. The first letters mix in what stands before the secret, and
    // the last one what follows it.
    let depends = [0, 2, 3][offset]..padded.len() * 8 / 6;
    let encoded = [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)];
    let code = |text: &String| {
        let whole = text.as_bytes().get(depends.clone())?.to_vec();
        let part = 0..whole.len();
        (part.len() >= SHORTEST_CODE).then_some(SecretForm { whole, part, is_code: true })
    };
    let mut forms: Vec<SecretForm> = encoded.iter().filter_map(code).collect();
    forms.dedup_by(|a, b| a.whole == b.whole);
    forms
}
