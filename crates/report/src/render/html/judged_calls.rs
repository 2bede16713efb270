//! Which calls stand side by side, and how a scorer judged each of their arguments.
//!
//! The scorer decided; its pairing and its losses are read here. A log may lack them: older ones
//! do not hold the pairing, and a scorer of end states pairs no calls. Then calls that are alike are
//! put together, and nothing is said of an argument that neither a loss nor the score as a whole
//! settles.

use serde_json::Value;
use toolgauge_core::{
    AcceptedWay, Arguments, Cause, Expectation, ExpectedCall, Loss, PathStep, Pattern, Quality,
    Score, ToolCall, Trial,
};

/// How many calls of each side are put together where the log does not say how they belong.
const MOST_PUT_TOGETHER: usize = 100;

/// How an argument compares with what was expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The expected value itself.
    Same,
    /// Another value, or none, and the scorer accepted it.
    Accepted,
    /// Another value, and it cost something.
    Differs,
    /// Not given, and it cost something.
    Missing,
    /// Given, and it cost something.
    Extra,
    /// Given, and nobody minds.
    Unasked,
    /// Not compared by the scorer, as far as the log says.
    NotJudged,
}

/// An expected call beside the call it was held against, each with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CallPair<'t> {
    pub(super) expected: Option<(usize, &'t ExpectedCall)>,
    pub(super) made: Option<(usize, &'t ToolCall)>,
}

impl CallPair<'_> {
    /// The tools: the expected one, and the one that was called.
    pub(super) fn tools(&self) -> [Option<&str>; 2] {
        let expected = self.expected.map(|(_, call)| call.name.as_str());
        [expected, self.made.map(|(_, call)| call.name.as_str())]
    }

    /// Whether the two can be compared argument by argument.
    fn is_comparable(&self) -> bool {
        let [expected, called] = self.tools();
        let readable =
            self.made.is_some_and(|(_, made)| matches!(made.arguments, Arguments::Object(_)));
        readable && (expected.is_none() || expected == called)
    }
}

/// The calls of a trial as one scorer judged them.
pub struct JudgedCalls<'t> {
    /// The scorer: the first that says which call it held against which, else the run's own.
    pub scorer: Option<&'t str>,
    /// The accepted way that the calls were held against.
    pub way: Option<AcceptedWay>,
    /// Whether the scorer found the trial right.
    pub right: bool,
    expected: Option<&'t [ExpectedCall]>,
    made: Vec<&'t ToolCall>,
    losses: &'t [Loss],
    pairing: &'t [Option<usize>],
}

impl<'t> JudgedCalls<'t> {
    /// The calls of a trial.
    pub fn of(trial: &'t Trial) -> Self {
        let expectation = &trial.case.expectation;
        let made: Vec<&ToolCall> = trial.transcript.calls().collect();
        let mut scores = trial.outcomes.iter().filter_map(|(name, it)| Some((name, it.score()?)));
        let chosen = scores.find(|(_, score)| !score.pairing.is_empty()).or_else(|| {
            let (name, outcome) = trial.outcomes.first()?;
            Some((name, outcome.score()?))
        });
        let score = chosen.map(|(_, score)| score);
        let way = score.and_then(|score| way(expectation, &made, score));
        let other = match way {
            Some(AcceptedWay::Alternative(place)) => expectation.alternatives.get(place),
            Some(AcceptedWay::AsWritten) | None => None,
        };
        Self {
            scorer: chosen.map(|(name, _)| name.as_str()),
            way,
            right: score.is_some_and(|score| score.value >= 1.0),
            expected: other.map(|other| &other.calls[..]).or(expectation.calls.as_deref()),
            made,
            losses: score.map(|score| &score.losses[..]).unwrap_or_default(),
            pairing: score.map(|score| &score.pairing[..]).unwrap_or_default(),
        }
    }

    /// Whether the case says which calls to make, if only that there be none.
    pub fn are_expected(&self) -> bool {
        self.expected.is_some()
    }

    /// Whether the log says which call was held against which.
    pub(super) fn is_recorded(&self) -> bool {
        !self.pairing.is_empty()
    }

