//! The tools that are offered, and whose they are.

use std::collections::HashMap;
use std::sync::Arc;

use toolgauge_core::Tool;

use crate::config::{McpConfig, ToolNames};
use crate::recording::RecordedServers;

/// Between the name of a server and that of its tool.
const DIVIDER: &str = "__";

/// A tool of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferedTool {
    /// The server.
    pub(crate) server: String,
    /// Its own name there.
    pub(crate) tool: String,
    /// Both, as recordings name it.
    pub(crate) full: String,
    /// Whether the server says that calls change nothing.
    pub(crate) is_read_only: bool,
    /// Whether the server says that a call may destroy something.
    pub(crate) is_destructive: bool,
}

/// The tools that are offered.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) tools: Arc<[Tool]>,
    each: Vec<OfferedTool>,
    by_name: HashMap<String, usize>,
}

impl Offer {
    /// The tools of these servers, as the suite wants them offered; or what it asks for in vain.
    pub(crate) fn new(servers: &RecordedServers, config: &McpConfig) -> Result<Self, String> {
        let mut each = Vec::new();
        let mut described = Vec::new();
        for (server, of) in &servers.servers {
            let chosen = config.offer.get(server);
            for name in chosen.into_iter().flatten() {
                if !of.tools.iter().any(|tool| tool.name == *name) {
                    return Err(format!("`{server}` has no tool `{name}` to offer"));
                }
            }
            let offered = of
                .tools
                .iter()
                .filter(|tool| chosen.is_none_or(|chosen| chosen.contains(&tool.name)));
            for tool in offered {
                each.push(OfferedTool {
                    server: server.clone(),
                    tool: tool.name.clone(),
                    full: format!("{server}{DIVIDER}{}", tool.name),
                    is_read_only: tool.is_read_only(),
                    is_destructive: tool.is_destructive(),
                });
                described.push(tool);
            }
        }
        if let Some(unknown) = config.offer.keys().find(|name| !servers.servers.contains_key(*name))
        {
            return Err(format!("`offer` names `{unknown}`, which is no server"));
        }
        let known = |name: &str| each.iter().any(|tool| tool.full == name || tool.tool == name);
        if let Some(unknown) = config.describe.keys().find(|name| !known(name)) {
            return Err(format!("`describe` names `{unknown}`, which is not offered"));
        }
        let mut bare: HashMap<&str, usize> = HashMap::new();
        for tool in &each {
            *bare.entry(&tool.tool).or_default() += 1;
        }
        let mut by_name = HashMap::new();
        let mut tools = Vec::new();
        for (at, (tool, described)) in each.iter().zip(described).enumerate() {
            let is_plain = config.names == ToolNames::Plain && bare[tool.tool.as_str()] == 1;
            let name = if is_plain { &tool.tool } else { &tool.full };
            by_name.insert(name.clone(), at);
            let other = config.describe.get(&tool.full).or(config.describe.get(&tool.tool));
            tools.push(Tool {
                name: name.clone(),
                description: other.unwrap_or(&described.description).clone(),
                parameters: described.input_schema.clone(),
            });
        }
        Ok(Self { tools: tools.into(), each, by_name })
    }

    /// The tool that is offered by this name.
    pub(crate) fn called(&self, name: &str) -> Option<&OfferedTool> {
        self.by_name.get(name).map(|at| &self.each[*at])
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use serde_json::{Value, json};

    use super::*;
    use crate::recording::{RecordedServer, RecordedTool};

    fn servers() -> RecordedServers {
        let tool = |name: &str| RecordedTool {
            name: name.to_owned(),
            input_schema: json!({"type": "object"}),
            ..RecordedTool::default()
        };
        let server = |names: &[&str]| RecordedServer {
            tools: names.iter().map(|name| tool(name)).collect(),
            ..RecordedServer::default()
        };
        let servers = [("files", server(&["read", "list"])), ("web", server(&["read", "fetch"]))];
        let servers = servers.into_iter().map(|(name, server)| (name.to_owned(), server));
        RecordedServers { servers: servers.collect::<IndexMap<_, _>>() }
    }

    fn offer(config: Value) -> Result<Offer, String> {
        let mut config = config;
        config["servers"] = json!({"files": {"command": "x"}});
        Offer::new(&servers(), &serde_json::from_value(config).unwrap())
    }

    fn names(offer: &Offer) -> Vec<&str> {
        offer.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    #[test]
    fn bare_names_are_given_only_where_they_are_unique() {
        let prefixed = offer(json!({})).unwrap();
        assert_eq!(names(&prefixed), ["files__read", "files__list", "web__read", "web__fetch"]);
        let plain = offer(json!({"names": "plain"})).unwrap();
        assert_eq!(names(&plain), ["files__read", "list", "web__read", "fetch"]);
        assert_eq!(plain.called("list").unwrap().full, "files__list");
        assert_eq!(plain.called("files__list"), None);
        assert_eq!(prefixed.called("list"), None);
    }

    #[test]
    fn a_tool_may_be_described_in_other_words_by_either_name() {
        let words = json!({"describe": {"web__read": "Reads a page.", "list": "Lists."}});
        let other = offer(words).unwrap();
        let texts: Vec<&str> = other.tools.iter().map(|tool| tool.description.as_str()).collect();
        assert_eq!(texts, ["", "Lists.", "Reads a page.", ""]);
        let why = offer(json!({"describe": {"wrte": "Writes."}})).unwrap_err();
        assert_eq!(why, "`describe` names `wrte`, which is not offered");
    }

    #[test]
    fn a_server_offers_what_the_suite_names_and_nothing_unknown() {
        let some = offer(json!({"offer": {"web": ["fetch"]}})).unwrap();
        assert_eq!(names(&some), ["files__read", "files__list", "web__fetch"]);
        let why = offer(json!({"offer": {"web": ["fetsch"]}})).unwrap_err();
        assert_eq!(why, "`web` has no tool `fetsch` to offer");
        let why = offer(json!({"offer": {"wb": ["fetch"]}})).unwrap_err();
        assert_eq!(why, "`offer` names `wb`, which is no server");
    }
}
