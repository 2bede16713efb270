//! The tools that Home Assistant has, before a home fills in its names.

mod kind;
mod slot_rules;

use std::sync::LazyLock;

use toolgauge_core::Tool;

pub(crate) use kind::{ToolCondition, ToolKind};
pub(crate) use slot_rules::{PREFERRED_AREA, PREFERRED_FLOOR, SlotError, SlotRules, SlotTakes};

use super::profile::Profile;

/// A tool of a profile, before a home fills in its names.
#[derive(Debug)]
pub(crate) struct CatalogueTool {
    pub(crate) tool: Tool,
    pub(crate) kind: ToolKind,
    pub(crate) rules: SlotRules,
}

impl CatalogueTool {
    fn new(tool: Tool) -> Self {
        let kind = ToolKind::of(bare(&tool.name));
        let kind = kind.expect("every tool of a built-in catalogue is known");
        Self { rules: SlotRules::new(kind, &tool.parameters), kind, tool }
    }

    /// The intent behind the tool: its name without a prefix.
    pub(crate) fn intent(&self) -> &str {
        bare(&self.tool.name)
    }
}

static CATALOGUES: LazyLock<Vec<Vec<CatalogueTool>>> = LazyLock::new(|| {
    Profile::ALL.iter().map(|profile| catalogue_from(profile.data().tools)).collect()
});

/// The tools of a profile in the order they are offered, scripts apart.
pub(crate) fn catalogue(profile: Profile) -> &'static [CatalogueTool] {
    &CATALOGUES[profile.position()]
}

/// The tool of a profile with this name, prefix taken off: its place and its kind.
pub(crate) fn by_bare_name(profile: Profile, name: &str) -> Option<(usize, ToolKind)> {
    let at = catalogue(profile).iter().position(|tool| tool.intent() == name)?;
    Some((at, catalogue(profile)[at].kind))
}

fn catalogue_from(text: &str) -> Vec<CatalogueTool> {
    let tools: Vec<Tool> = serde_json::from_str(text).expect("a built-in catalogue is valid");
    tools.into_iter().map(CatalogueTool::new).collect()
}

/// A tool's name without the integration it comes from.
fn bare(name: &str) -> &str {
    name.split_once("__").map_or(name, |(_, bare)| bare)
}
