//! What scenes and scripts do, read from a file.

use serde_json::{Map, Value};

use super::reader::{Reader, get};
use crate::catalogue::by_bare_name;
use crate::inventory::contents::{Effect, is_arrangement};
use crate::profile::Profile;
use toolgauge_document::Node;

impl Reader<'_> {
    /// The states of a scene: by entity, a state or a mapping of `state` and attributes.
    pub(super) fn states(&mut self, node: &Node) -> Effect {
        let mut states = Map::new();
        for (id, item) in self.mapping(node, "the entities of a scene").unwrap_or_default() {
            let problem = self.problem_here(item.line(), format!("there is no entity `{id}`"));
            self.named.push((id.clone(), problem));
            let state = item.value();
            if !is_arrangement(&state) {
                let message = match &state {
                    Value::Object(_) => "`state` is neither text nor a number".to_owned(),
                    _ => format!("a state or a mapping is wanted, not {}", item.kind()),
                };
                self.problem(item, message);
            }
            states.insert(id.clone(), state);
        }
        Effect::Set(states)
    }

    /// The steps of a script.
    pub(super) fn sequence(&mut self, node: &Node) -> Vec<Effect> {
        let mut steps = Vec::new();
        for item in self.list(Some(node), "`sequence`") {
            let Some(fields) = self.mapping(item, "a step") else { continue };
            self.known_keys(item, &["set", "tool", "arguments"]);
            match (get(fields, "set"), get(fields, "tool").and_then(Node::text)) {
                (Some(states), None) => steps.push(self.states(states)),
                (None, Some(tool)) => {
                    self.known_tool(item, &tool);
                    let arguments = get(fields, "arguments").map(Node::value);
                    match arguments.unwrap_or_else(|| Value::Object(Map::new())) {
                        Value::Object(arguments) => steps.push(Effect::Call { tool, arguments }),
                        _ => self.problem(item, "`arguments` must be a mapping".to_owned()),
                    }
                }
                _ => self.problem(item, "a step has either `set` or a `tool`".to_owned()),
            }
        }
        steps
    }

    fn known_tool(&mut self, item: &Node, name: &str) {
        let profiles = Profile::ALL;
        if !profiles.iter().any(|profile| by_bare_name(*profile, name).is_some()) {
            self.problem(item, format!("there is no tool `{name}`"));
        }
    }
}
