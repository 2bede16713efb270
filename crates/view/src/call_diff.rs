//! Expected calls beside the calls that were made, argument by argument.
//!
//! Whether an argument is right was decided by a scorer; here its losses are put in their places.
//! Where a scorer names no place, plain values are compared as they stand.

use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{Arguments, Cause, ExpectedCall, Loss, PathStep, Pattern, ToolCall};
use toolgauge_report::html::{Cell, Column, Row, Table, Tone, badge, name};

use toolgauge_report::json_text::in_a_line;

/// As many calls as are laid side by side, and as many arguments of each.
const MOST_CALLS: usize = 60;
const MOST_ARGUMENTS: usize = 100;
/// As much of one value as is shown.
const VALUE: usize = 600;

/// How an argument compares with what was expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// As expected, or accepted.
    Same,
    /// Another value.
    Differs,
    /// Not given.
    Missing,
    /// Given, and it cost something.
    Extra,
    /// Given, and nobody minds.
    Unasked,
}

impl Fit {
    fn words(self) -> (Tone, &'static str) {
        match self {
            Self::Same => (Tone::Good, "same"),
            Self::Differs => (Tone::Bad, "differs"),
            Self::Missing => (Tone::Bad, "missing"),
            Self::Extra => (Tone::Bad, "extra"),
            Self::Unasked => (Tone::Plain, "not asked for"),
        }
    }
}

/// Expected calls beside those that were made.
pub(crate) fn call_diff(
    expected: &[ExpectedCall],
    made: &[&ToolCall],
    losses: &[&Loss],
    right: bool,
) -> Markup {
    let pairs = pair(expected, made);
    let judge = Judge { losses, right };
    html! {
        @for (number, (expected, made)) in pairs.iter().take(MOST_CALLS).enumerate() {
            (side_by_side(number + 1, *expected, *made, &judge))
        }
        @if pairs.len() > MOST_CALLS {
            p.left-out { "… and " (pairs.len() - MOST_CALLS) " more calls" }
        }
        @if pairs.is_empty() { p { "No call was expected, and none was made." } }
    }
}

type CallPair<'a> = (Option<&'a ExpectedCall>, Option<&'a ToolCall>);

/// Puts calls together: first those of one tool that have most arguments in common, then what is
/// left, in order.
fn pair<'a>(expected: &'a [ExpectedCall], made: &[&'a ToolCall]) -> Vec<CallPair<'a>> {
    let mut free: Vec<Option<&ToolCall>> =
        made.iter().take(MOST_CALLS * 2).map(|call| Some(*call)).collect();
    let mut pairs: Vec<CallPair<'a>> = Vec::new();
    for wanted in expected.iter().take(MOST_CALLS * 2) {
        let of_tool = free.iter().enumerate().filter_map(|(place, call)| {
            let call = (*call).filter(|call| call.name == wanted.name)?;
            Some((place, alike(wanted, call)))
        });
        // The first of equals is taken, as `max_by_key` would not.
        let best = of_tool.fold(None, |best: Option<(usize, usize)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        pairs.push((Some(wanted), best.and_then(|(place, _)| free[place].take())));
    }
    let mut left = free.into_iter().flatten();
    for pair in pairs.iter_mut().filter(|pair| pair.1.is_none()) {
        pair.1 = left.next();
    }
    pairs.extend(left.map(|call| (None, Some(call))));
    pairs
}

fn alike(wanted: &ExpectedCall, call: &ToolCall) -> usize {
    let Some(given) = call.arguments.as_object() else { return 0 };
    let same = |(key, pattern): &(&String, &Pattern)| {
        given.get(*key).is_some_and(|value| plainly_equal(pattern, value) == Some(true))
    };
    wanted.arguments.iter().filter(same).count()
}

/// Whether a value is plainly what a pattern asks for; `None` where a rule decides.
fn plainly_equal(pattern: &Pattern, value: &Value) -> Option<bool> {
    match pattern {
        Pattern::Scalar(wanted) | Pattern::Exact(wanted) => Some(wanted == value),
        Pattern::Object(_) | Pattern::List(_) => Some(Value::from(pattern.clone()) == *value),
        Pattern::Optional(inner) => plainly_equal(inner, value),
        Pattern::Anything => Some(true),
        Pattern::Forbidden => Some(false),
        _ => None,
    }
}

/// What the scorers say.
struct Judge<'a> {
    losses: &'a [&'a Loss],
    right: bool,
}

