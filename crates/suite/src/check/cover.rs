//! Whether one way to answer accepts everything that another does.
//!
//! The answer errs on the side of no: a way is only said to be covered where that is certain.

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{
    ArgumentRules, CallOrder, Expectation, ExpectedCall, ExtraArguments, ListRule, Pattern,
    ResponseKind, TextRule,
};

use super::arguments::text_test;

/// The calls and the response of one way to answer.
#[derive(Clone, Copy)]
pub(super) struct AnswerCover<'a> {
    pub(super) calls: &'a [ExpectedCall],
    pub(super) response: Option<ResponseKind>,
}

/// Whether `wide` accepts every answer that `narrow` accepts.
pub(super) fn covers(
    wide: AnswerCover<'_>,
    narrow: AnswerCover<'_>,
    expectation: &Expectation,
) -> bool {
    let kinds_fit = wide.response.is_none() || wide.response == narrow.response;
    if !kinds_fit || wide.calls.len() != narrow.calls.len() {
        return false;
    }
    let rules = &expectation.rules;
    if expectation.order == CallOrder::Any {
        let mut taken = vec![false; narrow.calls.len()];
        pair_up(wide.calls, narrow.calls, &mut taken, rules)
    } else {
        let mut pairs = wide.calls.iter().zip(narrow.calls);
        pairs.all(|(wide, narrow)| call_covers(wide, narrow, rules))
    }
}

/// Whether each wide call has a narrow one of its own to cover. Lists are short, so trying is
/// cheap; a long one is given up on.
fn pair_up(
    wide: &[ExpectedCall],
    narrow: &[ExpectedCall],
    taken: &mut [bool],
    rules: &ArgumentRules,
) -> bool {
    let Some((first, rest)) = wide.split_first() else { return true };
    if narrow.len() > 8 {
        return wide == narrow;
    }
    for index in 0..narrow.len() {
        if !taken[index] && call_covers(first, &narrow[index], rules) {
            taken[index] = true;
            if pair_up(rest, narrow, taken, rules) {
                return true;
            }
            taken[index] = false;
        }
    }
    false
}

fn call_covers(wide: &ExpectedCall, narrow: &ExpectedCall, rules: &ArgumentRules) -> bool {
    wide.name == narrow.name && object_covers(&wide.arguments, &narrow.arguments, rules)
}

fn object_covers(
    wide: &IndexMap<String, Pattern>,
    narrow: &IndexMap<String, Pattern>,
    rules: &ArgumentRules,
) -> bool {
    let strict = rules.extra == ExtraArguments::Lost;
    let all_met = wide.iter().all(|(key, pattern)| match narrow.get(key) {
        Some(narrow) => pattern_covers(pattern, narrow, rules),
        // The narrow one takes the argument as extra, whatever its value, or not at all.
        None => strict && matches!(pattern, Pattern::Optional(_) | Pattern::Forbidden),
    });
    let none_extra = !strict
        || narrow
            .iter()
            .all(|(key, pattern)| wide.contains_key(key) || *pattern == Pattern::Forbidden);
    all_met && none_extra
}

fn pattern_covers(wide: &Pattern, narrow: &Pattern, rules: &ArgumentRules) -> bool {
    if wide == narrow {
        return true;
    }
    match (wide, narrow) {
        (_, Pattern::AnyOf(branches)) => {
            branches.iter().all(|branch| pattern_covers(wide, branch, rules))
        }
        (Pattern::AnyOf(branches), _) => {
            branches.iter().any(|branch| pattern_covers(branch, narrow, rules))
        }
        (Pattern::Optional(_), Pattern::Forbidden) => true,
        (Pattern::Optional(wide), Pattern::Optional(narrow)) => pattern_covers(wide, narrow, rules),
        (_, Pattern::Optional(_) | Pattern::Forbidden) => false,
        (Pattern::Optional(wide), _) => pattern_covers(wide, narrow, rules),
        (Pattern::Anything, _) => true,
        (Pattern::Object(wide), Pattern::Object(narrow)) => object_covers(wide, narrow, rules),
        _ => match (items(wide, rules), items(narrow, rules)) {
            (Some((wide, rule)), Some((narrow, narrow_rule))) => {
                // A list of one item is the same in any order.
                (rule == narrow_rule || rule == ListRule::Set && wide.len() < 2)
                    && wide.len() == narrow.len()
                    && wide.iter().zip(narrow).all(|(w, n)| pattern_covers(w, n, rules))
            }
            _ => value_covers(wide, narrow, rules),
        },
    }
}

fn items<'p>(pattern: &'p Pattern, rules: &ArgumentRules) -> Option<(&'p [Pattern], ListRule)> {
    match pattern {
        Pattern::List(items) => Some((items, rules.lists)),
        Pattern::Items { items, rule } => Some((items, *rule)),
        _ => None,
    }
}

/// Whether a pattern for one value covers another: certain only for a single narrow value.
fn value_covers(wide: &Pattern, narrow: &Pattern, rules: &ArgumentRules) -> bool {
    let narrow_text = text(narrow, rules);
    match wide {
        Pattern::Regex { regex, not } => match narrow_text {
            Some((text, TextRule::Exact)) => {
                text_test(regex, not.as_deref()).is_some_and(|fits| fits(text))
            }
            _ => false,
        },
        Pattern::Number { .. } | Pattern::Scalar(Value::Number(_)) => {
            match (span(wide, rules), span(narrow, rules)) {
                (Some((low, high)), Some((from, to))) => low <= from && to <= high,
                _ => false,
            }
        }
        _ => match (text(wide, rules), narrow_text) {
            (Some((wide, TextRule::Loose)), Some((narrow, _))) => loose(wide) == loose(narrow),
            (Some((wide, TextRule::Exact)), Some((narrow, TextRule::Exact))) => wide == narrow,
            _ => false,
        },
    }
}

fn text<'p>(pattern: &'p Pattern, rules: &ArgumentRules) -> Option<(&'p str, TextRule)> {
    match pattern {
        Pattern::Text(text) => Some((text, TextRule::Loose)),
        Pattern::Scalar(Value::String(text)) => Some((text, rules.text)),
        Pattern::Exact(Value::String(text)) => Some((text, TextRule::Exact)),
        _ => None,
    }
}

/// The lowest and the highest number a pattern accepts.
fn span(pattern: &Pattern, rules: &ArgumentRules) -> Option<(f64, f64)> {
    let (number, tolerance) = match pattern {
        Pattern::Number { number, tolerance } => (number.as_f64()?, *tolerance),
        Pattern::Scalar(value) => (value.as_f64()?, rules.tolerance),
        Pattern::Exact(value) => (value.as_f64()?, 0.0),
        _ => return None,
    };
    Some((number - tolerance, number + tolerance))
}

fn loose(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
