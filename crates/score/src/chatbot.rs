//! The chatbot scorer: tools, keywords and errors in one weighted number.

pub(crate) mod error_sign;
mod response_quality;
mod tool_usage;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgauge_core::{
    Case, Dimension, FailureKind, Loss, Measure, Outcome, Score, Transcript, UnscoredReason,
    Verdict,
};

pub use error_sign::{ErrorSign, error_in_answer};
pub use response_quality::{QualityRule, demanded_keywords};
pub use tool_usage::ToolRule;

use self::response_quality::ResponseQuality;
use self::tool_usage::ToolUsage;
use crate::evidence::Evidence;
use crate::explanation;
use crate::keywords::KeywordRule;

/// Judges an answer by the tools behind it, by its facts or keywords, and by whether it is one at all.
///
/// The value is the mean of the three, weighted. Unlike every other scorer it judges trials that
/// failed, because how a system deals with failure is part of what it measures; only a trial
/// that toolgauge itself or its user ended is left unscored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatbotScorer {
    /// What each part is worth.
    pub weights: Weights,
    /// How the use of tools is judged.
    pub tools: ToolRule,
    /// How keywords are looked for.
    pub keywords: KeywordRule,
    /// What counts where a case has both facts and keywords.
    pub quality: QualityRule,
}

/// What the parts of the chatbot score are worth. They are divided by their sum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Using the expected tools.
    pub tool_usage: f64,
    /// Saying the expected keywords.
    pub response_quality: f64,
    /// Being an answer and not an error.
    pub error_handling: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { tool_usage: 0.4, response_quality: 0.4, error_handling: 0.2 }
    }
}

impl Weights {
    /// The weights, such that they add up to 1; the default ones where they cannot.
    fn shares(self) -> [f64; 3] {
        let weights = [self.tool_usage, self.response_quality, self.error_handling];
        let sum: f64 = weights.iter().sum();
        let usable = weights.iter().all(|weight| *weight >= 0.0) && sum > 0.0 && sum.is_finite();
        if !usable {
            return Self::default().shares();
        }
        if (sum - 1.0).abs() < 1e-12 { weights } else { weights.map(|weight| weight / sum) }
    }
}

impl ChatbotScorer {
    /// The names of the parts.
    const PARTS: [&'static str; 3] = ["tool_usage", "response_quality", "error_handling"];
    /// The measures that hold their values.
    const MEASURES: [Measure; 3] = [Measure::ToolScore, Measure::KeywordShare, Measure::NoError];

    /// This scorer with what the suite says of it under `more.chatbot`.
    fn with_settings(self, settings: Option<&Value>) -> Self {
        let Some(settings) = settings else { return self };
        let weight = |name: &str, own: f64| {
            let weights = settings.get("weights");
            weights.and_then(|weights| weights.get(name)).and_then(Value::as_f64).unwrap_or(own)
        };
        let word = |name: &str| settings.get(name).cloned();
        Self {
            weights: Weights {
                tool_usage: weight("tool_usage", self.weights.tool_usage),
                response_quality: weight("response_quality", self.weights.response_quality),
                error_handling: weight("error_handling", self.weights.error_handling),
            },
            tools: word("tools").and_then(read).unwrap_or(self.tools),
            keywords: word("keywords").and_then(read).unwrap_or(self.keywords),
            quality: word("quality").and_then(read).unwrap_or(self.quality),
        }
    }

    /// Judges a transcript by what its case demands of the answer.
    pub fn score(&self, case: &Case, transcript: &Transcript) -> Outcome {
        self.judge(&Evidence::new(case, &[], transcript))
    }

    /// Judges by that and by what the world has written down.
    pub fn judge(&self, evidence: &Evidence<'_>) -> Outcome {
        let Evidence { case, transcript, .. } = *evidence;
        if let Some(failure) = &transcript.failure
            // These two say nothing about the chatbot.
            && matches!(failure.kind, FailureKind::Interrupted | FailureKind::Internal)
        {
            return Outcome::Unscored(UnscoredReason::Failed(failure.clone()));
        }
        let expectation = &case.expectation;
        if expectation.answer.is_none() && expectation.calls.is_none() {
            return Outcome::Unscored(UnscoredReason::NothingExpected);
        }
        let own = self.with_settings(expectation.more.get("chatbot"));
        let shares = own.weights.shares();
        let usage = ToolUsage::of(case, transcript, own.tools);
        let quality = ResponseQuality::of(evidence, &own);
        if let Some(failure) = quality.failure.clone() {
            return Outcome::Unscored(UnscoredReason::Failed(failure));
        }
        let mut signs = error_sign::signs(transcript);
        if quality.is_right {
            // Here the answer is what the case wants: `None`, or the words of an error that was
            // asked for.
            let is_none = error_sign::is_none(transcript.final_text());
            signs.retain(|sign| match sign {
                ErrorSign::Null => !is_none,
                ErrorSign::Message => false,
                _ => true,
            });
        }
        let values = [usage.value, quality.value, if signs.is_empty() { 1.0 } else { 0.0 }];
        let applies = [usage.applies, quality.applies, true];
        let mut losses = usage.losses(shares[0]);
        losses.extend(quality.losses(shares[1]));
        losses.extend(error_sign::losses(&signs, shares[2]));
        let score = scored(values, shares, applies, losses);
        Outcome::Scored(Score { pairing: usage.pairing, ..score })
    }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn scored(values: [f64; 3], shares: [f64; 3], applies: [bool; 3], losses: Vec<Loss>) -> Score {
    let value: f64 = values.iter().zip(shares).map(|(value, share)| value * share).sum();
    // Tenths have no exact form in binary; what they leave behind the twelfth digit is dust.
    let value = ((value * 1e12).round() / 1e12).clamp(0.0, 1.0);
    let counted = losses.iter().any(|loss| loss.points > 0.0);
    let explanation = if counted { explanation::of(&losses) } else { String::from("correct") };
    let mut score = Score { value, losses, explanation, ..Score::default() };
    for ((name, value), applies) in ChatbotScorer::PARTS.iter().zip(values).zip(applies) {
        let verdict = if applies { Verdict::of(value >= 1.0) } else { Verdict::NotApplicable };
        score.dimensions.insert(Dimension::named(*name), verdict);
    }
    for (measure, value) in ChatbotScorer::MEASURES.into_iter().zip(values) {
        score.set_measure(measure, value);
    }
    score
}

#[cfg(test)]
mod tests;
