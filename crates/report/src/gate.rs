//! Gates: conditions a run must meet, so that a build can fail when it does not.
//!
//! A gate is written as `score>=0.8`, `arguments[tier=small]>=0.9`, `p95<=2s`, `no-regression`,
//! `no-regression of arguments within 0.02`, `broken<=0` or `errors<=0`. Scores are judged on the
//! interval, not on the point: a lucky run of a small suite does not pass. Whatever a gate looks
//! at, a case that gets better never makes it fail, and one that gets worse never makes it pass.
//! Neither does a trial that fails: a gate passes only if it would whatever that trial had brought.

mod failed;
mod judge;
mod regression;
mod result;
mod unit;

use std::fmt;
use std::str::FromStr;

pub use judge::judge;
pub use result::{GateMatter, GateResult};

/// A condition that a run must meet.
#[derive(Clone, Debug, PartialEq)]
pub struct GateCondition {
    text: String,
    pub(crate) rule: Rule,
}

/// What is demanded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rule {
    /// The figure keeps to this side of a number.
    Bound { subject: GateSubject, side: Bound, threshold: f64, by: JudgedBy },
    /// The figure is not worse than in the other run: by nothing that can be shown, or surely
    /// not by the margin.
    NoRegression { subject: GateSubject, within: Option<f64> },
}

/// What of a figure is held against a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JudgedBy {
    /// The end of its interval that lies nearer to the number.
    Interval,
    /// The figure itself.
    Point,
}

/// Which side of a number is demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    AtLeast,
    AtMost,
}

/// What a gate looks at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GateSubject {
    pub(crate) figure: GateFigure,
    /// A tag and its value, if only those cases count.
    pub(crate) slice: Option<(String, String)>,
}

/// A figure of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GateFigure {
    Score,
    /// The share of trials that pass by the run's own rule.
    Pass,
    /// The share of trials that lost no point.
    Right,
    /// A dimension, a further scorer, or a measure, by name.
    Named(String),
    /// A percentile of the latency, as a share.
    Percentile(f64),
    Latency,
    Tokens,
    Cost,
    Unscored,
    /// Trials that failed for want of an answer, or with an empty one or an error for it, counted.
    Errors,
    /// Cases that always passed in the other run and mostly fail in this one, counted.
    Broken,
}

/// Why a gate cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GateError {
    /// It is not written as gates are.
    #[error("the gate `{gate}` cannot be read: {why}")]
    Unreadable {
        /// The gate as it was written.
        gate: String,
        /// What is wrong with it.
        why: String,
    },
    /// A score is asked for that no run can have.
    #[error("`--fail-under {text}` asks for a score of {percent}, and scores are between 0 and 1")]
    NotAShare {
        /// What was written.
        text: String,
        /// The score in it.
        percent: f64,
    },
    /// The run has no such figure.
    #[error("the gate `{gate}` asks for `{name}`, which the run does not have")]
    NoSuchFigure {
        /// The gate as it was written.
        gate: String,
        /// What it asks for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Worse has no meaning for the figure.
    #[error(
        "the gate `{gate}` asks whether `{name}` got worse, and more of it is neither better nor worse"
    )]
    NoDirection {
        /// The gate as it was written.
        gate: String,
        /// What it asks for.
        name: String,
    },
    /// The run has no such slice.
    #[error("the gate `{gate}` asks for cases with `{slice}`, of which the run has none")]
    NoSuchSlice {
        /// The gate as it was written.
        gate: String,
        /// What it asks for.
        slice: String,
        /// What there is.
        known: Vec<String>,
    },
    /// What it asks for is nearly the name of a figure, and known before a run to be none.
    #[error("the gate `{gate}` asks for `{name}`, which is no figure")]
    Misspelled {
        /// The gate as it was written.
        gate: String,
        /// What it asks for.
        name: String,
        /// The figure that was probably meant.
        near: &'static str,
    },
    /// There is nothing to regress from.
    #[error("the gate `{gate}` needs a run to compare with")]
    NothingToCompareWith {
        /// The gate as it was written.
        gate: String,
    },
}

