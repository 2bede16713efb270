//! A whole request: split into parts that each ask for one thing, and answered part by part.

use std::ops::Range;

use serde_json::{Map, Value};

use super::index::ToolIndex;
use super::names::Names;
use super::part::RequestPart;
use super::ranking::{Ranked, best_tool, carried_tool};
use super::schema::ParameterKind;
use super::words::is_open_end;

/// What to do about a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Decision {
    /// Call these tools, in this order.
    Call(Vec<(usize, Map<String, Value>)>),
    /// Ask back: the request is cut short, or only states something.
    AskBack,
    /// Greet back.
    Greet,
    /// Say that no tool is for this.
    Decline,
}

/// A call decided upon, with what is needed to complete it from its neighbours.
struct PlannedCall {
    tool: usize,
    arguments: Map<String, Value>,
    span: Range<usize>,
    carried: bool,
}

/// Decides what to do about a request.
pub(super) fn decide(index: &ToolIndex, names: &Names, request: &str) -> Decision {
    let whole = RequestPart::new(request, names);
    // Before any tool is tried, since every word of a greeting may stand in some description.
    if is_greeting(&whole) {
        return Decision::Greet;
    }
    if let Some(inquiry) = &index.inquiry {
        let planned = inquiry.plan(request);
        return if planned.is_empty() { Decision::Decline } else { Decision::Call(planned) };
    }
    let cut_short = !whole.asks && whole.words.last().is_some_and(|word| is_open_end(&word.text));
    if cut_short || whole.states() {
        return Decision::AskBack;
    }
    let mut planned = plan(index, names, &whole);
    if planned.is_empty() {
        return Decision::Decline;
    }
    complete(index, &mut planned);
    Decision::Call(planned.into_iter().map(|plan| (plan.tool, plan.arguments)).collect())
}

fn plan(index: &ToolIndex, names: &Names, request: &RequestPart<'_>) -> Vec<PlannedCall> {
    let pieces = pieces(request);
    let split =
        if pieces.len() > 1 { Some(plan_pieces(index, names, request, &pieces)) } else { None };
    match split {
        Some(planned) if !planned.is_empty() => planned,
        _ => {
            let ranked = best_tool(index, request, names);
            ranked.map(|it| planned(it, 0..request.text.len(), false)).into_iter().collect()
        }
    }
}

/// Takes the request piece by piece. A piece that stands alone becomes a call; one that names
/// something but has no verb repeats the call before it; any other is joined to its neighbour.
fn plan_pieces(
    index: &ToolIndex,
    names: &Names,
    request: &RequestPart<'_>,
    pieces: &[Range<usize>],
) -> Vec<PlannedCall> {
    let mut done: Vec<PlannedCall> = Vec::new();
    let mut waiting = None;
    for piece in pieces {
        let span = waiting.take().unwrap_or(piece.start)..piece.end;
        let part = request.within(span.clone(), names);
        let own = best_tool(index, &part, names).filter(|own| own.named);
        if let Some(own) = own {
            done.push(planned(own, span, false));
            continue;
        }
        let Some(previous) = done.last() else {
            waiting = Some(span.start);
            continue;
        };
        let part = RequestPart { follows: true, ..part };
        let carried = carried_tool(index, &part, names, previous.tool);
        let names_something = part.mentions.iter().any(|mention| mention.whole);
        if names_something && !carried.filled.arguments.is_empty() {
            done.push(planned(carried, span, true));
        } else if let Some(joined) = plan_one(index, names, request, previous.span.start..span.end)
        {
            done.pop();
            done.push(joined);
        }
    }
    done
}

fn plan_one(
    index: &ToolIndex,
    names: &Names,
    request: &RequestPart<'_>,
    span: Range<usize>,
) -> Option<PlannedCall> {
    let part = request.within(span.clone(), names);
    let ranked = best_tool(index, &part, names)?;
    Some(planned(ranked, span, false))
}

fn planned(ranked: Ranked, span: Range<usize>, carried: bool) -> PlannedCall {
    PlannedCall { tool: ranked.tool, arguments: ranked.filled.arguments, span, carried }
}

/// A call that shares its verb with the next one also shares what it lacks: the list in `add
/// milk and eggs to the list`, the kind in `the kitchen and bedroom lights`.
fn complete(index: &ToolIndex, planned: &mut [PlannedCall]) {
    // From the last to the first, so that what the last one has reaches all before it.
    for at in (1..planned.len()).rev() {
        if !planned[at].carried || planned[at].tool != planned[at - 1].tool {
            continue;
        }
        let tool = &index.tools[planned[at].tool];
        for parameter in &tool.parameters {
            let shared = parameter.required || matches!(parameter.kind, ParameterKind::List(_));
            if !shared || planned[at - 1].arguments.contains_key(&parameter.name) {
                continue;
            }
            if let Some(value) = planned[at].arguments.get(&parameter.name).cloned() {
                planned[at - 1].arguments.insert(parameter.name.clone(), value);
            }
        }
    }
}

