//! Free text: quoted parts, what a cue introduces (`that says …`, `called …`), or simply what
//! nothing else has claimed.

use serde_json::Value;

use super::super::schema::{ParameterKind, ToolParameter};
use super::{Filler, Use, takes_text, text_value};

/// Words that introduce a text, by what the parameter is called.
const CUES: &[(&[&str], &[&str])] = &[
    (
        &["messag", "text", "content", "bodi", "note", "remind", "comment", "announc"],
        &["saying", "says", "that", "say"],
    ),
    (&["name", "titl", "label", "subject"], &["called", "named", "titled", "about"]),
    (&["queri", "search", "q", "keyword", "topic", "question", "term"], &["for", "about", "on"]),
    (
        &["citi", "locat", "place", "countri", "destin", "address"],
        &["in", "at", "near", "to", "for"],
    ),
    (&["origin", "sourc", "sender"], &["from"]),
    (&["recipi", "contact", "person", "to"], &["to"]),
];

impl Filler<'_> {
    /// Fills text parameters: required ones with the best guess, optional ones only where the
    /// request says so in words.
    pub(super) fn fill_texts(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        // Required ones first: words that an optional one takes would be missing there.
        for required in [true, false] {
            for (parameter, value) in parameters.iter().zip(values.iter_mut()) {
                let wanted = value.is_none()
                    && parameter.required == required
                    && takes_text(&parameter.kind);
                if wanted {
                    *value = self.text(parameter);
                }
            }
        }
    }

    fn text(&mut self, parameter: &ToolParameter) -> Option<Value> {
        let mut found = self.after_own_name(parameter);
        let mut as_what = Use::Text;
        if found.is_none() && parameter.required {
            found =
                self.quoted().or_else(|| self.after_cue(parameter)).or_else(|| self.proper_name());
        }
        if found.is_none() && parameter.required {
            found = self.remainder();
            as_what = Use::Leftover;
        }
        let (first, last) = found?;
        let text = self.part.span(first, last).to_owned();
        self.use_words(first..=last, as_what);
        match &parameter.kind {
            ParameterKind::List(items) => {
                let pieces = text.split([',', ';']).flat_map(|piece| piece.split(" and "));
                let pieces = pieces.map(str::trim).filter(|piece| !piece.is_empty());
                let list: Vec<Value> = pieces.filter_map(|p| text_value(items, p)).collect();
                (!list.is_empty()).then_some(Value::Array(list))
            }
            kind => text_value(kind, &text),
        }
    }

    /// `subject lunch`, `title: Lunch`, with the parameter's own name as the cue.
    fn after_own_name(&self, parameter: &ToolParameter) -> Option<(usize, usize)> {
        let [only] = parameter.stems.as_slice() else { return None };
        let at = self
            .open_words()
            .find(|&at| self.part.words[at].stem == *only && !self.part.words[at].stop)?;
        // Only what follows at once: `the note` alone introduces nothing.
        let next = at + 1;
        let introduced = next < self.part.words.len()
            && !self.part.words[next].stop
            && self.uses[next] == Use::Open;
        introduced.then(|| self.run_from(next)).flatten()
    }

    /// The words between quotes.
    fn quoted(&self) -> Option<(usize, usize)> {
        let text = self.part.text;
        for quotes in [('"', '"'), ('“', '”'), ('\'', '\'')] {
            let Some(open) = text.find(quotes.0) else { continue };
            // An apostrophe inside a word opens nothing.
            let inside_word = text[..open].ends_with(char::is_alphanumeric);
            let start = open + quotes.0.len_utf8();
            let Some(length) = text[start..].find(quotes.1).filter(|_| !inside_word) else {
                continue;
            };
            let inside = |at: &usize| {
                let word = &self.part.words[*at];
                word.start >= start && word.end <= start + length
            };
            let mut words = (0..self.part.words.len()).filter(inside);
            let first = words.next()?;
            let last = words.next_back().unwrap_or(first);
            return (first..=last).all(|at| !self.is_spoken_for(at)).then_some((first, last));
        }
        None
    }

    fn after_cue(&self, parameter: &ToolParameter) -> Option<(usize, usize)> {
        for (stems, cues) in CUES.iter().filter(|(stems, _)| parameter.is_named(stems)) {
            let is_message = stems.contains(&"messag");
            for cue in *cues {
                let said = |at: &usize| self.part.words[*at].text == *cue;
                let Some(at) = self.open_words().find(said) else { continue };
                let found = if is_message { self.rest_from(at + 1) } else { self.run_from(at + 1) };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Everything from here to the end, however it is worded.
    fn rest_from(&self, first: usize) -> Option<(usize, usize)> {
        let last = self.part.words.len().checked_sub(1)?;
        (first <= last && (first..=last).all(|at| !self.is_spoken_for(at))).then_some((first, last))
    }

    /// The words from here up to the next one that is spoken for or begins another phrase.
    fn run_from(&self, from: usize) -> Option<(usize, usize)> {
        let words = &self.part.words;
        let first = (from..words.len()).find(|&at| !words[at].stop)?;
        if first > from + 2 || self.uses[first] != Use::Open {
            return None;
        }
        let ends = |at: &usize| self.uses[*at] != Use::Open || is_preposition(&words[*at].text);
        let end = (first..words.len()).find(ends).unwrap_or(words.len());
        let last = (first..end).rev().find(|&at| !words[at].stop)?;
        Some((first, last))
    }

    /// Words with capitals in the middle of a sentence.
    fn proper_name(&self) -> Option<(usize, usize)> {
        let words = &self.part.words;
        let capital = |at: usize| words[at].capital && self.uses[at] == Use::Open;
        let first = (1..words.len()).find(|&at| capital(at) && !words[at].stop)?;
        let mut last = first;
        while last + 1 < words.len() && capital(last + 1) {
            last += 1;
        }
        Some((first, last))
    }

    /// The longest run of words that nothing has claimed, stop words at its ends removed.
    fn remainder(&self) -> Option<(usize, usize)> {
        let words = &self.part.words;
        let idle = |at: usize| words[at].stop || is_preposition(&words[at].text);
        let mut best: Option<(usize, usize)> = None;
        let mut at = 0;
        while at < words.len() {
            if self.uses[at] != Use::Open || idle(at) {
                at += 1;
                continue;
            }
            let end = (at..words.len()).find(|&e| self.uses[e] != Use::Open).unwrap_or(words.len());
            let last = (at..end).rev().find(|&last| !idle(last)).unwrap_or(at);
            if best.is_none_or(|(first, longest)| last - at > longest - first) {
                best = Some((at, last));
            }
            at = end;
        }
        best
    }

    fn open_words(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.part.words.len()).filter(|&at| !self.is_spoken_for(at))
    }
}

fn is_preposition(word: &str) -> bool {
    matches!(word, "to" | "in" | "on" | "at" | "for" | "from" | "with" | "by" | "about" | "into")
}
