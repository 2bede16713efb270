//! `toolgauge try`: calls tools of a world by hand and shows what happens.

mod business;

use std::io::{self, BufRead};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};
use toolgauge_world::home_assistant::{
    HomeAssistantWorld, HomeState, Inventory, Profile, StateChanges,
};

use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;

/// Call the tools of a world by hand and see what they answer and change.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which world.
    #[command(subcommand)]
    world: TryWorld,
}

#[derive(Debug, clap::Subcommand)]
enum TryWorld {
    HomeAssistant(HomeArgs),
    Business(business::BusinessArgs),
}

/// Call Home Assistant's tools in a home.
///
/// Reads one call a line from standard input, such as
/// `{"tool": "intent__HassTurnOn", "args": {"name": "Lamp"}}`, and prints one line each with the
/// answer a model would see and what changed. Every call starts from the inventory unless it says
/// `"continues_previous_state": true`; only the times at which buttons, scenes and scripts were
/// last used stay. `"satellite"` speaks to another satellite, or with null to none.
#[derive(Debug, clap::Args)]
struct HomeArgs {
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
}

/// One line of input.
struct Call {
    tool: String,
    arguments: Map<String, Value>,
    from: Speaker,
    continues: bool,
}

/// From where a call is spoken.
#[derive(Debug, PartialEq)]
enum Speaker {
    /// From where all are.
    AsAll,
    /// From a satellite.
    Satellite(String),
    /// From no device.
    Nobody,
}

impl Speaker {
    fn satellite<'a>(&'a self, usual: Option<&'a str>) -> Option<&'a str> {
        match self {
            Self::AsAll => usual,
            Self::Satellite(name) => Some(name),
            Self::Nobody => None,
        }
    }
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    match &args.world {
        TryWorld::HomeAssistant(args) => try_home(args, printer),
        TryWorld::Business(args) => business::try_business(args, printer),
    }
}

fn try_home(args: &HomeArgs, printer: &mut Printer) -> Result<ExitStatus, Failure> {
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

/// Reads one call a line and prints one line for each.
fn each_call<T: Serialize>(
    printer: &mut Printer,
    mut tried: impl FnMut(Call) -> Result<T, TryFailure>,
) -> Result<ExitStatus, Failure> {
    for (at, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let call = Call::read(&line).map_err(|why| TryFailure::NotACall { line: at + 1, why })?;
        let written = serde_json::to_string(&tried(call)?).map_err(io::Error::from)?;
        printer.print(&format!("{written}\n"))?;
    }
    Ok(ExitStatus::Done)
}

fn tried(home: &mut HomeState, call: &Call) -> Tried {
    if !call.continues {
        home.reset();
    }
    let before = home.clone();
    let reply = home.execute(&call.tool, &call.arguments);
    Tried {
        tool_message_content: serde_json::from_str(&reply.content)
            .unwrap_or(Value::String(reply.content)),
        state_changes: home.changes_since(&before),
    }
}

impl Call {
    fn read(line: &str) -> Result<Self, String> {
        let mut call: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Some(Value::String(tool)) = call.remove("tool") else {
            return Err("it needs a `tool`".to_owned());
        };
        let arguments = match call.remove("args") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Err("`args` must be a mapping".to_owned()),
        };
        let from = match call.remove("satellite") {
            None => Speaker::AsAll,
            Some(Value::Null) => Speaker::Nobody,
            Some(Value::String(name)) => Speaker::Satellite(name),
            Some(_) => return Err("`satellite` must be a name or null".to_owned()),
        };
        let continues = call.remove("continues_previous_state") == Some(Value::Bool(true));
        Ok(Self { tool, arguments, from, continues })
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Speaker};

    #[test]
    fn a_line_needs_a_tool_and_may_say_more() {
        let call = Call::read(r#"{"tool": "a", "satellite": null, "note": "x"}"#).unwrap();
        assert_eq!((call.tool.as_str(), call.from, call.continues), ("a", Speaker::Nobody, false));
        assert_eq!(Call::read("{}").err().as_deref(), Some("it needs a `tool`"));
        assert!(Call::read("turn it on").is_err());
    }
}
