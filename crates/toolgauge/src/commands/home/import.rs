//! `toolgauge home import`: a home read from Home Assistant.

use std::path::PathBuf;

use toolgauge_home_import::{
    HOME_FILE, HomeDocument, HomeToken, assemble, check_target, make_private, read_live,
    read_prompt, read_storage, write_home,
};
use toolgauge_report::number::counted;
use toolgauge_world::read_text;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Read your home from Home Assistant into a folder.
///
/// Only reads are sent: nothing in your home is switched, changed or stored. A token without
/// administrator rights is enough; what it cannot read is reported, and listed at the top of
/// `home.yaml`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true))]
pub(crate) struct Args {
    /// The address of Home Assistant, as in the browser.
    #[arg(long, value_name = "URL", group = "source")]
    url: Option<String>,

    /// A copy of the folder `.storage`, in place of a running Home Assistant.
    #[arg(long, value_name = "FOLDER", group = "source")]
    storage: Option<PathBuf>,

    /// A file with the text of a prompt, copied from the debug view of an assistant.
    #[arg(long, value_name = "FILE", group = "source")]
    prompt: Option<PathBuf>,

    /// The environment variable that holds a long-lived access token.
    #[arg(long, alias = "token-env", value_name = "NAME", default_value = "HASS_TOKEN")]
    token_variable: String,

    /// The folder to write, new or empty.
    #[arg(long, short, value_name = "FOLDER", default_value = "my-home")]
    output: PathBuf,

    /// Give people, rooms and devices other names, so that the home can be shown to others.
    #[arg(long)]
    private: bool,

    /// Which other names `--private` gives.
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "private")]
    seed: u64,

    /// Import a home even if nothing in it is exposed to the assistant.
    #[arg(long)]
    allow_empty: bool,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    check_target(&args.output)?;
    let mut home = read(args)?;
    if !args.allow_empty {
        home.require_exposed()?;
    }
    if args.private {
        home = make_private(&home, args.seed);
    }
    write_home(&args.output, &home)?;
    tell(&home, args, printer)?;
    Ok(ExitStatus::Done)
}

/// The longest prompt that is read, in bytes; no model reads a tenth of it.
const LARGEST_PROMPT: u64 = 64 << 20;

fn read(args: &Args) -> Result<HomeDocument, Failure> {
    let now = toolgauge_core::timestamp(std::time::SystemTime::now());
    if let Some(url) = &args.url {
        let token = HomeToken::from_environment(&args.token_variable)?;
        let runtime = tokio::runtime::Runtime::new().map_err(Failure::Runtime)?;
        return Ok(assemble(&runtime.block_on(read_live(url, &token))?, now));
    }
    if let Some(folder) = &args.storage {
        return Ok(assemble(&read_storage(folder)?, now));
    }
    let file = args.prompt.clone().unwrap_or_default();
    let text =
        read_text(&file, LARGEST_PROMPT).map_err(|error| Failure::file("read", &file, error))?;
    Ok(read_prompt(&text)?)
}

fn tell(home: &HomeDocument, args: &Args, printer: &mut Printer) -> Result<(), Failure> {
    let file = args.output.join(HOME_FILE);
    let version = home.version.as_deref().map(|v| format!(" of Home Assistant {v}"));
    printer.print(&format!(
        "{}: a home{} with {}, {} of them exposed, {} and {}\n",
        file.display(),
        version.unwrap_or_default(),
        counted(home.entities.len(), "entity"),
        home.exposed(),
        counted(home.areas.len(), "area"),
        counted(home.satellites.len(), "satellite"),
    ))?;
    for line in &home.unknown {
        printer.note(format!("not known: {line}"));
    }
    Ok(())
}