impl GateError {
    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { .. } => "gates look like `score>=0.8`, `arguments>=0.9`, \
                                        `score[tier=small]>=0.7`, `p95<=2s`, `cost<=0.5`, \
                                        `broken<=0`, `errors<=0`, `no-regression`, \
                                        `no-regression within 0.02` or \
                                        `no-regression of arguments within 0.02`"
                .to_owned(),
            Self::NoSuchSlice { known, .. } if known.is_empty() => {
                "its cases have no tags".to_owned()
            }
            Self::NoSuchFigure { known, .. } | Self::NoSuchSlice { known, .. } => {
                format!("there are: {}", known.join(", "))
            }
            Self::NotAShare { percent, .. } if (1.0..=100.0).contains(percent) => {
                format!("for {percent} % write `{:.2}`", percent / 100.0)
            }
            Self::NotAShare { .. } => "write it like `0.8`".to_owned(),
            Self::NoDirection { name, .. } => {
                format!("bound it instead, such as `{name}<=0.1`")
            }
            Self::Misspelled { near, .. } => format!("did you mean `{near}`?"),
            Self::NothingToCompareWith { .. } => {
                "run the suite once without this gate and pin that run with \
                 `toolgauge baseline set last`, or name a log with `--against LOG`"
                    .to_owned()
            }
        }
    }
}

impl fmt::Display for GateCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl GateCondition {
    /// The gate behind `--fail-under`, written as `0.8` or, for the cases with one value of the
    /// tag, as `financials=0.7`. As in tools that measure coverage, the score itself counts.
    pub fn fail_under(text: &str, tag: &str) -> Result<Self, GateError> {
        let gate = match text.rsplit_once('=') {
            Some((value, least)) => format!("score[{tag}={}]>={}", value.trim(), least.trim()),
            None => format!("score>={}", text.trim()),
        };
        let least = text.rsplit_once('=').map_or(text, |(_, least)| least).trim();
        if let Ok(percent) = least.parse::<f64>()
            && !(0.0..=1.0).contains(&percent)
        {
            return Err(GateError::NotAShare { text: text.trim().to_owned(), percent });
        }
        let mut gate: Self = gate.parse()?;
        if let Rule::Bound { by, .. } = &mut gate.rule {
            *by = JudgedBy::Point;
        }
        gate.text = format!("fail-under {}", text.trim());
        Ok(gate)
    }

    /// The figure and the threshold of a gate that demands at least so much of a share of trials,
    /// all cases counted: `score`, `pass`, `right`, or the name of a dimension. Such a gate can be judged
    /// trial by trial.
    pub fn least_share(&self) -> Option<(&str, f64)> {
        match &self.rule {
            Rule::Bound { subject, side: Bound::AtLeast, threshold, .. }
                if subject.slice.is_none() =>
            {
                let figure = match &subject.figure {
                    GateFigure::Score => "score",
                    GateFigure::Pass => "pass",
                    GateFigure::Right => "right",
                    GateFigure::Named(name) => name,
                    _ => return None,
                };
                Some((figure, *threshold))
            }
            _ => None,
        }
    }

    /// Refuses a figure that is nearly one that every run has, so that a slip of the keyboard is
    /// known before the run. Other names may be figures of a scorer, which only its trials show.
    /// `scorers` are names that mean a scorer.
    pub fn check_spelling(&self, scorers: &[&str]) -> Result<(), GateError> {
        let (Rule::Bound { subject, .. } | Rule::NoRegression { subject, .. }) = &self.rule;
        let GateFigure::Named(name) = &subject.figure else { return Ok(()) };
        if scorers.contains(&name.as_str()) {
            return Ok(());
        }
        match misspelled(name) {
            Some(near) => {
                Err(GateError::Misspelled { gate: self.to_string(), name: name.clone(), near })
            }
            None => Ok(()),
        }
    }

    /// Whether it compares with another run.
    pub fn needs_another_run(&self) -> bool {
        match &self.rule {
            Rule::Bound { subject, .. } => subject.figure == GateFigure::Broken,
            Rule::NoRegression { .. } => true,
        }
    }
}

