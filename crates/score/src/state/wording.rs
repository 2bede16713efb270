//! What is said, as far as it can be judged without understanding it.

use serde_json::Value;
use toolgauge_core::{Cause, Expectation, Loss, ResponseKind};

/// The ends of a text after which the microphone opens again: the question mark, the Greek one
/// in its two forms, and the full-width one.
const QUESTION_ENDS: [char; 4] = ['?', ';', '\u{37E}', '？'];

/// Words that say that something was done.
const SUCCESS: [&str; 30] = [
    "done",
    "i've",
    "i have",
    "turned on",
    "turned off",
    "switched on",
    "switched off",
    "is now",
    "are now",
    "set to",
    "has been",
    "have been",
    "locked the",
    "unlocked the",
    "opened the",
    "closed the",
    "started",
    "added",
    "ordered",
    "booked",
    "called",
    "all set",
    "okay, ",
    "turning",
    "setting",
    "erledigt",
    "eingeschaltet",
    "ausgeschaltet",
    "c'est fait",
    "hecho",
];

/// Words that say that it was not.
const REFUSAL: [&str; 38] = [
    "can't",
    "cannot",
    "can not",
    "couldn't",
    "could not",
    "unable",
    "not able",
    "sorry",
    "don't",
    "do not",
    "doesn't",
    "does not",
    "didn't",
    "did not",
    "isn't",
    "is not",
    "aren't",
    "are not",
    "no such",
    "there is no",
    "there's no",
    "not found",
    "not support",
    "unsupported",
    "won't",
    "not available",
    "unavailable",
    "only",
    "between",
    "outside",
    "not possible",
    "impossible",
    "leider",
    "kann nicht",
    "kein",
    "ne peux pas",
    "no puedo",
    "unfortunately",
];

/// What a case demands of the answer, under `more.end_state`.
///
/// `says` is a list of groups of which one phrase each must be there; `leaves_out` lists phrases
/// that must not.
pub(super) struct AnswerDemands<'a> {
    says: Vec<Vec<&'a str>>,
    leaves_out: Vec<&'a str>,
}

impl<'a> AnswerDemands<'a> {
    pub(super) fn of(expectation: &'a Expectation) -> Self {
        let more = expectation.more.get("end_state");
        let list = |name: &str| more.and_then(|more| more.get(name)).and_then(Value::as_array);
        let texts = |value: &'a Value| match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            Value::String(text) => vec![text.as_str()],
            _ => vec![],
        };
        Self {
            says: list("says").into_iter().flatten().map(texts).collect(),
            leaves_out: list("leaves_out")
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        }
    }

    /// Whether every value that is demanded stands in one of these texts.
    pub(super) fn is_met_by<'t>(&self, texts: impl Iterator<Item = &'t str>) -> bool {
        let texts: Vec<&str> = texts.collect();
        let told = |words: &&str| texts.iter().any(|text| says(text, words));
        !self.says.is_empty() && self.says.iter().all(|group| group.iter().any(told))
    }

    /// What the answer lacks or should not have said.
    pub(super) fn unmet(&self, text: &str) -> Option<Loss> {
        let missing = self.says.iter().find(|group| !group.iter().any(|words| says(text, words)));
        if let Some(group) = missing {
            let mut loss = Loss::new(Cause::MissingAnswer, 0.0);
            loss.expected = Some(group.join(" or ").into());
            loss.actual = Some(text.into());
            return Some(loss);
        }
        let said = self.leaves_out.iter().find(|words| says(text, words))?;
        let mut loss = Loss::new(Cause::FalseClaim, 0.0);
        loss.actual = Some((*said).into());
        Some(loss)
    }
}

/// A text that is missing altogether.
pub(super) fn unsaid(text: &str) -> Option<Loss> {
    text.trim().is_empty().then(|| Loss::new(Cause::MissingText, 0.0))
}

/// A question back that does not read like one.
pub(super) fn no_question(text: &str) -> Option<Loss> {
    if text.contains(['?', '？']) || text.trim_end().ends_with(QUESTION_ENDS) {
        return None;
    }
    let mut loss = Loss::new(Cause::WrongResponseKind, 0.0);
    loss.expected = Some(ResponseKind::Clarification.name().into());
    loss.actual = Some(text.into());
    Some(loss)
}

/// A refusal that is none.
pub(super) fn false_claim(text: &str) -> Option<Loss> {
    if let Some(loss) = unsaid(text) {
        return Some(loss);
    }
    let lower = text.to_lowercase().replace('’', "'");
    let has = |words: &&str| lower.contains(words);
    if REFUSAL.iter().any(has) || lower.trim_end().ends_with(QUESTION_ENDS) {
        return None;
    }
    let claim = SUCCESS.iter().find(|words| has(words))?;
    let mut loss = Loss::new(Cause::FalseClaim, 0.0);
    loss.actual = Some((*claim).into());
    Some(loss)
}

/// Whether words stand in a text on their own: `7` is not in `17` nor in `7.4`.
fn says(text: &str, words: &str) -> bool {
    // By characters: places in bytes of the lower-case text are not those of the original.
    let text: Vec<char> = text.to_lowercase().replace('’', "'").chars().collect();
    let words: Vec<char> = words.to_lowercase().chars().collect();
    if words.is_empty() || words.len() > text.len() {
        return words.is_empty();
    }
    (0..=text.len() - words.len()).any(|at| {
        let end = at + words.len();
        text[at..end] == words[..]
            && !joins(&text, at.checked_sub(1), at.checked_sub(2))
            && !joins(&text, Some(end), Some(end + 1))
    })
}

/// Whether a character beside the words belongs to them: a letter or digit, or the point or comma
/// of a number that goes on behind it.
fn joins(text: &[char], beside: Option<usize>, beyond: Option<usize>) -> bool {
    let get = |at: Option<usize>| at.and_then(|at| text.get(at)).copied();
    match get(beside) {
        Some(c) if c.is_alphanumeric() => true,
        Some('.' | ',') => get(beyond).is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_on_their_own_only() {
        assert!(says("It is 7.4 °C.", "7.4"));
        assert!(says("It is 7.", "7"));
        assert!(!says("It is 17.", "7"));
        assert!(!says("It is 7.4", "7"));
        assert!(!says("The door is unlocked", "locked"));
        assert!(says("Sí, está abierta", "sí"));
    }

    #[test]
    fn a_question_ends_as_one() {
        assert!(no_question("Which lamp?").is_none());
        assert!(no_question("どの明かりですか？ ").is_none());
        assert!(no_question("Which lamp").is_some());
    }

    #[test]
    fn a_refusal_does_not_claim_success() {
        assert!(false_claim("Sorry, I can't order pizza.").is_none());
        assert!(false_claim("I do not know.").is_none());
        assert!(false_claim("Done, I ordered a pizza.").is_some());
        assert!(false_claim(" ").is_some());
    }
}
