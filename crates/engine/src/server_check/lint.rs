//! What is wrong with the tools of servers, as far as it can be read off them.

use std::collections::HashMap;

use toolgauge_core::Tool;
use toolgauge_mcp_world::{RecordedServer, RecordedTool, Recording};
use toolgauge_report::number::count;
use toolgauge_suite::{Problems, Severity, SuiteProblem, tool_complaints};

use super::schemas;

/// How long a name may be: what the APIs of models take.
const LONGEST_NAME: usize = 64;
/// How large the definition of one tool may be, in characters.
const LARGEST_TOOL: usize = 4_000;
/// How large those of a server may be together: every request carries them.
const LARGEST_SERVER: usize = 40_000;
/// How large a reply may be: all later turns carry it.
const LARGEST_REPLY: usize = 40_000;
/// How many characters make a token, roughly.
const PER_TOKEN: usize = 4;
/// Words in the name of a tool that does more than read.
const CHANGING: [&str; 9] =
    ["create", "delete", "drop", "insert", "move", "remove", "set", "update", "write"];

/// What is wrong with the tools of servers, and with what they replied.
pub fn lint(recording: &Recording) -> Problems {
    let mut found = ServerFindings::default();
    let servers = &recording.servers.servers;
    for (name, server) in servers {
        for (at, tool) in server.tools.iter().enumerate() {
            let place = format!("{name}__{}", tool.name);
            if server.tools[..at].iter().any(|other| other.name == tool.name) {
                found.error(&place, "another tool of the server has this name".to_owned(), "");
            }
            found.tool(&place, tool);
        }
        found.server(name, server);
    }
    let tools = servers.iter().flat_map(|(server, of)| {
        of.tools.iter().map(move |tool| (format!("{server}__{}", tool.name), tool))
    });
    found.alike(&tools.collect::<Vec<_>>());
    found.replies(recording);
    found.0.into_iter().collect()
}

#[derive(Default)]
struct ServerFindings(Vec<SuiteProblem>);

impl ServerFindings {
    fn push(&mut self, severity: Severity, place: &str, message: String, hint: &str) {
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        let file = place.to_owned();
        self.0.push(SuiteProblem { severity, file, line: None, column: None, message, hint });
    }

    fn error(&mut self, place: &str, message: String, hint: &str) {
        self.push(Severity::Error, place, message, hint);
    }

    fn warn(&mut self, place: &str, message: String, hint: &str) {
        self.push(Severity::Warning, place, message, hint);
    }

    /// What is wrong with a tool by itself.
    fn tool(&mut self, place: &str, tool: &RecordedTool) {
        let RecordedTool { name, description, input_schema: schema, .. } = tool;
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(is_good) || name.len() > LONGEST_NAME {
            self.error(
                place,
                format!("`{}` is a name that many APIs of models refuse", name.escape_debug()),
                "it takes letters, digits, `_` and `-`, 64 at most",
            );
        } else if place.len() > LONGEST_NAME {
            let message = format!("with its server its name has {} characters", place.len());
            self.warn(place, message, "many APIs of models take 64");
        }
        let parameters = schema.clone();
        let plain = Tool { name: "it".to_owned(), description: String::new(), parameters };
        let wrong = tool_complaints(&plain);
        for (message, hint) in &wrong {
            self.error(place, message.replace("`it`", "the tool"), hint.as_deref().unwrap_or(""));
        }
        if schemas::impossible(schema) {
            self.error(place, "an `enum` is empty, so that no value fits".to_owned(), "");
        }
        if let Some(why) = schemas::refused(schema) {
            let hint =
                "some APIs of models refuse the whole request then; write it out as properties";
            self.error(place, why, hint);
        }
        if description.trim().is_empty() {
            let hint = "a model knows a tool by what it is told about it";
            self.warn(place, "it has no description".to_owned(), hint);
        }
        if wrong.is_empty() {
            for what in schemas::vague(schema) {
                self.warn(place, what, "");
            }
        }
        let size = size(tool);
        if size > LARGEST_TOOL {
            let message = format!("its definition is large: {}", tokens(size));
            self.warn(
                place,
                message,
                "every request carries it; shorten descriptions and examples",
            );
        }
        self.effects(place, tool);
    }