/// Where a request could be split: at commas, semicolons, ends of sentences, `and`, `then`.
fn pieces(request: &RequestPart<'_>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut quoted = false;
    let mut before = 0;
    for word in &request.words {
        let gap = &request.text[before..word.start];
        quoted ^= gap.matches(['"', '“', '”']).count() % 2 == 1;
        before = word.end;
        let joins = matches!(word.text.as_str(), "and" | "then" | "also") && !quoted;
        let breaks = gap.contains([',', ';', '.', '!']) && !quoted;
        if joins || breaks {
            pieces.extend(open.take());
        }
        if !joins {
            let start = open.map_or(word.start, |piece| piece.start);
            open = Some(start..word.end);
        }
    }
    pieces.extend(open);
    pieces
}

fn is_greeting(part: &RequestPart<'_>) -> bool {
    let text: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
    matches!(
        text.as_slice(),
        ["hello" | "hi" | "hey" | "thanks" | "bye" | "goodbye", ..] | ["thank", "you", ..]
    ) && part.words.len() <= 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::Tool;

    use super::*;

    fn texts(request: &str) -> Vec<&str> {
        let names = Names::default();
        let pieces = pieces(&RequestPart::new(request, &names));
        pieces.into_iter().map(|piece| &request[piece]).collect()
    }

    #[test]
    fn requests_are_split_at_conjunctions() {
        assert_eq!(
            texts("close the shade, dim the lamp and then lock up"),
            ["close the shade", "dim the lamp", "lock up"]
        );
        assert_eq!(texts("set it to 1,000.5"), ["set it to 1,000.5"]);
    }

    #[test]
    fn nothing_is_split_inside_quotes() {
        assert_eq!(texts("say \"eat, then sleep\" and go"), ["say \"eat, then sleep", "go"]);
    }

    fn tools() -> ToolIndex {
        let tool = |name: &str, description: &str, properties: Value, required: Value| Tool {
            name: name.into(),
            description: description.into(),
            parameters: json!({"type": "object", "properties": properties, "required": required}),
        };
        let target = json!({
            "name": {"type": "string"}, "area": {"type": "string"},
            "domain": {"type": "array", "items": {"type": "string"}},
        });
        ToolIndex::new(&[
            tool("TurnOn", "Turns on a device", target.clone(), json!([])),
            tool("TurnOff", "Turns off a device", target, json!([])),
            tool(
                "AddItem",
                "Adds an item to a todo list",
                json!({"item": {"type": "string"}, "name": {"type": "string"}}),
                json!(["item", "name"]),
            ),
            tool(
                "StartTimer",
                "Starts a timer",
                json!({"hours": {"type": "integer"}, "minutes": {"type": "integer"}}),
                json!([]),
            ),
        ])
    }

    fn names() -> Names {
        Names::new(
            "- names: Ceiling fan\n  domain: fan\n  areas: Bedroom\n- names: Lamp\n  domain: \
             light\n  areas: Kitchen\n- names: Shopping list\n  domain: todo\n",
        )
    }

    fn calls(request: &str) -> Vec<(String, Value)> {
        let index = tools();
        match decide(&index, &names(), request) {
            Decision::Call(calls) => calls
                .into_iter()
                .map(|(tool, arguments)| (index.tools[tool].name.clone(), Value::Object(arguments)))
                .collect(),
            other => panic!("{request}: {other:?}"),
        }
    }

    #[test]
    fn each_part_becomes_a_call() {
        assert_eq!(
            calls("turn on the ceiling fan and turn off the lamp"),
            [
                ("TurnOn".into(), json!({"name": "Ceiling fan", "domain": ["fan"]})),
                ("TurnOff".into(), json!({"name": "Lamp", "domain": ["light"]})),
            ]
        );
    }

    #[test]
    fn a_part_without_a_verb_repeats_the_call_before_it() {
        assert_eq!(
            calls("turn on the lamp and the ceiling fan"),
            [
                ("TurnOn".into(), json!({"name": "Lamp", "domain": ["light"]})),
                ("TurnOn".into(), json!({"name": "Ceiling fan", "domain": ["fan"]})),
            ]
        );
    }

    #[test]
    fn calls_that_share_a_verb_share_what_they_lack() {
        assert_eq!(
            calls("add milk and eggs to the shopping list"),
            [
                ("AddItem".into(), json!({"item": "milk", "name": "Shopping list"})),
                ("AddItem".into(), json!({"item": "eggs", "name": "Shopping list"})),
            ]
        );
    }

    #[test]
    fn an_and_inside_a_number_does_not_split() {
        assert_eq!(
            calls("start a timer for one hour and twenty minutes"),
            [("StartTimer".into(), json!({"hours": 1, "minutes": 20}))]
        );
    }

    #[test]
    fn what_no_tool_is_for_is_declined() {
        let (index, names) = (tools(), names());
        let decided = |request: &str| decide(&index, &names, request);
        assert_eq!(decided("what's the capital of France"), Decision::Decline);
        assert_eq!(decided(""), Decision::Decline);
        assert_eq!(decided("turn on the"), Decision::AskBack);
        assert_eq!(decided("hello there"), Decision::Greet);
    }
}
