//! The tools a model is offered: which ones depends on what is exposed and on the satellite.

mod file;
mod kind;
mod script;

use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::Tool;

pub use file::{ToolsError, tools_from_json};
pub(crate) use kind::{Gate, ToolKind};

use super::features::media_player::{PLAY_MEDIA, SEARCH_MEDIA};
use super::inventory::{Inventory, Satellite};
use super::profile::Profile;
use super::simulator::SlotRules;

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

static CATALOGUE_2026_10: LazyLock<Vec<CatalogueTool>> =
    LazyLock::new(|| catalogue_from(include_str!("data/tools-2026.10.json")));
static CATALOGUE_2026_2: LazyLock<Vec<CatalogueTool>> =
    LazyLock::new(|| catalogue_from(include_str!("data/tools-2026.2.json")));
static CATALOGUE_CLASSIC: LazyLock<Vec<CatalogueTool>> =
    LazyLock::new(|| catalogue_from(include_str!("data/tools-classic.json")));

/// The tools of a profile in the order they are offered, scripts apart.
pub(crate) fn catalogue(profile: Profile) -> &'static [CatalogueTool] {
    match profile {
        Profile::V2026_10 => &CATALOGUE_2026_10,
        Profile::V2026_2 => &CATALOGUE_2026_2,
        Profile::Classic => &CATALOGUE_CLASSIC,
    }
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

/// A tool that is offered, and what it does.
#[derive(Clone, Debug)]
pub(crate) struct OfferedTool {
    pub(crate) tool: Tool,
    pub(crate) action: OfferedAction,
}

/// What an offered tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfferedAction {
    /// What a built-in tool does; the second part is its position in the catalogue.
    BuiltIn(ToolKind, usize),
    /// Runs the script at this position of the inventory.
    Script(usize),
}

/// The tools offered to a model that answers a satellite, in the order they are sent.
pub(crate) fn offered(
    inventory: &Inventory,
    profile: Profile,
    satellite: Option<&Satellite>,
) -> Vec<OfferedTool> {
    let mut tools = Vec::new();
    let mut scripts = Some(script::tools(inventory, profile));
    for (at, entry) in catalogue(profile).iter().enumerate() {
        let script_place = match profile {
            Profile::V2026_10 => entry.tool.name.as_str() > "script__",
            Profile::V2026_2 => entry.kind == ToolKind::LiveContext,
            Profile::Classic => false,
        };
        if script_place && let Some(scripts) = scripts.take() {
            tools.extend(scripts);
        }
        if is_open(entry.kind.gate(profile), inventory, satellite) {
            let tool = filled_in(entry, inventory);
            tools.push(OfferedTool { tool, action: OfferedAction::BuiltIn(entry.kind, at) });
        }
    }
    tools
}

fn is_open(gate: Gate, inventory: &Inventory, satellite: Option<&Satellite>) -> bool {
    let mut exposed = inventory.entities().iter().filter(|entity| entity.exposed);
    match gate {
        Gate::Always => true,
        Gate::Listed => inventory.listed().next().is_some(),
        Gate::Timers => satellite.is_some_and(|satellite| satellite.supports_timers),
        Gate::Domains(domains) => exposed.any(|entity| domains.contains(&entity.domain())),
        Gate::MediaSearch => exposed.any(|entity| {
            entity.domain() == "media_player" && entity.supports(SEARCH_MEDIA | PLAY_MEDIA)
        }),
    }
}

/// The tool with the home's own names in its enums.
fn filled_in(entry: &CatalogueTool, inventory: &Inventory) -> Tool {
    let mut tool = entry.tool.clone();
    if let Some((parameter, domain)) = entry.kind.names_in() {
        let names = names(inventory, domain).into_iter().map(Value::String).collect();
        if let Some(property) = tool.parameters.pointer_mut(&format!("/properties/{parameter}")) {
            property["enum"] = Value::Array(names);
        }
    }
    tool
}

/// All names of the exposed entities of a domain, entity by entity in the order of their names.
pub(crate) fn names(inventory: &Inventory, domain: &str) -> Vec<String> {
    inventory.exposed_by_name(domain).flat_map(|(_, entity)| entity.names.clone()).collect()
}
