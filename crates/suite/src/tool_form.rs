//! How a tool is written in a suite: plainly, or as the usual request formats and MCP do.

use serde_json::{Value, json};
use toolgauge_core::Tool;

use crate::fields::{FieldNames, ObjectFields, kind};
use crate::trail::{SuiteFindings, Trail};

pub(crate) static TOOL: FieldNames = FieldNames {
    noun: "a tool",
    fields: &["name", "description", "parameters", "input_schema", "inputSchema", "strict"],
    synonyms: &[("arguments", "parameters"), ("params", "parameters"), ("schema", "parameters")],
};

pub(crate) static WRAPPED_TOOL: FieldNames =
    FieldNames { noun: "a tool", fields: &["type", "function"], synonyms: &[] };

/// Reads one tool.
pub(crate) fn read_tool(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Tool> {
    if value.get("function").is_none() {
        return read_plain(value, trail, findings);
    }
    let mut wrapper = ObjectFields::open(value, &WRAPPED_TOOL, trail, findings)?;
    if let Some(kind) = wrapper.text("type").filter(|kind| kind != "function") {
        findings
            .error(&trail.key("type"), format!("a tool of the type `{kind}` cannot be offered"));
    }
    let function = wrapper.take("function")?;
    read_plain(function, &trail.key("function"), findings)
}

fn read_plain(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<Tool> {
    let mut fields = ObjectFields::open(value, &TOOL, trail, findings)?;
    if fields.has("strict") {
        findings.warn(&trail.key("strict"), "`strict` has no effect here", None);
    }
    let name = fields.required_text("name", "a tool is called by its name");
    let description = fields.text("description").unwrap_or_default();
    let mut parameters = None;
    // The names of OpenAI, Anthropic and MCP for the same schema.
    for key in ["parameters", "input_schema", "inputSchema"] {
        parameters = parameters.or_else(|| fields.take(key).map(|schema| (key, schema)));
    }
    let parameters = match parameters {
        None => json!({"type": "object", "properties": {}}),
        Some((_, schema @ Value::Object(_))) => schema,
        Some((key, other)) => {
            let message = format!("`{key}` is {}, but should be a JSON Schema", kind(&other));
            let hint = "{\"type\": \"object\", \"properties\": {…}}".to_owned();
            findings.error_with(&trail.key(key), message, hint);
            return None;
        }
    };
    Some(Tool { name: name?, description, parameters })
}
