//! Flags that several commands share, each group on its own heading, and what they mean.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};
use toolgauge_core::{Case, Fix};
use toolgauge_suite::{RandomDraw, Selection};
use toolgauge_world::read_text;

use crate::failure::Failure;
use crate::layer::{Layer, with_log_dir};
use crate::settings::Settings;
use crate::status_line::print_line;
use crate::worlds;

/// The longest list of servers that is read, in bytes.
const LONGEST_LIST: u64 = 1 << 20;

/// In which form a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Where logs are kept, for commands that look for one there.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct LogDirFlag {
    /// Where logs are kept, to find the newest or the pinned one [default: logs].
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR", hide_short_help = true)]
    log_dir: Option<String>,
}

impl LogDirFlag {
    /// The settings, with this folder.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        with_log_dir(self.log_dir.as_deref())
    }

    /// The folder, as a layer of settings.
    pub(crate) fn layer(&self) -> Layer {
        Layer::default().with("run", "log_dir", self.log_dir.as_deref())
    }
}

/// Which cases.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Which cases")]
pub(crate) struct SelectionFlags {
    /// Run only cases whose id matches; may be given several times.
    #[arg(long = "case", value_name = "ID|GLOB")]
    cases: Vec<String>,

    /// Run only cases with this tag, such as `--where tier=small`.
    ///
    /// Given several times, every tag named must fit; of several values for one tag, one must.
    #[arg(long = "where", value_name = "TAG=VALUE", value_parser = tag)]
    tags: Vec<(String, String)>,

    /// Run only cases of these tiers; the same as `--where tier=…`.
    #[arg(long = "tier", value_name = "TIER", value_delimiter = ',')]
    tiers: Vec<String>,

    /// Run only the cases that tell models apart best, about forty that the suite names.
    #[arg(long)]
    quick: bool,

    /// Run this many cases, drawn at random but the same every time.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    sample: Option<usize>,

    /// Draw another sample.
    #[arg(long, value_name = "SEED", default_value_t = 0, hide_short_help = true)]
    sample_seed: u64,

    /// Run only the first N of the selected cases.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,

    /// Run only the cases that lost points or were unscored in this log; `last` is the newest.
    #[arg(long, value_name = "LOG")]
    pub(crate) failed_in: Option<PathBuf>,
}

impl SelectionFlags {
    /// Whether some cases are left out.
    pub(crate) fn chooses(&self) -> bool {
        self.quick
            || self.sample.is_some()
            || self.limit.is_some()
            || self.failed_in.is_some()
            || !(self.cases.is_empty() && self.tags.is_empty() && self.tiers.is_empty())
    }

    /// The selection, without what depends on a log.
    pub(crate) fn selection(&self) -> Selection {
        let tiers = self.tiers.iter().map(|tier| ("tier".to_owned(), tier.clone()));
        Selection {
            ids: self.cases.clone(),
            tags: self.tags.iter().cloned().chain(tiers).collect(),
            only: None,
            quick: self.quick,
            sample: self.sample.map(|size| RandomDraw { size, seed: self.sample_seed }),
            limit: self.limit,
        }
    }
}

/// How answers are judged, beside by whom.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FixFlags {
    /// Correct faults of the old benchmark in `tool_calls_classic`: the first two, or those named.
    ///
    /// `alternative-kinds`: an alternative may have a response kind of its own, so that those
    /// with a call for a text case, or without one for an action, can be met at all.
    /// `text`: a text response must hold text.
    /// `inspect-0.3.260`: quotes behind the object of a call's arguments are passed over, as that
    /// version of Inspect AI and newer ones do.
    #[arg(
        long = "fix",
        value_name = "RULE",
        num_args = 0..,
        require_equals = true,
        value_delimiter = ',',
        default_missing_values = ["alternative-kinds", "text"],
        value_parser = fix,
        hide_short_help = true
    )]
    fixes: Vec<Fix>,
}

impl FixFlags {
    /// The rules asked for.
    pub(crate) fn rules(&self) -> Vec<Fix> {
        self.fixes.clone()
    }
}

fn fix(name: &str) -> Result<Fix, String> {
    let known = Fix::ALL.map(Fix::name).join(", ");
    Fix::by_name(name).ok_or_else(|| format!("there are: {known}"))
}

/// What is changed about the suite's world.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "World")]
pub(crate) struct WorldFlags {
    /// The version of Home Assistant to be: 2026.10, 2026.2 or classic [default: the suite's].
    #[arg(long, value_name = "PROFILE", hide_short_help = true)]
    profile: Option<String>,

