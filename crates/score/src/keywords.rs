//! The keywords scorer: does the answer say what it must, and leave out what it must not?
//!
//! Where a suite asks for it, a keyword that is not said gets credit for words that mean nearly the
//! same. How alike they are was measured before, and stands in the transcript.

use std::borrow::Cow;

use regex::RegexBuilder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgauge_core::{
    Case, Cause, Dimension, Expectation, FailureKind, Keyword, KeywordLikeness, Loss, Measure,
    Outcome, Score, Transcript, TrialFailure, UnscoredReason, Verdict,
};

use crate::chatbot::error_sign::answer_loss;
use crate::explanation;
use crate::reading::{Item, Synonyms, TextReader, names_figure};
use crate::tool_call::unscored;

/// How keywords are looked for in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeywordRule {
    /// Letter by letter, whatever the case: `442300` is not in `$442,300`.
    #[default]
    Plain,
    /// As a person reads: numbers as numbers, dates in any form, units, stems, synonyms.
    Understood,
}

impl KeywordRule {
    /// The name used in suites.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Understood => "understood",
        }
    }
}

/// Judges an answer by its keywords, understanding what they mean. The value is the share of
/// keywords that are met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeywordScorer;

impl KeywordScorer {
    /// Judges the last words of a transcript by the keywords of its case.
    pub fn score(&self, case: &Case, transcript: &Transcript) -> Outcome {
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let keywords = keywords_of(case);
        if keywords.is_empty() {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        }
        let rule = KeywordRule::Understood;
        let found = KeywordMatches::of(keywords, &case.expectation, transcript, rule);
        if let Some(failure) = found.unknown_likeness() {
            return Outcome::Unscored(UnscoredReason::Failed(failure));
        }
        let value = found.share();
        let mut losses = found.losses(1.0);
        if !losses.is_empty() {
            // An error instead of an answer explains every keyword that is missing.
            losses.extend(answer_loss(transcript));
        }
        let explanation =
            if losses.is_empty() { String::from("correct") } else { explanation::of(&losses) };
        let mut score = Score { value, losses, explanation, ..Score::default() };
        score.dimensions.insert(Dimension::named("keywords"), Verdict::of(value >= 1.0));
        score.set_measure(Measure::KeywordShare, value);
        Outcome::Scored(score)
    }
}

/// The keywords of a case.
pub(crate) fn keywords_of(case: &Case) -> &[Keyword] {
    case.expectation.answer.as_deref().map_or(&[], |answer| &answer.keywords)
}

/// Whether a text meets a keyword, as a person reads both: a forbidden keyword is met by a text
/// that does not say it.
pub fn keyword_found(keyword: &Keyword, text: &str) -> bool {
    let reader = TextReader::default();
    KeywordText::new(text, KeywordRule::Understood, Cow::Owned(reader)).meets(keyword)
}

/// A text, ready to look for keywords in.
struct KeywordText<'a> {
    text: &'a str,
    lower: String,
    items: Vec<Item>,
    rule: KeywordRule,
    reader: Cow<'a, TextReader>,
}

impl<'a> KeywordText<'a> {
    fn new(text: &'a str, rule: KeywordRule, reader: Cow<'a, TextReader>) -> Self {
        let items = match rule {
            KeywordRule::Plain => Vec::new(),
            KeywordRule::Understood => reader.read(text),
        };
        Self { text, lower: text.to_lowercase(), items, rule, reader }
    }

    fn holds(&self, phrase: &str) -> bool {
        match self.rule {
            KeywordRule::Plain => self.lower.contains(&phrase.to_lowercase()),
            KeywordRule::Understood => self.reader.is_said(&self.items, self.text, phrase),
        }
    }

    fn meets(&self, keyword: &Keyword) -> bool {
        match keyword {
            Keyword::Text(text) => self.holds(text),
            Keyword::AnyOf(texts) => texts.iter().any(|text| self.holds(text)),
            Keyword::Not(text) => !self.holds(text),
            Keyword::Regex(pattern) => RegexBuilder::new(pattern)
                .case_insensitive(true)
                .build()
                // A pattern that cannot be read is met by nothing; the suite's check reports it.
                .is_ok_and(|expression| expression.is_match(self.text)),
        }
    }
}

/// The phrases of a case that are to be held against the answer by what they mean: none unless the
/// suite says from which likeness on they count.
pub fn likened_phrases(case: &Case) -> Vec<&str> {
    if least_likeness(&case.expectation).is_none() {
        return Vec::new();
    }
    keywords_of(case).iter().flat_map(likened).collect()
}

/// The phrases of which a keyword demands one, and that something may come near to. Another figure,
/// month or day of the week is no better for being near, in digits or in words.
fn likened(keyword: &Keyword) -> impl Iterator<Item = &str> {
    let phrases = match keyword {
        Keyword::Text(text) => std::slice::from_ref(text),
        Keyword::AnyOf(texts) => texts,
        Keyword::Not(_) | Keyword::Regex(_) => &[],
    };
    phrases.iter().map(String::as_str).filter(|phrase| !names_figure(phrase))
}