    /// What a tool says of its effects, against its name.
    fn effects(&mut self, place: &str, tool: &RecordedTool) {
        let says = |hint: &str| tool.annotations.get(hint) == Some(&serde_json::Value::Bool(true));
        if tool.is_read_only() && says("destructiveHint") {
            let message = "it says that it only reads and that it may destroy".to_owned();
            self.warn(place, message, "`destructiveHint` means nothing beside `readOnlyHint`");
        }
        let words = words(&tool.name);
        let changing = CHANGING.iter().find(|word| words.iter().any(|own| own == *word));
        if let Some(word) = changing.filter(|_| tool.is_read_only()) {
            let message = format!("it says that it only reads, but its name says `{word}`");
            self.warn(place, message, "clients ask nobody before they call what only reads");
        }
    }

    /// What is wrong with a server as a whole.
    fn server(&mut self, name: &str, server: &RecordedServer) {
        let is_silent = |tool: &&RecordedTool| {
            !["readOnlyHint", "destructiveHint"].iter().any(|it| tool.annotations.contains_key(*it))
        };
        let silent: Vec<&RecordedTool> = server.tools.iter().filter(is_silent).collect();
        if !silent.is_empty() {
            let names: Vec<String> = silent.iter().map(|tool| format!("`{}`", tool.name)).collect();
            let message = format!(
                "without a word on whether they only read or destroy: {}",
                names.join(", ")
            );
            let hint = "set `readOnlyHint` or `destructiveHint` in the annotations of each tool";
            self.warn(name, message, hint);
        }
        let size: usize = server.tools.iter().map(size).sum();
        if size > LARGEST_SERVER {
            let tools = server.tools.len();
            let message = format!("its {tools} tools are large together: {}", tokens(size));
            self.warn(name, message, "every request carries them; shorten them, or offer fewer");
        }
        if server.tools.is_empty() {
            self.error(name, "it offers no tool".to_owned(), "");
        }
    }

    /// Tools that cannot be told apart by their names, or by what is said of them.
    fn alike(&mut self, tools: &[(String, &RecordedTool)]) {
        let mut names: HashMap<String, &str> = HashMap::new();
        let mut texts: HashMap<String, &str> = HashMap::new();
        for (place, tool) in tools {
            let name = words(&tool.name).concat();
            if let Some(other) = names.get(&name) {
                let message = format!("its name reads like that of `{other}`");
                self.warn(place, message, "a model has to tell them apart by name alone at times");
            } else {
                names.insert(name, place);
            }
            let text = words(&tool.description).join(" ");
            if text.is_empty() {
                continue;
            }
            if let Some(other) = texts.get(&text) {
                let message = format!("its description is that of `{other}`");
                self.warn(place, message, "say in each when to take it rather than the other");
            } else {
                texts.insert(text, place);
            }
        }
    }

    /// Tools that replied more than a conversation can carry.
    fn replies(&mut self, recording: &Recording) {
        let mut largest: Vec<(&str, usize)> = Vec::new();
        for (tool, reply) in recording.replies() {
            let size = reply.chars().count();
            match largest.iter_mut().find(|(other, _)| *other == tool) {
                Some((_, most)) => *most = size.max(*most),
                None => largest.push((tool, size)),
            }
        }
        for (tool, size) in largest.into_iter().filter(|(_, size)| *size > LARGEST_REPLY) {
            let message = format!("a reply was huge: {}", tokens(size));
            self.warn(tool, message, "give out pages, or take a limit as an argument");
        }
    }
}

/// The words of a name or a sentence, in small letters.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut was_small = false;
    for c in text.chars() {
        if !c.is_alphanumeric() {
            is_new = true;
            continue;
        }
        if is_new || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
        (is_new, was_small) = (false, c.is_lowercase());
    }
    words
}

fn size(tool: &RecordedTool) -> usize {
    serde_json::to_string(tool).map_or(0, |text| text.chars().count())
}

