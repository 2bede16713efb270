//! The words and figures of a comparison, one by one: for text and for pages.

use super::{
    AmountChange, AmountUnit, Difference, DifferenceVerdict, Flips, SharedTrials, SideFacts,
};
use crate::number::{counted, seconds};

/// What may be said, in a sentence.
pub(crate) fn verdict_words(verdict: &DifferenceVerdict, score: Option<&Difference>) -> String {
    let word = verdict.word();
    match (verdict, verdict_detail(verdict, score)) {
        (DifferenceVerdict::NoDifferenceShown, Some(detail)) => format!("{word} ({detail})"),
        (DifferenceVerdict::Inconclusive { .. }, Some(detail)) => format!("{word}: {detail}"),
        (_, Some(detail)) => format!("{word} {detail}"),
        (_, None) => word.to_owned(),
    }
}

/// What there is to say beyond the verdict's word.
pub(crate) fn verdict_detail(
    verdict: &DifferenceVerdict,
    score: Option<&Difference>,
) -> Option<String> {
    match verdict {
        DifferenceVerdict::Better | DifferenceVerdict::Worse => None,
        DifferenceVerdict::Equivalent { margin } => Some(format!("within {margin}")),
        DifferenceVerdict::NoDifferenceShown => score?.detectable.map(|detectable| {
            // Of scores between 0 and 1 none are further apart; those of other programs may be.
            let is_share = |mean| (0.0..=1.0).contains(&mean);
            if detectable > 1.0 && score.is_some_and(|s| is_share(s.a.mean) && is_share(s.b.mean)) {
                return "too few cases to find a difference of any size".to_owned();
            }
            format!("a difference of {detectable:.3} would have been found four times in five")
        }),
        DifferenceVerdict::Inconclusive { more_cases: Some(more) } => {
            Some(format!("about {more} more cases needed"))
        }
        DifferenceVerdict::Inconclusive { more_cases: None } => Some("too few cases".to_owned()),
    }
}

impl DifferenceVerdict {
    /// The verdict in a word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Better => "B is better",
            Self::Worse => "B is worse",
            Self::Equivalent { .. } => "equivalent",
            Self::NoDifferenceShown => "no difference shown",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }
}

impl DifferenceVerdict {
    /// What became of B since A, in a word or two.
    pub(crate) fn change(&self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Inconclusive { .. } => "too few cases to tell",
            Self::Equivalent { .. } | Self::NoDifferenceShown => self.word(),
        }
    }
}

/// By how much the score changed, and how many cases flipped.
pub(crate) fn change_figures(score: &Difference, flips: &Flips) -> String {
    let ends = interval(score.low, score.high, |value| signed(value).trim().to_owned());
    let change = format!("{} {ends}", signed(score.difference).trim());
    format!("{}; {} fixed, {} broken", change.trim_end(), flips.fixed, flips.broken)
}

impl SharedTrials {
    /// How much is compared.
    pub(crate) fn words(&self) -> String {
        let cases = counted(self.cases, "shared case");
        match (self.trials_a, self.trials_b) {
            (a, b) if a == b => format!("{} of {cases}", counted(a, "trial")),
            (a, b) => format!("{} of A and {b} of B, of {cases}", counted(a, "trial")),
        }
    }
}

impl SideFacts {
    /// Whom the run is of: its subject, and the variant if there is one.
    pub fn named(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{} ({variant})", self.subject.name),
            None => self.subject.name.clone(),
        }
    }
}

/// A run in a line: suite, subject, variant, label.
pub(crate) fn described(side: &SideFacts) -> String {
    let mut words = vec![side.suite.title()];
    words.push(side.subject.name.clone());
    words.extend(side.variant.clone());
    words.push(counted(side.trials, "trial"));
    words.push(side.label.clone());
    words.retain(|word| !word.is_empty());
    words.join(" · ")
}

/// An interval, if there is one, each end shown in this way.
pub(crate) fn interval(
    low: Option<f64>,
    high: Option<f64>,
    shown: impl Fn(f64) -> String,
) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("[{}, {}]", shown(low), shown(high)),
        _ => String::new(),
    }
}

/// A difference with its sign, and without a sign that rounding left behind.
pub(crate) fn signed(value: f64) -> String {
    signed_to(3, value)
}

/// A difference with its sign, to so many digits.
pub(crate) fn signed_to(digits: usize, value: f64) -> String {
    let rounded = format!("{:.digits$}", value.abs());
    match (value < 0.0, rounded.trim_matches(['0', '.']).is_empty()) {
        (_, true) => format!(" {rounded}"),
        (true, false) => format!("−{rounded}"),
        (false, false) => format!("+{rounded}"),
    }
}

/// A number from −1 to 1, such as a correlation, with a sign only below zero.
pub(crate) fn correlation(value: f64) -> String {
    signed_to(2, value).trim_start_matches(['+', ' ']).to_owned()
}

/// A p-value with its letter.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {}", bare_p(p)) }
}

/// A p-value without its letter.
pub(crate) fn bare_p(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<0.0001".to_owned(),
        p if p < 0.1 => format!("{p:.4}"),
        p => format!("{p:.2}"),
    }
}

/// An amount with its unit.
pub(crate) fn shown_amount(unit: AmountUnit, value: f64) -> String {
    match unit {
        AmountUnit::Seconds => seconds(value),
        AmountUnit::Tokens => format!("{value:.1}"),
        AmountUnit::Money => format!("{value:.6}"),
    }
}

/// A change of an amount, with its sign unless it rounds to nothing.
pub(crate) fn signed_amount(unit: AmountUnit, value: f64) -> String {
    let size = shown_amount(unit, value.abs());
    match (value < 0.0, size.contains(|c: char| ('1'..='9').contains(&c))) {
        (_, false) => size,
        (true, true) => format!("−{size}"),
        (false, true) => format!("+{size}"),
    }
}

/// Whether B takes less or more, where that is shown.
pub(crate) fn amount_word(amount: &AmountChange) -> &'static str {
    let less = amount.b.median < amount.a.median
        || (amount.b.median <= amount.a.median && amount.difference < 0.0);
    match (amount.is_shown(), less) {
        (false, _) => "",
        (true, true) => "less",
        (true, false) => "more",
    }
}
