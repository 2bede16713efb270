//! The simplest world: tools that are declared in a suite and answer with canned replies.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolgauge_core::{Arguments, Case, Tool, ToolCall};

use crate::{ToolReply, World, WorldState};

/// A reply that is given whenever a call fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CannedReply {
    /// Arguments a call must have for this reply; none means any call.
    #[serde(default)]
    pub when: Map<String, Value>,
    /// What the tool answers: text as it is, anything else as JSON.
    pub reply: Value,
}

/// Tools that are declared in a suite and answer with canned replies.
#[derive(Clone, Debug)]
pub struct DeclaredWorld {
    tools: Arc<[Tool]>,
    replies: Arc<IndexMap<String, Vec<CannedReply>>>,
}

impl DeclaredWorld {
    /// A world of these tools, each with its replies; the first reply that fits is given.
    pub fn new(tools: Vec<Tool>, replies: IndexMap<String, Vec<CannedReply>>) -> Self {
        Self { tools: tools.into(), replies: Arc::new(replies) }
    }
}

impl World for DeclaredWorld {
    fn tools(&self, case: &Case) -> Arc<[Tool]> {
        Arc::clone(case.tools.as_ref().unwrap_or(&self.tools))
    }

    fn briefing(&self, _case: &Case) -> Option<Arc<str>> {
        None
    }

    fn enter(&self, case: &Case) -> Box<dyn WorldState> {
        Box::new(Self { tools: self.tools(case), replies: Arc::clone(&self.replies) })
    }
}

impl WorldState for DeclaredWorld {
    fn call(&mut self, call: &ToolCall) -> ToolReply {
        if !self.tools.iter().any(|tool| tool.name == call.name) {
            return refuse(&format!("unknown tool `{}`", call.name));
        }
        let arguments = match &call.arguments {
            Arguments::Object(arguments) => arguments,
            Arguments::Malformed { why, .. } => return refuse(&why.to_string()),
        };
        let fits = |canned: &&CannedReply| {
            canned.when.iter().all(|(key, value)| arguments.get(key) == Some(value))
        };
        let canned = self.replies.get(&call.name).and_then(|replies| replies.iter().find(fits));
        match canned.map(|canned| &canned.reply) {
            Some(Value::String(text)) => ToolReply::done(text),
            Some(reply) => ToolReply::done(reply.to_string()),
            None => ToolReply::done(json!({"success": true}).to_string()),
        }
    }
}

fn refuse(why: &str) -> ToolReply {
    ToolReply::failed(json!({ "error": why }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> DeclaredWorld {
        let tool =
            Tool { name: "weather".into(), description: String::new(), parameters: json!({}) };
        let replies = vec![
            CannedReply {
                when: Map::from_iter([("city".into(), json!("Oslo"))]),
                reply: json!("rain"),
            },
            CannedReply { when: Map::new(), reply: json!({"sky": "clear"}) },
        ];
        DeclaredWorld::new(vec![tool], IndexMap::from([("weather".into(), replies)]))
    }

    fn ask(name: &str, arguments: Value) -> ToolReply {
        let Value::Object(arguments) = arguments else { unreachable!("tests pass objects") };
        let case = Case::new("any", "how is the weather");
        world().enter(&case).call(&ToolCall::new(name, arguments))
    }

    #[test]
    fn the_first_reply_that_fits_is_given() {
        assert_eq!(ask("weather", json!({"city": "Oslo"})), ToolReply::done("rain"));
        assert_eq!(ask("weather", json!({"city": "Rome"})), ToolReply::done(r#"{"sky":"clear"}"#));
    }

    #[test]
    fn a_case_with_tools_of_its_own_is_offered_those_alone() {
        let tool =
            Tool { name: "stocks".into(), description: String::new(), parameters: json!({}) };
        let case = Case { tools: Some([tool].into()), ..Case::new("own", "how are the stocks") };
        assert_eq!(world().tools(&case)[0].name, "stocks");
        let mut entered = world().enter(&case);
        assert!(!entered.call(&ToolCall::new("stocks", Map::new())).failed);
        assert!(entered.call(&ToolCall::new("weather", Map::new())).failed);
    }

    #[test]
    fn an_unknown_tool_is_refused() {
        assert_eq!(
            ask("stocks", json!({})),
            ToolReply::failed(r#"{"error":"unknown tool `stocks`"}"#)
        );
    }
}
