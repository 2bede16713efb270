//! Outcomes as Inspect's scores, and back.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use indexmap::IndexMap;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use toolgauge_core::json::STAND_IN;
use toolgauge_core::{
    AcceptedWay, Dimension, Loss, Outcome, Quality, Run, Score, UnscoredReason, Verdict,
};

use super::lenient::{LenientNumber, LentName};
use super::wording::dimension_score;
use crate::trial_record::{NamedRecords, OutcomeRecord, ScoredRecord};

/// The scores of one sample: for each scorer its value, with everything else in the metadata,
/// and then each dimension that was judged, as a score of its own.
///
/// A dimension that does not apply, and an outcome that is no score, are left out. Inspect
/// would count the letter `N` as wrong, and only its newer versions leave `NaN` out of a mean.
pub(crate) struct Scores<'a> {
    pub(crate) run: &'a Run,
    pub(crate) outcomes: &'a IndexMap<String, Outcome>,
    /// What the subject answered, in a line.
    pub(crate) answer: ScoredAnswer<'a>,
}

/// Beside which scores the answer is written.
#[derive(Clone, Copy)]
pub(crate) enum ScoredAnswer<'a> {
    WithAll(&'a str),
    /// The one that lists show, so that summaries stay short.
    WithFirst(&'a str),
}

impl Serialize for Scores<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (number, (scorer, score)) in finite(self.outcomes).enumerate() {
            let answer = match self.answer {
                ScoredAnswer::WithAll(answer) => Some(answer),
                ScoredAnswer::WithFirst(answer) => (number == 0).then_some(answer),
            };
            map.serialize_entry(scorer, &ScoreOut::of(score, answer))?;
        }
        for (scorer, score) in finite(self.outcomes) {
            // Behind all scorers, so that the first score of a sample is that of the first scorer.
            for (dimension, verdict) in &score.dimensions {
                if *verdict != Verdict::NotApplicable {
                    let name = dimension_score(self.run, scorer, dimension);
                    map.serialize_entry(&*name, &Letter { value: verdict.letter() })?;
                }
            }
        }
        map.end()
    }
}

/// The scores among the outcomes.
pub(crate) fn finite(outcomes: &IndexMap<String, Outcome>) -> impl Iterator<Item = (&str, &Score)> {
    let scores = outcomes.iter().filter_map(|(name, o)| Some((name.as_str(), o.score()?)));
    scores.filter(|(_, score)| score.value.is_finite())
}

/// The scores among the outcomes, each as it stands in a sample.
pub(crate) fn score_records(outcomes: &IndexMap<String, Outcome>) -> IndexMap<String, Value> {
    let record = |(name, score): (&str, &Score)| {
        let record = serde_json::to_value(ScoreOut::of(score, None));
        (name.to_owned(), record.expect("a score is plain data"))
    };
    finite(outcomes).map(record).collect()
}

#[derive(Serialize)]
struct Letter {
    value: char,
}

/// A score on its way out.
#[derive(Serialize)]
pub(crate) struct ScoreOut<'a> {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    explanation: &'a str,
    metadata: ScoreMetadata<'a>,
}

#[derive(Serialize)]
struct ScoreMetadata<'a> {
    toolgauge: ScoreExtras<'a>,
}

#[derive(Serialize)]
struct ScoreExtras<'a> {
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    dimensions: &'a IndexMap<Dimension, Verdict>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    measures: &'a IndexMap<String, f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    losses: &'a [Loss],
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<AcceptedWay>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pairing: &'a [Option<usize>],
}

impl<'a> ScoreOut<'a> {
    fn of(score: &'a Score, answer: Option<&'a str>) -> Self {
        let toolgauge = ScoreExtras {
            dimensions: &score.dimensions,
            measures: &score.measures,
            losses: &score.losses,
            quality: score.quality,
            way: score.way,
            pairing: &score.pairing,
        };
        let metadata = ScoreMetadata { toolgauge };
        Self { value: score.value, answer, explanation: &score.explanation, metadata }
    }
}

/// A score without its metadata, as an event shows it.
#[derive(Serialize)]
pub(crate) struct BareScore<'a> {
    pub(crate) value: f64,
    pub(crate) answer: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) explanation: &'a str,
}

/// A score as read, of whatever origin.
#[derive(Debug, Deserialize)]
pub(crate) struct ScoreRecord<'a> {
    #[serde(default)]
    value: ScoreValue,
    #[serde(default, borrow)]
    explanation: Option<LentName<'a>>,
    #[serde(default, borrow)]
    metadata: Option<ScoreMetadataRecord<'a>>,
}

