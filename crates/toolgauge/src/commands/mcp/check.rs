//! `toolgauge mcp check`: what the author of an MCP server should know about its tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgauge_engine::EngineError;
use toolgauge_engine::server_check::{self, CASES, DESCRIBED, Recording, ToolMixUps};
use toolgauge_report::number::counted;
use toolgauge_runner::StopSignal;
use toolgauge_suite::{Problems, Severity};

use crate::aftermath::{self, Aftermath};
use crate::cell::{Cell, Finished};
use crate::failure::Failure;
use crate::flags::{OutputFormat, ServerFlags, WithFlags as _};
use crate::invocation::Invocation;
use crate::layer::Layer;
use crate::printer::Printer;
use crate::run_display::RunDisplay;
use crate::settings::Settings;
use crate::status_line::{Display, StatusLine};
use crate::{ExitStatus, interrupt, suites};

/// Check the tools of an MCP server, for its author.
///
/// Looks for schemas that a model cannot follow or that APIs refuse, names and descriptions that
/// two tools share, missing annotations, and definitions and replies that are large. Ends with
/// status 2 where something is an error.
///
/// With a model, it is asked for each tool in the words of its description, and the pairs that it
/// confuses are counted. Nothing is called then.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The server: a command line, an address, or the folder of a recording; with `--mcp`, its
    /// name in that file.
    #[arg(value_name = "SERVER", required_unless_present = "mcp")]
    server: Option<String>,

    /// Take the servers from this file, such as `.mcp.json`; all of them, where none is named.
    #[arg(long, value_name = "FILE")]
    mcp: Option<PathBuf>,

    /// Call the tools that are marked as reading only and need no argument, to see how much they
    /// reply.
    #[arg(long = "try")]
    tries: bool,

    /// Count which tools this model confuses; named as for `run`.
    #[arg(long, short, value_name = "MODEL")]
    model: Option<String>,

    /// Ask the model these cases instead of the descriptions: YAML, JSON, NDJSON or CSV.
    #[arg(long = "cases", id = "case_file", value_name = "FILE", requires = "model")]
    case_file: Option<PathBuf>,

    /// Compare with other descriptions: a JSON file with a map from tools to texts.
    #[arg(long, value_name = "FILE", requires = "model")]
    describe: Option<PathBuf>,

    /// How often the model is asked for each tool.
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    trials: u32,

    /// Keep the suite that the model is asked in this folder, to be changed and run again.
    #[arg(long, short, value_name = "FOLDER", requires = "model")]
    output: Option<PathBuf>,

    /// Where logs are kept [default: logs].
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    #[command(flatten)]
    at: ServerFlags,
}

#[derive(Serialize)]
struct CheckedServer {
    servers: Vec<String>,
    tools: usize,
    problems: Problems,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<AskedModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<Aftermath>,
}

/// What a model took for what, in one wording of the tools.
#[derive(Serialize)]
struct AskedModel {
    log: PathBuf,
    #[serde(flatten)]
    mix_ups: ToolMixUps,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let recording = recording(args)?;
    let servers = &recording.servers.servers;
    let mut checked = CheckedServer {
        servers: servers.keys().cloned().collect(),
        tools: servers.values().map(|server| server.tools.len()).sum(),
        problems: server_check::lint(&recording),
        runs: Vec::new(),
        variants: None,
    };
    let has_errors = checked.problems.has_errors();
    if let Some(model) = &args.model {
        if has_errors {
            printer.note("no model is asked before the errors are mended");
        } else {
            let (finished, settings) = ask(args, model, &recording, printer)?;
            for log in &finished.logs {
                let mix_ups = server_check::mix_ups(log)?;
                checked.runs.push(AskedModel { log: log.clone(), mix_ups });
            }
            checked.variants = aftermath::of_variants(&finished, &settings)?;
        }
    }
    match args.format {
        OutputFormat::Json => printer.print_json(&checked)?,
        OutputFormat::Text => print(&checked, printer)?,
    }
    Ok(if has_errors { ExitStatus::NothingRan } else { ExitStatus::Done })
}

fn print(checked: &CheckedServer, printer: &mut Printer) -> Result<(), Failure> {
    for problem in &checked.problems {
        printer.print_text(&format!("{problem}\n"))?;
    }
    let CheckedServer { servers, tools, problems, runs, variants } = checked;
    let count = |severity: Severity| counted(problems.count(severity), &severity.to_string());
    let (names, tools) = (servers.join(", "), counted(*tools, "tool"));
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    printer.print_text(&format!("{names}: {tools}, {errors}, {warnings}\n"))?;
    for AskedModel { log, mix_ups } in runs {
        printer.print_text(&format!("\n{mix_ups}  log        {}\n", log.display()))?;
    }
    if let Some(variants) = variants {
        printer.print("\n")?;
        printer.print_report(variants)?;
    }
    Ok(())
}