    /// Put this many tools of other servers among those of each case: `--decoys 0,10,40,160` asks
    /// each case once with each number.
    ///
    /// They are tools of real MCP servers with their own schemas, those first that are likest to
    /// the tools of the case by the words of names and descriptions. A call of one is a wrong tool,
    /// and is answered that its server is not connected. The numbers are the tiers of the run: the
    /// summary shows score, tokens and times for each, and a curve.
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(..=1000),
        hide_short_help = true
    )]
    decoys: Vec<u16>,

    #[command(flatten)]
    pub(crate) servers: McpFlags,

    /// Anything else the suite's `world` may say, such as `--world satellite=kitchen`.
    #[arg(long = "world", value_name = "KEY=JSON", value_parser = body_field, hide_short_help = true)]
    world: Vec<(String, Json)>,
}

impl WorldFlags {
    /// What is to be laid over the suite's own words.
    pub(crate) fn overrides(&self) -> Map<String, Json> {
        let profile = self.profile.clone().map(|profile| ("profile".to_owned(), profile.into()));
        let mut overrides = self.servers.overrides();
        overrides.extend(profile.into_iter().chain(self.world.iter().cloned()));
        if self.has_decoys() {
            overrides.insert(Case::DECOYS.to_owned(), self.decoys.clone().into());
        }
        overrides
    }

    /// Whether decoys are asked for.
    pub(crate) fn has_decoys(&self) -> bool {
        !self.decoys.is_empty()
    }
}

/// Who answers the calls of a suite whose tools are those of MCP servers.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct McpFlags {
    /// Who answers calls in a suite of MCP servers [default: the suite's choice, else strict].
    ///
    /// `strict`: the recording, and only what was recorded with the same arguments in the same
    /// state; another call leaves the trial unscored and is named. `nearest`: the recording; for
    /// a call that was not recorded, the nearest one of the same tool, as the log says. `live`: the
    /// servers, which are started; the recording beside the suite grows.
    #[arg(long, value_name = "MODE", value_parser = ["strict", "nearest", "live"], hide_short_help = true)]
    replay: Option<String>,

    /// Let a suite start the commands and ask the addresses that it names.
    ///
    /// They are shown before. Suites in a folder that you trust need no leave: `toolgauge config
    /// --trust FOLDER`.
    #[arg(long, hide_short_help = true)]
    allow_commands: bool,
}

impl McpFlags {
    /// Gives the permission that was asked for, and that of folders that the user trusts.
    pub(crate) fn permit(&self) {
        worlds::tell_commands(print_line);
        worlds::allow_trusted_commands();
        if self.allow_commands {
            worlds::allow_commands();
        }
    }

    /// What is to be laid over the suite's own words. Gives the permission that was asked for.
    pub(crate) fn overrides(&self) -> Map<String, Json> {
        self.permit();
        self.replay.iter().map(|mode| ("replay".to_owned(), mode.as_str().into())).collect()
    }
}

/// Where the model is, and its protocol.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerFlags {
    /// Where the model is [default: port 8080 of this machine, `http://127.0.0.1:8080/v1`].
    ///
    /// Without `--model` the only model that it lists is measured.
    ///
    /// Given more than once, or as `@FILE` with an address on each line, trials are spread over
    /// these servers, which have to serve the same model.
    #[arg(long, value_name = "URL", env = "TOOLGAUGE_BASE_URL", value_parser = addresses)]
    base_url: Vec<ServerList>,

    /// The protocol of the server [default: openai].
    #[arg(long, value_name = "NAME", env = "TOOLGAUGE_PROTOCOL", hide_short_help = true)]
    protocol: Option<ProtocolFlag>,

    /// The environment variable that holds the key [default: `OPENAI_API_KEY`].
    #[arg(long, value_name = "NAME", env = "TOOLGAUGE_KEY_VARIABLE")]
    key_variable: Option<String>,

    /// A file that holds the key, in place of the environment.
    #[arg(long, value_name = "FILE", env = "TOOLGAUGE_KEY_FILE", hide_short_help = true)]
    pub(crate) key_file: Option<PathBuf>,

    /// Stream the answer, to measure the time to the first token.
    #[arg(long, env = "TOOLGAUGE_STREAM")]
    stream: bool,

    /// Run even if the server does not list the model, or answers in the name of another.
    #[arg(long, env = "TOOLGAUGE_ANY_MODEL", hide_short_help = true)]
    any_model: bool,

    /// The llama-server to start for a GGUF file [default: the one on PATH].
    #[arg(long, value_name = "FILE", env = "TOOLGAUGE_LLAMA_SERVER", hide_short_help = true)]
    llama_server: Option<PathBuf>,

    /// A flag for that llama-server, such as `--llama-flag=-ngl --llama-flag=99` [default: --jinja].
    #[arg(
        long = "llama-flag",
        value_name = "FLAG",
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    llama_flags: Vec<String>,
}