#[derive(Debug, Deserialize)]
struct ScoreMetadataRecord<'a> {
    #[serde(default, borrow)]
    toolgauge: Option<ScoreExtrasRecord<'a>>,
}

#[derive(Debug, Deserialize)]
struct ScoreExtrasRecord<'a> {
    #[serde(default)]
    dimensions: Pairs<Dimension, Verdict>,
    #[serde(default, borrow)]
    measures: Pairs<LentName<'a>, LenientNumber>,
    #[serde(default)]
    losses: Vec<Loss>,
    #[serde(default)]
    quality: Option<Quality>,
    #[serde(default)]
    way: Option<AcceptedWay>,
    #[serde(default)]
    pairing: Vec<Option<usize>>,
}

/// A score that toolgauge wrote.
#[derive(Debug)]
struct OwnScore<'a> {
    value: f64,
    explanation: Cow<'a, str>,
    extras: ScoreExtrasRecord<'a>,
}

impl<'a> OwnScore<'a> {
    fn into_score(self) -> Score {
        let extras = self.extras;
        let measures = extras.measures.0.into_iter();
        Score {
            value: self.value,
            dimensions: extras.dimensions.0.into_iter().collect(),
            // JSON has no NaN, so that a measure without a number was written as null.
            measures: measures.map(|(name, n)| (name.0.into(), n.0.unwrap_or(f64::NAN))).collect(),
            losses: extras.losses,
            quality: extras.quality,
            way: extras.way,
            pairing: extras.pairing,
            explanation: self.explanation.into_owned(),
        }
    }

    fn into_record(self) -> ScoredRecord<'a> {
        ScoredRecord {
            value: self.value,
            dimensions: self.extras.dimensions.0,
            losses: self.extras.losses.into(),
            explanation: self.explanation,
        }
    }
}

impl<'a> ScoreRecord<'a> {
    /// The score toolgauge wrote; `None` for a dimension that has a score of its own.
    fn into_own(self) -> Option<OwnScore<'a>> {
        let extras = self.metadata?.toolgauge?;
        // A dimension is a letter, and has no record of toolgauge beside it either.
        let ScoreValue::Number(value) = self.value else { return None };
        let explanation = self.explanation.unwrap_or_default().0;
        Some(OwnScore { value, explanation, extras })
    }

    /// Whether the score, or a part of it, is a word that means no number.
    pub(crate) fn is_word(&self) -> bool {
        match &self.value {
            ScoreValue::Word => true,
            ScoreValue::Parts { words, .. } => *words,
            ScoreValue::Number(_) | ScoreValue::Nothing => false,
        }
    }

    /// The outcomes that another program's score amounts to, each with its name.
    pub(crate) fn into_foreign(self, scorer: String) -> Vec<(String, Outcome)> {
        let explanation = self.explanation.unwrap_or_default().0.into_owned();
        let scored = |value: f64| {
            Outcome::Scored(Score { value, explanation: explanation.clone(), ..Score::default() })
        };
        let outcome =
            |value: Option<f64>| value.map_or(Outcome::Unscored(UnscoredReason::NoValue), scored);
        match self.value {
            ScoreValue::Number(value) => vec![(scorer, scored(value))],
            // Inspect's own metrics count it as 0, and so does everybody who read its figures.
            ScoreValue::Word => vec![(scorer, scored(0.0))],
            ScoreValue::Nothing => vec![(scorer, outcome(None))],
            ScoreValue::Parts { parts, .. } => parts
                .into_iter()
                // A scorer of several values becomes several outcomes, or none of them could be
                // compared.
                .map(|(key, value)| (format!("{scorer}.{key}"), outcome(value)))
                .collect(),
        }
    }
}

/// The scores of a sample that toolgauge's scorers gave.
///
/// Each dimension has a score of its own beside them; those are passed over without a copy of
/// anything.
#[derive(Debug, Default)]
pub(crate) struct OwnScores<'a>(Vec<(Cow<'a, str>, OwnScore<'a>)>);

impl<'a> OwnScores<'a> {
    /// The scores as outcomes.
    pub(crate) fn into_outcomes(self) -> IndexMap<String, Outcome> {
        let outcome = |(name, score): (Cow<'_, str>, OwnScore<'_>)| {
            (name.into_owned(), Outcome::Scored(score.into_score()))
        };
        self.0.into_iter().map(outcome).collect()
    }

