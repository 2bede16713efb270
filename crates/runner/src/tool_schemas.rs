//! Holds the arguments of calls against the schemas of the tools that were offered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::Value;
use toolgauge_core::schema_cost::{self, cost, depth};
use toolgauge_core::{Arguments, SchemaViolation, Tool, ToolCall, Transcript};

/// So many schemas are kept compiled. Suites whose cases bring tools of their own have thousands.
const MOST: usize = 256;

/// The schemas of tools, compiled when a call is held against them for the first time.
#[derive(Debug, Default)]
pub struct ToolSchemas {
    /// By the address of the tool. Its list is kept, so that no other can take that address.
    known: Mutex<HashMap<usize, KnownSchema>>,
}

/// A schema that is ready to be applied; `None` if it is not a valid one, or too costly.
type CompiledSchema = Option<Arc<Validator>>;

/// The list that a tool stands in, and its schema.
type KnownSchema = (Arc<[Tool]>, CompiledSchema);

impl ToolSchemas {
    /// How the calls of a transcript break the schemas of their tools, by tool and keyword. A call
    /// of a tool that was not offered breaks none, nor do arguments that cannot be read: both are
    /// losses of their own.
    pub fn violations(&self, tools: &Arc<[Tool]>, transcript: &Transcript) -> Vec<SchemaViolation> {
        let mut found: Vec<SchemaViolation> = Vec::new();
        for call in transcript.calls() {
            for keyword in self.broken_by(call, tools) {
                let same =
                    |one: &&mut SchemaViolation| one.tool == call.name && one.keyword == keyword;
                match found.iter_mut().find(same) {
                    Some(violation) => violation.count += 1,
                    None => {
                        found.push(SchemaViolation { tool: call.name.clone(), keyword, count: 1 });
                    }
                }
            }
        }
        found
    }

    /// The keywords that the arguments of a call break, one for each place.
    fn broken_by(&self, call: &ToolCall, tools: &Arc<[Tool]>) -> Vec<String> {
        let Arguments::Object(arguments) = &call.arguments else { return Vec::new() };
        let Some(tool) = tools.iter().find(|tool| tool.name == call.name) else {
            return Vec::new();
        };
        let Some(schema) = self.compiled(tool, tools) else { return Vec::new() };
        let arguments = Value::Object(arguments.clone());
        // Most calls are right, and that is told in a fraction of the time.
        let depth = depth(&arguments);
        if cost(&tool.parameters, depth) > schema_cost::MOST || schema.is_valid(&arguments) {
            return Vec::new();
        }
        schema.iter_errors(&arguments).map(|error| error.kind().keyword().to_owned()).collect()
    }

    fn compiled(&self, tool: &Tool, tools: &Arc<[Tool]>) -> CompiledSchema {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = std::ptr::from_ref(tool).addr();
        if let Some((_, schema)) = known.get(&key) {
            return schema.clone();
        }
        if known.len() >= MOST {
            known.clear();
        }
        let schema = compile(&tool.parameters);
        known.insert(key, (Arc::clone(tools), schema.clone()));
        schema
    }
}

fn compile(schema: &Value) -> CompiledSchema {
    // Asked first, because to compile such a schema takes as long as to apply it.
    if cost(schema, 0) > schema_cost::MOST {
        return None;
    }
    let options = jsonschema::options().should_validate_formats(true);
    options.build(schema).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, CallOrigin};

    use super::*;

    fn tools() -> Arc<[Tool]> {
        let tool = |name: &str, parameters: Value| Tool {
            name: name.into(),
            description: String::new(),
            parameters,
        };
        let light = json!({
            "type": "object",
            "properties": {
                "room": {"enum": ["hall", "attic"]},
                "level": {"type": "integer", "maximum": 100},
                "on": {"type": "string", "format": "date"}
            },
            "required": ["room"],
            "additionalProperties": false
        });
        Arc::new([tool("light", light), tool("broken", json!({"type": "no such type"}))])
    }

    fn transcript(calls: &[(&str, Value)]) -> Transcript {
        let call = |(name, arguments): &(&str, Value)| ToolCall {
            id: None,
            name: (*name).to_owned(),
            arguments: Arguments::Object(arguments.as_object().cloned().unwrap_or_default()),
            origin: CallOrigin::default(),
        };
        let calls = calls.iter().map(call).collect();
        Transcript::of(AssistantMessage { calls, ..AssistantMessage::default() })
    }

    #[test]
    fn each_rule_that_arguments_break_is_counted_by_its_keyword() {
        let calls = [
            ("light", json!({"room": "hall", "level": 7})),
            ("light", json!({"room": "cellar", "level": "full"})),
            ("light", json!({"level": 200, "colour": "red", "on": "2026-02-30"})),
            ("light", json!({"room": "roof"})),
        ];
        let found = ToolSchemas::default().violations(&tools(), &transcript(&calls));
        let mut counts: Vec<(&str, u32)> =
            found.iter().map(|one| (one.keyword.as_str(), one.count)).collect();
        counts.sort_unstable();
        let expected = [
            ("additionalProperties", 1),
            ("enum", 2),
            ("format", 1),
            ("maximum", 1),
            ("required", 1),
            ("type", 1),
        ];
        assert_eq!(counts, expected);
        assert!(found.iter().all(|one| one.tool == "light"));
    }

    #[test]
    fn a_tool_that_was_not_offered_or_has_no_valid_schema_breaks_nothing() {
        let calls = [("lamp", json!({"room": 1})), ("broken", json!({"a": 1}))];
        let found = ToolSchemas::default().violations(&tools(), &transcript(&calls));
        assert_eq!(found, []);
    }

    #[test]
    fn schemas_of_lists_that_are_gone_are_not_taken_for_others() {
        let schemas = ToolSchemas::default();
        for number in 0..2 * MOST {
            let kind = if number % 2 == 0 { "string" } else { "integer" };
            let parameters = json!({"type": "object", "properties": {"a": {"type": kind}}});
            let tool = Tool { name: "t".into(), description: String::new(), parameters };
            let said = transcript(&[("t", json!({"a": "text"}))]);
            let tools: Arc<[Tool]> = Arc::new([tool]);
            let found = schemas.violations(&tools, &said);
            assert_eq!(found.len(), number % 2, "{number}");
        }
    }
}
