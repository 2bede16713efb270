//! Why a trial came to nothing.

use serde::{Deserialize, Serialize};

/// Why a trial ended before the subject was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialFailure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// What happened, for a person to read. Holds no secret.
    pub message: String,
}

/// An error message without what differs each time it is written: numbers, times, and identifiers
/// of requests become `…`. `no row 17 (request 5f3a…)` and `no row 18 (request 09cc…)` are one
/// error. Short numbers behind `status`, `HTTP` or `code` say what happened, and stay.
pub fn without_ids(message: &str) -> String {
    let mut folded = String::with_capacity(message.len());
    let mut chars = message.chars().peekable();
    let mut last_word = String::new();
    let mut word = String::new();
    while let Some(char) = chars.next() {
        // A point or a colon belongs to a number or a time, not to a sentence.
        let joins = matches!(char, '.' | ':' | ',' | '+')
            && word.ends_with(|last: char| last.is_ascii_digit())
            && chars.peek().is_some_and(char::is_ascii_digit);
        if char.is_alphanumeric() || matches!(char, '-' | '_') || joins {
            word.push(char);
            continue;
        }
        fold_word(&mut folded, &mut word, &mut last_word);
        folded.push(char);
    }
    fold_word(&mut folded, &mut word, &mut last_word);
    folded
}

/// Words of so many letters with a digit among them are identifiers.
const ID: usize = 8;

fn fold_word(folded: &mut String, word: &mut String, last_word: &mut String) {
    let has_digit = word.contains(|char: char| char.is_ascii_digit());
    let is_hex = word.len() >= ID && word.chars().all(|char| char.is_ascii_hexdigit());
    let is_number = word.chars().all(|char| !char.is_alphabetic());
    let is_status = word.len() <= 4
        && is_number
        && ["status", "http", "code"].contains(&last_word.to_lowercase().as_str());
    if is_status || !(has_digit || is_hex) {
        folded.push_str(word);
    } else if is_number || is_hex || word.len() >= ID {
        folded.push('…');
    } else {
        let mut in_number = false;
        for char in word.chars() {
            let is_digit = char.is_ascii_digit();
            if !is_digit {
                folded.push(char);
            } else if !in_number {
                folded.push('…');
            }
            in_number = is_digit;
        }
    }
    if !word.is_empty() {
        *last_word = std::mem::take(word);
    }
}

/// The kinds of failure, told by status and type of error, and by a server's words only where most
/// servers have nothing else for it (a prompt that does not fit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The server could not be reached, or hung up before it answered.
    Connection,
    /// No answer came in time.
    Timeout,
    /// The server asked for fewer requests until the retries were used up.
    RateLimited,
    /// The server refused the request (any other 4xx).
    Refused,
    /// The key was not accepted.
    Unauthorized,
    /// The prompt does not fit the model's context.
    ContextOverflow,
    /// The server could not answer yet, or no longer: it loads its model, stands behind a proxy
    /// that does not reach it (502, 503), or refuses connections because it is being restarted.
    Unavailable,
    /// The server failed (any other 5xx).
    Server,
    /// The answer was cut off in the middle.
    Truncated,
    /// The answer was not what the protocol asks for: HTML, broken JSON, no choice.
    UnreadableAnswer,
    /// The answer was larger than the limit.
    TooLarge,
    /// Another model answered than the one that was asked for.
    OtherModel,
    /// The subject answered that it failed: an error in the place of an answer.
    Reported,
    /// The trial's own limit on turns, tokens or time was reached.
    LimitReached,
    /// The world could not answer a call: a server of its tools crashed or hung, or the call was
    /// not recorded.
    World,
    /// The run was stopped before the trial ended.
    Interrupted,
    /// toolgauge itself failed; a defect worth reporting.
    Internal,
}

impl FailureKind {
    /// Whether the failure says nothing about the subject, so that the trial cannot be judged.
    ///
    /// A trial that reached its limit on turns, tokens or time was ended by what the subject
    /// did, and an error it reports is its answer; every other failure happened to it.
    pub fn is_infrastructure(self) -> bool {
        !matches!(self, Self::LimitReached | Self::Reported)
    }

    /// The name used in logs and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Timeout => "timeout",
            Self::RateLimited => "rate_limited",
            Self::Refused => "refused",
            Self::Unauthorized => "unauthorized",
            Self::ContextOverflow => "context_overflow",
            Self::Unavailable => "unavailable",
            Self::Server => "server",
            Self::Truncated => "truncated",
            Self::UnreadableAnswer => "unreadable_answer",
            Self::TooLarge => "too_large",
            Self::OtherModel => "other_model",
            Self::Reported => "reported",
            Self::LimitReached => "limit_reached",
            Self::World => "world",
            Self::Interrupted => "interrupted",
            Self::Internal => "internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_differ_by_numbers_and_identifiers_are_one() {
        for (message, folded) in [
            (
                "request 107afe73-a09b-4ebb-889b-16db30ee89d3 failed at 1795051119.97 (attempt 8)",
                "request … failed at … (attempt …)",
            ),
            ("2026-11-19T01:18:35.123Z timeout after 30s", "… timeout after …s"),
            ("deadbeef: no such table: orders", "…: no such table: orders"),
            ("trace req_8fK2jd93. Try again.", "trace …. Try again."),
            ("HTTP status 500: boom 500", "HTTP status 500: boom …"),
            ("error code: 42", "error code: 42"),
            ("no order 17, customer 4", "no order …, customer …"),
            ("the database is away", "the database is away"),
            ("größer als 3 €", "größer als … €"),
            ("", ""),
        ] {
            assert_eq!(without_ids(message), folded);
            assert_eq!(without_ids(folded), folded, "folding twice changes nothing");
        }
    }
}
