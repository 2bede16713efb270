//! Playing a case in its home before it is kept.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::draft::CaseDraft;
use crate::inventory::Inventory;
use crate::profile::Profile;
use crate::state::HomeState;
use crate::world::{HomeAssistantWorld, SettingError};

/// A home in which cases are played.
pub(super) struct Proof {
    world: HomeAssistantWorld,
    satellite: Option<String>,
}

impl Proof {
    pub(super) fn new(
        inventory: &Arc<Inventory>,
        satellite: Option<String>,
    ) -> Result<Self, SettingError> {
        let builder = HomeAssistantWorld::builder(Arc::clone(inventory));
        let world = builder.profile(Profile::V2026_10).build()?;
        Ok(Self { world, satellite })
    }

    /// Whether the calls a case expects are accepted in the home and, where something is to be
    /// done, change anything.
    pub(super) fn holds(&self, draft: &CaseDraft) -> bool {
        let satellite = match draft.metadata.get("satellite") {
            Some(Value::String(name)) => Some(name.as_str()),
            Some(_) => None,
            None => self.satellite.as_deref(),
        };
        let Ok(mut home) = self.world.home(satellite) else { return false };
        if let Some(Value::Object(setup)) = draft.metadata.get("setup") {
            home.arrange(setup);
        }
        let earlier = draft.context.iter().filter_map(|part| part.get("call"));
        if !earlier.into_iter().all(|call| plays(&mut home, call)) {
            return false;
        }
        // What the conversation so far has done is no effect of the case.
        let before = home.clone();
        let mut calls = draft.expect["calls"].as_array().into_iter().flatten();
        let accepted = calls.all(|call| plays(&mut home, call));
        accepted && (draft.expect["response"] != "action" || !home.told_since(&before).is_empty())
    }
}

fn plays(home: &mut HomeState, call: &Value) -> bool {
    let tool = call["tool"].as_str().unwrap_or_default();
    let arguments = call["arguments"].as_object().cloned().unwrap_or_default();
    let arguments: Map<String, Value> =
        arguments.into_iter().filter_map(|(key, value)| Some((key, passed(value)?))).collect();
    let reply = home.execute(tool, &arguments);
    !reply.failed && !reply.ends_turn
}

/// One value that an expected argument accepts; `None` where it is left out.
fn passed(expected: Value) -> Option<Value> {
    let Value::Object(rule) = &expected else { return Some(expected) };
    if rule.contains_key("$forbidden") || rule.contains_key("$optional") {
        return None;
    }
    let any = rule.get("$any_of").and_then(|choices| choices.get(0));
    Some(any.or(rule.get("$number")).cloned().unwrap_or(expected))
}