impl FromStr for GateCondition {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let text = text.trim();
        let rule = match text.strip_prefix("no-regression") {
            Some(rest) => no_regression(rest),
            None => bound(text),
        };
        let unreadable = |why| GateError::Unreadable { gate: text.to_owned(), why };
        Ok(Self { text: text.to_owned(), rule: rule.map_err(unreadable)? })
    }
}

/// The figure of every run that a name misses by a letter or two.
fn misspelled(name: &str) -> Option<&'static str> {
    let figures =
        ["score", "right", "latency", "tokens", "cost", "unscored", "errors", "broken", "pass"];
    let distance = |figure: &str| strsim::damerau_levenshtein(&name.to_lowercase(), figure);
    let near = figures.into_iter().min_by_key(|figure| distance(figure))?;
    // A short word is soon another word: `passed` is a figure of some scorers.
    (distance(near) <= if near.len() > 5 { 2 } else { 1 }).then_some(near)
}

fn no_regression(rest: &str) -> Result<Rule, String> {
    // A tag's value may hold the word too, so that it is looked for behind the slice.
    let from = rest.rfind(']').unwrap_or(0);
    let (of, within) = match rest[from..].find("within") {
        Some(at) => (rest[..from + at].trim(), Some(&rest[from + at + "within".len()..])),
        None => (rest.trim(), None),
    };
    let of = match of.strip_prefix("of ") {
        Some(of) => of.trim().to_owned(),
        // `no-regression[tier=small]` is short for the score of these cases.
        None if of.is_empty() || of.starts_with('[') => format!("score{of}"),
        None => return Err(format!("`{of}` should be `of FIGURE` or `within NUMBER`")),
    };
    let subject = subject(&of)?;
    if matches!(subject.figure, GateFigure::Unscored | GateFigure::Errors | GateFigure::Broken) {
        return Err(format!("`{of}` is a count; write `{of}<=0`"));
    }
    if matches!(subject.figure, GateFigure::Percentile(_)) {
        return Err(format!("`{of}` cannot be compared trial by trial; use `latency`"));
    }
    let within = within.map(|within| number(within, &subject.figure)).transpose()?;
    if within.is_some_and(|within| within <= 0.0) {
        return Err("the margin must be above 0".to_owned());
    }
    Ok(Rule::NoRegression { subject, within })
}

fn bound(text: &str) -> Result<Rule, String> {
    let operators = [(">=", Bound::AtLeast), ("≥", Bound::AtLeast), ("<=", Bound::AtMost)];
    let operators = operators.into_iter().chain([("≤", Bound::AtMost)]);
    // A tag's value may hold anything but a bracket, so that the operator is looked for behind it.
    let from = text.find(']').unwrap_or(0);
    let found = operators
        .filter_map(|(sign, side)| Some((text[from..].find(sign)? + from, sign, side)))
        .min_by_key(|(at, ..)| *at);
    let Some((at, sign, side)) = found else {
        let single = text[from..].contains(['<', '>', '=']);
        return Err(if single {
            "use `>=` or `<=`".to_owned()
        } else {
            "it says neither `>=` nor `<=` nor `no-regression`".to_owned()
        });
    };
    let subject = subject(text[..at].trim())?;
    let threshold = number(&text[at + sign.len()..], &subject.figure)?;
    let is_share = matches!(
        subject.figure,
        GateFigure::Score | GateFigure::Pass | GateFigure::Right | GateFigure::Unscored
    );
    if is_share && !(0.0..=1.0).contains(&threshold) {
        return Err(format!("{threshold} is not between 0 and 1; a percentage is written `80%`"));
    }
    if matches!(subject.figure, GateFigure::Errors | GateFigure::Broken) {
        if side == Bound::AtLeast {
            return Err("fewer are better; use `<=`".to_owned());
        }
        if threshold < 0.0 || threshold.fract() != 0.0 {
            return Err("a count is a whole number such as `0`".to_owned());
        }
    }
    Ok(Rule::Bound { subject, side, threshold, by: JudgedBy::Interval })
}

