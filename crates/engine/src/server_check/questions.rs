//! A suite that asks a model for each tool of some servers, in the words of its description.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgauge_mcp_world::{RecordedTool, Recording};

use super::schemas;

/// The variant in which tools are described in other words.
pub const DESCRIBED: &str = "described";

/// The file of cases that the suite names where somebody else wrote them.
pub const CASES: &str = "cases";

/// How a model is asked: what a tool is for, and leave to make up what it is not told.
const ASKED: &str = "Do this with one of your tools, and make up any detail that it needs: ";

/// The suite of all tools, as JSON: one case for each, or the cases of a file. Nothing is ever called:
/// which tool a model takes is all that counts. With `described`, a variant has these words in
/// place of those of the servers.
pub fn questions(
    recording: &Recording,
    cases: Option<&str>,
    described: &IndexMap<String, String>,
) -> Value {
    let servers = &recording.servers.servers;
    let tools: Vec<(String, &RecordedTool)> = servers
        .iter()
        .flat_map(|(server, of)| {
            let named = move |tool: &RecordedTool| match servers.len() {
                1 => tool.name.clone(),
                _ => format!("{server}__{}", tool.name),
            };
            of.tools.iter().map(move |tool| (named(tool), tool))
        })
        .collect();
    let declared = tools.iter().map(|(name, tool)| {
        json!({"name": name, "description": tool.description, "parameters": tool.input_schema})
    });
    let asked = tools.iter().map(|(name, tool)| {
        let call = json!({"tool": name, "arguments": any_arguments(&tool.input_schema)});
        json!({"id": name, "say": request(tool), "expect": {"response": "action", "call": call}})
    });
    let cases = match cases {
        Some(file) => json!([file]),
        None => Value::Array(asked.collect()),
    };
    let mut suite = json!({
        "name": "mcp-check",
        "description": "Which tool a model takes for what each is said to do.",
        "tools": declared.collect::<Vec<_>>(),
        "scorers": ["tool_calls"],
        "cases": cases,
    });
    if !described.is_empty() {
        let plain = json!({"world": {"describe": {}}});
        suite["variants"] = json!({"as_is": plain, DESCRIBED: {"world": {"describe": described}}});
    }
    suite
}

/// Any value for what is required, and for what is not, any or none.
fn any_arguments(schema: &Value) -> Map<String, Value> {
    let required: Vec<&str> = schemas::required(schema).collect();
    let each = schemas::properties(schema).map(|(name, _)| {
        let any = json!({"$anything": true});
        let is_required = required.contains(&name);
        (name.to_owned(), if is_required { any } else { json!({ "$optional": any }) })
    });
    each.collect()
}

/// What a tool is for, as somebody might ask for it: the first paragraph of its description.
fn request(tool: &RecordedTool) -> String {
    let first = tool.description.trim().split("\n\n").next().unwrap_or_default();
    let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = if words.is_empty() { tool.name.replace(['_', '-'], " ") } else { words };
    format!("{ASKED}{words}")
}