impl Judge<'_> {
    /// Whether a point was lost at an argument of these tools.
    fn lost(&self, tools: [Option<&str>; 2], key: &str) -> Option<Cause> {
        let at = |loss: &&&Loss| {
            let tool = loss.tool.as_deref();
            let here = tool.is_none() || tools.contains(&tool);
            here && matches!(loss.path.0.first(), Some(PathStep::Key(first)) if first == key)
        };
        self.losses.iter().find(at).map(|loss| loss.cause)
    }

    fn fit(
        &self,
        tools: [Option<&str>; 2],
        key: &str,
        wanted: Option<&Pattern>,
        given: Option<&Value>,
    ) -> Fit {
        let lost = self.lost(tools, key);
        match (wanted, given) {
            (Some(_), None) if lost.is_some() => Fit::Missing,
            (Some(Pattern::Optional(_) | Pattern::Forbidden), None) => Fit::Same,
            (Some(_), None) => {
                if self.right {
                    Fit::Same
                } else {
                    Fit::Missing
                }
            }
            (None, _) => {
                if lost.is_some() {
                    Fit::Extra
                } else {
                    Fit::Unasked
                }
            }
            (Some(_), Some(_)) if lost.is_some() => Fit::Differs,
            (Some(wanted), Some(given)) => match plainly_equal(wanted, given) {
                Some(false) if !self.right && self.losses.is_empty() => Fit::Differs,
                _ => Fit::Same,
            },
        }
    }
}

fn side_by_side(
    number: usize,
    expected: Option<&ExpectedCall>,
    made: Option<&ToolCall>,
    judge: &Judge<'_>,
) -> Markup {
    let tools = [expected.map(|call| call.name.as_str()), made.map(|call| call.name.as_str())];
    let (tone, words) = match tools {
        [Some(wanted), Some(called)] if wanted == called => (Tone::Good, "same tool"),
        [Some(_), Some(_)] => (Tone::Bad, "another tool"),
        [Some(_), None] => (Tone::Bad, "not called"),
        _ => (Tone::Caution, "not expected"),
    };
    let tool = |tool: &str| html! { code { (name(tool)) } };
    let named = match tools {
        [Some(wanted), Some(called)] if wanted != called => {
            html! { (tool(called)) " instead of " (tool(wanted)) }
        }
        [wanted, called] => html! { @if let Some(one) = wanted.or(called) { (tool(one)) } },
    };
    let table = Table::new(&format!("Call {number}"))
        .of_class("diff")
        .stacked()
        .captioned(html! { b { "Call " (number) } " " (badge(tone, words)) " " (named) })
        .with([
            Column::words("argument").naming_rows(),
            Column::words("expected"),
            Column::words("called"),
            Column::unseen("comparison"),
        ]);
    table.rows(arguments(expected, made, tools, judge))
}

