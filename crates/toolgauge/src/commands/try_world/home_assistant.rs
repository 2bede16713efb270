//! Calls in a home.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use toolgauge_home_assistant::{HomeAssistantWorld, HomeState, Inventory, Profile, StateChanges};

use super::call::{CallInput, each_call};
use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;

/// Call Home Assistant's tools in a home.
///
/// Reads one call per line from standard input, such as
/// `{"tool": "intent__HassTurnOn", "args": {"name": "Lamp"}}`, and prints one line each with the
/// answer a model would see and what changed. Every call starts from the inventory unless it says
/// `"continues_previous_state": true`; only the times at which buttons, scenes and scripts were
/// last used stay. `"satellite"` speaks to another satellite, or with null to none.
#[derive(Debug, clap::Args)]
pub(super) struct HomeArgs {
    /// The home: a YAML or JSON file; further ones add to it.
    #[arg(long, value_name = "FILE", required = true)]
    inventory: Vec<PathBuf>,

    /// Which Home Assistant to play: 2026.10, 2026.2 or classic.
    #[arg(long, value_name = "PROFILE", default_value_t)]
    profile: Profile,

    /// The satellite that is spoken to; none means no device.
    #[arg(long, value_name = "NAME")]
    satellite: Option<String>,
}

/// What a call did, in the shape of the recordings.
#[derive(Serialize)]
struct Tried {
    tool_message_content: Value,
    state_changes: StateChanges,
    /// Whether the call breaks Home Assistant: the turn ends, and the model sees no answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ends_turn: bool,
}

pub(super) fn try_home(args: &HomeArgs, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let inventory = Inventory::from_paths(&args.inventory).map_err(TryFailure::from)?;
    for warning in inventory.warnings() {
        printer.warning(warning);
    }
    let world = HomeAssistantWorld::builder(inventory)
        .profile(args.profile)
        .satellite(args.satellite.clone())
        .build()
        .map_err(TryFailure::from)?;
    let mut home = world.home(args.satellite.as_deref()).map_err(TryFailure::from)?;
    each_call(printer, |call| {
        let satellite = call.from.satellite(args.satellite.as_deref());
        world.go_to(&mut home, satellite)?;
        Ok(tried(&mut home, &call))
    })
}

fn tried(home: &mut HomeState, call: &CallInput) -> Tried {
    if !call.continues {
        home.reset();
    }
    let before = home.clone();
    let reply = home.execute(&call.tool, &call.arguments);
    Tried {
        state_changes: home.changes_since(&before),
        ends_turn: reply.ends_turn,
        tool_message_content: serde_json::from_str(&reply.content)
            .unwrap_or(Value::String(reply.content)),
    }
}
