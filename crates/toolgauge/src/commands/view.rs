//! `toolgauge view`: the viewer, in a browser.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::net::TcpListener;
use toolgauge_engine::{EngineError, ReadableLog};
use toolgauge_log::{is_address, is_folder, is_log, stored_logs};
use toolgauge_view::{BasePath, Viewer, ViewerPassword, run_address, serve};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::interrupt;
use crate::last_log::optional_log;
use crate::layer::Layer;
use crate::printer::Printer;
use crate::program_file::program_file;
use crate::rerun::rerun_command;
use crate::settings::Settings;

/// Look at runs in a browser.
///
/// Serves pages over a folder of logs: every run, every case, comparisons, feedback. Runs that
/// are going on are shown as they grow. Only this machine can reach the pages unless `--bind`
/// says otherwise, which needs a password. Serves until Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of logs, or one log in it; `last` is the newest log [default: logs]. Both may be
    /// in an object store: `s3://bucket/runs`.
    #[arg(value_name = "DIR")]
    place: Option<PathBuf>,

    /// The port to listen on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,

    /// Open the page in the default browser.
    #[arg(long)]
    open: bool,

    /// Where the table of runs is kept for the next start [default: the user's cache folder].
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache", hide_short_help = true)]
    cache: Option<PathBuf>,

    /// Keep nothing for the next start.
    #[arg(long, hide_short_help = true)]
    no_cache: bool,

    #[command(flatten)]
    team: TeamFlags,

    /// Let visitors run a case again, by `toolgauge run` with the rights of this program.
    #[arg(long)]
    allow_run: bool,
}

/// Who else than this machine may look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "For a team")]
pub(crate) struct TeamFlags {
    /// Ask visitors for a token; the address that is printed holds it.
    #[arg(long, conflicts_with = "password_file")]
    token: bool,

    /// Ask visitors for the password in this file, of eight characters or more.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,

    /// The address to listen on. All but this machine's own need `--token` or `--password-file`.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// A host name that visitors use, such as that of a proxy; may be given several times.
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,

    /// The path under which a reverse proxy shows the viewer, such as `/evals`.
    #[arg(long, value_name = "PATH", value_parser = base_path, default_value = "/")]
    base_path: BasePath,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    // A result of another tool is looked at as the log that it makes.
    let settings = Settings::resolve(&[Layer::default().table()])?;
    let named = optional_log(args.place.as_deref(), &settings)?;
    let file = named.as_deref().filter(|named| !is_folder(named));
    let readable = file.map(ReadableLog::of).transpose()?;
    let shown = readable.as_ref().map(ReadableLog::path).or(named.as_deref());
    let (folder, page) = place(shown, &settings)?;
    if is_address(&folder) {
        stored_logs(&folder).map_err(|error| EngineError::file("read", &folder, error))?;
    }
    let address = SocketAddr::new(args.team.bind, args.port);
    let password = password(args)?;
    if password.is_none() && !args.team.bind.is_loopback() {
        return Err(Failure::OpenViewer { address: args.team.bind });
    }
    // Feedback and new runs are kept in files beside the logs.
    let temporary = readable.as_ref().is_some_and(ReadableLog::is_made) || is_address(&folder);
    if temporary && args.allow_run {
        printer.warning("`--allow-run` needs a log that stays on this machine");
    }
    let allow_run = args.allow_run && !temporary;
    let query = password.as_ref().filter(|_| args.team.token).map(ViewerPassword::as_query);
    let viewer = Viewer {
        cache: cache(args),
        host_names: args.team.host_name.clone(),
        base_path: args.team.base_path.clone(),
        password,
        prices: settings.prices(),
        graded: settings.grades,
        temporary,
        command: rerun_command,
        allow_run: allow_run.then(program_file).transpose()?,
        ..Viewer::new(folder)
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(async {
        let bound = TcpListener::bind(address).await;
        let listener = bound.map_err(|source| Failure::Bind { address, source })?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            printer.warning(format!("other machines can read these logs at {address}"));
        }
        let base = args.team.base_path.as_str();
        let page = format!("http://{address}{base}{page}{}", query.unwrap_or_default());
        printer.print(&format!("listening on {page}\n"))?;
        if args.open && !opened(&page) {
            printer.warning("no browser could be started; open the page yourself");
        }
        // The first signal lets answers end, the second one waits for nothing.
        let twice = async {
            interrupt::interrupted().await;
            interrupt::interrupted().await;
        };
        tokio::select! {
            served = serve(listener, viewer, interrupt::interrupted()) => served?,
            () = twice => {}
        }
        Ok::<_, Failure>(())
    });
    // A log that is being read must not hold up the end.
    runtime.shutdown_background();
    served?;
    Ok(ExitStatus::Done)
}

/// What visitors are asked for, if they are.
fn password(args: &Args) -> Result<Option<ViewerPassword>, Failure> {
    let Some(file) = &args.team.password_file else {
        return Ok(args.team.token.then(ViewerPassword::random));
    };
    let unusable = |why: String| Failure::PasswordFile { file: file.clone(), why };
    let text = std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
    let chosen = ViewerPassword::chosen(text.lines().next().unwrap_or_default());
    let too_short = || unusable("its first line has fewer than eight characters".to_owned());
    chosen.ok_or_else(too_short).map(Some)
}

fn base_path(text: &str) -> Result<BasePath, String> {
    BasePath::read(text).ok_or_else(|| "give a path of plain letters, such as /evals".to_owned())
}

/// The folder of logs and the page to begin with.
fn place(place: Option<&Path>, settings: &Settings) -> Result<(PathBuf, String), Failure> {
    let start = "/".to_owned();
    let Some(place) = place else {
        let folder = PathBuf::from(&settings.run.log_dir);
        return if is_folder(&folder) {
            Ok((folder, start))
        } else {
            Err(EngineError::NoLogs { folder }.into())
        };
    };
    if is_folder(place) {
        return Ok((place.to_owned(), start));
    }
    match (place.parent(), place.file_name().and_then(|name| name.to_str())) {
        (Some(folder), Some(name)) if is_log(place) && (place.is_file() || is_address(place)) => {
            let here = folder.as_os_str().is_empty();
            let folder = if here { Path::new(".") } else { folder };
            Ok((folder.to_owned(), run_address(name)))
        }
        _ => Err(EngineError::NoLogs { folder: place.to_owned() }.into()),
    }
}

fn cache(args: &Args) -> Option<PathBuf> {
    if args.no_cache {
        return None;
    }
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let own = || {
        let folder = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        let folder = folder.or_else(|| variable("LOCALAPPDATA"));
        Some(folder.or_else(|| Some(variable("HOME")?.join(".cache")))?.join("toolgauge/view"))
    };
    args.cache.clone().or_else(own)
}

/// Starts the browser; whether one could be started.
fn opened(page: &str) -> bool {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().is_ok()
}
