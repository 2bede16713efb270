//! `toolgauge home cost`: how much of the prompt each exposed entity takes.

use std::path::PathBuf;

use toolgauge_home_assistant::{HomeAssistantWorld, Inventory, PromptCost};
use toolgauge_home_import::HOME_FILE;

use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;

/// About how many characters a model reads as one token.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tell how much of the prompt each exposed entity takes.
///
/// The prompt and the tools are sent with every command. A model reads them before it answers, so
/// that a shorter prompt is a faster answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of an imported home, or an inventory.
    #[arg(value_name = "HOME")]
    home: PathBuf,

    /// List every exposed entity, not only the ten that cost most.
    #[arg(long)]
    all: bool,

    /// The satellite that is spoken to [default: none].
    #[arg(long, value_name = "NAME")]
    satellite: Option<String>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let file = if args.home.is_dir() { args.home.join(HOME_FILE) } else { args.home.clone() };
    let inventory = Inventory::from_path(&file).map_err(TryFailure::from)?;
    let world = HomeAssistantWorld::builder(inventory.clone()).build().map_err(TryFailure::from)?;
    let (system, tools) = world.at(args.satellite.as_deref()).map_err(TryFailure::from)?;
    let cost = PromptCost::of(&inventory, &system, &tools);
    printer.print(&told(&cost, if args.all { usize::MAX } else { 10 }))?;
    Ok(ExitStatus::Done)
}

fn told(cost: &PromptCost, most: usize) -> String {
    let tokens = |characters: usize| characters.div_ceil(CHARACTERS_PER_TOKEN);
    let row = |characters: usize, what: &str| {
        format!("{characters:>10} {:>10}  {what}\n", tokens(characters))
    };
    let all = cost.system + cost.tools;
    let count = cost.entities.len();
    let mut text = format!("{:>10} {:>10}\n", "characters", "tokens");
    text += &row(all, "are sent with every command");
    text += &row(cost.tools, "of them the tools");
    text += &row(cost.of_entities(), &format!("of them {count} exposed entities"));
    if let Some(each) = cost.of_entities().checked_div(count) {
        text += &row(each, "for each of them, on average");
    }
    for entity in cost.entities.iter().take(most) {
        text += &row(entity.characters, &format!("{} ({})", entity.entity_id, entity.name));
    }
    if count > most {
        let rest: usize = cost.entities.iter().skip(most).map(|entity| entity.characters).sum();
        text += &row(rest, &format!("{} others (`--all` lists them)", count - most));
    }
    text += "tokens are estimated at four characters each\n";
    text
}