/// From which likeness on a keyword counts that is not said, if the suite says so.
fn least_likeness(expectation: &Expectation) -> Option<f64> {
    expectation.more.get("keywords")?.get("likeness")?.as_f64()
}

/// How far a keyword is met.
struct KeywordMatch<'a> {
    keyword: &'a Keyword,
    /// 1 if it is said, the likeness if something near is, 0 otherwise.
    credit: f64,
    /// What is nearest to it, where it is not said.
    nearest: Option<&'a KeywordLikeness>,
}

/// Which keywords an answer meets.
pub(crate) struct KeywordMatches<'a>(Vec<KeywordMatch<'a>>);

impl<'a> KeywordMatches<'a> {
    /// Looks for keywords in an answer. An answer that says nothing meets none, not even those
    /// it must not say.
    pub(crate) fn of(
        keywords: &'a [Keyword],
        expectation: &Expectation,
        transcript: &'a Transcript,
        rule: KeywordRule,
    ) -> Self {
        let unmet = |keyword| KeywordMatch { keyword, credit: 0.0, nearest: None };
        let answer = transcript.final_text();
        if answer.trim().is_empty() {
            return Self(keywords.iter().map(unmet).collect());
        }
        let said = KeywordText::new(answer, rule, Cow::Owned(reader(expectation)));
        let least = least_likeness(expectation);
        let matched = |keyword| {
            if said.meets(keyword) {
                return KeywordMatch { credit: 1.0, ..unmet(keyword) };
            }
            let Some(least) = least else { return unmet(keyword) };
            let nearest = nearest(keyword, &transcript.background.likeness);
            let similarity = nearest.and_then(|nearest| nearest.similarity);
            let credit = similarity.filter(|similarity| *similarity >= least).unwrap_or(0.0);
            KeywordMatch { keyword, credit: credit.min(1.0), nearest }
        };
        Self(keywords.iter().map(matched).collect())
    }

    /// Why it is not known how near something comes to a keyword that is not said. A server that
    /// cannot be asked is no wrong answer.
    pub(crate) fn unknown_likeness(&self) -> Option<TrialFailure> {
        let nearest = self.0.iter().filter_map(|matched| matched.nearest);
        let unknown = nearest.into_iter().find(|nearest| nearest.similarity.is_none())?;
        let message = format!("the likeness of keywords is not known: {}", unknown.said);
        Some(TrialFailure { kind: FailureKind::Unavailable, message })
    }

    /// The share of keywords that are met; 1 where there are none.
    #[expect(clippy::cast_precision_loss, reason = "a handful of keywords")]
    pub(crate) fn share(&self) -> f64 {
        if self.0.is_empty() {
            return 1.0;
        }
        self.0.iter().map(|matched| matched.credit).sum::<f64>() / self.0.len() as f64
    }

    /// One loss for each keyword that is not met; all keywords together are worth so many
    /// points.
    #[expect(clippy::cast_precision_loss, reason = "a handful of keywords")]
    pub(crate) fn losses(&self, points: f64) -> Vec<Loss> {
        let each = points / self.0.len().max(1) as f64;
        let unmet = self.0.iter().filter(|matched| matched.credit < 1.0);
        unmet.map(|matched| loss_of(matched, each)).collect()
    }
}

/// Of what was measured, the nearest to a keyword; what could not be measured, if nothing was.
fn nearest<'l>(keyword: &Keyword, likeness: &'l [KeywordLikeness]) -> Option<&'l KeywordLikeness> {
    // A log of an earlier version may hold what was measured of a figure.
    let own = likeness.iter().filter(|near| likened(keyword).any(|phrase| phrase == near.keyword));
    own.max_by(|a, b| {
        let value = |likeness: &KeywordLikeness| likeness.similarity.unwrap_or(-1.0);
        value(a).total_cmp(&value(b))
    })
}

/// What is lost where keywords are worth so many points each, with the nearest that was said.
fn loss_of(matched: &KeywordMatch<'_>, points: f64) -> Loss {
    let lost = loss(matched.keyword, points * (1.0 - matched.credit));
    let Some(KeywordLikeness { similarity: Some(similarity), said, .. }) = matched.nearest else {
        return lost;
    };
    let similarity = (similarity * 100.0).round() / 100.0;
    Loss { actual: Some(json!({"similarity": similarity, "said": said})), ..lost }
}

fn loss(keyword: &Keyword, points: f64) -> Loss {
    let (cause, expected, actual): (_, Option<Value>, Option<Value>) = match keyword {
        Keyword::Text(text) => (Cause::MissingKeyword, Some(json!(text)), None),
        Keyword::AnyOf(texts) => (Cause::MissingKeyword, Some(json!({"any_of": texts})), None),
        Keyword::Not(text) => (Cause::ForbiddenKeyword, None, Some(json!(text))),
        Keyword::Regex(pattern) => (Cause::MissingKeyword, Some(json!({"regex": pattern})), None),
    };
    Loss { expected, actual, ..Loss::new(cause, points) }
}

