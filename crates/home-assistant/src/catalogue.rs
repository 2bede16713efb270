//! The tools that Home Assistant has, before a home fills in its names.

mod kind;
mod slot_rules;

use std::sync::LazyLock;

use serde_json::Value;
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
    /// A tool, and the schema by which its arguments are checked.
    fn new(tool: Tool, checked_by: &Value) -> Self {
        let kind = ToolKind::of(bare(&tool.name));
        let kind = kind.expect("every tool of a built-in catalogue is known");
        Self { rules: SlotRules::new(kind, checked_by), kind, tool }
    }

    /// The intent behind the tool: its name without a prefix.
    pub(crate) fn intent(&self) -> &str {
        bare(&self.tool.name)
    }
}

static CATALOGUES: LazyLock<Vec<Vec<CatalogueTool>>> =
    LazyLock::new(|| Profile::ALL.iter().map(|profile| catalogue_from(*profile)).collect());

/// The tools of a profile in the order they are offered, scripts apart.
pub(crate) fn catalogue(profile: Profile) -> &'static [CatalogueTool] {
    &CATALOGUES[profile.position()]
}

/// The tool of a profile with this name, prefix taken off: its place and its kind.
pub(crate) fn by_bare_name(profile: Profile, name: &str) -> Option<(usize, ToolKind)> {
    let at = catalogue(profile).iter().position(|tool| tool.intent() == name)?;
    Some((at, catalogue(profile)[at].kind))
}

fn catalogue_from(profile: Profile) -> Vec<CatalogueTool> {
    // The schemas of the older benchmark say less than Home Assistant checks.
    let checks = tools_of(if profile == Profile::Classic { Profile::V2026_2 } else { profile });
    let with_check = |tool: Tool| {
        // Toggling is checked like turning on, and is not offered any more.
        let name = if tool.name == "HassToggle" { "HassTurnOn" } else { &tool.name };
        let check = checks.iter().find(|known| known.name == name);
        let check = check.unwrap_or(&tool).parameters.clone();
        CatalogueTool::new(tool, &check)
    };
    tools_of(profile).into_iter().map(with_check).collect()
}

fn tools_of(profile: Profile) -> Vec<Tool> {
    serde_json::from_str(profile.data().tools).expect("a built-in catalogue is valid")
}

/// A tool's name without the integration it comes from.
pub(crate) fn bare(name: &str) -> &str {
    name.split_once("__").map_or(name, |(_, bare)| bare)
}