fn subject(text: &str) -> Result<GateSubject, String> {
    let (name, slice) = match text.split_once('[') {
        None => (text, None),
        Some((name, slice)) => {
            let slice = slice.strip_suffix(']').ok_or("the `[` is never closed")?;
            let (tag, value) = slice.split_once('=').ok_or("a slice is written `[tag=value]`")?;
            (name.trim(), Some((tag.trim().to_owned(), value.trim().to_owned())))
        }
    };
    let percentile = name.strip_prefix('p').and_then(|share| share.parse::<f64>().ok());
    let figure = match name {
        "" => return Err("it does not say of what".to_owned()),
        "score" => GateFigure::Score,
        "pass" => GateFigure::Pass,
        "right" => GateFigure::Right,
        "latency" => GateFigure::Latency,
        "tokens" => GateFigure::Tokens,
        "cost" => GateFigure::Cost,
        "unscored" => GateFigure::Unscored,
        "errors" => GateFigure::Errors,
        "broken" => GateFigure::Broken,
        _ => match percentile {
            Some(share) if share > 0.0 && share < 100.0 => GateFigure::Percentile(share / 100.0),
            Some(_) => return Err(format!("`{name}` is no percentile; p1 to p99.9 are")),
            None => GateFigure::Named(name.to_owned()),
        },
    };
    if matches!(figure, GateFigure::Unscored | GateFigure::Errors) && slice.is_some() {
        return Err(format!("`{name}` counts over all cases"));
    }
    Ok(GateSubject { figure, slice })
}