/// How the texts of a case are read, by what its suite says under `more.keywords`.
pub(crate) fn reader(expectation: &Expectation) -> TextReader {
    let settings = expectation.more.get("keywords");
    let setting = |name: &str| settings.and_then(|settings| settings.get(name));
    TextReader {
        day_first: setting("dates").and_then(Value::as_str) == Some("day_first"),
        synonyms: Synonyms::of(setting("synonyms")),
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::{AssistantMessage, Message};

    use super::*;

    fn judged(more: &Value, likeness: &[(&str, Option<f64>)], answer: &str) -> Outcome {
        let mut case = Case::new("c", "Is it insured?");
        let keywords = json!({"keywords": [{"any_of": ["insured", "covered"]}, "2026"]});
        case.expectation.answer = serde_json::from_value(keywords).unwrap();
        case.expectation.more = more.as_object().unwrap().clone().into();
        let content = answer.to_owned();
        let said = AssistantMessage { content, ..AssistantMessage::default() };
        let mut transcript =
            Transcript { messages: vec![Message::Assistant(said)], ..Transcript::default() };
        let measured = |(keyword, similarity): &(&str, Option<f64>)| KeywordLikeness {
            keyword: (*keyword).to_owned(),
            similarity: *similarity,
            said: "a policy is in force".to_owned(),
        };
        transcript.background.likeness = likeness.iter().map(measured).collect();
        KeywordScorer.score(&case, &transcript)
    }

    #[test]
    fn likeness_counts_only_where_the_suite_says_from_when_on() {
        let answer = "In 2026 a policy is in force.";
        let likeness = [("insured", Some(0.5)), ("covered", Some(0.9))];
        let asked = json!({"keywords": {"likeness": 0.8}});
        assert_eq!(judged(&asked, &likeness, answer).value(), Some(0.95));
        assert_eq!(judged(&json!({}), &likeness, answer).value(), Some(0.5));
        let strict = json!({"keywords": {"likeness": 0.95}});
        assert_eq!(judged(&strict, &likeness, answer).value(), Some(0.5));
        let near = judged(&asked, &likeness, answer);
        let loss = near.score().unwrap().losses[0].clone();
        assert_eq!(loss.actual, Some(json!({"similarity": 0.9, "said": "a policy is in force"})));
        assert_eq!(judged(&asked, &likeness, "It is insured in 2026.").value(), Some(1.0));
    }

    #[test]
    fn what_was_measured_of_a_figure_does_not_count() {
        let mut case = Case::new("c", "How many bedrooms?");
        case.expectation.answer = serde_json::from_value(json!({"keywords": ["three"]})).unwrap();
        case.expectation.more.insert("keywords".into(), json!({"likeness": 0.8}));
        let content = "It has four.".to_owned();
        let said = AssistantMessage { content, ..AssistantMessage::default() };
        let mut transcript =
            Transcript { messages: vec![Message::Assistant(said)], ..Transcript::default() };
        let (keyword, said) = ("three".to_owned(), "It has four".to_owned());
        let near = KeywordLikeness { keyword, similarity: Some(0.93), said };
        transcript.background.likeness = vec![near];
        assert_eq!(KeywordScorer.score(&case, &transcript).value(), Some(0.0));
    }

    #[test]
    fn a_keyword_that_is_not_said_and_could_not_be_compared_is_not_judged() {
        let asked = json!({"keywords": {"likeness": 0.8}});
        let unknown = [("insured", None), ("covered", None)];
        assert_eq!(judged(&asked, &unknown, "In 2026.").value(), None);
        assert_eq!(judged(&asked, &unknown, "Insured in 2026.").value(), Some(1.0));
    }

    #[test]
    fn figures_are_not_compared_by_likeness() {
        let mut case = Case::new("c", "q");
        let keywords =
            json!({"keywords": ["insured", "442,300", {"any_of": ["2A", "flat"]}, {"not": "no"}]});
        case.expectation.answer = serde_json::from_value(keywords).unwrap();
        assert!(likened_phrases(&case).is_empty(), "off unless the suite asks");
        case.expectation.more.insert("keywords".into(), json!({"likeness": 0.8}));
        assert_eq!(likened_phrases(&case), ["insured", "flat"]);
        let in_words = ["three", "Three bedrooms", "twenty-one", "a dozen", "twice", "half of it"];
        let dates = ["May", "june", "in March", "Sept.", "Monday", "the first quarter", "thirds"];
        let neither = ["may be sublet", "they march on", "owner", "in the mayor's house"];
        for (phrases, count) in [(&in_words[..], 0), (&dates, 0), (&neither, neither.len())] {
            let keywords = json!({"keywords": [{"any_of": phrases}]});
            case.expectation.answer = serde_json::from_value(keywords).unwrap();
            assert_eq!(likened_phrases(&case).len(), count, "{phrases:?}");
        }
    }
}