fn arguments(
    expected: Option<&ExpectedCall>,
    made: Option<&ToolCall>,
    tools: [Option<&str>; 2],
    judge: &Judge<'_>,
) -> Vec<Row> {
    let wanted = expected.map(|call| &call.arguments);
    let given = made.and_then(|call| call.arguments.as_object());
    let mut rows = Vec::new();
    if let Some(Arguments::Malformed { raw, .. }) = made.map(|call| &call.arguments) {
        let badge = Cell::of(badge(Tone::Bad, "malformed"));
        let cells = [Cell::of("(unreadable)"), Cell::of(""), Cell::of(name(raw)), badge];
        rows.push(Row::of(cells).of_class("bad"));
    }
    let asked = wanted.into_iter().flatten().map(|(key, pattern)| (key, Some(pattern)));
    let unasked = given.into_iter().flatten().map(|(key, _)| key);
    let unasked = unasked.filter(|key| wanted.is_none_or(|wanted| !wanted.contains_key(*key)));
    let keys = asked.chain(unasked.map(|key| (key, None)));
    for (key, pattern) in keys.take(MOST_ARGUMENTS) {
        let value = given.and_then(|given| given.get(key));
        let fit = match made {
            Some(_) => judge.fit(tools, key, pattern, value),
            None => Fit::Missing,
        };
        rows.push(argument(key, pattern, value, fit));
    }
    let count = wanted.map_or(0, indexmap::IndexMap::len) + given.map_or(0, serde_json::Map::len);
    if rows.is_empty() {
        rows.push(Row::of(["(none)", "", "", ""].map(Cell::of)));
    }
    if count > MOST_ARGUMENTS * 2 {
        let more = html! { span.left-out { "… and more: " (count) " in all" } };
        rows.push(Row::of([Cell::of(more).across(4)]));
    }
    rows
}

fn argument(key: &str, wanted: Option<&Pattern>, given: Option<&Value>, fit: Fit) -> Row {
    let (tone, words) = fit.words();
    let cells = [
        Cell::of(name(key)),
        Cell::maybe(wanted.map(|wanted| html! { code dir="auto" { (in_a_line(wanted, VALUE)) } })),
        Cell::maybe(given.map(|given| html! { code dir="auto" { (in_a_line(given, VALUE)) } })),
        Cell::of(badge(tone, words)),
    ];
    Row::of(cells).of_class(tone.class())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::ArgumentPath;

    use super::*;

    fn expected(tool: &str, arguments: &Value) -> ExpectedCall {
        serde_json::from_value(json!({"name": tool, "arguments": arguments})).unwrap()
    }

    fn call(tool: &str, arguments: Value) -> ToolCall {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        ToolCall::new(tool, arguments)
    }

    #[test]
    fn calls_are_paired_by_tool_and_by_what_they_have_in_common() {
        let wanted = [expected("on", &json!({"name": "a"})), expected("on", &json!({"name": "b"}))];
        let (one, two) = (call("on", json!({"name": "b"})), call("on", json!({"name": "a"})));
        let other = call("off", json!({}));
        let pairs = pair(&wanted, &[&one, &two, &other]);
        assert_eq!(pairs[0].1, Some(&two));
        assert_eq!(pairs[1].1, Some(&one));
        assert_eq!(pairs[2], (None, Some(&other)));
    }

    #[test]
    fn what_is_left_stands_side_by_side() {
        let wanted = [expected("on", &json!({}))];
        let other = call("off", json!({}));
        assert_eq!(pair(&wanted, &[&other]), [(Some(&wanted[0]), Some(&other))]);
    }

    #[test]
    fn a_loss_marks_its_argument_and_no_other() {
        let mut loss = Loss::new(Cause::WrongValue, 0.5).at_tool("on");
        loss.path = ArgumentPath(vec![PathStep::Key("name".into())]);
        let losses = [&loss];
        let judge = Judge { losses: &losses, right: false };
        let tools = [Some("on"), Some("on")];
        let scalar = |value: Value| Pattern::Scalar(value);
        let fit = |key: &str, wanted, given: Value| {
            judge.fit(tools, key, Some(&scalar(wanted)), Some(&given))
        };
        assert_eq!(fit("name", json!("a"), json!("b")), Fit::Differs);
        assert_eq!(fit("area", json!("A"), json!("a")), Fit::Same);
        assert_eq!(judge.fit(tools, "area", Some(&scalar(json!(1))), None), Fit::Missing);
        assert_eq!(judge.fit(tools, "more", None, Some(&json!(1))), Fit::Unasked);
    }
}