/// A number with its unit: seconds where times are meant, per cent where shares are.
fn number(text: &str, figure: &GateFigure) -> Result<f64, String> {
    let text = text.trim();
    let is_time = matches!(figure, GateFigure::Percentile(_) | GateFigure::Latency);
    let is_amount = matches!(
        figure,
        GateFigure::Tokens | GateFigure::Cost | GateFigure::Errors | GateFigure::Broken
    );
    // Divided, since 70 × 0.01 is 0.7000000000000001.
    let (digits, parts) = match text {
        text if text.ends_with("ms") && is_time => (&text[..text.len() - 2], 1000.0),
        text if text.ends_with('s') && is_time => (&text[..text.len() - 1], 1.0),
        text if text.ends_with('%') && !is_time && !is_amount => (&text[..text.len() - 1], 100.0),
        text => (text, 1.0),
    };
    let value = digits.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let value = value.map(|value| value / parts);
    value.ok_or_else(|| {
        let form = match figure {
            _ if is_time => "number such as `2s`, `500ms` or `1.5`",
            GateFigure::Errors | GateFigure::Broken => "count such as `0` or `3`",
            _ if is_amount => "number such as `0.5` or `1200`",
            _ => "number such as `0.8` or `80%`",
        };
        format!("`{text}` is not a {form}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        text.parse::<GateCondition>().unwrap_err().to_string()
    }

    #[test]
    fn numbers_have_units_where_units_make_sense() {
        let threshold = |text: &str| match text.parse::<GateCondition>().unwrap().rule {
            Rule::Bound { threshold, .. } => threshold,
            Rule::NoRegression { within, .. } => within.unwrap(),
        };
        let cases = [
            ("score>=0.8", 0.8),
            ("score >= 80%", 0.8),
            ("p95<=2s", 2.0),
            ("p99.5 <= 500ms", 0.5),
            ("latency<=1.5", 1.5),
            ("cost<=0.25", 0.25),
            ("score[tier=a>=b]≥0.7", 0.7),
            ("no-regression within 2%", 0.02),
            ("no-regression of latency within 100ms", 0.1),
        ];
        for (text, expected) in cases {
            assert!((threshold(text) - expected).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn a_gate_on_a_share_names_its_figure_and_threshold() {
        let share = |text: &str| {
            let gate: GateCondition = text.parse().unwrap();
            gate.least_share().map(|(figure, threshold)| (figure.to_owned(), threshold))
        };
        assert_eq!(share("score>=0.8"), Some(("score".to_owned(), 0.8)));
        assert_eq!(share("arguments >= 50%"), Some(("arguments".to_owned(), 0.5)));
        for other in ["score<=0.8", "p95<=2s", "score[tier=small]>=0.8", "no-regression"] {
            assert_eq!(share(other), None, "{other}");
        }
    }

    #[test]
    fn a_slice_is_read_with_its_tag_and_value() {
        let gate: GateCondition = "arguments[tier = very small]>=0.9".parse().unwrap();
        let Rule::Bound { subject, side, .. } = gate.rule else { panic!("a bound") };
        assert_eq!(subject.figure, GateFigure::Named("arguments".into()));
        assert_eq!(subject.slice, Some(("tier".into(), "very small".into())));
        assert_eq!(side, Bound::AtLeast);
    }

    #[test]
    fn a_slice_may_hold_the_words_of_a_gate() {
        for (text, value, margin) in [
            ("no-regression[topic=within reach]", "within reach", None),
            ("no-regression of arguments[topic=within]within 0.1", "within", Some(0.1)),
        ] {
            let gate: GateCondition = text.parse().unwrap();
            let Rule::NoRegression { subject, within } = gate.rule else { panic!("{text}") };
            assert_eq!(subject.slice, Some(("topic".into(), value.into())));
            assert_eq!(within, margin);
        }
    }

    #[test]
    fn a_figure_that_is_nearly_one_is_refused_before_a_run() {
        let near = |text: &str| {
            let gate: GateCondition = text.parse().unwrap();
            gate.check_spelling(&["tool_calls"]).map_err(|error| error.hint())
        };
        let meant = |word: &str| Err(format!("did you mean `{word}`?"));
        assert_eq!(near("scor>=0.8"), meant("score"));
        assert_eq!(near("Score>=0.8"), meant("score"));
        assert_eq!(near("scroe[tier=small]>=0.8"), meant("score"));
        assert_eq!(near("latencey<=2"), meant("latency"));
        assert_eq!(near("no-regression of token"), meant("tokens"));
        for fine in ["score>=0.8", "tool_calls>=0.8", "passed>=1", "recall>=0.5", "f1>=0.5"] {
            assert_eq!(near(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn a_run_without_tags_is_not_answered_with_an_empty_list() {
        let known = Vec::new();
        let (gate, slice) = ("score[a=b]>=1".to_owned(), "a=b".to_owned());
        let error = GateError::NoSuchSlice { gate, slice, known };
        assert_eq!(error.hint(), "its cases have no tags");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let cases = [
            ("score>0.8", "use `>=` or `<=`"),
            ("score", "it says neither `>=` nor `<=` nor `no-regression`"),
            (">=0.8", "it does not say of what"),
            ("score>=80", "80 is not between 0 and 1; a percentage is written `80%`"),
            ("score>=high", "`high` is not a number such as `0.8` or `80%`"),
            ("p95<=fast", "`fast` is not a number such as `2s`, `500ms` or `1.5`"),
            ("p100<=2s", "`p100` is no percentile; p1 to p99.9 are"),
            ("score[tier>=0.8", "the `[` is never closed"),
            ("score[tier]>=0.8", "a slice is written `[tag=value]`"),
            ("no-regression by 3", "`by 3` should be `of FIGURE` or `within NUMBER`"),
            ("no-regression within 0", "the margin must be above 0"),
            ("broken>=0", "fewer are better; use `<=`"),
            ("errors<=0.5", "a count is a whole number such as `0`"),
            ("broken<=1%", "`1%` is not a count such as `0` or `3`"),
            ("errors<=5%", "`5%` is not a count such as `0` or `3`"),
            ("tokens<=5%", "`5%` is not a number such as `0.5` or `1200`"),
            ("no-regression of errors", "`errors` is a count; write `errors<=0`"),
            ("no-regression of p95", "`p95` cannot be compared trial by trial; use `latency`"),
        ];
        for (text, expected) in cases {
            assert_eq!(why(text), format!("the gate `{text}` cannot be read: {expected}"));
        }
    }
}
