//! The keywords scorer: does the answer say what it must, and leave out what it must not?

use std::borrow::Cow;

use regex::RegexBuilder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgauge_core::{
    Case, Cause, Dimension, Expectation, Keyword, Loss, Measure, Outcome, Score, Transcript,
    UnscoredReason, Verdict,
};

use crate::explanation;
use crate::reading::{Item, Synonyms, TextReader};
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
        let found = KeywordMatches::of(keywords, &case.expectation, transcript.final_text(), rule);
        let value = found.share();
        let losses = found.losses(1.0);
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

/// Which keywords an answer meets.
pub(crate) struct KeywordMatches<'a> {
    keywords: &'a [Keyword],
    met: Vec<bool>,
}

impl<'a> KeywordMatches<'a> {
    /// Looks for keywords in an answer. An answer that says nothing meets none, not even those
    /// it must not say.
    pub(crate) fn of(
        keywords: &'a [Keyword],
        expectation: &Expectation,
        answer: &str,
        rule: KeywordRule,
    ) -> Self {
        if answer.trim().is_empty() {
            return Self { keywords, met: vec![false; keywords.len()] };
        }
        let said = KeywordText::new(answer, rule, Cow::Owned(reader(expectation)));
        Self { keywords, met: keywords.iter().map(|keyword| said.meets(keyword)).collect() }
    }

    /// The share of keywords that are met; 1 where there are none.
    #[expect(clippy::cast_precision_loss, reason = "a handful of keywords")]
    pub(crate) fn share(&self) -> f64 {
        if self.met.is_empty() {
            return 1.0;
        }
        self.met.iter().filter(|met| **met).count() as f64 / self.met.len() as f64
    }

    /// One loss for each keyword that is not met; all keywords together are worth so many
    /// points.
    #[expect(clippy::cast_precision_loss, reason = "a handful of keywords")]
    pub(crate) fn losses(&self, points: f64) -> Vec<Loss> {
        let each = points / self.met.len().max(1) as f64;
        let unmet = self.keywords.iter().zip(&self.met).filter(|(_, met)| !**met);
        unmet.map(|(keyword, _)| loss(keyword, each)).collect()
    }
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