/// What is known of the servers: from a recording, or from themselves.
fn recording(args: &Args) -> Result<Recording, Failure> {
    let servers = match (&args.mcp, &args.server) {
        (Some(file), name) => of_file(file, name.as_deref())?,
        (None, Some(server)) if Path::new(server).is_dir() => {
            return Ok(server_check::recorded(Path::new(server))?);
        }
        (None, Some(server)) => json!({ "server": named(server)? }),
        (None, None) => unreachable!("one of the two is required"),
    };
    Ok(server_check::asked(&servers, args.tries)?)
}

/// The servers of a file, or the one of that name.
fn of_file(file: &Path, name: Option<&str>) -> Result<Value, Failure> {
    let mut servers = suites::servers_of(file)?;
    let Some(name) = name else { return Ok(servers) };
    if let Some(server) = servers.get_mut(name).map(Value::take) {
        return Ok(json!({ name: server }));
    }
    let known: Vec<&String> = servers.as_object().into_iter().flat_map(Map::keys).collect();
    let why = format!("`{}` has no server `{name}`: {known:?}", file.display());
    Err(EngineError::BadWorld { why }.into())
}

/// The server of an address or a command line, which is started here.
fn named(server: &str) -> Result<Value, Failure> {
    if server.starts_with("http://") || server.starts_with("https://") {
        return Ok(json!({"type": "http", "url": server}));
    }
    let bad = |why: String| Failure::from(EngineError::BadWorld { why });
    let words = shlex::split(server).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| bad(format!("`{server}` is no command line")))?;
    let here = std::env::current_dir().map_err(|error| bad(error.to_string()))?;
    Ok(json!({"command": words[0], "args": words[1..], "cwd": here}))
}

/// Asks a model for each tool, and says where the logs are.
fn ask(
    args: &Args,
    model: &str,
    recording: &Recording,
    printer: &Printer,
) -> Result<(Finished, Settings), Failure> {
    let kept = tempfile::tempdir().map_err(Failure::Runtime)?;
    let folder = args.output.as_deref().unwrap_or(kept.path());
    let described = write_suite(args, recording, folder)?;
    let layer = Layer::default()
        .with("run", "log_dir", args.log_dir.clone())
        .with("run", "trials", Some(i64::from(args.trials)))
        .server(&args.at);
    let settings = Settings::resolve(&[layer.table()])?;
    let name = folder.display().to_string();
    let suite = Arc::new(suites::load(&name)?);
    let invocation = Invocation::new(&name, model, settings.clone());
    let variants = if described { vec!["as_is", DESCRIBED] } else { Vec::new() };
    let variants: Vec<_> = variants.into_iter().map(|name| Some(name.to_owned())).collect();
    let cell = Cell {
        cases: suite.cases.clone(),
        suite,
        key: invocation.key(args.at.key_file.as_deref())?,
        invocation,
        variants: if variants.is_empty() { vec![None] } else { variants },
    };
    let line = StatusLine::new(match (printer.is_quiet(), printer.is_interactive()) {
        (true, _) => Display::Nothing,
        (false, true) => Display::Bar,
        (false, false) => Display::Lines,
    });
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::Runtime)?;
    let finished = runtime.block_on(async {
        let stop = StopSignal::default();
        interrupt::listen(&stop, settings.limits.grace.duration(), &line);
        Box::pin(cell.run(&stop, &RunDisplay::new(&line))).await
    });
    runtime.shutdown_background();
    Ok((finished?, settings))
}

/// Writes the suite that the model is asked, and says whether it has other descriptions too.
fn write_suite(args: &Args, recording: &Recording, folder: &Path) -> Result<bool, Failure> {
    let read = |path: &Path| fs::read(path).map_err(|error| EngineError::file("read", path, error));
    let write = |path: &Path, text: &[u8]| {
        fs::write(path, text).map_err(|error| EngineError::file("write", path, error))
    };
    fs::create_dir_all(folder).map_err(|error| EngineError::file("create", folder, error))?;
    let cases = args.case_file.as_deref().map(|file| {
        let extension = file.extension().and_then(|it| it.to_str()).unwrap_or("yaml");
        let name = format!("{CASES}.{extension}");
        write(&folder.join(&name), &read(file)?)?;
        Ok::<_, EngineError>(name)
    });
    let cases = cases.transpose()?;
    let described: IndexMap<String, String> = match &args.describe {
        None => IndexMap::new(),
        Some(file) => serde_json::from_slice(&read(file)?).map_err(|error| {
            EngineError::BadWorld { why: format!("`{}`: {error}", file.display()) }
        })?,
    };
    let suite = server_check::questions(recording, cases.as_deref(), &described);
    let text = serde_json::to_string_pretty(&suite).unwrap_or_default() + "\n";
    write(&folder.join("suite.json"), text.as_bytes())?;
    Ok(!described.is_empty())
}
