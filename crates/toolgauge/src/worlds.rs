//! From what a suite says of its world to the world itself.

use std::sync::Arc;

use toolgauge_core::Tool;
use toolgauge_suite::{Suite, WorldSpec};
use toolgauge_world::{CannedReply, DeclaredWorld, World};

use crate::failure::Failure;

/// The kinds of world there are.
pub(crate) const KINDS: [&str; 1] = [WorldSpec::DECLARED];

/// Builds the world of a suite, as a variant changes it.
pub(crate) fn build(suite: &Suite, variant: Option<&str>) -> Result<Arc<dyn World>, Failure> {
    match suite.world.kind.as_str() {
        WorldSpec::DECLARED => Ok(Arc::new(declared(suite, variant))),
        kind => Err(Failure::NoSuchWorld {
            kind: kind.to_owned(),
            known: KINDS.map(str::to_owned).to_vec(),
        }),
    }
}

fn declared(suite: &Suite, variant: Option<&str>) -> DeclaredWorld {
    let replies = suite.replies.iter().map(|(tool, replies)| {
        let canned = replies
            .iter()
            .map(|spec| CannedReply { when: spec.when.clone(), reply: spec.reply.clone() });
        (tool.clone(), canned.collect())
    });
    DeclaredWorld::new(offered(suite, variant), replies.collect())
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
