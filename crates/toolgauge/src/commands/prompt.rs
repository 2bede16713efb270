//! `toolgauge prompt`: the exact request that would be sent.

use std::sync::Arc;

use toolgauge_core::Request;
use toolgauge_core::TrialId;

use crate::cell::Cell;
use crate::failure::Failure;
use crate::flags::{SamplingFlags, SelectionFlags, ServerFlags, WithFlags as _, WorldFlags};
use crate::invocation::Invocation;
use crate::layer::Layer;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::subjects::{self, SubjectOptions};
use crate::{ExitStatus, suites, worlds};
use toolgauge_engine::public_name;

/// Print the exact request body that would be sent for a case.
///
/// Nothing is sent. Without a selection the first case is shown; `--pretty` makes it readable.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The suite: a folder, a file, or the name of a shipped suite.
    #[arg(value_name = "SUITE", default_value = suites::DEFAULT)]
    suite: String,

    /// The model to name in the request.
    #[arg(long, short, value_name = "MODEL", default_value = "model")]
    model: String,

    /// The variant of the suite.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,

    /// Indent the JSON, for people.
    #[arg(long)]
    pretty: bool,

    #[command(flatten)]
    selection: SelectionFlags,
    #[command(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    sampling: SamplingFlags,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let cell = cell(args)?;
    let variant = args.variant.as_deref();
    let world = worlds::build(&cell.suite, variant)?;
    let briefings = cell.briefings(variant, world.as_ref())?;
    let host = subjects::build(SubjectOptions {
        played: None,
        model: &args.model,
        settings: &cell.invocation.settings,
        sampling: cell.sampling(variant),
        key: None,
        servers: Arc::default(),
    })?;
    let (Some(case), Some(briefing)) = (cell.cases.first(), briefings.first()) else {
        unreachable!("a selection holds at least one case");
    };
    let trial = TrialId { case: case.id.clone(), trial: 1 };
    let seed = cell.invocation.settings.sampling.seed.or(cell.suite.sampling.seed);
    let request = Request { briefing, conversation: &case.input, trial: &trial, seed };
    let body = host.request_body(&request);
    let body = body.ok_or_else(|| Failure::NothingSent { model: public_name(&args.model) })?;
    printer.print(&(readable(&body, args.pretty) + "\n"))?;
    Ok(ExitStatus::Done)
}

/// The suite with the one case whose request is wanted.
fn cell(args: &Args) -> Result<Cell, Failure> {
    let layer = Layer::default().server(&args.server).sampling(&args.sampling);
    let world = args.world.overrides();
    let suite = suites::load_with(&args.suite, &world)?;
    let mut cases = args.selection.selection().select(&suite)?;
    cases.truncate(1);
    Ok(Cell {
        suite: Arc::new(suite),
        cases,
        invocation: Invocation {
            world,
            body: args.sampling.extra(),
            ..Invocation::new(&args.suite, &args.model, Settings::resolve(&[layer.table()])?)
        },
        variants: vec![args.variant.clone()],
        key: None,
    })
}

fn readable(body: &[u8], pretty: bool) -> String {
    let parsed = pretty.then(|| serde_json::from_slice::<serde_json::Value>(body).ok()).flatten();
    match parsed.and_then(|value| serde_json::to_string_pretty(&value).ok()) {
        Some(text) => text,
        None => String::from_utf8_lossy(body).into_owned(),
    }
}
