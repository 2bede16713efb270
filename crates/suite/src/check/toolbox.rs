//! The tools offered in a case, ready to hold calls against.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use jsonschema::Validator;
use serde_json::{Map, Value};
use toolgauge_core::Tool;
use toolgauge_core::schema_cost::{self, cost};

use crate::nearest::suggest;

/// The tools offered in a case, by name.
pub(super) struct Toolbox {
    pub(super) tools: IndexMap<String, OfferedTool>,
}

impl Toolbox {
    /// The names of all tools.
    pub(super) fn names(&self) -> Vec<&str> {
        self.tools.keys().map(String::as_str).collect()
    }
}

/// A tool with the schema of its arguments, which is compiled when a call is held against it: cases
/// of other tools offer dozens that nobody is to call.
pub(super) struct OfferedTool {
    /// All tools of the case, and which of them it is.
    among: Arc<[Tool]>,
    place: usize,
    validator: OnceCell<Option<Validator>>,
}

impl OfferedTool {
    /// The schema of its arguments.
    pub(super) fn parameters(&self) -> &Value {
        &self.among[self.place].parameters
    }

    /// The schema, compiled; `None` if it is not a valid one.
    pub(super) fn validator(&self) -> Option<&Validator> {
        self.validator.get_or_init(|| compile(self.parameters()).ok()).as_ref()
    }
}

/// Toolboxes by the list they were made from, so that each is made once.
#[derive(Default)]
pub(super) struct Toolboxes {
    made: Vec<(Arc<[Tool]>, Rc<Toolbox>)>,
}

impl Toolboxes {
    /// The toolbox of a list of tools.
    pub(super) fn of(&mut self, tools: &Arc<[Tool]>) -> Rc<Toolbox> {
        // By address first, which is how nearly all cases share their tools.
        let same = |other: &Arc<[Tool]>| Arc::ptr_eq(other, tools) || other == tools;
        if let Some((_, toolbox)) = self.made.iter().rev().find(|(other, _)| same(other)) {
            return Rc::clone(toolbox);
        }
        let offer = |(place, tool): (usize, &Tool)| {
            let among = Arc::clone(tools);
            (tool.name.clone(), OfferedTool { among, place, validator: OnceCell::new() })
        };
        let toolbox = Rc::new(Toolbox { tools: tools.iter().enumerate().map(offer).collect() });
        self.made.push((Arc::clone(tools), Rc::clone(&toolbox)));
        toolbox
    }
}

fn compile(schema: &Value) -> Result<Validator, String> {
    // Asked first, because to compile such a schema takes as long as to apply it.
    if cost(schema, 0) > schema_cost::MOST {
        return Err("it refers to its parts too often to be applied".to_owned());
    }
    // Formats are held to, so that `2026-02-30` is found out where a date is asked for.
    let options = jsonschema::options().should_validate_formats(true);
    options.build(schema).map_err(|error| {
        let place = error.instance_path().as_str().to_owned();
        let place = if place.is_empty() { String::new() } else { format!(" (at `{place}`)") };
        format!("{error}{place}")
    })
}

/// Something wrong with a tool, and what would be right.
pub(super) struct Complaint {
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

/// What is wrong with a tool by itself.
pub(super) fn complaints(tool: &Tool) -> Vec<Complaint> {
    let name = &tool.name;
    let mut complaints = Vec::new();
    let mut complain = |message: String, hint: Option<&str>| {
        complaints.push(Complaint { message, hint: hint.map(str::to_owned) });
    };
    let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.chars().all(good) {
        complain(
            format!("`{}` cannot be the name of a tool", name.escape_debug()),
            Some("it takes letters, digits, `_`, `-` and `.`"),
        );
    }
    if let Err(why) = compile(&tool.parameters) {
        complain(format!("the parameters of `{name}` are not a JSON Schema: {why}"), None);
        return complaints;
    }
    match tool.parameters.get("type") {
        None if !is_composed(&tool.parameters) => complain(
            format!("the parameters of `{name}` are not an object"),
            Some("write {\"type\": \"object\", \"properties\": {…}}"),
        ),
        Some(kind) if kind != "object" => {
            complain(format!("the parameters of `{name}` are not an object, but `{kind}`"), None);
        }
        _ => {}
    }
    if !is_composed(&tool.parameters) {
        let known: Vec<&str> = properties(&tool.parameters).keys().map(String::as_str).collect();
        for required in required(&tool.parameters).filter(|required| !known.contains(required)) {
            let message = format!("`{name}` requires `{required}`, which it does not describe");
            let hint = suggest(required, "properties", &known);
            complaints.push(Complaint { message, hint });
        }
    }
    complaints
}

/// The arguments a schema describes.
pub(super) fn properties(schema: &Value) -> &Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    schema.get("properties").and_then(Value::as_object).unwrap_or(&NONE)
}

/// The arguments a schema requires.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether what a schema describes may be described elsewhere too.
fn is_composed(schema: &Value) -> bool {
    const ELSEWHERE: [&str; 8] =
        ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "$dynamicRef", "not"];
    ELSEWHERE.iter().any(|key| schema.get(key).is_some())
}

/// A hint, if the schema knows no argument of this name and does not ask for unknown ones.
pub(super) fn unknown_argument(schema: &Value, name: &str) -> Option<String> {
    let open = match schema.get("additionalProperties") {
        // JSON Schema allows unknown arguments by default, and in a suite they are misspelt ones.
        None | Some(Value::Bool(false)) => false,
        Some(_) => true,
    };
    let known = properties(schema);
    if open || is_composed(schema) || known.contains_key(name) {
        return None;
    }
    let known: Vec<&str> = known.keys().map(String::as_str).collect();
    let hint = suggest(name, "arguments", &known);
    Some(hint.unwrap_or_else(|| "it takes no arguments at all".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    /// A tool of which each definition refers twice to the one before.
    fn tool(times: usize, way: fn(Value) -> Value) -> Tool {
        let mut definitions = Map::new();
        definitions.insert("d0".into(), json!({"type": "object"}));
        for number in 1..=times {
            let before = json!({"$ref": format!("#/$defs/d{}", number - 1)});
            definitions.insert(format!("d{number}"), way(before));
        }
        let parameters =
            json!({"type": "object", "$ref": format!("#/$defs/d{times}"), "$defs": definitions});
        Tool { name: "t".into(), description: String::new(), parameters }
    }

    #[test]
    fn a_schema_that_would_take_for_ever_is_refused_at_once() {
        let start = Instant::now();
        let complaint = |tool: &Tool| complaints(tool).pop().map(|complaint| complaint.message);
        let refused = complaint(&tool(34, |before| json!({"allOf": [before, before]})));
        assert!(refused.is_some_and(|message| message.contains("too often")));
        let refused = complaint(&tool(20_000, |before| json!({"allOf": [before]})));
        assert!(refused.is_some_and(|message| message.contains("too often")));
        // Different properties are different values: nothing is applied twice.
        let fine = complaint(&tool(34, |before| json!({"properties": {"a": before, "b": before}})));
        assert_eq!(fine, None);
        assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    }
}
