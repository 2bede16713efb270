//! `toolgauge serve`: an OpenAI-compatible server or a chatbot without a model, with faults on
//! request.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpListener;
use toolgauge_baseline::BaselineSubject;
use toolgauge_core::Subject;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::interrupt;
use crate::last_log::named_log;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{recorded, subjects, suites, worlds};
use toolgauge_serve::{Chatbot, Delay, FaultPlan, serve, serve_chatbot};
use toolgauge_world::read_text;

/// The suite in whose world a chatbot acts when none is named.
const CHATBOT_SUITE: &str = "property-manager";

/// Serve an OpenAI-compatible endpoint backed by the baseline, a script or a log.
///
/// Any client can talk to it at no cost. With `--faults` it shows how a client behaves when
/// requests are refused, cut off, garbled, delayed or never answered. Prints the address it
/// listens on and serves until Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,

    /// The address to listen on. Others than this machine can reach all but the default.
    #[arg(long, alias = "host", value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// Answer from a script: one JSON object per line, by `request` or in order.
    #[arg(long, value_name = "FILE", conflicts_with = "replay", help_heading = "Answers")]
    script: Option<PathBuf>,

    /// Answer as an earlier run was answered, by the conversation so far; `last` is the newest log.
    ///
    /// The same suite run against it comes to the same results. Where one conversation was led
    /// several times, the system prompt, the seed and the answers so far tell which; trials without
    /// a seed are given in turn.
    #[arg(long, value_name = "LOG", help_heading = "Answers")]
    replay: Option<PathBuf>,

    /// Serve a chatbot as well, which acts in the world of this suite [default: property-manager].
    ///
    /// `POST /chat` takes `{"question": "…", "session": "…"}` and answers with the text, the tools
    /// used, the sources and the error, so that `toolgauge run SUITE -m chatbot:URL` can ask it.
    #[arg(
        long,
        value_name = "SUITE",
        num_args = 0..=1,
        default_missing_value = CHATBOT_SUITE,
        help_heading = "Answers"
    )]
    chatbot: Option<String>,

    /// What goes wrong: a plan in YAML, or one of none, flaky, busy, slow.
    #[arg(long, value_name = "PLAN", default_value = "none", help_heading = "Faults")]
    faults: String,

    /// How long each answer takes: 20ms, 10ms..50ms, exponential:30ms, lognormal:30ms:0.5.
    ///
    /// Takes the place of the plan's own.
    #[arg(long, value_name = "TIME", help_heading = "Faults")]
    latency: Option<Delay>,

    /// The seed that faults and delays are drawn from, in place of the plan's own.
    #[arg(long, value_name = "SEED", help_heading = "Faults")]
    seed: Option<u64>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let subject = subject(args)?;
    let plan = plan(args)?;
    let chatbot = match &args.chatbot {
        Some(suite) => Some(chatbot(Arc::clone(&subject), suite)?),
        None => None,
    };
    let address = SocketAddr::new(args.bind, args.port);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let bound = TcpListener::bind(address).await;
        let listener = bound.map_err(|source| Failure::Bind { address, source })?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            printer.warning(format!("other machines can reach {address}"));
        }
        printer.print(&format!("listening on http://{address}\n"))?;
        let counts = match chatbot {
            Some(chatbot) => serve_chatbot(listener, chatbot, plan, interrupt::interrupted()).await,
            None => serve(listener, subject, plan, interrupt::interrupted()).await,
        };
        printer.note(counts);
        Ok(ExitStatus::Done)
    })
}

/// A chatbot in the world of a suite.
fn chatbot(subject: Arc<dyn Subject>, suite: &str) -> Result<Chatbot, Failure> {
    let suite = suites::load(suite)?;
    let world = worlds::build(&suite, None)?;
    Ok(Chatbot::new(subject, world, suite))
}

fn subject(args: &Args) -> Result<Arc<dyn Subject>, Failure> {
    Ok(match (&args.script, &args.replay) {
        (Some(file), _) => Arc::new(subjects::scripted(&file.to_string_lossy())?),
        (None, Some(log)) => {
            Arc::new(recorded::subject(&named_log(log, &Settings::resolve(&[])?)?)?)
        }
        (None, None) => Arc::new(BaselineSubject::new()),
    })
}

fn plan(args: &Args) -> Result<FaultPlan, Failure> {
    let mut plan = match FaultPlan::preset(&args.faults) {
        Some(plan) => plan,
        None => planned(&args.faults)?,
    };
    plan.latency = args.latency.unwrap_or(plan.latency);
    plan.seed = args.seed.unwrap_or(plan.seed);
    Ok(plan)
}

/// The largest plan that is read, in bytes.
const LARGEST_PLAN: u64 = 16 << 20;

fn planned(file: &str) -> Result<FaultPlan, Failure> {
    let text = read_text(Path::new(file), LARGEST_PLAN).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::NoSuchPlan { name: file.to_owned() },
        _ => Failure::file("read", file, error),
    })?;
    FaultPlan::parse(&text).map_err(|error| Failure::Plan { file: file.to_owned(), error })
}