    /// As much of them as tables show.
    pub(crate) fn into_records(self) -> NamedRecords<'a, OutcomeRecord<'a>> {
        let record =
            |(name, score): (_, OwnScore<'a>)| (name, OutcomeRecord::Scored(score.into_record()));
        self.0.into_iter().map(record).collect()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for OwnScores<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ByName;
        impl<'de> Visitor<'de> for ByName {
            type Value = OwnScores<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("scores by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnScores<'de>, A::Error> {
                let mut scores = Vec::new();
                while let Some(LentName(name)) = map.next_key()? {
                    if let Some(score) = map.next_value::<ScoreRecord<'_>>()?.into_own() {
                        scores.push((name, score));
                    }
                }
                Ok(OwnScores(scores))
            }
        }
        from.deserialize_map(ByName)
    }
}

/// The entries of an object as they stand there: a list takes a fraction of the time of a map.
#[derive(Debug)]
struct Pairs<K, V>(Vec<(K, V)>);

impl<K, V> Default for Pairs<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Pairs<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = Pairs<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<K, V>, A::Error> {
                // Room for what most scorers judge on its own.
                let mut pairs = Vec::with_capacity(8);
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Entries(PhantomData))
    }
}

/// What a score's value may be.
#[derive(Debug, Default)]
enum ScoreValue {
    /// A number, or a letter or word that stands for one.
    Number(f64),
    /// No value: `NaN` or `null`.
    #[default]
    Nothing,
    /// A word that means no number.
    Word,
    /// Several values by name, and whether one of them is such a word.
    Parts { parts: Vec<(String, Option<f64>)>, words: bool },
}

/// The number a word stands for, as Inspect's own metrics take it.
fn worth(word: &str) -> Option<f64> {
    match word {
        "C" => Some(1.0),
        "P" => Some(0.5),
        // Inspect counts "no answer" as wrong, so its means can only be met if it is wrong here as
        // well.
        "I" | "N" => Some(0.0),
        _ => match word.to_lowercase().as_str() {
            "yes" | "true" => Some(1.0),
            "no" | "false" => Some(0.0),
            other => other.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        },
    }
}

impl<'de> Deserialize<'de> for ScoreValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct AnyValue;
        impl<'de> Visitor<'de> for AnyValue {
            type Value = ScoreValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the value of a score")
            }

            fn visit_f64<E>(self, number: f64) -> Result<ScoreValue, E> {
                Ok(ScoreValue::Number(number))
            }

            #[expect(clippy::cast_precision_loss, reason = "scores are small")]
            fn visit_i64<E>(self, number: i64) -> Result<ScoreValue, E> {
                Ok(ScoreValue::Number(number as f64))
            }

            #[expect(clippy::cast_precision_loss, reason = "scores are small")]
            fn visit_u64<E>(self, number: u64) -> Result<ScoreValue, E> {
                Ok(ScoreValue::Number(number as f64))
            }

            fn visit_bool<E>(self, truth: bool) -> Result<ScoreValue, E> {
                Ok(ScoreValue::Number(f64::from(u8::from(truth))))
            }

            fn visit_str<E>(self, word: &str) -> Result<ScoreValue, E> {
                // `NaN` and the infinities come as words of our own.
                if word.starts_with(STAND_IN) {
                    return Ok(ScoreValue::Nothing);
                }
                Ok(worth(word).map_or(ScoreValue::Word, ScoreValue::Number))
            }

            fn visit_unit<E>(self) -> Result<ScoreValue, E> {
                Ok(ScoreValue::Nothing)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ScoreValue, A::Error> {
                let (mut parts, mut words) = (Vec::new(), false);
                while let Some((key, value)) = map.next_entry::<String, ScoreValue>()? {
                    words |= matches!(value, ScoreValue::Word);
                    parts.push((key, value.number()));
                }
                Ok(ScoreValue::Parts { parts, words })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ScoreValue, A::Error> {
                let (mut parts, mut words) = (Vec::new(), false);
                while let Some(value) = items.next_element::<ScoreValue>()? {
                    words |= matches!(value, ScoreValue::Word);
                    parts.push((parts.len().to_string(), value.number()));
                }
                Ok(ScoreValue::Parts { parts, words })
            }
        }
        from.deserialize_any(AnyValue)
    }
}

impl ScoreValue {
    fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Word => Some(0.0),
            Self::Nothing | Self::Parts { .. } => None,
        }
    }
}