impl ServerFlags {
    /// Whether a server is named.
    pub(crate) fn names_address(&self) -> bool {
        !self.base_url.is_empty()
    }
}

/// How answers are sampled; left out, the suite's and then the server's own choice.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingFlags {
    /// The temperature.
    #[arg(long, value_name = "T", env = "TOOLGAUGE_TEMPERATURE")]
    temperature: Option<f64>,

    /// The share of likely tokens to choose from.
    #[arg(long, value_name = "P", hide_short_help = true)]
    top_p: Option<f64>,

    /// The most tokens one answer may have.
    #[arg(long, value_name = "N", env = "TOOLGAUGE_MAX_TOKENS")]
    max_tokens: Option<i64>,

    /// The seed; each further trial of a case gets the next one.
    #[arg(long, value_name = "SEED", env = "TOOLGAUGE_SEED")]
    seed: Option<i64>,

    /// Whether a tool must be called: auto, required or none.
    #[arg(long, value_name = "CHOICE", hide_short_help = true)]
    tool_choice: Option<String>,

    /// Whether several calls may be made in one answer.
    #[arg(long, value_name = "BOOL", hide_short_help = true)]
    parallel_tool_calls: Option<bool>,

    /// Any other field of the request body, such as `--body cache_prompt=false`.
    #[arg(long = "body", value_name = "KEY=JSON", value_parser = body_field, hide_short_help = true)]
    body: Vec<(String, Json)>,
}

impl SamplingFlags {
    /// The fields of the request body that have no flag of their own.
    pub(crate) fn extra(&self) -> Map<String, Json> {
        self.body.iter().cloned().collect()
    }
}

