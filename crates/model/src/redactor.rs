//! Takes secrets out of everything that comes back from a server or a command.
//!
//! A server may repeat a key in an error, and a model may repeat it in an answer: plain, in
//! base64, with escapes of JSON, HTML or URLs, with control characters in between, or cut off.
//! All of that is known here and nowhere else.
//!
//! Two sets of secrets are searched for. In messages about failures, which people read, it is all
//! of four letters or more. In answers, which are judged, it is only those that cannot be meant
//! otherwise: a password that is an ordinary word would change what a subject is judged by.

mod folded;
mod forms;
mod reply;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use serde_json::{Map, Value};
use toolgauge_core::REDACTED;

use self::folded::{fold, is_folded, places};
use self::forms::{SecretForm, forms, is_ordinary};
use crate::secret::Secret;

/// The shortest secret that is searched for in messages. Shorter ones are dummies such as `x`.
const SHORTEST: usize = 4;

/// The shortest beginning of a secret that is taken out where a text was cut off.
const SHORTEST_BEGINNING: usize = 8;

/// How often escapes are undone: a URL in JSON in JSON, and one more.
const DEEPEST: usize = 4;

/// Takes known secrets out of texts. Without secrets it does nothing at all.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    messages: Option<Arc<Searcher>>,
    answers: Option<Arc<Searcher>>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Redactor {
    /// Searches for these secrets from now on.
    pub(crate) fn new(secrets: &[Secret]) -> Self {
        let all: Vec<String> =
            secrets.iter().flat_map(variants).filter(|text| text.len() >= SHORTEST).collect();
        let texts = || all.iter().map(String::as_str);
        let clear = texts().filter(|text| !is_ordinary(text));
        Self { answers: Searcher::new(clear), messages: Searcher::new(texts()) }
    }

    /// A message about a failure without any secret in it, nor the beginning of one at its end.
    pub(crate) fn message(&self, text: String) -> String {
        let Some(searcher) = &self.messages else { return text };
        match searcher.clean(text.as_bytes(), TextKind::Message) {
            Some(clean) => String::from_utf8_lossy(&clean).into_owned(),
            None => text,
        }
    }

    /// Cleans what came back before anybody reads it. A good answer is judged, a bad one is only
    /// quoted.
    pub(crate) fn body(&self, bytes: &mut Vec<u8>, is_answer: bool) {
        let searcher = if is_answer { &self.answers } else { &self.messages };
        let searcher = searcher.as_ref();
        if let Some(clean) = searcher.and_then(|searcher| searcher.clean(bytes, TextKind::Body)) {
            *bytes = clean;
        }
    }

    /// Cleans a text of an answer.
    fn text(&self, text: &mut String) {
        let Some(searcher) = &self.answers else { return };
        if let Some(clean) = searcher.clean(text.as_bytes(), TextKind::Text) {
            *text = String::from_utf8_lossy(&clean).into_owned();
        }
    }

    /// Cleans every text in a value, the names of fields too. A number that is a secret becomes a
    /// text.
    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Number(number) => {
                let mut text = number.to_string();
                self.text(&mut text);
                if text != number.to_string() {
                    *value = Value::String(REDACTED.to_owned());
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => self.fields(fields),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn fields(&self, fields: &mut Map<String, Value>) {
        let Some(searcher) = &self.answers else { return };
        fields.values_mut().for_each(|value| self.value(value));
        if fields.keys().any(|name| searcher.clean(name.as_bytes(), TextKind::Text).is_some()) {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(mut name, value)| {
                    self.text(&mut name);
                    (name, value)
                })
                .collect();
        }
    }
}

/// What a text is, which decides how careful its secrets are taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// A body as it came, which may be JSON and may be cut off.
    Body,
    /// Words for people, which may be cut off.
    Message,
    /// A whole text.
    Text,
}

/// Searches for all forms of some secrets at once.
struct Searcher {
    automaton: AhoCorasick,
    forms: Vec<SecretForm>,
}

