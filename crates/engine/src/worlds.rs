//! From what a suite says of its world to the world itself.

mod business;
pub mod dialect;
mod home_assistant;
mod mcp;

use std::sync::Arc;

use serde_json::{Map, Value};
use toolgauge_core::{Case, Tool};
use toolgauge_suite::{Suite, WorldSpec};
use toolgauge_world::{CannedReply, DeclaredWorld, World};

pub use self::mcp::{allow_commands, allow_trusted_commands, end_servers, tell_commands};
use crate::decoys;
use crate::error::EngineError;

/// The kinds of world there are.
pub const KINDS: [&str; 4] = [WorldSpec::DECLARED, HOME_ASSISTANT, BUSINESS, WorldSpec::MCP];

/// A home run by Home Assistant.
pub const HOME_ASSISTANT: &str = "home_assistant";

/// A company's database and documents.
pub const BUSINESS: &str = "business";

/// Builds the world of a suite, as a variant changes it, with its decoys.
pub fn build(suite: &Suite, variant: Option<&str>) -> Result<Arc<dyn World>, EngineError> {
    let changed = variant.and_then(|name| suite.variants.get(name));
    if changed.is_some_and(|variant| variant.world.contains_key(Case::DECOYS)) {
        // Variants are compared case by case, and decoys make other cases.
        let why = "a variant has the decoys of its suite: `decoys` is no part of it".to_owned();
        return Err(EngineError::BadWorld { why });
    }
    decoys::around(build_own(suite, variant)?, suite)
}

fn build_own(suite: &Suite, variant: Option<&str>) -> Result<Arc<dyn World>, EngineError> {
    match suite.world.kind.as_str() {
        WorldSpec::DECLARED => {
            let tools = described(offered(suite, variant), &configured(suite, variant))?;
            Ok(Arc::new(declared(suite, tools)))
        }
        HOME_ASSISTANT => match home_assistant::build(suite, &configured(suite, variant)) {
            Ok(world) => Ok(Arc::new(world)),
            Err(why) => Err(EngineError::BadWorld { why }),
        },
        BUSINESS => match business::build(suite, &configured(suite, variant)) {
            Ok(world) => Ok(Arc::new(world)),
            Err(why) => Err(EngineError::BadWorld { why }),
        },
        WorldSpec::MCP => Ok(Arc::new(mcp::build(suite, &configured(suite, variant))?)),
        kind => Err(EngineError::NoSuchWorld {
            kind: kind.to_owned(),
            known: KINDS.map(str::to_owned).to_vec(),
        }),
    }
}

/// The cases as a variant puts them: where it plays another Home Assistant, or names the tools of
/// servers in another way, their answers are put into the words of its tools.
pub fn cases_of(
    suite: &Suite,
    variant: Option<&str>,
    cases: &[Arc<Case>],
    world: &dyn World,
) -> Vec<Arc<Case>> {
    if suite.world.kind == WorldSpec::MCP {
        return mcp::reworded(cases, world);
    }
    let profile = |config: &Map<String, Value>| config.get("profile").cloned();
    let is_other = suite.world.kind == HOME_ASSISTANT
        && profile(&configured(suite, variant)) != profile(&suite.world.config);
    if is_other { dialect::reworded(cases, world) } else { cases.to_vec() }
}

/// What the suite says of its world, with what a variant says in its place.
fn configured(suite: &Suite, variant: Option<&str>) -> Map<String, Value> {
    let mut config = suite.world.config.clone();
    // What is put around a world is none of its business.
    config.shift_remove(Case::DECOYS);
    if let Some(variant) = variant.and_then(|name| suite.variants.get(name)) {
        config.extend(variant.world.clone());
    }
    config
}

/// What was changed about a world, for whoever looks at a run that is over: nothing is started.
pub fn at_rest(changed: &Map<String, Value>) -> Map<String, Value> {
    let mut changed = changed.clone();
    if let Some(replay) = changed.get_mut("replay") {
        *replay = "strict".into();
    }
    changed
}

fn declared(suite: &Suite, tools: Vec<Tool>) -> DeclaredWorld {
    let replies = suite.replies.iter().map(|(tool, replies)| {
        let canned = replies
            .iter()
            .map(|spec| CannedReply { when: spec.when.clone(), reply: spec.reply.clone() });
        (tool.clone(), canned.collect())
    });
    DeclaredWorld::new(tools, replies.collect())
}

/// The tools, some of them in the words that the world has for them under `describe`.
fn described(mut tools: Vec<Tool>, config: &Map<String, Value>) -> Result<Vec<Tool>, EngineError> {
    let Some(texts) = config.get("describe") else { return Ok(tools) };
    let bad = |why: String| EngineError::BadWorld { why };
    let texts = texts.as_object().ok_or_else(|| bad("`describe` is a map of tools".to_owned()))?;
    for (name, text) in texts {
        let tool = tools.iter_mut().find(|tool| tool.name == *name);
        let tool =
            tool.ok_or_else(|| bad(format!("`describe` names `{name}`, which is not offered")))?;
        let text = text.as_str();
        let text =
            text.ok_or_else(|| bad(format!("what `describe` says of `{name}` is no text")))?;
        text.clone_into(&mut tool.description);
    }
    Ok(tools)
}

/// The declared tools: all of them, or those a variant names, in its order.
fn offered(suite: &Suite, variant: Option<&str>) -> Vec<Tool> {
    let chosen = variant.and_then(|name| suite.variants.get(name)?.tools.as_ref());
    match chosen {
        None => suite.tools.clone(),
        Some(names) => names
            .iter()
            .filter_map(|name| suite.tools.iter().find(|tool| tool.name == *name).cloned())
            .collect(),
    }
}