/// What bounds a run.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitFlags {
    /// How many trials are under way at once [default: 1].
    ///
    /// 1 keeps latencies honest on a local server with a single slot: a request that waits in
    /// the server's queue looks slow although it is not.
    #[arg(long, short, value_name = "N", env = "TOOLGAUGE_CONCURRENCY", value_parser = clap::value_parser!(u32).range(1..))]
    concurrency: Option<u32>,

    /// Seconds one HTTP attempt may take [default: 300].
    #[arg(long, value_name = "SECONDS")]
    attempt_timeout: Option<f64>,

    /// Seconds a stream may be silent once its answer has begun; 0 for no limit [default: 60].
    ///
    /// With `--stream` only. A stream that stops half-way is given up and tried again without
    /// waiting for the whole of `--attempt-timeout`. Until the first token only that one counts, so
    /// that a server may read a long prompt for as long as it allows; afterwards any byte is a
    /// sign of life, a keep-alive comment as good as a token. Raise it for a slow server that
    /// holds a tool call back until it is whole.
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    idle_timeout: Option<f64>,

    /// Seconds one trial may take, all its turns and attempts together [default: no limit].
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    trial_timeout: Option<f64>,

    /// The most turns a trial may take where calls are executed [default: the suite's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    max_turns: Option<u32>,

    /// How often a request is tried again [default: 4].
    #[arg(long, value_name = "N", hide_short_help = true)]
    retries: Option<u32>,

    /// Requests per minute [default: no limit].
    #[arg(long, value_name = "N", hide_short_help = true)]
    requests_per_minute: Option<u32>,

    /// Tokens per minute [default: no limit].
    #[arg(long, value_name = "N", hide_short_help = true)]
    tokens_per_minute: Option<u32>,

    /// Seconds to wait for a server that is gone or not ready before the run stops [default: 120].
    ///
    /// Not ready is one that still loads its model (HTTP status 502 or 503), before the first trial
    /// as well as during the run. Trials that meet it are run again and not counted.
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    patience: Option<f64>,

    /// Stop when the first N trials fail in the same way; 0 never stops [default: 5].
    ///
    /// A wrong address, a wrong place for the text or a server without tools fails every trial
    /// alike. The run then ends with that failure and status 2, and leaves no log. Raise it, or
    /// give 0, where questions are meant to be answered with an error.
    #[arg(long, value_name = "N", hide_short_help = true)]
    same_failures: Option<u32>,
}

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ProtocolFlag {
    /// Chat completions, as llama.cpp, vLLM, Ollama, LM Studio and OpenAI speak them.
    #[value(name = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// Flags as a layer of settings.
pub(crate) trait WithFlags: Sized {
    /// Adds what the flags of the server say.
    #[must_use]
    fn server(self, flags: &ServerFlags) -> Self;

    /// Adds what the flags of sampling say.
    #[must_use]
    fn sampling(self, flags: &SamplingFlags) -> Self;

    /// Adds what the flags of limits say.
    #[must_use]
    fn limits(self, flags: &LimitFlags) -> Self;
}

impl WithFlags for Layer {
    fn server(self, flags: &ServerFlags) -> Self {
        let protocol = flags.protocol.map(|protocol| match protocol {
            ProtocolFlag::OpenAi => "openai",
            ProtocolFlag::Anthropic => "anthropic",
        });
        let llama_server = flags.llama_server.as_ref().map(|file| file.display().to_string());
        let llama_flags = (!flags.llama_flags.is_empty()).then(|| flags.llama_flags.clone());
        let addresses: Vec<String> =
            flags.base_url.iter().flat_map(|list| list.0.clone()).collect();
        self.with("server", "base_url", (!addresses.is_empty()).then_some(addresses))
            .with("server", "protocol", protocol)
            .with("server", "key_variable", flags.key_variable.clone())
            .with("server", "stream", flags.stream.then_some(true))
            .with("server", "any_model", flags.any_model.then_some(true))
            .with("server", "llama_server", llama_server)
            .with("server", "llama_flags", llama_flags)
    }

    fn sampling(self, flags: &SamplingFlags) -> Self {
        self.with("sampling", "temperature", flags.temperature)
            .with("sampling", "top_p", flags.top_p)
            .with("sampling", "max_tokens", flags.max_tokens)
            .with("sampling", "seed", flags.seed)
            .with("sampling", "tool_choice", flags.tool_choice.clone())
            .with("sampling", "parallel_tool_calls", flags.parallel_tool_calls)
    }

    fn limits(self, flags: &LimitFlags) -> Self {
        self.with("run", "concurrency", flags.concurrency.map(i64::from))
            .with("limits", "attempt_timeout", flags.attempt_timeout)
            .with("limits", "idle_timeout", flags.idle_timeout)
            .with("limits", "trial_timeout", flags.trial_timeout)
            .with("limits", "max_turns", flags.max_turns.map(i64::from))
            .with("limits", "retries", flags.retries.map(i64::from))
            .with("limits", "requests_per_minute", flags.requests_per_minute.map(i64::from))
            .with("limits", "tokens_per_minute", flags.tokens_per_minute.map(i64::from))
            .with("limits", "patience", flags.patience)
            .with("limits", "same_failures", flags.same_failures.map(i64::from))
    }
}

/// The addresses that one flag names.
#[derive(Clone, Debug)]
struct ServerList(Vec<String>);

/// Addresses with blanks between them, or `@FILE` with one on each line, where lines that begin with
/// `#` are comments.
fn addresses(text: &str) -> Result<ServerList, String> {
    let addresses: Vec<String> = match text.strip_prefix('@') {
        None => text.split_whitespace().map(str::to_owned).collect(),
        Some(file) => {
            let text = read_text(Path::new(file), LONGEST_LIST)
                .map_err(|error| format!("the list of servers `{file}` cannot be read: {error}"))?;
            let lines = text.lines().map(str::trim);
            lines
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_owned)
                .collect()
        }
    };
    if addresses.is_empty() {
        Err("it names no server".to_owned())
    } else {
        Ok(ServerList(addresses))
    }
}

fn tag(text: &str) -> Result<(String, String), String> {
    let (tag, value) = text.split_once('=').ok_or("write TAG=VALUE, such as tier=small")?;
    Ok((tag.trim().to_owned(), value.trim().to_owned()))
}

fn body_field(text: &str) -> Result<(String, Json), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=JSON, such as cache_prompt=false")?;
    // A word that is not JSON is meant as text.
    let value = serde_json::from_str(value).unwrap_or_else(|_| Json::from(value));
    Ok((key.to_owned(), value))
}

/// A number of things of which there must be one at least.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    let count = text.parse::<usize>().map_err(|error| error.to_string())?;
    if count == 0 { Err("there must be one at least".to_owned()) } else { Ok(count) }
}