    /// Every expected call with the call it was held against, then the calls that stand for none.
    pub(super) fn pairs(&self) -> Vec<CallPair<'t>> {
        let expected = self.expected.unwrap_or_default();
        let pairing = if self.is_recorded() {
            // A log may name calls that are not there.
            let at = |place: usize| self.pairing.get(place).copied().flatten();
            (0..expected.len()).map(|place| at(place).filter(|at| *at < self.made.len())).collect()
        } else {
            by_likeness(expected, &self.made)
        };
        let mut free = vec![true; self.made.len()];
        for at in pairing.iter().flatten() {
            free[*at] = false;
        }
        let made = |at: usize| Some((at, self.made[at]));
        let held = expected.iter().enumerate().zip(pairing);
        let held = held
            .map(|(expected, at)| CallPair { expected: Some(expected), made: at.and_then(made) });
        let left = free.iter().enumerate().filter(|(_, free)| **free);
        held.chain(left.map(|(at, _)| CallPair { expected: None, made: made(at) })).collect()
    }

    /// How an argument of a pair was judged.
    pub(super) fn fit(
        &self,
        pair: &CallPair<'_>,
        key: &str,
        wanted: Option<&Pattern>,
        given: Option<&Value>,
    ) -> Fit {
        let accepted =
            if self.is_recorded() || self.right { Fit::Accepted } else { Fit::NotJudged };
        let same = || matches!((wanted, given), (Some(a), Some(b)) if is_literally(a, b));
        // A loss comes first: it is the scorer's own word, and the rest is concluded from its
        // silence.
        match (self.lost(pair, key, wanted, given), given) {
            (Some(_), None) => Fit::Missing,
            (Some(Cause::ExtraArgument), Some(_)) => Fit::Extra,
            (Some(_), Some(_)) => Fit::Differs,
            (None, Some(_)) if wanted.is_none() => Fit::Unasked,
            (None, _) if pair.made.is_none() && !self.right => Fit::Missing,
            (None, _) if !pair.is_comparable() => Fit::NotJudged,
            (None, Some(_)) if same() => Fit::Same,
            (None, _) => accepted,
        }
    }

    /// Why a point was lost at an argument of this pair, if one was.
    fn lost(
        &self,
        pair: &CallPair<'_>,
        key: &str,
        wanted: Option<&Pattern>,
        given: Option<&Value>,
    ) -> Option<Cause> {
        let at_key = |loss: &&Loss| matches!(loss.path.0.first(), Some(PathStep::Key(first)) if first == key);
        let places = (pair.expected.map(|(at, _)| at), pair.made.map(|(at, _)| at));
        let here = |loss: &&Loss| {
            if self.is_recorded() {
                return (loss.expected_call, loss.made_call) == places;
            }
            // Without places, a loss is about this value if it shows it. One deeper in the value
            // shows only a part of it.
            let shown = loss.path.0.len() > 1 || loss.actual.as_ref() == given;
            let same = matches!((wanted, given), (Some(a), Some(b)) if is_literally(a, b));
            shown && !same && loss.tool.is_some() && pair.tools().contains(&loss.tool.as_deref())
        };
        self.losses.iter().filter(at_key).find(here).map(|loss| loss.cause)
    }
}

/// Puts calls to one tool together, those with most arguments in common first, and then what is
/// left beside what is left.
fn by_likeness(expected: &[ExpectedCall], made: &[&ToolCall]) -> Vec<Option<usize>> {
    let mut found = Vec::new();
    for (place, wanted) in expected.iter().enumerate().take(MOST_PUT_TOGETHER) {
        for (at, call) in made.iter().enumerate().take(MOST_PUT_TOGETHER) {
            if call.name == wanted.name {
                found.push((in_common(wanted, call), place, at));
            }
        }
    }
    // A stable sort: of equals, the first ones come first.
    found.sort_by_key(|(common, ..)| std::cmp::Reverse(*common));
    let mut pairs = vec![None; expected.len()];
    let mut free = vec![true; made.len()];
    for (_, place, at) in found {
        if pairs[place].is_none() && free[at] {
            pairs[place] = Some(at);
            free[at] = false;
        }
    }
    let mut left = free.iter().enumerate().filter(|(_, free)| **free).map(|(at, _)| at);
    for pair in pairs.iter_mut().filter(|pair| pair.is_none()) {
        *pair = left.next();
    }
    pairs
}

fn in_common(wanted: &ExpectedCall, call: &ToolCall) -> usize {
    let Some(given) = call.arguments.as_object() else { return 0 };
    let same = |(key, wanted): &(&String, &Pattern)| {
        given.get(*key).is_some_and(|given| is_literally(wanted, given))
    };
    wanted.arguments.iter().filter(same).count()
}

/// The way the trial was held against, as the scorer says, or else by what is known of it: its
/// quality and its tools.
fn way(expectation: &Expectation, made: &[&ToolCall], score: &Score) -> Option<AcceptedWay> {
    if score.way.is_some() {
        return score.way;
    }
    let quality = score.quality.filter(|_| score.value > 0.0)?;
    if quality == Quality::Optimal {
        return Some(AcceptedWay::AsWritten);
    }
    let tools = |names: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    let called = tools(&mut made.iter().map(|call| call.name.as_str()));
    let place = expectation.alternatives.iter().position(|way| {
        way.quality == quality
            && tools(&mut way.calls.iter().map(|call| call.name.as_str())) == called
    });
    place.map(AcceptedWay::Alternative)
}

/// Whether a pattern is written as this very value. A rule never is: what it takes is accepted.
fn is_literally(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Scalar(wanted), _) => equal(wanted, value),
        (Pattern::Object(wanted), Value::Object(given)) => {
            let same = |(key, wanted): (&String, &Pattern)| {
                given.get(key).is_some_and(|given| is_literally(wanted, given))
            };
            wanted.len() == given.len() && wanted.iter().all(same)
        }
        (Pattern::List(wanted), Value::Array(given)) => {
            let mut both = wanted.iter().zip(given);
            wanted.len() == given.len() && both.all(|(wanted, given)| is_literally(wanted, given))
        }
        _ => false,
    }
}

/// Whether two scalars are equal; 1 and 1.0 are one number.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() != b.is_f64() => {
            let whole = if a.is_f64() { b } else { a };
            let whole = whole.as_i64().map(i128::from).or(whole.as_u64().map(i128::from));
            let (Some(float), Some(whole)) = (if a.is_f64() { a } else { b }.as_f64(), whole)
            else {
                return false;
            };
            // Whole numbers that floats cannot tell apart are not the same.
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^64 if equal")]
            let cut = float as i128;
            float.fract() == 0.0 && cut == whole
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests;