impl Searcher {
    fn new<'a>(secrets: impl Iterator<Item = &'a str>) -> Option<Arc<Self>> {
        let forms: Vec<SecretForm> = secrets.flat_map(forms).collect();
        if forms.is_empty() {
            return None;
        }
        // The automaton looks for the part of each form that is the same in all surroundings; what
        // is found is then extended to both sides.
        let parts = forms.iter().map(|form| &form.whole[form.part.clone()]);
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(parts);
        Some(Arc::new(Self { automaton: automaton.ok()?, forms }))
    }

    /// The text without secrets; `None` when there are none in it.
    fn clean(&self, text: &[u8], kind: TextKind) -> Option<Vec<u8>> {
        let mut found = self.matches(text);
        found.extend(self.matches_in_views(text));
        // A whole text is not cut off, and a word at its end must not be taken for half a key.
        found.extend(self.beginning_at_end(text).filter(|_| kind != TextKind::Text));
        if found.is_empty() {
            return None;
        }
        for range in &mut found {
            *range = without_half_escapes(text, range);
        }
        found.sort_by_key(|range| range.start);
        Some(replaced(text, &found, kind))
    }

    /// Where secrets are. What was found is followed to both sides as far as it goes on.
    fn matches(&self, text: &[u8]) -> Vec<Range<usize>> {
        let found = self.automaton.find_iter(text);
        found.map(|found| self.forms[found.pattern()].extended(text, found.range())).collect()
    }

    /// Where secrets are once escapes are undone, by their places in the text itself.
    fn matches_in_views(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut view = text.to_vec();
        let mut depth = 0;
        while depth < DEEPEST && is_folded(&view) {
            let next = fold(&view);
            // Nothing was undone, so another round would not find anything either.
            if next == view {
                break;
            }
            (view, depth) = (next, depth + 1);
            let inside = self.matches(&view);
            if !inside.is_empty() {
                // Made only after something was found: most bodies hold no secret, and this is the
                // slow part.
                let places = places(text, depth);
                // A place for every byte of the view, and no range is empty.
                let outside =
                    |range: Range<usize>| places[range.start].start..places[range.end - 1].end;
                found.extend(inside.into_iter().map(outside));
            }
        }
        found
    }

    /// The beginning of a secret that a text ends with, as one that was cut off does.
    fn beginning_at_end(&self, text: &[u8]) -> Option<Range<usize>> {
        let lengths = self.forms.iter().filter(|form| form.is_whole()).filter_map(|form| {
            let longest = form.whole.len().saturating_sub(1).min(text.len());
            (SHORTEST_BEGINNING..=longest).rev().find(|n| text.ends_with(&form.whole[..*n]))
        });
        lengths.max().map(|length| text.len() - length..text.len())
    }
}

/// The range with the escapes whole that it begins or ends in; half an escape breaks JSON.
fn without_half_escapes(text: &[u8], range: &Range<usize>) -> Range<usize> {
    let slashes = |bytes: &[u8]| bytes.iter().rev().take_while(|byte| **byte == b'\\').count();
    let start = range.start - slashes(&text[..range.start]) % 2;
    let ends_in_one = slashes(&text[range.clone()]) % 2 == 1;
    let goes_on = text.get(range.end) == Some(&b'\\');
    start..range.end + usize::from(ends_in_one && goes_on)
}

fn replaced(text: &[u8], found: &[Range<usize>], kind: TextKind) -> Vec<u8> {
    let mut clean = Vec::with_capacity(text.len());
    let mut done = 0;
    for range in found {
        if range.end <= done {
            continue;
        }
        let start = range.start.max(done);
        clean.extend_from_slice(&text[done..start]);
        // What overlaps with the one before is gone with it already.
        if range.start >= done {
            let is_number = kind == TextKind::Body && is_number(text, range);
            // A word in the place of a number would make a body unreadable that was fine.
            clean.extend_from_slice(if is_number { b"9" } else { REDACTED.as_bytes() });
        }
        done = range.end;
    }
    clean.extend_from_slice(&text[done..]);
    clean
}

/// Whether a secret stands in JSON as a number, which only another number leaves whole.
fn is_number(text: &[u8], range: &Range<usize>) -> bool {
    let beside = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_digit() || b":,[]}.+-eE \t\r\n".contains(byte))
    };
    let before = range.start.checked_sub(1).and_then(|at| text.get(at));
    let is_number = text[range.clone()].iter().all(u8::is_ascii_digit);
    is_number && beside(before) && beside(text.get(range.end))
}

/// A secret, and what becomes of it where more escapes are undone than were made: one with a
/// `%41` in it.
fn variants(secret: &Secret) -> Vec<String> {
    let mut variants = vec![secret.expose().to_owned()];
    for _ in 0..DEEPEST {
        let last = variants.last().map(String::as_str).unwrap_or_default();
        let folded = String::from_utf8_lossy(&fold(last.as_bytes())).into_owned();
        if folded == last {
            break;
        }
        variants.push(folded);
    }
    variants
}

#[cfg(test)]
mod tests;