fn tokens(characters: usize) -> String {
    let number = |value: usize| count(value.try_into().unwrap_or(u64::MAX));
    format!("{} characters, about {} tokens", number(characters), number(characters / PER_TOKEN))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use toolgauge_mcp_world::RecordingFiles;

    use super::*;

    /// What is found about a server with these tools.
    fn found(tools: &Value) -> Vec<String> {
        let tools = json!({"servers": {"s": {"tools": tools}}}).to_string();
        let files = RecordingFiles { tools, ..RecordingFiles::default() };
        let lines = lint(&Recording::read(&files).unwrap()).to_string();
        lines.lines().filter(|line| !line.starts_with("  hint")).map(str::to_owned).collect()
    }

    fn tool(name: &str, schema: &Value) -> Value {
        json!({
            "name": name,
            "description": format!("Does what {name} says."),
            "inputSchema": schema,
            "annotations": {"readOnlyHint": false},
        })
    }

    fn found_in(schema: &Value) -> Vec<String> {
        found(&json!([tool("act", schema)]))
    }

    #[test]
    fn a_tool_that_says_everything_has_no_finding() {
        let path = json!({"type": "string", "description": "The file."});
        let schema = json!({"type": "object", "properties": {"path": path}, "required": ["path"]});
        assert_eq!(found_in(&schema), Vec::<String>::new());
    }

    #[test]
    fn schemas_that_cannot_be_followed_are_errors() {
        let property = |value: Value| json!({"type": "object", "properties": {"a": value}});
        let named = |value: Value| {
            let mut value = value;
            value["description"] = json!("One of them.");
            property(value)
        };
        let errors = [
            (json!({"type": "strin"}), "are not a JSON Schema"),
            (json!({"type": "array"}), "are not an object, but"),
            (json!({"type": "object", "required": ["b"]}), "requires `b`, which it does not"),
            (named(json!({"enum": []})), "an `enum` is empty"),
            (json!({"type": "object", "oneOf": [{}, {}]}), "`oneOf` stands at the top"),
        ];
        for (schema, what) in errors {
            let found = found_in(&schema);
            let is_told = found.iter().any(|line| line.contains("error") && line.contains(what));
            assert!(is_told, "{schema}: {found:?}");
        }
    }

    #[test]
    fn what_is_left_to_guess_is_warned_of() {
        let schema = json!({"type": "object", "properties": {
            "a": {"description": "Something."},
            "b": {"type": "string"},
            "c": {"type": "array", "description": "Some."},
            "d": {"type": "object", "description": "Fields."},
        }});
        let told = [
            "s__act: warning: arguments of any type: `a`",
            "s__act: warning: arguments without a description: `b`",
            "s__act: warning: lists of nobody knows what: `c`",
            "s__act: warning: objects of nobody knows what: `d`",
        ];
        assert_eq!(found_in(&schema), told);
    }

    #[test]
    fn names_and_descriptions_that_two_tools_share_are_told_once() {
        let schema = json!({"type": "object"});
        let mut other = tool("readFile", &schema);
        other["description"] = json!("does what READ_FILE says");
        let told = [
            "s__readFile: warning: its name reads like that of `s__read_file`",
            "s__readFile: warning: its description is that of `s__read_file`",
        ];
        assert_eq!(found(&json!([tool("read_file", &schema), other])), told);
    }

    #[test]
    fn effects_that_are_not_told_or_belied_by_the_name_are_warned_of() {
        let mut silent = tool("look", &json!({"type": "object"}));
        silent["annotations"] = json!({});
        let mut belied = tool("delete_all", &json!({"type": "object"}));
        belied["annotations"] = json!({"readOnlyHint": true});
        let told = [
            "s: warning: without a word on whether they only read or destroy: `look`",
            "s__delete_all: warning: it says that it only reads, but its name says `delete`",
        ];
        assert_eq!(found(&json!([silent, belied])), told);
    }

    #[test]
    fn large_definitions_and_replies_are_told_in_tokens() {
        let mut large = tool("look", &json!({"type": "object"}));
        large["description"] = json!("x".repeat(5_000));
        assert!(found(&json!([large]))[0].contains("its definition is large: 5"));
        let tools =
            json!({"servers": {"s": {"tools": [tool("look", &json!({"type": "object"}))]}}});
        let call =
            json!({"in": "", "tool": "s__look", "arguments": {}, "reply": "x".repeat(50_000)});
        let files = RecordingFiles {
            tools: tools.to_string(),
            calls: call.to_string(),
            ..RecordingFiles::default()
        };
        let told = lint(&Recording::read(&files).unwrap()).to_string();
        assert!(told.contains("s__look: warning: a reply was huge: 50,000 characters"), "{told}");
    }
}
